//! Warnings of the unwanted effects of a move: links that break, names that collide, a root without a page.

use crate::cli::working_directory::argument;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Advice;
use super::audit::maker;
use crate::cli::command_line::{is_given, quoted};
use crate::cli::configuration::moved;
use crate::cli::first_paths::first_paths;
use crate::cli::likely_site::{built_project, is_output, project_of_output};
use crate::cli::redirect_pages;
use rehref_corpus::Corpus;
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::Mode;
use rehref_document::metadata::Anchors;
use rehref_document::{Document, DocumentKind, ParseOptions, is_markdown, is_program};
use rehref_generators::markdown::Makes;
use rehref_site::diagnostic::display_path;
use rehref_site::nearest::nearest;
use rehref_site::plural::counted;
use rehref_site::{AnchorMove, EntryKind, Pages, Spellings, joined, path_from_url, path_in_url};

/// Returns a warning for each thing that the moves of `plan` may do by mistake.
pub(in crate::cli) fn of_plan(plan: &Plan) -> Vec<Advice> {
    let warnings = [
        excluded(plan),
        made_pages(plan),
        built_beside(plan),
        unread_markdown(plan),
        unread_pages(plan),
        lost_extension(plan),
        lost_encoding(plan),
        gained_extension(plan),
        moved_templates(plan),
        not_index(plan),
        no_index(plan),
        lost_pages(plan),
        left_translations(plan),
        changed_defaults(plan),
        shown_texts(plan),
        lost_root(plan),
        differing_in_case(plan),
    ];
    let (old, new) = (plan.corpus.site_url.url(), plan.new_site_url().url());
    let is_deeper = new.path() != old.path() && new.path() != "/";
    let place = is_deeper.then(|| {
        Advice::Note(format!(
            "the files keep their paths in the output: publish its content at {new}"
        ))
    });
    let warnings = warnings.into_iter().flatten().chain(missing_anchors(plan));
    let warnings = warnings.map(Advice::Warning);
    place
        .into_iter()
        .chain(warnings)
        .chain(left_versions(plan))
        .chain(anchor_redirects(plan))
        .collect()
}

/// Warns that a generator makes the pages that move in place, so that its next build restores the old paths.
fn made_pages(plan: &Plan) -> Option<String> {
    let is_in_place = match plan.mode {
        Mode::Exchange(_) => true,
        // A run may follow that writes to SITE.
        _ => !plan.mode.writes() && !is_given("out"),
    };
    if !is_in_place || plan.corpus.server.sources.is_some() {
        return None;
    }
    let project = project_of_output(&plan.corpus.root);
    let name = match &project {
        Some((row, _)) => Some(row.program.to_owned()),
        None => maker(&plan.corpus, |path| plan.moves.new_path(path).is_some()),
    };
    let name = name.filter(|_| !plan.moves.is_empty())?;
    let help = match project {
        None => "move the sources instead, and pass the directory of its sources".to_owned(),
        Some((row, project)) if row.is_read => format!(
            "move the sources instead, and pass them: rehref move {} OLD=NEW",
            argument(project)
        ),
        Some(_) => format!("rename the sources instead, {COMPARE_BUILDS}"),
    };
    Some(format!("{name} makes these pages, so its next build undoes the move\nhelp: {help}"))
}

/// Warns of a built site beside the sources that move: its links to them change, and its pages do not.
fn built_beside(plan: &Plan) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let is_published = |it: &Path| pages.folder_of(&path_in_url(it)).is_some();
    let mut files = plan.corpus.files().filter(|it| plan.corpus.selection.has(it));
    let index = files.find(|it| {
        is_output(it.parent()) && plan.corpus.index_files.has(it) && !is_published(it)
    })?;
    let folder = display_path(index.parent()?);
    (plan.moves.files().next().is_some()).then(|| {
        format!(
            "{folder} seems to be a built site, whose links would change, while its pages keep their paths\nhelp: leave it out with --exclude /{folder}/, and build it again"
        )
    })
}

