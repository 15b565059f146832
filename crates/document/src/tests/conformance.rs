//! Data of public test suites. Skipped where it is not there.

use crate::{Document, ParseOptions, refresh, srcset};
use encoding_rs::{Encoding, UTF_8};
use rehref_url::{AbsoluteUrl, Standard, Url};
use serde_json::Value;

use crate::test_data::{conformance, conformance_path};

fn json(file: &str) -> Option<Value> {
    conformance(file).map(|text| serde_json::from_str(&text).unwrap())
}

fn utf8() -> ParseOptions {
    ParseOptions { charset: Some(UTF_8), ..ParseOptions::default() }
}

#[test]
fn wpt_srcset() {
    let Some(data) = json("wpt/srcset/parse-a-srcset-attribute.json") else { return };
    let cases = data["cases"].as_array().unwrap();
    for case in cases {
        let text = case["srcset"].as_str().unwrap();
        let selected = case["expect_selected"].as_str().unwrap();
        let urls: Vec<&str> =
            srcset::urls(text).into_iter().map(|url| &text[url.range()]).collect();
        // Where nothing is selected there may still be candidates, with descriptors that browsers
        // reject.
        assert!(
            selected.is_empty() || urls.contains(&selected),
            "{text:?}: {urls:?}, not {selected:?}"
        );
    }
    assert!(cases.len() > 200);
}

#[test]
fn wpt_meta_refresh() {
    let Some(data) = json("wpt/meta-refresh/parsing.json") else { return };
    let base = Url::parse("https://h/d/__filename__").unwrap();
    let resolve = |reference: &str| {
        let target = base.resolve(reference, UTF_8);
        target.map_or_else(|error| error.to_string(), |url| url.to_string())
    };
    let cases = data["cases"].as_array().unwrap();
    for case in cases {
        let content = case["input"].as_str().unwrap();
        let found = refresh::url(content).map(|range| resolve(&content[range.range()]));
        let itself = resolve("");
        let expected = case["expected"].as_array().unwrap();
        let expected = expected.get(1).map(|url| resolve(url.as_str().unwrap()));
        // A refresh of the document itself may or may not be written with a URL.
        assert_eq!(
            found.filter(|url| *url != itself),
            expected.filter(|url| *url != itself),
            "{content:?}"
        );
    }
    assert!(cases.len() > 70);
}

#[test]
fn wpt_base_element() {
    let Some(data) = json("wpt/base/base-element-cases.json") else { return };
    for case in data["cases"].as_array().unwrap() {
        // A srcdoc document falls back to what contains it.
        let fallback = case["container_base"].as_str().or(case["doc_url"].as_str());
        let fallback = Url::parse(fallback.unwrap()).unwrap();
        let fallback = AbsoluteUrl::new(Standard::Whatwg, fallback);
        let html = case["html"].as_str().unwrap();
        let document = Document::parse(html.as_bytes(), &utf8()).unwrap();
        let base = document.base_urls(&fallback)[0].url.clone().unwrap();
        assert_eq!(base.as_str(), case["base"].as_str().unwrap(), "{html}");
        if let (Some(reference), Some(target)) = (case["ref"].as_str(), case["x"].as_str()) {
            assert_eq!(base.resolve(reference, UTF_8).unwrap().as_str(), target);
        }
    }
}

#[test]
fn wpt_query_encoding() {
    let Some(data) = json("wpt/url/query-encoding-cases.json") else { return };
    let base = Url::parse("https://h/p").unwrap();
    for case in data["cases"].as_array().unwrap() {
        let label = case["encoding"].as_str().unwrap();
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let code_point = case["char"].as_str().unwrap().trim_start_matches("U+");
        let character = char::from_u32(u32::from_str_radix(code_point, 16).unwrap()).unwrap();
        let target = base.resolve(&format!("?{character}"), encoding).unwrap();
        assert_eq!(target.query(), case["query"].as_str(), "{label} {character}");
    }
}

#[test]
fn wpt_url_reflecting_attributes_are_in_the_table() {
    use crate::html::Namespace;
    use crate::html::attributes::find;
    let Some(data) = json("wpt/base/url-reflecting-attributes.json") else { return };
    for entry in data["elements"].as_array().unwrap() {
        let element = entry["element"].as_str().unwrap();
        for attribute in entry["url_attributes"].as_array().unwrap() {
            let attribute = attribute.as_str().unwrap();
            let row = find(Namespace::Html, element, attribute, |_| None);
            assert!(row.is_some(), "{element} {attribute}");
        }
    }
}

/// html5lib's encoding data: documents and the encoding that a browser finds.
#[test]
fn html5lib_encodings() {
    for file in ["tests1.dat", "tests2.dat"] {
        let Some(path) = conformance_path(&format!("html5lib-tests/encoding/{file}")) else {
            continue;
        };
        let data = std::fs::read(path).unwrap();
        let data = [b"\n", &data[..]].concat();
        let mut cases = 0;
        for test in split(&data, b"\n#data\n").into_iter().skip(1) {
            let parts = split(test, b"\n#encoding\n");
            let label = String::from_utf8_lossy(parts[1]);
            let expected = Encoding::for_label(label.lines().next().unwrap().trim().as_bytes());
            let Ok(document) = Document::parse(parts[0], &ParseOptions::default()) else {
                continue;
            };
            let found = document.charset.encoding;
            // The data says windows-1252 where nothing is declared; we look whether it is UTF-8.
            let undeclared = document.charset.source == crate::encoding::CharsetSource::Fallback;
            assert!(
                Some(found) == expected
                    || undeclared && expected == Some(encoding_rs::WINDOWS_1252),
                "{}: {} instead of {expected:?}",
                String::from_utf8_lossy(parts[0]),
                found.name()
            );
            cases += 1;
        }
        println!("{file}: {cases} cases");
        assert!(cases > 10);
    }
}

fn split<'d>(data: &'d [u8], separator: &[u8]) -> Vec<&'d [u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in memchr::memmem::find_iter(data, separator) {
        if at >= start {
            parts.push(&data[start..at]);
            start = at + separator.len();
        }
    }
    parts.push(&data[start..]);
    parts
}
