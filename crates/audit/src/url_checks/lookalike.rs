//! scheme-lookalike: references that browsers read differently than authors meant them.

use super::ReferenceContext;
use super::names;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use rehref_document::html::Usage;
use rehref_document::reference::Class;
use rehref_site::Severity;
use rehref_url::{ReferenceForm, scheme};
use std::borrow::Cow;

/// Mistaken names for `mailto:`.
const FOR_MAILTO: &[&str] = &["e-mail", "email", "mail", "mail-to", "mailtto", "mailto."];

/// Schemes whose typing errors are recognized.
const MISTYPED: &[&str] = &["http", "https", "mailto", "javascript"];

/// Returns true if `text` starts like a Windows path, with a drive letter or a server name.
pub(super) fn is_path_of_machine(text: &str) -> bool {
    match text.as_bytes() {
        [b'\\', b'\\', c, ..] => c.is_ascii_alphanumeric(),
        [letter, b':' | b'|', b'\\' | b'/', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns true if the first name of `text` may be a host. Cheap: parses no URL.
pub(super) fn may_be_host(text: &str) -> bool {
    let end = text.find(['/', '#', '?', ':']).unwrap_or(text.len());
    names::is_surely_host(text.get(..end).unwrap_or_default())
}

/// Reports a reference that is read differently than it looks, unless it leads to an existing file.
pub(super) fn finding(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    if subject.class != Class::Ordinary || subject.target_exists {
        return None;
    }
    if is_path_of_machine(subject.reference) {
        // In a published page the check local-leak reports it.
        let found =
            ReferenceFinding::new(Check::SchemeLookalike, "the link is a Windows path, not a URL");
        return (!subject.is_published).then_some(found);
    }
    match scheme::split(subject.reference) {
        Some((name, _)) if name.eq_ignore_ascii_case("file") => None,
        Some((name, rest)) if scheme::is_special(name) => with_special_scheme(subject, name, rest),
        Some((name, rest)) => with_scheme(subject, name, rest),
        None => without_scheme(subject),
    }
}

fn lookalike(
    message: impl Into<Cow<'static, str>>,
    suggestion: String,
) -> Option<ReferenceFinding> {
    Some(ReferenceFinding::new(Check::SchemeLookalike, message).suggest(Some(suggestion)))
}

/// A lookalike that is as broken as any other link if its target does not exist.
fn broken_lookalike(
    subject: &ReferenceContext<'_>,
    message: &'static str,
    suggestion: String,
) -> Option<ReferenceFinding> {
    let severity = if subject.target_is_missing {
        Severity::Error
    } else {
        Check::SchemeLookalike.row().severity
    };
    let found = lookalike(message, suggestion)?;
    Some(ReferenceFinding { severity, ..found })
}

fn with_scheme(subject: &ReferenceContext<'_>, name: &str, rest: &str) -> Option<ReferenceFinding> {
    if names::is_scheme(name) {
        return None;
    }
    let is_host = names::is_host(name) && !names::is_file(name);
    if starts_with_port(rest) && (is_host || name.eq_ignore_ascii_case("localhost")) {
        let message = format!(
            "the link has no scheme: browsers read the host name in \"{name}:\" as the scheme"
        );
        return lookalike(message, format!("http://{}", subject.reference));
    }
    let lower = name.to_ascii_lowercase();
    let meant = if FOR_MAILTO.contains(&&*lower) && rest.contains('@') {
        Some("mailto")
    } else {
        let mut known = MISTYPED.iter().copied();
        let meant = known.find(|known| is_mistyped(&lower, known));
        meant.filter(|meant| !meant.starts_with("http") || rest.starts_with("//"))
    };
    if let Some(meant) = meant {
        let message = format!("\"{name}:\" is not a scheme that browsers know");
        return lookalike(message, format!("{meant}:{rest}"));
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    if rest.starts_with("//") || !(names::is_file(path) || rest.starts_with(':')) {
        return None;
    }
    let message =
        format!("the link looks like a file name, but browsers read \"{name}:\" as a scheme");
    lookalike(message, format!("./{}", subject.reference))
}

fn starts_with_port(rest: &str) -> bool {
    let end = rest.find('/').unwrap_or(rest.len());
    let port = rest.get(..end).unwrap_or_default();
    !port.is_empty() && port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_mistyped(name: &str, known: &str) -> bool {
    name != known && name.len() + 1 >= known.len() && strsim::osa_distance(name, known) == 1
}

/// `http:g`, `http:/g` and `http:///g`, which browsers repair, and `http://http://g`.
fn with_special_scheme(
    subject: &ReferenceContext<'_>,
    name: &str,
    rest: &str,
) -> Option<ReferenceFinding> {
    let after = rest.trim_start_matches(['/', '\\']);
    let slashes = rest.len() - after.len();
    let target = subject.target.ok()?;
    if slashes == 2 {
        let doubled = ["http", "https"].iter().find_map(|inner| {
            let more = after.strip_prefix(inner)?;
            let more = more.strip_prefix(':').unwrap_or(more);
            more.starts_with("//").then(|| format!("{inner}:{more}"))
        })?;
        let message = "the link has two schemes: browsers read the second as the host";
        return lookalike(message, doubled);
    }
    let base = subject.base_or_own();
    let slash = if slashes == 1 { "/" } else { "" };
    let relative = format!("{slash}{after}");
    if slashes < 2 && base.resolves_to(&relative, subject.encoding, target) {
        let message = format!(
            "the link has \"{name}:\" without \"//\": browsers ignore the scheme, other programs do not"
        );
        let is_host = slashes == 0 && may_be_host(rest);
        let whole = is_host.then(|| format!("{name}://{rest}"));
        return lookalike(message, whole.unwrap_or(relative));
    }
    let given = match slashes {
        0 => "without \"//\"".to_owned(),
        1 => "with 1 slash instead of 2".to_owned(),
        more => format!("with {more} slashes instead of 2"),
    };
    let message = format!(
        "the link has \"{name}:\" {given}: browsers read the text after it as a host, other programs do not"
    );
    lookalike(message, format!("{name}://{after}"))
}

fn without_scheme(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let text = subject.reference;
    if ReferenceForm::of(text) != ReferenceForm::Path {
        return None;
    }
    let bare = text.trim_matches(['(', ')', '<', '>', '[', ']', '"', '\'', ',']);
    let absolute = scheme::split(bare).filter(|(name, rest)| {
        scheme::is_special(name) && rest.starts_with("//") && !text.starts_with(bare)
    });
    if absolute.is_some() {
        let message =
            "a delimiter stands before the URL: browsers read the whole text as a file path";
        return broken_lookalike(subject, message, bare.to_owned());
    }
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    for scheme in ["http", "https"] {
        let rest = lower.strip_prefix(scheme);
        let junk = rest.map_or(0, |rest| rest.bytes().take_while(|&b| b == b';').count());
        if rest.is_some_and(|rest| rest.get(junk..).is_some_and(|rest| rest.starts_with("//"))) {
            let rest = text.get(scheme.len() + junk..).unwrap_or_default();
            let message =
                "the scheme has no \":\" after it: browsers read the whole text as a file path";
            return broken_lookalike(subject, message, format!("{scheme}:{rest}"));
        }
    }
    let end = text.find(['/', '?', '#', ':']).unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(end)?;
    if names::is_surely_host(first) {
        let message =
            "the link is a host name without a scheme: browsers read the host name as a directory";
        return broken_lookalike(subject, message, format!("https://{text}"));
    }
    let (user, host) = first.split_once('@')?;
    let is_address = (subject.usage)() == Usage::Link
        && (rest.is_empty() || rest.starts_with('?'))
        && !user.is_empty()
        && user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-_".contains(&byte))
        && names::is_host(host)
        && !names::is_file(host);
    let message =
        "the link is a mail address without \"mailto:\": browsers read the address as a file path";
    broken_lookalike(subject, message, format!("mailto:{text}")).filter(|_| is_address)
}
