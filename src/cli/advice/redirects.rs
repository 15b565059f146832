//! Warnings of redirects that a move does not write, or that no server applies.

use std::collections::HashSet;
use std::path::Path;

use super::Advice;
use super::rules;
use crate::cli::exit::CliError;
use crate::cli::first_paths::first_paths;
use crate::cli::moved_corpus::{FileChange, MovedCorpus};
use crate::cli::redirect_destination::{RedirectDestination, RedirectPlace};
use crate::cli::redirect_pages;
use crate::cli::redirect_rules::rules_in_site;
use crate::cli::site_url::without_placeholder;
use rehref_corpus::run::Plan;
use rehref_generators::markdown::FolderFiles;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::{counted, number};
use rehref_site::redirects::{MoveRedirects, RedirectFormat};
use rehref_site::{RedirectRule, RulePlace};

/// Advice on a move without redirects: rules that are wrong after it, and old paths that it drops.
pub(in crate::cli) fn without(plan: &Plan) -> Result<Vec<Advice>, CliError> {
    let rules = rules_in_site(&plan.corpus)?;
    let sources = redirect_pages::sources(&plan.corpus, &plan.moves);
    if rules.is_empty() && sources.is_none() {
        return Ok(Vec::new());
    }
    let moved = MovedCorpus::of_plan(plan);
    let (found, _) = moved.redirects(&rules)?;
    let mut advice = Vec::new();
    if let (Some(sources), pages @ 1..) = (sources, found.pages.len()) {
        let format = RedirectFormat::of_generator(sources.dialect);
        // Pages of redirects are in the site only if the generator copies files.
        let is_copied = sources.folders.iter().any(|it| it.content.files != FolderFiles::Documents);
        let format = match format {
            Some(format) => format.name,
            None if is_copied => "html",
            None => "nginx, or the format of another host,",
        };
        advice.push(Advice::Note(format!(
            "pages of {} with another URL now: {}\nhelp: --write-redirects {format} redirects the old URLs",
            sources.dialect.row().program,
            number(pages)
        )));
    }
    if let Some(first) = found.of_rules.first() {
        advice.push(Advice::Note(format!(
            "{} that rules redirected, such as {}, no longer redirect: their rules moved with the directory\nhelp: --write-redirects redirects them, too",
            counted(found.of_rules.len(), "old URL"),
            first.from.path()
        )));
    }
    // The same rules are read again.
    drop((found, rules));
    let of_files = rules::of_files(plan, &moved, None)?;
    let is_hidden = of_files.iter().any(|it| matches!(it, Advice::Error(_)));
    advice.extend(of_files);
    advice.extend(is_hidden.then(|| {
        let text = "with --write-redirects, move removes such rules if an earlier move wrote them";
        Advice::Note(text.to_owned())
    }));
    Ok(advice)
}

/// Warnings of old URLs that get no redirect, and of redirects where no server applies them. `renamed`: rules for many
/// URLs whose own paths move.
pub(in crate::cli) fn of_moves(
    plan: &Plan,
    destination: &RedirectDestination,
    found: &MoveRedirects<'_>,
    renamed: &[&RedirectRule],
) -> Vec<Advice> {
    let reused = found.reused.iter().map(|url| {
        let url = without_placeholder(url.as_str());
        format!("no redirect from {url}: another file now has this URL")
    });
    let renamed = renamed.first().map(|first| {
        format!(
            "{}: rules for many URLs now redirect their new URLs only: {}\nhelp: to redirect the old ones, too, add the rules again with their old paths",
            first.place,
            number(renamed.len())
        )
    });
    let others = [
        renamed,
        unknown_pages(plan, found),
        other_files(destination, found),
        elsewhere(plan, destination),
        not_copied(plan, destination),
        another_file(plan, destination),
    ];
    let warnings = reused.chain(others.into_iter().flatten()).map(Advice::Warning);
    warnings.chain(no_redirect(plan).map(Advice::Note)).collect()
}

/// Notes that the pages of all documents that move keep their URLs.
fn no_redirect(plan: &Plan) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let stated = plan.corpus.stated_urls();
    let keeps_url = |(old, new): (&Path, &Path)| {
        let url = |path: &Path| Some(pages.page(path, stated.get(old))?.own_url);
        url(old).is_some_and(|url_of_old| url(new) == Some(url_of_old))
    };
    let mut moved = plan.moves.files().peekable();
    (moved.peek().is_some() && moved.all(keeps_url)).then(|| {
        "the pages of what moves keep their URLs, so that no redirect is needed".to_owned()
    })
}

/// Warns if no server applies the redirects: the old URLs are at another host than the new tree, or the file of rules is not
/// at the root of a host.
fn elsewhere(plan: &Plan, destination: &RedirectDestination) -> Option<String> {
    let format = destination.format;
    let (old, new) = (plan.corpus.site_url.url(), plan.new_site_url().url());
    if old.before_path() != new.before_path() && !destination.is_stdout() {
        let is_sibling = plan.corpus.site_url.siblings().contains(plan.new_site_url());
        if is_sibling && !format.is_pages() {
            return Some(format!(
                "rules by path never end on a server that answers for both {old} and {new}\nhelp: if one server does, redirect by host and scheme in its settings, like %{{HTTP_HOST}} and %{{HTTPS}} in a RewriteCond of Apache, or a server block of nginx for {old}"
            ));
        }
        if destination.file.is_some() && !format.is_pages() {
            return None;
        }
        let example = if format.is_pages() { "apache" } else { format.name };
        return Some(format!(
            "visitors with old links still ask the server of {old}, which does not have the new tree; at {new}, rules that lead there never end\nhelp: write the redirects to a file for the server of {old}, as --write-redirects {example}=FILE, and do not publish them at {new}"
        ));
    }
    let file = format.file.filter(|_| destination.file.is_none())?;
    if !format.is_of_host {
        return (!old.path().starts_with(new.path()) && format.generator.is_none()).then(|| {
            format!(
                "the server reads this {file} only below {new}, and the old URLs are below {old}\nhelp: add its rules to the {file} of a directory that has both"
            )
        });
    }
    (new.path() != "/").then(|| {
        format!(
            "servers read {file} only at the root of the host, and the site is at {new}\nhelp: add its rules to the {file} there"
        )
    })
}

