//! References resolved: where each leads, and what serves it.

use std::borrow::Cow;

use super::message_parts::PartIndex;
use crate::corpus::Contents;
use crate::diagnostic::Location;
use crate::document::container::span_in;
use crate::document::reference::Class;
use crate::document::{BaseUrl, Document, Positions, Reference, Span};
use crate::site::{FileIndex, PLACEHOLDER_URL, Response, SiteUrl, SiteUrlError};
use crate::url::{AbsoluteUrl, ResolveError};
use crate::warc::index::{ArchiveIndex, CaptureTarget};

/// What is known of the site that references lead into, or out of.
#[derive(Debug)]
pub struct SiteIndex {
    /// Where it is published.
    pub site_url: SiteUrl,
    /// Further URLs that mean it.
    pub also: Vec<SiteUrl>,
    /// Its files; of an archive, the URLs whose content it holds.
    pub files: FileIndex,
    /// What is in the archive that is the site; nothing else is asked then.
    pub archive: Option<ArchiveIndex>,
}

/// A reference and where it leads.
#[derive(Debug)]
pub struct Resolved<'d> {
    /// The reference.
    pub reference: &'d Reference,
    /// As the author wrote it, decoded.
    pub text: &'d str,
    /// What it is relative to, where that is known.
    pub base: Option<Cow<'d, AbsoluteUrl>>,
    /// The absolute URL it resolves to; `None` where it is left alone, for its class or for want of
    /// a base.
    pub target: Option<Result<AbsoluteUrl, ResolveError>>,
    /// Where that is.
    pub place: Place<'d>,
}

/// Where a target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place<'i> {
    /// Nobody can say: no target, or none with a hierarchy (`mailto:`).
    Nowhere,
    /// Outside the site.
    Outside,
    /// In a part of the same message.
    Part {
        /// The number of the part; `None` where no part has that `Content-ID`.
        part: Option<usize>,
        /// The fragment, without its `#`, if there is one.
        fragment: Option<String>,
    },
    /// In the site: its path below the site's URL, and what serves it.
    Inside {
        /// The path as the URL has it, percent-encoded.
        path: String,
        /// What serves it, if anything.
        served: Option<Response<'i>>,
        /// The fragment, without its `#`, if there is one.
        fragment: Option<String>,
    },
}

impl SiteIndex {
    /// The site that an archive with these contents is.
    ///
    /// # Errors
    /// None that is known of: the placeholder is a URL.
    pub fn of_contents(contents: Contents) -> Result<SiteIndex, SiteUrlError> {
        let (files, archive) = match contents {
            Contents::Captures(archive) => (FileIndex::from_paths(archive.urls()), Some(archive)),
            Contents::Files(files) => (files, None),
        };
        Ok(SiteIndex {
            site_url: SiteUrl::parse(PLACEHOLDER_URL)?.0,
            also: Vec::new(),
            files,
            archive,
        })
    }