/// The advice for moves in the sources of a generator that is not read, whose links do not follow.
const COMPARE_BUILDS: &str = "build the site again into an empty directory, and check that with `rehref audit` and `rehref compare OLD NEW`, which find broken links and lost pages";

/// Warns of documents of a generator that is not read: links to their pages do not follow.
fn unread_pages(plan: &Plan) -> Option<String> {
    let row = plan.corpus.dialects().map(|it| it.row()).find(|row| !row.is_read)?;
    let moved = plan.moves.files().filter(|(old, _)| is_markdown(old) || is_program(old)).count();
    (moved > 0).then(|| {
        format!(
            "{} may make pages of {} that would move, and links to these pages do not change\nhelp: {COMPARE_BUILDS}",
            row.program,
            counted(moved, "document")
        )
    })
}

/// Warns of documents in Markdown or reStructuredText that move, but are not read: their links break.
fn unread_markdown(plan: &Plan) -> Option<String> {
    let count = |is: &dyn Fn(&Path) -> bool| plan.moves.files().filter(|(old, _)| is(old)).count();
    let (language, moved, help) = match count(&is_markdown) {
        0 => ("reStructuredText", count(&is_rst), "add --markdown sphinx"),
        moved => ("Markdown", moved, "name the generator with --markdown"),
    };
    (moved > 0 && plan.corpus.selection.markdown.is_none()).then(|| {
        format!(
            "{language} files that would move: {moved}, and rehref reads no {language} here, so links from and to them may break\nhelp: {help}"
        )
    })
}

fn is_rst(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "rst")
}

/// Warns of documents of which the generator makes no page at their new paths.
fn lost_pages(plan: &Plan) -> Option<String> {
    let corpus = &plan.corpus;
    let pages = redirect_pages::sources(corpus, &plan.moves)?;
    let stated = corpus.stated_urls();
    let has_page = |old: &Path, path: &Path| pages.page(path, stated.get(old)).is_some();
    let lost = plan.moves.files().filter(|(old, new)| has_page(old, old) && !has_page(old, new));
    let (lost, others): (Vec<_>, Vec<_>) = lost.partition(|(old, _)| is_markdown(old));
    let shown = |found: &[(&Path, &Path)]| -> Vec<String> {
        found.iter().map(|(_, new)| display_path(new)).collect()
    };
    let (lost, others) = (shown(&lost), shown(&others));
    let program = pages.dialect.row().program;
    if lost.is_empty() && !others.is_empty() {
        return Some(format!(
            "{program} does not publish {} at the new paths, so links to them may break: {}\nhelp: move them to a directory that it publishes",
            counted(others.len(), "file"),
            first_paths(&others)
        ));
    }
    let is_read = |folder: &Path| {
        let folder = path_in_url(folder);
        pages.folders.iter().any(|it| it.folder.trim_end_matches('/') == folder)
    };
    let help = match plan.moves.folders().any(|(old, _)| is_read(old)) {
        true => format!(
            "\nhelp: {program} reads the documents of that directory: if its configuration does not name it, add the new name"
        ),
        false => String::new(),
    };
    (!lost.is_empty()).then(|| {
        format!(
            "{program} makes no page of {}, or one whose URL rehref does not know; links to the old pages stay as they are: {}{help}",
            counted(lost.len(), "moved document"),
            first_paths(&lost)
        )
    })
}

/// Warns of translations that stay where the generator does not find them for documents that move.
fn left_translations(plan: &Plan) -> Option<String> {
    let (program, left) =
        counterparts(plan, Pages::moved_translations).or_else(|| left_languages(plan))?;
    Some(format!(
        "{program} finds a translation by the path of its document, so {} of moved documents would no longer be theirs\nhelp: to move them along, add: {}",
        counted(left.len(), "translation"),
        first_paths(&left)
    ))
}

