//! Clicks the toggles of a loaded page and the links that its scripts handle, and goes back, to compare the results.

use std::time::Instant;

use serde_json::Value;

use super::error::BrowserError;
use super::page::{Load, LoadedFrame};

/// Clicks an element and says which.
const CLICK: &str = include_str!("click.js");

impl Load<'_> {
    /// Clicks up to `count` toggles and up to `count` links that a script follows, and goes back after
    /// each; after the first link, also another one on the page it leads to. Returns the page after each
    /// step.
    pub(super) fn clicks(&mut self, count: usize) -> Result<Vec<LoadedFrame>, BrowserError> {
        let mut states = Vec::new();
        for number in 1..=count {
            let Some(label) = self.step("toggle")? else { break };
            states.push(self.state(format!("after click {number} on {label}"))?);
        }
        for number in 1..=count {
            let Some(label) = self.step("link")? else { break };
            states.push(self.state(format!("after following link {number}, {label}"))?);
            if number == 1
                && let Some(second) = self.step("link")?
            {
                states.push(self.state(format!("after following {label} and {second}"))?);
                self.step("back")?;
                states.push(self.state(format!("after going back to {label}"))?);
            }
            self.step("back")?;
            states.push(self.state(format!("after going back from link {number}"))?);
        }
        Ok(states.into_iter().flatten().collect())
    }

    /// Takes a step, each with the time limit of a load, and waits for what follows. Returns what was
    /// clicked; `None` if there is nothing that a script handles.
    fn step(&mut self, kind: &str) -> Result<Option<String>, BrowserError> {
        self.deadline = Instant::now() + self.request.timeout;
        let Some(frame) = self.main_frame()? else { return Ok(None) };
        let script = format!("({CLICK})({:?})", kind);
        let clicked = self.evaluate(&frame, &script)?;
        self.last_activity = Instant::now();
        match clicked {
            Value::String(label) => {
                self.wait(None)?;
                Ok(Some(label))
            }
            _ => Ok(None),
        }
    }

    /// The page as it is now.
    fn state(&mut self, label: String) -> Result<Option<LoadedFrame>, BrowserError> {
        let frame = self.main_frame()?;
        frame.map(|frame| self.collected(&frame, label)).transpose()
    }
}
