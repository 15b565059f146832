//! The examples of the documents: draft-ietf-uri-relative-url-03 and -05 (1995), RFC 1630 (1994),
//! draft-fielding-uri-url-00 (1996) and RFC 3986 (2005), each under its own standard.

use crate::Standard;
use encoding_rs::{UTF_8, WINDOWS_1252};

/// Section, base URL, and what references resolve to.
type Examples = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The archived text of draft 03 lost the line with the base URL; its example for the empty
/// reference gives it.
#[rustfmt::skip]
const DRAFT_03: &[Examples] = &[
    ("5.1", "http://a/b/c/d;p?q#f", &[
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/d;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ]),
    ("5.2", "http://a/b/c/d;p?q#f", &[
        ("", "http://a/b/c/d;p?q#f"), ("../../../g", "http://a/../g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("/./g", "http://a/./g"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("http:g", "http:g"),
        ("http:", "http:"),
    ]),
    ("5.3", "http://a/b/c/d;p?q#f", &[
        ("./this:that", "http://a/b/c/this:that"), ("this:that", "this:that"),
        ("this%3Athat", "http://a/b/c/this%3Athat"),
    ]),
];

#[rustfmt::skip]
const DRAFT_05: &[Examples] = &[
    ("5.1", "http://a/b/c/d;p?q#f", &[
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/d;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ]),
    ("5.2", "http://a/b/c/d;p?q#f", &[
        ("", "http://a/b/c/d;p?q#f"), ("../../../g", "http://a/../g"), ("/./g", "http://a/./g"),
        ("/../g", "http://a/../g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("http:g", "http:g"), ("http:", "http:"),
    ]),
    ("10 (Appendix)", "http://www.ics.uci.edu/Test/a/b/c", &[
        ("../x", "http://www.ics.uci.edu/Test/a/x"),
    ]),
    ("5.3", "http://a/b/c/d;p?q#f", &[
        ("./this:that", "http://a/b/c/this:that"), ("this:that", "this:that"),
        ("this%3Athat", "http://a/b/c/this%3Athat"),
    ]),
];

#[rustfmt::skip]
const URL_DRAFT_1996: &[Examples] = &[
    ("C.1", "http://a/b/c/d;p?q", &[
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/d;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ]),
    ("C.2", "http://a/b/c/d;p?q", &[
        ("", "http://a/b/c/d;p?q"), ("../../../g", "http://a/../g"),
        ("../../../../g", "http://a/../../g"), ("/./g", "http://a/./g"), ("/../g", "http://a/../g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("http:g", "http:g"),
        ("http:", "http:"),
    ]),
    ("D", "http://www.ics.uci.edu/Test/a/b/c", &[
        ("../x", "http://www.ics.uci.edu/Test/a/x"),
    ]),
    ("1.1", "http://a/b/c/d;p?q", &[
        ("file:/home/fred/bio.txt", "file:/home/fred/bio.txt"),
        ("ftp://ds.internic.net/rfc/rfc1808.txt", "ftp://ds.internic.net/rfc/rfc1808.txt"),
        ("gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles", "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles"),
        ("http://www.ics.uci.edu/pub/ietf/uri/", "http://www.ics.uci.edu/pub/ietf/uri/"),
        ("mailto:masinter@parc.xerox.com", "mailto:masinter@parc.xerox.com"),
        ("news:comp.infosystems.www.servers.unix", "news:comp.infosystems.www.servers.unix"),
        ("telnet://melvyl.ucop.edu/", "telnet://melvyl.ucop.edu/"),
    ]),
    ("4.3.2", "http://a/b/c/d;p?q", &[
        ("./this:that", "http://a/b/c/this:that"),
    ]),
];

#[rustfmt::skip]
const RFC_1630: &[Examples] = &[
    ("Examples", "magic://a/b/c//d/e/f", &[
        ("g", "magic://a/b/c//d/e/g"), ("/g", "magic://a/b/c//d/g"), ("//g", "magic://g"),
        ("../g", "magic://a/b/c//d/g"), ("g:h", "g:h"),
    ]),
    ("Examples", "magic://a/b/c//d/e/", &[
        ("g", "magic://a/b/c//d/e/g"), ("/g", "magic://a/b/c//d/g"), ("//g", "magic://g"),
        ("../g", "magic://a/b/c//d/g"), ("g:h", "g:h"),
    ]),
];

#[rustfmt::skip]
const RFC_3986: &[Examples] = &[
    ("5.4.1", "http://a/b/c/d;p?q", &[
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ]),
    ("5.4.2", "http://a/b/c/d;p?q", &[
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("http:g", "http:g"),
    ]),
];

#[test]
fn every_example_resolves_under_its_standard() {
    let documents = [
        ("draft-03", 40, DRAFT_03),
        ("draft-05", 42, DRAFT_05),
        ("url-draft-1996", 48, URL_DRAFT_1996),
        ("rfc1630", 10, RFC_1630),
        ("rfc3986", 42, RFC_3986),
    ];
    for (name, count, sections) in documents {
        let standard: Standard = name.parse().expect("a standard");
        let mut passed = 0;
        for (section, base, examples) in sections {
            for (reference, target) in *examples {
                let actual = standard.resolve(base, reference, UTF_8);
                assert_eq!(
                    actual.as_deref(),
                    Ok(*target),
                    "{name} section {section}: {base} + {reference:?}"
                );
                passed += 1;
            }
        }
        assert_eq!(passed, count, "{name}");
    }
}

#[test]
fn empty_and_fragment_only_mean_the_current_document_in_1996() {
    for (reference, current) in [("", true), ("#s", true), ("#", true), ("?y", false), ("g", false)]
    {
        for standard in Standard::all() {
            assert_eq!(
                standard.is_current_document(reference),
                current && standard == Standard::UrlDraft1996,
                "{standard} {reference:?}"
            );
        }
    }
}

#[test]
fn an_empty_base_leaves_references_as_they_are() {
    for (standard, target) in [
        ("rfc1808", Some("../x")),
        ("url-draft-1996", Some("../x")),
        ("rfc1630", Some("../x")),
        ("rfc3986", None),
        ("whatwg", None),
    ] {
        let standard: Standard = standard.parse().expect("a standard");
        let actual = standard.resolve("", "../x", UTF_8).ok();
        assert_eq!(actual.as_deref(), target, "{standard}");
    }
}

#[test]
fn schemes_without_a_hierarchy_are_no_bases_of_paths() {
    for (standard, base, expected) in [
        ("rfc1808", "mailto://a/b", None),
        ("url-draft-1996", "mailto://a/b", Some("mailto://a/g")),
        ("rfc3986", "mailto://a/b", Some("mailto://a/g")),
        ("rfc3986", "mailto:a/b", None),
        ("rfc3986", "x:a/b", Some("x:a/g")),
        ("rfc3986", "x:a", None),
        // Only "/." goes, not "." at the start.
        ("rfc1630", "x:./a/b", Some("x:./a/g")),
    ] {
        let standard: Standard = standard.parse().expect("a standard");
        let actual = standard.resolve(base, "g", UTF_8).ok();
        assert_eq!(actual.as_deref(), expected, "{standard} {base}");
    }
}

#[test]
fn steps_of_resolutions() {
    let http = "http://a/b/c/d;p?q";
    let mut shown = String::new();
    for standard in Standard::all() {
        for (base, reference) in [
            (http, "../g"),
            (http, "g;x?\u{E4}#s"),
            (http, ";x"),
            (http, "?y"),
            (http, "#s"),
            (http, ""),
            (http, "/g"),
            (http, "//g/./h"),
            (http, "http:g"),
            (http, "https:/g"),
            (http, "mailto:g?h"),
            (http, " \u{1}g\t"),
            (http, "g\th"),
            (http, "x\\y?a\\b"),
            ("ws://a/b", "?\u{E4}"),
            ("x://a/b", "y\\z?\u{E4}"),
            ("", "http://a/../b"),
            ("", "g"),
        ] {
            let explained = standard.explain(base, reference, WINDOWS_1252);
            shown += &format!("{standard}: {reference:?} against {base:?}\n");
            for step in explained.steps {
                shown += &format!("    {}: {}\n", step.section, step.text);
            }
            shown += &match explained.target {
                Ok(target) => format!("    = {target}\n"),
                Err(error) => format!("    {error}\n"),
            };
        }
    }
    insta::assert_snapshot!(shown);
}
