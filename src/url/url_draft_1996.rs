//! Resolution under draft-fielding-uri-url-00 (November 1996), sections 3 and 6.

use super::components::Components;
use super::error::ResolveError;
use super::generic_1990s::{self, Removable, Sections};
use super::standard::Standard;
use super::steps::Steps;

const SECTIONS: Sections = Sections {
    empty_base: "6 step 1",
    absolute: "6 step 2b",
    inherit: "6 step 5",
    merge: "6 step 6",
    dots: "6 steps 6a-6d",
};

/// Whether a reference is empty or only a fragment, which means the document that holds it (section 3).
pub(super) fn is_current_document(reference: &Components<'_>) -> bool {
    let absent = |part: Option<&str>| part.is_none_or(str::is_empty);
    reference.scheme.is_none()
        && absent(reference.authority)
        && reference.path.is_empty()
        && absent(reference.params)
        && absent(reference.query)
}

/// Resolves `reference` against `base`, which also counts as the URL of the current document, without
/// its fragment.
pub(super) fn resolve(
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let parts = Components::split_1990s(reference);
    if generic_1990s::is_absolute(base, &parts, &SECTIONS, steps) {
        return Ok(reference.to_owned());
    }
    let base_parts = Components::split_1990s(base);
    if is_current_document(&parts) {
        if base_parts.scheme.is_none() {
            return Err(ResolveError::RelativeBase);
        }
        steps.note("3, 6 step 2a", || {
            "the reference means the current document".to_owned()
        });
        return Ok(generic_1990s::recombine(&Components {
            fragment: parts.fragment,
            ..base_parts
        }));
    }
    generic_1990s::resolve(
        Standard::UrlDraft1996,
        &base_parts,
        &parts,
        Removable::NotDoubleDot,
        &SECTIONS,
        steps,
    )
}
