//! Metadata of whole documents.

use crate::{Document, DocumentKind, Metadata, ParseOptions};

use super::Rel;

fn parsed(source: &[u8], kind: DocumentKind) -> Document<'_> {
    let options = ParseOptions { kind, metadata: true, ..ParseOptions::default() };
    Document::parse(source, &options).unwrap()
}

fn metadata(source: &[u8], kind: DocumentKind) -> Metadata {
    parsed(source, kind).metadata.unwrap()
}

fn html(source: &str) -> Metadata {
    metadata(source.as_bytes(), DocumentKind::Html)
}

/// The source from an offset to the next quote, space or angle bracket.
fn word_at(source: &str, at: usize) -> &str {
    let rest = &source[at..];
    let end = rest.find(['"', '\'', ' ', '>', '<']).unwrap_or(rest.len());
    &rest[..end]
}

#[test]
fn metadata_only_where_it_is_asked_for() {
    let source = b"<link rel=next href=x><p id=a data-rehref-ignore>";
    let document = Document::parse(source, &ParseOptions::default()).unwrap();
    assert_eq!(document.metadata, None);
}

#[test]
fn anchors_of_html() {
    for (source, expected, duplicates) in [
        ("", &[][..], &[][..]),
        ("<p id=a><a name=b><a id=c name=d>", &["a", "b", "c", "d"], &[]),
        ("<p ID='x y'><p id=\"&auml;&amp;\"><p id=ü>", &["x y", "ä&", "ü"], &[]),
        ("<p id><p id=''><a name><a name=''>", &[], &[]),
        ("<p id=a id=b ID=c>", &["a"], &[]),
        // Names are not ids, and only those of `a` are anchors.
        ("<p name=a><img name=b><form name=c><map name=d>", &[], &[]),
        ("<a id=x name=x><a name=y><a name=y>", &["x", "y"], &[]),
        ("<svg id=s><a name=n><g id=g></g></a></svg>", &["g", "s"], &[]),
        ("<math id=m><mi name=n id=i><a name=k></mi></math>", &["i", "k", "m"], &[]),
        ("<math><a name=k id=j>x</a></math>", &["j"], &[]),
        // Tokens that add attributes to an existing element.
        ("<html><body id=a><html id=b><body id=c>", &["a", "b"], &[]),
        ("<p><html id=b><html id=c><body id=d>", &["b", "d"], &[]),
        ("<html id=x><body id=x>", &["x"], &["x"]),
        // Tokens that make no element.
        ("<head id=c></head><td id=a><tr id=b><head id=d><p id=e>", &["c", "e"], &[]),
        ("<form id=a><form id=b></form><p id=c>", &["a", "c"], &[]),
        ("<p id=a><frameset id=b><frame id=c></frameset>", &["b", "c"], &[]),
        ("</p id=a></br id=b>", &[], &[]),
        ("<!-- <p id=a> --><textarea><p id=b></textarea><script><p id=c></script>", &[], &[]),
        ("<p id=a", &[], &[]),
        // Not in the document tree.
        ("<template id=a><p id=b><template id=c><p id=d></template></template>", &["a"], &[]),
        ("<template><p id=a></template><p id=a><template><p id=a></template>", &["a"], &[]),
        ("<iframe srcdoc='<p id=a>'></iframe><!--[if IE]><p id=b><![endif]-->", &[], &[]),
        // One tag, several elements.
        ("<p><b id=a>1<p>2<p>3</b>", &["a"], &[]),
        ("<b id=a><p>1</b>2</p>", &["a"], &[]),
        ("<a id=a name=b><div><a id=c>x</a></div></a>", &["a", "b", "c"], &[]),
        ("<table><b id=a><tr id=b><td id=c>x</table>y", &["a", "b", "c"], &[]),
        ("<p id=a><p id=b><p id=a><svg><g id=a></svg>", &["a", "b"], &["a", "a"]),
        ("<p id=a><p id=A><p id=' a'><p id=&#97;>", &[" a", "A", "a"], &["&#97;"]),
        ("<p id={{x}}><p id={{x}}>", &["{{x}}"], &[]),
        ("<noscript><p id=a></noscript>", &["a"], &[]),
    ] {
        let metadata = html(source);
        assert_eq!(metadata.anchors.iter().collect::<Vec<_>>(), expected, "{source}");
        let found = metadata.duplicate_ids.iter();
        let found: Vec<_> = found.map(|d| word_at(source, d.span.start)).collect();
        assert_eq!(found, duplicates, "{source}");
        for duplicate in &metadata.duplicate_ids {
            assert!(duplicate.first < duplicate.span, "{source}");
        }
    }
}

