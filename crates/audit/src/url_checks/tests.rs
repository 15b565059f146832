use super::*;
use encoding_rs::UTF_8;
use rehref_url::{Standard, Url};

struct Case<'c> {
    base: &'c str,
    own: &'c str,
    site: &'c str,
    is_published: bool,
    usage: Usage,
    class: Class,
    target_exists: bool,
}

const PUBLISHED: Case<'_> = Case {
    base: "https://h.example/d/p/q.html",
    own: "https://h.example/d/p/q.html",
    site: "https://h.example/d/",
    is_published: true,
    usage: Usage::Link,
    class: Class::Ordinary,
    target_exists: false,
};

fn url(text: &str) -> AbsoluteUrl {
    AbsoluteUrl::new(Standard::Whatwg, Url::parse(text).unwrap())
}

fn findings(case: &Case<'_>, reference: &str) -> Vec<ReferenceFinding> {
    let (base, own, site) = (url(case.base), url(case.own), url(case.site));
    let target = base.resolve(reference, UTF_8);
    let out = check(&ReferenceContext {
        is_metadata: false,
        reference,
        class: case.class,
        usage: &|| case.usage,
        base: Some(&base),
        own: &own,
        site: &site,
        is_published: case.is_published,
        target: target.as_ref(),
        target_exists: case.target_exists,
        target_is_missing: false,
        encoding: UTF_8,
    });
    for finding in &out {
        assert!(finding.severity <= finding.check.row().severity, "{reference:?}");
        let at = finding.at;
        assert!(reference.is_char_boundary(at), "{reference:?} at {at}");
    }
    out
}

/// `check@byte -> suggestion`, more than one with ` | ` between.
fn found(case: &Case<'_>, reference: &str) -> String {
    let described = |finding: ReferenceFinding| {
        let suggestion = finding.suggestion.map_or(String::new(), |to| format!(" -> {to}"));
        format!("{}@{}{suggestion}", finding.check, finding.at)
    };
    let all: Vec<String> = findings(case, reference).into_iter().map(described).collect();
    all.join(" | ")
}

fn table(case: &Case<'_>, rows: &[(&str, &str)]) {
    for (reference, expected) in rows {
        assert_eq!(found(case, reference), *expected, "{reference:?}");
    }
}

#[test]
fn good_references_have_no_findings() {
    for reference in [
        "x",
        "x.html#y",
        "../x",
        "../../d/x",
        "./",
        ".",
        "/",
        "/x?y=z&a[]",
        "#",
        "#top",
        "#a%20b",
        "?q",
        "//h.example/x",
        "https://other.example:8443/x",
        "grüße.html#größe",
        "東京.html",
        "http://bücher.example/",
        "mailto:a@b.example?subject=Hello World",
        "tel:+1 234",
        "javascript:alert(\"a b\")",
        "data:image/svg+xml,<svg xmlns=\"x\"/>",
        "urn:isbn:1",
        "a/b:c",
        "http://[2001:db8::1]/",
        "ftp://ftp.example/x",
        "icon@2x.png",
        "std.vec.html",
        "a.b",
        "view-source:http://x.example/",
        "git+ssh://git@h.example/x",
        "x-thing:y.html",
        "https://play.example/?code=a%0Ab%0D",
        "%E4.html",
        "100%25.html",
        "a;b=c,d",
        "(x)'!*",
        "http://8.8.8.8/",
        "http://172.32.0.1/",
        "http://local/",
        "Foo:bar",
        " x ",
        "\n  x.html\n",
        "foo://bar/x.html",
        "x/www.h.example/y",
        "..x",
        "...",
    ] {
        let expected =
            if reference.contains("[]") { "not-in-grammar@8 -> /x?y=z&a%5B%5D" } else { "" };
        assert_eq!(found(&PUBLISHED, reference), expected, "{reference:?}");
    }
    let template = Case { class: Class::TemplateMarkup, ..PUBLISHED };
    assert_eq!(found(&template, "{{ x }}"), "");
    let applet = Case { class: Class::RelativeOnly, ..PUBLISHED };
    assert_eq!(found(&applet, "a b.class"), "");
}

