//! Compares a loaded page with its counterpart.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use super::collected::{Collected, Image, LiveLink, SHEET};
use super::urls::{UrlMap, with_mapped_urls};
use crate::chromium::{BrowserError, ConsoleError, LoadedPage, Outcome, ResourceRequest, SOCKET};
use crate::report::{Difference, DifferenceKind};
use rehref_site::plural::counted;

/// The start of the label of a frame; the others are those of clicks.
const FRAME: &str = "frame ";
/// The start of the label of a document after a click.
const CLICK: &str = "after ";

/// The kind of requests for scripts.
const SCRIPT: &str = "Script";

/// A loaded page.
pub(super) struct PageSide<'l> {
    loaded: &'l LoadedPage,
    /// The documents by their place in the tree of frames; the page itself is at the empty label.
    documents: Vec<(&'l str, Collected)>,
    /// The URLs of resources that did not load.
    failed: BTreeSet<&'l str>,
}

impl<'l> PageSide<'l> {
    /// Reads what was collected from `loaded`.
    pub(super) fn of(loaded: &'l LoadedPage) -> Result<PageSide<'l>, BrowserError> {
        let documents = loaded.frames.iter().map(|frame| {
            let collected = serde_json::from_str(&frame.collected);
            let collected = collected
                .map_err(|source| BrowserError::Malformed { method: "Runtime.evaluate", source })?;
            Ok((frame.label.as_str(), collected))
        });
        let documents = documents.collect::<Result<_, _>>()?;
        let failed = loaded.requests.iter().filter(|it| it.has_failed()).map(|it| &*it.url);
        Ok(PageSide { loaded, documents, failed: failed.collect() })
    }

    /// Returns true if a script of the page did not load.
    fn lacks_script(&self) -> bool {
        self.loaded.requests.iter().any(|it| it.kind == SCRIPT && it.has_failed())
    }
}

/// A page before and after.
pub(super) struct PageComparison<'c> {
    pub(super) urls: &'c UrlMap<'c>,
    pub(super) before: PageSide<'c>,
    pub(super) after: PageSide<'c>,
    /// True if it is the page for what is missing, at a URL that nothing has.
    pub(super) is_answer: bool,
    /// How long a page may take to load.
    pub(super) timeout: Duration,
}

