//! The rules by which a web server sends a file of another name for a URL: index files, clean URLs,
//! content negotiation, redirects.

use std::sync::Arc;

use super::excluded::Excluded;
use super::generated::GeneratedFiles;
use super::pages::Pages;
use super::path::{as_folder, encoded, with_slash};
use super::projects::Projects;
use super::redirect_rule::RedirectRule;
use super::unread_rules::UnreadRules;
use rehref_document::redirects::RedirectSyntax;
use rehref_generators::markdown::Maker;
use rehref_url::percent_decoded;

/// The names of index files that web servers look for in a folder by default, in this order.
pub const INDEX_NAMES: &[&str] = &["index.html", "index.htm", "index.xhtml"];

/// The rules by which a web server finds a file for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The names of index files, in order, percent-encoded as in document URLs.
    index_names: Vec<String>,
    /// Patterns of file names to try if no file has the name in the URL.
    pub(super) tries: Vec<TryPattern>,
    /// True if the server sends `manual.html.en` for `manual` and `manual.html`.
    pub negotiates: bool,
    /// True if the server does not merge slashes, so that `a//b.html` and `a/b.html` are different files.
    pub is_strict_about_slashes: bool,
    /// True if the server sends a page also at its URL with a slash at the end: `about.html` for `about/` as
    /// for `about`.
    pub ignores_slash: bool,
    /// The files of redirect rules in the site that the server reads.
    pub own_rules: OwnRules,
    /// The redirect rules, in the order in which the server tries them.
    pub redirects: Arc<[RedirectRule]>,
    /// The directives of the server that are not read, and that may make pages without a file.
    pub unread: UnreadRules,
    /// The files that a build adds to the site, by path in the site or from a root of the content.
    pub generated: GeneratedFiles,
    /// The rules of the generator that makes pages of the files; `None` if the server sends the files
    /// themselves.
    pub sources: Option<Sources>,
    /// The server rules of the projects of generators below the tree.
    pub projects: Projects<Server>,
    /// The folder of the project, with a slash at its end; empty for the tree.
    pub folder: String,
}

/// The rules by which a generator maps the URLs of pages to sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The folders whose files are published at the root, each with a slash at its end.
    pub roots: Vec<String>,
    /// True if the URLs of pages are in lower case, whatever the names of their sources are.
    pub is_lower_case: bool,
    /// True if each directory has a page that lists its files, as on a code host.
    pub lists_folders: bool,
    /// The pages that the generator makes; `None` if visitors read the files themselves.
    pub pages: Option<Pages>,
    /// The plugins and settings that may make pages and anchors that the files do not have, each with its name
    /// in messages.
    pub makers: Vec<(&'static Maker, String)>,
    /// The paths of pages that the generator makes without a file, relative to its own URL.
    pub made: Vec<String>,
    /// The texts of the programs of a build, each with its name in messages.
    pub scripts: Arc<[(String, String)]>,
    /// The files that git ignores: a build may make them.
    pub ignored: Excluded,
}

impl Default for Server {
    fn default() -> Server {
        Server {
            index_names: INDEX_NAMES.iter().map(|&name| name.to_owned()).collect(),
            tries: Vec::new(),
            negotiates: false,
            is_strict_about_slashes: false,
            ignores_slash: false,
            own_rules: OwnRules::All,
            redirects: Arc::default(),
            unread: UnreadRules::default(),
            generated: GeneratedFiles::default(),
            sources: None,
            projects: Projects::default(),
            folder: String::new(),
        }
    }
}

/// The choice of files of redirect rules in a site that its server reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRules {
    /// The rules of all servers: the server is not known.
    All,
    /// The rules in one syntax.
    In(RedirectSyntax),
    None,
}

impl OwnRules {
    /// Returns true if the server reads a file of rules in `syntax`.
    pub fn has(self, syntax: RedirectSyntax) -> bool {
        match self {
            OwnRules::All => true,
            OwnRules::In(own) => own == syntax,
            OwnRules::None => false,
        }
    }
}