#[test]
fn anchors_in_the_charset_of_the_document() {
    let source = b"<meta charset=windows-1252><p id=gr\xFC\xDFe><a name='\x80'>";
    let found = metadata(source, DocumentKind::Html);
    assert_eq!(found.anchors.iter().collect::<Vec<_>>(), ["grüße", "€"]);
    let utf16: Vec<u8> =
        "\u{FEFF}<p id=ä><p id=ä>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let found = metadata(&utf16, DocumentKind::Html);
    assert_eq!(found.anchors.iter().collect::<Vec<_>>(), ["ä"]);
    assert_eq!(found.duplicate_ids[0].span.start, 18, "in the working bytes");
}

#[test]
fn anchors_of_xml() {
    const XHTML: &str = "<html xmlns='http://www.w3.org/1999/xhtml'>";
    for (source, kind, expected, duplicates) in [
        (
            "<svg id='a'><g id='b&amp;'/><a name='n' xml:id='c'/><g ID='d'/></svg>".to_owned(),
            DocumentKind::Xml,
            &["a", "b&", "c"][..],
            &[][..],
        ),
        (
            "<svg><g id='a' xml:id='a'/><g xml:id='b'/><g id='b'/></svg>".to_owned(),
            DocumentKind::Xml,
            &["a", "b"],
            &["b"],
        ),
        (
            "<svg><g id='&unknown;'/><g id=''/><!-- <g id='x'/> --></svg>".to_owned(),
            DocumentKind::Xml,
            &[],
            &[],
        ),
        (
            format!(
                "{XHTML}<a name='n'/><p id='p' name='q'/><template id='t'><p id='no'/>
                 <template><p id='no'/></template></template><p id='p'/></html>"
            ),
            DocumentKind::Xhtml,
            &["n", "p", "t"],
            &["p"],
        ),
    ] {
        let metadata = metadata(source.as_bytes(), kind);
        assert_eq!(metadata.anchors.iter().collect::<Vec<_>>(), expected, "{source}");
        let found = metadata.duplicate_ids.iter().map(|d| &*d.id);
        assert_eq!(found.collect::<Vec<_>>(), duplicates, "{source}");
    }
}

#[test]
fn generators_are_named() {
    const XHTML: &str = "<html xmlns='http://www.w3.org/1999/xhtml'><head>";
    for (source, expected) in [
        ("<p>", &[][..]),
        ("<meta name=generator content=rustdoc>", &["rustdoc"]),
        ("<META NAME=Generator CONTENT='a &amp; b'><meta name=generator>", &["a & b"]),
        ("<meta name=author content=x><svg><meta name=generator content=y>", &["y"]),
        (
            "<meta name=generator content='Docutils 0.19'>
             <link rel=stylesheet href=../_static/pygments.css><script src=../_static/doctools.js>",
            &["Docutils 0.19", "Sphinx"],
        ),
        ("<!-- Generated by javadoc (17) on x --><p>", &["javadoc"]),
        ("<!-- Generated by Doxygen 1.9.1 --", &["Doxygen"]),
        ("<script src=mylib/template.js></script><a href=_static/doctools.js>", &[]),
    ] {
        assert_eq!(html(source).generators, expected, "{source}");
    }
    let source = format!("{XHTML}<meta content='DocBook' name='generator'/></head></html>");
    let found = metadata(source.as_bytes(), DocumentKind::Xhtml);
    assert_eq!(found.generators, ["DocBook"]);
}

