//! Moves the files of a site, and verifies that a changed site kept its links.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::site::Site;
use super::site_error::SiteError;
use super::site_options::site_url;
use super::url::Url;
use crate::moves::{self, MoveError, Request};
use rehref_corpus::output::{Destination, Stage};
use rehref_corpus::run::plan::{Mode, Plan};
use rehref_corpus::run::{Report, run};
use rehref_corpus::{Corpus, Observer, SitePlace};
use rehref_rewrite::{BaseElements, Policy, SitePolicy};
use rehref_site::{
    Diagnostic, Location, Moves, Severity, SiteUrl, canonical, ignores_case, path_bytes,
};
use rehref_verify::report::FileDifferences;
use rehref_verify::{TreePlan, verify_tree};

/// A list of moves: the old and new paths of files and directories, relative to the root of the site. Can also
/// contain a new URL of the site.
///
/// ```
/// use rehref::SiteMoves;
///
/// let moves = SiteMoves::from([("visit", "plan-a-visit"), ("about.html", "about/index.html")]);
/// let to_another_host = SiteMoves::default().to_url(&"https://example.net/".parse()?);
/// # Ok::<(), rehref::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteMoves {
    paths: Vec<(PathBuf, PathBuf)>,
    url: Option<Url>,
}

impl<O: Into<PathBuf>, N: Into<PathBuf>> FromIterator<(O, N)> for SiteMoves {
    fn from_iter<I: IntoIterator<Item = (O, N)>>(paths: I) -> SiteMoves {
        let paths = paths.into_iter().map(|(old, new)| (old.into(), new.into()));
        SiteMoves { paths: paths.collect(), url: None }
    }
}

impl<O: Into<PathBuf>, N: Into<PathBuf>, const COUNT: usize> From<[(O, N); COUNT]> for SiteMoves {
    fn from(paths: [(O, N); COUNT]) -> SiteMoves {
        paths.into_iter().collect()
    }
}

impl SiteMoves {
    /// Returns these moves, with a new URL `url` of the site.
    #[must_use]
    pub fn to_url(mut self, url: &Url) -> SiteMoves {
        self.url = Some(url.clone());
        self
    }

    fn new_url(&self, corpus: &Corpus) -> Result<SiteUrl, SiteError> {
        let new = self.url.as_ref().map(|url| site_url(url.as_str()));
        new.unwrap_or_else(|| Ok(corpus.site_url.clone()))
    }

    fn plan(&self, corpus: &Corpus, ignores_case: bool) -> Result<Moves, SiteError> {
        let paths = self.paths.iter();
        let request =
            |(old, new): &(PathBuf, PathBuf)| Request::renamed(&path_bytes(old), &path_bytes(new));
        let requests: Vec<Request> = paths.map(request).collect();
        let moves = moves::plan(&corpus.walk.entries, &requests, ignores_case);
        let texts =
            |errors: Vec<MoveError>| errors.iter().map(|it| it.problem.to_string()).collect();
        moves.map_err(|errors| SiteError::Moves(texts(errors)))
    }
}

/// The place to which [`Site::move_files`] writes the changed site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteOutput<'o> {
    /// A new directory outside of the site. The site itself stays unchanged.
    Directory(&'o Path),
    /// The directory of the site. The new tree replaces the old tree in one step; Linux and macOS only.
    InPlace,
}

/// The result of [`Site::move_files`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MovedSite {
    /// The documents with changed links: the new path, and the number of changed links.
    pub changed: Vec<(String, usize)>,
    /// The files that moved: the old path, and the new path.
    pub moved: Vec<(String, String)>,
    /// Warnings: skipped links, malformed documents, and strings in scripts and data that still contain old
    /// paths.
    pub diagnostics: Vec<Diagnostic>,
}

impl MovedSite {
    fn of(report: Report) -> MovedSite {
        let stale = report.stale_paths.into_iter().map(|it| {
            let mut location = Location::of_file(it.path);
            location.position = Some(it.position);
            let message = format!("{} still has the old path: {}", it.text, it.target);
            Diagnostic::new(Severity::Warning, "stale-path", location, message)
        });
        let diagnostics = report.diagnostics.iter().map(Cow::into_owned).chain(stale);
        MovedSite {
            diagnostics: diagnostics.collect(),
            changed: report.changed.into_iter().map(|it| (it.path, it.references)).collect(),
            moved: report.moved.into_iter().map(|it| (it.from, it.to)).collect(),
        }
    }
}

