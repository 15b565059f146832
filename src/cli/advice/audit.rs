//! Advice on an audit of the wrong directory, or of a part of a site.

use crate::cli::working_directory::argument;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashSet;

use super::audited_root::{deeper, part_of_site, site_within};
use super::{Advice, is_page};
use crate::cli::audit::arguments::{Arguments, FindingArguments, Format};
use crate::cli::command_line::{command_name, quoted};
use crate::cli::first_paths::first_paths;
use crate::cli::likely_site::{built_project, project_of, project_of_output};
use crate::cli::opened::OpenedSite;
use crate::cli::reports::Requested;
use crate::cli::site_url::without_placeholder;
use rehref_audit::ignore::IgnoreRules;
use rehref_audit::{Check, Confidence, Finding, ProposedFix};
use rehref_corpus::Corpus;
use rehref_document::{Document, DocumentKind, ParseOptions};
use rehref_generators::markdown::UnreadLink;
use rehref_site::plural::{counted, number};
use rehref_site::{Location, SiteUrl};

/// Advice about SITE that follows from the reported findings and the files of `corpus`. `above` is the number of
/// [`links_above`], `references` that of all links.
pub(in crate::cli) fn of_findings(
    corpus: &Corpus,
    findings: &[Finding],
    above: usize,
    references: usize,
) -> Vec<Advice> {
    let without = || empty_documents(corpus).or_else(|| linkless(corpus));
    let empty = if references == 0 { without() } else { None };
    if corpus.selection.single.is_some() {
        // The others are about the root of a site.
        let is_missing = |it: &Finding| it.check == Check::BrokenTarget;
        let is_alone = corpus.files().filter(|it| is_page(it)).nth(1).is_none();
        let is_lost = is_alone && findings.iter().any(is_missing);
        let folder = is_lost.then(|| argument(&corpus.root));
        let looked_up = folder.map(|folder| {
            Advice::Note(format!(
                "the targets of links were looked up in {folder}\nhelp: if the site is elsewhere, copy the document to its place there, and pass that directory, with --include"
            ))
        });
        return empty.into_iter().chain(looked_up).collect();
    }
    let root = deeper(corpus, findings).or_else(|| site_within(corpus, findings));
    let root = root.or_else(|| part_of_site(above));
    let sources = if findings.is_empty() { only_sources(corpus) } else { None };
    let all = [empty, sources, scripted_pages(corpus), ignored_targets(corpus, findings), root];
    all.into_iter().flatten().collect()
}

/// Warnings of patterns of `--generated` that no link needs.
pub(in crate::cli) fn unused_generated<'g>(globs: &'g [&str]) -> impl Iterator<Item = Advice> + 'g {
    globs.iter().map(|glob| {
        let path = glob.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let whole = if let Some((_, path)) = path {
            let path = quoted(format!("/{path}"));
            format!("\nhelp: write a path in the site, not a URL, like {path}")
        } else if glob.ends_with(['*', '/']) {
            String::new()
        } else {
            format!("\nhelp: for all URLs that begin so, write {}", quoted(format!("{glob}*")))
        };
        Advice::Warning(format!(
            "--generated {glob}: no link has a missing target that it matches{whole}\nhelp: correct it, or remove it"
        ))
    })
}

/// The most shortcodes that a note names.
const NAMED: usize = 8;