/// The same for translations in directories of languages beside the documents: `zh/guide/a.md` for `guide/a.md`.
fn left_languages(plan: &Plan) -> Option<(&'static str, Vec<String>)> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let row = pages.dialect.row();
    let roots = pages.folders.iter().filter_map(|it| path_from_url(&it.folder));
    let roots: Vec<PathBuf> = roots.filter(|_| row.has_language_folders).collect();
    let files: HashSet<&Path> = plan.corpus.files().collect();
    let mut left = Vec::new();
    for root in &roots {
        let names =
            files.iter().filter_map(|it| it.strip_prefix(root).ok()?.iter().next()?.to_str());
        let languages: BTreeSet<&str> = names.filter(|it| is_language(it)).collect();
        for (old, new) in moved(plan) {
            let (Ok(old), Ok(new)) = (old.strip_prefix(root), new.strip_prefix(root)) else {
                continue;
            };
            let of_language = |language, path| joined(&joined(root, language), path);
            left.extend(languages.iter().filter_map(|it| {
                let from = of_language(Path::new(it), old);
                let is_at =
                    |path: &&&Path| path.starts_with(&from) && plan.new_path(path) == **path;
                let is_left = files.iter().any(|path| is_at(&path));
                is_left.then(|| {
                    format!(
                        "{}={}",
                        display_path(&from),
                        display_path(&of_language(Path::new(it), new))
                    )
                })
            }));
        }
    }
    (!left.is_empty()).then_some((row.program, left))
}

/// Returns true if `name` is the code of a language: `zh`, `pt-BR`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let is_code = language.len() == 2 && language.bytes().all(|it| it.is_ascii_lowercase());
    is_code && region.len() <= 4 && region.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// Notes other versions of documents that move: the menu of versions leads to the same path only.
fn left_versions(plan: &Plan) -> Option<Advice> {
    let (program, left) = counterparts(plan, Pages::moved_versions)?;
    Some(Advice::Note(format!(
        "{program} finds another version by the path of its document, so menus of versions no longer lead from moved documents to {}, nor back\nhelp: to move them along, add: {}",
        counted(left.len(), "document"),
        first_paths(&left)
    )))
}

/// The name of the generator, and an `OLD=NEW` for each counterpart of a moved document that stays, where
/// `counterparts` returns the possible ones.
fn counterparts(
    plan: &Plan,
    counterparts: fn(&Pages, &Path, &Path) -> Vec<(PathBuf, PathBuf)>,
) -> Option<(&'static str, Vec<String>)> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let files: HashSet<&Path> = plan.corpus.files().collect();
    let moved = plan.moves.files().filter(|(old, _)| is_markdown(old));
    let possible = moved.flat_map(|(old, new)| counterparts(pages, old, new));
    let left = possible.filter(|(old, _)| files.contains(&**old) && plan.new_path(old) == old);
    let left = left.map(|(old, new)| format!("{}={}", display_path(&old), display_path(&new)));
    let left: Vec<String> = left.collect();
    (!left.is_empty()).then(|| (pages.dialect.row().program, left))
}

/// Warns of documents that leave a scope of the configuration, with their layout, or come into one.
fn changed_defaults(plan: &Plan) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let moved = plan.moves.files().filter(|(old, new)| pages.changes_defaults(old, new));
    let changed: Vec<String> = moved.map(|(_, new)| display_path(new)).collect();
    (!changed.is_empty()).then(|| {
        format!(
            "`defaults` in the configuration of {} give {} other values at the new paths, such as another layout or none: {}\nhelp: write the values in their front matter, or the new paths in `defaults`",
            pages.dialect.row().program,
            counted(changed.len(), "moved document"),
            first_paths(&changed)
        )
    })
}

