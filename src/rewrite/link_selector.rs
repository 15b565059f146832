//! Style sheets that select links by their text: rewritten links may look different.

use super::policy::Policy;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::document::Positions;
use crate::document::css::link_selectors;

/// The code of the warning.
const LINK_SELECTOR: &str = "link-selector";

/// The warning about the selectors of the style sheet `css`, at `path`, that match links by their text, if
/// `policy` makes relative references absolute, or absolute ones relative.
pub(super) fn warning(policy: &Policy, path: &str, css: &[u8]) -> Option<Diagnostic> {
    let changes_spelling = match policy {
        Policy::Absolute { .. } => true,
        Policy::Site(site) => site.form.is_some(),
        Policy::Fix(_) => false,
    };
    let mut selectors = link_selectors(css).filter(|_| changes_spelling);
    let first = selectors.next()?;
    let more = match selectors.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let selector = String::from_utf8_lossy(first.of(css));
    let message = format!(
        "selects links by their text ({selector}{more}): links that were rewritten may look different"
    );
    let mut warning = Diagnostic::warning(path, LINK_SELECTOR, message);
    warning.location.position = Some(Positions::new(css).of(first.start));
    Some(warning)
}

/// Drops the warnings if the run rewrote no link.
pub(super) fn drop_needless(report: &mut Report) {
    if report.references.rewritten == 0 {
        let diagnostics = &mut report.diagnostics;
        diagnostics.retain(|it| it.code != LINK_SELECTOR);
    }
}
