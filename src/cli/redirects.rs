//! Writes the redirects of a move or expects them.

use std::path::Path;
use std::{fs, io};

use super::advice::redirects::{of_moves, of_rules};
use super::advice::{Advice, rules};
use super::exit::CliError;
use super::moved_corpus::MovedCorpus;
use super::redirect_destination::{RedirectDestination, RedirectPlace};
use super::redirect_rules::rules_in_site;
use super::{files, front_matter_redirects, redirect_pages, terminal};
use rehref_corpus::Corpus;
use rehref_corpus::output::write_file;
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::Mode;
use rehref_generators::markdown::GeneratorRedirects;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::{PageRedirect, RedirectWriter};
use rehref_site::{Moves, SiteUrl};
use rehref_verify::report::FileDifferences;
use rehref_verify::{Added, AddedText, other_end};

/// The redirects that `move` writes.
#[derive(Default)]
pub(super) struct ExpectedRedirects {
    /// In the tree: the text at the end of the file of rules, or a page at each old path.
    pub(super) added: AddedText,
    /// The difference between a file elsewhere and what `move` writes to it.
    pub(super) difference_elsewhere: Option<FileDifferences>,
}

/// Returns the redirects that `move` writes to `destination` for the redirects of `moves`, if the new tree is at
/// `root`.
pub(super) fn expected(
    destination: &RedirectDestination,
    corpus: &Corpus,
    moves: &Moves,
    new_url: &SiteUrl,
    root: &Path,
) -> Result<ExpectedRedirects, CliError> {
    destination.refuse_other_generator(corpus, moves)?;
    let mut expected = ExpectedRedirects::default();
    let rules = rules_in_site(corpus)?;
    let moved = MovedCorpus::new(corpus, moves, new_url);
    let (found, _) = moved.redirects(&rules)?;
    let format = destination.format;
    if let RedirectWriter::Pages = format.writer {
        let pages = redirect_pages::expected(corpus, moves, &found).into_iter();
        let added = |html: String| Added { text: html.into_bytes(), ..Added::default() };
        expected.added = pages.map(|page| (page.path, added(page.html))).collect();
        return Ok(expected);
    }
    if let RedirectWriter::Generator(GeneratorRedirects::FrontMatter(list)) = format.writer {
        expected.added = front_matter_redirects::expected(list, corpus, &found.pages);
        return Ok(expected);
    }
    let pages = redirect_pages::sources(corpus, moves);
    let place = destination.place(root, pages);
    let change = moved.change(format, &place, found)?;
    let text = change.text().text;
    match place {
        RedirectPlace::Stdout => {}
        RedirectPlace::InTree(path) => {
            let without_lines = change.rules.removed_lines;
            expected.added.insert(path, Added { text, without_lines, edited: None });
        }
        RedirectPlace::Elsewhere(file) => {
            let written = files::read("--write-redirects", file)?;
            let is_complete =
                if format.is_whole() { written.ends_with(&text) } else { change.is_done() };
            expected.difference_elsewhere = (!is_complete).then(|| FileDifferences {
                path: file.display().to_string(),
                path_before: None,
                count: 1,
                differences: vec![other_end()],
            });
        }
    }
    Ok(expected)
}