/// Warns of moved documents with text of files that rehref does not read: relative links there resolve against the page.
fn shown_texts(plan: &Plan) -> Option<String> {
    let corpus = &plan.corpus;
    let makers = &corpus.server.sources.as_ref()?.makers;
    let (maker, name) = makers.iter().find(|(it, _)| it.makes == Makes::Text)?;
    let pages = redirect_pages::sources(corpus, &plan.moves)?;
    let depth = |path: &Path| pages.page(path, None).map(|it| it.own_url.matches('/').count());
    let moved = plan.moves.files().filter(|(old, new)| {
        is_markdown(old) && (old.parent() != new.parent() || depth(old) != depth(new))
    });
    let shown = moved.filter_map(|(old, _)| {
        let bytes = fs::read(corpus.root.join(old)).ok()?;
        let source = String::from_utf8_lossy(&bytes);
        let objects: Vec<&str> = maker.shown_in(&source).collect();
        let (first, others) = objects.split_first()?;
        let more =
            if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        Some(format!("{} ({first}{more})", display_path(old)))
    });
    let shown: Vec<String> = shown.collect();
    let program = pages.dialect.row();
    let project = built_project(&corpus.root, "");
    (!shown.is_empty()).then(|| {
        format!(
            "{name} shows docstrings in {}, and rehref does not read docstrings; their relative links resolve against the page, so they may break: {}\nhelp: --build '{}' finds these links",
            counted(shown.len(), "moved document"),
            first_paths(&shown),
            program.build_command(&project.to_string_lossy()).unwrap_or_default(),
        )
    })
}

/// Warns if the site's root had an index file and loses it, so that visitors of its URL find nothing.
fn lost_root(plan: &Plan) -> Option<String> {
    let is_of_root = |path: &Path| !path.as_os_str().as_encoded_bytes().contains(&b'/');
    let corpus = &plan.corpus;
    let old = corpus.files().find(|path| is_of_root(path) && corpus.index_files.has(path))?;
    let is_index = |path: &Path| is_of_root(path) && plan.new_index_files.has(path);
    if plan.moves.is_empty() || corpus.files().any(|path| is_index(plan.new_path(path))) {
        return None;
    }
    let (name, new) = (old.display(), plan.new_path(old).display());
    let advice = if is_of_root(plan.new_path(old)) {
        format!("if the server serves {new} instead, add --index-files '{name},{new}'")
    } else {
        "add another index file".to_owned()
    };
    Some(format!(
        "the root of the site loses its index file, {name}, so a server has no page for the root URL\nhelp: {advice}"
    ))
}

/// Warns of a name that differs from another one of the same directory only in letter case, because of the
/// moves: where file systems ignore case, both are one file or directory.
fn differing_in_case(plan: &Plan) -> Option<String> {
    // The names that stay or are new, without those of directories that all files leave.
    let mut spellings = Spellings::default();
    for entry in &plan.corpus.walk.entries {
        let is_file = entry.kind != EntryKind::Directory && entry.kind.is_of_site();
        if is_file && plan.moves.new_path(&entry.path).is_none() {
            spellings.add(&entry.path);
        }
    }
    let (path, other) = plan.moves.files().find_map(|(_, new)| spellings.add(new))?;
    let (path, other) = (path.display(), other.display());
    Some(format!(
        "{path} and {other} differ only in letter case, and name the same file on Windows and macOS\nhelp: write the same letter case in both"
    ))
}

/// Returns the error of a document in Markdown that loses its page by a slip: its extension, its directory, or its date.
pub(in crate::cli) fn lost_source(plan: &Plan) -> Option<String> {
    let mut moved = plan.moves.files();
    if plan.corpus.selection.markdown.is_none()
        && plan.corpus.root.join("conf.py").is_file()
        && plan.moves.files().any(|(old, _)| is_rst(old))
    {
        return Some(
            "rehref reads no reStructuredText here, so links from and to the files that would move would break\nhelp: add --markdown sphinx".to_owned(),
        );
    }
    let dialect = plan.corpus.selection.markdown?;
    if let Some((old, new)) =
        moved.find(|(old, new)| is_rst(old) && is_markdown(new) || is_markdown(old) && is_rst(new))
    {
        let (old, new) = (display_path(old), display_path(new));
        return Some(format!(
            "{old} would be read in another language as {new}, and move converts nothing\nhelp: convert the file with another program, and update the links after that: rehref move {} {} --already-moved --in-place",
            argument(&plan.corpus.root),
            quoted(format!("{old}={new}"))
        ));
    }
    let is_lost = |(old, new): &(&Path, &Path)| is_markdown(old) && new.extension().is_none();
    let Some((old, new)) = plan.moves.files().find(is_lost) else {
        return lost_date(plan).or_else(|| lost_folder(plan));
    };
    let (end, old, new) = (old.extension()?.display(), display_path(old), display_path(new));
    Some(format!(
        "{old} would lose its extension, and {} makes no page of {new}\nhelp: write {old}={new}.{end}\nhelp: to move it into a directory, write {old}={new}/",
        dialect.row().program
    ))
}

