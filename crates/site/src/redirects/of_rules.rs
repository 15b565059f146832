//! Lists the redirects that a move needs because it renames the sources of redirect rules.

use std::collections::HashSet;

use super::redirect::Redirect;
use crate::{RedirectRule, RulePaths};
use encoding_rs::UTF_8;
use rehref_url::Url;

/// The redirects for rules that a move renames.
#[derive(Debug, Default)]
pub struct RuleRedirects<'r> {
    /// The redirects from every old source that is a single URL.
    pub redirects: Vec<Redirect>,
    /// The renamed rules for many URLs, which no list of redirects can replace.
    pub renamed: Vec<&'r RedirectRule>,
}

/// Lists the redirects for the sources of `rules` that a move renames with the folders they are in: visitors
/// still come to the old ones. `host` is any URL of the site's host, `map` gives the URL of a target after the
/// move, if it changes. Of rules with the same source the first counts, as for servers.
pub fn of_rules<'r>(
    rules: &'r [RedirectRule],
    host: &Url,
    map: impl Fn(&Url) -> Option<Url>,
) -> RuleRedirects<'r> {
    let mut found = RuleRedirects::default();
    let mut known: HashSet<Url> = HashSet::new();
    let of_path = |path: &str| Url::parse(&format!("{}/{path}", host.before_path())).ok();
    for rule in rules.iter().filter(|rule| rule.status < 400) {
        // Nothing is below a page.
        let page = match &rule.from {
            RulePaths::Prefix(path) if is_page(path) => Some(path.clone()),
            _ => None,
        };
        let Some(path) = page.or_else(|| rule.from.literal()) else {
            let start = of_path(&rule.from.literal_start());
            if start.is_some_and(|url| map(&url).is_some()) {
                found.renamed.push(rule);
            }
            continue;
        };
        let Some(from) = of_path(&path) else { continue };
        let Some(renamed) = map(&from) else { continue };
        let to = match rule.is_redirect() {
            true => host.resolve(&rule.to, UTF_8).ok().map(|to| map(&to).unwrap_or(to)),
            // The server sends another file under the URL of the source.
            false => Some(renamed),
        };
        if let Some(to) = to.filter(|to| *to != from)
            && known.insert(from.clone())
        {
            found.redirects.push(Redirect::new(from, to));
        }
    }
    found
}

/// Returns true if the last name of `path` has an extension, as files do: `v2.0` and `1.x` are directories.
fn is_page(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.len() > 1 && extension.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatternBudget;
    use crate::redirects::read;
    use rehref_document::redirects::RedirectSyntax;

    const HOST: &str = "https://h.example";

    /// `guide` becomes `help`.
    fn map(url: &Url) -> Option<Url> {
        let rest = url.as_str().strip_prefix(&format!("{HOST}/guide"))?;
        Url::parse(&format!("{HOST}/help{rest}")).ok()
    }

    fn of(syntax: RedirectSyntax, text: &str) -> (Vec<String>, usize) {
        let read = read(syntax, "rules", text, &mut PatternBudget::default());
        let host = Url::parse(&format!("{HOST}/x/")).unwrap();
        let found = of_rules(&read.rules, &host, map);
        let shown = |Redirect { from, to, .. }: &Redirect| {
            let of_host = |url: &Url| url.as_str().replace(HOST, "");
            format!("{} {}", of_host(from), of_host(to))
        };
        let redirects = found.redirects.iter().map(shown).collect();
        (redirects, found.renamed.len())
    }

    #[test]
    fn renamed_sources_get_redirects() {
        for (rules, redirects, renamed) in [
            ("/guide/old /guide/new 301", &["/guide/old /help/new"][..], 0),
            ("/guide/old /guide/new?q=1#top", &["/guide/old /help/new?q=1#top"], 0),
            ("/guide/old /other 302", &["/guide/old /other"], 0),
            ("/guide/old https://away.example/", &["/guide/old https://away.example/"], 0),
            // The first one counts.
            ("/guide/old /a\n/guide/old /b", &["/guide/old /a"], 0),
            // Its source stays.
            ("/old /guide/new 301", &[], 0),
            // It redirects nothing.
            ("/guide/old /guide/new 404", &[], 0),
            ("/guide/page /x.html 200", &["/guide/page /help/page"], 0),
            ("/guide/* /other/:splat\n/guide/:id /x\n/*  /x\n/a/* /b", &[], 2),
        ] {
            let found = of(RedirectSyntax::Netlify, rules);
            assert_eq!(
                found,
                (redirects.iter().map(ToString::to_string).collect(), renamed),
                "{rules}"
            );
        }
        for (rules, redirects, renamed) in [
            (
                r"RedirectMatch 301 ^/guide/old\.html$ /guide/new",
                &["/guide/old.html /help/new"][..],
                0,
            ),
            ("Redirect 301 /guide/old /new", &[], 1),
            ("Redirect 301 /guide/v2.0 /new", &[], 1),
            (
                "Redirect 301 /guide/old.html /guide/new.html",
                &["/guide/old.html /help/new.html"],
                0,
            ),
            (r"RedirectMatch ^/guide/(\d+)$ /new/$1", &[], 1),
            (r"RedirectMatch (\d+)$ /new/$1", &[], 0),
        ] {
            let found = of(RedirectSyntax::Apache, rules);
            assert_eq!(
                found,
                (redirects.iter().map(ToString::to_string).collect(), renamed),
                "{rules}"
            );
        }
    }
}
