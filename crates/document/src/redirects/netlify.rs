//! `_redirects` files, which Netlify, Cloudflare Pages and others read.

use super::escape::RuleEscape;
use super::rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl};
use rehref_url::Span;

/// Reads the rules of a file: one per line, `/from [query conditions] /to [status] [conditions]`. Conditions on queries are
/// ignored.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    for (number, line) in text.split('\n').enumerate() {
        let line = line.split(" #").next().unwrap_or(line).trim();
        let line = line.trim_start_matches('\u{FEFF}');
        // What a template makes is not known. No URL has a space.
        let is_template = line.starts_with("{{")
            || line.contains("{{") && [" }}", " -}}"].iter().any(|end| line.contains(end));
        if line.is_empty() || line.starts_with('#') || is_template {
            continue;
        }
        let line_number = number + 1;
        found(rule(text, line).map_err(|message| RuleSyntaxError { line: line_number, message }));
    }
}

fn rule(text: &str, line: &str) -> Result<RuleText, &'static str> {
    let mut fields = line.split_ascii_whitespace();
    let from = fields.next().unwrap_or_default();
    let is_query_condition =
        |field: &&str| !field.starts_with('/') && field.contains('=') && !field.contains(':');
    let mut fields = fields.peekable();
    if matches!(fields.peek(), Some(&("=>" | "->"))) {
        return Err("write the rule without an arrow, like `/old /new`");
    }
    let mut fields = fields.skip_while(is_query_condition);
    let Some(to) = fields.next() else {
        return Err("a rule is a path and a target with a space between them, like `/old /new`");
    };
    let Some(host) = host(from) else {
        return Err("a rule must begin with the path that it matches, like `/old /new`");
    };
    if !to.starts_with('/') && !to.contains(':') {
        return Err("the target of a rule must be a path or a URL, like `/old /new`");
    }
    // Without a status, conditions may follow: Country=de.
    let is_conditional = fields.clone().any(|field| field.contains('='));
    let status = fields.next().filter(|field| !field.contains('='));
    let (status, is_forced) = match status {
        None => (301, false),
        Some(field) => {
            let number = field.trim_end_matches('!').parse().ok();
            let Some(status) = number.filter(|it| (100..600).contains(it)) else {
                return Err(
                    "the status of a rule must be a number from 100 to 599, like `/old /new 301`",
                );
            };
            (status, field.ends_with('!'))
        }
    };
    let url = |part: &str| {
        let span = Span::within(text, part).unwrap_or_default();
        RuleUrl::new(text, span, RuleEscape::Verbatim)
    };
    Ok(RuleText {
        start: Span::within(text, line).unwrap_or_default().start,
        from: RuleFrom::Wildcards(url(from)),
        host: host.map(str::to_ascii_lowercase),
        to: Some(url(to)),
        status,
        is_forced,
        is_conditional,
    })
}

/// The host of the old path or URL of a rule, if it has one; the outer `None` if it is neither.
fn host(from: &str) -> Option<Option<&str>> {
    match from.split_once("://") {
        Some((_, rest)) => Some(Some(rest.get(..rest.find('/')?)?)),
        None => from.starts_with('/').then_some(None),
    }
}