impl PageComparison<'_> {
    /// Finds the differences of AFTER. What is broken in both is not one.
    pub(super) fn differences(&self) -> Vec<Difference> {
        let mut differences = Vec::new();
        self.requests(&mut differences);
        self.messages(&mut differences);
        differences.extend(self.unended());
        let found: HashMap<&str, &Collected> =
            self.after.documents.iter().map(|(label, document)| (*label, document)).collect();
        for (label, before) in &self.before.documents {
            let mut of_document = Vec::new();
            match found.get(label) {
                Some(after) => self.document(before, after, &mut of_document),
                None if self.is_unended() => {}
                None => {
                    let message = if label.starts_with(FRAME) {
                        "the frame is missing"
                    } else {
                        "the page's script no longer handles the click"
                    };
                    of_document.push(
                        Difference::of_file(DifferenceKind::LiveDocument, message)
                            .between(before.url.clone(), None),
                    );
                }
            }
            for difference in of_document {
                // What stays on the page differs after every click.
                let is_known = differences.iter().any(|known: &Difference| {
                    let place = known.place.ends_with(&difference.place);
                    place && known.is_same_but_for_the_place(&difference)
                });
                // What was loaded before the click stays as it is, wherever its URL would lead now.
                let is_loaded = difference.kind == DifferenceKind::LiveLink
                    && !["a ", "area ", "form "].iter().any(|it| difference.place.starts_with(it))
                    && !difference.place.is_empty();
                match *label {
                    "" => differences.push(difference),
                    _ if (is_known || is_loaded) && !label.starts_with(FRAME) => {}
                    _ => differences.push(difference.within(label)),
                }
            }
        }
        differences
    }

    /// Returns true if AFTER does not load, or what follows a click, within the time limit.
    pub(super) fn is_unended(&self) -> bool {
        self.after.loaded.unended.is_some()
    }

    fn unended(&self) -> Option<Difference> {
        let step = self.after.loaded.unended.as_deref()?;
        let message = format!("{UNENDED} {} s", self.timeout.as_secs());
        Some(Difference::of_file(DifferenceKind::LiveDocument, message).within(step))
    }

    /// Returns true if AFTER only has more: something that did not load in BEFORE loads, and each of the
    /// `differences` is something that AFTER gained.
    pub(super) fn is_repaired(&self, differences: &[Difference]) -> bool {
        let before = requested(self.before.loaded, |url| self.urls.expected(url));
        let gains = |url: &str| {
            let old = before.get(&self.urls.found(url));
            old.is_none_or(|old| old.has_failed())
        };
        let was_broken = before.values().any(|old| old.has_failed());
        let lacked_script = self.before.lacks_script();
        // Nothing is beside what is missing.
        let url = self.before.documents.first().map_or("", |(_, it)| &*it.url);
        let beside = url.rfind('/').and_then(|end| url.get(..=end)).filter(|_| self.is_answer);
        let led_nowhere = |it: &Difference| {
            let before = it.before.as_deref();
            beside.zip(before).is_some_and(|(folder, url)| url.starts_with(folder))
        };
        let is_gain = |it: &Difference| match it.kind {
            DifferenceKind::Request => it.before.is_none() && it.message.starts_with(LOADS),
            // Scripts handle clicks.
            _ if lacked_script && it.place.starts_with(CLICK) => true,
            DifferenceKind::LiveLink | DifferenceKind::LiveDocument => {
                it.message.contains(EXTRA) || led_nowhere(it)
            }
            DifferenceKind::Style | DifferenceKind::Picture => true,
            _ => false,
        };
        let mut loaded = self.after.loaded.requests.iter();
        was_broken
            && !self.is_unended()
            && !differences.is_empty()
            && loaded.any(|new| new.outcome == Outcome::Loaded && gains(&new.url))
            && differences.iter().all(is_gain)
    }

    fn requests(&self, differences: &mut Vec<Difference>) {
        let before = requested(self.before.loaded, |url| self.urls.expected(url));
        let after = requested(self.after.loaded, |url| self.urls.found(url));
        let kind = DifferenceKind::Request;
        for (key, new) in &after {
            let old = before.get(key);
            let what = resource(&new.kind);
            let was_loaded = old.is_none_or(|old| old.outcome == Outcome::Loaded);
            let message = match &new.outcome {
                _ if new.kind == SOCKET => match old {
                    None => "the page opens a different socket than before".to_owned(),
                    Some(_) => continue,
                },
                Outcome::Failed(_) if self.urls.is_answer(&new.url) => continue,
                // Browsers request it by themselves, from the root of the host, which may be outside of the site.
                Outcome::Failed(_) if new.url.ends_with("/favicon.ico") && old.is_none() => {
                    continue;
                }
                Outcome::Failed(reason) if was_loaded => {
                    format!("the {what} does not load: {reason}")
                }
                Outcome::Loaded if old.is_none() => {
                    format!("{LOADS} {what} than before")
                }
                _ => continue,
            };
            let difference = Difference::of_file(kind, message)
                .between(old.map(|old| old.url.clone()), new.url.clone());
            differences.push(Difference { sources: new.sources.clone(), ..difference });
        }
        for (key, old) in &before {
            let what = resource(&old.kind);
            let message = match &old.outcome {
                _ if after.contains_key(key) || self.is_unended() => continue,
                _ if old.kind == SOCKET => "the page no longer opens the socket".to_owned(),
                // A page that uses what it no longer loads in advance asks for it later.
                Outcome::Loaded if !old.is_preload => {
                    format!("the page no longer loads the {what}")
                }
                _ => continue,
            };
            let difference = Difference::of_file(kind, message).between(old.url.clone(), None);
            differences.push(Difference { sources: old.sources.clone(), ..difference });
        }
        group_requests(differences);
    }

    fn messages(&self, differences: &mut Vec<Difference>) {
        let before: BTreeSet<String> = self
            .before
            .loaded
            .messages
            .iter()
            .map(|it| with_mapped_urls(&it.text, |url| self.urls.expected(url)))
            .collect();
        let mut seen = BTreeSet::new();
        for ConsoleError { text, sources } in &self.after.loaded.messages {
            let mapped = with_mapped_urls(text, |url| self.urls.found(url));
            if !before.contains(&mapped) && seen.insert(mapped) {
                let message = format!("new error on the console: {text}");
                let difference = Difference::of_file(DifferenceKind::Console, message);
                differences.push(Difference { sources: sources.clone(), ..difference });
            }
        }
    }

    fn document(&self, before: &Collected, after: &Collected, differences: &mut Vec<Difference>) {
        let expected = |url: &str| self.urls.expected(url);
        let found = |url: &str| self.urls.found(url);
        if !self.urls.is_same(&before.url, &after.url) {
            let message = "the browser shows a different page";
            let difference = Difference::of_file(DifferenceKind::LiveDocument, message)
                .between(before.url.clone(), after.url.clone());
            differences.push(self.expecting(&before.url, difference));
        }
        if before.mode != after.mode {
            let message = "the browser changed between standards mode and quirks mode, which the doctype selects";
            differences.push(
                Difference::of_file(DifferenceKind::LiveDocument, message)
                    .between(before.mode.clone(), after.mode.clone()),
            );
        }
        if let Some(base) = &after.base
            && self.urls.base != Some(base)
            && !self.urls.is_same(&before.document_base, base)
        {
            let message = "links that scripts create have a different base URL";
            let difference = Difference::of_file(DifferenceKind::LiveLink, message)
                .between(before.document_base.clone(), base.clone());
            differences.push(self.expecting(&before.document_base, difference));
        }
        self.links(before, after, differences);
        let applied: BTreeMap<String, bool> =
            after.sheets.iter().map(|(url, applies)| (found(url), *applies)).collect();
        for (url, applies) in before.sheets.iter().filter(|(url, _)| !url.is_empty()) {
            // Browsers list a sheet that the server does not have, too.
            let did_load = *applies && !self.before.failed.contains(&**url);
            if did_load && applied.get(&expected(url)) != Some(&true) {
                let message = "the style sheet is not applied";
                differences.push(
                    Difference::of_file(DifferenceKind::StyleSheet, message)
                        .between(url.clone(), None),
                );
            }
        }
        let images: BTreeMap<&str, &Image> =
            after.images.iter().map(|image| (image.path.as_str(), image)).collect();
        for old in before.images.iter().filter(|image| image.is_shown) {
            if let Some(new) = images.get(&*old.path).filter(|image| !image.is_shown) {
                differences.push(
                    Difference::of_file(DifferenceKind::Image, "the image is not shown")
                        .between(old.url.clone(), new.url.clone())
                        .within(&old.label),
                );
            }
        }
        self.elements(before, after, differences);
    }

    /// `difference`, with what the URL `before` should be in AFTER, if that is another one.
    fn expecting(&self, before: &str, difference: Difference) -> Difference {
        let expected = self.urls.after(before);
        let expected = expected.filter(|it| self.urls.found(it) != self.urls.found(before));
        Difference { expected_target: expected, ..difference }
    }

    fn links(&self, before: &Collected, after: &Collected, differences: &mut Vec<Difference>) {
        // Scripts order `link` elements anew: their targets are their places.
        let place =
            |link: &LiveLink, target: &dyn Fn(&str) -> String| match link.label.split(' ').next() {
                Some("link") => format!("{} {}", link.label, target(&link.url)),
                _ => link.path.clone(),
            };
        // Pages from disk may not read the rules of their style sheets.
        let is_readable =
            |link: &&LiveLink| self.urls.disk.is_none() || !link.path.starts_with(SHEET);
        let by_place = |document: &Collected, target: &dyn Fn(&str) -> String| {
            let links = document.links.iter().filter(is_readable);
            let links =
                links.map(|link| ((place(link, target), link.property.clone()), link.clone()));
            links.collect::<BTreeMap<(String, String), LiveLink>>()
        };
        let old_links = by_place(before, &|url| self.urls.expected(url));
        let new_links = by_place(after, &|url| self.urls.found(url));
        let mut missing = Vec::new();
        for (place, old) in &old_links {
            let Some(new) = new_links.get(place) else {
                // The place of a `link` is its target, which did not load.
                let has_failed = self.before.failed.contains(&*old.url);
                missing
                    .extend(Some(old).filter(|_| !(has_failed && old.label.starts_with("link "))));
                continue;
            };
            let message = match () {
                () if !self.urls.is_same(&old.url, &new.url) => "has a different target",
                () if old.is_within && !new.is_within => {
                    "a link within the page now loads the page again"
                }
                () => continue,
            };
            let difference = Difference::of_file(DifferenceKind::LiveLink, message)
                .between(old.url.clone(), new.url.clone())
                .within(&format!("{} {}", old.label, old.property.to_ascii_lowercase()));
            differences.push(self.expecting(&old.url, difference));
        }
        let extra = new_links.iter().filter(|(place, _)| !old_links.contains_key(place));
        let extra: Vec<&LiveLink> = extra.map(|(_, link)| link).collect();
        let one_sided = |links: &[&LiveLink], what| {
            let places: Vec<&str> = links.iter().map(|link| link.label.as_str()).collect();
            one_sided(DifferenceKind::LiveLink, &places, "link", what)
        };
        let url = |links: &[&LiveLink]| links.first().map(|link| link.url.clone());
        differences.extend(one_sided(&missing, MISSING).map(|it| it.between(url(&missing), None)));
        differences.extend(one_sided(&extra, EXTRA).map(|it| it.between(None, url(&extra))));
    }

    /// Elements that are gone or new, and computed styles.
    fn elements(&self, before: &Collected, after: &Collected, differences: &mut Vec<Difference>) {
        let styles: HashMap<&str, usize> =
            after.elements.iter().map(|(path, style)| (path.as_str(), *style)).collect();
        let mut compared = HashMap::new();
        let mut missing = Vec::new();
        let mut first = None;
        let mut count = 0;
        for (path, old) in &before.elements {
            let Some(&new) = styles.get(path.as_str()) else {
                missing.push(path.as_str());
                continue;
            };
            let difference = *compared
                .entry((*old, new))
                .or_insert_with(|| self.style(before, *old, after, new));
            count += usize::from(difference.is_some());
            first = first.or(difference.map(|difference| (path, difference)));
        }
        let known: BTreeSet<&str> = before.elements.iter().map(|(path, _)| path.as_str()).collect();
        let paths = after.elements.iter().map(|(path, _)| path.as_str());
        let extra: Vec<&str> = paths.filter(|path| !known.contains(path)).collect();
        for (paths, what) in [(missing, MISSING), (extra, EXTRA)] {
            let kind = DifferenceKind::LiveDocument;
            differences.extend(one_sided(kind, &paths, "element", what));
        }
        if let Some((path, [property, old, new])) = first {
            let elements = counted(count, "element");
            let message = format!(
                "the computed style of {elements} differs; the first difference: {property} of {path}"
            );
            differences.push(
                Difference::of_file(DifferenceKind::Style, message)
                    .between(old.to_owned(), new.to_owned()),
            );
        }
    }

    /// The first property in which two computed styles differ, and its values.
    fn style<'c>(
        &self,
        before: &'c Collected,
        old: usize,
        after: &'c Collected,
        new: usize,
    ) -> Option<[&'c str; 3]> {
        let (old, new) = (before.styles.get(old)?, after.styles.get(new)?);
        let values = old.lines().zip(new.lines());
        values.zip(&before.properties).find_map(|((old, new), property)| {
            let is_same = old == new
                || with_mapped_urls(old, |url| self.urls.expected(url))
                    == with_mapped_urls(new, |url| self.urls.found(url));
            (!is_same).then_some([property, old, new])
        })
    }
}

