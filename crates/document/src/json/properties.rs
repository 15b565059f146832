//! Properties that hold for every input.

use rehref_generators::Text;
use rehref_url::Span;
use std::fmt;

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::tree::Tree;
use super::{JsonKind, JsonRole, NotJson, edit, escape};

/// A URL of a text, decoded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JsonUrl {
    pub(super) span: Span,
    pub(super) text: Text,
    pub(super) role: JsonRole,
}

pub(super) fn urls(kind: JsonKind, text: &str) -> Result<Vec<JsonUrl>, NotJson> {
    let decoded = |(span, role)| JsonUrl { span, text: super::string_at(span, text), role };
    Ok(super::urls(kind, text)?.into_iter().map(decoded).collect())
}

const KINDS: [JsonKind; 4] =
    [JsonKind::ImportMap, JsonKind::SpeculationRules, JsonKind::JsonLd, JsonKind::WebManifest];

/// All strings of a JSON text, names of members included, in source order, as serde_json has them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Strings(Vec<String>);

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Strings;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("JSON")
            }
            fn visit_bool<E>(self, _: bool) -> Result<Strings, E> {
                Ok(Strings::default())
            }
            fn visit_i64<E>(self, _: i64) -> Result<Strings, E> {
                Ok(Strings::default())
            }
            fn visit_u64<E>(self, _: u64) -> Result<Strings, E> {
                Ok(Strings::default())
            }
            fn visit_f64<E>(self, _: f64) -> Result<Strings, E> {
                Ok(Strings::default())
            }
            fn visit_unit<E>(self) -> Result<Strings, E> {
                Ok(Strings::default())
            }
            fn visit_str<E>(self, string: &str) -> Result<Strings, E> {
                Ok(Strings(vec![string.to_owned()]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strings, A::Error> {
                let mut all = Vec::new();
                while let Some(Strings(strings)) = seq.next_element()? {
                    all.extend(strings);
                }
                Ok(Strings(all))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strings, A::Error> {
                let mut all = Vec::new();
                while let Some((key, Strings(strings))) = map.next_entry::<String, Strings>()? {
                    all.push(key);
                    all.extend(strings);
                }
                Ok(Strings(all))
            }
        }
        deserializer.deserialize_any(Collect)
    }
}

fn own_strings(text: &str) -> Option<Vec<String>> {
    let tree = Tree::parse(text).ok()?;
    let places = tree.nodes.iter().flat_map(|node| {
        let key = node.key;
        key.into_iter().chain(node.string())
    });
    Some(places.map(|place| tree.decoded(place)).collect())
}

/// Names and strings that make something of a JSON text of some kind.
const WORDS: &[&str] = &[
    "imports", "scopes", "integrity", "prefetch", "urls", "relative_to", "document", "url", "@id",
    "@context", "@base", "sameAs", "@list", "icons", "src", "shortcuts", "start_url", "scope",
    "a/b", "/a", "./a", "https://h/ä", "_:b", "x:y", "", "😀", "\\u0061", "\\/a", "\\ud83d\\ude00",
    "\\\"", "\\n", "<!--", "a<b",
];

/// JSON texts, white space and all.
fn json() -> impl Strategy<Value = String> {
    let string = || {
        proptest::collection::vec(proptest::sample::select(WORDS), 0..3)
            .prop_map(|words| format!("\"{}\"", words.concat()))
    };
    let word = || proptest::sample::select(WORDS).prop_map(|word| format!("\"{word}\""));
    let space = || proptest::sample::select(&["", "", " ", "\n\t\r"][..]);
    let scalar =
        proptest::sample::select(&["0", "-0.5", "1e5", "12.25E-3", "true", "false", "null"][..])
            .prop_map(str::to_owned);
    let leaf = prop_oneof![3 => string(), 3 => word(), 1 => scalar];
    leaf.prop_recursive(6, 40, 4, move |inner| {
        let member = (prop_oneof![word(), string()], space(), inner.clone())
            .prop_map(|(key, space, value)| format!("{space}{key}{space}:{space}{value}{space}"));
        let element = (space(), inner).prop_map(|(space, value)| format!("{space}{value}"));
        prop_oneof![
            3 => proptest::collection::vec(member, 0..5)
                .prop_map(|members| format!("{{{}}}", members.join(","))),
            1 => proptest::collection::vec(element, 0..5)
                .prop_map(|elements| format!("[{}]", elements.join(", "))),
        ]
    })
}

/// JSON texts with a piece put in, in place of a few characters.
fn damaged() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "", ",", ":", "\"", "\\", "{", "}", "[", "]", "0", "-", ".", "e", "+", "t", "null", "\t",
        "\u{b}", "\u{a0}", "\\u12", "\\x", "//", "'", "\u{0}", "\u{feff}",
    ];
    (json(), any::<prop::sample::Index>(), 0..3_usize, proptest::sample::select(PIECES)).prop_map(
        |(text, at, length, piece)| {
            let characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len() + 1);
            let behind = (at + length).min(characters.len());
            let mut damaged: String = characters[..at].iter().collect();
            damaged.push_str(piece);
            damaged.extend(&characters[behind..]);
            damaged
        },
    )
}