#[test]
fn malformed_urls_are_reported_where_they_go_wrong() {
    table(
        &PUBLISHED,
        &[
            ("http://", "bad-url@7"),
            ("http://[::1/x", "bad-url@7 -> http://[::1]/x"),
            ("http://::1/x", "bad-url@7 -> http://[::1]/x"),
            ("http://h.example:80a/", "bad-url@17"),
            ("http://h.example:99999/", "bad-url@17"),
            ("http://h.example:docs/x", "bad-url@17 -> http://h.example/docs/x"),
            (" http:// h.example/x", "bad-url@8 -> http://h.example/x"),
            ("http://h.example%20/x", "bad-url@7 -> http://h.example/x"),
            ("http://a b/", "bad-url@8"),
            ("//<host>/x", "bad-url@2"),
            ("https://1.2.3.4.5/", "bad-url@8"),
            ("http://u:p@a|b/", "bad-url@12"),
        ],
    );
    let opaque = Case { base: "mailto:x", ..PUBLISHED };
    assert_eq!(found(&opaque, "x y"), "");
}

#[test]
fn characters_outside_the_grammar_are_reported_and_escaped() {
    table(
        &PUBLISHED,
        &[
            ("a b.html", "not-in-grammar@1 -> a%20b.html"),
            (" ./a b/c.html ", "not-in-grammar@4 -> ./a%20b/c.html"),
            ("a\\b\\c.html", "not-in-grammar@1 -> a/b/c.html"),
            ("x?a\\b", "not-in-grammar@3 -> x?a%5Cb"),
            ("100%.html", "not-in-grammar@3 -> 100%25.html"),
            ("%zz%41", "not-in-grammar@0 -> %25zz%41"),
            ("a\nb", "not-in-grammar@1 -> ab"),
            ("a#b#c", "not-in-grammar@3 -> a#b%23c"),
            ("größe|<x>", "not-in-grammar@7 -> größe%7C%3Cx%3E"),
            (
                "//fonts.example/css?family=A|B",
                "not-in-grammar@28 -> //fonts.example/css?family=A%7CB",
            ),
            ("#{x}", "not-in-grammar@1 -> #%7Bx%7D"),
            ("1a:h", "not-in-grammar@2 -> ./1a:h"),
            ("x\u{200B}", "not-in-grammar@1 -> x%E2%80%8B"),
            ("ü\u{A0}x", "not-in-grammar@2 -> ü%C2%A0x"),
            ("x%0D%0Ay", "not-in-grammar@1"),
            ("ftp://h.example/?x%0aDELE", "not-in-grammar@18"),
            ("https://h.example/%00", "not-in-grammar@18"),
        ],
    );
    let local = Case { class: Class::SameDocument, ..PUBLISHED };
    assert_eq!(found(&local, "#a b"), "not-in-grammar@2 -> #a%20b");
}

#[test]
fn lookalikes_of_urls_and_names_are_corrected() {
    table(
        &PUBLISHED,
        &[
            ("Category:Foo.html#x", "scheme-lookalike@0 -> ./Category:Foo.html#x"),
            ("std::vector", "scheme-lookalike@0 -> ./std::vector"),
            ("https:g", "scheme-lookalike@0 -> g"),
            ("https:/g", "scheme-lookalike@0 -> /g"),
            ("http:g.example", "scheme-lookalike@0 -> http://g.example"),
            ("https:///g.example/x", "scheme-lookalike@0 -> https://g.example/x"),
            ("http://http://g.example/", "scheme-lookalike@0 -> http://g.example/"),
            ("http://https//g.example/", "scheme-lookalike@0 -> https://g.example/"),
            ("http//g.example/", "scheme-lookalike@0 -> http://g.example/"),
            ("HTTPS;//g.example/", "scheme-lookalike@0 -> https://g.example/"),
            ("htp://g.example/", "scheme-lookalike@0 -> http://g.example/"),
            ("hhttps://g.example/", "scheme-lookalike@0 -> https://g.example/"),
            ("localhost:8000/x", "scheme-lookalike@0 -> http://localhost:8000/x"),
            ("g.example:8080/x", "scheme-lookalike@0 -> http://g.example:8080/x"),
            ("www.example.org/x", "scheme-lookalike@0 -> https://www.example.org/x"),
            ("www.example.org", "scheme-lookalike@0 -> https://www.example.org"),
            ("github.com/a/b", "scheme-lookalike@0 -> https://github.com/a/b"),
            ("(http://g.example/x", "scheme-lookalike@0 -> http://g.example/x"),
            ("<https://g.example/x>", "scheme-lookalike@0 -> https://g.example/x"),
            ("mail:a@b.example", "scheme-lookalike@0 -> mailto:a@b.example"),
            ("mailo:a@b.example", "scheme-lookalike@0 -> mailto:a@b.example"),
            ("a.b@c.example?subject=x", "scheme-lookalike@0 -> mailto:a.b@c.example?subject=x"),
            ("C:\\x\\y.html", "local-leak@0"),
            ("\\\\server\\share\\x", "local-leak@0"),
        ],
    );
    let on_disk = Case { is_published: false, ..PUBLISHED };
    assert_eq!(found(&on_disk, "C:\\x"), "scheme-lookalike@0");
    let existing = Case { target_exists: true, ..PUBLISHED };
    table(&existing, &[("www.example.org/x", ""), ("a@b.example", "")]);
    let image = Case { usage: Usage::Image, ..PUBLISHED };
    assert_eq!(found(&image, "a@b.example"), "");
}

