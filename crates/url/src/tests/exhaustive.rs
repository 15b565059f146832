//! Every short reference against many bases: what `relativize` gives for its target resolves
//! back, has the shape asked for, and no shorter reference of that shape leads there.
//!
//! `REHREF_EXHAUSTIVE=6 cargo test --release --test library url_exhaustive` tries longer references than
//! the default of 3 tokens (`.ci/run`: 4); the number of pairs is printed with `--nocapture`.

use std::collections::HashMap;

use crate::grammar::check;
use crate::{Components, RelativeForm, RelativizeOptions, Standard, Url};
use encoding_rs::UTF_8;

fn tokens_per_reference() -> usize {
    std::env::var("REHREF_EXHAUSTIVE").ok().and_then(|tokens| tokens.parse().ok()).unwrap_or(3)
}

/// All strings of up to `most` of `tokens`, the empty one first.
fn strings(tokens: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for at in from..to {
            for token in tokens {
                let longer = format!("{}{token}", all[at]);
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

fn shape(standard: Standard, reference: &str) -> Option<RelativeForm> {
    if Components::split(standard, reference).scheme.is_some() {
        return None;
    }
    Some(match reference.as_bytes() {
        [b'/', b'/', ..] => RelativeForm::Scheme,
        [b'/', ..] => RelativeForm::Root,
        _ => RelativeForm::Path,
    })
}

/// Returns true if `reference` is one that `relativize` could write: not one that the standard merely
/// recovers from, and for RFC 3986 one in its grammar.
fn is_writable(standard: Standard, file: bool, reference: &str) -> bool {
    match standard {
        Standard::Whatwg if file => !reference.contains('|') && !reference.starts_with("//C:"),
        Standard::Whatwg => true,
        Standard::Rfc3986 => check(reference).is_ok(),
        Standard::Rfc1808 | Standard::UrlDraft1996 => {
            Components::split(standard, reference).authority != Some("")
        }
        Standard::Rfc1630 => !reference.starts_with("///"),
    }
}

fn try_all(standard: Standard, tokens: &[&str], bases: &[String]) {
    let references = strings(tokens, tokens_per_reference());
    let (mut pairs, mut checks, mut wrong) = (0usize, 0usize, Vec::new());
    for base in bases {
        let base_url = Url::parse(base);
        let resolve = |reference: &str| match (standard, &base_url) {
            (Standard::Whatwg, Ok(url)) => url.resolve(reference, UTF_8).ok().map(Url::into_string),
            _ => standard.resolve(base, reference, UTF_8).ok(),
        };
        let file = base.starts_with("file:");
        let mut targets: HashMap<String, [Option<usize>; 4]> = HashMap::new();
        for reference in &references {
            pairs += 1;
            let Some(target) = resolve(reference) else { continue };
            let least = targets.entry(target).or_default();
            if let Some(style) = shape(standard, reference)
                && is_writable(standard, file, reference)
            {
                let kind = if reference.is_empty() { 3 } else { style as usize };
                let least = &mut least[kind];
                *least = Some(least.map_or(reference.len(), |len| len.min(reference.len())));
            }
        }
        for (target, least) in &targets {
            let [path, root, scheme, empty] = *least;
            for (style, allow_empty, least) in [
                (RelativeForm::Path, false, path),
                (RelativeForm::Path, true, empty.or(path)),
                (RelativeForm::Root, false, root),
                (RelativeForm::Scheme, false, scheme),
            ] {
                checks += 1;
                let wanted =
                    RelativizeOptions { form: style, allow_empty, more_than_fragment: false };
                let relative = match (standard, &base_url, Url::parse(target)) {
                    (Standard::Whatwg, Ok(base), Ok(target)) => base.relativize(&target, wanted),
                    _ => standard.relativize(base, target, wanted),
                };
                let problem = match (&relative, least) {
                    (None, None) => continue,
                    (None, Some(_)) => "none given, but there is one",
                    (Some(relative), least) => {
                        if resolve(relative).as_ref() != Some(target) {
                            "does not resolve back"
                        } else if shape(standard, relative) != Some(style) {
                            "has another shape"
                        } else if least.is_some_and(|least| least < relative.len()) {
                            "there is a shorter one"
                        } else {
                            continue;
                        }
                    }
                };
                wrong.push(format!(
                    "{standard} {style}: {base} to {target}: {relative:?}, least {least:?}: {problem}"
                ));
            }
        }
    }
    println!("{standard}: {pairs} pairs of base and reference, {checks} targets relativized");
    let shown = wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} wrong:\n{shown}", wrong.len());
}

/// Bases with an authority: every short path, and queries and fragments.
fn bases(prefix: &str, more: &[&str]) -> Vec<String> {
    let paths = strings(&["a", "/", "b"], 3);
    let paths = paths.iter().map(|path| format!("{prefix}/{path}"));
    paths.chain(more.iter().map(|base| (*base).to_owned())).collect()
}

#[test]
fn whatwg_with_a_host() {
    let more = [
        "http://a", "http://a?b", "http://a/b?a", "http://a/?", "http://a/b/a?a#b", "http://a/b#",
        "https://u:p@a:8/b/a", "foo://a", "foo://a/b/a?", "foo://a/b/a:b", "http://a/a:b/b",
        "http://a/a:b?a",
    ];
    try_all(Standard::Whatwg, &["a", "b", ".", "/", "?", "#", ":"], &bases("http://a", &more));
}

#[test]
fn whatwg_without_a_host() {
    let more = ["foo:/", "foo:/a/b", "foo:/.//a/b", "foo:/a//b?a", "foo:a", "foo:a?b#a", "foo:"];
    let bases: Vec<String> = more.iter().map(|base| (*base).to_owned()).collect();
    try_all(Standard::Whatwg, &["a", "b", ".", "/", "?", "#", ":"], &bases);
}

#[test]
fn whatwg_files() {
    let more = [
        "file:///C:", "file:///C:/", "file:///C:/a", "file:///C:/a/b", "file:///C://a",
        "file://a/C:/b", "file://a/b", "file:///D:/C:/a", "file:///a/C:/b", "file:///a/C:",
        "file:////a/b",
    ];
    try_all(Standard::Whatwg, &["a", "C:", "D|", ".", "/", "?"], &bases("file://", &more));
}

#[test]
fn rfc3986() {
    let more = ["http://a", "http://a?b", "http://a/b?a#b", "http://a/b/a:b", "http://u@a:8/b/"];
    try_all(Standard::Rfc3986, &["a", "b", ".", "/", "?", "#", ":"], &bases("http://a", &more));
}

#[test]
fn rfc1808() {
    let more = ["http://a", "http://a/b;a?b", "http://a/b/a;b", "http://a/b/;b", "http://a/b?a#b"];
    try_all(Standard::Rfc1808, &["a", "b", ".", "/", "?", "#", ";"], &bases("http://a", &more));
}

#[test]
fn url_draft_1996() {
    let more = ["http://a", "http://a/b;a?b", "http://a/b/a;b", "http://a/b/;b", "http://a/b?a#b"];
    try_all(
        Standard::UrlDraft1996,
        &["a", "b", ".", "/", "?", "#", ";"],
        &bases("http://a", &more),
    );
}

#[test]
fn rfc1630() {
    let more = ["http://a", "http://a/b?a/b", "http://a/b#a", "x:/a/b", "x:a/b", "http://a/b/./c"];
    try_all(Standard::Rfc1630, &["a", "b", ".", "/", "?", "#"], &bases("http://a", &more));
}
