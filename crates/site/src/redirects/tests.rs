use super::*;
use crate::fuzzing::redirects::{written_formats, written_is_read_back};
use crate::{PatternBudget, RedirectTarget};
use rehref_document::redirects::RedirectSyntax;
use rehref_document::{Document, ParseOptions};
use rehref_url::Url;

const SITE: &str = "https://h.example/";

fn redirect(from: &str, to: &str) -> Redirect {
    let site = Url::parse(SITE).expect("the site's URL");
    let url = |reference: &str| {
        site.resolve(reference, encoding_rs::UTF_8)
            .unwrap_or_else(|error| panic!("{reference}: {error}"))
    };
    Redirect::new(url(from), url(to))
}

fn format_named(name: &str) -> &'static RedirectFormat {
    let mut formats = FORMATS.iter();
    formats.find(|format| format.name == name).expect(name)
}

/// The line of the only redirect, or why the format has none.
fn line(format: &str, from: &str, to: &str) -> Result<String, &'static str> {
    let redirects = [redirect(from, to)];
    let written = format_named(format).write(&redirects);
    let lines = String::from_utf8_lossy(&written.text)
        .strip_prefix("# Written by rehref\n")
        .expect("the header")
        .to_owned();
    match written.unsupported.first() {
        Some(unsupported) => {
            assert_eq!((lines.as_str(), unsupported.redirect), ("", &redirects[0]));
            Err(unsupported.reason)
        }
        None => Ok(lines.strip_suffix('\n').expect("a whole line").to_owned()),
    }
}

#[test]
fn special_characters_are_escaped() {
    for (from, to, netlify, apache, nginx) in [
        (
            "a/old.html",
            "b/new.html",
            "/a/old.html /b/new.html 301",
            r#"RedirectMatch 301 "^/a/old\.html$" "/b/new.html""#,
            r#"location = "/a/old.html" { return 301 "/b/new.html"; }"#,
        ),
        (
            "a b",
            "b c",
            "/a%20b /b%20c 301",
            r#"RedirectMatch 301 "^/a\x20b$" "/b c""#,
            r#"location = "/a b" { return 301 "/b%20c"; }"#,
        ),
        (
            "100%25",
            "50%2541",
            "/100%25 /50%2541 301",
            r#"RedirectMatch 301 "^/100\x25$" "/50%41""#,
            r#"location = "/100%" { return 301 "/50%2541"; }"#,
        ),
        (
            "a%3Fb%23c",
            "new?q=$1&r=${X}#f",
            "/a%3Fb%23c /new?q=$1&r=${X}#f 301",
            r#"RedirectMatch 301 "^/a\x3Fb\x23c$" "/new?q=\$1\&r=\$\{X}#f""#,
            r#"location = "/a?b#c" { return 301 "/new?q=%241&r=%24{X}#f"; }"#,
        ),
        (
            "\"a'b\"",
            "\"c'd\"",
            "/%22a'b%22 /%22c'd%22 301",
            r#"RedirectMatch 301 "^/\x22a\x27b\x22$" "/\"c'd\"""#,
            r#"location = "/\"a'b\"" { return 301 "/%22c'd%22"; }"#,
        ),
        (
            "$1${HOME}",
            "$1${HOME}&",
            "/$1$%7BHOME%7D /$1$%7BHOME%7D& 301",
            r#"RedirectMatch 301 "^/\x241\x24\x7BHOME\x7D$" "/\$1\$\{HOME}\&""#,
            r#"location = "/$1${HOME}" { return 301 "/%241%24%7BHOME%7D&"; }"#,
        ),
        (
            "*/:name",
            "*/:splat",
            "/%2A/%3Aname /%2A/%3Asplat 301",
            r#"RedirectMatch 301 "^/\x2A/\x3Aname$" "/*/:splat""#,
            r#"location = "/*/:name" { return 301 "/*/:splat"; }"#,
        ),
        (
            "grüße",
            "日本",
            "/gr%C3%BC%C3%9Fe /%E6%97%A5%E6%9C%AC 301",
            r#"RedirectMatch 301 "^/gr\xC3\xBC\xC3\x9Fe$" "/日本""#,
            r#"location = "/grüße" { return 301 "/%E6%97%A5%E6%9C%AC"; }"#,
        ),
        (
            "a%5Cn%5C",
            "b%5C%5Cn%5C",
            "/a%5Cn%5C /b%5C%5Cn%5C 301",
            r#"RedirectMatch 301 "^/a\x5Cn\x5C$" "/b\\\\\\\\n\\\\""#,
            r#"location = "/a\\n\\" { return 301 "/b%5C%5Cn%5C"; }"#,
        ),
        (
            "(a+b|c)^{2}[x]",
            "https://other.example:8080/a:b%20c?x=\\",
            "/(a+b|c)%5E%7B2%7D[x] https://other.example:8080/a%3Ab%20c?x=\\ 301",
            r#"RedirectMatch 301 "^/\x28a\x2Bb\x7Cc\x29\x5E\x7B2\x7D\x5Bx\x5D$" "https://other.example:8080/a:b c?x=\\\\""#,
            r#"location = "/(a+b|c)^{2}[x]" { return 301 "https://other.example:8080/a:b%20c?x=\\"; }"#,
        ),
        (
            "a",
            "https://h.example//b",
            "/a https://h.example//b 301",
            r#"RedirectMatch 301 "^/a$" "https://h.example//b""#,
            r#"location = "/a" { return 301 "https://h.example//b"; }"#,
        ),
    ] {
        for (format, expected) in [("netlify", netlify), ("apache", apache), ("nginx", nginx)] {
            let written = line(format, from, to);
            assert_eq!(written.as_deref(), Ok(expected), "{format}");
        }
    }
}

