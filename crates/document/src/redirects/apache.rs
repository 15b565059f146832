//! The directives of Apache that redirect, of mod_alias, and those that name a path to send instead.

use super::escape::{RuleEscape, literal, literal_start, starting_with};
use super::rule::{
    FoundRules, NO_EXTENSION, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, UnreadDirective,
};
use crate::Positions;
use crate::constraints::ServerPath;
use rehref_url::{Span, percent_decoded};

/// The names of directives with the status of their redirects, if the name says it.
const DIRECTIVES: [(&str, Option<u16>); 4] = [
    ("Redirect", None),
    ("RedirectMatch", None),
    ("RedirectPermanent", Some(301)),
    ("RedirectTemp", Some(302)),
];

/// Words for a status.
const STATUSES: [(&str, u16); 4] =
    [("permanent", 301), ("temp", 302), ("seeother", 303), ("gone", 410)];

/// Directives with a path to send instead of another: its number among their arguments, and how it is written.
const TARGETS: [(&str, usize, RuleEscape, ServerPath); 4] = [
    ("ErrorDocument", 1, RuleEscape::Quoted, ServerPath::Target),
    ("FallbackResource", 0, RuleEscape::Quoted, ServerPath::Target),
    ("RewriteBase", 0, RuleEscape::Quoted, ServerPath::Pattern),
    // Conditions of the server decide whether it is sent.
    ("RewriteRule", 1, RuleEscape::Substitution, ServerPath::Pattern),
];

/// Returns the paths of [`TARGETS`] in `text`, without those that name variables.
pub(super) fn targets(text: &str) -> impl Iterator<Item = (RuleUrl, ServerPath)> {
    directives(text).map(|(_, _, target, path)| (target, path))
}

/// The directives of [`TARGETS`] in `text`, with their arguments.
fn directives(text: &str) -> impl Iterator<Item = (&'static str, Vec<Span>, RuleUrl, ServerPath)> {
    text.split('\n').filter_map(move |line| {
        let mut words = words(text, line).into_iter();
        let name = words.next()?.of_str(text);
        let mut targets = TARGETS.iter();
        let (name, at, escape, path) = targets.find(|(it, ..)| it.eq_ignore_ascii_case(name))?;
        let arguments: Vec<Span> = words.collect();
        let target = *arguments.get(*at)?;
        let is_of_variable = |it: &[u8]| matches!(it, [b'%', b'{' | b'1'..=b'9']);
        let is_variable = target.of_str(text).as_bytes().windows(2).any(is_of_variable);
        (!is_variable).then(|| (*name, arguments, RuleUrl::new(text, target, *escape), *path))
    })
}

/// Returns the targets in `text` that the server sends for URLs in several folders.
pub(super) fn fallbacks(text: &str) -> impl Iterator<Item = RuleUrl> {
    let found = directives(text).filter(move |(name, arguments, target, _)| match *name {
        "RewriteBase" => false,
        "RewriteRule" => {
            let argument = |at: usize| arguments.get(at).copied().unwrap_or_default();
            let is_one_url = matches!(pattern(text, argument(0)), RuleFrom::Exact(_));
            // `[R]` and `[R=301]` redirect.
            let mut flags = argument(2).of_str(text).split(['[', ',', ']', '=']);
            !is_one_url && !flags.any(|it| matches!(it, "R" | "redirect"))
        }
        _ => target.text.starts_with('/'),
    });
    found.map(|(_, _, target, _)| target).filter(|it| !it.text.contains("://"))
}

