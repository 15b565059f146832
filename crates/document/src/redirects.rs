//! Redirect rules in the files that servers read them from: `_redirects`, Apache's `.htaccess`, the
//! configuration of nginx, and a JSON list.
//!
//! Both sides of a rule are references: when a file moves, or the site, they follow.

mod apache;
pub mod escape;
mod json;
mod netlify;
mod nginx;
mod rule;

use super::constraints::ServerPath;
pub use rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl};

/// The syntax of a file with redirect rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectSyntax {
    /// `_redirects` of Netlify, Cloudflare Pages and others.
    Netlify,
    /// The directives of Apache's mod_alias.
    Apache,
    /// Locations and rewrites of nginx.
    Nginx,
    /// An array of objects with `from`, `to` and `status`.
    Json,
}

impl RedirectSyntax {
    /// The syntax of a file with this content whose name does not tell it. A text that looks like no
    /// other is in the syntax of `_redirects`.
    pub fn of_content(text: &str) -> RedirectSyntax {
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        let has = |is_rule: fn(&str) -> bool| text.lines().any(|line| is_rule(line.trim_start()));
        match () {
            () if text.starts_with('[') && !text.starts_with("[[") => RedirectSyntax::Json,
            () if text.starts_with('{') => RedirectSyntax::Json,
            () if has(apache::is_rule) => RedirectSyntax::Apache,
            // It has no rule that is read.
            () if has(|line| line.starts_with("Rewrite")) => RedirectSyntax::Apache,
            () if has(nginx::is_rule) => RedirectSyntax::Nginx,
            () => RedirectSyntax::Netlify,
        }
    }

    /// Reads the rules of `text` and hands them to `found`.
    pub fn rules(self, text: &str, found: FoundRules<'_>) {
        match self {
            RedirectSyntax::Netlify => netlify::rules(text, found),
            RedirectSyntax::Apache => apache::rules(text, found),
            RedirectSyntax::Nginx => nginx::rules(text, found),
            RedirectSyntax::Json => json::rules(text, found),
        }
    }

    /// Hands the references of `text` to `found`.
    pub(super) fn urls(self, text: &str, found: &mut dyn FnMut(RuleUrl, ServerPath)) {
        // Other servers' hosts, and what is not a URL, stay.
        let is_reference = |url: &RuleUrl| url.text.starts_with('/') || url.text.contains("://");
        self.rules(text, &mut |rule| {
            let Ok(rule) = rule else { return };
            let urls = [rule.from.url().cloned(), rule.to].into_iter().flatten();
            urls.filter(is_reference).for_each(|url| found(url, ServerPath::Pattern));
        });
        if self == RedirectSyntax::Apache {
            let targets = apache::targets(text);
            targets.filter(|(url, _)| is_reference(url)).for_each(|(url, path)| found(url, path));
        }
    }
}