#[test]
fn an_unsupported_redirect_is_reported_and_not_written() {
    let long = "x".repeat(4094);
    for (from, to, netlify, apache, nginx) in [
        ("a?b", "c", Some("has a query"), Some("has a query"), Some("has a query")),
        ("a#b", "c", Some("has a query"), Some("has a query"), Some("has a query")),
        ("mailto:a", "c", Some("has no path"), Some("has no path"), Some("has no path")),
        ("a%2fb", "c", None, Some("an empty segment"), Some("an empty segment")),
        ("a//b", "c", None, Some("an empty segment"), Some("an empty segment")),
        (
            "a%00",
            "c",
            None,
            Some("the old path has a control character"),
            Some("the old path has a control character"),
        ),
        ("a%0A", "c", None, None, Some("the old path has a control character")),
        ("a%7F", "c", None, None, Some("the old path has a control character")),
        ("a", "b%3fc", None, Some("the new path has"), None),
        ("a", "b%23c", None, Some("the new path has"), None),
        ("a", "b%2Fc", None, Some("the new path has"), None),
        ("a", "b%0A", None, Some("the new path has"), None),
        ("a", "https://[::1]/", None, Some("a user name"), None),
        ("a", "https://u:p@h/", None, Some("a user name"), None),
        ("a", "https://u:p@h/b@[", None, Some("a user name"), None),
        ("a", "b@[c]", None, None, None),
        (".netlify/x", "c", Some("/.netlify"), None, None),
        (&long[3..], "c", None, None, Some("nginx reads at most")),
        ("a", &long[1..], None, None, Some("nginx reads at most")),
        (&long[4..], &long[2..], None, None, None),
    ] {
        for (format, expected) in [("netlify", netlify), ("apache", apache), ("nginx", nginx)] {
            let written = line(format, from, to).err();
            let is_expected = |reason: &str| expected.is_some_and(|it| reason.contains(it));
            assert!(written.map_or(expected.is_none(), is_expected), "{from} to {to} for {format}");
        }
    }
}

#[test]
fn long_paths_are_no_location_of_nginx() {
    let (fits, long) = (format!("/{}", "x".repeat(254)), "ж".repeat(127) + ".");
    for (from, expected) in [
        (&fits, format!("location = \"{fits}\"")),
        (&long, format!("if ($uri ~ \"^/{}\\.$\")", r"\xD0\xB6".repeat(127))),
    ] {
        let expected = format!("{expected} {{ return 301 \"/c\"; }}");
        assert_eq!(line("nginx", from, "c"), Ok(expected));
    }
}

#[test]
fn names_that_are_not_utf_8_are_written_as_their_bytes() {
    let redirects = [redirect("caf%E9", "th%E9")];
    for (format, expected) in [
        ("apache", &b"RedirectMatch 301 \"^/caf\\xE9$\" \"/th\xE9\"\n"[..]),
        ("nginx", b"location = \"/caf\xE9\" { return 301 \"/th%E9\"; }\n"),
    ] {
        let expected = [b"# Written by rehref\n", expected].concat();
        assert_eq!(format_named(format).write(&redirects).text, expected, "{format}");
    }
}

