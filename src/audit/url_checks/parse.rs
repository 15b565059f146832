//! bad-url: references that are not URLs.

use super::context::{ReferenceContext, TrimmedReference};
use crate::audit::checks::Check;
use crate::audit::finding::ReferenceFinding;
use crate::url::{HostError, ParseError, ResolveError, scheme};

/// The byte offsets of the parts of the authority in the text.
struct Authority {
    host: usize,
    /// The colon before the port, or the end.
    host_end: usize,
    end: usize,
}

/// The authority as the URL Standard finds it: after a special scheme any number of slashes.
fn authority(subject: &ReferenceContext<'_>, text: &str) -> Option<Authority> {
    let rest = scheme::split(text).map_or(text, |(_, rest)| rest);
    let special = match scheme::split(text) {
        Some((name, _)) => scheme::is_special(name),
        None => subject
            .base
            .is_some_and(|base| scheme::is_special(base.scheme())),
    };
    let is_slash = |c: char| c == '/' || c == '\\' && special;
    let start = text.len() - rest.trim_start_matches(is_slash).len();
    let rest = text.get(start..)?;
    let end = rest
        .find(|c| is_slash(c) || matches!(c, '?' | '#'))
        .unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let brackets = authority.rfind(']').unwrap_or(host).max(host);
    let colon = authority.get(brackets..)?.find(':').map(|at| brackets + at);
    Some(Authority {
        host: start + host,
        host_end: start + colon.unwrap_or(end),
        end: start + end,
    })
}

pub(super) fn finding(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
    error: &ResolveError,
) -> ReferenceFinding {
    let finding = ReferenceFinding::new(Check::BadUrl, error.to_string());
    let (ResolveError::Reference(error), Some(parts)) = (error, authority(subject, written.text))
    else {
        return finding.at(written.start);
    };
    let at = match error {
        ParseError::InvalidPort => (parts.host_end + 1).min(written.text.len()),
        ParseError::InvalidHost(HostError::ForbiddenCodePoint(c)) => written
            .text
            .get(parts.host..parts.host_end)
            .and_then(|host| host.find(*c))
            .map_or(parts.host, |at| parts.host + at),
        _ => parts.host,
    };
    finding
        .at(written.start + at)
        .suggest(repaired(subject, written, &parts))
}

/// The first of a few likely repairs that is a URL.
fn repaired(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
    parts: &Authority,
) -> Option<String> {
    let text = written.text;
    let host = text.get(parts.host..parts.host_end)?;
    let port = text.get(parts.host_end..parts.end)?;
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
    };
    let trimmed = host.replace("%20", " ");
    let trimmed = trimmed.trim();
    let candidates = [
        // "host:path" for "host/path".
        port.strip_prefix(':')
            .filter(|port| is_name(port))
            .and_then(|port| written.replaced(parts.host_end, parts.end, &format!("/{port}"))),
        // Spaces around the host.
        (trimmed != host && !trimmed.is_empty())
            .then(|| written.replaced(parts.host, parts.host_end, trimmed))
            .flatten(),
        // Spaces around the port.
        (port.trim_ascii_end() != port)
            .then(|| written.replaced(parts.host_end, parts.end, port.trim_ascii_end()))
            .flatten(),
        // "[::1" for "[::1]".
        (host.starts_with('[') && !host.contains(']'))
            .then(|| written.replaced(parts.end, parts.end, "]"))
            .flatten(),
        // An IPv6 address without its brackets.
        text.get(parts.host..parts.end)
            .filter(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
            .and_then(|address| written.replaced(parts.host, parts.end, &format!("[{address}]"))),
    ];
    let base = subject.base.unwrap_or(subject.own);
    candidates
        .into_iter()
        .flatten()
        .find(|candidate| base.resolve(candidate, subject.encoding).is_ok())
}
