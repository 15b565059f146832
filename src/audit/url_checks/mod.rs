//! Checks of one reference by itself: what can be said of it without looking at any other file.
//! Pure, and made for millions of references: plain ones are let through after one look.

mod grammar;
mod lookalike;
mod names;
mod network;
mod parent_traversal;
mod parse;
mod usage;

use encoding_rs::Encoding;

use super::checks::Check;
use super::finding::ReferenceFinding;
use crate::diagnostic::Severity;
use crate::document::reference::Class;
use crate::url::{AbsoluteUrl, ResolveError};

pub use crate::document::html::Usage;
pub use usage::usage;

/// A reference as the checks see it.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'r> {
    /// The reference as the author wrote it, decoded.
    pub reference: &'r str,
    /// What it is before it is resolved.
    pub class: Class,
    /// What the page does with it; few ask.
    pub usage: &'r dyn Fn() -> Usage,
    /// What it is relative to, where that is known.
    pub base: Option<&'r AbsoluteUrl>,
    /// The document's own URL.
    pub own: &'r AbsoluteUrl,
    /// The site's URL.
    pub site: &'r AbsoluteUrl,
    /// Whether the site is published at that URL; where not, it only stands for one.
    pub is_published: bool,
    /// What the reference resolves to.
    pub target: Result<&'r AbsoluteUrl, &'r ResolveError>,
    /// Whether there is a file of the site at the target: then it is no misspelt URL.
    pub target_exists: bool,
    /// The encoding of its query.
    pub encoding: &'static Encoding,
}

/// Checks a reference, and appends what there is to say.
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
        // A base that nothing can be relative to is the fault of the base.
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
    // What is taken for something else will be written anew anyhow.
    if !is_lookalike && !lookalike::is_path_of_machine(written.text) {
        out.extend(grammar::finding(subject, &written));
    }
}

/// A reference without the white space around it, which belongs to the document.
struct TrimmedReference<'r> {
    text: &'r str,
    /// Where it begins in the reference.
    start: usize,
}

impl<'r> TrimmedReference<'r> {
    fn of(reference: &'r str) -> TrimmedReference<'r> {
        let text = reference.trim_ascii_start();
        TrimmedReference {
            start: reference.len() - text.len(),
            text: text.trim_ascii_end(),
        }
    }

    /// The text with `with` in place of the bytes from `from` to `to`.
    fn replaced(&self, from: usize, to: usize, with: &str) -> Option<String> {
        let (before, after) = (self.text.get(..from)?, self.text.get(to..)?);
        Some([before, with, after].concat())
    }
}

/// Whether nothing can be wrong with a reference that has a target: a few safe characters, no way
/// up, and a base with the scheme of the document's own URL. `target_exists` as in [`ReferenceContext`].
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

/// Whether nothing can be wrong with a whole URL by itself, which is [plain](crate::url::simple) and
/// not the site's: secure, and on a host that all the world knows.
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
            "empty: browsers load nothing, and some older ones load this page \
             again"
        }
        Usage::Other => "empty: has no meaning here",
    };
    let level = match (subject.usage)() {
        Usage::Link | Usage::Other => Severity::Note,
        _ => Severity::Warning,
    };
    ReferenceFinding::new(Check::EmptyReference, message).at_most(level)
}

/// An empty link to the page itself is what generators write for it, and works.
fn empty_link(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let message = "empty: points to the base URL, not to this page";
    subject
        .base
        .is_some_and(|base| base != subject.own)
        .then(|| ReferenceFinding::new(Check::EmptyReference, message))
}

#[cfg(test)]
mod tests;
