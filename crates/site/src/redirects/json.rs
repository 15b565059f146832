//! A JSON list of redirects, for programs.

use serde::Serialize;

use super::redirect::{Redirect, RedirectText, STATUS, UnsupportedReason, UnsupportedRedirect};

#[derive(Serialize)]
struct JsonRedirect<'a> {
    from: &'a str,
    to: &'a str,
    status: u16,
}

/// An array with one object per line, so that line tools can search and compare long lists.
pub(super) fn list(redirects: &[Redirect]) -> RedirectText<'_> {
    let mut text = b"[".to_vec();
    let mut unsupported = Vec::new();
    let mut separator = "\n";
    for redirect in redirects {
        let from = &redirect.from;
        let to = &redirect.new_url().text();
        let object = from
            .as_str()
            .get(from.path_range().start..)
            .filter(|_| from.path().starts_with('/'))
            .and_then(|from| {
                let status = STATUS;
                serde_json::to_vec(&JsonRedirect { from, to, status }).ok()
            });
        let Some(object) = object else {
            let reason = UnsupportedReason::NoPath;
            unsupported.push(UnsupportedRedirect { redirect, reason });
            continue;
        };
        text.extend_from_slice(separator.as_bytes());
        text.extend_from_slice(&object);
        separator = ",\n";
    }
    text.extend_from_slice(if unsupported.len() == redirects.len() { b"]\n" } else { b"\n]\n" });
    RedirectText { text, written: redirects.len() - unsupported.len(), unsupported }
}
