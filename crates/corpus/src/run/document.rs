//! Rewrites one document of a tree.

use std::path::Path;
use std::sync::Arc;

use super::outcome::FileError;
use super::plan::Plan;
use crate::{FileDocument, FileRole, ReadError};
use rehref_document::{DocumentError, integrity::DigestChange};
use rehref_rewrite::{DocumentUrls, Rewritten, rewrite_document_of_site};
use rehref_url::AbsoluteUrl;

/// Rewrites the document in `file`, at `path` below the root, as `plan` says. `change_of`: the change of a file
/// that it states a digest of.
pub(super) fn rewritten(
    plan: &Plan,
    change_of: &dyn Fn(&AbsoluteUrl) -> Option<Arc<DigestChange>>,
    path: &Path,
    role: &FileRole,
    file: &FileDocument<'_>,
) -> Result<Result<Rewritten, DocumentError>, FileError> {
    let corpus = &plan.corpus;
    let (old_path, new_path) = (plan.old_path(path), plan.new_path(path));
    let mut own = DocumentUrls::unmoved(file.document.fallback_base);
    let (before, page_before, after, page_after);
    own.page = file.document.page;
    own.page_after = own.page;
    let base = corpus.base_document(path).filter(|it| *it != path);
    let (page, new_page) = match base {
        Some(document) => (plan.old_path(document).into(), plan.new_path(document).into()),
        None => (role.page(old_path), role.page(new_path)),
    };
    if plan.origins.is_some() {
        let url = plan.old_index_files().document_url(&corpus.site_url, &page);
        before = AbsoluteUrl::new(corpus.standard, url.map_err(ReadError::NoUrl)?);
        own.before = &before;
        let url = corpus.page_url(path, old_path, &corpus.site_url);
        page_before = url.map_err(ReadError::NoUrl)?;
        own.page = page_before.as_ref();
    }
    own.is_served_anywhere = corpus.served_anywhere.has(&page, &new_page);
    let policy = plan.policy_of(path);
    if file.document.options.kind.is_page() && policy.changes_form() {
        own.scripts = corpus.script_traits(file.document.bytes, own.before, policy);
    }
    own.depth = path.parent().map(|folder| folder.components().count());
    if page.as_os_str() != new_page.as_os_str()
        || *plan.new_site_url() != corpus.site_url
        || plan.new_index_files.has(&new_page) != plan.old_index_files().has(&page)
    {
        let site_url = plan.new_site_url();
        let url = plan.new_index_files.document_url(site_url, &new_page);
        after = AbsoluteUrl::new(corpus.standard, url.map_err(ReadError::NoUrl)?);
        own.after = &after;
        let url = corpus.page_url(path, new_path, site_url);
        page_after = url.map_err(ReadError::NoUrl)?;
        own.page_after = page_after.as_ref();
    }
    let document = file.document;
    Ok(rewrite_document_of_site(document.bytes, own, policy, &document.options, change_of))
}
