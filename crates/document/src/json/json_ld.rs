//! JSON-LD 1.1 in HTML documents: nearly always schema.org's vocabulary.

use super::tree::{Tree, Value};
use super::url::{Found, JsonRole};
use super::url_like::is_url_like;
use rehref_url::scheme;

/// The condition for the string value of a property to be a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    /// Always.
    Url,
    /// If it is [`is_url_like`]: text, or the name of a thing, is as valid.
    UrlIfLikeOne,
}

/// The properties whose strings are URLs, sorted.
///
/// From schema.org, as in `schema-dts` 2.1.0: all that expect `URL` and not `Text`, except those
/// for which authors write the name of a person, a place or a concept (`colleague`,
/// `gameLocation`, `season`, `constraintProperty`, `associatedDisease` and the three of molecular
/// biology), and `urlTemplate`. `identifier`, `additionalType` and the like name things rather than locate
/// them.
#[rustfmt::skip]
const URLS: &[&str] = &[
    "@id", "acquireLicensePage", "actionableFeedbackPolicy", "afterMedia", "archivedAt",
    "beforeMedia", "benefitsSummaryUrl", "codeRepository", "colorSwatch", "contentUrl",
    "correctionsPolicy", "discussionUrl", "diseasePreventionInfo", "diseaseSpreadStatistics",
    "diversityPolicy", "diversityStaffingReport", "documentation", "downloadUrl", "duringMedia",
    "embedUrl", "ethicsPolicy", "gettingTestedInfo", "hasDigitalProductPassport",
    "hasGS1DigitalLink", "hasMap", "healthPlanMarketingUrl", "image", "inCodeSet",
    "inDefinedTermSet", "installUrl", "isBasedOn", "isBasedOnUrl", "isPartOf", "labelDetails",
    "layoutImage", "license", "logo", "mainEntityOfPage", "map", "maps", "masthead",
    "merchantReturnLink", "missionCoveragePrioritiesPolicy", "newsUpdatesAndGuidelines",
    "noBylinesPolicy", "originalMediaLink", "paymentUrl", "prescribingInfo", "productReturnLink",
    "publicTransportClosuresInfo", "publishingPrinciples", "quarantineGuidelines", "relatedLink",
    "replyToUrl", "sameAs", "schoolClosuresInfo", "screenshot", "sdLicense", "serviceUrl",
    "shippingSettingsLink", "significantLink", "significantLinks", "speakable", "target",
    "targetUrl", "thumbnailUrl", "tourBookingPage", "trackingUrl", "travelBans",
    "unnamedSourcesPolicy", "url", "urlTemplate", "usageInfo", "verificationFactCheckingPolicy", "webFeed",
];

/// The properties that expect text too, or only a thing, but commonly hold URLs; sorted.
#[rustfmt::skip]
const URLS_IF_LIKE_ONE: &[&str] = &[
    "associatedMedia", "audio", "author", "creator", "hasMenu", "hasPart", "item", "mainEntity",
    "menu", "photo", "photos", "primaryImageOfPage", "publisher", "releaseNotes", "subjectOf",
    "termsOfService", "thumbnail", "video",
];

/// The prefixes of a property written in full.
const VOCABULARY: [&str; 3] = ["https://schema.org/", "http://schema.org/", "schema:"];

/// Keywords that only wrap the value of the property around them (JSON-LD 1.1, sections 4.2, 4.3).
const WRAPPERS: [&str; 3] = ["@list", "@set", "@value"];

fn property(name: &str) -> Option<Is> {
    let term =
        VOCABULARY.iter().find_map(|vocabulary| name.strip_prefix(vocabulary)).unwrap_or(name);
    let is_in = |names: &[&str]| names.binary_search(&term).is_ok();
    if is_in(URLS) {
        return Some(Is::Url);
    }
    is_in(URLS_IF_LIKE_ONE).then_some(Is::UrlIfLikeOne)
}

/// An object or an array whose values are being read.
struct Open {
    /// The index after its last value.
    end: usize,
    /// The condition for its strings to be URLs; `None` if they never are.
    is: Option<Is>,
    /// Whether a context around the values has an `@base`.
    other_base: bool,
}

pub(super) fn urls(tree: &Tree) -> Vec<Found> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut context_end = 0;
    for (index, node) in tree.nodes.iter().enumerate() {
        while open.last().is_some_and(|open| open.end <= index) {
            open.pop();
        }
        if index < context_end {
            continue;
        }
        let around = open.last();
        let inherited = around.and_then(|open| open.is);
        let is = match &node.key {
            None => inherited,
            Some(key) => {
                let name = tree.decoded(*key);
                if name == "@context" {
                    context_end = tree.end(index);
                    continue;
                }
                if WRAPPERS.contains(&name.as_str()) { inherited } else { property(&name) }
            }
        };
        let other_base = around.is_some_and(|open| open.other_base);
        match node.value {
            Value::Object | Value::Array => open.push(Open {
                end: tree.end(index),
                is,
                other_base: other_base || sets_base(tree, index),
            }),
            Value::String => {
                let place = node.string().unwrap_or_default();
                let role = is.and_then(|is| role(&tree.decoded(place), is, other_base));
                found.extend(role.map(|role| (place, role)));
            }
            Value::Other => {}
        }
    }
    found
}

