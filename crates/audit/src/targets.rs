//! Checks whether a target exists, and suggests another if it does not.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::Path;

use super::checks::Check;
use super::finding::{Confidence, HOST, ReferenceFinding};
use super::site_index::{ResolvedReference, SiteIndex};
use super::suggest::{Suggestions, VERSIONS};
use super::target_place::{TargetPlace, without_fragment};
use encoding_rs::UTF_8;
use rehref_document::is_markdown;
use rehref_generators::markdown::{
    Absence, DialectRow, Lookup, PathReading, is_made, names_source,
};
use rehref_site::{CaptureTarget, RedirectRule, Response, Severity};
use rehref_url::{AbsoluteUrl, ReferenceForm, Url, percent_decoded};

/// The maker of a page that is not in the site, in messages.
const OTHER_SITE: &str = "another site of the host";
/// The maker of a page of another project in the site, in messages.
const BUILD: &str = "a build that copies this document";

/// A cache of the findings about missing targets of a document, by path below the site's URL. Their suggestions
/// are paths, too.
pub type MissingTargets = FxHashMap<Box<str>, ReferenceFinding>;

/// Checks the target of `resolved`, a reference of the document at `own`. Returns `None` if the target exists
/// or is outside the site. `known` caches the missing targets of the document.
pub fn check(
    site: &SiteIndex,
    suggestions: Suggestions<'_>,
    own: &AbsoluteUrl,
    resolved: &ResolvedReference<'_>,
    known: &mut MissingTargets,
) -> Option<ReferenceFinding> {
    let TargetPlace::Internal { path, response, is_loop, .. } = &resolved.place else {
        return None;
    };
    let lookup = resolved.reference.constraints.lookup;
    let place = site.place(own);
    let is_name = resolved.reference.constraints.from_root && !resolved.text.contains('/');
    let maker = |path: &str| {
        let of_name = || site.files.maker_of_name().filter(|_| is_name);
        maker(site, own, path, resolved.text).or_else(of_name)
    };
    if let Some(found) = response.as_ref().and_then(|it| left_out(site, &place, it.file()?)) {
        return Some(found);
    }
    let mut finding = match response {
        Some(Response::File(file)) if is_undecoded(site, path, file) => undecoded(path, file),
        Some(
            Response::File(_)
            | Response::Query(_)
            | Response::ByRule(_)
            | Response::Redirect
            | Response::Unread,
        ) => return None,
        Some(Response::Index(_)) if path.is_empty() || path.ends_with('/') => return None,
        // Hugo looks the page up, and writes its URL.
        Some(Response::Index(_))
            if resolved.reference.constraints.from_root
                && site.files.pages().is_some_and(|it| it.dialect.row().has_bundles) =>
        {
            return None;
        }
        // A host of repositories lists the files of a directory.
        Some(Response::Index(_) | Response::Folder) if site.files.lists_folders() => return None,
        Some(Response::Index(_)) => {
            let message = format!(
                "the link to the directory `{path}` has no slash at its end: servers redirect to `{path}/`"
            );
            ReferenceFinding::new(Check::MissingTrailingSlash, message)
                .suggest(Some(format!("{path}/")))
                .confidence(Confidence::Certain)
        }
        Some(Response::Folder) => {
            let message = format!("the directory `{}` has no index file", shown(path));
            ReferenceFinding::new(Check::DirectoryWithoutIndex, message)
        }
        Some(Response::Extension(file)) => {
            let help = "if the server has clean URLs, add --try '{}.html' or --multiviews";
            let found = exists_instead(path, file).help(help).suggest(Some((*file).to_owned()));
            let found = found.unless_made(site.files.unread_rule(path));
            // Which server a generator's site is for, its sources do not say.
            if site.files.reads_sources() { found.at_most(Severity::Warning) } else { found }
        }
        None if lookup == Lookup::Wiki => {
            let name = resolved.text;
            broken(format!("no file has the name `{name}`, or several files have it and none is nearer than the others"))
                .at_most(Severity::Note)
        }
        None if lookup != Lookup::None => not_found(site, lookup, resolved)?,
        None if resolved.unpublished.is_some() => {
            let found = unpublished(site, path, resolved.unpublished);
            // A document beside those of the project, which a build may copy there.
            let is_outside = |own: &str| site.files.is_outside_sources(own);
            let copy = place.file().is_some_and(is_outside).then_some(BUILD);
            let unread = || site.files.unread_maker(place.file());
            found.unless_made(maker(path).or_else(unread).or(copy))
        }
        None if counts_from_page(site, own, resolved.text) => {
            let absent = absent(path);
            broken(format!("{absent}, but another page with this template may have such a target"))
                .at_most(Severity::Warning)
        }
        None => match known.get(path.as_str()) {
            Some(finding) => finding.clone(),
            None => {
                let finding = match site.files.rule_for(path) {
                    Some(rule) => {
                        let to = site.files.redirected_path(path).filter(|_| !is_loop);
                        by_rule(site, rule, to.as_deref(), *is_loop)
                            .unless_made(to.and_then(|to| site.files.maker_of(None, &to)))
                    }
                    None if leaves_sources(site, own, path, resolved.text) => beside_sources(path),
                    None => {
                        let found = missing(site, suggestions, own, path);
                        let bundled = bundler(site, own);
                        let maker = maker(path).or(bundled.as_deref());
                        let unsure = || unsure(site, &place, resolved.text, path, &found);
                        let maker = maker.or_else(unsure);
                        found.unless_made(maker)
                    }
                };
                known.insert(path.as_str().into(), finding.clone());
                finding
            }
        },
    };
    if resolved.reference.constraints.may_leave_site {
        finding = finding.unless_made(Some(OTHER_SITE));
    }
    if let Some(file) = finding.suggestion.take() {
        finding.suggestion = reference_to(site, resolved, &file);
        finding.file = Some(file.into());
    }
    if finding.check == Check::BrokenTarget && finding.severity == Severity::Error {
        finding.message = format!("broken link: {}", finding.message).into();
    }
    Some(finding)
}