/// The result of [`Site::verify`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verification {
    /// The number of documents that were compared.
    pub documents: usize,
    /// The number of links that were compared.
    pub links: usize,
    /// The files with differences. Empty if every link has the expected target and all other bytes are equal.
    pub different: Vec<FileDifferences>,
    /// The files for which nothing is proven: unreadable files, and malformed documents that moved.
    pub unproven: Vec<Diagnostic>,
    /// The links for which nothing is proven: their target is unknown (template markup), and the base URL of
    /// their document changed.
    pub unknown: Vec<Diagnostic>,
}

impl Verification {
    /// Returns true if every link has the expected target, all other bytes are equal, and all documents could be read.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.different.is_empty() && self.unproven.is_empty()
    }
}

/// Nobody watches a run of the library.
struct Unobserved;

impl Observer for Unobserved {}

impl Site {
    /// Moves files and directories as `rehref move` does, and updates every link from and to them. Reads the
    /// directory again first. After [`SiteOutput::InPlace`], open the site again to see the new files.
    ///
    /// ```
    /// use rehref::{Site, SiteMoves, SiteOutput};
    ///
    /// let site = Site::open("sample-site", &"https://example.org/docs/".parse()?)?;
    /// let moves = SiteMoves::from([("visit", "plan-a-visit")]);
    /// let folder = tempfile::tempdir()?;
    /// let out = folder.path().join("moved");
    /// let moved = site.move_files(&moves, SiteOutput::Directory(&out))?;
    /// assert!(out.join("plan-a-visit/index.html").exists() && !moved.changed.is_empty());
    /// assert!(site.verify(&out, &moves)?.is_proven());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a move is impossible, or if a file cannot be read or written. With
    /// [`SiteOutput::InPlace`], the site is then unchanged.
    pub fn move_files(
        &self,
        moves: &SiteMoves,
        output: SiteOutput<'_>,
    ) -> Result<MovedSite, SiteError> {
        let root = self.root();
        let corpus = self.options.corpus(root, &self.url)?;
        let mode = match output {
            SiteOutput::Directory(out) => {
                Mode::Copy(Destination::check(root, out, false).map_err(SiteError::output)?)
            }
            SiteOutput::InPlace => Mode::Exchange(Stage::beside(root).map_err(SiteError::output)?),
        };
        let new_url = moves.new_url(&corpus)?;
        let moves = moves.plan(&corpus, ignores_case(root, &corpus.walk.entries))?;
        let new_index_files = corpus.index_files_at(|path| moves.new_path(path).unwrap_or(path));
        let mapping = moves::mapping(&corpus, &moves, &new_url);
        let base_elements = BaseElements::Keep;
        let policy = Policy::site(SitePolicy { form: None, base_elements, mapping });
        let plan = Plan { moves, new_index_files, ..Plan::new(corpus, mode, policy) };
        let report = run(&plan, &Unobserved).map_err(SiteError::output)?;
        if let Some(error) = report.errors.first() {
            let message = format!("{}: {}", error.location.path, error.message);
            return Err(SiteError::Output(message));
        }
        let mut moved = MovedSite::of(report);
        if let Mode::Exchange(stage) = plan.mode {
            let warnings = stage.exchange().map_err(SiteError::output)?;
            let warnings = warnings.into_iter();
            moved.diagnostics.extend(warnings.map(|it| Diagnostic::file_error("", it)));
        }
        Ok(moved)
    }

    /// Compares this site with the directory `after`, which contains the site after `moves` or another
    /// rewriting. If no files moved, pass `&Default::default()`. Every link must have the expected target, and
    /// all other bytes must be equal.
    ///
    /// # Errors
    /// Returns an error if a move is impossible, or a directory cannot be read.
    pub fn verify(
        &self,
        after: impl AsRef<Path>,
        moves: &SiteMoves,
    ) -> Result<Verification, SiteError> {
        let before = &self.corpus;
        let path = after.as_ref();
        let root = canonical(path)
            .map_err(|source| SiteError::Directory { path: path.to_owned(), source })?;
        let new_url = moves.new_url(before)?;
        let moves = moves.plan(before, false)?;
        let place = SitePlace::Directory(root);
        let after = before.reading(&place, new_url, |path| moves.counterpart(path));
        let plan = TreePlan::new(before, &after, &moves, !moves.is_empty());
        let report = verify_tree(&plan, &Unobserved).map_err(SiteError::document)?;
        let unproven = report.errors.into_iter().chain(report.unproven);
        Ok(Verification {
            documents: report.documents,
            links: report.references.compared,
            different: report.different,
            unproven: unproven.collect(),
            unknown: report.not_proven,
        })
    }
}
