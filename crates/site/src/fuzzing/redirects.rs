//! Properties of redirect rules and of the formats of redirects.

use std::collections::BTreeSet;

use encoding_rs::UTF_8;

use super::input::Input;
use crate::redirects::{FORMATS, Redirect, RedirectFormat, RedirectText, read};
use crate::{PatternBudget, RedirectTarget, normalized_path};
use rehref_document::redirects::RedirectSyntax;
use rehref_url::{Url, percent_decoded};

const PATHS: &[&str] = &["", "a", "a/", "b/c.html", "a//b", "x/y/z", "é", "a%20b"];

/// All properties.
pub(super) fn all(data: &[u8]) {
    let mut input = Input::new(data);
    let property = input.pick(&[rules, redirects]);
    property(&input.text());
}

/// The spans of rules are within their text, and each rule has an answer for any path.
fn rules(text: &str) {
    let _ = RedirectSyntax::of_content(text);
    for (_, syntax) in written_formats() {
        syntax.rules(text, &mut |rule| {
            let Ok(rule) = rule else { return };
            assert!(text.get(rule.start..).is_some());
            if let Some(url) = rule.to {
                assert!(text.get(url.span.range()).is_some());
            }
        });
        syntax.fallbacks(text, &mut |url| assert!(text.get(url.span.range()).is_some()));
        let read = read(syntax, "rules", text, &mut PatternBudget::default());
        let lines = text.split('\n').count();
        let of_errors = read.errors.iter().map(|error| error.line);
        let mut of_errors = of_errors.chain(read.unreadable.iter().map(|(line, _)| *line));
        assert!(of_errors.all(|line| (1..=lines).contains(&line)), "{text}");
        for rule in read.rules {
            assert!((1..=lines).contains(&rule.place.line));
            for path in PATHS {
                if let Some(RedirectTarget::Path(path)) = rule.target(path) {
                    assert!(!path.starts_with('/'));
                }
            }
            let _ = (rule.fixed_target(), rule.is_for("h"), rule.is_redirect());
        }
    }
}

/// Redirects that a format expresses are read back.
fn redirects(text: &str) {
    const SITE: &str = "https://h.example/";
    let site = Url::parse(SITE).expect("a URL");
    let url = |reference: &str| site.resolve(reference, UTF_8).ok();
    let redirects = text.split('\n').filter_map(|line| {
        let (from, to) = line.split_once(' ')?;
        let (from, to) = (url(from)?, url(to)?);
        // No file has such a name, and so no URL of a file.
        let is_name = |url: &Url| !["%00", "%2F", "%2f"].iter().any(|it| url.as_str().contains(it));
        let has_names = ![&from, &to].iter().any(|url| url.path().contains("//"));
        let is_plain = has_names && from.query().is_none() && from.fragment().is_none();
        let is_of_site = from.as_str().starts_with(SITE) && is_name(&from) && is_name(&to);
        (is_plain && is_of_site).then(|| Redirect::new(from, to))
    });
    let mut redirects: Vec<Redirect> = redirects.collect();
    // A move has one redirect from each path; servers ignore a slash after it.
    let mut seen = BTreeSet::new();
    redirects.retain(|redirect| {
        seen.insert(percent_decoded(redirect.from.path().trim_end_matches('/')))
    });
    for (format, syntax) in written_formats() {
        written_is_read_back(format, syntax, &redirects, SITE);
    }
}

/// The formats of redirects that are read again, and their syntaxes.
pub(crate) fn written_formats() -> impl Iterator<Item = (&'static RedirectFormat, RedirectSyntax)> {
    FORMATS.iter().filter_map(|format| Some((format, format.syntax?)))
}

/// Writes `redirects` in `format`. Each that the format can express is read back: the rules
/// lead from its old path to its new URL. `site` is the URL of the root of the host.
pub(crate) fn written_is_read_back<'r>(
    row: &RedirectFormat,
    syntax: RedirectSyntax,
    redirects: &'r [Redirect],
    site: &str,
) -> RedirectText<'r> {
    let format = row.name;
    let written = row.write(redirects);
    // Servers compare bytes; rehref reads rules in UTF-8 only.
    let Ok(text) = String::from_utf8(written.text.clone()) else { return written };
    let has_rules = written.unsupported.len() < redirects.len();
    if has_rules {
        assert_eq!(RedirectSyntax::of_content(&text), syntax, "{format}: {text}");
    }
    let read = read(syntax, "rules", &text, &mut PatternBudget::default());
    assert_eq!(read.errors, [], "{format}: {text}");
    assert_eq!(read.unreadable, [], "{format}: {text}");
    for redirect in redirects {
        if written.unsupported.iter().any(|it| it.redirect == redirect) {
            continue;
        }
        let below = |url: &Url| {
            let path = url.path().trim_start_matches('/');
            normalized_path(path).into_owned()
        };
        let from = below(&redirect.from);
        let found = read.rules.iter().find_map(|rule| rule.target(&from));
        let found = match found.unwrap_or_else(|| panic!("{format}: no rule for {from}: {text}")) {
            RedirectTarget::Path(path) => normalized_path(&path).into_owned(),
            other => format!("{other:?}"),
        };
        let expected = if redirect.to.as_str().starts_with(site) {
            below(&redirect.to)
        } else {
            "External".to_owned()
        };
        assert_eq!(found, expected, "{format}: {text}");
    }
    written
}