/// The error of a post whose new name has lost its date.
fn lost_date(plan: &Plan) -> Option<String> {
    misplaced(plan, |old, name, new| {
        // `2019-03-04-name.md`
        let date = old.file_name()?.to_str()?.get(..11);
        let date = date.filter(|it| it.starts_with(|c: char| c.is_ascii_digit()))?;
        let right = new.with_file_name(format!("{date}{name}"));
        Some(("the names of posts begin with a date", right))
    })
}

/// The error of a document that moves out of the content to the root of the project: paths are relative to that.
fn lost_folder(plan: &Plan) -> Option<String> {
    misplaced(plan, |old, name, new| {
        let is_at_root = new.parent() == Some(Path::new(""));
        // The documents of a repository, for its readers: CONTRIBUTING.md.
        let stem = new.file_stem()?.to_str()?;
        let is_at_root = is_at_root && stem.contains(|it: char| it.is_lowercase());
        let right = old.parent().filter(|_| is_at_root)?.join(name);
        Some(("new paths are relative to the site; if it is to stay in its directory", right))
    })
}

/// The advice on a document of which its generator makes no page at its new path, but would at the path that `right` gives for
/// its old path, its new name and its new path, with the reason.
fn misplaced(
    plan: &Plan,
    right: impl Fn(&Path, &str, &Path) -> Option<(&'static str, PathBuf)>,
) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let stated = plan.corpus.stated_urls();
    let has_page = |old: &Path, path: &Path| pages.page(path, stated.get(old)).is_some();
    let moved = plan.moves.files().filter(|(old, _)| is_markdown(old));
    let mut lost = moved.filter(|(old, new)| has_page(old, old) && !has_page(old, new));
    lost.find_map(|(old, new)| {
        let (why, right) = right(old, new.file_name()?.to_str()?, new)?;
        let is_right = has_page(old, &right) && right != old;
        is_right.then(|| {
            format!(
                "{} makes no page of {}: {why}\nhelp: write {}={}",
                pages.dialect.row().program,
                display_path(new),
                display_path(old),
                display_path(&right)
            )
        })
    })
}

/// Warns of pages that lose their extension: `a.html=news` names a file, `a.html=news/` a directory.
fn lost_extension(plan: &Plan) -> Option<String> {
    let is_lost = |(old, new): &(&Path, &Path)| {
        redirect_pages::can_redirect(old) && new.extension().is_none()
    };
    let (old, new) = plan.moves.files().find(is_lost)?;
    let end = old.extension().unwrap_or_default().display();
    let (old, new) = (old.display(), new.display());
    Some(format!(
        "the new name of {old} is {new}, a file without an extension\nhelp: to keep the extension, write {old}={new}.{end}\nhelp: to move the file into a directory, write {old}={new}/"
    ))
}

/// Warns of a new name that is not in UTF-8, unlike the old one: a list in another encoding.
fn lost_encoding(plan: &Plan) -> Option<String> {
    let is_lost = |(old, new): &(&Path, &Path)| old.to_str().is_some() && new.to_str().is_none();
    let (old, new) = plan.moves.files().find(is_lost)?;
    Some(format!(
        "the new name of {} is not in UTF-8: {}\nhelp: convert the list of moves, as with iconv -f windows-1252 -t UTF-8 LIST > NEW_LIST",
        display_path(old),
        display_path(new)
    ))
}

