//! The URLs of Jekyll's pages: the templates in its configuration and in front matter, with what their placeholders
//! stand for. Written after Jekyll's `url.rb`, `document.rb`, `page.rb`, `utils.rb` and `frontmatter_defaults.rb`.

mod scope;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use scope::Defaults;

use super::date::Date;
use super::template::{encoded, expanded};
use crate::data::Step;
use crate::markdown::published::{UrlKey, with_slash};
use crate::markdown::settings::Settings;
use crate::markdown::slug::algorithm::hyphenated;
use crate::markdown::slug::unicode::{is_digit, is_letter, is_mark};
use crate::markdown::stated_url::StatedUrl;

/// The settings of Jekyll that determine the URLs of its pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JekyllPermalinks {
    /// `permalink`: the name of a style, or a template.
    style: String,
    /// `collections_dir`, with a slash at its end unless it is empty.
    collections_folder: String,
    collections: FxHashMap<String, Collection>,
    /// `defaults`, in order.
    defaults: Vec<Defaults>,
    /// `timezone`.
    zone: String,
    /// `exclude` and `include`: paths and patterns.
    excluded: Vec<String>,
    included: Vec<String>,
}

/// A collection of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Collection {
    template: Option<String>,
    /// Whether its documents are pages.
    is_written: bool,
}

/// The extension of pages.
const EXTENSION: &str = ".html";

/// The collection of posts, and the directory of its documents.
const POSTS: &str = "posts";
const POSTS_FOLDER: &str = "_posts";

/// Paths that Jekyll excludes by itself.
const DEFAULT_EXCLUDES: &[&str] = &[
    "gemfiles", "Gemfile", "Gemfile.lock", "node_modules", "vendor/bundle", "vendor/cache",
    "vendor/gems", "vendor/ruby",
];

/// The default of `permalink`.
const DEFAULT_STYLE: &str = "date";

/// The templates of posts that have names.
const STYLES: &[(&str, &str)] = &[
    ("pretty", "/:categories/:year/:month/:day/:title/"),
    ("ordinal", "/:categories/:year/:y_day/:title:output_ext"),
    ("date", "/:categories/:year/:month/:day/:title:output_ext"),
    ("weekdate", "/:categories/:year/W:week/:short_day/:title:output_ext"),
    ("none", "/:categories/:title:output_ext"),
];

/// A document, as far as its URL depends on it.
struct Source<'s> {
    collection: &'s str,
    /// The path below the directory of its collection, without the extension.
    below: &'s str,
    /// The name without the extension.
    stem: &'s str,
    /// The directories above that of the posts.
    folders: Vec<&'s str>,
    /// The time zone of the site.
    zone: &'s str,
    stated: StatedUrl,
}

/// Returns true if `path` is of `pattern`, in which `*` stands for any characters of a name.
fn is_of_pattern(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((start, end)) => {
            let rest = path.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
            rest.is_some_and(|rest| !rest.contains('/'))
        }
    }
}

impl JekyllPermalinks {
    /// Reads the settings of Jekyll in `settings`.
    pub fn of(settings: &Settings) -> JekyllPermalinks {
        let mut permalinks =
            JekyllPermalinks { style: DEFAULT_STYLE.to_owned(), ..JekyllPermalinks::default() };
        permalinks.collection(POSTS).is_written = true;
        for (path, value) in settings.values() {
            let [Step::Member(key), rest @ ..] = path else { continue };
            match (&**key, rest) {
                ("exclude", [Step::Item(_)]) => permalinks.excluded.push(value.to_owned()),
                ("include", [Step::Item(_)]) => permalinks.included.push(value.to_owned()),
                ("timezone", []) => value.clone_into(&mut permalinks.zone),
                ("permalink", []) => value.clone_into(&mut permalinks.style),
                ("collections_dir", []) => {
                    permalinks.collections_folder = with_slash(value.trim_matches('/'));
                }
                ("collections", [Step::Item(_)]) => _ = permalinks.collection(value),
                ("collections", [Step::Member(label), Step::Member(key)]) => {
                    let collection = permalinks.collection(label);
                    match &**key {
                        "permalink" => collection.template = Some(value.to_owned()),
                        "output" if **label != *POSTS => collection.is_written = value == "true",
                        _ => {}
                    }
                }
                ("defaults", [Step::Item(number), rest @ ..]) => {
                    for number in permalinks.defaults.len()..=*number {
                        permalinks.defaults.push(Defaults::new(number));
                    }
                    if let Some(defaults) = permalinks.defaults.get_mut(*number) {
                        defaults.set(rest, value);
                    }
                }
                _ => {}
            }
        }
        permalinks
    }

    fn collection(&mut self, label: &str) -> &mut Collection {
        self.collections.entry(label.to_owned()).or_default()
    }