/// The maker of the page or file at `path`, or of the one where `reference` leads to from the document at `own`: a
/// generator may look in both places.
fn maker<'i>(
    site: &'i SiteIndex,
    own: &AbsoluteUrl,
    path: &str,
    reference: &str,
) -> Option<&'i str> {
    let place = site.place(own);
    let maker_of = |path: &str| site.files.maker_of(place.file(), path);
    maker_of(path).or_else(|| {
        let from_own = own.resolve(reference, UTF_8).ok().filter(|_| site.files.reads_sources())?;
        let (from_own, _) = without_fragment(site.site_url.below(from_own.as_str())?);
        (from_own != path).then(|| maker_of(from_own)).flatten()
    })
}

/// The maker of a page to which a copied file links, in messages.
const PAGE: &str = "a document elsewhere";

/// Returns the maker that the missing page or file at `path` may have: something of the generator that is not read, a step of
/// a build, or the host.
fn unsure<'i>(
    site: &'i SiteIndex,
    own: &TargetPlace<'_>,
    reference: &str,
    path: &str,
    found: &ReferenceFinding,
) -> Option<&'i str> {
    let files = &site.files;
    let is_source = names_source(path);
    // A slip: the document that is meant is beside it.
    let is_near = found.suggestion.is_some() && found.confidence != Confidence::Moved;
    if is_near && is_source || !files.reads_sources() {
        return None;
    }
    let copy = || own.file().and_then(|it| files.script_that_copies(it));
    let form = ReferenceForm::of(reference);
    // A file that is copied links to pages, whose documents are elsewhere.
    let copied = || {
        let is_page =
            form == ReferenceForm::Path && (path.ends_with(".html") || !has_extension(path));
        (is_page && own.file().is_some_and(|own| files.is_copied(own))).then_some(PAGE)
    };
    files.unread_maker(own.file()).or_else(copy).or_else(copied).or_else(|| {
        // A book may be one of several on its host.
        let is_book = files.pages().is_some_and(|it| it.dialect.row().list.is_some());
        let is_root = !site.site_url.is_placeholder() && site.site_url.url().path() == "/";
        let is_whole = is_root && !is_book;
        let is_of_host = matches!(form, ReferenceForm::Absolute | ReferenceForm::Scheme);
        // Generators read paths of files themselves.
        let is_file = || form == ReferenceForm::Path && has_extension(path);
        let is_known = || files.has_content_beside(path, is_whole);
        (!is_near && !is_source && !is_of_host && !is_file() && !is_known()).then_some(HOST)
    })
}