/// Notes how many links of each kind are not read.
pub(in crate::cli) fn unread(links: &BTreeMap<UnreadLink, usize>) -> Vec<Advice> {
    let mut notes = Vec::new();
    let mut parameters: Vec<(&str, usize)> = Vec::new();
    for (link, count) in links {
        match link {
            UnreadLink::CrossReference => {
                let references = counted(*count, "cross-reference");
                let text = "([text][name]) were not checked: plugins find their targets";
                notes.push(Advice::Note(format!("{references} {text}")));
            }
            UnreadLink::Parameter(name) => parameters.push((name, *count)),
        }
    }
    parameters.sort_by_key(|(_, count)| Reverse(*count));
    let all: usize = parameters.iter().map(|(_, count)| count).sum();
    if all > 0 {
        let mut names: Vec<String> = parameters
            .iter()
            .take(NAMED)
            .map(|(name, count)| format!("{name} ({})", number(*count)))
            .collect();
        let more = parameters.len().saturating_sub(NAMED);
        names.extend((more > 0).then(|| format!("{} more", number(more))));
        notes.push(Advice::Note(format!(
            "rehref did not check {} of shortcodes, components and data, which may be paths: {}",
            counted(all, "parameter"),
            names.join(", ")
        )));
    }
    notes
}

/// Notes that the pages of a small site have scripts, and no links.
fn scripted_pages(corpus: &Corpus) -> Option<Advice> {
    /// Sites of single-page applications have few pages; more of them have links.
    const MOST_PAGES: usize = 8;
    let pages: Vec<&Path> =
        corpus.files().filter(|path| is_page(path)).take(MOST_PAGES + 1).collect();
    if pages.len() > MOST_PAGES {
        return None;
    }
    let mut has_scripts = false;
    for page in pages {
        let role = corpus.role(page).ok()?;
        let read = corpus.read_file(page, 0, &role, |file| {
            let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
            let places = document.references.iter();
            let places = places.map(|it| Location::of_reference(&document, it, None).place());
            Some(places.collect::<Vec<String>>())
        });
        // Without links on every page, or nothing is said.
        let Ok(Some(Some(places))) = read else { return None };
        if places.iter().any(|it| is_link(it)) {
            return None;
        }
        has_scripts |= places.iter().any(|it| it == "script src");
    }
    has_scripts.then(|| {
        Advice::Note(
            "no page has a link, but the pages load scripts, which rehref does not run\nhelp: if scripts write the links, audit the rendered pages"
                .to_owned(),
        )
    })
}

/// Returns true if readers follow the references of `place`, or see their targets.
fn is_link(place: &str) -> bool {
    let is_of_head = ["link ", "base "].iter().any(|it| place.starts_with(it));
    (place.ends_with("href") && !is_of_head) || matches!(place, "iframe src" | "frame src")
}

/// Warns that HTML documents of a site without links are empty files.
fn empty_documents(corpus: &Corpus) -> Option<Advice> {
    let is_html = |path: &&Path| DocumentKind::of_built_path(path) == Some(DocumentKind::Html);
    let is_empty = |path: &&Path| corpus.root.join(path).metadata().is_ok_and(|it| it.len() == 0);
    let empty = corpus.files().filter(is_html).filter(is_empty).count();
    (empty > 0).then(|| {
        Advice::Warning(format!(
            "empty documents (0 bytes): {}\nhelp: check whether the build of the site finished",
            number(empty)
        ))
    })
}

/// Notes that only the sources of a generator were checked.
fn only_sources(corpus: &Corpus) -> Option<Advice> {
    let pages = corpus.server.sources.as_ref()?.pages.as_ref()?;
    let row = pages.dialect.row();
    let project = built_project(&corpus.root, &pages.project);
    let build = row.build_command(&project.to_string_lossy())?;
    let help = match command_name() {
        "compare" => format!(
            "to compare these, build both states (`{}`), and pass the two directories",
            build.replace("{out}", "DIR")
        ),
        _ => format!("to check these, add --build '{build}'"),
    };
    Some(Advice::Note(format!(
        "the sources were checked, not the pages that {} makes\nhelp: {help}",
        row.program
    )))
}

