//! Checks a reference without reading any other file. Pure functions, made for millions of
//! references: [`is_plain`] and [`is_plain_url`] let most of them pass.

mod address;
mod grammar;
mod lookalike;
mod names;
mod network;
mod parent_traversal;
mod parse;

use std::ops::Range;

use encoding_rs::Encoding;

use super::checks::Check;
use super::finding::ReferenceFinding;
use rehref_document::html::Usage;
use rehref_document::reference::Class;
use rehref_site::Severity;
use rehref_url::simple::Folders;
use rehref_url::{AbsoluteUrl, ResolveError};

/// A reference with the data that the checks of URLs need.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'r> {
    /// The reference as the author wrote it, decoded. Checks receive it without the white space around it,
    /// which belongs to the document.
    pub reference: &'r str,
    /// The class of the reference, which decides whether it is resolved.
    pub class: Class,
    /// The use that the page makes of the target; computed only if a check needs it.
    pub usage: &'r dyn Fn() -> Usage,
    /// True if the reference is metadata of the page, which only programs other than browsers read.
    pub is_metadata: bool,
    /// The base URL against which the reference resolves; `None` if it is unknown.
    pub base: Option<&'r AbsoluteUrl>,
    /// The URL of the document that contains the reference.
    pub own: &'r AbsoluteUrl,
    /// The URL at which the site is published, or a placeholder: see `is_published`.
    pub site: &'r AbsoluteUrl,
    /// True if `site` is the real URL of the site; otherwise it is a placeholder.
    pub is_published: bool,
    /// The target of the reference, or why it has none.
    pub target: Result<&'r AbsoluteUrl, &'r ResolveError>,
    /// True if the target is a file of the site, so the reference is not a misspelt URL.
    pub target_exists: bool,
    /// True if the target is in the site, but no file exists there.
    pub target_is_missing: bool,
    /// The encoding of the query in the reference.
    pub encoding: &'static Encoding,
}

impl<'r> ReferenceContext<'r> {
    /// Returns the URL to resolve a corrected reference against.
    pub(super) fn base_or_own(&self) -> &'r AbsoluteUrl {
        self.base.unwrap_or(self.own)
    }

    /// Returns the reference with `text` in place of the bytes in `range`.
    pub(super) fn replaced(&self, range: Range<usize>, text: &str) -> Option<String> {
        let before = self.reference.get(..range.start)?;
        let after = self.reference.get(range.end..)?;
        Some([before, text, after].concat())
    }
}

/// Runs all checks of URLs on a reference, and returns their findings.
pub fn check(subject: &ReferenceContext<'_>) -> Vec<ReferenceFinding> {
    match subject.class {
        Class::TemplateMarkup | Class::RelativeOnly => return Vec::new(),
        Class::Empty => return vec![empty_value(subject)],
        Class::Ordinary | Class::SameDocument => {}
    }
    let text = subject.reference.trim_ascii_start();
    if text.is_empty() {
        return Vec::from_iter(empty_link(subject));
    }
    let start = subject.reference.len() - text.len();
    let mut findings =
        check_trimmed(&ReferenceContext { reference: text.trim_ascii_end(), ..*subject });
    for finding in &mut findings {
        finding.at += start;
    }
    findings
}

/// As [`check`], without white space around the reference.
fn check_trimmed(subject: &ReferenceContext<'_>) -> Vec<ReferenceFinding> {
    if let Err(error) = subject.target {
        // An opaque base is reported at the base.
        let is_reported = !error.is_of_base();
        return Vec::from_iter(is_reported.then(|| parse::finding(subject, error)));
    }
    let mut findings = Vec::from_iter(lookalike::finding(subject));
    let is_lookalike = !findings.is_empty();
    findings.extend(parent_traversal::finding(subject));
    network::findings(subject, &mut findings);
    findings.extend(address::finding(subject));
    // The author will rewrite a lookalike as a whole.
    if !is_lookalike && !lookalike::is_path_of_machine(subject.reference) {
        findings.extend(grammar::finding(subject));
    }
    findings
}

/// A fast path: returns true if a reference with a target certainly has no finding. It has only safe
/// characters, its `..` segments are at its start and stay in the site, and the base has the scheme of the
/// document's own URL. The arguments are as in [`ReferenceContext`].
pub fn is_plain(
    reference: &str,
    base: Option<&AbsoluteUrl>,
    own: &AbsoluteUrl,
    site: &AbsoluteUrl,
    target_exists: bool,
) -> bool {
    let Some(base) = base.filter(|base| base.scheme() == own.scheme()) else { return false };
    let (mut rest, mut parents) = (reference, 0);
    while let Some(after) = rest.strip_prefix("../") {
        rest = after;
        parents += 1;
    }
    if parents > 0 {
        let folder = Folders::of(base).and_then(|folders| folders.above(parents));
        if !folder.is_some_and(|folder| folder.starts_with(site.as_str())) {
            return false;
        }
    }
    let bytes = rest.as_bytes();
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
}

/// A fast path: returns true if a [simple](rehref_url::simple) absolute URL outside the site certainly has no
/// finding: it is secure, and its host is public.
pub fn is_plain_url(url: &str) -> bool {
    let host = url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?', '#']).next());
    // A host without a dot may be a second scheme.
    host.is_some_and(|host| host.contains('.') && !network::may_be_local(host))
}

fn empty_value(subject: &ReferenceContext<'_>) -> ReferenceFinding {
    let (severity, message) = match (subject.usage)() {
        Usage::Link => (Severity::Note, "the link is empty: browsers use the URL of this page"),
        Usage::Image | Usage::Resource | Usage::Style => (
            Severity::Warning,
            "the link is empty: browsers load nothing; some older browsers load this page again",
        ),
        Usage::Other if subject.is_metadata => (
            Severity::Warning,
            "the metadata is empty: programs that show previews of this page get no URL",
        ),
        Usage::Other => {
            (Severity::Note, "the link is empty: programs use the URL of this page, or none")
        }
    };
    ReferenceFinding::new(Check::EmptyReference, message).at_most(severity)
}

/// A note if the empty link goes to the page itself: generators write such links on purpose.
fn empty_link(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    if subject.base? != subject.own {
        let message = "the link is empty: its target is the base URL, not this page";
        return Some(ReferenceFinding::new(Check::EmptyReference, message));
    }
    let message = "the link is empty: browsers load this page again";
    let found = ReferenceFinding::new(Check::EmptyReference, message).at_most(Severity::Note);
    ((subject.usage)() == Usage::Link).then_some(found)
}

#[cfg(test)]
mod tests;
