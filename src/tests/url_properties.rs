//! What holds for every input.

use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};
use proptest::prelude::*;
use proptest::sample::select;
use rehref::url::grammar::check;
use rehref::url::{Components, RelativeForm, RelativizeOptions, Standard, Url, delimit};

use super::support::cases;

/// Pieces that mean something somewhere.
const TOKENS: &[&str] = &[
    "a",
    "b",
    "c.html",
    "..",
    ".",
    "/",
    "/",
    "/",
    "//",
    "?",
    "#",
    ":",
    ";",
    "@",
    "%2e",
    "%2F",
    "%zz",
    "%C3%A9",
    "é",
    "日本",
    " ",
    "\t",
    "\n",
    "\\",
    "|",
    "C:",
    "c|",
    "http:",
    "https://",
    "file:",
    "file://",
    "foo:",
    "mailto:",
    "data:,",
    "ws://",
    "[::1]",
    "[",
    "]",
    "127.1",
    "0x7f",
    "80",
    ":80",
    ":8080",
    "u:p@",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "}",
    "^",
    "~",
    "\u{0}",
    "\u{FEFF}",
    "xn--",
    "ß",
    "&",
    "=",
    "localhost",
    "\u{AD}",
];

const BASES: &[&str] = &[
    "http://h/a/b/c?q#f",
    "https://u:p@h:8080/",
    "http://h//a//b",
    "http://h/a:b/c:d",
    "ws://h/a/b",
    "foo://h",
    "foo://h/a/b?q",
    "foo:/a/b",
    "foo:/.//a/b",
    "file:///a/b/c",
    "file:///C:/a/b",
    "file:///C:",
    "file://srv/a/b",
    "mailto:a@b",
    "data:,x?y",
    "http://h/ä/b;p?x#y",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::collection::vec(select(TOKENS), 0..10).prop_map(|tokens| tokens.concat()),
        1 => any::<String>(),
    ]
}

fn base() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => select(BASES).prop_map(str::to_owned),
        1 => (select(BASES), text()).prop_map(|(base, text)| {
            Standard::Whatwg.resolve(base, &text, UTF_8).unwrap_or_else(|_| base.to_owned())
        }),
        1 => text(),
    ]
}

fn encoding() -> impl Strategy<Value = &'static Encoding> {
    select(vec![UTF_8, WINDOWS_1252, SHIFT_JIS, ISO_2022_JP])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    #[test]
    fn a_serialization_parses_to_itself(base in base(), text in text(), encoding in encoding()) {
        if let Ok(base) = Url::parse(&base)
            && let Ok(url) = base.resolve(&text, encoding)
        {
            let again = Url::parse(url.as_str());
            prop_assert_eq!(format!("{:?}", again), format!("{:?}", Ok::<_, ()>(&url)));
            prop_assert!(url.as_str().is_ascii());
            let parts = [
                url.before_path(),
                url.path(),
                &url.query().map(|query| format!("?{query}")).unwrap_or_default(),
                &url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default(),
            ];
            prop_assert_eq!(parts.concat(), url.as_str());
            prop_assert_eq!(url.as_str().get(url.path_range().range()), Some(url.path()));
            prop_assert_eq!(url.has_authority(), Components::split(Standard::Whatwg, url.as_str()).authority.is_some());
        }
    }

    #[test]
    fn resolves_to_is_resolving_and_comparing(
        base in base(),
        text in text(),
        other in text(),
        encoding in encoding(),
    ) {
        if let Ok(base) = Url::parse(&base)
            && let Ok(target) = base.resolve(&other, encoding)
        {
            for reference in [&text, &other] {
                prop_assert_eq!(
                    base.resolves_to(reference, encoding, &target),
                    base.resolve(reference, encoding).is_ok_and(|url| url == target),
                    "{} against {}", reference, base
                );
            }
        }
    }

    #[test]
    fn what_is_relativized_resolves_back(
        base in base(),
        text in text(),
        standard in select(Standard::all().collect::<Vec<_>>()),
        style in select(RelativeForm::all().collect::<Vec<_>>()),
        allow_empty: bool,
    ) {
        let wanted = RelativizeOptions { form: style, allow_empty, more_than_fragment: false };
        if let Ok(target) = standard.resolve(&base, &text, UTF_8)
            && let Some(reference) = standard.relativize(&base, &target, wanted)
        {
            prop_assert_eq!(standard.resolve(&base, &reference, UTF_8), Ok(target));
            prop_assert!(allow_empty || !reference.is_empty());
            match style {
                RelativeForm::Path => prop_assert!(!reference.starts_with('/')),
                RelativeForm::Root => prop_assert!(
                    reference.starts_with('/') && !reference.starts_with("//")
                ),
                RelativeForm::Scheme => prop_assert!(reference.starts_with("//")),
                RelativeForm::Shortest => {}
            }
        }
    }

    #[test]
    fn whatwg_always_has_a_shortest_reference(base in base(), text in text()) {
        if let Ok(base) = Url::parse(&base)
            && let Ok(target) = base.resolve(&text, UTF_8)
        {
            let reference = base.relativize(&target, RelativeForm::Shortest);
            prop_assert!(reference.is_some_and(|reference| reference.len() <= target.as_str().len()));
        }
    }

    #[test]
    fn a_respelling_leads_where_it_should(
        before in base(),
        after in base(),
        author in text(),
        encoding in encoding(),
    ) {
        if let (Ok(before), Ok(after)) = (Url::parse(&before), Url::parse(&after))
            && let Ok(target) = before.resolve(&author, encoding)
        {
            let mut wanted = vec![target.as_str().to_owned()];
            wanted.extend(RelativeForm::all().filter_map(|style| after.relativize(&target, style)));
            for wanted in wanted {
                let edit = after.respell(&author, &wanted, encoding);
                let result = edit.apply(&author);
                prop_assert!(edit.span.end <= author.len());
                let leads_to = after.resolve(&result, encoding);
                prop_assert_eq!(leads_to.as_ref(), Ok(&target), "{} {}", result, wanted);
            }
        }
    }

    #[test]
    fn respelling_under_the_other_standards(
        author in text(),
        standard in select(Standard::all().collect::<Vec<_>>()),
        base in base(),
    ) {
        if let Ok(target) = standard.resolve(&base, &author, UTF_8) {
            let result = standard.respell(&base, &author, &target, UTF_8).apply(&author);
            prop_assert_eq!(
                standard.resolve(&base, &result, UTF_8),
                standard.resolve(&base, &target, UTF_8)
            );
        }
    }

    #[test]
    fn nothing_panics(base in text(), text in text()) {
        for standard in Standard::all() {
            let explained = standard.explain(&base, &text, UTF_8);
            prop_assert_eq!(&explained.target, &standard.resolve(&base, &text, UTF_8));
            let _ = standard.relativize(&base, &text, RelativeForm::Shortest);
            let _ = standard.respell(&base, &text, &base, UTF_8);
            let _ = standard.is_current_document(&text);
        }
        if let Err(violation) = check(&text) {
            prop_assert!(violation.offset <= text.len());
        }
        let _ = delimit::undelimit(&text);
        let _ = delimit::delimited(&text);
    }
}
