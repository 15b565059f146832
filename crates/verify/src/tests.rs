//! Documents and the differences between them.

use super::document::{ComparisonOptions, DocumentComparison, verify_document};
use super::*;
use rehref_document::lines::LineSyntax;
use rehref_document::{DocumentKind, ParseOptions};
use rehref_url::{AbsoluteUrl, Standard, Url};

fn url(text: &str) -> AbsoluteUrl {
    AbsoluteUrl::new(Standard::Whatwg, Url::parse(text).unwrap())
}

fn verify(before: &[u8], after: &[u8], kind: DocumentKind, urls: [&str; 2]) -> DocumentComparison {
    let [before_url, after_url] = urls.map(url);
    let parse = ParseOptions { kind, ..ParseOptions::default() };
    let options = ComparisonOptions::unmoved(parse, [&before_url, &after_url]);
    verify_document(before, after, &options).unwrap()
}

const DOCUMENT: &str = "http://h/d/p.html";

/// The differences of two documents, one line each.
fn differences(before: &str, after: &str, kind: DocumentKind) -> Vec<String> {
    lines(verify(before.as_bytes(), after.as_bytes(), kind, [DOCUMENT; 2]))
}

fn lines(verified: DocumentComparison) -> Vec<String> {
    verified
        .differences
        .iter()
        .map(|difference| {
            let position = difference.position.or(difference.position_before).unwrap();
            let kind = serde_json::to_value(difference.kind).unwrap();
            format!(
                "{}:{} {} {} {} -> {}",
                position.line,
                position.column,
                kind.as_str().unwrap(),
                difference.place,
                difference.before.as_deref().unwrap_or("none"),
                difference.after.as_deref().unwrap_or("none"),
            )
        })
        .collect()
}

#[test]
fn a_base_element_with_many_signs_in_it_may_go() {
    let signs = "<".repeat(100);
    let before = format!("<base x='{signs}' href=/e/><a href=x>");
    let after = format!("<base x='{signs}'><a href=/e/x>");
    assert_eq!(differences(&before, &after, DocumentKind::Html), [""; 0]);
}

