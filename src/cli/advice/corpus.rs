//! Notes on the files of a site and how they are read, which every command has.

use std::borrow::Cow;
use std::path::Path;

use super::Advice;
use crate::cli::command_line::{command_name, quoted};
use crate::cli::first_paths::first_paths;
use rehref_corpus::{Corpus, Selection};
use rehref_document::{DocumentKind, is_markdown};
use rehref_site::is_installed;
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

/// The extensions of pages that a server runs.
const PROGRAMS: &[&str] = &["php", "phtml", "asp", "aspx", "jsp", "cfm"];

/// Returns the note on the pages of a built site that a server runs, which are not read unless they are read as HTML.
pub(in crate::cli) fn unread_programs(corpus: &Corpus, selection: &Selection) -> Option<Advice> {
    let has = |path: &Path, names: &[&str]| {
        let extension = path.extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| names.iter().any(|name| it.eq_ignore_ascii_case(name)))
    };
    let is_unread =
        |path: &&Path| has(path, PROGRAMS) && !selection.html.is_match(path) && !is_installed(path);
    let programs = corpus.files().filter(is_unread).map(|path| path.to_string_lossy());
    let programs: Vec<Cow<'_, str>> = programs.collect();
    let (_, extension) = programs.first()?.rsplit_once('.')?;
    // Beside sources they are examples; the error of a site without any document names them.
    let is_built = selection.markdown.is_none() && corpus.may_have_documents();
    is_built.then(|| {
        Advice::Note(format!(
            "rehref does not read {} that a server runs: {}\nhelp: download the site with `wget --mirror URL`, and pass the result, or read them as HTML: --html '*.{extension}'",
            counted(programs.len(), "page"),
            first_paths(&programs)
        ))
    })
}

/// Returns the note on the documents that are not read, as they are not part of the project of a generator.
pub(in crate::cli) fn unread(corpus: &Corpus, selection: &Selection) -> Option<Advice> {
    let is_document =
        |path: &&Path| is_markdown(path) || DocumentKind::of_built_path(path).is_some();
    let unread = corpus.files().filter(is_document).filter(|path| selection.is_unread(path));
    let unread: Vec<Cow<'_, str>> = unread.map(|path| path.to_string_lossy()).collect();
    (!unread.is_empty()).then(|| {
        // The output of the generator.
        let is_installed =
            |it: &&str| it.contains("node_modules/") || it.contains("site-packages/");
        let indexes = unread.iter().filter_map(|it| it.strip_suffix("/index.html"));
        let built = indexes.filter(|it| !is_installed(it)).min_by_key(|it| it.matches('/').count());
        // What moves in an output, the next build restores.
        let help = built.filter(|_| command_name() != "move").map(|it| {
            let folder = corpus.root.join(it);
            let name = folder.strip_prefix(std::env::current_dir().unwrap_or_default());
            format!(
                "\nhelp: to read built pages, pass their directory: {}",
                quoted(name.unwrap_or(&folder).display())
            )
        });
        Advice::Note(format!(
            "rehref skips {} ignored by git, in installed packages, or hidden: {}{}",
            counted(unread.len(), "document"),
            first_paths(&unread),
            help.unwrap_or_default()
        ))
    })
}

/// Returns the note on the documents in reStructuredText of a project of Sphinx, which are read only if asked for.
pub(in crate::cli) fn unread_rst(corpus: &Corpus, selection: &Selection) -> Option<Advice> {
    let count = corpus.files().filter(|it| it.extension().is_some_and(|it| it == "rst")).count();
    let is_sphinx = corpus.files().any(|it| it.file_name().is_some_and(|it| it == "conf.py"));
    let has_documents = corpus.files().any(|it| DocumentKind::of_built_path(it).is_some());
    (count > 0 && is_sphinx && has_documents && selection.markdown.is_none()).then(|| {
        Advice::Note(format!(
            "{} of Sphinx not read\nhelp: add --markdown sphinx, or pass the directory of the built site",
            counted(count, ".rst file")
        ))
    })
}

/// Returns the note on the notebooks in the project of a generator, which are not read.
pub(in crate::cli) fn unread_notebooks(corpus: &Corpus, selection: &Selection) -> Option<Advice> {
    let is_notebook = |path: &&Path| path.extension().is_some_and(|it| it == "ipynb");
    let notebooks = corpus.files().filter(is_notebook).filter(|it| !selection.is_unread(it));
    let notebooks: Vec<Cow<'_, str>> = notebooks.map(|path| path.to_string_lossy()).collect();
    (selection.markdown.is_some() && !notebooks.is_empty()).then(|| {
        Advice::Note(format!(
            "rehref does not read {}: {}; links and labels in them are not checked, nor changed",
            counted(notebooks.len(), "notebook"),
            first_paths(&notebooks)
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
