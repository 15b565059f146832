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
pub use rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, UnreadDirective};

/// The syntax of a file with redirect rules of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectSyntax {
    /// `_redirects` of Netlify, Cloudflare Pages and others.
    Netlify,
    /// Directives of Apache's mod_alias, as in `.htaccess`.
    Apache,
    /// Locations and rewrites in the configuration of nginx.
    Nginx,
    /// A JSON array of objects with `from`, `to` and `status`.
    Json,
}

impl RedirectSyntax {
    /// Recognizes the syntax by the content `text`, for a file whose name does not determine the syntax.
    /// Returns the syntax of `_redirects` if the text matches no other syntax.
    #[doc(hidden)]
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

    /// Parses the rules in `text`, and passes each to `found`.
    #[doc(hidden)]
    pub fn rules(self, text: &str, found: FoundRules<'_>) {
        match self {
            RedirectSyntax::Netlify => netlify::rules(text, found),
            RedirectSyntax::Apache => apache::rules(text, found),
            RedirectSyntax::Nginx => nginx::rules(text, found),
            RedirectSyntax::Json => json::rules(text, found),
        }
    }

    /// Passes to `found` each target in `text` that the server sends for URLs in several folders.
    #[doc(hidden)]
    pub fn fallbacks(self, text: &str, found: &mut dyn FnMut(RuleUrl)) {
        match self {
            RedirectSyntax::Apache => apache::fallbacks(text).for_each(found),
            RedirectSyntax::Nginx => nginx::fallbacks(text, found),
            RedirectSyntax::Netlify | RedirectSyntax::Json => self.rules(text, &mut |rule| {
                let target = rule.ok().filter(RuleText::is_fallback).and_then(|it| it.to);
                target.into_iter().for_each(&mut *found);
            }),
        }
    }

    /// Returns the directives in `text` that decide which file the server sends for a URL, and that are not read.
    #[doc(hidden)]
    pub fn unread(self, text: &str) -> Vec<UnreadDirective> {
        match self {
            RedirectSyntax::Apache => apache::unread(text),
            RedirectSyntax::Nginx => nginx::unread(text),
            RedirectSyntax::Netlify | RedirectSyntax::Json => Vec::new(),
        }
    }

    /// Hands the references of `text` to `found`.
    pub(super) fn urls(self, text: &str, found: &mut dyn FnMut(RuleUrl, ServerPath)) {
        // Other servers' hosts, and what is not a URL, stay.
        let is_reference = |url: &RuleUrl| url.text.starts_with('/') || url.text.contains("://");
        self.rules(text, &mut |rule| {
            let Ok(rule) = rule else { return };
            let from = rule.from.url().cloned().map(|it| (it, ServerPath::From));
            let urls = [from, rule.to.map(|it| (it, ServerPath::Pattern))].into_iter().flatten();
            urls.filter(|(url, _)| is_reference(url)).for_each(|(url, path)| found(url, path));
        });
        if self == RedirectSyntax::Nginx {
            nginx::prefixes(text, &mut |url| {
                if is_reference(&url) {
                    found(url, ServerPath::Pattern);
                }
            });
        }
        if self == RedirectSyntax::Apache {
            let targets = apache::targets(text);
            targets.filter(|(url, _)| is_reference(url)).for_each(|(url, path)| found(url, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RedirectSyntax;

    #[test]
    fn fallbacks_are_sent_for_urls_in_several_folders() {
        use RedirectSyntax::{Apache, Json, Netlify, Nginx};
        for (syntax, text, expected) in [
            (Netlify, "/* /index.html 200", &["/index.html"][..]),
            (Netlify, "/a/* /a/b.html 200!\n/* /404.html 404", &["/a/b.html", "/404.html"]),
            (Netlify, "/x/:id /y.html 200", &["/y.html"]),
            (Netlify, "/x/:id /x/y.html 200\n/a /b.html 200\n/* /x 301", &[]),
            (Json, r#"[{"from": "/a/*", "to": "/a/b", "status": 200}]"#, &["/a/b"]),
            (Apache, "FallbackResource /a.html\nerrordocument 404 '/b c'", &["/a.html", "/b c"]),
            (
                Apache,
                "ErrorDocument 403 Forbidden\nErrorDocument 404 https://h/\nRewriteBase /a/",
                &[],
            ),
            (
                Apache,
                "RewriteRule . a.html\nRewriteRule ^b/(.*)$ /b.html [QSA,L]",
                &["a.html", "/b.html"],
            ),
            (
                Apache,
                "RewriteRule ^a$ /b [L]\nRewriteRule . /c [R=302,L]\nRewriteRule . /d [L,R]",
                &[],
            ),
            (Nginx, "location /a/ { try_files $uri $uri/ /a/b.html; }", &["/a/b.html"]),
            (
                Nginx,
                "error_page 500 502 /5.html; rewrite ^/a /b.html last;",
                &["/5.html", "/b.html"],
            ),
            (Nginx, "try_files $uri =404; error_page 404 @x; rewrite ^/a /b permanent;", &[]),
        ] {
            let mut found = Vec::new();
            syntax.fallbacks(text, &mut |url| found.push(url.text));
            assert_eq!(found, expected, "{text}");
        }
    }
}