    /// Returns true if the generator publishes the file at `path`, which is relative to the directory of the
    /// site's sources.
    pub fn publishes(&self, path: &str) -> bool {
        let below = path.strip_prefix(&*self.collections_folder).unwrap_or(path);
        let (first, rest) = below.split_once('/').unwrap_or((below, ""));
        let label = first.strip_prefix('_').filter(|_| !rest.is_empty());
        let is_of_collection = label.is_some_and(|it| {
            self.collections.get(it).is_some_and(|it| it.is_written) && it != POSTS
        });
        let names = if is_of_collection { rest } else { path };
        let is_hidden = |name: &str| name.starts_with(['_', '.', '#', '~']);
        let is_included = |it: &String| {
            path.split('/').any(|name| is_of_pattern(it, name)) || is_of_pattern(it, path)
        };
        !self.excludes(path)
            && (!names.split('/').any(is_hidden) || self.included.iter().any(is_included))
    }

    /// Returns true if `exclude`, or the default of it, has this path or a directory above it.
    fn excludes(&self, path: &str) -> bool {
        let own = self.excluded.iter().map(String::as_str);
        own.chain(DEFAULT_EXCLUDES.iter().copied()).any(|pattern| {
            let pattern = pattern.trim_matches('/');
            let mut folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            is_of_pattern(pattern, path) || folders.any(|it| is_of_pattern(pattern, it))
        })
    }

    /// Returns true if `permalink` makes directories of pages.
    pub(super) fn has_folders(&self) -> bool {
        self.style == "pretty" || self.style.ends_with('/')
    }

    /// The end of the templates of pages and of collections without a template.
    fn suffix(&self) -> &str {
        match &*self.style {
            "pretty" => "/",
            "date" | "ordinal" | "none" => ":output_ext",
            style if style.ends_with('/') => "/",
            style if style.ends_with(":output_ext") => ":output_ext",
            _ => "",
        }
    }

    /// Returns the path of the page of the document at `path`, relative to the directory of the site's sources and not
    /// encoded; it is percent-encoded and has no slash at its start. `None` if it has no page, or the path is not
    /// known. `stated`: what its front matter says. `is_index`: it is the page of its directory.
    pub(in crate::markdown) fn page(
        &self,
        path: &str,
        stated: Option<&StatedUrl>,
        is_index: bool,
    ) -> Option<String> {
        if self.excludes(path) {
            return None;
        }
        let below = path.strip_prefix(&*self.collections_folder);
        let source = below.and_then(|path| self.source(path, stated));
        let url = match source {
            Some((collection, source)) if collection.is_written => {
                let template = source.stated.get(UrlKey::Permalink);
                let template = template
                    .map_or_else(|| self.template(source.collection, collection), str::to_owned);
                (!source.stated.is_unpublished()).then(|| source.expanded(&template))??
            }
            Some(_) => return None,
            None => self.url_of_page(path, stated, is_index)?,
        };
        Some(sanitized(&url))
    }

    /// The document at `path`, below the directory of collections, and its collection; `None` if it is in none.
    fn source<'s>(
        &'s self,
        path: &'s str,
        stated: Option<&StatedUrl>,
    ) -> Option<(&'s Collection, Source<'s>)> {
        let (folder, name) = path.rsplit_once('/')?;
        let (stem, _) = name.rsplit_once('.')?;
        let names: Vec<&str> = folder.split('/').collect();
        let posts = names.iter().position(|name| *name == POSTS_FOLDER);
        let label = match posts {
            Some(_) => POSTS,
            None => names.first()?.strip_prefix('_')?,
        };
        let collection = self.collections.get(label)?;
        let inside = names.get(posts.unwrap_or_default() + 1..)?;
        if is_special(name) || inside.first().is_some_and(|name| is_special(name)) {
            return None;
        }
        let (below, _) = path.rsplit_once('.')?;
        let below = below.strip_prefix(&*format!("_{label}")).unwrap_or(below);
        let source = Source {
            collection: label,
            below,
            stem,
            folders: names.get(..posts.unwrap_or_default())?.to_vec(),
            zone: &self.zone,
            stated: scope::with_defaults(&self.defaults, path, label, stated),
        };
        let is_document = posts.is_none() || source.dated().is_some();
        is_document.then_some((collection, source))
    }

    /// Returns the numbers of the entries of `defaults` that are for the document at `path`.
    pub fn scopes(&self, path: &str) -> BTreeSet<usize> {
        let kind = self.source(path, None).map_or("pages", |(_, source)| source.collection);
        let of_path = self.defaults.iter().filter(|it| it.applies(path, kind));
        of_path.map(Defaults::number).collect()
    }

    /// Adds the entries of `defaults` for the places to which their directories move: the configuration follows them.
    pub fn follow_scopes(&mut self, follow: &dyn Fn(&str) -> Option<String>) {
        let moved: Vec<Defaults> = self.defaults.iter().filter_map(|it| it.moved(follow)).collect();
        self.defaults.extend(moved);
    }

    fn template(&self, label: &str, collection: &Collection) -> String {
        match &collection.template {
            Some(template) => template.clone(),
            None if label == POSTS => {
                let named = STYLES.iter().find(|(name, _)| *name == self.style);
                named.map_or_else(|| self.style.clone(), |(_, it)| (*it).to_owned())
            }
            None => format!("/:collection/:path{}", self.suffix()),
        }
    }

    /// The URL of a page that is in no collection.
    fn url_of_page(
        &self,
        path: &str,
        stated: Option<&StatedUrl>,
        is_index: bool,
    ) -> Option<String> {
        if path.split('/').any(is_special) {
            return None;
        }
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let (stem, _) = name.rsplit_once('.')?;
        let stated = scope::with_defaults(&self.defaults, path, "pages", stated);
        if stated.is_unpublished() {
            return None;
        }
        let template = match stated.get(UrlKey::Permalink) {
            Some(template) => template.to_owned(),
            None if is_index => "/:path/".to_owned(),
            None => format!("/:path/:basename{}", self.suffix()),
        };
        let values = [(":path", folder), (":basename", stem), (":output_ext", EXTENSION)];
        let replaced =
            |url: String, (placeholder, value)| url.replace(placeholder, &escaped(value));
        Some(values.into_iter().fold(template, replaced))
    }
}

