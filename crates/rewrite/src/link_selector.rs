//! Style sheets that select links by their text: rewritten links may look different.

use super::policy::Policy;
use rehref_document::container::span_in;
use rehref_document::css::link_selectors;
use rehref_document::{Document, Position};
use rehref_site::{Diagnostic, Location, Severity};

/// The code of the warning about selectors that depend on the text of links.
pub const LINK_SELECTOR: &str = "link-selector";

/// Returns the warnings about the selectors of the style sheets in `document` that match links by their text, if
/// `policy` makes relative references absolute, or absolute ones relative. `position_of` counts lines and columns of
/// an offset in the working bytes.
pub(super) fn warnings(
    policy: &Policy,
    document: &Document<'_>,
    mut position_of: impl FnMut(usize) -> Position,
) -> Vec<Diagnostic> {
    let changes_spelling = policy.changes_form();
    let containers = document.containers.iter().enumerate();
    let sheets = containers.filter(|(_, it)| changes_spelling && it.kind.is_style_sheet());
    let warnings = sheets.filter_map(|(index, sheet)| {
        let css = sheet.text.as_str();
        let mut selectors = link_selectors(css.as_bytes());
        let first = selectors.next()?;
        let more = match selectors.count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let selector = first.of_str(css);
        let at = span_in(&document.containers, index, first).start;
        let place = Some(position_of(at));
        let location = Location::of_container(&document.containers, index, place);
        let message = format!(
            "the style sheet selects links by their URLs ({selector}{more}), so rewritten links may look different"
        );
        Some(Diagnostic::new(Severity::Warning, LINK_SELECTOR, location, message))
    });
    warnings.collect()
}
