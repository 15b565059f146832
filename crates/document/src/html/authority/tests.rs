//! The authority against html5ever's own tokenizer and `RcDom`: same elements, same attributes.

mod metadata;

use std::fs;
use std::path::{Path, PathBuf};

use super::witness::compare;
use super::*;
use crate::html::element::Quote;
use crate::html::raw::Wanted;
use crate::test_data::conformance_path;
use crate::{Document, ParseOptions};

fn assert_same(html: &str) {
    if let Err(difference) = compare(html) {
        panic!("{html}\n{difference}");
    }
}

fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    files
}

#[test]
fn html5lib_tree_construction_inputs() {
    let Some(folder) = conformance_path("html5lib-tests/tree-construction") else { return };
    let (mut inputs, mut values) = (0, 0);
    for path in files_in(&folder, "dat") {
        let data = fs::read_to_string(&path).unwrap();
        for test in format!("\n{data}").split("\n#data\n").skip(1) {
            let html = test.split("\n#errors").next().unwrap();
            // The data of these tests uses few URL attributes; give every element some.
            let with_urls =
                html.replace(" href=", " href='u1' ").replace("<a", "<a href=u2&amp;x ");
            for input in [html, &with_urls] {
                match compare(input) {
                    Ok(count) => values += count,
                    Err(difference) => panic!("{}: {input:?}\n{difference}", path.display()),
                }
                inputs += 1;
            }
        }
    }
    println!("{inputs} inputs, {values} URL attributes");
    assert!(inputs > 3000);
}

#[test]
fn html5lib_tokenizer_inputs() {
    let Some(folder) = conformance_path("html5lib-tests/tokenizer") else { return };
    let mut inputs = 0;
    for path in files_in(&folder, "test") {
        let data: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let tests = data["tests"].as_array().or(data["xmlViolationTests"].as_array());
        for test in tests.unwrap() {
            let Some(html) = test["input"].as_str() else {
                continue; // a lone surrogate, which no file can hold
            };
            // The input alone, within an attribute value, and after a tag that switches the state.
            let in_value = format!("<a href=\"{html}\"><a href='{html}'><a href={html}>");
            let in_textarea = format!("<textarea>{html}</textarea><a href=x>");
            for input in [html, &in_value, &in_textarea] {
                if let Err(difference) = compare(input) {
                    panic!("{}: {input:?}\n{difference}", path.display());
                }
                inputs += 1;
            }
        }
    }
    println!("{inputs} inputs");
    assert!(inputs > 15_000);
}

#[test]
fn what_the_tree_builder_decides() {
    for html in [
        "<body background=a><body background=b itemid=c>",
        "<html manifest=a><body><html manifest=b itemid=c>",
        "<a href=1><p><a href=2>x</a></p></a>",
        "<b itemid=1><b itemid=1><b itemid=1><b itemid=1><p>x</p>",
        "<form action=1><form action=2></form></form>",
        "<p background=x><a href=1>x</a></p><frameset><frame src=2></frameset>",
        "<frameset><frame src=2><a href=3></frameset><noframes><a href=4></noframes>",
        "<table background=1><a href=2><tr><td background=3>",
        "<svg><a xlink:href=1><script href=2 /><foreignObject><a href=3>",
        "<svg><![CDATA[<a href=1>]]></svg><![CDATA[<a href=2>]]><a href=3>",
        "<math><mi href=1><annotation-xml encoding=text/html><a href=2>",
        "<template><base href=1></template><svg><base href=2></svg><base href=3>",
        "<noscript><img src=1></noscript><head><noscript><link href=2>",
        "<textarea><a href=1></textarea><title><a href=2></title><style><a href=3></style>",
        "<script><!--<script></script><a href=1>--></script><a href=2>",
        "<plaintext><a href=1>",
        "<image src=1><img src=2>",
        "<select><a href=1><option><img src=2></select>",
        "<iframe src=1><a href=2></iframe><noembed><a href=3></noembed><xmp><a href=4></xmp>",
        "<a href=1 href=2 HREF=3>",
        "<a href><a href=><a href=''><a href = \"\"><a href/><a/href=x/>",
        "<meta http-equiv=content-type content='text/html; charset'><a href=1>",
        "<link http-equiv=content-type content='text/html; charset'><a href=1>",
        "<link content=x><r content=/>",
        "<b content=1><b content=2><b content=3><b content=4><p>x",
        "\u{FEFF}<a href=1>",
        "<a\nhref\r\n=\r\n'x\r\ny'\r\n>",
        "<!-- <a href=1> --><!a href=2><?a href=3><a href=4>",
        "<a href=1",
        "</a href=1>",
        "<p>\0<a hr\0ef=1 href='\0'>\0",
    ] {
        assert_same(html);
    }
}

