//! The server of a tree: the files of a folder as answers at the URLs of a site, or at its `file:` URLs.
//!
//! Only regular files that are in the index are sent, opened without following a symbolic link: a page runs scripts, and
//! what it can read it could carry elsewhere.

use std::path::Path;

use crate::chromium::HttpResponse;
use rehref_corpus::files::with_file_bytes_up_to;
use rehref_document::sniff_html;
use rehref_site::{FileIndex, Response, SiteUrl, media_type, path_from_url};

/// The page that servers of static sites send for what is missing.
const NOT_FOUND_PAGE: &str = "404.html";

/// The largest file that is sent, in bytes. Each is in memory several times until the browser has it.
const LARGEST: u64 = 64 << 20;

/// Answers requests with the files of a tree, as servers of static sites do: index files, pages
/// without their extension, a redirect to the URL of a folder, and the site's own page for what is
/// missing. From disk there are files alone.
pub(super) struct TreeServer<'s> {
    pub(super) root: &'s Path,
    pub(super) site_url: &'s SiteUrl,
    pub(super) also: &'s [SiteUrl],
    /// The `file:` URL of the tree, if pages are opened from disk.
    pub(super) disk: Option<&'s SiteUrl>,
    pub(super) files: &'s FileIndex,
    /// A URL that rules of the server answer with a page, and the path of the page (percent-encoded).
    pub(super) fallback: Option<(String, String)>,
}

impl TreeServer<'_> {
    /// The content of the file at `path` (percent-encoded).
    fn file(&self, path: &str, status: u16) -> Option<HttpResponse> {
        let name = path_from_url(path)?;
        let target = path_from_url(self.files.resolve_alias(path))?;
        let body = with_file_bytes_up_to(&self.root.join(target), LARGEST, |bytes, metadata| {
            (metadata.len() <= LARGEST).then(|| bytes.to_vec())
        });
        let body = body.ok()??;
        let media_type = media_type(&name, || sniff_html(&body));
        let header = ("Content-Type", media_type.to_owned());
        Some(HttpResponse { status, header, body, is_on_disk: false })
    }

    fn not_found(&self) -> HttpResponse {
        let page = self.files.file(NOT_FOUND_PAGE);
        let page = page.and_then(|page| self.file(page, 404));
        page.unwrap_or_else(nothing)
    }

    /// The file at a `file:` URL of the tree: all that exists for its pages.
    fn file_on_disk(&self, url: &str) -> Option<HttpResponse> {
        let (_, rest) = SiteUrl::containing(self.disk, url)?;
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        let path = self.files.file(&self.files.normalized(path))?;
        // The browser would follow a symbolic link.
        let is_on_disk = self.files.resolve_alias(path) == path;
        Some(HttpResponse { is_on_disk, ..self.file(path, 200)? })
    }

    /// Returns the response to a request for `url`; `None` if the URL is not one of this site.
    pub(super) fn respond(&self, url: &str) -> Option<HttpResponse> {
        if url.starts_with("file:") {
            return Some(self.file_on_disk(url).unwrap_or_else(nothing));
        }
        if let Some((answered, path)) = &self.fallback
            && answered == url
        {
            return Some(self.file(path, 200).unwrap_or_else(|| self.not_found()));
        }
        let site_urls = std::iter::once(self.site_url).chain(self.also);
        let (site_url, rest) = SiteUrl::containing(site_urls, url)?;
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let response = self.files.find(path, query);
        let is_folder = matches!(response, Some(Response::Index(_) | Response::Folder));
        if is_folder && !path.is_empty() && !path.ends_with('/') {
            return Some(HttpResponse {
                status: 301,
                header: (
                    "Location",
                    site_url.url_below(&format!("{path}/{query}")).ok()?.to_string(),
                ),
                body: Vec::new(),
                is_on_disk: false,
            });
        }
        let file = response.as_ref().and_then(Response::file);
        let found = file.and_then(|file| self.file(file, 200));
        Some(found.unwrap_or_else(|| self.not_found()))
    }
}

/// The answer where a file is missing, and the site has no page for that.
fn nothing() -> HttpResponse {
    HttpResponse {
        status: 404,
        header: ("Content-Type", "text/plain".to_owned()),
        body: b"not found".to_vec(),
        is_on_disk: false,
    }
}
