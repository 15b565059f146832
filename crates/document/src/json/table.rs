//! Tables of JSON whose URLs have fixed paths: web app manifests, speculation rules and feeds. The paths are
//! those of [`Tree::at_path`].

use super::tree::{Node, Tree};
use super::url::{Found, JsonRole};

/// The paths of URLs, by their roles.
type Table = [(JsonRole, &'static [&'static str])];

/// The members of a web app manifest that are URLs. The sources: the W3C's Web Application
/// Manifest (REC), its Application Information note (INFO), the WICG's Manifest Incubations
/// (INC), and members that only browsers document.
#[rustfmt::skip]
pub(super) const WEB_MANIFEST: &Table = &[
    (JsonRole::Plain, &[
        // REC and INFO.
        "start_url", "icons[].src", "icons_localized.*[].src", "shortcuts[].url", "shortcuts[].icons[].src",
        "shortcuts[].icons_localized.*[].src", "related_applications[].url", "screenshots[].src",
        // INC.
        "file_handlers[].action", "file_handlers[].icons[].src", "note_taking.new_note_url",
        "tab_strip.home_tab.icons[].src", "tab_strip.new_tab_button.url", "translations.*.icons[].src",
        "translations.*.screenshots[].src", "translations.*.shortcuts[].url", "translations.*.shortcuts[].icons[].src",
        // W3C Web Share Target.
        "share_target.action",
        // Chromium: lock screen apps.
        "lock_screen.start_url",
        // Edge: widgets.
        "widgets[].data", "widgets[].icons[].src", "widgets[].ms_ac_template", "widgets[].screenshots[].src",
        // Drafts of REC until 2018, and W3C Payment Handler.
        "serviceworker.src", "splash_screens[].src",
    ]),
    (JsonRole::Prefix, &["scope", "serviceworker.scope"]),
    (JsonRole::Placeholders, &["protocol_handlers[].url"]),
];

/// The lists of speculation rules: HTML Standard section 7.6.1, and two that Chromium reads.
#[rustfmt::skip]
pub(super) const SPECULATION_RULES: &Table = &[(JsonRole::Plain, &[
    "prefetch[].urls[]", "prerender[].urls[]", "prefetch_with_subresources[].urls[]", "prerender_until_script[].urls[]",
])];

/// The members of a feed that are URLs (JSON Feed 1.1; `author`: 1.0). An `id` names its item, whatever it looks like.
#[rustfmt::skip]
pub(super) const JSON_FEED: &Table = &[(JsonRole::Plain, &[
    "home_page_url", "feed_url", "next_url", "icon", "favicon", "author.url", "author.avatar", "authors[].url",
    "authors[].avatar", "hubs[].url", "items[].url", "items[].external_url", "items[].image", "items[].banner_image",
    "items[].author.url", "items[].author.avatar", "items[].authors[].url", "items[].authors[].avatar",
    "items[].attachments[].url",
])];

/// Returns true if the text is a feed: it names a version of the format.
pub(super) fn is_feed(tree: &Tree) -> bool {
    let version = tree.member(0, "version").and_then(|(_, node)| node.string());
    version.is_some_and(|place| tree.decoded(place).contains("jsonfeed.org/version/"))
}

/// Returns the HTML of the items of a feed, with the URLs of the items.
pub(super) fn contents(tree: &Tree) -> Vec<Found> {
    let items = tree.indexes_at("items[]").into_iter();
    let contents = items.flat_map(|item| {
        let link = tree.member(item, "url").and_then(|(_, node)| node.string());
        let html = tree.member(item, "content_html").and_then(|(_, node)| node.string());
        html.map(|place| (place, JsonRole::Html { link: link.filter(|it| !it.is_empty()) }))
    });
    contents.collect()
}