/// The placeholder for the path in a [`TryPattern`].
const PATH: &str = "{}";

/// A pattern of `--try` for the file that the server sends for a path, as in nginx's `try_files`: `{}.html`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryPattern {
    before: String,
    after: String,
}

/// The error of a text that is not a [`TryPattern`]: it does not contain `{}` exactly once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` must contain {{}} once, in place of the path: {{}}.html{hint}", hint = hint(.0))]
pub struct TryPatternError(String);

/// Advice on a list with spaces.
fn hint(text: &str) -> String {
    let ours = text.replace("$uri", PATH);
    let patterns: Vec<&str> = ours.split_whitespace().filter(|it| !it.starts_with('=')).collect();
    if patterns.len() == 1 && ours != text {
        format!("; {PATH} is the `$uri` of nginx: {ours}")
    } else if patterns.len() > 1 && patterns.iter().all(|it| it.contains(PATH)) {
        format!("; separate patterns with commas: {}", patterns.join(","))
    } else {
        String::new()
    }
}

impl std::str::FromStr for TryPattern {
    type Err = TryPatternError;

    fn from_str(pattern: &str) -> Result<TryPattern, TryPatternError> {
        match pattern.trim().split(PATH).collect::<Vec<_>>().as_slice() {
            [before, after] => Ok(TryPattern {
                before: encoded_path(before.trim_start_matches('/')),
                after: encoded_path(after),
            }),
            _ => Err(TryPatternError(pattern.to_owned())),
        }
    }
}

/// A path that a user wrote, percent-encoded as in document URLs.
fn encoded_path(path: &str) -> String {
    encoded(&percent_decoded(path))
}

impl Server {
    /// Returns the server rules for the file at `path`: those of the innermost project that contains it.
    pub fn of(&self, path: &str) -> &Server {
        self.projects.innermost(path).unwrap_or(self)
    }

    /// Sets the names of index files, in the order in which the server looks for them.
    #[must_use]
    pub fn with_index_names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Server {
        self.index_names = names.into_iter().map(encoded_path).collect();
        self
    }

    /// Sets the patterns of `--try`, in the order in which the server tries them.
    #[must_use]
    pub fn with_tries(mut self, tries: Vec<TryPattern>) -> Server {
        self.tries = tries;
        self
    }

    /// Returns the names of index files, in order.
    pub(super) fn index_names(&self) -> impl Iterator<Item = &str> {
        self.index_names.iter().map(String::as_str)
    }

