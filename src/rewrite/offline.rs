//! Finds what pages cannot do when they are opened from disk. Each `file:` page has an origin of its own, so
//! that browsers refuse its requests to other files by CORS, and with them module scripts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::{find_ignore_case, script_elements};

/// The changes and limits of a site that is to be read from disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OfflineReport {
    /// The attributes `integrity` and `crossorigin` that were removed: from disk, browsers block the
    /// files that have them.
    pub fetch_options_removed: usize,
    /// How many files use each feature that does not work from disk.
    pub limits: BTreeMap<&'static str, usize>,
}

impl OfflineReport {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        *self == OfflineReport::default()
    }

    pub(super) fn add(&mut self, part: OfflineReport) {
        self.fetch_options_removed += part.fetch_options_removed;
        for (limit, count) in part.limits {
            *self.limits.entry(limit).or_default() += count;
        }
    }

    /// Adds the features that the script `code` uses.
    pub(super) fn add_script(&mut self, code: &[u8]) {
        for (limit, signs) in SIGNS {
            if signs.iter().any(|sign| is_called(code, sign.as_bytes())) {
                self.limits.insert(limit, 1);
            }
        }
    }

    /// Adds the features that the HTML document `source` uses.
    pub(super) fn add_page(&mut self, source: &[u8]) {
        for script in script_elements(source) {
            if is_module(script.attributes.of(source)) {
                self.limits.insert(MODULES, 1);
            }
            self.add_script(script.content.of(source));
        }
    }
}

const MODULES: &str = "module scripts";

/// Features, and what calls them.
const SIGNS: &[(&str, &[&str])] = &[
    ("fetch and XMLHttpRequest", &["fetch(", "XMLHttpRequest"]),
    ("service workers", &["serviceWorker.register("]),
    ("workers", &["new Worker(", "new SharedWorker("]),
];

/// Whether the attributes in `tag` are those of a module script.
fn is_module(tag: &[u8]) -> bool {
    find_ignore_case(tag, b"type").is_some_and(|at| {
        let value = tag
            .get(at + "type".len()..)
            .unwrap_or_default()
            .trim_ascii_start();
        let value = value
            .strip_prefix(b"=")
            .unwrap_or_default()
            .trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        value
            .get(..6)
            .is_some_and(|value| value.eq_ignore_ascii_case(b"module"))
    })
}

/// Whether `code` holds `sign`, and not as the end of a longer name.
fn is_called(code: &[u8], sign: &[u8]) -> bool {
    memchr::memmem::find_iter(code, sign).any(|at| {
        let before = at.checked_sub(1).and_then(|before| code.get(before));
        before.is_none_or(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'_' | b'$'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_found_in_scripts_only() {
        for (page, expected) in [
            ("<p>fetch(x) &lt;script type=module>", &[][..]),
            (
                "<SCRIPT Type = 'Module' src=x></SCRIPT>",
                &["module scripts"],
            ),
            ("<script type=text/x>prefetch(x)</script>fetch(", &[]),
            (
                "<script>window.fetch(x)</script><script>new Worker(x)",
                &["fetch and XMLHttpRequest", "workers"],
            ),
            (
                "<script>navigator.serviceWorker.register('/x')</script>",
                &["service workers"],
            ),
        ] {
            let mut report = OfflineReport::default();
            report.add_page(page.as_bytes());
            let found: Vec<&str> = report.limits.into_keys().collect();
            assert_eq!(found, expected, "{page}");
        }
    }
}