#[test]
fn spans_and_quotes() {
    let html = b"<A HREF=a/b><a href = 'c&amp;d' ><a href=\"\"><a href><a href= ><img src=x/>";
    let found: Vec<_> = find_values(html, 0, Wanted::VALUES)
        .unwrap()
        .values
        .iter()
        .map(|value| {
            let source = &html[value.span.start..value.span.end];
            (String::from_utf8_lossy(source).into_owned(), value.quote)
        })
        .collect();
    let expect = |text: &str, quote| (text.to_owned(), quote);
    assert_eq!(
        found,
        [
            expect("a/b", Quote::Unquoted),
            expect("c&amp;d", Quote::Single),
            expect("", Quote::Double),
            expect("", Quote::NoValue),
            expect("", Quote::Unquoted),
            expect("x/", Quote::Unquoted),
        ]
    );
}

#[test]
fn the_base_that_counts() {
    for (html, expected) in [
        ("<base target=x><base href=1><base href=2>", Some("1")),
        ("<template><base href=1></template><base href=2>", Some("2")),
        ("<svg><base href=1></svg><p><base href=2>", Some("2")),
        ("<textarea><base href=1></textarea>", None),
        ("<base><a href=1>", None),
        ("<frameset><base href=1></frameset>", None),
        // Foster parenting puts the second before the table in tree order, after the first.
        ("<table><td><base href=1></td><base href=2></table>", Some("2")),
    ] {
        let raw = find_values(html.as_bytes(), 0, Wanted::VALUES).unwrap();
        let base = raw.base.map(|at| &raw.values[at].span);
        let text = base.map(|span| &html[span.start..span.end]);
        assert_eq!(text, expected, "{html}");
    }
}

#[test]
fn documents_that_cost_too_much_are_refused() {
    let repeated = |piece: &str, count| piece.repeat(count);
    let fonts: String = (0..4000).map(|n| format!("<font a{n}>")).collect();
    let bodies: String = (0..20_000).map(|n| format!("<body a{n}=x>")).collect();
    for (html, what) in [
        (repeated("<div>", 100_000), "deep"),
        (format!("<p>{fonts}</p>{}", repeated("<p>x", 4000)), "reconstructed"),
        (bodies, "merged"),
    ] {
        assert_eq!(
            find_values(html.as_bytes(), 0, Wanted::VALUES).err(),
            Some(TooComplex::Tree),
            "{what}"
        );
    }
    let many: String = (0..100_000).map(|n| format!(" a{n}")).collect();
    let deep = repeated("<div>", 1000);
    let html = format!("<p{many} a1 a2>{deep}<a href=x>");
    assert_eq!(find_values(html.as_bytes(), 0, Wanted::VALUES).unwrap().values.len(), 1);
}

#[test]
fn nodes_are_inserted_and_removed_anywhere() {
    for (before, piece) in [
        ("<body a><body b><table>", "x<a href=x>y</a>"),
        ("<table><tr>", "<img src=x>"),
        ("", "<b><p><img src=x></b></p>"),
        ("<table>", "<b><p><img src=x></b></p>"),
        ("<table>", "<!--x--><img src=x></tr>"),
    ] {
        let html = format!("{before}{}", piece.repeat(3_000));
        let found = find_values(html.as_bytes(), 0, Wanted::METADATA);
        assert_eq!(found.map(|it| it.values.len()), Ok(3_000), "{piece}");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Pieces that make tokenizers and tree builders change their state.
    pub(super) const PIECES: &[&str] = &[
        "<a href=",
        "<img src=",
        "<base href=",
        "<svg>",
        "</svg>",
        "<math>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<p>",
        "</p>",
        "<b itemid=1>",
        "</b>",
        "<i>",
        "</i>",
        "<form action=x>",
        "</form>",
        "<select>",
        "</select>",
        "<option>",
        "<template>",
        "</template>",
        "<noscript>",
        "</noscript>",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<textarea>",
        "</textarea>",
        "<title>",
        "</title>",
        "<frameset>",
        "<frame src=y>",
        "<body background=z>",
        "<html>",
        "<head>",
        "</head>",
        "</body>",
        "</html>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!doctype",
        "<?",
        "\"",
        "'",
        ">",
        "=",
        "/",
        " ",
        "\r\n",
        "\r",
        "\n",
        "\0",
        "&amp;",
        "&#x26;",
        "&copy",
        "&",
        ";",
        "x",
        "é",
        "\u{1F600}",
        "<",
        "</",
        "<a",
        "</a>",
        "<foreignObject>",
        "<desc>",
        "<plaintext>",
        "<iframe src=1>",
        "</iframe>",
        "<caption>",
        "<col>",
        "<colgroup>",
        "<button>",
        "<a xlink:href=q>",
        "<annotation-xml encoding=text/html>",
        "<mi>",
        "<nobr>",
        "<li>",
        "<h1>",
        "<image src=r>",
        "<input type=hidden src=s>",
        "<isindex>",
        "<link href=t>",
        "<meta charset=",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn same_as_html5ever(pieces in proptest::collection::vec(
            proptest::sample::select(PIECES), 0..40,
        )) {
            let html = pieces.concat();
            prop_assert_eq!(compare(&html).err(), None, "{}", html);
        }

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Document::parse(&bytes, &ParseOptions::default());
        }
    }
}
