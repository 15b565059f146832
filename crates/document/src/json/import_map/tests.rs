use rehref_url::Span;

use encoding_rs::UTF_8;
use serde_json::{Map, Value as Json, json};

use super::super::properties::{JsonUrl, urls};
use super::super::tree::{Tree, Value};
use super::super::{JsonKind, JsonRole, NotJson};
use crate::json::{is_relative, is_url_like, url_like};
use crate::test_data::conformance_path;
use rehref_url::Url;

#[test]
fn url_like_specifiers_are_found() {
    use JsonRole::*;
    for (text, expected) in [
        ("{}", vec![]),
        (
            r#"{"imports":{"a":"./a.js","b":"b.js","/c":"C:/c","d/":"https://h/d/"}}"#,
            vec![
                ("./a.js", UrlLike),
                ("/c", UrlLike),
                ("C:/c", UrlLike),
                ("https://h/d/", UrlLike),
            ],
        ),
        (
            r#"{"imports":{"":"/a","../b":null,"./c":["/d"]}}"#,
            vec![("/a", UrlLike), ("../b", UrlLike), ("./c", UrlLike)],
        ),
        (
            r#"{"scopes":{"":{"a":"/b"},"c":{},"d e":{"/f":"g"}}}"#,
            vec![("", Prefix), ("/b", UrlLike), ("c", Prefix), ("d e", Prefix), ("/f", UrlLike)],
        ),
        (
            r#"{"integrity":{"/a.js":"sha256-b","c.js":"sha256-d","/e.js":1}}"#,
            vec![("/a.js", UrlLike), ("sha256-b", Integrity { key: (15..20).into() })],
        ),
        (r#"{"import":{"/a":"/b"},"Scopes":{"/a":{}}}"#, vec![]),
        (r#"{"\u0069mports":{"a":"\u002Fb","\/c":"x"}}"#, vec![("/b", UrlLike), ("/c", UrlLike)]),
        // Of members of the same name all are rewritten, and the last decides whether it is a map.
        (r#"{"imports":1,"imports":{"a":"/b","a":"/c"}}"#, vec![("/b", UrlLike), ("/c", UrlLike)]),
        (r#"{"scopes":{"/a":1,"\/a":{"b":"/c"}}}"#, vec![("/a", Prefix), ("/c", UrlLike)]),
    ] {
        let found: Vec<_> = urls(JsonKind::ImportMap, text)
            .unwrap()
            .into_iter()
            .map(|url| (url.text.as_str().to_owned(), url.role))
            .collect();
        let expected: Vec<_> = expected.into_iter().map(|(a, b)| (a.into(), b)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn maps_that_browsers_reject_are_errors() {
    for (text, at) in [
        (r#"{"imports":[]}"#, 11),
        (r#"{"scopes":"/a"}"#, 10),
        (r#"{"integrity":null,"imports":{"a":"/b"}}"#, 13),
        (r#"{"scopes":{"/a":{},"/b":1,"/c":2}}"#, 24),
        (r#"{"imports":{},"imports":1}"#, 24),
    ] {
        let expected = Err(NotJson::Shape { at });
        assert_eq!(urls(JsonKind::ImportMap, text), expected, "{text}");
    }
}

#[test]
fn references_are_written_url_like() {
    for (reference, expected) in [
        ("/a", Some("/a")),
        ("./a", Some("./a")),
        ("../a", Some("../a")),
        ("//h/a", Some("//h/a")),
        ("https://h/a", Some("https://h/a")),
        ("a/b.js", Some("./a/b.js")),
        (".", Some("./.")),
        ("..", Some("./..")),
        ("a/b:c", Some("./a/b:c")),
        ("", None),
        ("?a", None),
        ("#a", None),
        (" a", None),
    ] {
        assert_eq!(url_like(reference).as_deref(), expected, "{reference}");
        if let (Some(written), Ok(base)) = (expected, Url::parse("https://h/d/e?f")) {
            assert!(is_url_like(written), "{reference}");
            assert_eq!(
                base.resolve(written, UTF_8).unwrap(),
                base.resolve(reference, UTF_8).unwrap()
            );
        }
    }
}

/// The parsing tests of the Web Platform Tests: the map that browsers parse must follow from the
/// strings that are listed here as URLs.
#[test]
fn web_platform_tests() {
    let Some(folder) = conformance_path("wpt/import-maps") else { return };
    let files = std::fs::read_dir(&folder).unwrap();
    let (mut parsing, mut other) = (0, 0);
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).unwrap();
            let tree = Tree::parse(&text).unwrap();
            let case = Case::default();
            run(&text, &tree, 0, case, &mut parsing, &mut other);
        }
    }
    println!("{parsing} parsing tests, {other} maps of resolution tests");
    assert!(parsing > 40, "{parsing}");
}

/// The properties that a test object inherits from the objects around it.
#[derive(Clone, Default)]
struct Case {
    map: Option<String>,
    base: Option<String>,
    expected: Option<Json>,
}

fn run(text: &str, tree: &Tree, at: usize, case: Case, parsing: &mut usize, other: &mut usize) {
    let mut case = case;
    let source = |name| tree.member(at, name).map(|(_, node)| (node, &text[node.span.range()]));
    if let Some((node, json)) = source("importMap") {
        case.map = Some(match node.string() {
            // A map that is not JSON is given as a string; one that is a string, as in "top-level
            // non-objects", is taken for one and fails as well.
            Some(place) => tree.decoded(place),
            None => json.to_owned(),
        });
    }
    if let Some((_, json)) = source("importMapBaseURL") {
        case.base = serde_json::from_str(json).unwrap();
    }
    if let Some((_, json)) = source("expectedParsedImportMap") {
        case.expected = Some(serde_json::from_str(json).unwrap());
    }
    if let Some((tests, _)) = tree.member(at, "tests") {
        for (test, _) in tree.children(tests) {
            run(text, tree, test, case.clone(), parsing, other);
        }
        return;
    }
    let (Some(map), Some(base)) = (case.map, case.base.as_deref().or(Some("https://b/"))) else {
        return;
    };
    let found = urls(JsonKind::ImportMap, &map);
    match (case.expected, found) {
        (None, found) => {
            found.unwrap();
            *other += 1;
        }
        (Some(expected), found) => {
            let parsed = found.map(|found| parsed(&map, &found, &Url::parse(base).unwrap()));
            assert_eq!(parsed.unwrap_or(Json::Null), expected, "{map}");
            *parsing += 1;
        }
    }
}

/// "Parse an import map string", knowing of URLs only what was found.
fn parsed(text: &str, found: &[JsonUrl], base: &Url) -> Json {
    let tree = Tree::parse(text).unwrap();
    let resolved = |place: &Span| {
        let url = found.iter().find(|url| url.span == *place)?;
        let text = url.text.as_str();
        let resolved = match url.role {
            JsonRole::UrlLike if !is_relative(text) => Url::parse(text),
            _ => base.resolve(text, UTF_8),
        };
        Some(resolved.ok()?.into_string())
    };
    let specifiers = |map: usize| {
        let mut normalized = Map::new();
        for (_, node) in tree.children(map) {
            let place = node.key.unwrap();
            let key = tree.decoded(place);
            let address = node.string().and_then(|place| resolved(&place));
            let address = address.filter(|url| !key.ends_with('/') || url.ends_with('/'));
            if !key.is_empty() {
                normalized.insert(resolved(&place).unwrap_or(key), json!(address));
            }
        }
        normalized
    };
    let imports = tree.member(0, "imports").map(|(map, _)| specifiers(map));
    let mut scopes = Map::new();
    let members = tree.children(0).filter(|(_, node)| tree.is_named(node, "scopes"));
    for (map, node) in members.flat_map(|(scopes, _)| tree.children(scopes)) {
        assert_eq!(node.value, Value::Object);
        if let Some(prefix) = resolved(node.key.as_ref().unwrap()) {
            scopes.insert(prefix, Json::Object(specifiers(map)));
        }
    }
    json!({"imports": imports.unwrap_or_default(), "scopes": scopes})
}