impl Source<'_> {
    /// `template` with the values of its placeholders; `None` if one of them is not known.
    fn expanded(&self, template: &str) -> Option<String> {
        expanded(template, |name| {
            let value = |name: &str| Some(escaped(&self.value(name)?));
            value(name).or_else(|| Some(value(name.strip_suffix('_')?)? + "_"))
        })
    }

    fn value(&self, placeholder: &str) -> Option<String> {
        Some(match placeholder {
            "collection" => self.collection.to_owned(),
            "path" => self.below.trim_end_matches('.').to_owned(),
            "name" => slugified(self.stem, ""),
            "title" => slugified_as_written(self.slug(), PRETTY),
            "slug" => slugified(self.slug(), ""),
            "categories" => self.categories(str::to_lowercase),
            "slugified_categories" => self.categories(|it| slugified(it, "")),
            "output_ext" => EXTENSION.to_owned(),
            _ => {
                let stated = self.stated.get(UrlKey::Date);
                let date = stated.or(self.dated().map(|(date, _)| date))?;
                let date = Date::parse(date)?.in_zone(self.zone)?;
                return date.placeholder(placeholder);
            }
        })
    }

    fn slug(&self) -> &str {
        let of_name = self.dated().map_or(self.stem, |(_, title)| title);
        let stated = self.stated.get(UrlKey::Title);
        stated.unwrap_or_else(|| of_name.trim_end_matches('.'))
    }

    /// The date and the title in the name; `None` if it has none.
    fn dated(&self) -> Option<(&str, &str)> {
        let mut rest = self.stem;
        for most in [4, 2, 2] {
            let (number, after) = rest.split_once('-')?;
            let is_number = number.bytes().all(|it| it.is_ascii_digit());
            if !is_number || !(1..=most).contains(&number.len()) {
                return None;
            }
            rest = after;
        }
        let date = self.stem.len() - rest.len() - 1;
        Some((self.stem.get(..date)?, rest))
    }

    /// The different categories, each as `form` has it.
    fn categories(&self, form: impl Fn(&str) -> String) -> String {
        let mut categories: Vec<String> = Vec::new();
        let stated = self.stated.categories();
        for category in self.folders.iter().copied().chain(stated) {
            let category = form(category);
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        categories.join("/")
    }
}

/// Returns true if Jekyll leaves out files and directories with this `name`.
fn is_special(name: &str) -> bool {
    name.starts_with(['_', '.', '#', '~']) || name.ends_with('~')
}

/// The characters that `:title` keeps besides letters and digits.
const PRETTY: &str = "._~!$&'()+,;=@";

fn slugified(text: &str, kept: &str) -> String {
    slugified_as_written(text, kept).to_lowercase()
}

/// `text` with a hyphen in place of characters other than letters, marks, digits and those in `kept`.
fn slugified_as_written(text: &str, kept: &str) -> String {
    let is_kept = |c: char| is_letter(c) || is_mark(c) || is_digit(c) || kept.contains(c);
    let slug = hyphenated(text.chars(), is_kept);
    let slug = slug.strip_prefix('-').unwrap_or(&slug);
    slug.strip_suffix('-').unwrap_or(slug).to_owned()
}

/// `value`, for a part of a URL, percent-encoded.
fn escaped(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"./-".contains(&byte);
    if value.bytes().all(is_plain) { value.to_owned() } else { encoded(&value.replace('%', "%25")) }
}

/// `url` without a slash at its start, with single slashes and without `..`, percent-encoded.
fn sanitized(url: &str) -> String {
    let url = format!("/{url}").replace("..", "/").replace("./", "");
    let names: Vec<&str> = url.split('/').filter(|it| !it.is_empty()).collect();
    let end = if url.ends_with('/') && !names.is_empty() { "/" } else { "" };
    encoded(&(names.join("/") + end))
}

#[cfg(test)]
mod tests;