#[test]
fn respelled_references_and_base_elements_are_no_differences() {
    for (before, after) in [
        ("<a href=x>", "<a href=x>"),
        ("<a href=x>y", "<a href=http://h/d/x>y"),
        ("<a href='x?a&amp;b'>", "<a href='/d/x?a&b'>"),
        ("<a href>x", "<a href=\"http://h/d/p.html\">x"),
        ("<a href=x title=y>", "<a href=\"./x\" title=y>"),
        ("<a href=x title=y>", "<a href='./x' title=y>"),
        ("<img srcset=x,y>", "<img srcset=\"/d/x,y\">"),
        (
            "<meta http-equiv=refresh content=0;url=\"x\">",
            "<meta http-equiv=refresh content=\"0;url=&quot;/d/x&quot;\">",
        ),
        ("<img srcset='&#x20zoo 1x'>", "<img srcset='&#x20;/d/zoo 1x'>"),
        (
            "<iframe srcdoc=\"<img srcset='&amp;#x20zoo 1x'>\">",
            "<iframe srcdoc=\"<img srcset='&amp;#x20;/d/zoo 1x'>\">",
        ),
        ("<iframe srcdoc='<a href=x>&quot;'>", "<iframe srcdoc='<a href=\"/d/x\">&quot;'>"),
        ("<iframe srcdoc=\"<a href=x>'\">", "<iframe srcdoc=\"<a href=&quot;/d/x&quot;>'\">"),
        (
            "<iframe srcdoc=<a&#32;href=x&#32;title=&#34;&#34;&gt;>z",
            "<iframe srcdoc=\"<a&#32;href=&quot;/d/x&quot;&#32;title=&#34;&#34;&gt;\">z",
        ),
        (
            "<style>a { b: url( x ) url('y') }</style>",
            "<style>a { b: url( \"/d/x\" ) url('/d/\\79 ') }</style>",
        ),
        ("<p style=\"b: url(x)\">", "<p style=\"b: url(&quot;/d/x&quot;)\">"),
        (
            "<script type=importmap>{\"imports\":{\"a\":\"./x\"}}</script>",
            "<script type=importmap>{\"imports\":{\"a\":\"\\/d\\u002Fx\"}}</script>",
        ),
        // A `base` element may go, and its URL may be respelled.
        ("<base href=/e/><a href=x>", "<base><a href=/e/x>"),
        ("<base href=/e/><a href=x>", "<a href=/e/x>"),
        ("<base href='/e/' target=t><a href=x>", "<base target=t><a href=/e/x>"),
        ("<base target=t href=/e/><a href=x>", "<base target=t><a href=/e/x>"),
        ("<base href=/e/><a href=x>", "<base href=../e/><a href=x>"),
        ("<base href=/e/><a href=x>", "<base href=http://h/e/><a href=x>"),
        (
            "<base href=/e/><base href=/f/ id=i><a href=x>",
            "<base href=\"\"><base href=http://h/f/ id=i><a href=/e/x>",
        ),
        ("<base href='/e/'target=t><a href=x>", "<base target=t><a href=/e/x>"),
        ("<base id=a/ href=/e/><a href=x>", "<base id=a/><a href=/e/x>"),
        ("<base id=a href='/e/'/><a href=x>", "<base id=a /><a href=/e/x>"),
        ("<base href=/e/><!doctype html><a href=x>", "<base><!doctype html><a href=/e/x>"),
        // One element loses its attribute, the other one goes.
        (
            "<base href=/>&quot;<!doctype html><iframe srcdoc='<base href=/>'>",
            "<base>&quot;<!doctype html><iframe srcdoc=''>",
        ),
        ("<iframe srcdoc='<base href=/e/><a href=x>'>", "<iframe srcdoc='<a href=/e/x>'>"),
        ("<base href=/e/><a href=#f>", "<a href=/e/#f>"),
        // No target: the same text.
        ("<a href='{{x}}'><img src=''>", "<a href='{{x}}'><img src=''>"),
        ("<a href='http://['>", "<a href='http://['>"),
        ("<img usemap=#m><a href=mailto:x>", "<img usemap=#m><a href=mailto:x>"),
        ("<applet code=A codebase=c archive=b>", "<applet code=A codebase=./c archive=/d/c/b>"),
    ] {
        assert_eq!(
            differences(before, after, DocumentKind::Html),
            Vec::<String>::new(),
            "{before} {after}"
        );
    }
}

