//! Redirect rules in the settings of hosts: `netlify.toml`, `vercel.json` and others. rehref reads them for the audit, and
//! changes none of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{PathSegment, RedirectRule, RulePaths, RulePlace, normalized_path};
use rehref_document::Positions;
use rehref_generators::data::{self, DataLanguage, Node, Step};

/// A settings file of a host that contains redirect rules, such as `netlify.toml`.
#[derive(Debug)]
pub struct HostSettings {
    /// The name of the file.
    pub file: &'static str,
    /// The host that reads the file.
    pub host: &'static str,
    /// The language of the file; `None` if rehref does not read it.
    pub language: Option<DataLanguage>,
    lists: &'static [List],
}

/// A list of rules.
#[derive(Debug)]
struct List {
    /// The names of members around it, separated by dots.
    path: &'static str,
    /// The members of a rule: the old path, the target, and the status.
    members: [&'static str; 3],
    /// The status of rules without one.
    status: u16,
}

const fn list(path: &'static str, members: [&'static str; 3], status: u16) -> List {
    List { path, members, status }
}

/// The table of settings files with redirect rules.
pub const HOST_SETTINGS: &[HostSettings] = &[
    HostSettings {
        file: "netlify.toml",
        host: "Netlify",
        language: Some(DataLanguage::Toml),
        lists: &[list("redirects", ["from", "to", "status"], 301)],
    },
    HostSettings {
        file: "vercel.json",
        host: "Vercel",
        language: Some(DataLanguage::Yaml),
        lists: &[
            list("redirects", ["source", "destination", "statusCode"], 308),
            list("rewrites", ["source", "destination", ""], 200),
        ],
    },
    HostSettings {
        file: "firebase.json",
        host: "Firebase Hosting",
        language: Some(DataLanguage::Yaml),
        lists: &[
            list("hosting.redirects", ["source", "destination", "type"], 301),
            list("hosting.rewrites", ["source", "destination", ""], 200),
        ],
    },
    HostSettings {
        file: "staticwebapp.config.json",
        host: "Azure Static Web Apps",
        language: Some(DataLanguage::Yaml),
        lists: &[
            list("routes", ["route", "redirect", "statusCode"], 302),
            list("routes", ["route", "rewrite", ""], 200),
        ],
    },
    HostSettings { file: "Caddyfile", host: "Caddy", language: None, lists: &[] },
];

/// The redirect rules in a settings file.
#[derive(Debug, Default)]
pub struct SettingsRules {
    pub rules: Vec<RedirectRule>,
    /// The number of rules whose old paths are patterns that rehref does not read, and of files that rehref
    /// does not read.
    pub unread: usize,
}

/// A rule as it is read, member by member.
#[derive(Default)]
struct Read {
    from: Option<String>,
    to: Option<(String, usize)>,
    status: Option<u16>,
    is_conditional: bool,
}

impl HostSettings {
    /// Parses the rules in `text`, the content of the file. Messages call the file `shown`.
    pub fn read(&self, shown: &str, text: &str) -> SettingsRules {
        let mut found = SettingsRules::default();
        let Some(language) = self.language else {
            let has_rules = ["redir ", "rewrite ", "try_files "].iter().any(|it| text.contains(it));
            found.unread = usize::from(has_rules);
            return found;
        };
        let mut read: BTreeMap<(usize, usize), Read> = BTreeMap::new();
        // What is before an error counts.
        let _ = data::nodes(text, language, |path, node| {
            let item = path
                .iter()
                .rposition(|it| matches!(it, Step::Member(name) if &**name == "conditions"));
            let (is_condition, path) = match item.and_then(|at| path.get(..=at)) {
                Some(path) => (true, path),
                None => (false, path),
            };
            let (
                Node::Scalar { value, whole, .. },
                [above @ .., Step::Item(item), Step::Member(name)],
            ) = (node, path)
            else {
                return;
            };
            for (at, list) in self.lists.iter().enumerate() {
                let names = above.iter().map(|step| match step {
                    Step::Member(name) => &**name,
                    Step::Item(_) => "",
                });
                if !names.eq(list.path.split('.')) {
                    continue;
                }
                let rule = read.entry((at, *item)).or_default();
                rule.is_conditional |= is_condition;
                match list.members.iter().position(|it| *it == &**name) {
                    Some(0) => rule.from = Some(value.to_string()),
                    Some(1) => rule.to = Some((value.to_string(), whole.start)),
                    Some(2) => rule.status = value.parse().ok(),
                    _ => {}
                }
            }
        });
        let file: Arc<str> = shown.into();
        let mut positions = Positions::new(text.as_bytes());
        for ((at, _), rule) in read {
            let (Some(list), Some(from), Some((to, start))) =
                (self.lists.get(at), rule.from, rule.to)
            else {
                continue;
            };
            let Some((from, to)) = self::rule(&from, &to) else {
                found.unread += 1;
                continue;
            };
            let at = positions.of(start);
            found.rules.push(RedirectRule {
                place: RulePlace { file: Arc::clone(&file), line: at.line, column: at.column },
                host: None,
                below: String::new(),
                from,
                to,
                own_origin: 0,
                is_forced: false,
                catches_index: false,
                is_conditional: rule.is_conditional,
                status: rule.status.unwrap_or(list.status),
            });
        }
        found
    }
}

