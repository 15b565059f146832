mod properties;

use serde_json::Value;

use super::*;
use crate::fuzzing::styles::is_open_escape;
use crate::test_data::conformance;

fn texts(css: &str) -> Vec<String> {
    urls(css).into_iter().map(|url| url.text.as_str().to_owned()).collect()
}

#[test]
fn characters_in_comments_are_in_nothing_else() {
    for (css, expected) in [
        ("", true),
        ("a{b:url(c)}", true),
        ("/* \u{A9} */ a{b:url(c)}", true),
        ("a{/*\u{A9}*/b:url(c)}/*\u{A9}", true),
        ("a{b:url(/*\u{A9}*/)}", false),
        ("a{b:'/*\u{A9}*/'}", false),
        ("/**/a{b:(c[\u{A9}])}/*\u{A9}*/", false),
    ] {
        assert_eq!(is_ascii_outside_comments(css), expected, "{css}");
    }
}

#[test]
fn what_is_a_url() {
    for (css, expected) in [
        ("", &[][..]),
        ("color: red", &[]),
        // url() and src().
        ("a{b:url(x)}c{d:URL( 'y' )}e{f:Url(\n\"z\"\n)}", &["x", "y", "z"]),
        ("background: url(a.png), url(b.png)", &["a.png", "b.png"]),
        ("url()url( )url('')url(", &["", "", "", ""]),
        (r"\75 rl(x) \55R\6c('y') u\72l(z)", &["x", "y", "z"]),
        (r"u\rl(x)", &["x"]),
        (r"\u rl(x) url\28 x) url (x) curl(x) url[x]", &[]),
        (r"src('a') SRC( /**/ 'b' ) s\72 c('c')", &["a", "b", "c"]),
        ("src(a) src() src(1 'b') src: 'c'", &[]),
        ("url('a' foo('b') bar) url('c' 'd')", &["a", "c"]),
        ("url('a' integrity('sha') url(b))", &["a", "b"]),
        ("a{--x:url(a);b:c({[url(b)]} url('c'))}", &["a", "b", "c"]),
        ("<!-- a{b:url(x)} --> c{d:url(y)}", &["x", "y"]),
        ("@media x{@font-face{src:url(a)format('woff'),local('b')}}", &["a"]),
        (") ] } url(a) ] ) }", &["a"]),
        ("image-set((url(a) ]'b') 'c' ) 'd'", &["a", "c"]),
        // No URLs.
        ("/* url(a) @import 'b'; */ url(c) /* url(d", &["c"]),
        ("url(a b) url(a'b) url(a(b) url(\x01) url(c", &["c"]),
        ("url('a\n) x{y:url(c)}", &["c"]),
        ("url-prefix(a) url-prefix('b') domain('c')", &[]),
        ("content: 'a' attr(b) counter(c, 'd')", &[]),
        ("a[href='url(b)']::after { content: 'url(c)' }", &[]),
        ("a:is(b, 'c'):not(d){font:'e';src:format('woff') tech('f')}", &[]),
        ("@charset 'a'; @layer b; @counter-style c{symbols:'d' url(e)}", &["e"]),
        ("filter: progid:x.AlphaImageLoader(src='a.png')", &[]),
        // @import and its neighbours.
        (
            "@import 'a';@IMPORT url(b);@\\69mport/**/ url('c') ;@import src(\"d\")",
            &["a", "b", "c", "d"],
        ),
        ("@import 'a' 'b' url(c); d{e:url(f)}", &["a", "f"]),
        ("@import url('a' x('b')) layer('c') supports(d:url(e)) f;g{h:url(i)}", &["a", "i"]),
        ("@import a 'b'; @import (url(c)); @import d(url(e));", &[]),
        ("@import 'a' ({url(b)}) {c:url(d)}", &["a", "d"]),
        ("a { @import 'b' } c { d: url(e) 'f' }", &["b", "e"]),
        ("a { b: (@import 'c'; @namespace url(d)) }", &["d"]),
        ("@media a { @import 'b' c } @import 'd' } url(e) ; url(f)", &["b", "d", "f"]),
        ("@namespace 'a'; @Namespace b url(c); d{e:url(f)}", &["f"]),
        ("@supports (a:url(b)) and (c:image-set('d')) {e{f:url(g)}}", &["g"]),
        ("@document url(a),url-prefix('b'){c{d:url(e)}}", &["e"]),
        ("@foo url(a) 'b' { url(c) } url(d)", &["a", "c", "d"]),
        // Strings among images.
        ("image-set('a' 1x, url(b) 2x, \"c\" type('d') 3x, e('f')) 'g'", &["a", "b", "c"]),
        ("-Webkit-Image-Set('a') x(IMAGE-SET('b', image-set('c')) 'd')", &["a", "b", "c"]),
        ("image(ltr 'a.png', red) image(url(b)) image(c)", &["a.png", "b"]),
        ("image-set(cross-fade(url(a), 'b') ['c'] ('d'))", &["a"]),
        ("src(var(--a, 'b')) image-set(var(--c, env(d, 'e')) 'f') var(--g, 'h')", &["b", "e", "f"]),
        ("image-set(if(style(--a: 'b'): 'c'; else: 'd'), attr(e, 'f'))", &["c", "d"]),
    ] {
        assert_eq!(texts(css), expected, "{css}");
    }
}