#[test]
fn a_path_has_one_redirect() {
    let redirects = [redirect("a%62", "c"), redirect("%61b", "c"), redirect("ab", "d")];
    let written = format_named("nginx").write(&redirects);
    assert_eq!(
        String::from_utf8_lossy(&written.text),
        "# Written by rehref\nlocation = \"/ab\" { return 301 \"/c\"; }\n"
    );
    let unsupported: Vec<&Redirect> = written.unsupported.iter().map(|it| it.redirect).collect();
    assert_eq!(unsupported, [&redirects[2]]);
}

#[test]
fn json_is_one_array_with_an_object_a_line() {
    assert_eq!(format_named("json").write(&[]).text, b"[]\n");
    let redirects =
        [redirect("a\"b?q#f", "c d"), redirect("mailto:a", "b"), redirect("a", "//other/b")];
    let written = format_named("json").write(&redirects);
    assert_eq!(
        String::from_utf8_lossy(&written.text),
        "[\n\
         {\"from\":\"/a%22b?q#f\",\"to\":\"/c%20d\",\"status\":301},\n\
         {\"from\":\"/a\",\"to\":\"https://other/b\",\"status\":301}\n\
         ]\n"
    );
    let value: serde_json::Value = serde_json::from_slice(&written.text).expect("JSON");
    assert_eq!(value.as_array().map(Vec::len), Some(2));
    assert_eq!(written.unsupported.len(), 1);
    assert_eq!(written.unsupported[0].redirect, &redirects[1]);
}

#[test]
fn all_three_references_of_a_stub_lead_to_the_new_page() {
    for (to, expected) in [
        ("../b/new.html", "../b/new.html"),
        ("/a?b=1&amp=2&copy#<\">'", "/a?b=1&amp=2&copy#<\">'"),
        ("https://h/日本 x", "https://h/日本 x"),
        ("'a'.html", "%27a'.html"),
        ("\"a\"", "%22a\""),
    ] {
        let page = stub(to);
        let document =
            Document::parse(page.as_bytes(), &ParseOptions::default()).expect("a document");
        let found: Vec<_> =
            document.references.iter().map(|reference| document.text_of(reference)).collect();
        assert_eq!(found, [expected; 3], "{page}");
    }
}

#[test]
fn the_rule_of_a_folder_is_read_back() {
    let folder = Redirect { is_of_folder: true, ..redirect("docs/a.b/", "new/") };
    for (name, expected) in [
        ("netlify", "/docs/a.b/* /new/:splat 301"),
        ("apache", r#"RedirectMatch 301 "^/docs/a\.b/(.*)$" "/new/$1""#),
        (
            "nginx",
            r#"location ^~ "/docs/a.b/" { rewrite "^/docs/a\.b/(.*)$" "/new/$1" permanent; }"#,
        ),
    ] {
        let format = format_named(name);
        let written = format.write(std::slice::from_ref(&folder));
        let text = String::from_utf8(written.text).unwrap();
        assert_eq!(text, format!("# Written by rehref\n{expected}\n"));
        let syntax = format.syntax.unwrap();
        assert_eq!(RedirectSyntax::of_content(&text), syntax);
        let read = read(syntax, "rules", &text, &mut PatternBudget::default());
        let [rule] = &read.rules[..] else { panic!("{name}: {read:?}") };
        assert_eq!(rule.of_folder(), Some(("docs/a.b/".to_owned(), "/new/")), "{name}");
        for (path, target) in [("docs/a.b/x/y", Some("new/x/y")), ("docs/acb/x", None)] {
            let target = target.map(|it| RedirectTarget::Path(it.to_owned()));
            assert_eq!(rule.target(path), target, "{name}");
        }
    }
}

#[test]
fn each_format_of_rules_reads_what_it_writes() {
    let redirects = [
        redirect("a/old.html", "b/new.html"),
        redirect("a b/c", "b c/d"),
        redirect("100%25", "50%2541"),
        redirect("gr\u{fc}\u{df}e", "\u{65e5}\u{672c}"),
        redirect("(a+b|c)^{2}[x]", "x\\y\"z"),
        redirect("$1", "price$1&x"),
        redirect("away", "https://elsewhere.example/x?y=$z"),
        redirect(&"long/".repeat(60), "short"),
    ];
    for (format, syntax) in written_formats() {
        let written = written_is_read_back(format, syntax, &redirects, SITE);
        assert_eq!(written.unsupported, [], "{}", format.name);
    }
}
