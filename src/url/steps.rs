//! The steps of a resolution, for people to read.

/// One step of a resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The section of the standard that the step follows.
    pub section: &'static str,
    /// The action of the step, with its values.
    pub text: String,
}

/// Collects steps for [`Standard::explain`](super::Standard::explain), and does nothing for
/// [`Standard::resolve`](super::Standard::resolve).
#[derive(Debug, Default)]
pub(super) struct Steps(Option<Vec<Step>>);

impl Steps {
    pub(super) fn collecting() -> Steps {
        Steps(Some(Vec::new()))
    }

    pub(super) fn into_vec(self) -> Vec<Step> {
        self.0.unwrap_or_default()
    }

    pub(super) fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Adds the step whose `text` is made only where steps are collected.
    pub(super) fn note<T: Into<String>>(
        &mut self,
        section: &'static str,
        text: impl FnOnce() -> T,
    ) {
        if let Some(steps) = &mut self.0 {
            let text = text().into();
            steps.push(Step { section, text });
        }
    }
}