/// Warns that no document has a link: SITE may be a part of a project, such as its images.
fn linkless(corpus: &Corpus) -> Option<Advice> {
    let help = match project_of(&corpus.root).filter(|it| *it != corpus.root) {
        None => "check that it is the directory of the site".to_owned(),
        Some(project) => format!(
            "it is in the project of a generator: pass {}, or the directory of the built site",
            argument(project)
        ),
    };
    let is_part =
        corpus.selection.single.is_some() || corpus.may_be_empty || command_name() != "audit";
    (!is_part)
        .then(|| Advice::Warning(format!("the documents of the site have no link\nhelp: {help}")))
}

/// Notes that the targets of broken links exist, but that git ignores them.
fn ignored_targets(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    let urls = corpus.walk.ignored();
    let urls = urls.filter_map(|path| corpus.site_url.file_url(path).ok());
    let urls: FxHashSet<String> = urls.map(|url| without_placeholder(url.as_str())).collect();
    if urls.is_empty() {
        return None;
    }
    let is_ignored = |finding: &&Finding| {
        let target = finding.target.as_deref().unwrap_or_default();
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let mut above = path.match_indices('/').map(|(end, _)| end);
        finding.check == Check::BrokenTarget
            && (urls.contains(path)
                || above.any(|end| urls.contains(path.get(..end).unwrap_or(path))))
    };
    let count = findings.iter().filter(is_ignored).count();
    (count > 0).then(|| {
        Advice::Note(format!(
            "the targets of {} exist, but git ignores these files, so --gitignore excludes them from the site",
            counted(count, "broken link")
        ))
    })
}

/// Says that the entries `gone` of the baseline are stale, while it has `known` findings of this audit and lacks
/// `new` ones.
pub(in crate::cli) fn stale(
    choice: &FindingArguments,
    gone: &[String],
    known: usize,
    new: usize,
) -> Option<Advice> {
    let why = if known == 0 && new > 0 {
        "no entry matches a finding\nhelp: check that the baseline belongs to this site and --url"
            .to_owned()
    } else {
        let adds = if new > 0 {
            format!(" (and adds new findings: {})", number(new))
        } else {
            String::new()
        };
        let first = first_paths(gone);
        format!("the audit no longer reports {first}\nhelp: --update-baseline removes them{adds}")
    };
    let count = number(gone.len());
    if gone.is_empty() {
        None
    } else if choice.fails_on_stale() {
        Some(Advice::Error(format!(
            "stale entries in the baseline: {count}, and --fail-on includes stale: {why}"
        )))
    } else {
        Some(Advice::Note(format!("stale entries in the baseline: {count}: {why}")))
    }
}

/// Programs in which people edit pages: none of them builds a site.
const EDITORS: [&str; 10] = [
    "Microsoft", "LibreOffice", "OpenOffice", "Mozilla", "Adobe", "Claris", "HTML Tidy", "Namo",
    "NVU", "Aptana",
];

/// The number of fixed documents in which to look for the name of a generator.
const ASKED: usize = 20;

/// Notes that a generator makes the documents that `fixes` change.
pub(in crate::cli) fn generator(corpus: &Corpus, fixes: &[&ProposedFix]) -> Option<Advice> {
    let documents: FxHashSet<&str> = fixes.iter().map(|fix| &*fix.document).collect();
    let is_fixed = |path: &Path| {
        let url = corpus.document_url(path);
        url.is_ok_and(|url| documents.contains(url.as_str()))
    };
    let project = project_of_output(&corpus.root).filter(|_| !fixes.is_empty());
    let name = project.map(|it| it.0.program.to_owned()).or_else(|| maker(corpus, is_fixed))?;
    let help = match project {
        Some((row, project)) if row.is_read => {
            format!("to fix the sources: rehref audit {} --fix --in-place", argument(project))
        }
        _ => "to list the changes with their lines in the sources, add --sources DIR".to_owned(),
    };
    Some(Advice::Warning(format!(
        "{name} made these pages, and its next build undoes the fixes: fix the sources, too\nhelp: {help}"
    )))
}

