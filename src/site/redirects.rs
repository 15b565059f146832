//! Redirects as `_redirects` files have them (Netlify, Cloudflare Pages and others): which URLs of
//! a site lead elsewhere, and where.

use super::files::canonical;

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The server that it is for, with its port; `None` for the site's own.
    host: Option<String>,
    /// The path it is for, from the root of the server, in segments.
    from: Vec<Segment>,
    /// Where it leads, as it is written.
    to: String,
    /// Whether it holds even where there is a file of the name.
    is_forced: bool,
    /// Whether what is sent is the page that says that there is nothing (status 404, 410).
    is_refusal: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// This name, percent-encoded as in document URLs.
    Name(String),
    /// `:name`: any name.
    Any(String),
    /// `*`: all that follows.
    Rest,
}

/// A line that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RedirectError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: &'static str,
}

/// Where a redirect leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To this path from the root of the server.
    Path(String),
    /// To another server.
    Elsewhere,
    /// Nowhere: the rule says that there is nothing.
    Nowhere,
}

/// The rules of a `_redirects` file: a line each, `/from /to [status]`, with `*` at the end of a
/// path for all that follows, `:name` for a name, `:splat` for what the star stood for. What follows
/// the status (conditions on country or language) is not looked at.
///
/// # Errors
/// At the first line that is no rule.
pub fn parse(text: &str) -> Result<Vec<Redirect>, RedirectError> {
    let mut rules = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or(line).trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let error = |message| RedirectError {
            line: number + 1,
            message,
        };
        let mut words = line.split_ascii_whitespace();
        let from = words.next().unwrap_or_default();
        // Conditions on the query stand between the two.
        let rest: Vec<&str> = words
            .skip_while(|word| !word.starts_with('/') && word.contains('=') && !word.contains(':'))
            .collect();
        let Some(to) = rest.first() else {
            return Err(error("a rule has two parts: the path, and where it leads"));
        };
        let Some((host, path)) = split(from) else {
            return Err(error("a rule begins with the path that it is for: /old"));
        };
        let status = rest.get(1).copied().unwrap_or_default();
        rules.push(Redirect {
            host: host.map(str::to_ascii_lowercase),
            from: path.split('/').map(Segment::of).collect(),
            to: (*to).to_owned(),
            is_forced: status.ends_with('!'),
            is_refusal: status.starts_with('4'),
        });
    }
    Ok(rules)
}

/// The server that a rule is for, if it names one, and the path without the slash at its start.
fn split(from: &str) -> Option<(Option<&str>, &str)> {
    let (host, path) = match from.split_once("://") {
        Some((_, rest)) => {
            let (host, path) = rest.split_at(rest.find('/')?);
            (Some(host), path)
        }
        None => (None, from),
    };
    Some((host, path.strip_prefix('/')?))
}

impl Segment {
    fn of(text: &str) -> Segment {
        match text.strip_prefix(':') {
            Some(name) if !name.is_empty() => Segment::Any(name.to_owned()),
            _ if text == "*" => Segment::Rest,
            _ => Segment::Name(canonical(text).into_owned()),
        }
    }
}

impl Redirect {
    /// Whether it is for the server at `host`, whose port follows where it is not the usual one.
    /// A rule for another says nothing of this site.
    pub fn is_for(&self, host: &str) -> bool {
        self.host.as_deref().is_none_or(|own| own == host)
    }

    /// Whether it holds even where there is a file of the name.
    pub fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// Where `path` leads by this rule, given from the root of the server without the slash at its
    /// start, canonical; `None` where the rule is not for it.
    pub fn leads(&self, path: &str) -> Option<Leads> {
        let mut bound: Vec<(&str, &str)> = Vec::new();
        let mut rest = Some(path);
        for segment in &self.from {
            if *segment == Segment::Rest {
                bound.push(("splat", rest.unwrap_or_default()));
                rest = None;
                break;
            }
            let (name, after) = match rest?.split_once('/') {
                Some((name, after)) => (name, Some(after)),
                None => (rest?, None),
            };
            match segment {
                Segment::Name(wanted) if wanted == name => {}
                Segment::Any(key) if !name.is_empty() => bound.push((key, name)),
                _ => return None,
            }
            rest = after;
        }
        // A slash at the end makes no difference to these servers.
        if !rest.is_none_or(str::is_empty) {
            return None;
        }
        if self.is_refusal {
            return Some(Leads::Nowhere);
        }
        if !self.to.starts_with('/') || self.to.starts_with("//") {
            return Some(Leads::Elsewhere);
        }
        // The longest first, so that :id does not take the start of :identity.
        bound.sort_by_key(|(key, _)| std::cmp::Reverse(key.len()));
        let to = self.to.split(['?', '#']).next().unwrap_or_default();
        let filled = bound.iter().fold(to.to_owned(), |to, (key, value)| {
            to.replace(&format!(":{key}"), value)
        });
        Some(Leads::Path(filled.trim_start_matches('/').to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_lead() {
        let rules = parse(
            "# old names\n/old /new.html 301\n/blog/* /news/:splat\n/:year/:y/x  /a/:year/:y # no\n\n\
             /away https://elsewhere/ 302\n/q id=:id /found/:id 301\n/f /g 200!\n\
             https://H/named /x\n/gone/* /404.html 404\n",
        )
        .unwrap();
        let path = |path: &str| Some(Leads::Path(path.to_owned()));
        for (from, expected) in [
            ("old", path("new.html")),
            ("old/", path("new.html")),
            ("old/x", None),
            ("blog/a/b", path("news/a/b")),
            ("blog/", path("news/")),
            // Slashes at the end make no difference.
            ("blog", path("news/")),
            ("2024/5/x", path("a/2024/5")),
            ("away", Some(Leads::Elsewhere)),
            ("f", path("g")),
            ("named", path("x")),
            ("gone/x", Some(Leads::Nowhere)),
            ("nothing", None),
        ] {
            let found = rules.iter().find_map(|rule| rule.leads(from));
            assert_eq!(found, expected, "{from}");
        }
        let forced: Vec<bool> = rules.iter().map(Redirect::is_forced).collect();
        assert_eq!(forced.iter().filter(|it| **it).count(), 1);
        let for_others = rules.iter().filter(|rule| !rule.is_for("x:80")).count();
        assert_eq!(
            (for_others, rules.iter().all(|rule| rule.is_for("h"))),
            (1, true)
        );
    }

    #[test]
    fn lines_that_are_no_rules() {
        for (text, line) in [("/a\n", 1), ("/a /b\n\nx /y\n", 3)] {
            assert_eq!(parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
