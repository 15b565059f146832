//! Redirects in the front matter of moved documents: `move --write-redirects hugo`, `jekyll`.

use std::fs;
use std::path::Path;

use super::exit::CliError;
use super::first_paths::first_paths;
use super::terminal;
use rehref_corpus::Corpus;
use rehref_corpus::output::{NewTree, write_file};
use rehref_corpus::run::Plan;
use rehref_generators::markdown::front_matter::keys;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::{PageRedirect, RedirectWriter};
use rehref_verify::{Added, AddedText};

/// The reason why a document gets no redirect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// It is no page without front matter.
    NoFrontMatter,
    /// Its front matter cannot be edited.
    UnknownForm,
}

/// The bytes `source` of the document of `page` with its redirect.
fn edited(
    source: &[u8],
    page: &PageRedirect<'_>,
    writer: RedirectWriter,
) -> Result<Vec<u8>, Refusal> {
    let RedirectWriter::FrontMatter { key, creates } = writer else {
        return Ok(source.to_owned());
    };
    let text = std::str::from_utf8(source).map_err(|_| Refusal::UnknownForm)?;
    if !creates && !keys::exists(text) {
        return Err(Refusal::NoFrontMatter);
    }
    // A redirect of an earlier move from what is now its own URL.
    let (old, new) = (page.old_path(), page.new_path());
    let edited = keys::with_item(text, key, &old, Some(&new));
    Ok(edited.map_err(|_| Refusal::UnknownForm)?.into_bytes())
}

/// The documents that get no redirect, by their new paths.
#[derive(Default)]
struct Refused {
    without_front_matter: Vec<String>,
    unknown: Vec<String>,
}

impl Refused {
    fn add(&mut self, page: &PageRedirect<'_>, refusal: Refusal) {
        let file = display_path(page.new_file);
        match refusal {
            Refusal::NoFrontMatter => self.without_front_matter.push(file),
            Refusal::UnknownForm => self.unknown.push(file),
        }
    }

    fn warn(&self) {
        for (files, reason) in [
            (
                &self.without_front_matter,
                "without front matter is no page; write redirects in another format",
            ),
            (
                &self.unknown,
                "has front matter to which nothing can be added; add the old URL there",
            ),
        ] {
            if !files.is_empty() {
                let documents = counted(files.len(), "document");
                let named = first_paths(files.iter().map(String::as_str));
                terminal::warning(format!(
                    "no redirect to {documents}: a document that {reason}: {named}"
                ));
            }
        }
    }
}

/// The number of documents that would get a redirect; warns of the others.
pub(super) fn count(plan: &Plan, pages: &[PageRedirect<'_>], writer: RedirectWriter) -> usize {
    let mut refused = Refused::default();
    let mut written = 0;
    for page in pages {
        let Ok(source) = fs::read(plan.corpus.root.join(page.file)) else {
            continue;
        };
        match edited(&source, page, writer) {
            Ok(text) => written += usize::from(text != source),
            Err(refusal) => refused.add(page, refusal),
        }
    }
    refused.warn();
    written
}

/// Adds the redirects of `pages` to the documents in `tree`.
pub(super) fn write(
    tree: &dyn NewTree,
    pages: &[PageRedirect<'_>],
    writer: RedirectWriter,
) -> Result<(), CliError> {
    let mut refused = Refused::default();
    let (mut written, mut known) = (0, 0);
    for page in pages {
        let path = tree.root().join(page.new_file);
        let io = CliError::io(path.display());
        let source = match fs::read(&path) {
            Ok(source) => source,
            Err(error) => return Err(io(error)),
        };
        match edited(&source, page, writer) {
            Ok(text) if text == source => known += 1,
            Ok(text) => {
                let like = fs::metadata(&path).map_err(CliError::io(path.display()))?;
                write_file(&path, &text, &like)?;
                written += 1;
            }
            Err(refusal) => refused.add(page, refusal),
        }
    }
    refused.warn();
    let RedirectWriter::FrontMatter { key, .. } = writer else {
        return Ok(());
    };
    if written > 0 {
        let redirects = counted(written, "redirect");
        terminal::note(format!(
            "{redirects} added to {key} in the front matter of moved documents"
        ));
    }
    if known > 0 {
        let documents = counted(known, "document");
        terminal::note(format!("{key} of {documents} already has the redirect of this move"));
    }
    Ok(())
}

/// The documents of `corpus` with the redirects of `pages`.
pub(super) fn expected(
    corpus: &Corpus,
    pages: &[PageRedirect<'_>],
    writer: RedirectWriter,
) -> AddedText {
    let edited = pages.iter().filter_map(|page| {
        let path: &Path = page.file;
        let source = fs::read(corpus.root.join(path)).ok()?;
        let added = Added { edited: Some(edited(&source, page, writer).ok()?), ..Added::default() };
        Some((page.new_file.to_owned(), added))
    });
    edited.collect()
}