/// Returns the directives that decide which file is sent, and that are not read: also redirects in sections that hold for
/// some requests. A rule that only changes the scheme or the host decides nothing else.
pub(super) fn unread(text: &str) -> Vec<UnreadDirective> {
    const NAMES: [&str; 4] = ["RewriteRule", "FallbackResource", "DirectoryIndex", "MultiViews"];
    let mut found = Vec::new();
    let mut is_on = true;
    for (line, number) in text.split('\n').zip(1..) {
        let words: Vec<&str> = words(text, line).iter().map(|it| it.of_str(text)).collect();
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let [first, target, flags] = [1, 2, 3].map(word);
        if word(0).eq_ignore_ascii_case("RewriteEngine") {
            is_on = !first.eq_ignore_ascii_case("off");
        }
        let is_options = word(0).eq_ignore_ascii_case("Options");
        let known = NAMES.into_iter().find(|it| match is_options {
            true => words.iter().any(|word| word.trim_start_matches('+') == *it),
            false => it.eq_ignore_ascii_case(word(0)),
        });
        let Some(name) = known.filter(|it| is_on || *it != "RewriteRule") else { continue };
        let ignores_case = flags.contains("NC") || flags.contains("nocase");
        let paths = match name {
            "FallbackResource" => (first != "disabled").then(String::new),
            "RewriteRule" if target == "-" => None,
            "RewriteRule" if first.starts_with('!') => Some(String::new()),
            "RewriteRule" if ignores_case => Some(format!("(?i){first}")),
            "RewriteRule" => Some(first.to_owned()),
            "MultiViews" => Some(NO_EXTENSION.to_owned()),
            _ => None,
        };
        let to = (name == "FallbackResource").then(|| first.to_owned());
        if !(target.contains("://") && is_for_all(first) && keeps_path(target)) {
            found.push(UnreadDirective { name, line: number, paths, is_relative: true, to });
        }
    }
    let mut lines = Positions::new(text.as_bytes());
    rules(text, &mut |rule| {
        let rule = rule.ok().filter(|it| it.is_conditional);
        found.extend(rule.map(|it| {
            let path = |url: &RuleUrl| starting_with(&percent_decoded(&url.text));
            let paths = match &it.from {
                RuleFrom::Pattern(pattern, _) => pattern.clone(),
                from => from.url().map_or_else(String::new, path),
            };
            let line = lines.of(it.start).line;
            let (paths, is_relative, to) = (Some(paths), false, None);
            UnreadDirective { name: "Redirect", line, paths, is_relative, to }
        }));
    });
    found
}

/// Returns true if the pattern of a RewriteRule matches every path.
fn is_for_all(pattern: &str) -> bool {
    let whole = pattern.trim_start_matches('^').trim_end_matches('$');
    let rest = whole.strip_prefix("/?").unwrap_or(whole);
    matches!(rest, "" | "." | ".*" | ".+" | "(.*)" | "(.+)")
}

/// Returns true if the target of a RewriteRule has the path of the request at its end.
fn keeps_path(target: &str) -> bool {
    let ends = ["$0", "$1", "%0", "%1", "%{REQUEST_URI}"];
    ends.iter().any(|end| target.ends_with(end))
}

/// Returns true if a line has a directive that redirects.
pub(super) fn is_rule(line: &str) -> bool {
    directive(line.split_ascii_whitespace().next().unwrap_or_default()).is_some()
}

fn directive(word: &str) -> Option<(&'static str, Option<u16>)> {
    let mut directives = DIRECTIVES.iter();
    directives.find(|(name, _)| name.eq_ignore_ascii_case(word)).copied()
}

/// Reads the rules of a file: `Redirect [status] /old URL` and `RedirectMatch [status] pattern URL`.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    // The sections around a line, and whether each holds only for a module that is missing, or under a condition.
    let mut sections: Vec<(bool, bool)> = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let bare = line.trim_start().to_ascii_lowercase();
        if bare.starts_with("</") {
            sections.pop();
        } else if bare.starts_with('<') {
            let is_missing = bare
                .split_once("<ifmodule")
                .is_some_and(|(_, it)| it.trim_start().starts_with('!'));
            let conditions =
                ["<if ", "<if\t", "<elseif", "<else", "<ifdefine", "<limit", "<files", "<location"];
            sections.push((is_missing, conditions.iter().any(|it| bare.starts_with(it))));
        }
        let words = words(text, line);
        let mut words = words.iter().copied();
        let Some(name) = words.next() else { continue };
        let Some((name, status)) = directive(name.of_str(text)) else { continue };
        if sections.iter().any(|(is_missing, _)| *is_missing) {
            continue;
        }
        let start = Span::within(text, line.trim_start()).unwrap_or_default();
        let mut rule = rule(text, name, status, words, start.start);
        if let Some(rule) = &mut rule {
            rule.is_conditional = sections.iter().any(|(_, is_conditional)| *is_conditional);
        }
        found(rule.ok_or(RuleSyntaxError {
            line: number + 1,
            message: "the directive needs a path and a target: Redirect 301 /old /new",
        }));
    }
}

