//! Advice on a run of `absolute`, `relative`, `move` or `audit --fix`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::moves::excluded_documents;
use super::{Advice, site_root, symlinks};
use crate::cli::first_paths::first_paths;
use rehref_corpus::SitePlace;
use rehref_corpus::output::NewTree;
use rehref_corpus::run::Report;
use rehref_corpus::run::plan::{Mode, Plan};
use rehref_document::SkipReason;
use rehref_rewrite::Policy;
use rehref_site::EntryKind;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::{counted, number};

/// Notes that a copy contains documents unchanged, since globs exclude them.
pub(in crate::cli) fn excluded(plan: &Plan) -> Option<Advice> {
    if !matches!(plan.mode, Mode::Copy(_)) || !plan.moves.is_empty() {
        return None;
    }
    let excluded = excluded_documents(&plan.corpus);
    let is_excluded = |path: &Path| plan.corpus.selection.exclude.is_match(path);
    if excluded == 0 && plan.corpus.files().any(is_excluded) {
        return Some(Advice::Note(
            "--exclude matches no document; the output contains all other files, too\nhelp: the output always has the whole site; to keep only a part, delete the rest of it".to_owned(),
        ));
    }
    (excluded > 0).then(|| {
        let documents = counted(excluded, "document");
        Advice::Note(format!(
            "--include or --exclude skips {documents}, whatever their links lead to; the output contains such documents unchanged\nhelp: the output always has the whole site; to keep only a part, delete the rest of it\nhelp: these options select documents; to leave some links as written, use --keep-links SELECTOR"
        ))
    })
}

/// Warns of files that the output had before the run, and that are no files of the site: pages that are gone, say.
/// `started` is the start of the run, which has written its redirects.
pub(in crate::cli) fn left(plan: &Plan, started: SystemTime) -> Option<Advice> {
    let Mode::Copy(destination) = &plan.mode else { return None };
    let root = destination.is_in_use().then(|| destination.root())?;
    let place = SitePlace::of_directory(root).ok()?;
    let written: HashSet<&Path> = plan.corpus.files().map(|it| plan.new_path(it)).collect();
    let is_before = |path: &Path| {
        let changed = fs::symlink_metadata(root.join(path)).and_then(|it| it.modified());
        changed.is_ok_and(|it| it < started)
    };
    let entries = place.walk().entries;
    let files = entries.iter().filter(|it| it.kind == EntryKind::File).map(|it| &*it.path);
    let left = files.filter(|it| !written.contains(it) && is_before(it));
    let left: Vec<String> = left.map(display_path).collect();
    (!left.is_empty()).then(|| {
        Advice::Warning(format!(
            "the output still has {} that this run did not write: {}\nhelp: --force deletes nothing; if these files are old, remove the directory, and run the command again",
            counted(left.len(), "file"),
            first_paths(&left)
        ))
    })
}

/// Returns true if SITE is certainly a part of a larger site, whose other documents may link to what moves.
pub(in crate::cli) fn is_part(plan: &Plan, report: &Report) -> bool {
    site_root::part(plan, &report.references).is_some()
}

/// Advice about SITE and its URL that follows from the report; printed after the summary.
pub(in crate::cli) fn of_report(plan: &Plan, report: &Report) -> Vec<Advice> {
    let mut advice = Vec::new();
    let is_absolute = matches!(plan.policy, Policy::Absolute { .. });
    if is_absolute
        && report.documents.rewritten == 0
        && report.references.already_correct > 0
        && !report.has_failed()
        && plan.corpus.selection.single.is_none()
    {
        advice.push(Advice::Note(
            "no link changed\nhelp: to publish the site at another URL, use `rehref move SITE --url OLD --new-url NEW`".to_owned(),
        ));
    }
    let has_kept = report.references.skipped.contains_key(&SkipReason::Kept);
    if !plan.corpus.options.kept.are_none() && !has_kept {
        let text = "--keep-links: no link is in an element that a selector matches";
        advice.push(Advice::Warning(text.to_owned()));
    }
    if let Some(first) = plan.moves.anchors().first()
        && plan.moves.files().next().is_none()
        && report.references.rewritten == 0
        && plan.corpus.site_url == *plan.new_site_url()
    {
        let file = display_path(&first.old_file);
        advice.push(Advice::Warning(format!(
            "no link leads to {file}#{}\nhelp: write the anchor as links have it: `rehref links SITE --to {file}` lists them",
            first.old
        )));
    }
    if let Mode::Copy(destination) = &plan.mode {
        advice.extend(symlinks::dead_in_output(plan, destination.root()).map(Advice::Warning));
    }
    advice.extend(site_root::above(plan, &report.references));
    if is_absolute || !plan.moves.is_empty() {
        advice.extend(site_root::deeper(&plan.corpus));
    }
    let likely = plan.policy.mapping().map_or(&[][..], |mapping| &mapping.likely);
    let linked = report.references.likely_urls.iter().filter_map(|number| likely.get(*number));
    let linked: Vec<String> = linked.map(|it| it.url().to_string()).collect();
    if !linked.is_empty() {
        let option = if plan.corpus.site_url.is_placeholder() { "--url" } else { "--also" };
        let options: Vec<String> = linked.iter().map(|it| format!("{option} {it}")).collect();
        // The next run would begin with the new site.
        let restore = match plan.mode {
            Mode::Exchange(_) if plan.corpus.site_url != *plan.new_site_url() => {
                "restore the site, and run again with"
            }
            _ => "add",
        };
        let text = format!(
            "links with targets at {}: {}\nhelp: if the site is published there, {restore} {}",
            linked.join(" and "),
            number(report.references.likely_internal),
            options.join(" ")
        );
        // These links do not follow what moves.
        advice.push(if plan.moves.is_empty() { Advice::Note(text) } else { Advice::Warning(text) });
    }
    advice
}
