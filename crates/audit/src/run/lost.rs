//! Finds what another tree published that this one does not: see [`Published`].

use super::Run;
use crate::anchors::{FragmentStatus, PendingFragment};
use crate::checks::Check;
use crate::files::ItemNumber;
use crate::finding::{Confidence, Finding};
use crate::fragment_shapes::FragmentShapes;
use crate::published::{Published, PublishedKind, PublishedPath, PublishedUrl};
use crate::target_place::TargetPlace;
use crate::targets::{absent, by_rule, missing};
use rehref_site::{Response, Severity};
use rehref_url::AbsoluteUrl;

impl Run<'_> {
    /// Reports the URLs and anchors of `published` that the site does not have.
    pub(super) fn lost(&mut self, published: &Published) {
        let standard = self.audit.collection.corpus().standard;
        let mut lost_anchors = Vec::new();
        for (PublishedPath { path, .. }, url) in &published.urls {
            // Projects in the tree have URLs of their own.
            let site = self.audit.site.of_document(&url.place);
            let Ok(target) = site.site_url.url_below(path) else { continue };
            let target = AbsoluteUrl::new(standard, target);
            let place = site.place(&target);
            let lost = self.lost_url(published, url, &target, &place);
            if let Some(finding) = lost.or_else(|| self.lost_without_slash(published, path, url)) {
                self.found.push((ItemNumber::MAX, finding));
                continue;
            }
            let file = place.file().and_then(|file| self.context.files.number(file));
            let Some(number) = file else { continue };
            if let Some(to) = self.dead_refreshes.get(&number) {
                let message = format!("the page redirects to {to}, which does not exist");
                let mut finding = Finding::new(Check::LostPage, url.location(), message);
                finding.target = Some(self.shown(target.as_str()).into());
                self.found.push((ItemNumber::MAX, finding));
                continue;
            }
            for anchor in &url.anchors {
                let shapes = FragmentShapes::of_fragment(anchor);
                let wanted = PendingFragment::new(number, anchor, shapes);
                if self.context.anchors.find(&wanted) == FragmentStatus::Missing {
                    let target = format!("{}#{anchor}", target.as_str());
                    lost_anchors.push((url, target, anchor, wanted));
                }
            }
        }
        let homes = self.context.anchors.homes(lost_anchors.iter().map(|(.., wanted)| wanted));
        for (url, target, anchor, wanted) in lost_anchors {
            let mut finding = Finding::new(
                Check::LostAnchor,
                url.location(),
                format!("the page has no anchor `#{anchor}`"),
            );
            // An anchor that the other page had before is not the one that moved.
            let is_new = |file: &&str| {
                let other = published.urls.get(&(*file).into());
                other.is_none_or(|it| !it.anchors.contains(anchor))
            };
            let home = homes.only(&wanted).filter(|_| is_word(anchor));
            if let Some(file) = home.map(|it| self.context.files.path(it)).filter(is_new) {
                let message = format!("{}: only `{file}` has it", finding.message);
                finding = finding.with_message(message);
                finding.suggestion = Some(format!("{file}#{anchor}").into());
            }
            finding.target = Some(self.shown(&target).into());
            self.found.push((ItemNumber::MAX, finding));
        }
    }

    /// The finding if the site does not answer `url`, at `target`.
    fn lost_url(
        &self,
        published: &Published,
        url: &PublishedUrl,
        target: &AbsoluteUrl,
        place: &TargetPlace<'_>,
    ) -> Option<Finding> {
        let site = self.audit.site.of_document(&url.place);
        let TargetPlace::Internal { path, response, is_loop, .. } = place else { return None };
        let unread = site.files.unread_rule(path);
        let found = match response {
            None | Some(Response::Extension(_)) => match site.files.rule_for(path) {
                Some(rule) => {
                    let to = site.files.redirected_path(path).filter(|_| !is_loop);
                    // A plugin or a build may make it.
                    if to.as_ref().is_some_and(|to| site.files.maker_of(None, to).is_some()) {
                        return None;
                    }
                    by_rule(site, rule, to.as_deref(), *is_loop)
                }
                None => missing(site, self.context.suggestions(), target, path).unless_made(unread),
            },
            // Visitors of a page do not want a list of files.
            Some(Response::Folder) if url.kind == PublishedKind::Page => {
                missing(site, self.context.suggestions(), target, path)
            }
            _ => return None,
        };
        let check = match url.kind {
            PublishedKind::Page => Check::LostPage,
            PublishedKind::File => Check::LostFile,
            PublishedKind::Redirect => Check::LostRedirect,
        };
        // A page with a similar name is another one, if its text is.
        let is_page = published.has_text && url.kind == PublishedKind::Page;
        let is_made = found.severity < Severity::Error && unread.is_some();
        let is_guess = is_page && found.confidence != Confidence::Certain && !is_made;
        let message = if is_guess && found.suggestion.is_some() {
            absent(path).into()
        } else {
            found.message
        };
        let mut finding = Finding::new(check, url.location(), message);
        finding.suggestion =
            found.suggestion.filter(|_| !is_guess).map(|it| self.shown(&it).into());
        finding.target = Some(self.shown(target.as_str()).into());
        if is_made {
            finding.severity = Severity::Warning;
        }
        Some(finding)
    }

    /// The finding if a rule redirects the directory `path` and none its URL without the slash, which the server
    /// redirected while the directory existed.
    fn lost_without_slash(
        &self,
        published: &Published,
        path: &str,
        url: &PublishedUrl,
    ) -> Option<Finding> {
        let site = self.audit.site.of_document(&url.place);
        let bare = path.strip_suffix('/').filter(|_| url.kind == PublishedKind::Page)?;
        site.files.rule_for(path)?;
        let target = site.site_url.url_below(bare).ok()?;
        let target = AbsoluteUrl::new(self.audit.collection.corpus().standard, target);
        self.lost_url(published, url, &target, &site.place(&target))
    }

    fn shown<'t>(&self, target: &'t str) -> &'t str {
        self.context.shown(target, &self.context.site_url)
    }
}

/// Returns true if `anchor` is more than a number that a program counted: `id-1.9.4` of another page is another place.
fn is_word(anchor: &str) -> bool {
    let letters = anchor.chars().filter(|it| it.is_alphabetic()).count();
    letters * 2 > anchor.chars().count()
}