/// Returns the name of the generator that one of the pages that are `asked` says has made it.
pub(super) fn maker(corpus: &Corpus, is_asked: impl Fn(&Path) -> bool) -> Option<String> {
    let generator = |path: &Path| {
        let role = corpus.role(path).ok()?;
        let read = corpus.read_file(path, 0, &role, |file| {
            let options = ParseOptions { metadata: true, ..file.document.options };
            let document = Document::parse(file.document.bytes, &options).ok()?;
            document.metadata?.generators.into_iter().next()
        });
        read.ok()??.filter(|it: &String| !EDITORS.iter().any(|editor| it.starts_with(editor)))
    };
    let pages = corpus.files().filter(|path| is_page(path) && is_asked(path));
    pages.take(ASKED).find_map(generator)
}

/// Notes how many of the findings in a text report can be fixed, and how.
pub(in crate::cli) fn fixes(arguments: &Arguments, findings: &[Finding]) -> Vec<Advice> {
    let is_for_people = |it: &Requested<_>| it.format == Format::Text || it.file.is_some();
    if !arguments.report.format.iter().all(is_for_people) {
        return Vec::new();
    }
    let done = arguments.fix.fix;
    let how = [(Confidence::Certain, "--fix"), (Confidence::Moved, "--fix=moved")];
    let how =
        how.into_iter().filter(|(confidence, _)| done.is_none_or(|least| *confidence < least));
    let how = how.filter_map(|(confidence, option)| {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let count = fixes.filter(|fix| fix.confidence == confidence).count();
        (count > 0).then(|| format!("{} with {option}", counted(count, "finding")))
    });
    let how: Vec<String> = how.collect();
    let uncertain =
        findings.iter().filter(|it| it.suggestion.is_some() && it.fix.is_none()).count();
    let fixable = format!(
        "rehref can fix {}\nhelp: add --diff to see the changes, --in-place or --out DIR to make them",
        how.join(", ")
    );
    let unfixable = format!(
        "--fix does not apply {}, since a suggestion such as a similar name may be wrong\nhelp: correct these links by hand",
        counted(uncertain, "suggestion")
    );
    let notes = [
        (!how.is_empty(), fixable),
        (uncertain > 0 && (done.is_some() || !how.is_empty()), unfixable),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| Advice::Note(text)).collect()
}

/// Notes the rules whose `target:GLOB` matches no finding of a whole audit.
pub(in crate::cli) fn unused_targets(
    choice: &FindingArguments,
    rules: &IgnoreRules,
    findings: &[Finding],
    opened: &OpenedSite,
) -> Vec<Advice> {
    let corpus = &opened.corpus;
    let selection = &corpus.selection;
    if selection.include.is_some() || selection.single.is_some() {
        return Vec::new();
    }
    let unused = rules.unused_targets(findings, &opened.index).into_iter();
    let unused = unused
        .filter(|(_, checks)| checks.is_empty() || checks.iter().any(|check| choice.runs(*check)));
    let texts = unused.map(|(glob, _)| {
        let origin = glob.split('/').take(3).collect::<Vec<_>>().join("/");
        let is_own = |site: &SiteUrl| site.url().before_path() == origin;
        let is_own = is_own(&corpus.site_url) || corpus.also.iter().any(is_own);
        let is_external = glob.contains("://") && !is_own;
        let mut targets = findings.iter().flat_map(|it| [&it.reference, &it.target]).flatten();
        let why = if is_external {
            "; the audit does not fetch links that leave the site".to_owned()
        } else if [".*", ".+", "\\."].iter().any(|it| glob.contains(it)) {
            "\nhelp: this is a glob, not a regular expression: `*` stands for any text, as in 'target:*/old/*.html'".to_owned()
        } else if targets.any(|it| it.contains(glob)) {
            format!("\nhelp: the glob has to match a whole target: --ignore 'target:*{glob}*'")
        } else {
            String::new()
        };
        format!("--ignore target:{glob} ignores nothing: no finding has such a target{why}")
    });
    texts.map(Advice::Note).collect()
}
