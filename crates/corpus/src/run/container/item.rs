//! Rewrites the documents of one item of a container.

use std::borrow::Cow;

use crate::container::{ItemOutcome, RewrittenItem};
use crate::run::plan::{Archives, Plan};
use crate::run::report::Report;
use crate::warc_container::RecordItem;
use crate::{Remark, Role, SourceDocument};
use rehref_rewrite::{DocumentUrls, Policy, SiteMapping, SitePolicy, rewrite_document};
use rehref_site::{Diagnostic, SiteUrl};
use rehref_url::AbsoluteUrl;

/// Rewrites the documents of `item`. Returns their report, and the item, whose name and remarks are in the report.
pub(in crate::run) fn rewrite_item(
    plan: &Plan,
    item: RecordItem,
    needs_bytes: bool,
) -> (Report, RewrittenItem) {
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
    let mut rewritten = item.rewrite(&mut rewrite, needs_bytes);
    let name = &*rewritten.name;
    report.documents.seen = 1;
    match &rewritten.outcome {
        ItemOutcome::NoDocument => return (Report::default(), rewritten),
        ItemOutcome::Rewritten => report.documents.rewritten = 1,
        ItemOutcome::Unchanged => report.documents.unchanged = 1,
        ItemOutcome::Skipped(error) => {
            // Not all references of the item were counted.
            report = Report::default();
            diagnostics.clear();
            report.add_skipped(name, error);
        }
    }
    report.add_diagnostics(name, diagnostics);
    let remarks = std::mem::take(&mut rewritten.remarks).into_iter();
    let warnings = remarks.map(|remark| warning(name, remark));
    report.diagnostics.extend(warnings);
    (report, rewritten)
}

/// The policy for a document of a container. The files of the tree are not files of the document's
/// site, so they cannot prove which URLs exist.
fn policy_for<'p>(plan: &'p Plan, document: &SourceDocument<'_>) -> Cow<'p, Policy> {
    let policy = match &plan.policy {
        // No element can be put into headers.
        Policy::Absolute { base: Some(_) } if document.role == Role::Headers => {
            return Cow::Owned(Policy::Absolute { base: None });
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

pub(super) fn warning(name: &str, remark: Remark) -> Diagnostic {
    Diagnostic::warning(name, remark.code, remark.message)
}
