//! A JSON list of redirects, for programs.

use super::redirect::{NO_PATH, Redirect, RedirectText, STATUS, UnsupportedRedirect};

/// `text` in quotes, as YAML, TOML, JSON, JavaScript and Python read it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns an array with one object per line, so that line tools can search and compare long lists.
pub(super) fn array(objects: impl Iterator<Item = String>) -> Vec<u8> {
    let mut text = "[".to_owned();
    let mut separator = "\n";
    for object in objects {
        text += separator;
        text += &object;
        separator = ",\n";
    }
    text += if text == "[" { "]\n" } else { "\n]\n" };
    text.into_bytes()
}

pub(super) fn list(redirects: &[Redirect]) -> RedirectText<'_> {
    let mut unsupported = Vec::new();
    let text = array(redirects.iter().filter_map(|redirect| {
        let from = &redirect.from;
        if !from.path().starts_with('/') {
            unsupported.push(UnsupportedRedirect { redirect, reason: NO_PATH });
            return None;
        }
        let from = quoted(from.as_str().get(from.path_range().start..)?);
        let to = quoted(&redirect.new_url().text());
        Some(format!("{{\"from\":{from},\"to\":{to},\"status\":{STATUS}}}"))
    }));
    RedirectText { text, written: redirects.len() - unsupported.len(), unsupported }
}
