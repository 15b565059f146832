//! Clicks the toggles of a loaded page and the links that its scripts handle, and goes back, to compare the results.

use std::time::Instant;

use serde_json::Value;

use super::error::BrowserError;
use super::page::Load;

/// Clicks an element and says which.
const CLICK: &str = include_str!("click.js");

impl Load<'_> {
    /// Clicks up to `count` toggles and up to `count` links that a script follows, and goes back after
    /// each; after the first link, also another one on the page it leads to. Collects the page after each
    /// step.
    pub(super) fn clicks(&mut self, count: usize) -> Result<(), BrowserError> {
        for number in 1..=count {
            let label = |clicked: &str| format!("after click {number} on {clicked}");
            if self.step("toggle", label)?.is_none() {
                break;
            }
        }
        for number in 1..=count {
            let label = |clicked: &str| format!("after following link {number}, {clicked}");
            let Some(first) = self.step("link", label)? else { break };
            if number == 1
                && self
                    .step("link", |clicked| format!("after following {first} and {clicked}"))?
                    .is_some()
            {
                self.step("back", |_| format!("after going back to {first}"))?;
            }
            self.step("back", |_| format!("after going back from link {number}"))?;
        }
        Ok(())
    }

    /// Takes a step, each with the time limit of a load, waits for what follows, and collects the page as it is then, with
    /// the label for what was clicked. Returns that; `None` if there is nothing that a script handles.
    fn step(
        &mut self,
        kind: &str,
        label: impl Fn(&str) -> String,
    ) -> Result<Option<String>, BrowserError> {
        self.deadline = Instant::now() + self.request.timeout;
        self.documents = 0;
        let Some(frame) = self.main_frame()? else { return Ok(None) };
        let script = format!("({CLICK})({:?})", kind);
        self.step = label(&format!("a {kind}"));
        let Value::String(clicked) = self.evaluate(&frame, &script)? else { return Ok(None) };
        self.last_activity = Instant::now();
        self.step = label(&clicked);
        self.wait(None)?;
        if let Some(frame) = self.main_frame()? {
            self.collect(&frame, self.step.clone())?;
        }
        Ok(Some(clicked))
    }
}