#[test]
fn all_other_changes_are_differences() {
    for (before, after, expected) in [
        ("<p>\n<a href=x>", "<p>\n<a href=y>", &["2:9 target a href x -> y"][..]),
        (
            "<p>a<a href=x>b",
            "<p>A<a href=x>c",
            &["1:4 bytes  a<a href= -> A<a href=", "1:15 bytes  b -> c"],
        ),
        ("<a href=x>", "<a href=\"x\">", &["1:9 bytes   -> \"", "1:11 bytes  > -> \">"]),
        ("<p>a<a href=x>b", "<p>A<a href=\"/d/x\">b", &["1:4 bytes  a<a href= -> A<a href="]),
        (
            "<p>a<a href=x>b<a href=y>",
            "<p>a<a href=\"/d/x\">B<a href=\"/d/y\">",
            &["1:20 bytes  b<a href= -> B<a href="],
        ),
        ("<a href=x>&#x20", "<a href=/d/x>&#x20;", &["1:19 bytes   -> ;"]),
        ("<a href='x'>", "<a href=\"/d/x\">", &["1:9 bytes  ' -> \"", "1:14 bytes  '> -> \">"]),
        ("<a href=x>", "<a href=\"/d/x\" >", &["1:15 bytes  > ->  >"]),
        (
            "<meta http-equiv=refresh content=0;url=x>",
            "<meta http-equiv=refresh content=\"1;url=/d/x\">",
            &["1:35 bytes  0;url= -> 1;url="],
        ),
        ("<img srcset='&#x20zoo 1x'>", "<img srcset='&#x20;zoo 1x'>", &["1:19 bytes   -> ;"]),
        (
            "<img srcset='a, &notzoo 1x'>",
            "<img srcset='a, &notzoo; 1x'>",
            &["1:17 target img srcset &notzoo -> &notzoo;"],
        ),
        (
            "<a href=x><a href=y><a href=z>",
            "<a href=x><p href=y><a href=z>",
            &[
                "1:12 bytes  a href=y><a href= -> p href=y><a href=",
                "1:19 missing-reference a href y -> none",
            ],
        ),
        (
            "<a href=x><a href=z>",
            "<a href=x><a href=y><a href=z>",
            &["1:19 extra-reference a href none -> y", "1:19 bytes   -> y><a href="],
        ),
        (
            "<a href=x>",
            "<link href=x>",
            &[
                "1:2 bytes  a href=x> -> link href=x>",
                "1:9 missing-reference a href x -> none",
                "1:12 extra-reference link href none -> x",
            ],
        ),
        (
            "<base href=/e/ target=t><a href=x>",
            "<a href=/e/x>",
            &["1:2 bytes  base href=/e/ target=t><a href= -> a href="],
        ),
        (
            "<base href=/e/><p><a href=x>",
            "<q><a href=/e/x>",
            &["1:2 bytes  p><a href= -> q><a href="],
        ),
        ("<base href=/e/><a href=x>", "<a href=x>", &["1:9 target a href x -> x"]),
        (
            "<base href=/e/><a href=x>",
            "<base href=/f/><a href=x>",
            &["1:12 base base href /e/ -> /f/", "1:24 target a href x -> x"],
        ),
        (
            "<base href='{{b}}'><a href=x>",
            "<a href=x>",
            &[
                "1:2 bytes  base href='{{b}}'><a href=x> -> a href=x>",
                "1:9 extra-reference a href none -> x",
                "1:13 missing-reference base href {{b}} -> none",
                "1:28 missing-reference a href x -> none",
            ],
        ),
        // The value of a `base` element.
        (
            "<base href=/e/><a href=http://h/x>",
            "<base href=/f/><a href=http://h/x>",
            &["1:12 base base href /e/ -> /f/"],
        ),
        (
            "<a href=http://h/x>",
            "<base href=/f/><a href=http://h/x>",
            &["1:12 base base href none -> /f/"],
        ),
        (
            "<base target=t><a href=x>",
            "<base href=/e/ target=t><a href=../d/x>",
            &["1:12 base base href none -> /e/"],
        ),
        (
            "<base href=mailto:x><a href=y>",
            "<base href=mailto:z><a href=y>",
            &["1:12 base base href mailto:x -> mailto:z"],
        ),
        (
            "<base href=/e/><base href=/f/><a href=/x>",
            "<base href=/e/><base href=/g/><a href=/x>",
            &["1:27 target base href /f/ -> /g/"],
        ),
        (
            "<base href=/e/ target=t><a href=/x>",
            "<base\nhref=/e/ target=t><a href=/x>",
            &["1:6 bytes   href=/e/ target=t><a href= -> \nhref=/e/ target=t><a href="],
        ),
        (
            "<base href='/e/'><a href=/x>",
            "<base href=\"/e/\"><a href=/x>",
            &["1:12 bytes  '/e/'><a href= -> \"/e/\"><a href="],
        ),
        (
            "<base href=/e/ target=t>p<a href=x>",
            "<base href=../e/ target=t>q<a href=x>",
            &["1:27 bytes  p<a href= -> q<a href="],
        ),
        // What runs together, and what is parsed differently.
        (
            "<base href='/e/'target=t><a href=x>",
            "<basetarget=t><a href=/e/x>",
            &["1:6 bytes   href='/e/'target=t><a href= -> target=t><a href="],
        ),
        (
            "<base href=/e/><!doctype html><a href=x>",
            "<!doctype html><a href=/e/x>",
            &["1:2 bytes  base href=/e/><!doctype html><a href= -> !doctype html><a href="],
        ),
        (
            "<pre><base href=/e/>\n<a href=x>",
            "<pre>\n<a href=/e/x>",
            &["1:6 bytes  <base href=/e/>\n<a href= -> \n<a href="],
        ),
        ("<img src=''>", "<img src='p.html'>", &["1:11 meaning img src  -> p.html"]),
        ("<img usemap=#m>", "<img usemap=p.html#m>", &["1:13 meaning img usemap #m -> p.html#m"]),
        ("<img usemap=p.html#m>", "<img usemap=#m>", &["1:13 meaning img usemap p.html#m -> #m"]),
        ("<a href='{{x}}'>", "<a href='/{{x}}'>", &["1:10 meaning a href {{x}} -> /{{x}}"]),
        (
            "<a href='http://['>",
            "<a href='http://[]'>",
            &["1:10 meaning a href http://[ -> http://[]"],
        ),
        (
            // Readers of the first need an absolute URL, of the others not.
            "<meta property=og:url content=http://h/d/x><a href=http://h/d/x><meta property=og:url content=http://h/a/../x>",
            "<meta property=og:url content=x><a href=x><meta property=og:url content=http://h/x>",
            &["1:31 meaning meta content http://h/d/x -> x"],
        ),
        ("<a href=mailto:x>", "<a href=mailto:y>", &["1:9 target a href mailto:x -> mailto:y"]),
        (
            "<applet code=A archive=b>",
            "<applet code=/A archive=c>",
            &["1:14 meaning applet code A -> /A", "1:25 target applet archive b -> c"],
        ),
        ("<style>a{b:url(x)}</style>", "<style>a{b:url( x)}</style>", &["1:16 bytes   ->  "]),
    ] {
        let found = differences(before, after, DocumentKind::Html);
        assert_eq!(found, expected, "{before} {after}");
    }
}

