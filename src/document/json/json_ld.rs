//! JSON-LD 1.1, as it stands in HTML documents: schema.org's vocabulary nearly always.

use super::tree::{Tree, Value};
use super::url::{Found, JsonRole};
use super::url_like::is_url_like;
use crate::url::scheme;

/// When the string value of a property is a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    /// Always.
    Url,
    /// Where it looks like one: text, or the name of a thing, is as good.
    UrlIfLikeOne,
}

/// The properties whose strings are URLs, by name for the search.
///
/// From schema.org, as `schema-dts` 2.1.0 has it: all that expect `URL` and not `Text`, less those
/// for which authors write the name of a person, a place or a concept (`colleague`,
/// `gameLocation`, `season`, `constraintProperty`, `associatedDisease` and the three of molecular
/// biology). Of those that expect text too, or a thing only, the ones where URLs are common.
/// `identifier`, `additionalType` and their like name things and are no places; `urlTemplate` is
/// no URL.
const PROPERTIES: &[(&str, Is)] = &[
    ("@id", Is::Url),
    ("acquireLicensePage", Is::Url),
    ("actionableFeedbackPolicy", Is::Url),
    ("afterMedia", Is::Url),
    ("archivedAt", Is::Url),
    ("associatedMedia", Is::UrlIfLikeOne),
    ("audio", Is::UrlIfLikeOne),
    ("author", Is::UrlIfLikeOne),
    ("beforeMedia", Is::Url),
    ("benefitsSummaryUrl", Is::Url),
    ("codeRepository", Is::Url),
    ("colorSwatch", Is::Url),
    ("contentUrl", Is::Url),
    ("correctionsPolicy", Is::Url),
    ("creator", Is::UrlIfLikeOne),
    ("discussionUrl", Is::Url),
    ("diseasePreventionInfo", Is::Url),
    ("diseaseSpreadStatistics", Is::Url),
    ("diversityPolicy", Is::Url),
    ("diversityStaffingReport", Is::Url),
    ("documentation", Is::Url),
    ("downloadUrl", Is::Url),
    ("duringMedia", Is::Url),
    ("embedUrl", Is::Url),
    ("ethicsPolicy", Is::Url),
    ("gettingTestedInfo", Is::Url),
    ("hasDigitalProductPassport", Is::Url),
    ("hasGS1DigitalLink", Is::Url),
    ("hasMap", Is::Url),
    ("hasMenu", Is::UrlIfLikeOne),
    ("hasPart", Is::UrlIfLikeOne),
    ("healthPlanMarketingUrl", Is::Url),
    ("image", Is::Url),
    ("inCodeSet", Is::Url),
    ("inDefinedTermSet", Is::Url),
    ("installUrl", Is::Url),
    ("isBasedOn", Is::Url),
    ("isBasedOnUrl", Is::Url),
    ("isPartOf", Is::Url),
    ("item", Is::UrlIfLikeOne),
    ("labelDetails", Is::Url),
    ("layoutImage", Is::Url),
    ("license", Is::Url),
    ("logo", Is::Url),
    ("mainEntity", Is::UrlIfLikeOne),
    ("mainEntityOfPage", Is::Url),
    ("map", Is::Url),
    ("maps", Is::Url),
    ("masthead", Is::Url),
    ("menu", Is::UrlIfLikeOne),
    ("merchantReturnLink", Is::Url),
    ("missionCoveragePrioritiesPolicy", Is::Url),
    ("newsUpdatesAndGuidelines", Is::Url),
    ("noBylinesPolicy", Is::Url),
    ("originalMediaLink", Is::Url),
    ("paymentUrl", Is::Url),
    ("photo", Is::UrlIfLikeOne),
    ("photos", Is::UrlIfLikeOne),
    ("prescribingInfo", Is::Url),
    ("primaryImageOfPage", Is::UrlIfLikeOne),
    ("productReturnLink", Is::Url),
    ("publicTransportClosuresInfo", Is::Url),
    ("publisher", Is::UrlIfLikeOne),
    ("publishingPrinciples", Is::Url),
    ("quarantineGuidelines", Is::Url),
    ("relatedLink", Is::Url),
    ("releaseNotes", Is::UrlIfLikeOne),
    ("replyToUrl", Is::Url),
    ("sameAs", Is::Url),
    ("schoolClosuresInfo", Is::Url),
    ("screenshot", Is::Url),
    ("sdLicense", Is::Url),
    ("serviceUrl", Is::Url),
    ("shippingSettingsLink", Is::Url),
    ("significantLink", Is::Url),
    ("significantLinks", Is::Url),
    ("speakable", Is::Url),
    ("subjectOf", Is::UrlIfLikeOne),
    ("target", Is::Url),
    ("targetUrl", Is::Url),
    ("termsOfService", Is::UrlIfLikeOne),
    ("thumbnail", Is::UrlIfLikeOne),
    ("thumbnailUrl", Is::Url),
    ("tourBookingPage", Is::Url),
    ("trackingUrl", Is::Url),
    ("travelBans", Is::Url),
    ("unnamedSourcesPolicy", Is::Url),
    ("url", Is::Url),
    ("usageInfo", Is::Url),
    ("verificationFactCheckingPolicy", Is::Url),
    ("video", Is::UrlIfLikeOne),
    ("webFeed", Is::Url),
];