fn rule(
    text: &str,
    name: &str,
    status: Option<u16>,
    mut words: impl Iterator<Item = Span>,
    start: usize,
) -> Option<RuleText> {
    let mut from = words.next()?;
    let mut status = status;
    if status.is_none() {
        let word = from.of_str(text);
        let mut named = STATUSES.iter().filter(|(name, _)| name.eq_ignore_ascii_case(word));
        status = named.next().map(|(_, status)| *status).or(word.parse().ok());
        if status.is_some() {
            from = words.next()?;
        }
    }
    let status = status.unwrap_or(302);
    let is_path = from.of_str(text).starts_with(['/', '%']);
    let is_match = name == "RedirectMatch";
    let escape = if is_match { RuleEscape::Substitution } else { RuleEscape::Quoted };
    let to = words.next().map(|to| RuleUrl::new(text, to, escape));
    let is_redirect = (300..400).contains(&status);
    if to.is_none() && is_redirect || !is_match && !is_path || !(100..600).contains(&status) {
        return None;
    }
    Some(RuleText {
        start,
        from: if is_match {
            pattern(text, from)
        } else {
            RuleFrom::Prefix(RuleUrl::new(text, from, RuleEscape::Path))
        },
        host: None,
        to,
        status,
        // mod_alias answers before a file is looked for.
        is_conditional: false,
        is_forced: true,
    })
}

/// Returns the paths that the regular expression at `span` matches.
pub(super) fn pattern(text: &str, span: Span) -> RuleFrom {
    let pattern = span.of_str(text);
    let Some(anchored) = pattern.strip_prefix('^') else {
        return RuleFrom::Pattern(pattern.to_owned(), None);
    };
    let url = |part: &str| {
        let span = Span::within(text, part).unwrap_or_default();
        RuleUrl::new(text, span, RuleEscape::Pattern)
    };
    if let Some(whole) = anchored.strip_suffix('$').filter(|it| literal(it).is_some()) {
        return RuleFrom::Exact(url(whole));
    }
    let (_, end) = literal_start(anchored);
    let start = anchored.get(..end).unwrap_or_default();
    let folder = start.rfind('/').and_then(|slash| start.get(..=slash));
    RuleFrom::Pattern(pattern.to_owned(), folder.map(url))
}

/// The words of a line of Apache's configuration, without their quotes.
fn words(text: &str, line: &str) -> Vec<Span> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with('#') {
        let (word, after) = split_word(rest, |c| c.is_ascii_whitespace());
        words.extend(Span::within(text, word));
        rest = after.trim_start();
    }
    words
}

/// Returns the quoted string, without its quotes, or the word up to `is_end` that `rest` begins with, and what follows
/// it.
pub(super) fn split_word(rest: &str, is_end: fn(char) -> bool) -> (&str, &str) {
    let Some(inner) = rest.strip_prefix(['"', '\'']) else {
        return rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
    };
    let mut is_escaped = false;
    let end = inner.find(|c| {
        let is_quote = !is_escaped && rest.starts_with(c);
        is_escaped = !is_escaped && c == '\\';
        is_quote
    });
    let (string, after) = inner.split_at(end.unwrap_or(inner.len()));
    (string, after.get(1..).unwrap_or_default())
}