#[test]
fn empty_references_to_the_page_itself_are_notes() {
    let level = |case: &Case<'_>, reference| findings(case, reference)[0].severity;
    assert_eq!(level(&PUBLISHED, " "), Severity::Note);
    let based = Case { base: "https://h.example/", ..PUBLISHED };
    assert_eq!(level(&based, ""), Severity::Warning);
    let image = Case { class: Class::Empty, usage: Usage::Image, ..PUBLISHED };
    assert_eq!(level(&image, ""), Severity::Warning);
    let form = Case { class: Class::Empty, ..PUBLISHED };
    assert_eq!(level(&form, ""), Severity::Note);
    let data = Case { class: Class::Empty, usage: Usage::Other, ..PUBLISHED };
    assert_eq!(level(&data, ""), Severity::Note);
}

#[test]
fn passwords_and_odd_ports_are_reported() {
    table(
        &PUBLISHED,
        &[
            ("https://u:p@g.example/x", "password-in-url@8 -> https://g.example/x"),
            (
                "ftp://u:p@q@g.example/x",
                "password-in-url@6 -> ftp://g.example/x | not-in-grammar@11",
            ),
            ("https://u@g.example/", ""),
            ("https://u:@g.example/", ""),
            ("http://g.example:6667/", "odd-port@17"),
            ("http://g.example:8080/", ""),
            ("http://g.example:80/", ""),
            ("https://h.example:3000/x", "odd-port@18"),
            ("irc://g.example:6667/x", ""),
        ],
    );
}

#[test]
fn local_hosts_leak_only_from_published_pages() {
    for (reference, leaks) in [
        ("file:///home/x", true),
        ("http://localhost/", true),
        ("http://LOCALHOST.:8000/", true),
        ("http://a.localhost/", true),
        ("http://127.1/", true),
        ("http://[::1]/", true),
        ("http://[::ffff:10.0.0.1]/", true),
        ("http://10.1.2.3/", true),
        ("http://172.31.0.1/", true),
        ("http://172.15.0.1/", false),
        ("//192.168.0.1/x", true),
        ("http://169.254.1.1/", true),
        ("http://[fd00::1]/", true),
        ("http://[fe80::1]/", true),
        ("http://printer.local/", true),
        ("http://x.internal/", true),
        ("http://x.test/", true),
        ("http://contest/", false),
        ("http://test/", false),
        ("http://x.local.example/", false),
        ("http://11.0.0.1/", false),
    ] {
        let expected = if leaks { "local-leak@0" } else { "" };
        assert_eq!(found(&PUBLISHED, reference), expected, "{reference}");
        let on_disk = Case { is_published: false, ..PUBLISHED };
        let on_a_machine = if reference.starts_with("file:") { expected } else { "" };
        assert_eq!(found(&on_disk, reference), on_a_machine, "{reference} on disk");
        let intranet = Case { own: "http://10.0.0.1/d/p/q.html", ..PUBLISHED };
        assert_eq!(found(&intranet, reference), "", "{reference} in an intranet");
    }
    assert_eq!(findings(&PUBLISHED, "http://10.0.0.1/")[0].severity, Severity::Warning);
    let image = Case { usage: Usage::Image, ..PUBLISHED };
    assert_eq!(findings(&image, "https://10.0.0.1/")[0].severity, Severity::Error);
}

