//! Notes on the files of a site and how they are read, which every command has.

use std::borrow::Cow;
use std::path::Path;

use super::Advice;
use crate::cli::first_paths::first_paths;
use rehref_corpus::{Corpus, Selection};
use rehref_document::{DocumentKind, is_markdown};
use rehref_site::plural::counted;

/// Returns the note on the packed books among the files, which no command reads.
pub(in crate::cli) fn packed_books(corpus: &Corpus) -> Option<Advice> {
    let is_packed =
        |path: &&Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("epub"));
    let books = corpus.files().filter(is_packed).map(|path| path.to_string_lossy());
    let books: Vec<Cow<'_, str>> = books.collect();
    let first = books.first()?;
    let (count, paths) = (counted(books.len(), "packed book"), first_paths(&books));
    Some(Advice::Note(format!(
        "rehref does not read {count}: {paths}\nhelp: to include a book, unpack it first: unzip {first} -d DIR"
    )))
}

/// Returns the note on the documents that are not read, as they are not part of the project of a generator.
pub(in crate::cli) fn unread(corpus: &Corpus, selection: &Selection) -> Option<Advice> {
    let is_document =
        |path: &&Path| is_markdown(path) || DocumentKind::of_built_path(path).is_some();
    let unread = corpus.files().filter(is_document).filter(|path| selection.is_unread(path));
    let unread: Vec<Cow<'_, str>> = unread.map(|path| path.to_string_lossy()).collect();
    (!unread.is_empty()).then(|| {
        Advice::Note(format!(
            "rehref skips {} ignored by git, in installed packages, or hidden: {}",
            counted(unread.len(), "document"),
            first_paths(&unread)
        ))
    })
}

/// Returns the note with `--verbose` on how `corpus` is read. `is_given`: its URL is.
pub(in crate::cli) fn settings(corpus: &Corpus, is_given: bool) -> Advice {
    let url = if !is_given {
        "not given"
    } else if corpus.options.no_url {
        "none"
    } else {
        corpus.site_url.url().as_str()
    };
    let threads = match corpus.threads {
        0 => "a thread per core".to_owned(),
        some => counted(some, "thread"),
    };
    let files = counted(corpus.files().count(), "file");
    let root = corpus.root.display();
    let standard = corpus.standard;
    Advice::Note(format!("{root}: {files}; URL {url}; standard {standard}; {threads}"))
}