/// The start of the message about a page that does not end to load.
pub(super) const UNENDED: &str = "the page does not load within";

/// The start of the message about a request that only AFTER makes.
const LOADS: &str = "the page loads a different";

const MISSING: &str = "missing in";
const EXTRA: &str = "only in";

/// The difference that parts of the live page, at these `places`, are in one tree only.
fn one_sided(kind: DifferenceKind, places: &[&str], noun: &str, what: &str) -> Option<Difference> {
    let first = places.first()?;
    let count = counted(places.len(), noun);
    let message = format!("{count} of the live page {what} the new tree; the first: {first}");
    Some(Difference::of_file(kind, message))
}

/// The name of a file that a script asks for.
const ANY_FILE: &str = "file that a script asks for";

/// The most requests of one script with the same message that are differences of their own.
const REQUESTS_OF_SCRIPT: usize = 3;

/// Reduces the differences of many requests of one script to the first, whose message counts the others: a router asks for
/// the data of every page that it knows.
fn group_requests(differences: &mut Vec<Difference>) {
    let key = |it: &Difference| (it.message.clone(), it.sources.first().cloned());
    let is_of_script = |it: &Difference| it.message.contains(ANY_FILE) && !it.sources.is_empty();
    let mut counts: HashMap<_, usize> = HashMap::new();
    for difference in differences.iter().filter(|it| is_of_script(it)) {
        *counts.entry(key(difference)).or_default() += 1;
    }
    counts.retain(|_, count| *count > REQUESTS_OF_SCRIPT);
    let mut seen = BTreeSet::new();
    differences.retain_mut(|difference| {
        let key = key(difference);
        let Some(count) = counts.get(&key).filter(|_| is_of_script(difference)) else {
            return true;
        };
        let message = format!("{} ({} more of this script)", difference.message, count - 1);
        difference.message = message.into();
        seen.insert(key)
    });
}