/// Warns of a directory that gets the name of a document: `news=news.html`.
fn gained_extension(plan: &Plan) -> Option<String> {
    let is_gained = |(old, new): &(&Path, &Path)| {
        let is_document = |path| DocumentKind::of_built_path(path).is_some() || is_markdown(path);
        is_document(new) && !is_document(old)
    };
    let (old, new) = plan.moves.folders().find(is_gained)?;
    let index = plan.corpus.files().find(|it| {
        it.parent() == Some(old)
            && (plan.corpus.index_files.has(it) || plan.new_index_files.has(it))
    });
    let (shown, new) = (old.display(), new.display());
    let help = match index {
        Some(page) => format!("to move only its page, write {}={new}", display_path(page)),
        None => format!("to move a document, write its whole name, like {shown}.html={new}"),
    };
    Some(format!("{shown} is a directory, so {new} becomes one, too\nhelp: {help}"))
}

/// Warns of files that a generator finds by their directory, such as layouts, and that leave it.
fn moved_templates(plan: &Plan) -> Option<String> {
    let selection = &plan.corpus.selection;
    let parts = selection.markdown?.row().parts;
    let is_template = |path: &Path| {
        selection.is_template(path) || path.iter().any(|name| parts.iter().any(|it| name == *it))
    };
    let left = |(old, new): &(&Path, &Path)| is_template(old) && !is_template(new);
    let moved = plan.moves.files().filter(left);
    let moved: Vec<String> = moved.map(|(old, _)| display_path(old)).collect();
    let program = selection.markdown?.row().program;
    // Paths of parts follow the move.
    let is_named = |it: &Path| is_template(it) && !it.iter().any(|it| it == "_includes");
    let renamed = |(old, new): &(&Path, &Path)| is_named(old) && old.file_name() != new.file_name();
    if let (true, Some((old, _))) = (moved.is_empty(), plan.moves.files().find(renamed)) {
        return Some(format!(
            "documents name templates, such as {}, and move does not change these names\nhelp: change them by hand, and build the site",
            display_path(old)
        ));
    }
    (!moved.is_empty()).then(|| {
        format!(
            "{program} finds templates by the name of their directory, so it may not find {} at the new paths: {}\nhelp: set the new directory in the configuration of {program}, or do not move them",
            counted(moved.len(), "file"),
            first_paths(&moved)
        )
    })
}

/// Warns of pages that move into directories of their own names, and are not their index files: `a.html=a/`.
fn not_index(plan: &Plan) -> Option<String> {
    let is_in_own = |(old, new): &(&Path, &Path)| {
        redirect_pages::can_redirect(old)
            && new.parent().and_then(Path::file_name) == old.file_stem()
            && (old.file_name() == new.file_name() || plan.corpus.index_files.has(old))
    };
    let is_index = |it: &(&Path, &Path)| plan.corpus.index_files.has(it.0);
    let mut found: Vec<(&Path, &Path)> = plan.moves.files().filter(is_in_own).collect();
    if found.iter().any(is_index) {
        found.retain(is_index);
    }
    let (old, new) = found.first()?;
    // What the next run finds.
    let is_done = matches!(plan.mode, Mode::Exchange(_));
    let moved = |(old, new): &(&Path, &Path)| {
        let index = || new.with_file_name("index.html");
        let target = if is_index(&(*old, *new)) { old.to_path_buf() } else { index() };
        let now = if is_done { new } else { old };
        quoted(format!("{}={}", now.display(), target.display()))
    };
    let moves: Vec<String> = found.iter().map(moved).collect();
    let help = match (is_index(&(*old, *new)), is_done) {
        (true, false) => "to keep an index file where it is, add",
        (true, true) => "to move an index file back, write",
        (false, _) => "to make it the page of its directory, write",
    };
    Some(format!(
        "the new path of {} is {}\nhelp: {help} {}",
        old.display(),
        new.display(),
        first_paths(&moves)
    ))
}

