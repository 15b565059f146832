//! Checks the digests of files that a document states.

use std::sync::Arc;

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::Finding;
use rehref_document::integrity::{Digests, admits, strongest};
use rehref_document::{BaseUrl, FetchOption, FetchOptionKind};
use rehref_site::Location;
use rehref_site::path_from_url;
use rehref_url::AbsoluteUrl;

impl DocumentAuditor<'_> {
    /// The check wrong-integrity. `bases` are the base URLs of the document's scopes.
    pub(super) fn integrity(&mut self, bases: &[BaseUrl]) {
        let document = self.document;
        for option in &document.fetch_options {
            if option.kind == FetchOptionKind::Integrity
                && let Some(url) = document.file_of(option, bases)
                && let Some(content) = self.digests_of(&url)
                && !admits(document.text_at(option.container), &content)
            {
                self.report_integrity(option, &url, &content);
            }
        }
    }

    /// The digests of the file at `url`; `None` outside the site and in archives.
    fn digests_of(&self, url: &AbsoluteUrl) -> Option<Arc<Digests>> {
        let site = self.site;
        if site.archive.is_some() {
            return None;
        }
        let place = site.place(url);
        let path = path_from_url(site.files.resolve_alias(place.file()?))?;
        self.context.digests.of_file(&path)
    }

    fn report_integrity(&mut self, option: &FetchOption, url: &AbsoluteUrl, content: &Digests) {
        let text = self.document.text_at(option.container);
        let right = strongest(text).map(|algorithm| content.stated(algorithm)).unwrap_or_default();
        let location = Location::of_container(&self.document.containers, option.container, None);
        let message = "the digest does not match the file, so browsers block the file";
        let mut finding = Finding::new(Check::WrongIntegrity, location, message)
            .with_help(format!("the right digest is {right}"));
        finding.reference = Some(text.into());
        finding.target = Some(self.shown(url).into());
        self.report_at(self.document.start_of(option.container), finding);
    }
}
