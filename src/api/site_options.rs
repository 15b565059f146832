//! Options of a site on disk.

use std::path::Path;

use super::options::PageOptions;
use super::site_error::SiteError;
use super::url::Url;
use rehref_corpus::files::{Globs, git_rules, mark_ignored};
use rehref_corpus::{Corpus, ERROR_PAGES, Selection, ServedAnywhere};
use rehref_generators::markdown::MarkdownDialect;
use rehref_site::{FileTree, INDEX_NAMES, Server, SiteUrl, Sources, TryPattern, walk};

/// Options of a site: how its server maps URLs to files, and which files are documents. Each field is the
/// option of the command with the same name.
///
/// ```
/// use rehref::{PageOptions, SiteOptions};
///
/// let mut options = SiteOptions::default();
/// options.tries = vec!["{}.html".to_owned()];
/// options.exclude = vec!["drafts".to_owned()];
/// options.pages = PageOptions::default().with_attributes(["img@data-src"])?;
/// # Ok::<(), rehref::BadAttribute>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteOptions {
    /// Other URLs at which the site is published, such as its `http:` URL.
    pub also: Vec<Url>,
    /// The file names that the server looks for if a URL names a directory, in order of preference; by default
    /// `index.html`, `index.htm` and `index.xhtml`.
    pub index_files: Vec<String>,
    /// The paths that the server tries if no file has the path of the URL, with `{}` for this path: `{}.html`
    /// serves `a.html` for `/a`.
    pub tries: Vec<String>,
    /// True if the server adds extensions to a path, such as a language: it serves `manual.html.en` for
    /// `manual`.
    pub multiviews: bool,
    /// True if the server does not merge slashes: `a//b.html` and `a/b.html` are different files.
    pub strict_slashes: bool,
    /// Globs. If the list is not empty, only matching files are documents.
    pub include: Vec<String>,
    /// Globs. Matching files are not documents.
    pub exclude: Vec<String>,
    /// Globs. Matching files are HTML, whatever their extensions are.
    pub html: Vec<String>,
    /// True if files that git ignores are not part of the site.
    pub gitignore: bool,
    /// True if compressed pages (`page.html.gz`) are documents, too.
    pub compressed: bool,
    /// The rules by which Markdown is read. By default, Markdown files are not documents. The library does not
    /// read the configuration of the generator, which may set other URLs for pages; the command does.
    pub markdown: Option<MarkdownDialect>,
    /// Rules for findings that the audit ignores, as for `--ignore`: `external-http`,
    /// `broken-target path:old/ target:*/draft`.
    pub ignore: Vec<String>,
    /// The options for parsing each document. The kind of a document depends on its file name, not on these
    /// options.
    pub pages: PageOptions,
    /// The number of threads. 0, the default, starts one thread per core.
    pub threads: usize,
}

impl Default for SiteOptions {
    fn default() -> SiteOptions {
        SiteOptions {
            also: Vec::new(),
            index_files: INDEX_NAMES.iter().map(|&name| name.to_owned()).collect(),
            tries: Vec::new(),
            multiviews: false,
            strict_slashes: false,
            include: Vec::new(),
            exclude: Vec::new(),
            html: Vec::new(),
            gitignore: false,
            compressed: false,
            markdown: None,
            ignore: Vec::new(),
            pages: PageOptions::default(),
            threads: 0,
        }
    }
}

impl SiteOptions {
    /// Returns the site in the directory `root` (canonical), published at `url`.
    pub(super) fn corpus(&self, root: &Path, url: &Url) -> Result<Corpus, SiteError> {
        let mut walk = walk(root);
        if let Some(error) = walk.errors.drain(..).next() {
            let (path, source) = (error.path, error.source);
            return Err(SiteError::Directory { path, source });
        }
        if self.gitignore {
            mark_ignored(root, &mut walk);
        }
        let server = self.server(root, &walk)?;
        let also = self.also.iter().map(|url| site_url(url.as_str()));
        Ok(Corpus {
            also: also.collect::<Result<_, _>>()?,
            selection: Selection {
                include: (!self.include.is_empty()).then(|| globs(&self.include)).transpose()?,
                exclude: globs(&self.exclude)?,
                html: globs(&self.html)?,
                gitignore: self.gitignore,
                compressed: self.compressed,
                markdown: self.markdown,
                ..Selection::default()
            },
            served_anywhere: ServedAnywhere {
                globs: Globs::known(&ERROR_PAGES.split(',').map(str::to_owned).collect::<Vec<_>>()),
                ..ServedAnywhere::default()
            },
            options: self.pages.parse_options::<[u8]>(),
            threads: self.threads,
            ..Corpus::new(root.to_owned(), walk, site_url(url.as_str())?, server)
        })
    }

    fn server(&self, root: &Path, walk: &FileTree) -> Result<Server, SiteError> {
        let row = self.markdown.map(MarkdownDialect::row);
        let tries = self.tries.iter().map(|it| it.parse::<TryPattern>());
        let mut tries = tries.collect::<Result<Vec<_>, _>>().map_err(SiteError::option)?;
        if let Some(row) = row.filter(|_| tries.is_empty()) {
            tries.extend(row.tries.iter().filter_map(|it| it.parse().ok()));
        }
        let of_sources = row.map_or(&[][..], |row| row.index_names).iter().copied();
        let names = of_sources.chain(self.index_files.iter().map(String::as_str));
        let mut server = Server::default().with_index_names(names).with_tries(tries);
        server.negotiates = self.multiviews;
        server.is_strict_about_slashes = self.strict_slashes;
        server.sources = row.map(|row| Sources {
            roots: row.roots.iter().map(|&it| it.to_owned()).collect(),
            is_lower_case: row.is_lower_case,
            lists_folders: row.is_repository,
            pages: None,
            makers: Vec::new(),
            made: Vec::new(),
            scripts: std::sync::Arc::default(),
            ignored: git_rules(root, walk),
        });
        Ok(server)
    }
}

/// Returns the URL of a site.
pub(super) fn site_url(url: &str) -> Result<SiteUrl, SiteError> {
    Ok(SiteUrl::parse(url).map_err(|error| SiteError::Url(error.to_string()))?.0)
}

fn globs(given: &[String]) -> Result<Globs, SiteError> {
    Globs::new(given).map_err(SiteError::option)
}