#[test]
fn raw_text_and_form() {
    let quoted = |quote: char| CssSyntax::Quoted(quote as u8);
    for (css, raw, text, syntax) in [
        ("url(a)", "a", "a", CssSyntax::Unquoted),
        ("url( \r\n a\t\x0C)", "a", "a", CssSyntax::Unquoted),
        ("url( ", "", "", CssSyntax::Unquoted),
        ("url(ä\u{1F600}", "ä\u{1F600}", "ä\u{1F600}", CssSyntax::Unquoted),
        (r"url(a\(\)\'\ b)", r"a\(\)\'\ b", "a()' b", CssSyntax::Unquoted),
        (r"\75 rl( \20 a\20 )", r"\20 a\20 ", " a ", CssSyntax::Unquoted),
        (r"url(a\", r"a\", "a\u{FFFD}", CssSyntax::Unquoted),
        ("url(\0)", "\0", "\u{FFFD}", CssSyntax::Unquoted),
        ("url(\\\0)", "\\\0", "\u{FFFD}", CssSyntax::Unquoted),
        (r"url(\é\00e9x)", r"\é\00e9x", "ééx", CssSyntax::Unquoted),
        (r"url(\61\62\63 )", r"\61\62\63 ", "abc", CssSyntax::Unquoted),
        (r"url(\0000617\61  )", r"\0000617\61 ", "a7a", CssSyntax::Unquoted),
        ("src('a')", "a", "a", quoted('\'')),
        ("src(\"a", "a", "a", quoted('"')),
        (r"src('a\", r"a\", "a", quoted('\'')),
        (r"src('a\'b", r"a\'b", "a'b", quoted('\'')),
        ("src('a\"b\0')", "a\"b\0", "a\"b\u{FFFD}", quoted('\'')),
        (
            "src('\\\na\\\r\nb\\\rc\\\x0Cd\\\n')",
            "\\\na\\\r\nb\\\rc\\\x0Cd\\\n",
            "abcd",
            quoted('\''),
        ),
        (
            "src('\\61\r\nb\\61\nb\\61\tb\\61\rb')",
            "\\61\r\nb\\61\nb\\61\tb\\61\rb",
            "abababab",
            quoted('\''),
        ),
        (
            r"src('\0 \d800 \dfff x\110000 \10FFFF\1F600')",
            r"\0 \d800 \dfff x\110000 \10FFFF\1F600",
            "\u{FFFD}\u{FFFD}\u{FFFD}x\u{FFFD}\u{10FFFF}\u{1F600}",
            quoted('\''),
        ),
    ] {
        let found = urls(css);
        let [url] = found.as_slice() else {
            panic!("{css:?}: {found:?}");
        };
        assert_eq!(&css[url.span.range()], raw, "{css:?}");
        assert_eq!(url.text.as_str(), text, "{css:?}");
        assert_eq!(url.syntax, syntax, "{css:?}");
    }
}

#[test]
fn pieces_lead_back_to_their_source() {
    let css = "src('\\\nx\\20 y\\'\\é\\1F600\r\nz\\\r\nä\0')";
    let url = urls(css).remove(0);
    assert_eq!(url.text.as_str(), "x y'é\u{1F600}zä\u{FFFD}");
    for (piece, source) in [
        ("x", "x"),
        (" ", "\\20 "),
        ("y", "y"),
        ("'", "\\'"),
        ("é", "\\é"),
        ("\u{1F600}", "\\1F600\r\n"),
        ("z", "z"),
        ("ä", "ä"),
        ("\u{FFFD}", "\0"),
        ("y'é", "y\\'\\é"),
        ("zä", "z\\\r\nä"),
    ] {
        let at = url.text.as_str().find(piece).unwrap();
        let range = url.text.source_span(Span::from(at..at + piece.len()));
        assert_eq!(&css[url.span.range()][range.range()], source, "{piece:?}");
    }
}

#[test]
fn escaping() {
    let (double, single) = (CssSyntax::Quoted(b'"'), CssSyntax::Quoted(b'\''));
    for (with, syntax, expected) in [
        ("", CssSyntax::Unquoted, ""),
        ("a/b?c=d&e#f", CssSyntax::Unquoted, "a/b?c=d&e#f"),
        ("a b(c)'\"\\", CssSyntax::Unquoted, r#"a\20 b\(c\)\'\"\\"#),
        ("\t\n\u{7F}\0é", CssSyntax::Unquoted, r"\9 \a \7f \0 é"),
        ("a b(c)'\"\\", double, r#"a b(c)'\"\\"#),
        ("a b(c)'\"\\", single, r#"a b(c)\'"\\"#),
        ("\n\r\x0C1", double, r"\a \d \c 1"),
        ("</style>", double, r"\3c /style>"),
    ] {
        assert_eq!(escape(with, syntax), expected, "{with:?} {syntax:?}");
    }
}

#[test]
fn open_escapes() {
    for (raw_before, expected) in [
        ("", false),
        ("20", false),
        (r"\", false),
        (r"\20", true),
        (r"a\e", true),
        (r"\123456", true),
        (r"\1234567", false),
        (r"\20 ", false),
        (r"\20x", false),
        (r"\\20", false),
        (r"\\\20", true),
        (r"\g20", false),
        ("\\\n20", false),
    ] {
        assert_eq!(is_open_escape(raw_before), expected, "{raw_before}");
    }
}

#[test]
fn charset_rule() {
    for (bytes, expected) in [
        (&b""[..], None),
        (b"@charset \"utf-8\";", Some("UTF-8")),
        (b"@charset \"Shift_JIS\"; a{}\xFF", Some("Shift_JIS")),
        (b"@charset \" latin1 \";", Some("windows-1252")),
        (b"@charset \"utf-16\";", Some("UTF-8")),
        (b"@charset \"utf-16be\";", Some("UTF-8")),
        (b"@charset \"utf-8\"", None),
        (b"@charset \"utf-8\" ;", None),
        (b"@charset 'utf-8';", None),
        (b"@charset  \"utf-8\";", None),
        (b"@CHARSET \"utf-8\";", None),
        (b" @charset \"utf-8\";", None),
        (b"@charset \"\tutf-8\";", None),
        (b"@charset \"none\";", None),
        (b"@charset \"utf-8", None),
    ] {
        let found = charset(bytes).map(Encoding::name);
        assert_eq!(found, expected, "{}", bytes.escape_ascii());
    }
    let late = format!("@charset \"{}utf-8\";", " ".repeat(1024));
    assert_eq!(charset(late.as_bytes()), None);
}

#[test]
fn deep_nesting() {
    for open in ["(", "[", "{", "a(", "@a(", "image-set("] {
        let mut css = open.repeat(100_000);
        assert_eq!(texts(&css), [""; 0]);
        css.push_str("url(x)");
        assert_eq!(texts(&css), ["x"], "{open}");
    }
}

fn parsing_tests(file: &str) -> Option<Value> {
    let text = conformance(&format!("css-parsing-tests/{file}"))?;
    Some(serde_json::from_str(&text).unwrap())
}

/// The URLs in the test data's syntax of component values: `["url", x]`, and a string first in
/// `["function", "url", ...]`.
fn expected_urls(value: &Value, found: &mut Vec<String>) {
    let Some(items) = value.as_array() else { return };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match items.as_slice() {
        [kind, url] if kind == "url" => found.push(text(url)),
        [kind, name, arguments @ ..]
            if kind == "function" && text(name).eq_ignore_ascii_case("url") =>
        {
            let first = arguments.iter().find(|argument| *argument != " ");
            if let Some([kind, url]) = first.and_then(Value::as_array).map(Vec::as_slice)
                && kind == "string"
            {
                found.push(text(url));
            }
        }
        _ => items.iter().for_each(|item| expected_urls(item, found)),
    }
}

#[test]
fn css_parsing_tests_urls() {
    let Some(data) = parsing_tests("_url-token-subset.json") else { return };
    let cases = data["cases"].as_array().unwrap();
    assert!(cases.len() >= 11);
    for case in cases {
        let mut expected = Vec::new();
        expected_urls(&case["expected"], &mut expected);
        let css = case["input"].as_str().unwrap();
        assert_eq!(texts(css), expected, "{css:?}");
    }
}

#[test]
fn css_parsing_tests_charsets() {
    let Some(data) = parsing_tests("stylesheet_bytes.json") else { return };
    let mut compared = 0;
    for pair in data.as_array().unwrap().chunks(2) {
        let bytes: Vec<u8> = pair[0]["css_bytes"]
            .as_str()
            .unwrap()
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
        if pair[0]["protocol_encoding"].is_string() || Encoding::for_bom(&bytes).is_some() {
            continue;
        }
        let environment = pair[0]["environment_encoding"]
            .as_str()
            .and_then(|label| Encoding::for_label(label.as_bytes()));
        let found = charset(&bytes).or(environment).unwrap_or(UTF_8);
        let expected = pair[1][1].as_str().unwrap();
        assert!(found.name().eq_ignore_ascii_case(expected), "{pair:?}");
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn custom_properties() {
    let css = "a { --x: url(1) ; b: url(2); --y : { c: url(3); } url(4); d:url(5) } --z: url(6); \
               e:--f:hover { g: url(7) } h { --i: x } j { k: url(8) } @l --m: url(9);";
    let custom: Vec<Option<String>> = urls(css).into_iter().map(|it| it.custom_property).collect();
    let [x, y, z] = ["--x", "--y", "--z"].map(|name| Some(name.to_owned()));
    assert_eq!(custom, [x, None, y.clone(), y, None, z, None, None, None]);
}

#[test]
fn uses_of_custom_properties() {
    for (css, expected) in [
        ("a { --x: url(1) } b { c: var(--x) }", true),
        ("a { c: var( /**/ --x, none); --x: url(1) }", true),
        ("a { --x: url(1); --y: var(--x) }", true),
        (r"a { --x: url(1); c: VAR(--\78) }", true),
        ("a { --x: url(1); c: var(--X) }", false),
        ("a { --x: url(1); c: var(--y, --x) }", false),
        ("a { --x: url(1); c: x(--x) }", false),
        ("a { --x: url(1); c: 'var(--x)' }", false),
    ] {
        let (urls, used) = urls_and_uses(css, usize::MAX);
        assert_eq!(urls[0].custom_property.as_deref(), Some("--x"), "{css}");
        assert_eq!(used.contains("--x"), expected, "{css}");
    }
}

#[test]
fn an_attribute_that_may_have_no_urls_has_neither_urls_nor_uses() {
    for (raw, expected) in [
        ("color: red; margin: 0 auto", false),
        ("fill: rgb(0,0,0); width: calc(1px + 2em)", false),
        ("background: URL(a)", true),
        ("background: \\75rl(a)", true),
        ("background: ur&#108;(a)", true),
        ("color: var(--x)", true),
    ] {
        assert_eq!(may_have_urls(raw.as_bytes()), expected, "{raw}");
        let (urls, uses) = urls_and_uses(raw, usize::MAX);
        assert!(expected || urls.is_empty() && uses.is_empty(), "{raw}");
    }
}
