//! Redirects in the front matter of moved documents: `move --write-redirects hugo`, `jekyll`.

use std::fs;

use super::advice::Advice;
use super::exit::CliError;
use super::first_paths::first_paths;
use super::redirect_pages;
use rehref_corpus::Corpus;
use rehref_corpus::output::{NewTree, write_file};
use rehref_corpus::run::Plan;
use rehref_generators::markdown::FrontMatterList;
use rehref_generators::markdown::front_matter::keys;
use rehref_site::diagnostic::display_path;
use rehref_site::path_from_url;
use rehref_site::plural::counted;
use rehref_site::redirects::PageRedirect;
use rehref_verify::{Added, AddedText};

const NO_FRONT_MATTER: &str = "no front matter (add some, or write redirects in another format)";
const UNKNOWN_FORM: &str =
    "rehref cannot add to front matter of this form (add the old URLs by hand)";

/// The bytes `source` of the document of `page` with its redirect, or why it gets none.
fn edited(
    list: FrontMatterList,
    source: &[u8],
    page: &PageRedirect<'_>,
) -> Result<Vec<u8>, &'static str> {
    let text = std::str::from_utf8(source).map_err(|_| UNKNOWN_FORM)?;
    if !list.creates && !keys::exists(text) {
        return Err(NO_FRONT_MATTER);
    }
    // A redirect of an earlier move from what is now its own URL.
    let (old, new) = (page.old_path(), page.new_path());
    let edited = keys::with_item(text, list.key, &old, Some(&new));
    Ok(edited.map_err(|_| UNKNOWN_FORM)?.into_bytes())
}

/// Adds the redirects of `pages` to the documents in `tree`; in a dry run, which has none, only finds those that would get
/// one. Returns the pages whose documents get one, and adds to `advice` which get none.
pub(super) fn write<'p>(
    list: FrontMatterList,
    plan: &Plan,
    tree: Option<&dyn NewTree>,
    pages: &'p [PageRedirect<'p>],
    advice: &mut Vec<Advice>,
) -> Result<Vec<&'p PageRedirect<'p>>, CliError> {
    let mut refused: Vec<(&str, String)> = Vec::new();
    let (mut written, mut known) = (Vec::new(), 0);
    for page in pages {
        let path = match tree {
            Some(tree) => tree.root().join(page.new_file),
            None => plan.corpus.root.join(page.file),
        };
        let io = CliError::io(path.display());
        let source = match fs::read(&path) {
            Ok(source) => source,
            Err(error) if tree.is_some() => return Err(io(error)),
            Err(_) => continue,
        };
        match edited(list, &source, page) {
            Ok(text) if text == source => known += 1,
            Ok(text) => {
                if tree.is_some() {
                    write_file(&path, &text, &fs::metadata(&path).map_err(io)?)?;
                }
                written.push(page);
            }
            Err(reason) => refused.push((reason, display_path(page.new_file))),
        }
    }
    for reason in [NO_FRONT_MATTER, UNKNOWN_FORM] {
        let files = refused.iter().filter(|(it, _)| *it == reason);
        let files: Vec<&String> = files.map(|(_, file)| file).collect();
        if !files.is_empty() {
            let (documents, named) = (counted(files.len(), "document"), first_paths(&files));
            advice.push(Advice::Warning(format!(
                "no redirect was added to {documents}: {reason}: {named}"
            )));
        }
    }
    let key = list.key;
    if tree.is_some() && !written.is_empty() {
        let redirects = counted(written.len(), "redirect");
        advice.push(Advice::Note(format!(
            "{redirects} added to {key} in the front matter of moved documents"
        )));
    }
    let project = redirect_pages::sources(&plan.corpus, &plan.moves).map(|it| &*it.project);
    let project = project.and_then(path_from_url).unwrap_or_default();
    let project = plan.corpus.root.join(project);
    if let Some((plugin, files)) = list.plugin.filter(|_| !written.is_empty()) {
        let mut texts = files.iter().map(|it| fs::read_to_string(project.join(it)));
        let names = |text: String| text.contains(plugin) || text.contains("github-pages");
        if !texts.any(|text| text.is_ok_and(names)) {
            let files = files.join(" nor ");
            advice.push(Advice::Warning(format!(
                "only the plugin {plugin} reads {key}, and neither {files} names it\nhelp: add the plugin, or write redirects in another format, such as html"
            )));
        }
    }
    if tree.is_some() && known > 0 {
        let documents = counted(known, "document");
        advice.push(Advice::Note(format!(
            "{key} of {documents} already has the redirect of this move"
        )));
    }
    Ok(written)
}

/// Returns the documents of `corpus` with the redirects of `pages`.
pub(super) fn expected(
    list: FrontMatterList,
    corpus: &Corpus,
    pages: &[PageRedirect<'_>],
) -> AddedText {
    let edited = pages.iter().filter_map(|page| {
        let source = fs::read(corpus.root.join(page.file)).ok()?;
        let added = Added { edited: Some(edited(list, &source, page).ok()?), ..Added::default() };
        Some((page.new_file.to_owned(), added))
    });
    edited.collect()
}
