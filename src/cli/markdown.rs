//! Whether the Markdown of a site is read, and as the source of which generator.

use std::path::{Path, PathBuf};

use super::advice::is_page;
use super::exit::{CliError, usage_error};
use super::values::Choice;
use super::{markdown_pages, terminal};
use rehref_corpus::files::{first_bytes, git_rules, work_tree_of};
use rehref_corpus::{Corpus, SitePlace};
use rehref_document::is_markdown;
use rehref_generators::markdown::{DIALECTS, Maker, MarkdownDialect, UNREAD, has_word};
use rehref_site::plural::counted;
use rehref_site::{
    Entry, EntryKind, Excluded, FileTree, Pages, canonical, path_in_url, with_slash,
};

/// `--markdown`: a dialect, or `None` for no Markdown.
pub(super) type MarkdownChoice = Option<MarkdownDialect>;

/// `--markdown` of every command that reads a site.
pub(super) fn choices() -> impl Iterator<Item = Choice<MarkdownChoice>> {
    let dialects = DIALECTS.iter().map(|it| (it.row().name, it.row().help, Some(*it)));
    dialects.chain([("off", "Do not read Markdown", None)])
}

/// The folders above the documents, and beside those, in which a generator may be configured.
const PROJECT_FOLDERS: &[&str] = &["", "website", "docs", "site", "documentation"];

/// The number of folders above SITE in which a configuration is looked for.
const ABOVE: usize = 4;

/// The Markdown of a site, and the generator that reads it.
pub(super) struct MarkdownSources {
    pub(super) dialect: MarkdownDialect,
    /// The folders of SITE whose files are published at the root, each with a slash at its end.
    pub(super) roots: Vec<String>,
    /// The pages that the generator makes of them.
    pub(super) pages: Option<Pages>,
    /// What may make pages and anchors that the sources do not have.
    pub(super) makers: Vec<&'static Maker>,
    /// The paths of what it makes of no file.
    pub(super) made: Vec<String>,
    /// What git ignores.
    pub(super) ignored: Excluded,
}

/// The Markdown of the site at `place`, whose files are `walk`; `None` if it is not read. `given`: `--markdown`.
/// `is_url_given`: `--url` is.
pub(super) fn sources(
    given: Option<MarkdownChoice>,
    place: &SitePlace,
    walk: &FileTree,
    is_url_given: bool,
) -> Option<MarkdownSources> {
    let root = place.root();
    let is_source = |entry: &Entry| entry.kind == EntryKind::File && is_markdown(&entry.path);
    if given.is_none() && !walk.entries.iter().any(is_source) {
        return None;
    }
    let found = match given {
        Some(None) => return None,
        Some(Some(dialect)) => configured(&root, walk, &[dialect]),
        None => configured(&root, walk, &[DIALECTS, UNREAD].concat()),
    };
    let dialect = match (given, place.document_name()) {
        (Some(given), _) => given?,
        (None, Some(name)) if is_markdown(name) => found.as_ref().map_or(FALLBACK, |it| it.0),
        (None, Some(_)) => return None,
        (None, None) => guess(&root, walk, found.as_ref())?,
    };
    let project = found.as_ref().and_then(|(dialect, path)| {
        let project = markdown_pages::project_of(dialect.row(), path)?;
        project.strip_prefix(&root).ok()
    });
    let project = project.map_or_else(String::new, |path| with_slash(&path_in_url(path)));
    let configuration = found.as_ref().map(|(_, path)| &**path);
    let settings = configuration.map(|path| markdown_pages::settings(dialect.row(), path));
    let settings = settings.unwrap_or_default();
    let row = dialect.row();
    let texts = |paths: &[&str]| markdown_pages::texts(row, configuration, &settings, paths);
    let dialect = dialect.configured(&settings, texts);
    let roots = dialect.row().roots.iter();
    let mut roots: Vec<String> = roots.map(|root| format!("{project}{root}")).collect();
    if !project.is_empty() {
        roots.push(project);
    }
    let pages = markdown_pages::pages(dialect, &root, configuration, &settings, is_url_given);
    // A document beside those of the project.
    if given.is_none()
        && place.document_name().is_some()
        && pages.as_ref().is_some_and(|it| it.folders.iter().all(|it| !it.folder.is_empty()))
    {
        return sources(Some(Some(FALLBACK)), place, walk, is_url_given);
    }
    let published = pages.iter().filter(|_| !dialect.row().has_sections);
    let published = published.flat_map(Pages::content_roots);
    let included = configuration.map(|it| markdown_pages::include_roots(dialect.row(), &root, it));
    for folder in published.chain(included.into_iter().flatten()) {
        if !roots.contains(&folder) {
            roots.push(folder);
        }
    }
    let makers = markdown_pages::makers(dialect.row(), &root, configuration);
    let made = markdown_pages::made(dialect.row(), configuration);
    let usual = dialect.row().published.first().map_or("", |it| it.folder);
    let ignored = git_rules(&root, Path::new(usual));
    Some(MarkdownSources { dialect, roots, pages, makers, made, ignored })
}

/// The documents of the site at `place`, if a generator is configured for it.
pub(super) fn configured_sources(place: &SitePlace, walk: &FileTree) -> Option<MarkdownSources> {
    let (dialect, _) = configured(&place.root(), walk, DIALECTS)?;
    sources(Some(Some(dialect)), place, walk, false)
}