#[test]
fn base_elements_are_counted() {
    for (source, expected) in [
        ("<base target=x><a href=1>", &[][..]),
        ("<base href=1><a href=2>", &[(0, &["1"][..], None)]),
        ("<base href=1><base target=x><base href=2>", &[(0, &["1", "2"], None)]),
        ("<link href=a><base href=1>", &[(0, &["1"], Some("a"))]),
        // References that do not depend on the base.
        (
            "<html manifest=m><link href=https://a.example/><img src=''><img usemap=#m>
             <link href='{{x}}'><base href=1>",
            &[(0, &["1"], None)],
        ),
        ("<a href=#f><base href=1>", &[(0, &["1"], Some("#f"))]),
        ("<style>a{b:url(x)}</style><base href=1>", &[(0, &["1"], Some("x)}"))]),
        // Not in the tree of this document.
        (
            "<template><base href=1></template><svg><base href=2></svg>
             <!--[if IE]><base href=3><![endif]--><base href=4>",
            &[(0, &["4"], None)],
        ),
        (
            "<base href=1><iframe srcdoc='<a href=x></a><base href=2><base href=3>'></iframe>",
            &[(0, &["1"], None), (1, &["2", "3"], Some("x"))],
        ),
    ] {
        let bases = html(source).bases;
        let hrefs: Vec<Vec<&str>> = bases
            .iter()
            .map(|own| own.hrefs.iter().map(|&at| word_at(source, at)).collect())
            .collect();
        let found: Vec<_> = bases
            .iter()
            .zip(&hrefs)
            .map(|(own, hrefs)| {
                let late_for = own.late_for.map(|at| word_at(source, at));
                (own.scope, &hrefs[..], late_for)
            })
            .collect();
        assert_eq!(found, expected, "{source}");
    }
    let source = "<html xmlns='http://www.w3.org/1999/xhtml' xml:base='b'><a href='x'/>
        <base href='1'/><base href='2'/></html>";
    let found = metadata(source.as_bytes(), DocumentKind::Xhtml).bases;
    let hrefs = found.iter().flat_map(|own| &own.hrefs);
    assert_eq!(hrefs.map(|&at| word_at(source, at)).collect::<Vec<_>>(), ["1", "2"]);
}

#[test]
fn links_say_what_they_are_for() {
    let rels = |source: &str, kind| {
        let document = parsed(source.as_bytes(), kind);
        let all = document.references.iter();
        all.map(|reference| reference.rel).collect::<Vec<_>>()
    };
    let source = "<link rel='PRECONNECT x' href=//a.example><link rel=alternate hreflang=de href=d>
        <link href=e><a rel=canonical href=f><link rel=preload imagesrcset='g 1x, h 2x' href=i>
        <svg><link rel=canonical href=j></svg><iframe srcdoc='<link rel=canonical href=k>'>";
    assert_eq!(
        rels(source, DocumentKind::Html),
        [
            Rel::PRECONNECT,
            Rel::ALTERNATE.with(Rel::HREFLANG),
            Rel::NONE,
            Rel::NONE,
            Rel::PRELOAD,
            Rel::PRELOAD,
            Rel::PRELOAD,
            // The one in SVG is not a `link` of HTML.
            Rel::CANONICAL,
        ]
    );
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='a'/></feed>";
    assert_eq!(rels(atom, DocumentKind::Xml), [Rel::SELF]);
}

