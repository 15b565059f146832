//! Checks one reference by itself, without any other file. Pure functions, made for millions of
//! references: a quick test lets plain ones pass.

mod context;
mod grammar;
mod lookalike;
mod names;
mod network;
mod parent_traversal;
mod parse;
mod usage;

use super::checks::Check;
use super::finding::ReferenceFinding;
use crate::diagnostic::Severity;
use crate::document::reference::Class;
use crate::url::AbsoluteUrl;

use crate::document::html::Usage;
pub use context::ReferenceContext;
use context::TrimmedReference;
pub use usage::usage;

/// Checks a reference, and appends the findings to `out`.
pub fn check(subject: &ReferenceContext<'_>, out: &mut Vec<ReferenceFinding>) {
    match subject.class {
        Class::TemplateMarkup | Class::RelativeOnly => return,
        Class::Empty => return out.push(empty_value(subject)),
        Class::Ordinary | Class::SameDocument => {}
    }
    let exists = subject.target_exists;
    if subject.target.is_ok() && is_plain(subject.reference, subject.base, subject.own, exists) {
        return;
    }
    let written = TrimmedReference::of(subject.reference);
    if written.text.is_empty() {
        return out.extend(empty_link(subject));
    }
    if let Err(error) = subject.target {
        // An opaque base is reported at the base.
        if !error.is_of_base() {
            out.push(parse::finding(subject, &written, error));
        }
        return;
    }
    let lookalike = lookalike::finding(subject, &written);
    let is_lookalike = lookalike.is_some();
    out.extend(lookalike);
    out.extend(parent_traversal::finding(subject, &written));
    network::findings(subject, &written, out);
    // Authors will rewrite what looks like something else anyway.
    if !is_lookalike && !lookalike::is_path_of_machine(written.text) {
        out.extend(grammar::finding(subject, &written));
    }
}

/// Whether nothing can be wrong with a reference that has a target: it has only safe characters and
/// no `..`, and the base has the scheme of the document's own URL. `target_exists` as in [`ReferenceContext`].
pub fn is_plain(
    reference: &str,
    base: Option<&AbsoluteUrl>,
    own: &AbsoluteUrl,
    target_exists: bool,
) -> bool {
    let bytes = reference.as_bytes();
    let mut hashes = 0;
    let mut previous = b'/';
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {}
            // Two slashes at the start, or two dots anywhere.
            b'/' | b'.' if previous == byte => return false,
            b'/' | b'.' => {}
            b'#' => hashes += 1,
            _ => return false,
        }
        previous = byte;
    }
    !bytes.is_empty()
        && hashes < 2
        && !bytes.starts_with(b"/")
        && (target_exists || !lookalike::may_be_host(reference))
        && base.is_some_and(|base| base.scheme() == own.scheme())
}

/// Whether nothing can be wrong with a [simple](crate::url::simple) absolute URL outside the site:
/// it is secure, and its host is public.
pub fn is_plain_url(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .and_then(|rest| rest.split(['/', '?', '#']).next());
    // A host without a dot may be a second scheme.
    host.is_some_and(|host| host.contains('.') && !network::may_be_local(host))
}

fn empty_value(subject: &ReferenceContext<'_>) -> ReferenceFinding {
    let message = match (subject.usage)() {
        Usage::Link => "empty: browsers use the URL of this page instead",
        Usage::Image | Usage::Resource | Usage::Style => {
            "empty: browsers load nothing, and some older ones load this page again"
        }
        Usage::Other => "empty: has no meaning here",
    };
    let level = match (subject.usage)() {
        Usage::Link | Usage::Other => Severity::Note,
        _ => Severity::Warning,
    };
    ReferenceFinding::new(Check::EmptyReference, message).at_most(level)
}

/// A finding unless the empty link goes to the page itself: generators write such links on purpose.
fn empty_link(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let message = "empty: points to the base URL, not to this page";
    subject
        .base
        .is_some_and(|base| base != subject.own)
        .then(|| ReferenceFinding::new(Check::EmptyReference, message))
}

#[cfg(test)]
mod tests;
