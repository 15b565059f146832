//! The audit of a single document: what it needs to know of the documents beside it, and which of its links
//! leave their directory.

use std::collections::{BTreeSet, HashMap};

use super::Run;
use crate::checks::Check;
use crate::files::FileNumber;
use crate::finding::Finding;
use crate::site_index::{SiteIndex, location_of};
use crate::target_place::TargetPlace;
use rehref_corpus::{CorpusError, SourceDocument};
use rehref_document::{DocumentError, Metadata, ParseOptions, Positions};
use rehref_site::Severity;
use rehref_site::plural::counted;
use rehref_url::scheme;

/// The links that leave the directory of a document.
struct LeavingLinks {
    count: usize,
    /// The finding about the first of them, which stands for all.
    first: Finding,
}

impl Run<'_> {
    /// Reads the targets of pending fragments and of fixes with a fragment, and the pages that these redirect to, for their anchors.
    pub(super) fn read_neighbors(&mut self) -> Result<(), CorpusError> {
        let context = self.context;
        let neighbors = self.audit.collection.clone().with_neighbors();
        let mut read: BTreeSet<FileNumber> = BTreeSet::new();
        let fixes = self.found.iter().filter_map(|(_, it)| it.fix.as_ref());
        let of_fixes = fixes.filter_map(|fix| Some(fix.fragment.as_ref()?.file));
        let mut wanted: BTreeSet<FileNumber> = self.pending.files().chain(of_fixes).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let numbered = neighbors.files().enumerate();
        let numbered =
            numbered.filter_map(|(item, path)| Some((context.files.number_of(path)?, item)));
        let items_of: HashMap<FileNumber, usize> = numbered.collect();
        loop {
            wanted.retain(|file| context.anchors.get(*file).is_none() && read.insert(*file));
            if wanted.is_empty() {
                return Ok(());
            }
            let items = wanted.iter().filter_map(|file| items_of.get(file));
            let items: BTreeSet<usize> = items.copied().collect();
            let mut further = BTreeSet::new();
            neighbors.each_document(
                Some(&items),
                |document| context.examine(document),
                || {},
                |_, result| {
                    // Without its anchors, nothing is known of its fragments.
                    if let Ok(Ok(examined)) = result {
                        further.extend(examined.redirects_to.map(|(file, _)| file));
                    }
                    Ok(())
                },
            )?;
            wanted = further;
        }
    }

    /// Reports the links that leave the directory of the document once, at the first: where they lead to is
    /// not checked.
    pub(super) fn leaving_links(&mut self) -> Result<(), CorpusError> {
        let site = self.context.site;
        let mut found = None;
        self.audit.collection.each_document(
            None,
            |document| Ok::<_, DocumentError>((document.item, leaving_links(site, document)?)),
            || {},
            |_, result| {
                if let Ok(Ok((item, Some(links)))) = result {
                    found = Some((item, links));
                }
                Ok(())
            },
        )?;
        // Each of them has one of these, too.
        self.found.retain(|(_, finding)| {
            finding.check != Check::EscapesRoot || finding.severity > Severity::Warning
        });
        if let Some((item, LeavingLinks { count, first })) = found {
            let links = counted(count, "link");
            let (was, them) = match count {
                1 => ("was", "it"),
                _ => ("were", "them"),
            };
            let name = &first.location.path;
            let message = format!(
                "{links} with a target outside the directory of the document {was} not checked; to check \
                 {them}, audit the root directory of the site with --include {name}"
            );
            self.found.push((item, first.with_message(message)));
        }
        Ok(())
    }
}

/// The links of `source` to other directories of its host, or of its disk.
fn leaving_links(
    site: &SiteIndex,
    source: &SourceDocument<'_>,
) -> Result<Option<LeavingLinks>, DocumentError> {
    let root = site.site_url.url();
    let host = root.as_str().strip_suffix(root.path()).unwrap_or_default();
    let host = format!("{host}/");
    let options = ParseOptions { metadata: true, ..source.options };
    let document = source.parse(&options)?;
    let own = source.fallback_base;
    let bases = document.base_urls(own);
    let resolved = site.resolve(&document, &bases, own);
    let mut leaving = resolved.filter_map(|resolved| {
        let target = resolved.target.as_ref()?.as_ref().ok()?;
        // An author who names the host means another part of it.
        let text = resolved.text.trim_ascii_start();
        let is_relative = scheme::split(text).is_none() && !text.starts_with("//");
        let leaves = is_relative
            && resolved.place == TargetPlace::External
            && target.as_str().starts_with(&host);
        let at = document.span_of(resolved.reference).start;
        let is_ignored = |it: &Metadata| it.ignores(at, Check::EscapesRoot.id());
        let leaves = leaves && !document.metadata.as_ref().is_some_and(is_ignored);
        leaves.then(|| (resolved.reference, resolved.text, target.to_string()))
    });
    let Some((reference, text, target)) = leaving.next() else {
        return Ok(None);
    };
    let mut location =
        location_of(&document, reference, &mut Positions::new(document.working_bytes()));
    location.path = source.name.into();
    let mut first = Finding::new(Check::EscapesRoot, location, "");
    first.severity = Severity::Note;
    first.reference = Some(text.into());
    first.target = Some(target.into());
    Ok(Some(LeavingLinks { count: 1 + leaving.count(), first }))
}
