//! `rehref verify`: prove that a rewriting kept every link and every other byte.

pub(super) mod arguments;

use std::mem;
use std::path::Path;

use super::advice::Advice;
use super::build::{MovedSources, ProjectBuilds};
use super::comparison::{self, SHOWN, compare, counts, differences, tree_plan};
use super::exit::{CliError, Exit, usage_error};
use super::options::{self, SiteKind};
use super::reports::{self, requested};
use super::requests::plan_moves;
use super::site_url::{self, MissingUrl};
use super::values::{REPORT_FORMATS, ReportFormat};
use super::{advice, no_documents, redirects, terminal};
pub(super) use arguments::Arguments;
use rehref_corpus::SitePlace;
use rehref_site::{canonical, hierarchical_url};
use rehref_url::AbsoluteUrl;
use rehref_verify::TreePlan;
use rehref_verify::browser::BrowserOptions;

const REFUSAL: &str = "nothing was compared";

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    site_url::refuse_none("verify", arguments.site.url.as_deref())?;
    let reports = requested(&arguments.output.format, &REPORT_FORMATS)?;
    let has_json = reports.iter().any(|it| it.format == ReportFormat::Json);
    let before_place = SitePlace::of(&arguments.before)?;
    let after_place = SitePlace::of(&arguments.after)?;
    let file_after = after_place.file_name();
    if mem::discriminant(&before_place) != mem::discriminant(&after_place) {
        return usage_error(
            "verify compares two directories, two documents or two archives\nhelp: to look for what the pages of an archive have lost, use `rehref compare ARCHIVE SITE --url URL`",
        );
    }
    options::refuse(SiteKind::of(&before_place))?;
    let places = [&arguments.before, &arguments.after].map(|place| canonical(place).ok());
    if places[0].is_some() && places[0] == places[1] {
        terminal::note("the two trees are the same, so the comparison proves nothing");
    }
    let requests = arguments.list.requests(REFUSAL)?;
    if arguments.write_redirects.is_some() && arguments.list.are_none() {
        return usage_error(
            "--write-redirects expects the redirects of a move\nhelp: pass the moves, as OLD=NEW, --map, --regex or --new-url",
        );
    }
    let missing = MissingUrl::AssumedInSilence;
    let (before, _) = arguments.site.open(&before_place, before_place.walk(), missing)?;
    let mut new_site_url = arguments.list.new_site_url(&before.site_url)?;
    if arguments.offline {
        new_site_url = new_site_url.without_mounts();
    }
    no_documents::refuse_before(&before, "the old tree")?;
    let reversed = advice::verify::reversed_moves(&arguments);
    if !reversed.is_empty() && reversed.len() == requests.len() {
        advice::print(reversed);
        return usage_error("the old tree does not match the moves");
    }
    let moves = plan_moves(
        &before.root,
        &before.walk.entries,
        &requests,
        false,
        "the old tree does not match the moves",
    );
    let moves = moves.inspect_err(|_| advice::print(reversed))?;
    let counterpart = |path: &Path| moves.counterpart(path);
    let after = before.reading(&after_place, new_site_url, counterpart);
    advice::print(advice::verify::unmoved(&before, &after, &moves));
    let base = arguments.base_element.as_deref().map(hierarchical_url);
    let base = base.transpose().map_err(CliError::url("--base-element"))?;
    let base = base.map(|url| AbsoluteUrl::new(arguments.site.standard, url));
    let same_file = arguments.same_file || arguments.offline || !moves.is_empty();
    let browser = arguments.browser.options(false)?;
    let browser = browser.map(|options| BrowserOptions {
        from_disk: arguments.from_disk || arguments.offline,
        ..options
    });
    let expected = arguments.write_redirects.as_ref().map(|destination| {
        redirects::expected(destination, &before, &moves, &after.site_url, &after.root)
    });
    let mut expected = expected.transpose()?.unwrap_or_default();
    let plan = TreePlan {
        limit: if has_json || arguments.output.all { usize::MAX } else { SHOWN },
        file_after,
        base: base.as_ref(),
        offline: arguments.offline,
        added: mem::take(&mut expected.added),
        ..tree_plan(&before, &after, &moves, same_file)
    };
    advice::print(advice::symlinks::to_pages(&before).map(Advice::Warning));
    let mut report = compare(&plan, browser.as_ref())?;
    if let Some(found) = expected.difference_elsewhere {
        report.differences += found.count;
        report.different.push(found);
    }
    advice::print(advice::stale_paths::of_moves(&report.stale_paths, None));
    advice::print(advice::stale_paths::of_root_paths(&report.root_paths));
    advice::print(advice::verify::not_proven(&report));
    let text = if terminal::is_quiet() { String::new() } else { counts(&report, &before) };
    let limit = if arguments.output.all { usize::MAX } else { SHOWN };
    let text = differences(&report, limit) + &text;
    if !terminal::is_verbose() {
        report.seconds = 0.0;
    }
    reports::write_all(&reports, &text, ("rehref-verify", &report))?;
    if report.differences > 0 {
        let trees = [&before, &after];
        advice::print(advice::verify::of_report(&arguments, &report, trees, &moves));
    }
    if let Some(command) = &arguments.build {
        let builds = ProjectBuilds::new(command, &before_place, &before, Some(&arguments.after))?;
        let built = builds.build(&before.root, "before")?.or_else(usage_error)?;
        let sources = MovedSources {
            corpus: &before,
            shown: &arguments.before,
            moves: &moves,
            tree: &after.root,
            shown_tree: &arguments.after,
            new_url: &after.site_url,
            redirects: &arguments.site.redirects,
            needs_redirects: arguments.write_redirects.is_some(),
        };
        if let Some(message) = sources.compare(&builds, &built)? {
            terminal::error(message);
            return Ok(Exit::of(comparison::exit(&report) == Exit::Error, true));
        }
    }
    Ok(match comparison::exit(&report) {
        Exit::Done if !report.malformed.is_empty() => Exit::Findings,
        exit => exit,
    })
}
