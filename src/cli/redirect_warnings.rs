//! Warnings of redirects that a move does not write, or that no server applies.

use super::exit::{CliError, Exit};
use super::first_paths::first_paths;
use super::moved_corpus::{FileChange, MovedCorpus};
use super::redirect_destination::{Place, RedirectDestination};
use super::redirect_rules::rules_in_site;
use super::rule_warnings::{self, AddedRules};
use super::site_url::without_placeholder;
use super::{redirect_pages, terminal};
use rehref_corpus::run::Plan;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::{counted, number};
use rehref_site::redirects::{MoveRedirects, RedirectFormat};
use rehref_site::{RedirectRule, RulePlace};

/// Warns of rules that are wrong after a move without redirects, and notes those whose old paths it drops.
pub(super) fn warn_without(plan: &Plan) -> Result<Exit, CliError> {
    let rules = rules_in_site(&plan.corpus)?;
    let sources = redirect_pages::sources(&plan.corpus);
    if rules.is_empty() && sources.is_none() {
        return Ok(Exit::Done);
    }
    let moved = MovedCorpus::of_plan(plan);
    let (found, _) = moved.redirects(&rules)?;
    if let Some(sources) = sources
        && !found.pages.is_empty()
    {
        let format = RedirectFormat::of_generator(sources.dialect).map_or("html", |it| it.name);
        let pages = counted(found.pages.len(), "page");
        let (have, their) = match found.pages.len() {
            1 => ("has", "its old URL"),
            _ => ("have", "their old URLs"),
        };
        terminal::note(format!(
            "{pages} of {} {have} another URL now; --write-redirects {format} redirects {their}",
            sources.dialect.row().program
        ));
    }
    if rules.is_empty() {
        return Ok(Exit::Done);
    }
    if !found.of_rules.is_empty() {
        let paths = counted(found.of_rules.len(), "old URL");
        terminal::note(format!(
            "{paths} that rules redirected, such as {}, no longer redirect: their rules moved with the directory; \
             --write-redirects redirects them, too",
            found.of_rules.first().map_or("", |it| it.from.path())
        ));
    }
    // The same rules are read again.
    drop((found, rules));
    let exit = rule_warnings::warn(plan, &moved, None)?;
    if exit == Exit::Findings {
        terminal::note(
            "with --write-redirects, move removes such rules if an earlier move wrote them",
        );
    }
    Ok(exit)
}

/// Warns of old URLs that get no redirect, and of redirects where no server applies them.
pub(super) fn warn_of_moves(
    plan: &Plan,
    destination: &RedirectDestination,
    found: &MoveRedirects<'_>,
    renamed: &[&RedirectRule],
) {
    for url in &found.reused {
        let url = without_placeholder(url.as_str());
        terminal::warning(format!("no redirect from {url}: another file now has this URL"));
    }
    if let [first, others @ ..] = renamed {
        let place = &first.place;
        let others = match others.len() {
            0 => String::new(),
            others => format!(" (and {})", counted(others, "more rule")),
        };
        terminal::warning(format!(
            "{place}: this rule for many URLs{others} now redirects their new URLs only; to redirect the \
             old ones, too, add it again with its old path"
        ));
    }
    warn_of_pages(plan, destination, found);
    let format = destination.format;
    let (old, new) = (plan.corpus.site_url.url(), plan.new_site_url().url());
    if old.before_path() != new.before_path() && !destination.is_stdout() {
        let example = match (format.is_pages(), destination.file.is_some()) {
            (true, _) => "apache=FILE",
            (false, true) => return,
            (false, false) => &format!("{}=FILE", format.name),
        };
        terminal::warning(format!(
            "visitors with old links still ask the server of {old}, which does not have the new tree: write the \
             redirects to a file for that server, as --write-redirects {example}"
        ));
    } else if let (None, Some(file), true) =
        (&destination.file, format.file, format.is_of_host && new.path() != "/")
    {
        terminal::warning(format!(
            "servers read {file} only at the root of the host, and SITE is at {new}; add its rules to the {file} there"
        ));
    }
}

/// Warns of moved files that get no redirect since they have no page, or none that is known.
fn warn_of_pages(plan: &Plan, destination: &RedirectDestination, found: &MoveRedirects<'_>) {
    if let Some(dialect) = plan.corpus.selection.markdown
        && !found.unknown.is_empty()
    {
        let program = dialect.row().program;
        let documents = counted(found.unknown.len(), "moved document");
        let unknown: Vec<String> = found.unknown.iter().map(|it| display_path(it)).collect();
        let named = first_paths(unknown.iter().map(String::as_str));
        terminal::warning(format!(
            "no redirect for {documents}: {program} makes no page of it, or one whose URL rehref does not know: {named}"
        ));
    }
    let format = destination.format;
    if format.generator.is_some() {
        let is_page = |file| found.pages.iter().any(|it| it.file == file);
        let mut others = found.redirects.iter().filter(|it| it.is_of_path && !is_page(it.file));
        let paths: Vec<&str> = others.by_ref().map(|it| it.redirect.from.path()).collect();
        if !paths.is_empty() {
            let urls = counted(paths.len(), "old URL");
            let named = first_paths(paths.into_iter());
            terminal::warning(format!(
                "no redirect from {urls}: {} redirects pages only; rules of a server, such as --write-redirects \
                 netlify=FILE, can redirect other files: {named}",
                format.name
            ));
        }
    }
}

/// Warns of redirects that the file cannot have, and of rules that are wrong after the move.
pub(super) fn warn_of_rules(
    plan: &Plan,
    moved: &MovedCorpus<'_>,
    destination: &RedirectDestination,
    place: &Place<'_>,
    change: &FileChange<'_>,
) -> Result<Exit, CliError> {
    let written = change.text();
    if let Some(advised) = destination.format.advised_rules
        && written.written > advised
    {
        let redirects = counted(written.written, "redirect");
        terminal::warning(format!(
            "{redirects} in all, but Netlify advises against more than {}; replace the rules of a directory with one \
             rule like `/old/* /new/:splat`",
            number(advised)
        ));
    }
    for unsupported in &written.unsupported {
        let (from, reason) = (&unsupported.redirect.from, &unsupported.reason);
        terminal::warning(format!("no redirect from {from}: {reason}"));
    }
    if let [(first, at), ..] = &*change.rules.conflicts {
        let conflicts = change.rules.conflicts.iter();
        let mut places: Vec<&RulePlace> = conflicts.map(|(_, place)| place).collect();
        places.sort_unstable_by_key(|place| place.line);
        let (from, rules, targets) = match places.len() {
            1 => (String::new(), "a rule with another target", "the target of this rule"),
            count => (
                format!("{}, such as ", counted(count, "old URL")),
                "rules with other targets",
                "the targets of these rules",
            ),
        };
        terminal::warning(format!(
            "no redirect from {from}{} to {}: nginx allows one rule for each path, and {} already has {rules} ({}); \
             change {targets}",
            first.from.path(),
            first.to,
            at.file,
            rule_warnings::lines(&places),
        ));
    }
    rule_warnings::warn(plan, moved, Some(AddedRules { place, change, text: &written.text }))
}