#[test]
fn ignore_marks_cover_elements() {
    for (source, expected) in [
        ("<a href=1><a href=2>", ""),
        ("<a href=1 data-rehref-ignore><a href=2>", "1"),
        ("<a data-rehref-ignore href=1><b itemid=2></b></a><a href=3>", "1 2"),
        ("<div data-rehref-ignore><a href=1></div>text<a href=2>", "1"),
        ("<p data-rehref-ignore><img src=1><p><img src=2>", "1"),
        ("<ul><li data-rehref-ignore><img src=1><li><img src=2></ul>", "1"),
        ("<img src=1><body data-rehref-ignore><img src=2>", "1 2"),
        ("<html><head><link href=1></head><body data-rehref-ignore=''><img src=2>", "2"),
        ("<head data-rehref-ignore><link href=1></head><body><img src=2>", "1"),
        ("<style data-rehref-ignore>a{b:url(1)}</style><img src=2>", "1"),
        ("<iframe data-rehref-ignore srcdoc='<img src=1>'></iframe><img src=2>", "1"),
        (
            "<iframe srcdoc='<p data-rehref-ignore><img src=1></p><img src=2>'></iframe><img src=3>",
            "1",
        ),
        ("<template data-rehref-ignore><img src=1></template><img src=2>", "1"),
        ("<template><p data-rehref-ignore><img src=1></p><img src=2></template>", "1"),
        ("<svg data-rehref-ignore><a href=1></svg><img src=2>", "1"),
        ("<i data-rehref-ignore=a><img src=1></i><img src=2>", ""),
        ("<i data-rehref-ignore='x, check'><img src=1></i><img src=2>", "1"),
        ("<i data-rehref-ignore=true><img src=1></i><img src=2>", "1"),
        ("<i data-rehref-ignore=false><img src=1></i><img src=2>", ""),
        ("<i data-rehref-ignore='a'><img src=1><b data-rehref-ignore=check><img src=2>", "2"),
        ("<i data-rehref-ignore><img src=1><b data-rehref-ignore=other><img src=2>", "1 2"),
        // A fostered element is not in the table.
        ("<table data-rehref-ignore><a href=1></a><tr><td><img src=2></table><img src=3>", "2"),
        // Copies of a marked element are marked too.
        ("<p><b data-rehref-ignore><img src=1><p><img src=2></b><img src=3>", "1 2"),
        ("<b data-rehref-ignore><p><img src=1></b><img src=2></p><img src=3>", "1"),
        // In and after a conditional comment.
        (
            "<div data-rehref-ignore><!--[if IE]><img src=1><![endif]--></div>
             <!--[if IE]><img src=2><![endif]-->",
            "1",
        ),
        // Comments cover the next element.
        ("<!-- rehref-ignore --><a href=1><b itemid=2></b></a><a href=3>", "1 2"),
        ("<!--rehref-ignore--> text <!-- x --></p></i><a href=1></a><a href=2>", "1"),
        ("<!-- rehref-ignore check --><a href=1></a><a href=2>", "1"),
        ("<!-- rehref-ignore a b --><a href=1></a><a href=2>", ""),
        ("<!-- rehref-ignore a --><a href=1 data-rehref-ignore=check></a>", "1"),
        ("<!-- rehref-ignored --><a href=1></a>", ""),
        ("<!-- rehref-ignore --><td><a href=1></a><a href=2>", "1"),
        ("<!-- rehref-ignore --><font><p><img src=1></font><img src=2>", "1"),
        ("<template><!-- rehref-ignore --><img src=1></template><img src=2>", "1"),
        ("<textarea><!-- rehref-ignore --></textarea><img src=1>", ""),
        ("<img src=1><!-- rehref-ignore -->", ""),
    ] {
        let document = parsed(source.as_bytes(), DocumentKind::Html);
        let metadata = document.metadata.as_ref().unwrap();
        let covered: Vec<&str> = document
            .references
            .iter()
            .filter(|reference| metadata.ignores(document.span_of(reference).start, "check"))
            .map(|reference| document.text_of(reference))
            .collect();
        assert_eq!(covered.join(" "), expected, "{source}");
    }
}

#[test]
fn ignored_parts_are_few_and_say_what_they_mean() {
    let source = "<p data-rehref-ignore='b a'><img src=1><img src=2><i data-rehref-ignore=a>
        <img src=3></i></p><img src=4><img data-rehref-ignore src=5>";
    let ignored = html(source).ignored;
    let ignored: Vec<_> = ignored.iter().collect();
    let found: Vec<_> = ignored
        .iter()
        .map(|ignored| {
            let checks: Vec<&str> = ignored.checks.iter().map(|id| &**id).collect();
            (&source[ignored.span.start..ignored.span.start + 4], checks)
        })
        .collect();
    assert_eq!(found, [("<p d", vec!["b", "a"]), ("<i d", vec!["a", "b"]), ("<img", vec![])]);
    assert_eq!(ignored[2].span.end, source.len());
    assert_eq!(ignored[1].span.end, source.find("<img src=4").unwrap());
}

#[test]
fn marks_within_marks_cost_no_more_than_others() {
    let options = ParseOptions { metadata: true, ..ParseOptions::default() };
    for (attribute, is_parsed) in [("data-x", true), ("data-rehref-ignore", false)] {
        let open = (0..4000).map(|n| format!("<div {attribute}=c{n}>"));
        let source = open.collect::<String>();
        let parsed = Document::parse(source.as_bytes(), &options);
        assert_eq!(parsed.is_ok(), is_parsed, "{attribute}");
    }
}

#[test]
fn undecodable_documents_are_told() {
    for (source, kind, expected) in [
        (&b"<meta charset=utf-8>gr\xFC\xDFe"[..], DocumentKind::Html, Some(22)),
        (b"<p>gr\xFC\xDFe", DocumentKind::Html, None),
        (b"<p>\x81<meta charset=shift_jis>", DocumentKind::Html, Some(3)),
        (b"\xEF\xBB\xBFa\xFF", DocumentKind::Html, Some(4)),
        (b"@charset \"utf-8\";\xFF", DocumentKind::Css, Some(17)),
        (b"<?xml version='1.0' encoding='utf-8'?><a>\xFF</a>", DocumentKind::Xml, Some(41)),
        (b"{\"a\": \"\xFF\"}", DocumentKind::WebManifest, Some(7)),
    ] {
        let found = metadata(source, kind).malformed_at;
        assert_eq!(found, expected, "{}", source.escape_ascii());
    }
}