/// The folders in `roots` and of `pages` with their paths in the built site.
pub(super) fn published_in(roots: &[String], pages: Option<&Pages>) -> Vec<(String, String)> {
    let folders = pages.iter().flat_map(|it| &it.folders);
    let folders: Vec<_> = folders.map(|it| (it.folder.clone(), it.url.clone())).collect();
    let is_new = |root: &&String| folders.iter().all(|(folder, _)| folder != *root);
    let others: Vec<_> =
        roots.iter().filter(is_new).map(|it| (it.clone(), String::new())).collect();
    let all = folders.into_iter().chain(others);
    all.filter(|(folder, _)| !folder.is_empty()).collect()
}

/// The dialect of documents that no generator is configured for.
const FALLBACK: MarkdownDialect = MarkdownDialect::GITHUB;

/// The dialect of the Markdown of a directory, with a note; `None` if its HTML is what visitors read. `found`: the
/// configuration of a generator.
fn guess(
    root: &Path,
    walk: &FileTree,
    found: Option<&(MarkdownDialect, PathBuf)>,
) -> Option<MarkdownDialect> {
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    let (mut sources, mut pages) = (0, 0);
    for entry in files {
        if is_markdown(&entry.path) {
            sources += 1
        } else {
            pages += usize::from(is_page(&entry.path))
        }
    }
    let (dialect, reason) = match found {
        // The output of a generator does not hold its configuration, but may hold examples.
        Some((dialect, path)) if sources >= pages || path.parent().is_some_and(|it| it == root) => {
            let path = path.strip_prefix(root).unwrap_or(path);
            let project = format!("{} ({})", dialect.row().program, path.display());
            if dialect.row().is_read {
                (*dialect, format!("for {project}"))
            } else {
                terminal::note(format!(
                    "{project} is not read yet: links between its pages are not checked, nor updated by move"
                ));
                (*dialect, "as on GitHub".to_owned())
            }
        }
        None if pages == 0 => (FALLBACK, "as on GitHub".to_owned()),
        _ => return None,
    };
    let files = counted(sources, "Markdown file");
    terminal::note(format!("reading {files} {reason}; --markdown names another generator"));
    Some(dialect)
}

/// Refuses the sources of a generator: their links are paths of documents, and the generator makes the URLs.
pub(super) fn refuse_project(command: &str, corpus: &Corpus) -> Result<(), CliError> {
    let row = corpus.selection.markdown.map(|it| it.row());
    let Some(row) = row.filter(|row| !row.configuration.is_empty()) else {
        return Ok(());
    };
    let program = row.program;
    usage_error(format!(
        "SITE holds sources of {program}, and {command} is for built sites: build the site, and run {command} on the output \
         of {program}; to move documents, use `rehref move`; to process Markdown as a code host shows it, add --markdown \
         github, and to process HTML alone, --markdown off"
    ))
}

/// The folder of the project outside of `root`, the documents of a generator with this `dialect`; `None` if its
/// configuration is in the tree `walk` of `root`, or does not exist.
pub(super) fn project_outside(
    root: &Path,
    walk: &FileTree,
    dialect: MarkdownDialect,
) -> Option<PathBuf> {
    let (_, path) = configured(root, walk, &[dialect])?;
    let project = markdown_pages::project_of(dialect.row(), &path)?;
    (!path.starts_with(root)).then(|| project.to_owned())
}

/// The generator whose configuration is nearest to `root`: in the tree `walk` of it, or in the folders above up to the
/// root of the repository, or else to the working directory. What is further above may be other users', and so may be
/// what symbolic links lead to.
fn configured(
    root: &Path,
    walk: &FileTree,
    dialects: &[MarkdownDialect],
) -> Option<(MarkdownDialect, PathBuf)> {
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    let in_tree = files.filter_map(|entry| {
        let mut dialects = dialects.iter().enumerate();
        dialects.find_map(|(number, dialect)| {
            let name = dialect.row().configuration_of(&entry.path)?;
            let depth = entry.path.components().count() - Path::new(name).components().count();
            let is_near = depth < DEEPEST && is_configuration(root, &entry.path, *dialect);
            is_near.then_some((depth, number, *dialect, root.join(&entry.path)))
        })
    });
    // The nearest; of those in one folder, the surest sign.
    let in_tree = in_tree.min_by_key(|(depth, number, ..)| (*depth, *number));
    if let Some((_, _, dialect, path)) = in_tree {
        return Some((dialect, path));
    }
    let here = std::env::current_dir().and_then(|here| canonical(&here));
    let last = work_tree_of(root).or(here.ok().filter(|here| root.starts_with(here)));
    let last = last.as_deref().unwrap_or(root);
    let folders = root.ancestors().take(ABOVE + 1).take_while(|folder| folder.starts_with(last));
    let mut paths = folders.flat_map(|folder| {
        dialects.iter().flat_map(move |dialect| {
            let names = dialect.row().configurations();
            names.flat_map(move |(name, _)| {
                PROJECT_FOLDERS.iter().map(move |sub| (*dialect, folder.join(sub).join(name)))
            })
        })
    });
    paths.find(|(dialect, path)| {
        first_bytes(path, 0).is_ok() && is_configuration(root, path, *dialect)
    })
}

/// Whether the file at `path`, from `root`, configures the generator of `dialect`.
fn is_configuration(root: &Path, path: &Path, dialect: MarkdownDialect) -> bool {
    let has = |word| has_word(&markdown_pages::text(&root.join(path)), word);
    let mut files = dialect.row().configurations();
    files.any(|(name, word)| path.ends_with(name) && word.is_none_or(has))
}

/// The levels in SITE at which a project is found: what is deeper may be an example.
const DEEPEST: usize = 3;