/// Returns the strings of `tree` at the paths of a table.
pub(super) fn urls(tree: &Tree, table: &Table) -> Vec<Found> {
    let mut found = Vec::new();
    for (path, role) in table.iter().flat_map(|(role, paths)| paths.iter().map(|it| (it, *role))) {
        let nodes = tree.at_path(path);
        found.reserve_exact(nodes.len());
        let strings = nodes.into_iter().filter_map(Node::string);
        found.extend(strings.map(|place| (place, role)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::properties::urls;
    use super::super::{JsonKind, JsonRole};

    fn found(kind: JsonKind, text: &str) -> Vec<(String, JsonRole)> {
        let urls = urls(kind, text).unwrap();
        urls.into_iter().map(|url| (url.text.as_str().to_owned(), url.role)).collect()
    }

    #[test]
    fn urls_of_a_manifest_are_found_by_path() {
        const PLAIN: JsonRole = JsonRole::Plain;
        for (text, expected) in [
            (r#"{"start_url":"a","scope":"/"}"#, vec![("a", PLAIN), ("/", JsonRole::Prefix)]),
            (r#"{"scope":"\/","start_url":"a"}"#, vec![("/", JsonRole::Prefix), ("a", PLAIN)]),
            (r#"{"start_url":""}"#, vec![]),
            (r#"{"start_url":["a"],"icons":{"src":"b"},"src":"c"}"#, vec![]),
            (r#"{"start_url":"a","start_url":"b"}"#, vec![("a", PLAIN), ("b", PLAIN)]),
            (r#"{"id":"a","scope_extensions":[{"origin":"b"}],"name":"c"}"#, vec![]),
            (
                r#"{"icons":[{"src":"a","sizes":"b"},{"src":1},"c",{"src":"d"}]}"#,
                vec![("a", PLAIN), ("d", PLAIN)],
            ),
            (
                r#"{"icons_localized":{"de":[{"src":"a"}],"fr":[{"src":"b"}]}}"#,
                vec![("a", PLAIN), ("b", PLAIN)],
            ),
            (
                r#"{"shortcuts":[{"name":"x","url":"a","icons":[{"src":"b"}]}]}"#,
                vec![("a", PLAIN), ("b", PLAIN)],
            ),
            (
                r#"{"translations":{"de":{"name":"x","icons":[{"src":"a"}],"shortcuts":[{"url":"b"}]}}}"#,
                vec![("a", PLAIN), ("b", PLAIN)],
            ),
            (r#"{"screenshots":[{"src":"a"}]}"#, vec![("a", PLAIN)]),
            (r#"{"share_target":{"action":"a","params":{"url":"b"}}}"#, vec![("a", PLAIN)]),
            (
                r#"{"protocol_handlers":[{"protocol":"web+a","url":"/b?c=%s"}]}"#,
                vec![("/b?c=%s", JsonRole::Placeholders)],
            ),
            (
                r#"{"file_handlers":[{"action":"a","accept":{"b/c":[".d"]},"icons":[{"src":"e"}]}]}"#,
                vec![("a", PLAIN), ("e", PLAIN)],
            ),
            (
                r#"{"related_applications":[{"platform":"play","url":"a","id":"b"}]}"#,
                vec![("a", PLAIN)],
            ),
            (
                r#"{"serviceworker":{"src":"a","scope":"b"},"note_taking":{"new_note_url":"c"}}"#,
                vec![("a", PLAIN), ("b", JsonRole::Prefix), ("c", PLAIN)],
            ),
            (
                r#"{"tab_strip":{"home_tab":{"icons":[{"src":"a"}],"scope_patterns":[{"pathname":"b"}]},"new_tab_button":{"url":"c"}}}"#,
                vec![("a", PLAIN), ("c", PLAIN)],
            ),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(a, b)| (a.into(), b)).collect();
            assert_eq!(found(JsonKind::WebManifest, text), expected, "{text}");
        }
    }

    #[test]
    fn urls_of_speculation_rules_are_found_by_path() {
        for (text, expected) in [
            ("{}", vec![]),
            (
                r#"{"prefetch":[{"urls":["a","/b"]}],"prerender":[{"source":"list","urls":["c"]}]}"#,
                vec!["a", "/b", "c"],
            ),
            (
                r#"{"prefetch":[{"urls":["a"],"relative_to":"document"},{"relative_to":"ruleset","urls":["b"]}]}"#,
                vec!["a", "b"],
            ),
            (
                r#"{"prefetch":[{"urls":["a"],"relative_to":"document","relative_to":"ruleset"}]}"#,
                vec!["a"],
            ),
            (
                r#"{"prerender":[{"where":{"href_matches":"/a*","relative_to":"document"}}]}"#,
                vec![],
            ),
            (r#"{"prefetch":{"urls":["a"]},"tag":"b"}"#, vec![]),
            (r#"{"prefetch":[{"urls":"a"},{"urls":[["b"],1]},"c"]}"#, vec![]),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|url: &str| (url.to_owned(), JsonRole::Plain)).collect();
            assert_eq!(found(JsonKind::SpeculationRules, text), expected, "{text}");
        }
    }
}
