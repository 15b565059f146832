//! The server of a tree: the files of a folder as answers at the URLs of a site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::chromium::{HttpResponse, Responder};
use rehref_document::sniff_html;
use rehref_site::{FileIndex, Response, SiteUrl, media_type, path_from_url};

/// The page that servers of static sites send for what is missing.
const NOT_FOUND_PAGE: &str = "404.html";

/// Answers requests with the files of a tree, as servers of static sites do: index files, pages
/// without their extension, a redirect to the URL of a folder, and the site's own page for what is
/// missing.
pub(super) struct TreeServer<'s> {
    root: &'s Path,
    site_url: &'s SiteUrl,
    also: &'s [SiteUrl],
    files: &'s FileIndex,
}

impl<'s> TreeServer<'s> {
    pub(super) fn new(
        root: &'s Path,
        site_url: &'s SiteUrl,
        also: &'s [SiteUrl],
        files: &'s FileIndex,
    ) -> TreeServer<'s> {
        TreeServer {
            root,
            site_url,
            also,
            files,
        }
    }

    /// The content of the file at `path` (percent-encoded).
    fn file(&self, path: &str, status: u16) -> Option<HttpResponse> {
        let path: PathBuf = self.root.join(path_from_url(path)?);
        let body = fs::read(&path).ok()?;
        let media_type = media_type(&path, || sniff_html(&body));
        Some(HttpResponse {
            status,
            headers: vec![("Content-Type", media_type.to_owned())],
            body,
        })
    }

    fn not_found(&self) -> HttpResponse {
        let page = self.file(NOT_FOUND_PAGE, 404);
        page.unwrap_or_else(|| HttpResponse {
            status: 404,
            headers: vec![("Content-Type", "text/plain".to_owned())],
            body: b"not found".to_vec(),
        })
    }
}

impl Responder for TreeServer<'_> {
    fn respond(&self, url: &str) -> Option<HttpResponse> {
        let site_urls = std::iter::once(self.site_url).chain(self.also);
        let (site_url, rest) = SiteUrl::containing(site_urls, url)?;
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let response = self.files.find(path, query);
        let is_folder = matches!(response, Some(Response::Index(_) | Response::Folder));
        if is_folder && !path.is_empty() && !path.ends_with('/') {
            return Some(HttpResponse {
                status: 301,
                headers: vec![("Location", format!("{}{path}/{query}", site_url.url()))],
                body: Vec::new(),
            });
        }
        let file = response.as_ref().and_then(Response::file);
        let found = file.and_then(|file| self.file(file, 200));
        Some(found.unwrap_or_else(|| self.not_found()))
    }
}