/// Writes the redirects for the moves of `plan` into its output tree, or to the file of `destination`; in a dry run,
/// only counts them. Adds to `advice` what users should know, with an error if visitors do not reach a moved file.
pub(super) fn write(
    plan: &Plan,
    destination: &RedirectDestination,
    advice: &mut Vec<Advice>,
) -> Result<(), CliError> {
    let format = destination.format;
    let tree = plan.mode.new_tree();
    let rules = rules_in_site(&plan.corpus)?;
    let moved = MovedCorpus::of_plan(plan);
    let (found, renamed) = moved.redirects(&rules)?;
    advice.extend(of_moves(plan, destination, &found, &renamed));
    if format.is_of_many_files() {
        advice.extend(rules::of_files(plan, &moved, None)?);
        let planned_pages = match (format.writer, tree) {
            (RedirectWriter::Generator(GeneratorRedirects::FrontMatter(list)), _) => {
                let changed =
                    front_matter_redirects::write(list, plan, tree, &found.pages, advice)?;
                let line = |page: &PageRedirect<'_>| {
                    let file = display_path(page.new_file);
                    format!("{} in the front matter of {file}", page.old_path())
                };
                changed.into_iter().map(line).collect()
            }
            (_, Some(tree)) => {
                redirect_pages::write(plan, tree, &found, advice)?;
                Vec::new()
            }
            (_, None) => {
                let pages = redirect_pages::expected(&plan.corpus, &plan.moves, &found);
                pages.iter().map(|page| display_path(&page.path)).collect()
            }
        };
        if tree.is_none() {
            advice.extend(planned(planned_pages.len(), None, planned_pages));
        }
        return Ok(());
    }
    // The tree that takes the place of SITE gets a file in SITE, since SITE must not change before that.
    let root = match (&plan.mode, tree) {
        (Mode::Exchange(_), _) | (_, None) => &*plan.corpus.root,
        (_, Some(tree)) => tree.root(),
    };
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves);
    let place = destination.place(root, pages);
    let change = moved.change(format, &place, found)?;
    advice.extend(of_rules(plan, &moved, &place, &change)?);
    let written = change.text();
    let file = destination.shown(pages);
    let shown = file.as_ref().map_or("stdout".to_owned(), |file| file.display().to_string());
    let removed = change.rules.removed_rules;
    let note_removed = |would_be: &str| {
        let rules = counted(removed, "rule");
        (removed > 0).then(|| {
            Advice::Note(format!(
                "{rules} of earlier moves {would_be}removed from {shown}, since targets moved back to the old URLs"
            ))
        })
    };
    let Some(tree) = tree else {
        advice.extend(note_removed("would be "));
        let file = file.as_deref().filter(|it| *it != Path::new("-"));
        let text = String::from_utf8_lossy(&written.text);
        let rules = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
        advice.extend(planned(written.written, file, rules.collect()));
        return Ok(());
    };
    let path = match place {
        RedirectPlace::Stdout => {
            terminal::print(&written.text)?;
            return Ok(());
        }
        RedirectPlace::InTree(below) => {
            let path = tree.root().join(below);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(CliError::io(folder.display()))?;
            }
            path
        }
        RedirectPlace::Elsewhere(file) => file.to_owned(),
    };
    let existing = match fs::read(&path) {
        Ok(existing) => existing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(CliError::io(path.display())(source)),
    };
    // The same move was run before, into the same directory.
    let is_known = change.rules.removed_lines.is_empty()
        && !existing.is_empty()
        && existing.ends_with(&written.text);
    if !is_known {
        // A new file gets owner and mode of the site's first file, or else of its root.
        let first = plan.corpus.files().next().unwrap_or(Path::new(""));
        let like = fs::metadata(&path)
            .or_else(|_| fs::metadata(plan.corpus.root.join(first)))
            .map_err(CliError::io(path.display()))?;
        write_file(&path, &change.in_file(&existing), &like)?;
    }
    advice.extend(note_removed(""));
    let count = if written.written == 0 { change.known() } else { written.written };
    let redirects = counted(count, "redirect");
    // A host reads the file of this name only in the site.
    let has_usual_name =
        path.file_name().is_some_and(|it| format.file.is_some_and(|name| it == name));
    let shown = match &plan.mode {
        Mode::Copy(_) if has_usual_name && !path.starts_with(tree.root()) => {
            format!("{shown}, outside of the output")
        }
        _ => shown,
    };
    let note = if is_known || written.written == 0 {
        format!("{shown} already has {redirects} of this move")
    } else if existing.is_empty() {
        format!("{redirects} written to {shown}")
    } else {
        format!("{redirects} added to the end of {shown}")
    };
    advice.extend((count > 0).then_some(Advice::Note(note)));
    Ok(())
}

/// The note of a dry run on `count` redirects, and their lines.
fn planned(count: usize, file: Option<&Path>, lines: Vec<String>) -> [Advice; 2] {
    let redirects = counted(count, "redirect");
    let place = file.map_or(String::new(), |file| format!(" to {}", file.display()));
    let colon = if lines.is_empty() { "" } else { ":" };
    let note = Advice::Note(format!("{redirects} would be written{place}{colon}"));
    [note, Advice::List(lines, "")]
}
