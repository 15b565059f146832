//! Whether the Markdown of a site is read, and as the source of which generator.

use std::path::{Path, PathBuf};

use super::terminal;
use super::values::Choice;
use crate::corpus::SitePlace;
use crate::document::DocumentKind;
use crate::document::markdown::{DIALECTS, DialectRow, MarkdownDialect};
use crate::plural::counted;
use crate::site::{EntryKind, FileTree, named_document_kind, is_markdown};

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

/// The folders beside the documents, or above them, in which a generator may be configured.
const PROJECT_FOLDERS: &[&str] = &["", "website", "docs", "site", "documentation"];

/// The number of folders above SITE in which a configuration is looked for.
const ABOVE: usize = 4;

/// The dialect of the Markdown of the site at `place`, whose files are `walk`; `None` if it is not read. `given`:
/// `--markdown`.
pub(super) fn dialect(
    given: Option<MarkdownChoice>,
    place: &SitePlace,
    walk: &FileTree,
) -> Option<MarkdownDialect> {
    if let Some(given) = given {
        return given;
    }
    let root = place.root();
    if let Some(name) = place.document_name() {
        return is_markdown(name).then(|| {
            let found = configured(&root).map(|(row, _)| row.dialect);
            found.unwrap_or(MarkdownDialect::GitHub)
        });
    }
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    let (mut sources, mut pages) = (0, 0);
    for entry in files {
        let is_page = || {
            let kind = named_document_kind(&entry.path);
            matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
        };
        match is_markdown(&entry.path) {
            true => sources += 1,
            false => pages += usize::from(is_page()),
        }
    }
    if sources == 0 {
        return None;
    }
    let files = counted(sources, "Markdown file");
    let (dialect, reason) = match configured(&root) {
        Some((row, path)) if sources >= pages => {
            let path = path.strip_prefix(&root).unwrap_or(&path);
            (row.dialect, format!("for {} ({})", row.program, path.display()))
        }
        None if pages == 0 => (MarkdownDialect::GitHub, "as on GitHub".to_owned()),
        _ => return None,
    };
    terminal::note(format!(
        "reading {files} {reason}; --markdown names another generator"
    ));
    Some(dialect)
}

/// The generator whose configuration is nearest to `root`: in it, or in the folders above up to the root of the
/// repository.
fn configured(root: &Path) -> Option<(&'static DialectRow, PathBuf)> {
    for folder in root.ancestors().take(ABOVE + 1) {
        let rows = DIALECTS.iter();
        let found = rows.into_iter().find_map(|row| {
            let names = row.configuration.iter();
            let mut paths = names.flat_map(|name| {
                PROJECT_FOLDERS.iter().map(move |sub| (sub, name))
            });
            // In the folder itself first; what is deeper may be another site.
            let found = paths.find_map(|(sub, name)| {
                let path = folder.join(sub).join(name);
                path.is_file().then_some(path)
            });
            found.map(|path| (row, path))
        });
        if found.is_some() {
            return found;
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
