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
            let text = document.text_at(option.container);
            if option.kind != FetchOptionKind::Integrity {
                continue;
            }
            let Some(url) = document.file_of(option, bases) else {
                continue;
            };
            if let Some(content) = self.digests_of(&url)
                && !admits(text, &content)
            {
                self.report_integrity(option, &url, &content);
            }
        }
    }

    /// The digests of the file at `url`; `None` outside the site and in archives.
    fn digests_of(&self, url: &AbsoluteUrl) -> Option<Arc<Digests>> {
        let site = self.context.site;
        if site.archive.is_some() {
            return None;
        }
        let place = site.place(url);
        let path = path_from_url(site.files.resolve_alias(place.file()?))?;
        self.context.digests.of_file(&path)
    }

    fn report_integrity(&mut self, option: &FetchOption, url: &AbsoluteUrl, content: &Digests) {
        let at = self.document.start_of(option.container);
        let check = Check::WrongIntegrity;
        if self.metadata.ignores(at, check.id()) {
            self.out.ignored += 1;
            return;
        }
        let strongest = strongest(self.document.text_at(option.container));
        let right = strongest.map(|algorithm| content.stated(algorithm)).unwrap_or_default();
        let position = Some(self.positions.of(at));
        let containers = &self.document.containers;
        let mut location = Location::of_container(containers, option.container, position);
        location.path = self.name();
        let message = format!(
            "the digest does not match the file, so browsers block the file; the right digest is {right}"
        );
        let mut finding = Finding::new(check, location, message);
        finding.reference = Some(self.document.text_at(option.container).into());
        finding.target = Some(self.shown(url).into());
        self.push(finding);
    }
}
