//! Resolution under RFC 1808 as its drafts 03 and 05 (January 1995) have it, section 4.

use super::components::Components;
use super::error::ResolveError;
use super::generic_1990s::{self, Removable, Sections};
use super::standard::Standard;
use super::steps::Steps;

const SECTIONS: Sections = Sections {
    empty_base: "4 step 1",
    absolute: "4 step 2b",
    inherit: "4 step 5",
    merge: "4 step 6",
    dots: "4 steps 6a-6d",
};

/// Resolves `reference` against `base`.
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
    if reference.is_empty() && base_parts.scheme.is_some() {
        steps.note("4 step 2a", || {
            "the reference is empty: it is the base".to_owned()
        });
        return Ok(base.to_owned());
    }
    // The drafts let "<segment>" be ".." in 6c; RFC 1808 itself was the first to exclude it.
    generic_1990s::resolve(
        Standard::Rfc1808,
        &base_parts,
        &parts,
        Removable::Any,
        &SECTIONS,
        steps,
    )
}