/// Warns that the generator does not publish the file of rules.
fn not_copied(plan: &Plan, destination: &RedirectDestination) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let name = destination.format.file.filter(|_| destination.file.is_none())?;
    let row = pages.dialect.row();
    (pages.static_folder().is_none() || row.not_copied.contains(&name)).then(|| {
        let file = destination.shown(Some(pages)).unwrap_or_default();
        format!(
            "{} copies {} to the site only if its configuration names the file\nhelp: copy the file to the root of the built site",
            row.program,
            display_path(&file)
        )
    })
}

/// Warns of another file of rules in the tree, which a build may put in the place of the one with the redirects.
fn another_file(plan: &Plan, destination: &RedirectDestination) -> Option<String> {
    let pages = redirect_pages::sources(&plan.corpus, &plan.moves)?;
    let format = destination.format;
    let name = format.file.filter(|_| destination.file.is_none())?;
    let written = destination.shown(Some(pages))?;
    let files: HashSet<&Path> = plan.corpus.files().collect();
    // A template of Hugo may make the file, which then comes in the place of a copy.
    let is_template = |it: &Path| name == "_redirects" && it.ends_with("layouts/index.redirects");
    let template = files.iter().find(|it| is_template(it));
    if let Some(template) = template {
        let template = display_path(template);
        return Some(format!(
            "the redirects are in {}, but {template} makes the {name} of the built site\nhelp: write the redirects to a file outside of the site, as --write-redirects {}=FILE, and add them to {template}",
            display_path(&written),
            format.name
        ));
    }
    let other = files.iter().find(|it| it.ends_with(name) && ***it != *written);
    let other = display_path(other.filter(|_| !files.contains(&*written))?);
    Some(format!(
        "the redirects are in {}, a new file, and the project has {other}, too, which may replace it in the built site\nhelp: to add them to that file, write --write-redirects {}={other}",
        display_path(&written),
        format.name
    ))
}

/// Warns of moved documents that get no redirect since they have no page, or none that is known.
fn unknown_pages(plan: &Plan, found: &MoveRedirects<'_>) -> Option<String> {
    let program = plan.corpus.selection.dialect_of(found.unknown.first()?)?.row().program;
    let unknown: Vec<String> = found.unknown.iter().map(|it| display_path(it)).collect();
    (!unknown.is_empty()).then(|| {
        format!(
            "no redirect for {}: {program} makes no page of such a document, or one whose URL rehref does not know: {}",
            counted(unknown.len(), "moved document"),
            first_paths(&unknown)
        )
    })
}

/// Warns of moved files that are not pages, to which alone a generator redirects.
fn other_files(destination: &RedirectDestination, found: &MoveRedirects<'_>) -> Option<String> {
    destination.format.generator?;
    let is_page = |file| found.pages.iter().any(|it| it.file == file);
    let others = found.redirects.iter().filter(|it| it.is_of_path && !is_page(it.file));
    let paths: Vec<&str> = others.map(|it| it.redirect.from.path()).collect();
    (!paths.is_empty()).then(|| {
        format!(
            "no redirect from {}: {} redirects pages only; rules of a server, such as --write-redirects netlify=FILE, can \
             redirect other files: {}",
            counted(paths.len(), "old URL"),
            destination.format.name,
            first_paths(&paths)
        )
    })
}

/// Warnings of redirects that the file cannot have.
pub(in crate::cli) fn of_change(change: &FileChange<'_>) -> Vec<Advice> {
    let written = change.text();
    let advised = change.format.advised_rules.filter(|advised| written.written > *advised);
    let too_many = advised.map(|advised| {
        format!(
            "{} in all, but Netlify advises against more than {}\nhelp: replace the rules of a directory with one rule like \
             `/old/* /new/:splat`",
            counted(written.written, "redirect"),
            number(advised)
        )
    });
    let unsupported = written.unsupported.iter().map(|it| {
        let (from, reason) = (&it.redirect.from, &it.reason);
        format!("no redirect from {from}: {reason}")
    });
    let conflicts = change.rules.conflicts.first().map(|(first, at)| {
        let conflicts = change.rules.conflicts.iter();
        let mut places: Vec<&RulePlace> = conflicts.map(|(_, place)| place).collect();
        places.sort_unstable_by_key(|place| place.line);
        format!(
            "no redirect from {}, such as {} to {}: nginx allows one rule for each path, and {} already has rules with other targets ({})\nhelp: change the targets of these rules",
            counted(places.len(), "old URL"),
            first.from.path(),
            first.to,
            at.file,
            rules::lines(&places),
        )
    });
    too_many.into_iter().chain(unsupported).chain(conflicts).map(Advice::Warning).collect()
}

/// Warnings of redirects that the file cannot have, and of rules that are wrong after the move.
pub(in crate::cli) fn of_rules(
    plan: &Plan,
    moved: &MovedCorpus<'_>,
    place: &RedirectPlace<'_>,
    change: &FileChange<'_>,
) -> Result<Vec<Advice>, CliError> {
    let mut advice = of_change(change);
    advice.extend(rules::of_files(plan, moved, Some((place, change)))?);
    Ok(advice)
}
