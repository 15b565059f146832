//! bad-url: references that are not URLs.

use std::net::Ipv6Addr;

use super::ReferenceContext;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use rehref_url::{AbsoluteUrl, HostError, ParseError, ResolveError, scheme};

/// The parts of the authority of a reference, as offsets into it in bytes.
struct Authority {
    host: usize,
    /// The colon before the port, or the end.
    host_end: usize,
    end: usize,
}

/// Finds the authority as the URL Standard does, which skips any number of slashes after a special
/// scheme.
fn authority(subject: &ReferenceContext<'_>) -> Option<Authority> {
    let text = subject.reference;
    let (scheme, rest) = match scheme::split(text) {
        Some((name, rest)) => (Some(name), rest),
        None => (subject.base.map(AbsoluteUrl::scheme), text),
    };
    let special = scheme.is_some_and(scheme::is_special);
    let is_slash = |c: char| c == '/' || c == '\\' && special;
    let start = text.len() - rest.trim_start_matches(is_slash).len();
    let rest = text.get(start..)?;
    let end = rest.find(|c| is_slash(c) || matches!(c, '?' | '#')).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let brackets = authority.rfind(']').unwrap_or(host).max(host);
    let colon = authority.get(brackets..)?.find(':').map(|at| brackets + at);
    Some(Authority { host: start + host, host_end: start + colon.unwrap_or(end), end: start + end })
}

/// Returns the finding about a reference that resolves with `error`.
pub(super) fn finding(subject: &ReferenceContext<'_>, error: &ResolveError) -> ReferenceFinding {
    let finding = ReferenceFinding::new(Check::BadUrl, format!("the link is not a URL: {error}"));
    let (ResolveError::Reference(error), Some(parts)) = (error, authority(subject)) else {
        return finding;
    };
    let text = subject.reference;
    let at = match error {
        ParseError::InvalidPort => (parts.host_end + 1).min(text.len()),
        ParseError::InvalidHost(HostError::ForbiddenCodePoint(c)) => {
            let host = text.get(parts.host..parts.host_end).unwrap_or_default();
            parts.host + host.find(*c).unwrap_or(0)
        }
        _ => parts.host,
    };
    finding.at(at).suggest(repaired(subject, &parts))
}

/// The first of the likely corrections that is a URL.
fn repaired(subject: &ReferenceContext<'_>, parts: &Authority) -> Option<String> {
    let &Authority { host: start, host_end, end } = parts;
    let address = subject.reference.get(start..end)?;
    let (host, port) = address.split_at_checked(host_end - start)?;
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
    };
    let decoded = host.replace("%20", " ");
    let trimmed = decoded.trim();
    let path = port.strip_prefix(':').filter(|port| is_name(port));
    let repairs = [
        // "host:path" for "host/path".
        path.map(|path| (host_end..end, format!("/{path}"))),
        // Spaces around the host.
        (trimmed != host && !trimmed.is_empty()).then(|| (start..host_end, trimmed.to_owned())),
        // Spaces around the port.
        (port.trim_ascii_end() != port).then(|| (host_end..end, port.trim_ascii_end().to_owned())),
        // "[::1" for "[::1]".
        (host.starts_with('[') && !host.contains(']')).then(|| (end..end, "]".to_owned())),
        // An IPv6 address without its brackets.
        (address.parse::<Ipv6Addr>().is_ok()).then(|| (start..end, format!("[{address}]"))),
    ];
    let repairs = repairs.into_iter().flatten();
    let mut candidates = repairs.filter_map(|(range, text)| subject.replaced(range, &text));
    let base = subject.base_or_own();
    candidates.find(|candidate| base.resolve(candidate, subject.encoding).is_ok())
}