fn same_as_serde_json(text: &str) -> Result<(), TestCaseError> {
    match serde_json::from_str::<Strings>(text) {
        Ok(Strings(strings)) => prop_assert_eq!(own_strings(text), Some(strings)),
        // `JSON.parse` accepts these and serde_json does not.
        Err(error) if error.to_string().starts_with("number out of range") => {}
        Err(error) if error.to_string().contains("surrogate") => {}
        Err(error) if error.to_string().starts_with("unexpected end of hex escape") => {}
        Err(error) => prop_assert_eq!(own_strings(text), None, "{}", error),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_serde_json(text in json()) {
        prop_assert!(own_strings(&text).is_some(), "{}", text);
        same_as_serde_json(&text)?;
    }

    #[test]
    fn agrees_with_serde_json_on_errors(text in damaged()) {
        same_as_serde_json(&text)?;
    }

    #[test]
    fn no_text_panics(text in prop_oneof![any::<String>(), damaged()]) {
        for kind in KINDS {
            for url in urls(kind, &text).unwrap_or_default() {
                let raw = url.span.of_str(&text);
                let _ = edit(raw, &url.text, Span::from(1..usize::MAX), "x");
            }
        }
    }

    #[test]
    fn ranges_are_strings_in_order(text in json()) {
        for kind in KINDS {
            let mut done = 0;
            for url in urls(kind, &text).unwrap_or_default() {
                prop_assert!(done < url.span.start && url.span.end < text.len());
                done = url.span.end;
                let quoted = &text[url.span.start - 1..=url.span.end];
                prop_assert_eq!(&serde_json::from_str::<String>(quoted).unwrap(), url.text.as_str());
                let whole = url.text.source_span(Span::from(0..url.text.as_str().len()));
                prop_assert_eq!(whole, Span::from(0..url.span.len()));
            }
        }
    }

    #[test]
    fn an_escaped_string_is_read_back(text in json(), with in any::<String>()) {
        for kind in KINDS {
            let found = urls(kind, &text).unwrap_or_default();
            let mut edited = text.clone();
            for url in found.iter().rev() {
                edited.replace_range(url.span.range(), &escape(&with));
            }
            let mut expected = Vec::new();
            let tree = Tree::parse(&text).unwrap();
            for node in &tree.nodes {
                for place in node.key.into_iter().chain(node.string()) {
                    let is_url = found.iter().any(|url| url.span == place);
                    expected.push(if is_url { with.clone() } else { tree.decoded(place) });
                }
            }
            prop_assert_eq!(own_strings(&edited), Some(expected));
        }
    }

    #[test]
    fn an_edit_changes_only_its_span(
        strings in proptest::collection::vec(proptest::sample::select(&[
            "a", "/", "\\/", "ä", "😀", "\\ud83d", "\\ude00", "\\ud83d\\ude00", "<", "\\u003C",
            "/script", "!", "-", ">", "\\\"", "&",
        ][..]), 1..6),
        ends in any::<[prop::sample::Index; 2]>(),
        with in "[ -~]{0,4}|/script>|!--|--|",
    ) {
        let json = format!(r#"{{"start_url":"{}"}}"#, strings.concat());
        let url = &urls(JsonKind::WebManifest, &json).unwrap()[0];
        let text = url.text.as_str();
        let boundaries: Vec<usize> =
            (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let mut ends = ends.map(|end| boundaries[end.index(boundaries.len())]);
        ends.sort_unstable();
        let [start, end] = ends;

        let raw = url.span.of_str(&json);
        let edit = edit(raw, &url.text, Span::from(start..end), &with).shifted(url.span.start);
        prop_assert!(edit.replacement.is_ascii());
        prop_assert!(url.span.contains(edit.span));
        let edited = edit.apply(&json);

        let expected = [&text[..start], &with, &text[end..]].concat();
        let found = urls(JsonKind::WebManifest, &edited).unwrap();
        let found = found.first().map_or("", |url| url.text.as_str());
        prop_assert_eq!(found, expected);
        for markup in ["</script", "<!--", "-->"] {
            let before = json.matches(markup).count();
            prop_assert!(edited.matches(markup).count() <= before, "{}", edited);
        }
    }
}