#[test]
fn each_kind_of_document_is_compared_by_its_own_syntax() {
    let xml = "<?xml version='1.0'?><r xmlns:l='http://www.w3.org/1999/xlink' xml:base='b/'><s l:href='x'/></r>";
    for (kind, before, after, expected) in [
        (DocumentKind::Css, "@import 'x';a{}", "@import '/d/x';a{}", &[][..]),
        (DocumentKind::Css, "@import 'x';a{}", "@import '/d/x';a{ }", &["1:18 bytes  } ->  }"]),
        (DocumentKind::Css, "a{b:url(x", "a{b:url(\"/d/x", &["1:9 bytes   -> \""]),
        (
            DocumentKind::Lines(LineSyntax::Robots),
            "Sitemap: s.xml\n",
            "Sitemap: http://h/d/s.xml\n",
            &[],
        ),
        (
            DocumentKind::WebManifest,
            "{\"start_url\": \"x\"}",
            "{\"start_url\":\"x\"}",
            &["1:14 bytes   \" -> \""],
        ),
        // The value is a template only under the first name: the other bytes are the difference.
        (
            DocumentKind::WebManifest,
            "{\"protocol_handlers\": [{\"url\": \"%s\"}]}",
            "{\"shortcuts\": [{\"url\": \"%s\"}]}",
            &["1:3 bytes  protocol_handlers\": [{\"url\": \" -> shortcuts\": [{\"url\": \""],
        ),
        (
            DocumentKind::Xhtml,
            "<html xmlns='http://www.w3.org/1999/xhtml'><base href='/e/'/><a href='x'/></html>",
            "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/e/x'/></html>",
            &[],
        ),
        (
            DocumentKind::Xml,
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='b/'><link href='x'/></feed>",
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/d/b/'><link href='/d/b/x'/></feed>",
            &[],
        ),
        (
            DocumentKind::Xml,
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='b/'><link href='x'/></feed>",
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='c/'><link href='/d/b/x'/></feed>",
            &["1:53 target atom:feed xml:base b/ -> c/"],
        ),
        (DocumentKind::Xml, xml, xml, &[]),
    ] {
        assert_eq!(differences(before, after, kind), expected, "{before} {after}");
    }
}