#[test]
fn only_resources_of_secure_pages_are_mixed_content() {
    let with = |usage| Case { usage, ..PUBLISHED };
    let reference = "HTTP://g.example/x";
    let expected = "mixed-content@0 -> https://g.example/x";
    for (usage, expected) in [
        (Usage::Link, ""),
        (Usage::Other, ""),
        (Usage::Image, expected),
        (Usage::Resource, expected),
        (Usage::Style, expected),
    ] {
        assert_eq!(found(&with(usage), reference), expected, "{usage:?}");
    }
    let messages = [Usage::Image, Usage::Resource, Usage::Style]
        .map(|usage| findings(&with(usage), reference).remove(0).message);
    assert!(messages[0].ends_with("over https:") && messages[1].ends_with("block the resource"));
    let resource = with(Usage::Resource);
    table(&resource, &[("//g.example/x", ""), ("http://localhost/x", "local-leak@0")]);
    let plain = Case { own: "http://h.example/d/p/q.html", ..with(Usage::Resource) };
    assert_eq!(found(&plain, reference), "");
    let base = Case { base: "http://h.example/", ..with(Usage::Resource) };
    assert_eq!(found(&base, "x.js"), "mixed-content@0");
}

#[test]
fn references_that_escape_the_root_are_reported() {
    table(
        &PUBLISHED,
        &[
            ("../../../g", "escapes-root@0 -> ../../g"),
            ("../../../../g", "escapes-root@0 -> ../../g"),
            ("/../g", "escapes-root@0 -> /g"),
            ("../../g", "escapes-root@0"),
            ("../../d/g", ""),
            ("../g", ""),
            ("x/../../../../g", "escapes-root@0"),
        ],
    );
    let at_root = Case {
        base: "https://h.example/p/q.html",
        own: "https://h.example/p/q.html",
        site: "https://h.example/",
        ..PUBLISHED
    };
    assert_eq!(found(&at_root, "../../g"), "escapes-root@0");
    let existing = Case { target_exists: true, ..at_root };
    assert_eq!(found(&existing, "../../g"), "escapes-root@0 -> ../g");
    assert_eq!(findings(&PUBLISHED, "../../../g")[0].severity, Severity::Error);
    assert_eq!(findings(&PUBLISHED, "../../g")[0].severity, Severity::Warning);
    let on_disk = Case {
        base: "file:///home/x/site/p/q.html",
        own: "file:///home/x/site/p/q.html",
        site: "file:///home/x/site/",
        is_published: false,
        ..PUBLISHED
    };
    assert_eq!(findings(&on_disk, "../../g")[0].severity, Severity::Error);
    assert_eq!(found(&on_disk, "../g"), "");
}

#[test]
fn only_secure_urls_of_public_hosts_are_plain() {
    for (url, expected) in [
        ("https://a.example/b", true),
        ("https://a.example", true),
        ("https://a.org?b", true),
        ("http://a.example/b", false),
        ("https://http//a.example/", false),
        ("https://localhost/", false),
        ("https://x.localhost/", false),
        ("https://x.local/", false),
        ("https://x.home.arpa/", false),
        ("https://x.test/y", false),
    ] {
        assert_eq!(is_plain_url(url), expected, "{url}");
    }
}

proptest::proptest! {
    #[test]
    fn plain_references_have_no_findings(
        reference in "(\\.\\./){0,4}(a|www\\.b|c\\.org|http|x\\.html)?[a-z/.]{0,4}(#[a-z.]{0,2})?",
        on_disk in proptest::bool::ANY,
    ) {
        let disk = Case {
            base: "file:///s/d/p/q.html",
            own: "file:///s/d/p/q.html",
            site: "file:///s/d/",
            is_published: false,
            ..PUBLISHED
        };
        let case = if on_disk { disk } else { PUBLISHED };
        let (base, own, site) = (url(case.base), url(case.own), url(case.site));
        if is_plain(&reference, Some(&base), &own, &site, case.target_exists) {
            proptest::prop_assert_eq!(found(&case, &reference), "");
        }
    }

    #[test]
    fn plain_urls_have_no_findings(
        url in "https://(http|https|local|x|test)(\\.(org|local|localhost|example|arpa)){0,2}(/[a-z.%2/]{0,6})?(\\?[a-z=&'/?]{0,3})?(#[a-z%0-9A-F'./?:@]{0,6})?",
    ) {
        use rehref_url::simple::SimpleShape;
        if matches!(SimpleShape::of(&url), Some(SimpleShape::Absolute)) && is_plain_url(&url) {
            for usage in [Usage::Link, Usage::Image, Usage::Resource, Usage::Other] {
                let case = Case { usage, ..PUBLISHED };
                proptest::prop_assert_eq!(found(&case, &url), "");
            }
        }
    }
}