/// The paths that a rule for `from` matches, and its target with the names of `_redirects`; `None` for a pattern that
/// rehref does not read. `*` and `**` are the rest of a path, as is `:name*`, and `:name` is a segment.
fn rule(from: &str, to: &str) -> Option<(RulePaths, String)> {
    let path = from.strip_prefix('/')?;
    let mut to = to.to_owned();
    let mut segments = Vec::new();
    let count = path.split('/').count();
    for (at, text) in path.split('/').enumerate() {
        let name = text.strip_prefix(':').map(|name| name.strip_suffix('*').unwrap_or(name));
        let is_rest = text.ends_with('*') && at + 1 == count;
        segments.push(match name {
            Some(name) if is_name(name) && is_rest => {
                to = to.replace(text, ":splat");
                PathSegment::Rest
            }
            None if is_rest && matches!(text, "*" | "**") => PathSegment::Rest,
            Some(name) if is_name(name) && !text.ends_with('*') => {
                PathSegment::Named(name.to_owned())
            }
            _ if text.contains([':', '*', '(', '{', '[', '?', '+', '^', '$', '!']) => return None,
            _ => PathSegment::Literal(normalized_path(text).into_owned()),
        });
    }
    Some((RulePaths::Segments(segments), to))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RedirectTarget;

    #[test]
    fn rules_of_hosts_are_read() {
        let vercel = r#"{"cleanUrls": true, "redirects": [
            {"source": "/old", "destination": "/new.html", "permanent": true},
            {"source": "/p/:id(\\d+)", "destination": "/q/:id"},
            {"source": "/d/:id/:path*", "destination": "/e/:id/:path*"}],
            "rewrites": [{"source": "/app", "destination": "/index.html"}]}"#;
        let azure = r#"{"routes": [{"route": "/old", "redirect": "/new.html", "statusCode": 301},
            {"route": "/api/*", "allowedRoles": ["x"]}, {"route": "/a/*", "rewrite": "/b"}]}"#;
        for (file, text, path, expected, rules, unread) in [
            (
                "netlify.toml",
                "[build]\npublish = \"x\"\n[[redirects]]\nfrom = \"/a/*\"\nto = \"/b/:splat\"\n",
                "a/x",
                Some("b/x"),
                1,
                0,
            ),
            ("vercel.json", vercel, "old", Some("new.html"), 3, 1),
            ("vercel.json", vercel, "d/1/x/y", Some("e/1/x/y"), 3, 1),
            (
                "firebase.json",
                r#"{"hosting": {"redirects": [{"source": "/a", "destination": "/b", "type": 301}]}}"#,
                "a",
                Some("b"),
                1,
                0,
            ),
            ("staticwebapp.config.json", azure, "old", Some("new.html"), 2, 0),
            ("Caddyfile", "example.org {\n  redir /a /b\n}", "a", None, 0, 1),
            ("vercel.json", "{", "a", None, 0, 0),
        ] {
            let row = HOST_SETTINGS.iter().find(|it| it.file == file).unwrap();
            let read = row.read(file, text);
            assert_eq!((read.rules.len(), read.unread), (rules, unread), "{file}");
            let found = read.rules.iter().find_map(|rule| rule.target(path));
            let expected = expected.map(|it| RedirectTarget::Path(it.to_owned()));
            assert_eq!(found, expected, "{file}");
        }
    }
}
