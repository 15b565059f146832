//! The steps of a resolution, for people to read.

use std::fmt::Display;

/// One step of a resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The section of the standard that the step follows.
    pub section: String,
    /// The action of the step, with its values.
    pub text: String,
}

/// Collects steps for [`Standard::explain`](super::Standard::explain), and does nothing for
/// [`Standard::resolve`](super::Standard::resolve).
#[derive(Debug, Default)]
pub(super) struct Steps(pub(super) Option<Vec<Step>>);

impl Steps {
    /// Adds a step. Formats `section` and `text`, which may be `format_args!`, only if steps are
    /// collected.
    pub(super) fn note(&mut self, section: impl Display, text: impl Display) {
        if let Some(steps) = &mut self.0 {
            let (section, text) = (section.to_string(), text.to_string());
            steps.push(Step { section, text });
        }
    }
}
