//! The error of a run that would succeed over nothing.

use std::cmp::Reverse;
use std::path::Path;

use super::exit::{CliError, usage_error};
use super::terminal;
use rehref_corpus::{Corpus, Inventory};
use rehref_site::plural::{counted, number};

/// The extensions of documents that are not HTML, of which generators build sites.
const SOURCES: &[&str] =
    &[".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".textile"];

/// The number of extensions that the message names.
const NAMED: usize = 6;

/// Refuses `corpus`, which the command line calls `name`, if it cannot be read, or if none of its files is a document, unless
/// the user accepts that.
pub(super) fn refuse_before(corpus: &Corpus, name: &str) -> Result<(), CliError> {
    // The root itself: what is in it is unknown.
    let mut errors = corpus.walk.errors.iter();
    if let Some(error) = errors.find(|error| error.path.as_os_str().is_empty()) {
        let root = corpus.root.display();
        return usage_error(format!("cannot read {root}: {}", error.source));
    }
    if corpus.may_be_empty || corpus.may_have_documents() {
        Ok(())
    } else {
        usage_error(message(name, corpus))
    }
}

/// Refuses the result of a run over `documents` documents, if these are none: those of archives are
/// known only when the archives were read.
pub(super) fn refuse_after(corpus: &Corpus, name: &str, documents: usize) -> Result<(), CliError> {
    if documents == 0 && corpus.selection.only.is_some() {
        let rst = corpus.files().any(|it| it.extension().is_some_and(|it| it == "rst"));
        let help = match rst && corpus.selection.markdown.is_none() {
            true => "\nhelp: to read .rst files, add --markdown sphinx",
            false => "",
        };
        terminal::note(format!(
            "--files-from: no file of the list is a document that is read{help}"
        ));
    }
    if corpus.may_be_empty || documents > 0 { Ok(()) } else { usage_error(message(name, corpus)) }
}

/// The error for `name`: the files it has instead of documents, and what to do next.
fn message(name: &str, corpus: &Corpus) -> String {
    let seen = &Inventory::of(corpus);
    let is_source = |(name, _): (&String, _)| SOURCES.contains(&name.as_str());
    let is_empty = |path: &Path| corpus.root.join(path).metadata().is_ok_and(|it| it.len() == 0);
    let archives = counted(seen.containers, "archive");
    let directory = corpus.root.file_name().unwrap_or_default().to_string_lossy();
    let has_others = seen.compressed > 0 || !seen.others.is_empty();
    let (found, advice) = if seen.deselected > 0 {
        (
            "--include and --exclude select none of its documents".to_owned(),
            "change the globs (--exclude wins over --include)",
        )
    } else if seen.containers > 0 && !has_others && corpus.files().all(is_empty) {
        (format!("{archives} of 0 bytes"), "check whether its download was interrupted")
    } else if seen.containers > 0 {
        let found = format!("{archives} without a document that this command reads");
        (found, "pass another archive")
    } else if seen.compressed > 0 {
        let found = format!("only {}", counted(seen.compressed, "compressed page"));
        (found, "read them with --compressed")
    } else if seen.others.is_empty() && seen.symlinks == 0 {
        (
            format!("the directory {directory} is empty"),
            "build the site first, or pass another directory",
        )
    } else {
        let is_packed = |name: &&str| seen.others.contains_key(*name);
        let advice = if [".zip", ".tar", ".tgz", ".7z", ".rar"].iter().any(is_packed) {
            "unpack the files, and pass the directory of the site in them"
        } else if seen.others.contains_key(".rst") {
            "pass the directory of the site that is built from them (audit and move also read .rst, with --markdown sphinx)"
        } else if seen.others.iter().any(is_source) {
            // As HTML, they hold no link.
            "pass the directory of the site that is built from them"
        } else if seen.others.is_empty() {
            "rehref does not follow symbolic links\nhelp: pass the target of the symbolic link"
        } else {
            "pass the directory of the built site, or read files as HTML with --html GLOB"
        };
        (format!("{}: none of these is a document", listed(seen)), advice)
    };
    format!("no document in {name}: {found}\nhelp: {advice}, or add --allow-empty")
}

/// `12 .md, 3 .png, 1 other file`: the most frequent first.
fn listed(seen: &Inventory) -> String {
    let mut extensions: Vec<_> = seen.others.iter().collect();
    extensions.sort_by_key(|(_, count)| Reverse(**count));
    let unnamed: usize = extensions.iter().skip(NAMED).map(|(_, count)| **count).sum();
    let named = extensions.iter().take(NAMED);
    let named = named.map(|(extension, count)| match extension.as_str() {
        "" => format!("{} without an extension", counted(**count, "file")),
        extension => format!("{} {extension}", number(**count)),
    });
    let more = [(unnamed, "other file"), (seen.symlinks, "symbolic link")];
    let more = more.into_iter().filter(|(count, _)| *count > 0);
    let more = more.map(|(count, noun)| counted(count, noun));
    named.chain(more).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory(others: &[(&str, usize)]) -> Inventory {
        let others = others.iter();
        Inventory {
            others: others.map(|&(name, count)| (name.to_owned(), count)).collect(),
            ..Inventory::default()
        }
    }

    #[test]
    fn what_was_seen_is_listed_the_most_frequent_first() {
        for (others, symlinks, expected) in [
            (&[(".md", 12), (".png", 3)][..], 0, "12 .md, 3 .png"),
            (
                &[("", 1), (".md", 1200)],
                2,
                "1,200 .md, 1 file without an extension, 2 symbolic links",
            ),
            (
                &[(".a", 9), (".b", 8), (".c", 7), (".d", 6), (".e", 5), (".f", 4), (".g", 3)],
                0,
                "9 .a, 8 .b, 7 .c, 6 .d, 5 .e, 4 .f, 3 other files",
            ),
        ] {
            let seen = Inventory { symlinks, ..inventory(others) };
            assert_eq!(listed(&seen), expected);
        }
    }
}