    /// Returns the files to try for `path`. If it ends in a slash, it is a folder's, and only patterns for files
    /// within the folder apply (`{}/main.html`).
    pub(super) fn tries<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
        let folder = as_folder(path);
        let name = folder.unwrap_or(path);
        let is_for = move |it: &&TryPattern| {
            folder.is_none() || it.after.starts_with('/') || self.ignores_slash && !name.is_empty()
        };
        self.tries.iter().filter(is_for).map(move |TryPattern { before, after }| {
            let tried = format!("{before}{name}{after}");
            tried.trim_start_matches('/').to_owned()
        })
    }

    /// Returns the paths of files to look for where no file has `path` and no page: `path` and its patterns below the
    /// folders whose files are published at the root.
    pub(super) fn sources<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
        let roots = self.sources.iter().flat_map(|sources| &sources.roots);
        roots.flat_map(move |root| {
            let tried = self.tries(path).map(move |tried| format!("{root}{tried}"));
            let folder = with_slash(path.trim_end_matches('/'));
            let index = INDEX_NAMES.iter().map(move |name| format!("{root}{folder}{name}"));
            std::iter::once(format!("{root}{path}")).chain(tried).chain(index)
        })
    }

    /// Returns true if `path` is that of `file`, an index document, without its extension (`guide/index`), not the URL
    /// of its directory.
    pub(super) fn is_named_index(&self, path: &str, file: &str) -> bool {
        let last = |path: &'_ str| path.rsplit('/').next().map(str::to_owned);
        let name = last(file).unwrap_or_default();
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        self.index_names().any(|index| index == name) && stem == last(path).as_deref()
    }

    /// Returns the path for `new`, in the form that `path` has for the source `old`, where it is not that of a page:
    /// without the folder that is published at the root, without an extension. `None` if `path` has none of these
    /// forms.
    pub(crate) fn page_path(&self, path: &str, old: &str, new: &str) -> Option<String> {
        let sources = self.sources.as_ref()?;
        let befores = self.tries.iter().map(|it| it.before.as_str());
        let befores: Vec<&str> = befores.chain([""]).collect();
        let roots = sources.roots.iter().map(String::as_str).chain([""]);
        let hidden =
            roots.flat_map(|root| befores.iter().map(move |before| format!("{root}{before}")));
        // What a root or a pattern adds to the path: the longest that both files have.
        let is_hidden = |it: &String| !path.starts_with(&**it) && old.starts_with(&**it);
        let common = hidden.filter(|it| is_hidden(it) && new.starts_with(&**it));
        let common = common.max_by_key(String::len).filter(|it| !it.is_empty());
        let hidden = common.as_deref().unwrap_or_default();
        let new = new.strip_prefix(hidden).unwrap_or(new);
        let (folder, name) = new.split_at(new.rfind('/').map_or(0, |slash| slash + 1));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_index = self.index_names().any(|index| index == name);
        let last = path.rsplit('/').next().unwrap_or_default();
        let is_named = self.is_named_index(path, old);
        match last.contains('.') {
            true => common.map(|_| new.to_owned()),
            false if is_index && !is_named => Some(folder.trim_end_matches('/').to_owned()),
            false => Some(format!("{folder}{stem}")),
        }
    }

    /// Returns the paths for which the server may send `file` by these rules, without those of redirects: the reverse
    /// of [`Server::tries`] and of content negotiation. For some of them, it may send another file.
    pub(super) fn short_paths(&self, file: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for TryPattern { before, after } in &self.tries {
            let is_of_root = before.is_empty() && after.strip_prefix('/') == Some(file);
            let name = file
                .strip_prefix(before.as_str())
                .and_then(|rest| rest.strip_suffix(after.as_str()))
                .or_else(|| is_of_root.then_some(""));
            paths.extend(name.map(str::to_owned));
            let folder = name.filter(|name| after.starts_with('/') && !name.is_empty());
            paths.extend(folder.map(with_slash));
        }
        if self.negotiates {
            let name = file.rfind('/').map_or(0, |slash| slash + 1);
            for (dot, _) in file.rmatch_indices('.').take_while(|(dot, _)| *dot > name) {
                let path = file.get(..dot).unwrap_or_default();
                paths.push(path.to_owned());
                let (folder, index) = path.split_at_checked(name).unwrap_or_default();
                if self.index_names().any(|it| it == index) {
                    paths.extend([folder.to_owned(), folder.trim_end_matches('/').to_owned()]);
                }
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_patterns_within_a_folder_apply_to_a_folder() {
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

    #[test]
    fn the_short_paths_of_a_file_are_those_that_it_is_tried_for() {
        let patterns = ["{}.html", "{}/main.html", "/pages/{}.htm"].map(|it| it.parse().unwrap());
        let tries = Server::default().with_tries(patterns.into());
        let negotiates = Server { negotiates: true, ..Server::default() };
        for (server, file, expected) in [
            (&tries, "a/b.html", &["a/b"][..]),
            (&tries, "a/main.html", &["a/main", "a", "a/"]),
            (&tries, "main.html", &["main", ""]),
            (&tries, "pages/a/b.htm", &["a/b"]),
            (&tries, "a/b.htm", &[]),
            (&negotiates, "a.b/c.html.en", &["a.b/c.html", "a.b/c"]),
            (&negotiates, "a/index.html.en", &["a/index.html", "a/", "a", "a/index"]),
            (&negotiates, ".htaccess", &[]),
            (&Server::default(), "a/b.html", &[]),
        ] {
            assert_eq!(server.short_paths(file), expected, "{file}");
        }
    }
}