/// Warns of index files that become pages beside their directory: `a/index.html=a.html`.
fn no_index(plan: &Plan) -> Option<String> {
    let is_of_folder = |(old, new): &(&Path, &Path)| {
        plan.corpus.index_files.has(old)
            && old.parent().is_some_and(|it| *new == it.with_extension("html"))
    };
    let moved = plan.moves.files().filter(is_of_folder);
    let moved: Vec<String> = moved.map(|(_, new)| display_path(new)).collect();
    (!moved.is_empty()).then(|| {
        format!(
            "index files become pages whose URLs end in .html: {}\nhelp: for URLs without a slash and an extension, keep the files, and change the links: rehref relative SITE --out DIR --trailing-slash remove",
            first_paths(&moved)
        )
    })
}

/// Warns of documents whose references do not follow the moves.
fn excluded(plan: &Plan) -> Option<String> {
    let excluded = excluded_documents(&plan.corpus);
    let documents = counted(excluded, "document");
    (excluded > 0).then(|| {
        format!("--include or --exclude skips {documents}; links to moved files in them will break")
    })
}

/// Returns the number of documents of `corpus` that `--include` and `--exclude` leave out.
pub(super) fn excluded_documents(corpus: &Corpus) -> usize {
    let selection = &corpus.selection;
    // Templates of a generator, and what is not a part of its project, nobody left out.
    let is_other = |path: &Path| selection.is_template(path) || selection.is_unread(path);
    let is_excluded = |path: &&Path| {
        !selection.has(path) && DocumentKind::of_built_path(path).is_some() && !is_other(path)
    };
    corpus.files().filter(is_excluded).count()
}

/// Notes whether the generator redirects anchors: a server never sees them.
fn anchor_redirects(plan: &Plan) -> Option<Advice> {
    let row = plan.corpus.selection.markdown?.row();
    let moved = plan.moves.anchors().len();
    (moved > 0 && !row.configuration.is_empty()).then(|| {
        let (program, anchors) = (row.program, counted(moved, "anchor"));
        Advice::Note(match row.anchor_redirects {
            Some(how) => format!("{program} redirects anchors: {how}"),
            None => format!(
                "{program} cannot redirect anchors: links from other sites to {anchors} lead to the start of the old page\nhelp: to keep them, leave elements with the old ids on the old page"
            ),
        })
    })
}

/// Warns of the anchors that links get, and that their pages do not have.
fn missing_anchors(plan: &Plan) -> impl Iterator<Item = String> {
    plan.moves.anchors().iter().filter_map(|AnchorMove { new_file, new, .. }| {
        let anchors = anchors(plan, new_file).filter(|_| !new.is_empty())?;
        // A program may make the anchors of a document without any.
        if anchors.len() == 0 || anchors.contains(new) {
            return None;
        }
        let limit = 1 + new.chars().count() / 4;
        let similar = nearest(anchors.iter().map(|it| (it, it)), new, limit);
        let hint = similar.map(|(_, name)| format!("; the nearest anchor is `{name}`"));
        let (file, hint) = (display_path(new_file), hint.unwrap_or_default());
        Some(format!(
            "{file} has no anchor `{new}`{hint}\nhelp: move changes links only: give the heading or the element this id"
        ))
    })
}

/// The anchors of the document that is at `new_file` after the moves; `None` if it cannot be read.
fn anchors(plan: &Plan, new_file: &Path) -> Option<Anchors> {
    let corpus = &plan.corpus;
    let mut files = corpus.files();
    let old = files.find(|old| plan.new_path(old) == new_file)?;
    let kind = corpus.selection.document_kind(&corpus.root, old).ok()??;
    let bytes = fs::read(corpus.root.join(old)).ok()?;
    let options = ParseOptions { kind, metadata: true, ..corpus.options };
    let document = Document::parse(&bytes, &options).ok()?;
    Some(document.metadata?.anchors)
}