/// The requests of a page by what `key` makes of their URLs. If there are several for one URL, the one that
/// succeeds counts.
fn requested(
    loaded: &LoadedPage,
    key: impl Fn(&str) -> String,
) -> BTreeMap<String, &ResourceRequest> {
    let mut requested = BTreeMap::new();
    for request in loaded.requests.iter().filter(|it| it.outcome != Outcome::Canceled) {
        // The URL of a socket resolves against that of its page, but has another scheme.
        let key = match request.url.strip_prefix("ws") {
            Some(rest) if request.kind == SOCKET => {
                format!("socket {}", key(&format!("http{rest}")))
            }
            _ => key(&request.url),
        };
        let known = requested.entry(key).or_insert(request);
        if request.outcome == Outcome::Loaded {
            *known = request;
        }
    }
    requested
}

/// The name of a kind of resource, for messages.
fn resource(kind: &str) -> &'static str {
    const NAMES: &[(&str, &str)] = &[
        ("Document", "document"),
        ("Stylesheet", "style sheet"),
        ("Image", "image"),
        ("Media", "audio or video file"),
        ("Font", "font"),
        (SCRIPT, "script"),
        ("Manifest", "manifest"),
        ("Preflight", "preflight request"),
        (SOCKET, "socket"),
        ("EventSource", "stream of events"),
    ];
    let row = NAMES.iter().find(|(name, _)| *name == kind);
    row.map_or(ANY_FILE, |(_, name)| name)
}