/// How the names above may be written in full.
const VOCABULARY: [&str; 3] = ["https://schema.org/", "http://schema.org/", "schema:"];

/// Keywords that only wrap the value of the property above (JSON-LD 1.1, sections 4.2, 4.3).
const WRAPPERS: [&str; 3] = ["@list", "@set", "@value"];

fn property(name: &str) -> Option<Is> {
    let term = VOCABULARY
        .iter()
        .find_map(|vocabulary| name.strip_prefix(vocabulary))
        .unwrap_or(name);
    PROPERTIES
        .binary_search_by_key(&term, |&(name, _)| name)
        .ok()
        .and_then(|at| PROPERTIES.get(at))
        .map(|&(_, is)| is)
}

/// What holds for the values within an object or an array.
struct Open {
    /// The index behind the last of them.
    end: usize,
    is: Option<Is>,
    /// Whether a context says `@base`.
    other_base: bool,
}

pub(super) fn urls(tree: &Tree) -> Vec<Found> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut context_end = 0;
    for (index, node) in tree.nodes() {
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
                if WRAPPERS.contains(&name.as_str()) {
                    inherited
                } else {
                    property(&name)
                }
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
                found.extend(role.map(|role| Found { place, role }));
            }
            Value::Other => {}
        }
    }
    found
}

/// Whether the object at `index` has a context with an `@base`, however deep.
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
        JsonRole::Template
    } else {
        JsonRole::Plain
    })
}

/// What has the form of a keyword is not resolved (JSON-LD 1.1, section 1.7, "keyword").
fn is_keyword(text: &str) -> bool {
    text.strip_prefix('@')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Whether what stands before the colon is, or may be, a prefix of some context, or `_` (JSON-LD
/// 1.1 API, section 5.2, "IRI Expansion"). An unknown scheme without `//` counts as one: nothing
/// is relative to its URLs, so that not taking one for a reference loses nothing.
fn is_compact_iri(text: &str) -> bool {
    match text.split_once(':') {
        None => false,
        Some((prefix, suffix)) => {
            !prefix.is_empty()
                && !prefix.contains(['/', '?', '#'])
                && !suffix.starts_with("//")
                && scheme::lookup(prefix).is_none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JsonKind, JsonRole, urls};
    use super::*;

    #[test]
    fn properties_are_sorted() {
        assert!(PROPERTIES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn members() {
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
                vec![
                    ("mailto:a@b", PLAIN),
                    ("https://d", PLAIN),
                    ("e/f:g", PLAIN),
                    (":h", PLAIN),
                ],
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
                vec![("/s?q={q}", JsonRole::Template)],
            ),
            (
                r#"[{"@context":["x",{"@base":"b/","url":"c"}],"url":"d","item":{"@id":"e"}},{"@id":"f"}]"#,
                vec![("d", OTHER), ("e", OTHER), ("f", PLAIN)],
            ),
            (
                r#"{"@context":{"url":{"@id":"a"}},"url":"b","@type":"c","identifier":"d"}"#,
                vec![("b", PLAIN)],
            ),
            (
                r#"{"u\u0072l":"\/a","url":null,"URL":"b"}"#,
                vec![("/a", PLAIN)],
            ),
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