#[test]
fn only_a_guessed_charset_may_change() {
    let utf16 = |text: &str| -> Vec<u8> {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let urls = [DOCUMENT; 2];
    let html = |before: &[u8], after: &[u8]| verify(before, after, DocumentKind::Html, urls);
    let (old, new) = ("<p>ä<a href=x>", "<p>ä<a href=/d/x>");
    assert_eq!(html(&utf16(old), &utf16(new)).count, 0);
    assert_eq!(
        lines(html(&utf16(old), &utf16("<p>ö<a href=y>"))),
        ["1:4 bytes  ä<a href= -> ö<a href=", "1:13 target a href x -> y"]
    );
    let verified = html(&utf16(old), new.as_bytes());
    assert_eq!(verified.differences[0].kind, DifferenceKind::Encoding);
    // The charset was guessed to be windows-1252; AFTER is all ASCII.
    assert_eq!(html(b"<a href='\xFC'>", b"<a href='/d/%C3%BC'>").count, 0);
    assert_eq!(html(b"<a href='?\xFC'>", b"<a href='/d/p.html?%FC'>").count, 0);
    assert_eq!(html(b"<a href='?\xFC'>", b"<a href='/d/p.html?%C3%BC'>").count, 1);
    // Other letters are decoded in another charset, too.
    let (old, new) = (b"<a href='\xFC'>\xC3\xA4", b"<a href='/d/%C3%BC'>\xC3\xA4");
    let compared = html(old, new);
    assert_eq!(compared.differences.len(), 1, "{:?}", compared.differences);
    assert_eq!(compared.differences[0].kind, DifferenceKind::Encoding);
    let message = |html: &[u8]| [b"MIME-Version: 1.0\nContent-Type: text/html\n\n", html].concat();
    let kind = DocumentKind::Message;
    let compared = verify(&message(old), &message(new), kind, urls);
    assert_eq!(compared.differences.len(), 1, "{:?}", compared.differences);
    assert_eq!(compared.differences[0].kind, DifferenceKind::Encoding);
}

#[test]
fn other_bytes_of_a_part_in_a_transfer_encoding_are_compared() {
    let message = |encoding: &str, body: &str| {
        let headers = "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: ";
        [headers, encoding, "\n\n", body].concat().into_bytes()
    };
    // "<p>a<a href=x>b" and "<p>a<a href=/d/x>b"; in the third document, one of the letters differs.
    for (encoding, before, after, damaged) in [
        ("quoted-printable", "<p>a<a href=3Dx>b", "<p>a<a href=3D/d/x>b", "<p>A<a href=3D/d/x>b"),
        ("base64", "PHA+YTxhIGhyZWY9eD5i", "PHA+YTxhIGhyZWY9L2QveD5i", "PHA+YTxhIGhyZWY9L2QveD5C"),
    ] {
        let compared = |after: &str| {
            let (before, after) = (message(encoding, before), message(encoding, after));
            lines(verify(&before, &after, DocumentKind::Message, [DOCUMENT; 2])).len()
        };
        assert_eq!([compared(before), compared(after)], [0, 0], "{encoding}");
        assert_eq!(compared(damaged), 1, "{encoding}");
    }
}

#[test]
fn a_moved_document_keeps_its_targets() {
    for (before, after, expected) in [
        ("<a href=x><a href=#f><a href=/z>", "<a href=../d/x><a href=#f><a href=/z>", 0),
        ("<a href=x>", "<a href=x>", 1),
    ] {
        // Even if no URL of the site changes, the document's own does.
        let (kind, urls) = (DocumentKind::Html, [DOCUMENT, "http://h/e/q.html"]);
        let unfollowed = verify(before.as_bytes(), after.as_bytes(), kind, urls);
        assert!(unfollowed.count >= expected, "{before} {after}");
        let follow = |target: &AbsoluteUrl| match target.as_str().strip_prefix(DOCUMENT) {
            Some(rest) => url(&format!("http://h/e/q.html{rest}")),
            None => target.clone(),
        };
        let (own, moved) = (url(DOCUMENT), url("http://h/e/q.html"));
        let options = ComparisonOptions {
            follow: &follow,
            keeps_urls: false,
            follow_base: &follow,
            limit: 0,
            ..ComparisonOptions::unmoved(ParseOptions::default(), [&own, &moved])
        };
        let verified = verify_document(before.as_bytes(), after.as_bytes(), &options).unwrap();
        assert_eq!(verified.count, expected, "{before} {after}");
        assert_eq!(verified.differences, []);
    }
}

#[test]
fn a_long_run_of_missing_references_is_one_difference() {
    let before = "<a href=x>y</a>".repeat(1000);
    let found = differences(&before, "<!-- -->", DocumentKind::Html);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn references_without_a_target_are_not_proven_where_their_base_changed() {
    for (before, after, expected) in [
        ("<base href=/e/><a href='{{ x }}'>", "<a href='{{ x }}'>", 1),
        ("<base href=/e/><a href='/{{ x }}'>", "<a href='/{{ x }}'>", 0),
        ("<base href=/d/><a href='{{ x }}'>", "<a href='{{ x }}'>", 0),
        ("<base href=/e/><a href='a#{{{'>", "<a href='/e/a#{{{'>", 0),
        ("<base href=/e/><applet code=a.class></applet>", "<applet code=a.class></applet>", 1),
    ] {
        let verified =
            verify(before.as_bytes(), after.as_bytes(), DocumentKind::Html, [DOCUMENT; 2]);
        assert_eq!(verified.count, 0, "{before} {:?}", verified.differences);
        assert_eq!(verified.references.not_proven, expected, "{before}");
        assert_eq!(verified.not_proven.len(), expected, "{before}");
    }
}

#[test]
fn warnings_are_counted_beyond_the_limit() {
    let own = url(DOCUMENT);
    let options = ComparisonOptions {
        limit: 1,
        ..ComparisonOptions::unmoved(ParseOptions::default(), [&own, &own])
    };
    let before = "<base href=/e/><a href='{{ x }}'><a href='{{ y }}'>";
    let after = "<a href='{{ x }}'><a href='{{ y }}'>";
    let verified = verify_document(before.as_bytes(), after.as_bytes(), &options).unwrap();
    assert_eq!(verified.references.not_proven, 2);
    assert_eq!(verified.not_proven.len(), 1);
}

#[test]
fn links_of_pages_served_at_any_depth_must_not_begin_to_depend_on_it() {
    for (before, after, expected) in [
        ("<a href=/d/x>", "<a href=x>", 1),
        ("<a href=x>", "<a href=/d/x>", 0),
        ("<a href=x>", "<a href=./x>", 0),
        ("<a href=/d/p.html#f>", "<a href=#f>", 0),
        ("<base href=/d/><a href=x>", "<a href=x>", 1),
        ("<a href=/d/x>", "<a href=http://h/d/x>", 0),
    ] {
        let own = url(DOCUMENT);
        let options = ComparisonOptions {
            is_served_anywhere: true,
            ..ComparisonOptions::unmoved(ParseOptions::default(), [&own, &own])
        };
        let verified = verify_document(before.as_bytes(), after.as_bytes(), &options).unwrap();
        assert_eq!(verified.count, expected, "{before} {after}");
    }
}

#[test]
fn references_are_counted_by_how_they_changed() {
    let verified = verify(
        b"<base href=/e/><a href=/x><a href=y><a href=/{{x}}>",
        b"<a href=/x><a href=/e/y><a href=/{{x}}>",
        DocumentKind::Html,
        [DOCUMENT; 2],
    );
    let expected = report::ComparedReferences {
        compared: 3,
        unchanged: 2,
        respelled: 1,
        different: 0,
        not_proven: 0,
        template_markup: 1,
        base: 1,
    };
    assert_eq!(verified.references, expected);
}
