//! What a server does besides sending the file of the name: index files, clean URLs, content
//! negotiation, redirects.

use super::path::encoded;
use super::redirect_rule::RedirectRule;
use crate::url::percent_decoded;

/// What a web server looks for in a folder, in this order, unless told otherwise.
pub const INDEX_NAMES: &[&str] = &["index.html", "index.htm", "index.xhtml"];

/// How a server finds files for URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The names of index files, in order, percent-encoded as in document URLs.
    index_names: Vec<String>,
    /// What is looked for where there is no file of the name.
    tries: Vec<TryPattern>,
    /// Whether `manual` and `manual.html` are served from `manual.html.en`.
    pub negotiates: bool,
    /// Where URLs without a file lead.
    pub redirects: Vec<RedirectRule>,
}

impl Default for Server {
    fn default() -> Server {
        Server {
            index_names: INDEX_NAMES.iter().map(|&name| name.to_owned()).collect(),
            tries: Vec::new(),
            negotiates: false,
            redirects: Vec::new(),
        }
    }
}

/// What stands for the path in a [`TryPattern`].
const PATH: &str = "{}";

/// A pattern for the file that serves a path: `{}.html`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryPattern {
    before: String,
    after: String,
}

/// Why a pattern is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TryPatternError {
    /// The path is not in it, or twice.
    #[error("`{0}` needs {{}} once, which stands for the path: {{}}.html")]
    NoPath(String),
}

impl std::str::FromStr for TryPattern {
    type Err = TryPatternError;

    /// Parses a pattern.
    fn from_str(pattern: &str) -> Result<TryPattern, TryPatternError> {
        match pattern.trim().split(PATH).collect::<Vec<_>>().as_slice() {
            [before, after] => Ok(TryPattern {
                before: encoded_path(before.trim_start_matches('/')),
                after: encoded_path(after),
            }),
            _ => Err(TryPatternError::NoPath(pattern.to_owned())),
        }
    }
}

/// A path from a user, percent-encoded as in document URLs.
fn encoded_path(path: &str) -> String {
    encoded(&percent_decoded(path))
}

impl Server {
    /// With index files of these names, in this order.
    #[must_use]
    pub fn with_index_names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Server {
        self.index_names = names.into_iter().map(encoded_path).collect();
        self
    }

    /// With these patterns tried, in this order.
    #[must_use]
    pub fn with_tries(mut self, tries: Vec<TryPattern>) -> Server {
        self.tries = tries;
        self
    }

    /// The names of index files.
    pub(super) fn index_names(&self) -> impl Iterator<Item = &str> {
        self.index_names.iter().map(String::as_str)
    }

    /// The files that are tried for `path`, which may end in a slash. Such a path is the folder's:
    /// only what is in a folder is tried for it.
    pub(super) fn tries<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
        let (name, is_folder) = match path.strip_suffix('/') {
            Some(name) => (name, true),
            None => (path, path.is_empty()),
        };
        let fitting = self.tries.iter();
        fitting
            .filter(move |it| !is_folder || it.after.starts_with('/'))
            .map(move |TryPattern { before, after }| {
                let tried = format!("{before}{name}{after}");
                tried.trim_start_matches('/').to_owned()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried() {
        let tries = ["{}.html", " {}/main.html", "/pages/{}.htm"].map(|it| it.parse().unwrap());
        let server = Server::default().with_tries(tries.into());
        for (path, expected) in [
            ("a/b", &["a/b.html", "a/b/main.html", "pages/a/b.htm"][..]),
            ("a/", &["a/main.html"]),
            ("", &["main.html"]),
        ] {
            let found: Vec<String> = server.tries(path).collect();
            assert_eq!(found, expected, "{path}");
        }
        for bad in ["", "x.html", "{}{}"] {
            assert!(bad.parse::<TryPattern>().is_err(), "{bad}");
        }
    }
}