/// Returns true if the object at `index` has a context with an `@base` at any depth.
fn sets_base(tree: &Tree, index: usize) -> bool {
    tree.children(index)
        .filter(|(_, node)| tree.is_named(node, "@context"))
        .flat_map(|(context, _)| tree.within(context))
        .any(|node| tree.is_named(node, "@base"))
}

/// The role of a string, if it is a reference.
fn role(text: &str, is: Is, other_base: bool) -> Option<JsonRole> {
    if is_keyword(text) || is_compact_iri(text) || (is == Is::UrlIfLikeOne && !is_url_like(text)) {
        return None;
    }
    Some(if other_base {
        JsonRole::OtherBase
    } else if text.contains('{') {
        // Search actions have URI templates (RFC 6570) where schema.org expects URLs.
        JsonRole::Placeholders
    } else {
        JsonRole::Plain
    })
}

/// Returns true if `text` has the form of a keyword, which is not resolved (JSON-LD 1.1, section 1.7, "keyword").
fn is_keyword(text: &str) -> bool {
    text.strip_prefix('@')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Returns true if `text` is a compact IRI: the part before the colon is, or may be, a prefix of some
/// context, or `_` (JSON-LD 1.1 API, section 5.2, "IRI Expansion"). An unknown scheme without `//`
/// counts as a prefix: its URLs are absolute, so skipping them loses nothing.
fn is_compact_iri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(prefix, suffix)| {
        !prefix.is_empty()
            && !prefix.contains(['/', '?', '#'])
            && !suffix.starts_with("//")
            && scheme::lookup(prefix).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::super::properties::urls;
    use super::super::{JsonKind, JsonRole};
    use super::*;

    #[test]
    fn properties_are_sorted() {
        assert!([URLS, URLS_IF_LIKE_ONE].iter().all(|names| names.is_sorted_by(|a, b| a < b)));
    }

    #[test]
    fn urls_are_found_by_property() {
        const PLAIN: JsonRole = JsonRole::Plain;
        const OTHER: JsonRole = JsonRole::OtherBase;
        for (text, expected) in [
            (
                r#"{"@context":"https://schema.org/","@type":"Thing","url":"a","name":"b"}"#,
                vec![("a", PLAIN)],
            ),
            (
                r#"{"sameAs":["a",["b",1],{"url":"c","name":"d"}]}"#,
                vec![("a", PLAIN), ("b", PLAIN), ("c", PLAIN)],
            ),
            (
                r#"[{"@graph":[{"image":{"@type":"ImageObject","contentUrl":"a","caption":"b"}}]}]"#,
                vec![("a", PLAIN)],
            ),
            (
                r##"{"@id":"#a","logo":{"@id":"/b"},"author":{"@id":"_:c"},"isPartOf":"ex:d"}"##,
                vec![("#a", PLAIN), ("/b", PLAIN)],
            ),
            (
                r#"{"url":"mailto:a@b","sameAs":["urn:c","https://d","e/f:g",":h","@none"]}"#,
                vec![("mailto:a@b", PLAIN), ("https://d", PLAIN), ("e/f:g", PLAIN), (":h", PLAIN)],
            ),
            (
                r#"{"author":["Ann","/ann"],"menu":"Soup: hot","item":"https://a/"}"#,
                vec![("/ann", PLAIN), ("https://a/", PLAIN)],
            ),
            (
                r#"{"schema:url":"a","https://schema.org/image":"b","ex:url":"c"}"#,
                vec![("a", PLAIN), ("b", PLAIN)],
            ),
            (
                r#"{"sameAs":{"@list":["a"]},"url":{"@value":"b","@language":"c"}}"#,
                vec![("a", PLAIN), ("b", PLAIN)],
            ),
            (
                r#"{"potentialAction":{"target":"/s?q={q}","query-input":"required name=q"}}"#,
                vec![("/s?q={q}", JsonRole::Placeholders)],
            ),
            (
                r#"{"target":{"@type":"EntryPoint","urlTemplate":"/s?q={q}"}}"#,
                vec![("/s?q={q}", JsonRole::Placeholders)],
            ),
            (
                r#"[{"@context":["x",{"@base":"b/","url":"c"}],"url":"d","item":{"@id":"e"}},{"@id":"f"}]"#,
                vec![("d", OTHER), ("e", OTHER), ("f", PLAIN)],
            ),
            (
                r#"{"@context":{"url":{"@id":"a"}},"url":"b","@type":"c","identifier":"d"}"#,
                vec![("b", PLAIN)],
            ),
            (r#"{"u\u0072l":"\/a","url":null,"URL":"b"}"#, vec![("/a", PLAIN)]),
        ] {
            let found: Vec<_> = urls(JsonKind::JsonLd, text)
                .unwrap()
                .into_iter()
                .map(|url| (url.text.as_str().to_owned(), url.role))
                .collect();
            let expected: Vec<_> = expected.into_iter().map(|(a, b)| (a.into(), b)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