/// Returns true if the last name in `path` has an extension.
fn has_extension(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Returns true if the document at `own` is published, unlike the place of `path`, which is not that of a document.
fn leaves_sources(site: &SiteIndex, own: &AbsoluteUrl, path: &str, reference: &str) -> bool {
    let own = site.place(own);
    // Of a document elsewhere, a page may be there: another book.
    let renames = site.files.pages().is_some_and(|it| it.dialect.row().renames_links);
    let may_leave = reference.starts_with("..") && (renames || !is_markdown(Path::new(path)));
    let is_in = |path: &str| site.files.is_in_sources(path);
    may_leave && own.file().is_some_and(is_in) && !is_in(path)
}

/// Returns true if `reference`, in the document at `own`, is relative to each page that has this template.
fn counts_from_page(site: &SiteIndex, own: &AbsoluteUrl, reference: &str) -> bool {
    let is_template = || site.place(own).file().is_some_and(|it| site.files.is_theme_template(it));
    matches!(ReferenceForm::of(reference), ReferenceForm::Path) && is_template()
}

/// The build of a program of its own that may make what the template at `own` links to.
fn bundler(site: &SiteIndex, own: &AbsoluteUrl) -> Option<String> {
    let place = site.place(own);
    let file = place.file()?;
    let is_style = || file.ends_with(".css") && site.files.is_unserved(file);
    let folder = site.files.bundled_in(file);
    folder
        .map(|folder| format!("the build of {folder} (it has a package.json)"))
        .or_else(|| is_style().then(|| format!("the program that reads {file}")))
}

/// The finding about a link that leaves what a generator publishes.
fn beside_sources(path: &str) -> ReferenceFinding {
    broken(format!("the link leaves the documents for `{path}`, which does not exist"))
        .help("if a build makes the file, name it with --generated")
        .at_most(Severity::Warning)
}

/// `path`, below the URL of the site, as messages show it.
fn shown(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

/// Returns the fact that nothing is at `path`, in words.
pub(super) fn absent(path: &str) -> String {
    format!("`{}` does not exist", shown(path))
}

/// The finding about a link to `path`, where the author may have meant `other`.
fn exists_instead(path: &str, other: &str) -> ReferenceFinding {
    broken(format!("{}, but `{other}` does", absent(path)))
}

/// Returns true if servers do not send `file`, which has the name `path` as it is, percent-encoding included. Mirroring tools
/// write such names.
fn is_undecoded(site: &SiteIndex, path: &str, file: &str) -> bool {
    site.archive.is_none() && !site.site_url.has_mounts() && site.files.is_undecoded(path, file)
}

/// The finding about a link to `file`, whose name has the percent-encoding of the link.
fn undecoded(path: &str, file: &str) -> ReferenceFinding {
    let [name, file] =
        [path, file].map(|it| String::from_utf8_lossy(&percent_decoded(it)).into_owned());
    broken(format!(
        "servers decode this URL and look for a file `{name}`, but the name of the file is `{file}`"
    ))
    .help(format!(
        "rename the file to `{name}`; if a mirroring tool wrote the name, ignore this finding"
    ))
    .at_most(Severity::Warning)
}

fn broken(message: impl Into<Cow<'static, str>>) -> ReferenceFinding {
    ReferenceFinding::new(Check::BrokenTarget, message)
}

/// The finding about a name that nothing has; `None` if documents outside the site may have it.
fn not_found(
    site: &SiteIndex,
    lookup: Lookup,
    resolved: &ResolvedReference<'_>,
) -> Option<ReferenceFinding> {
    if lookup != Lookup::Document && (!site.files.knows_labels() || is_made(resolved.text)) {
        return None;
    }
    let path = match &resolved.place {
        TargetPlace::Internal { path, .. } => path,
        _ => "",
    };
    let exists = site.files.find(path, "").is_some_and(|it| it.file().is_some());
    // mystmd leaves it to the host, which may have other sites.
    let is_of_host = resolved.text.starts_with('/') && site.files.has_anchors_of_project();
    let maker = match lookup {
        _ if is_of_host => Some(OTHER_SITE),
        Lookup::Document => site.files.maker_of(None, path).or(site.files.unread_maker(None)),
        _ => {
            let made = site.files.maker_of_label(resolved.text);
            let made = made.or_else(|| site.files.maker_of(None, path));
            let mut files = site.files.files();
            made.or_else(|| files.any(|it| it.ends_with(".ipynb")).then_some(NOTEBOOK))
        }
    };
    let name = resolved.text;
    let found = match lookup {
        Lookup::Document if exists => broken(format!("`{name}` is not the name of a document"))
            .help("write the name without its extension"),
        Lookup::Document => broken(format!("no document has the name `{name}`")),
        Lookup::Label => broken(format!("no label has the name `{name}`")),
        _ if exists && name.contains('#') => broken(format!("`{name}` is not the path of a file"))
            .help("write the path of the file with its extension before the fragment"),
        _ if exists => {
            broken(format!("`{name}` is neither the path of a file nor the name of a document"))
        }
        _ => broken(format!("no file, document or label has the name `{name}`")),
    };
    Some(if exists { found } else { found.unless_made(maker) })
}

/// A document in which a label may be that rehref does not read.
const NOTEBOOK: &str = "a notebook";

/// The finding about a link from the document at `own` to one of which a build makes no page.
fn left_out(site: &SiteIndex, own: &TargetPlace<'_>, file: &str) -> Option<ReferenceFinding> {
    let files = &site.files;
    let (absence, index) = (files.absence(file), files.index_before(file));
    if absence.is_none() && index.is_none() {
        return None;
    }
    // The same build has both, or visitors read the document itself.
    let is_alike =
        |own: &str| own == file || files.is_unpublished(own) || files.is_outside_sources(own);
    if own.file().is_some_and(is_alike) {
        return None;
    }
    let program = files.pages().map_or("the generator", |it| it.dialect.row().program);
    let Some(absence) = absence else {
        let index = index.unwrap_or_default();
        let text = format!("broken link: {program} makes no page of `{file}` beside `{index}`");
        return Some(broken(text));
    };
    Some(match absence {
        Absence::Draft => {
            broken(format!("broken link: {program} makes no page of `{file}`, which is a draft"))
        }
        Absence::Since(date) => broken(format!(
            "broken link: {program} makes no page of `{file}`, which expired on {date}"
        )),
        Absence::Until(date) => {
            broken(format!("{program} makes no page of `{file}` before {date}, its date"))
                .at_most(Severity::Warning)
        }
    })
}

/// The finding about a link to `file`, which a generator does not publish at `path`.
fn unpublished(site: &SiteIndex, path: &str, file: Option<&str>) -> ReferenceFinding {
    let file = file.unwrap_or_default();
    let row = site.files.pages().map(|pages| pages.dialect.row());
    let is_read = |row: &DialectRow| row.path_reading() != PathReading::None;
    let reads_paths = row.is_some_and(is_read) && is_markdown(Path::new(file));
    match site.files.url_of_page(file).filter(|_| !reads_paths) {
        _ if !site.files.is_published(file) => {
            let program = row.map_or("the host", |row| row.program);
            broken(format!("{program} does not publish `/{file}`"))
        }
        Some(url) => {
            broken(format!("no page is at `/{path}`: the page of `{file}` is at `/{url}`"))
        }
        None => broken(format!("no page is at `/{path}`"))
            .help(format!("link to /{file} by its path from this file, with the extension")),
    }
}

/// Returns the finding about a URL that a redirect rule takes to nowhere: to the path `to`, if that is in the site.
pub(super) fn by_rule(
    site: &SiteIndex,
    rule: &RedirectRule,
    to: Option<&str>,
    is_loop: bool,
) -> ReferenceFinding {
    let RedirectRule { place, status, .. } = rule;
    let to = to.map_or_else(|| rule.to.clone(), |to| format!("/{}", site.files.with_root(to)));
    broken(match status {
        400.. => format!("the redirect rule in {place} answers with status {status}"),
        _ if is_loop => format!("the redirect rule in {place} starts a redirect loop"),
        _ => format!("the redirect rule in {place} redirects to {to}, which does not exist"),
    })
}

/// Returns the finding about a URL whose `path` has no file. Its suggestion is a path, too.
pub(super) fn missing(
    site: &SiteIndex,
    suggestions: Suggestions<'_>,
    own: &AbsoluteUrl,
    path: &str,
) -> ReferenceFinding {
    if let Some(archive) = &site.archive {
        return match archive.target(path) {
            CaptureTarget::Error(status) => {
                let message = format!(
                    "the archives contain only a response with status {status} for `{path}`"
                );
                broken(message).suggest(suggestions.nearest(path).filter(|it| !it.ends_with('/')))
            }
            CaptureTarget::Loop => broken(format!("the archives redirect `{path}` in a loop")),
            _ => ReferenceFinding::new(
                Check::NotArchived,
                format!("no archive has a capture of `{path}`"),
            ),
        };
    }
    if site.files.is_special(path) {
        let message =
            format!("`{path}` is a device, a pipe or a socket, which servers do not send");
        return broken(message);
    }
    if let Some(file) = suggestions.other_case(path) {
        let message = format!("{}: `{file}` differs only in letter case", absent(path));
        let slash = if site.files.is_folder(&file) { "/" } else { "" };
        return ReferenceFinding::new(Check::WrongCase, message)
            .suggest(Some(file + slash))
            .confidence(Confidence::Certain);
    }
    if let Some(file) = site.files.only_compressed(path) {
        return broken(format!("{}, but the compressed `{file}` does", absent(path)));
    }
    let is_sent = |path: &str| site.files.find(path, "").is_some_and(|it| it.file().is_some());
    let nearest = suggestions.nearest(path).filter(|it| !it.ends_with('/') || is_sent(it));
    // `pricng` for the URL `pricing` of pricing.html.
    let clean = || {
        let page = suggestions.nearest(&format!("{path}.html"))?;
        let clean = page.strip_suffix(".html")?;
        is_sent(clean).then(|| clean.to_owned())
    };
    let has_extension = path.rsplit('/').next().is_none_or(|it| it.is_empty() || it.contains('.'));
    let nearest = nearest.or_else(|| if has_extension { None } else { clean() });
    if let Some(file) = nearest {
        return exists_instead(path, &file).suggest(Some(file));
    }
    if site.files.file(&site.files.normalized(path)).is_some() {
        let page = site.files.renamed_path(path);
        let message = format!(
            "`{path}` exists, but the generator publishes no page at the URL that it makes of this link"
        );
        return broken(message).suggest(page).confidence(Confidence::Certain);
    }
    // A page rarely links to itself by a wrong path.
    let is_own = |file: &str| site.place(own).file() == Some(file);
    if let Some(file) = suggestions.same_name(path).filter(|file| !is_own(file)) {
        // A link to a folder goes on to be one.
        let folder = file.strip_suffix("index.html").filter(|_| path.ends_with('/'));
        let folder = folder.filter(|folder| is_sent(folder));
        let other = folder.unwrap_or(file);
        let found = exists_instead(path, other).suggest(Some(other.to_owned()));
        // `/a/b.html` and `/de/a/b.html` are pages of two languages, or of two sites.
        let is_beside =
            other.strip_suffix(path).filter(|it| it.ends_with('/')).is_some_and(|above| {
                let first = path.split_once('/').map_or("", |(first, _)| first);
                site.files.is_folder(first) && !first.is_empty()
                    || site.place(own).file().is_some_and(|it| it.starts_with(above))
            });
        let is_beside = is_beside || is_in_sibling(path, other);
        return if is_beside { found } else { found.confidence(Confidence::Moved) };
    }
    broken(absent(path))
}

/// Returns true if the paths differ in the name of one directory, which is that of a language or of a version in both.
fn is_in_sibling(path: &str, other: &str) -> bool {
    let mut names = path.split('/').zip(other.split('/'));
    let differing = names.clone().filter(|(one, other)| one != other).count();
    path.matches('/').count() == other.matches('/').count()
        && differing == 1
        && names.any(|(one, other)| one != other && is_of_edition(one) && is_of_edition(other))
}

/// Returns true if a directory of this name may have a language or a version of a site: `de`, `pt-br`, `v1.2`, `latest`.
fn is_of_edition(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let is_word = |it: &str| it.bytes().all(|b| b.is_ascii_alphabetic());
    let is_language =
        language.len() == 2 && region.len() <= 4 && is_word(language) && is_word(region);
    let number = name.strip_prefix('v').unwrap_or(name);
    let is_version = number.starts_with(|c: char| c.is_ascii_digit());
    is_language || is_version || VERSIONS.contains(&name) || name == "master"
}

/// Returns the URL of the file at `path`, below the site's primary URL, with the query and the fragment of `resolved`.
pub(super) fn url_of(
    site: &SiteIndex,
    resolved: &ResolvedReference<'_>,
    path: &str,
) -> Option<AbsoluteUrl> {
    let target = resolved.url()?;
    let whole = target.as_str();
    let tail = |start: Option<usize>| whole.get(start.unwrap_or(whole.len())..);
    let url = match site.archive {
        None => site.site_url.url_below(&format!("{path}{}", tail(whole.find(['?', '#']))?)),
        // In an archive the path is the whole URL with its query.
        Some(_) => Url::parse(&format!("{path}{}", tail(whole.find('#'))?)),
    };
    Some(AbsoluteUrl::new(target.standard(), url.ok()?))
}

/// Returns a reference to the file at `path`, in the form of `resolved` and with its query and fragment.
pub(super) fn reference_to(
    site: &SiteIndex,
    resolved: &ResolvedReference<'_>,
    path: &str,
) -> Option<String> {
    let base = resolved.base.as_deref()?;
    let url = url_of(site, resolved, path)?;
    match ReferenceForm::of(resolved.text).relative() {
        None => Some(url.to_string()),
        Some(form) => base.relativize(&url, form),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::FileNumbers;
    use crate::message_parts::PartIndex;
    use crate::suggest::SuggestionIndex;
    use rehref_document::{Document, ParseOptions};
    use rehref_site::{Entry, EntryKind, FileIndex, SiteUrl};
    use rehref_url::Standard;
    use std::path::Path;

    #[test]
    fn each_kind_of_missing_target_has_its_check_and_suggestion() {
        let entries: Vec<Entry> = [
            ("a.html", EntryKind::File),
            ("Case.html", EntryKind::File),
            ("d", EntryKind::Directory),
            ("d/index.html", EntryKind::File),
            ("d/only.html", EntryKind::File),
            ("e", EntryKind::Directory),
            ("e/packed.html.gz", EntryKind::File),
            ("e/pipe", EntryKind::Special),
            ("empty", EntryKind::Directory),
            ("empty/x.html", EntryKind::File),
            ("folder", EntryKind::Directory),
            ("folder/index.html", EntryKind::File),
        ]
        .map(|(path, kind)| Entry { path: path.into(), kind })
        .into();
        let site = SiteIndex::of_files(
            FileIndex::new(Path::new("/nowhere"), &entries),
            SiteUrl::parse("https://h/s/").unwrap().0,
            vec![SiteUrl::parse("http://www.h/").unwrap().0],
        );
        let files = FileNumbers::new(&site);
        let suggestions = Suggestions { files: &files, index: &SuggestionIndex::default() };
        let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("https://h/s/a.html").unwrap());
        for (reference, check_id, suggestion) in [
            ("a.html#x", "", None),
            ("d/", "", None),
            ("https://elsewhere/x", "", None),
            ("mailto:x@y", "", None),
            ("d#x", "missing-trailing-slash", Some("d/#x")),
            ("/s/d", "missing-trailing-slash", Some("/s/d/")),
            ("e/", "directory-without-index", None),
            ("a", "broken-target", Some("a.html")),
            ("case.html", "wrong-case", Some("Case.html")),
            ("D#x", "wrong-case", Some("d/#x")),
            ("D/", "wrong-case", Some("d/")),
            ("elsewhere/a.html", "broken-target", None),
            ("e/packed.html", "broken-target", None),
            ("e/pi%70e", "broken-target", None),
            ("d/onyl.html?q", "broken-target", Some("d/only.html?q")),
            ("only.html", "broken-target", Some("d/only.html")),
            ("old/folder/?q", "broken-target", Some("folder/?q")),
            ("fodler/#x", "broken-target", Some("folder/#x")),
            // It has no index file.
            ("emtpy/", "broken-target", None),
            ("http://www.h/only.html", "broken-target", Some("https://h/s/d/only.html")),
            ("nothing/like/it.html", "broken-target", None),
        ] {
            let html = format!("<a href='{reference}'>");
            let document = Document::parse(html.as_bytes(), &ParseOptions::default()).unwrap();
            let bases = document.base_urls(&own);
            let reference = document.references.first().unwrap();
            let resolved = site.resolve(&document, &bases, &PartIndex::default(), &own, reference);
            let found = check(&site, suggestions, &own, &resolved, &mut MissingTargets::default());
            let id = found.as_ref().map_or("", |problem| problem.check.id());
            assert_eq!(id, check_id, "{html}: {found:?}");
            let suggested = found.and_then(|problem| problem.suggestion);
            assert_eq!(suggested.as_deref(), suggestion, "{html}");
        }
    }
}
