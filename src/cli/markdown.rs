//! Whether the Markdown of a site is read, and as the source of which generator.

use std::path::{Path, PathBuf};

use super::advice::is_page;
use super::values::Choice;
use super::{markdown_pages, terminal};
use rehref_corpus::SitePlace;
use rehref_corpus::files::{first_bytes, work_tree_of};
use rehref_document::is_markdown;
use rehref_generators::markdown::{DIALECTS, DialectRow, MarkdownDialect};
use rehref_site::plural::counted;
use rehref_site::{Entry, EntryKind, FileTree, Pages, canonical, path_in_url, with_slash};

/// `--markdown`: a dialect, or `None` for no Markdown.
pub(super) type MarkdownChoice = Option<MarkdownDialect>;

/// `--markdown` of every command that reads a site.
#[rustfmt::skip]
pub(super) const CHOICES: [Choice<MarkdownChoice>; 10] = [
    ("mkdocs", "MkDocs, Zensical", Some(MarkdownDialect::MkDocs)),
    ("docusaurus", "Docusaurus (MDX)", Some(MarkdownDialect::Docusaurus)),
    ("hugo", "Hugo", Some(MarkdownDialect::Hugo)),
    ("sphinx", "Sphinx, Jupyter Book (MyST)", Some(MarkdownDialect::Sphinx)),
    ("mdbook", "mdBook", Some(MarkdownDialect::MdBook)),
    ("vitepress", "VitePress", Some(MarkdownDialect::VitePress)),
    ("jekyll", "Jekyll", Some(MarkdownDialect::Jekyll)),
    ("github", "GitHub and other hosts of repositories", Some(MarkdownDialect::GitHub)),
    ("plain", "No generator: links are paths to files", Some(MarkdownDialect::Plain)),
    ("off", "Do not read Markdown", None),
];

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
        Some(Some(dialect)) => configured(&root, walk, [dialect.row()]),
        None => configured(&root, walk, DIALECTS),
    };
    let dialect = match (given, place.document_name()) {
        (Some(given), _) => given?,
        (None, Some(name)) if is_markdown(name) => {
            found.as_ref().map_or(FALLBACK, |it| it.0.dialect)
        }
        (None, Some(_)) => return None,
        (None, None) => guess(&root, walk, found.as_ref())?,
    };
    let configuration = found.as_ref().map(|(_, path)| &**path);
    let pages = markdown_pages::pages(dialect.row(), &root, configuration, is_url_given);
    let roots = content_roots(dialect.row(), &root, configuration, pages.as_ref());
    Some(MarkdownSources { dialect, roots, pages })
}

/// The folders of the site at `place` that its generator publishes, with their paths there; each has a slash at its end.
pub(super) fn published(place: &SitePlace, walk: &FileTree) -> Vec<(String, String)> {
    let root = place.root();
    let Some((row, path)) = configured(&root, walk, DIALECTS) else {
        return Vec::new();
    };
    let pages = markdown_pages::pages(row, &root, Some(&path), false);
    let roots = content_roots(row, &root, Some(&path), pages.as_ref());
    published_in(&roots, pages.as_ref())
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

/// The folders of the site at `root` whose files are published at the root.
fn content_roots(
    row: &DialectRow,
    root: &Path,
    configuration: Option<&Path>,
    pages: Option<&Pages>,
) -> Vec<String> {
    // Of the folder of the project, as far as it is in SITE.
    let project = configuration.and_then(|path| path.strip_prefix(root).ok());
    let project = project.and_then(Path::parent).map(path_in_url);
    let project = project.map_or_else(String::new, |path| match path.is_empty() {
        true => path,
        // `.vitepress` is in the folder of the documents.
        false => with_slash(path.strip_suffix(".vitepress").unwrap_or(&path).trim_end_matches('/')),
    });
    let roots = row.roots.iter();
    let mut roots: Vec<String> = roots.map(|root| format!("{project}{root}")).collect();
    if !project.is_empty() && project != "/" {
        roots.push(project);
    }
    let published = pages.iter().flat_map(|it| it.content_roots());
    for folder in published {
        if !roots.contains(&folder) {
            roots.push(folder);
        }
    }
    roots
}

/// The dialect of documents that no generator is configured for.
const FALLBACK: MarkdownDialect = MarkdownDialect::GitHub;

/// The dialect of the Markdown of a directory, with a note; `None` if its HTML is what visitors read. `found`: the
/// configuration of a generator.
fn guess(
    root: &Path,
    walk: &FileTree,
    found: Option<&(&'static DialectRow, PathBuf)>,
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
        Some((row, path)) if sources >= pages || path.parent().is_some_and(|it| it == root) => {
            let path = path.strip_prefix(root).unwrap_or(path);
            (row.dialect, format!("for {} ({})", row.program, path.display()))
        }
        None if pages == 0 => (FALLBACK, "as on GitHub".to_owned()),
        _ => return None,
    };
    let files = counted(sources, "Markdown file");
    terminal::note(format!("reading {files} {reason}; --markdown names another generator"));
    Some(dialect)
}

/// The folder of the project outside of `root`, the documents of a generator with this `dialect`; `None` if its
/// configuration is in the tree `walk` of `root`, or does not exist.
pub(super) fn project_outside(
    root: &Path,
    walk: &FileTree,
    dialect: MarkdownDialect,
) -> Option<PathBuf> {
    let (_, path) = configured(root, walk, [dialect.row()])?;
    let project = markdown_pages::project_of(&path)?;
    (!path.starts_with(root)).then(|| project.to_owned())
}

/// The generator whose configuration is nearest to `root`: in the tree `walk` of it, or in the folders above up to the
/// root of the repository, or else to the working directory. What is further above may be other users', and so may be
/// what symbolic links lead to.
fn configured(
    root: &Path,
    walk: &FileTree,
    rows: impl IntoIterator<Item = &'static DialectRow> + Clone,
) -> Option<(&'static DialectRow, PathBuf)> {
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    let in_tree = files.filter_map(|entry| {
        let depth = entry.path.components().count();
        let mut rows = rows.clone().into_iter().enumerate();
        let (number, row) =
            rows.find(|(_, row)| depth <= DEEPEST && is_configuration(&entry.path, row))?;
        Some((depth, number, row, root.join(&entry.path)))
    });
    // The nearest; of those in one folder, the surest sign.
    let in_tree = in_tree.min_by_key(|(depth, number, ..)| (*depth, *number));
    if let Some((_, _, row, path)) = in_tree {
        return Some((row, path));
    }
    let here = std::env::current_dir().and_then(|here| canonical(&here));
    let last = work_tree_of(root).or(here.ok().filter(|here| root.starts_with(here)));
    let last = last.as_deref().unwrap_or(root);
    let folders = root.ancestors().take(ABOVE + 1).take_while(|folder| folder.starts_with(last));
    let mut paths = folders.flat_map(|folder| {
        rows.clone().into_iter().flat_map(move |row| {
            let names = row.configuration.iter();
            names.flat_map(move |name| {
                PROJECT_FOLDERS.iter().map(move |sub| (row, folder.join(sub).join(name)))
            })
        })
    });
    paths.find(|(_, path)| first_bytes(path, 0).is_ok())
}

/// The deepest level in SITE at which a configuration is found: what is deeper may be an example.
const DEEPEST: usize = 3;

/// Whether the file at `path` configures the generator of `row`.
fn is_configuration(path: &Path, row: &DialectRow) -> bool {
    let mut names = row.configuration.iter();
    names.any(|name| path.ends_with(name))
}