    /// Where `target` is, seen from the archive. Its path is the whole URL.
    fn place_in_archive(&self, archive: &ArchiveIndex, target: &str) -> Place<'_> {
        let (url, fragment) = match target.split_once('#') {
            Some((url, fragment)) => (url, Some(fragment.to_owned())),
            None => (target, None),
        };
        if !archive.has_host_of(url) {
            return Place::Outside;
        }
        let served = match archive.target(url) {
            CaptureTarget::Content(found) => match self.files.file(found) {
                Some(file) if found == url => Some(Response::File(file)),
                file => file.map(Response::ByRule),
            },
            CaptureTarget::External => Some(Response::Redirect),
            CaptureTarget::Missing(_) => None,
        };
        Place::Inside {
            path: url.to_owned(),
            served,
            fragment,
        }
    }

    /// Whether a whole URL, which is [plain](crate::url::simple), is surely outside the site: a quick
    /// look.
    pub fn is_outside(&self, url: &str) -> bool {
        let mut site_urls = std::iter::once(&self.site_url).chain(&self.also);
        // Then it is its own target: it has a path, without dots to be taken out.
        let has_path = url.splitn(4, '/').nth(3).is_some();
        let has_dots = url.contains("/.") || url.contains('%');
        has_path
            && !has_dots
            && match &self.archive {
                Some(archive) => !archive.has_host_of(url),
                None => SiteUrl::containing(&mut site_urls, url).is_none(),
            }
    }

    /// Where `target` is.
    pub fn place(&self, target: &AbsoluteUrl) -> Place<'_> {
        if !target.is_hierarchical() {
            return Place::Nowhere;
        }
        if let Some(archive) = &self.archive {
            return self.place_in_archive(archive, target.as_str());
        }
        let site_urls = std::iter::once(&self.site_url).chain(&self.also);
        let Some((_, rest)) = SiteUrl::containing(site_urls, target.as_str()) else {
            return Place::Outside;
        };
        let (rest, fragment) = without_fragment(rest);
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        Place::Inside {
            path: path.to_owned(),
            served: self.files.find(path, query),
            fragment: fragment.map(str::to_owned),
        }
    }

    /// Every reference of `document` resolved, in order. `bases` are those of the document.
    pub fn resolve<'d>(
        &'d self,
        document: &'d Document<'d>,
        bases: &'d [BaseUrl],
        own: &'d AbsoluteUrl,
    ) -> impl Iterator<Item = Resolved<'d>> {
        let parts = PartIndex::of(document, bases);
        document
            .references
            .iter()
            .map(move |reference| self.resolve_one(document, bases, &parts, own, reference))
    }

    /// One of the references of `document` resolved, as [`SiteIndex::resolve`] does it. `parts` are
    /// those of the document.
    pub fn resolve_one<'d>(
        &'d self,
        document: &'d Document<'d>,
        bases: &'d [BaseUrl],
        parts: &PartIndex,
        own: &AbsoluteUrl,
        reference: &'d Reference,
    ) -> Resolved<'d> {
        let text = document.text_of(reference);
        let base = document.base_of(reference, bases);
        let target = match reference.class {
            Class::Ordinary => resolve(document, reference, text, base.as_deref(), own),
            Class::TemplateMarkup | Class::Empty | Class::SameDocument | Class::RelativeOnly => {
                None
            }
        };
        let place = match &target {
            Some(Ok(target)) => parts.place(target).unwrap_or_else(|| self.place(target)),
            _ => Place::Nowhere,
        };
        Resolved {
            reference,
            text,
            base,
            target,
            place,
        }
    }
}

pub(super) fn without_fragment(url: &str) -> (&str, Option<&str>) {
    match url.split_once('#') {
        Some((whole, fragment)) => (whole, Some(fragment)),
        None => (url, None),
    }
}

/// The target of an ordinary reference; without a base only of an absolute one.
fn resolve(
    document: &Document<'_>,
    reference: &Reference,
    text: &str,
    base: Option<&AbsoluteUrl>,
    own: &AbsoluteUrl,
) -> Option<Result<AbsoluteUrl, ResolveError>> {
    let encoding = document.container_of(reference)?.query_encoding;
    let assumed = base.unwrap_or(own);
    let target = assumed.resolve(text, encoding);
    match (&target, base) {
        (Ok(target), None) if !assumed.is_absolute_form(text, target, encoding) => None,
        _ => Some(target),
    }
}

/// The location of `reference` in `document`, whose path it leaves empty: the position is that of
/// the URL without the white space around it. `positions` are of the document's working bytes.
pub(super) fn location_of(
    document: &Document<'_>,
    reference: &Reference,
    positions: &mut Positions<'_>,
) -> Location {
    let text = document.text_of(reference);
    let space = text.len() - text.trim_start_matches(|c: char| c <= ' ').len();
    let url = Span {
        start: reference.span.start + space,
        ..reference.span
    };
    let start = span_in(&document.containers, reference.container, url).start;
    Location::of_reference(document, reference, Some(positions.of(start)))
}
