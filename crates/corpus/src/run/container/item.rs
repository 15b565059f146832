//! Rewrites the documents of one item of a container.

use std::borrow::Cow;

use crate::container::{PieceBytes, Replaced};
use crate::run::plan::{Archives, Plan};
use crate::run::report::Report;
use crate::warc::PAYLOAD_DIGEST;
use crate::warc_container::RecordItem;
use crate::{ContainerError, Role, SkipError, SourceDocument, catch_panic};
use rehref_rewrite::{DocumentUrls, Policy, SiteMapping, SitePolicy, rewrite_document};
use rehref_site::{Diagnostic, SiteUrl};
use rehref_url::AbsoluteUrl;

/// A rewritten item of a container.
pub(in crate::run) struct RewrittenItem {
    pub(in crate::run) report: Report,
    /// The digest of its new content that it states, if that changed.
    pub(in crate::run) digest: Option<String>,
    /// The replacement of the item in the new container.
    pub(in crate::run) written: Result<PieceBytes, ContainerError>,
}

/// Rewrites the documents of `item`. Unless `needs_bytes`, the new bytes of the item are not assembled.
pub(in crate::run) fn rewrite_item(
    plan: &Plan,
    mut item: RecordItem,
    needs_bytes: bool,
) -> RewrittenItem {
    let mut report = Report::default();
    let mut diagnostics = Vec::new();
    let mut rewrite = |document: &SourceDocument<'_>| {
        let urls = DocumentUrls::unmoved(document.fallback_base);
        let policy = policy_for(plan, document);
        let mut result = rewrite_document(document.bytes, urls, &policy, &document.options)?;
        // A crawl has the URLs of its records, so its links cannot leave SITE; `audit` reports the `..` segments.
        result.references.above_root = 0;
        report.references += &result.references;
        diagnostics.append(&mut result.diagnostics);
        Ok(result.into_bytes(document.bytes))
    };
    let old_digest = item.record.head.value(PAYLOAD_DIGEST);
    let replaced = catch_panic(|| item.replace(&mut rewrite)).map_err(SkipError::coding).flatten();
    let is_changed = matches!(replaced, Ok(Replaced::Changed(_)));
    let name = &*item.name;
    match replaced {
        Ok(Replaced::NoDocument) => {}
        Ok(Replaced::Unchanged) => (report.documents.seen, report.documents.unchanged) = (1, 1),
        Ok(Replaced::Changed(wrong_digests)) => {
            (report.documents.seen, report.documents.rewritten) = (1, 1);
            diagnostics.extend(wrong_digests.into_iter().map(|field| {
                let message = format!(
                    "the {field} was wrong before the rewrite, so rehref did not update it"
                );
                Diagnostic::warning(name, "wrong-digest", message)
            }));
        }
        Err(error) => {
            // Not all references of the item were counted.
            report = Report::default();
            diagnostics.clear();
            report.add_skipped(name, &error);
        }
    }
    report.add_diagnostics(name, diagnostics);
    RewrittenItem {
        report,
        digest: item.record.head.value(PAYLOAD_DIGEST).filter(|it| Some(it) != old_digest.as_ref()),
        written: item.written(is_changed, needs_bytes),
    }
}

/// The policy for a document of a container. The files of the tree are not files of the document's
/// site, so they cannot prove which URLs exist.
fn policy_for<'p>(plan: &'p Plan, document: &SourceDocument<'_>) -> Cow<'p, Policy> {
    let policy = match &plan.policy {
        // No element can be put into headers.
        Policy::Absolute { base: Some(_), .. } if document.role == Role::Headers => {
            return Cow::Owned(Policy::absolute());
        }
        Policy::Site(policy) => policy,
        policy => return Cow::Borrowed(policy),
    };
    let mapping = &policy.mapping;
    let site_url = match plan.archives {
        Archives::RewrittenByServer => host_root(document.retrieval_url),
        Archives::Rewritten | Archives::Copied => None,
    };
    let site_url = site_url.unwrap_or_else(|| mapping.before.clone());
    Cow::Owned(Policy::site(SitePolicy {
        form: policy.form,
        base_elements: policy.base_elements,
        mapping: SiteMapping { also: mapping.also.clone(), ..SiteMapping::unmoved(site_url) },
    }))
}

/// The root of the host of `url`.
fn host_root(url: &AbsoluteUrl) -> Option<SiteUrl> {
    let root = url.resolve("/", encoding_rs::UTF_8).ok()?;
    Some(SiteUrl::parse(root.as_str()).ok()?.0)
}
