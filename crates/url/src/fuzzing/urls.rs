//! Properties of URLs: parsing, resolving, relativizing, respelling.

use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::input::Input;
use super::pieces::BASE_URLS;
use crate::grammar::check;
use crate::{Components, RelativeForm, RelativizeOptions, Standard, Url, delimit};

/// Encodings of queries.
pub(crate) const ENCODINGS: &[&Encoding] = &[UTF_8, WINDOWS_1252, SHIFT_JIS, ISO_2022_JP];

/// All properties, for two references and one or two base URLs.
pub(super) fn all(data: &[u8]) {
    let mut input = Input::new(data);
    let encoding = input.pick(ENCODINGS);
    let own = [input.pick(BASE_URLS), input.pick(BASE_URLS)];
    let allow_empty = input.pick(&[false, true]);
    let text = input.text();
    let mut texts = text.split('\x1E');
    let (text, other) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
    let resolved = Standard::Whatwg.resolve(own[0], other, encoding);
    let bases =
        [own[0], own[1], texts.next().unwrap_or(other), resolved.as_deref().unwrap_or(text)];
    for base in bases {
        serialization_parses_to_itself(base, text, encoding);
        shortest_reference_exists(base, text);
        respelling_keeps_the_target(base, own[1], text, encoding);
        nothing_panics(base, text);
        for standard in Standard::all() {
            respelling_means_the_target(standard, base, text);
            for form in RelativeForm::all() {
                relativized_resolves_back(standard, base, text, form, allow_empty);
            }
        }
    }
}

/// A serialized URL is ASCII, parses to the same URL, and consists of its parts.
pub(crate) fn serialization_parses_to_itself(base: &str, text: &str, encoding: &'static Encoding) {
    if let Ok(base) = Url::parse(base)
        && let Ok(url) = base.resolve(text, encoding)
    {
        let again = Url::parse(url.as_str());
        assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, ()>(&url)));
        assert!(url.as_str().is_ascii());
        let optional = |mark: char, part: Option<&str>| part.map(|part| format!("{mark}{part}"));
        let parts = [
            url.before_path(),
            url.path(),
            &optional('?', url.query()).unwrap_or_default(),
            &optional('#', url.fragment()).unwrap_or_default(),
        ];
        assert_eq!(parts.concat(), url.as_str());
        assert_eq!(url.as_str().get(url.path_range().range()), Some(url.path()));
        let components = Components::split(Standard::Whatwg, url.as_str());
        assert_eq!(url.has_authority(), components.authority.is_some());
    }
}

/// A relativized URL resolves back, and has the form that was asked for.
pub(crate) fn relativized_resolves_back(
    standard: Standard,
    base: &str,
    text: &str,
    form: RelativeForm,
    allow_empty: bool,
) {
    let wanted = RelativizeOptions { form, allow_empty, more_than_fragment: false };
    if let Ok(target) = standard.resolve(base, text, UTF_8)
        && let Some(reference) = standard.relativize(base, &target, wanted)
    {
        let back = standard.resolve(base, &reference, UTF_8);
        assert_eq!(back, Ok(target), "{standard}: {reference} against {base}");
        assert!(allow_empty || !reference.is_empty());
        match form {
            RelativeForm::Path => assert!(!reference.starts_with('/')),
            RelativeForm::Root => {
                assert!(reference.starts_with('/') && !reference.starts_with("//"));
            }
            RelativeForm::Scheme => assert!(reference.starts_with("//")),
            RelativeForm::Shortest => {}
        }
    }
}

/// Under the WHATWG standard every target has a reference that is no longer than itself.
pub(crate) fn shortest_reference_exists(base: &str, text: &str) {
    if let Ok(base) = Url::parse(base)
        && let Ok(target) = base.resolve(text, UTF_8)
    {
        let reference = base.relativize(&target, RelativeForm::Shortest);
        assert!(reference.is_some_and(|reference| reference.len() <= target.as_str().len()));
    }
}

/// A reference that is respelled for another base URL leads where it led.
pub(crate) fn respelling_keeps_the_target(
    before: &str,
    after: &str,
    author: &str,
    encoding: &'static Encoding,
) {
    if let (Ok(before), Ok(after)) = (Url::parse(before), Url::parse(after))
        && let Ok(target) = before.resolve(author, encoding)
    {
        let mut wanted = vec![target.as_str().to_owned()];
        wanted.extend(RelativeForm::all().filter_map(|form| after.relativize(&target, form)));
        for wanted in wanted {
            let edit = after.respell(author, &wanted, encoding);
            let result = edit.apply(author);
            assert!(edit.span.end <= author.len());
            let leads_to = after.resolve(&result, encoding);
            assert_eq!(leads_to.as_ref(), Ok(&target), "{result} {wanted}");
        }
    }
}

/// As [`respelling_keeps_the_target`], under any standard.
pub(crate) fn respelling_means_the_target(standard: Standard, base: &str, author: &str) {
    if let Ok(target) = standard.resolve(base, author, UTF_8) {
        let edit = standard.respell(base, author, &target, UTF_8);
        assert_eq!(
            standard.resolve(base, &edit.apply(author), UTF_8),
            standard.resolve(base, &target, UTF_8),
            "{standard}: {author} against {base}"
        );
    }
}

/// No function panics, and explaining is resolving.
pub(crate) fn nothing_panics(base: &str, text: &str) {
    for standard in Standard::all() {
        let explained = standard.explain(base, text, UTF_8);
        assert_eq!(explained.target, standard.resolve(base, text, UTF_8));
        let _ = standard.relativize(base, text, RelativeForm::Shortest);
        let _ = standard.respell(base, text, base, UTF_8);
        let _ = standard.is_current_document(text);
    }
    if let Err(violation) = check(text) {
        assert!(violation.offset <= text.len());
    }
    let _ = delimit::undelimit(text);
    let _ = delimit::delimited(text);
}
