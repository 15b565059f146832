//! The pages that a generator makes of the files of a tree: where visitors find them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::excluded::Excluded;
use super::path::{decoded_path, path_from_url, path_in_url, with_slash};
use rehref_document::is_markdown;
use rehref_generators::markdown::{
    ContentFolder, FolderFiles, MarkdownDialect, PageTemplate, PageUrl, Permalinks, Rewrite,
    StatedUrl,
};
use rehref_url::percent_decoded;

/// The pages that a generator makes of the documents in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages {
    /// The rules of the generator.
    pub dialect: MarkdownDialect,
    /// The rule for the URLs of pages.
    pub form: PageUrl,
    /// The settings of permalinks, if the generator has any.
    pub permalinks: Option<Permalinks>,
    /// The directories that the generator publishes, longer paths first.
    pub folders: Vec<PublishedFolder>,
    /// The published paths of directories above the project, which are not in the tree.
    pub outside: Vec<String>,
    /// The directories of documents that are outside of the tree.
    pub outside_folders: Vec<PathBuf>,
    /// The templates of the URLs of pages that settings create without a document.
    pub templates: Vec<PageTemplate>,
    /// The languages that may end the names of documents (`fr` in `page.fr.md`), each with the start of the paths of its
    /// pages, which has a slash at its end or is empty.
    pub languages: Vec<(String, String)>,
    /// The paths of directories whose pages only a program determines.
    pub made_folders: Vec<String>,
    /// The paths of pages that are not made of a document, relative to the URL of the generator's site.
    pub made_pages: Vec<String>,
    /// The rewrite rules that publish documents at other paths.
    pub rewritten: Vec<Rewrite>,
    /// The files that the generator does not publish, by path in the directory that it reads.
    pub excluded: Excluded,
    /// The directory of the project in the tree, with a slash at its end, or empty.
    pub project: String,
    /// The directory against which paths after the alias of the generator (such as `@site/`) resolve, in the
    /// form of [`Pages::project`].
    pub alias_root: String,
    /// The URL of the site, as the configuration of the generator states it.
    pub stated_site: Option<StatedSite>,
}

/// The URL of a site, as a configuration file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedSite {
    /// The name of the configuration file.
    pub file: &'static str,
    /// The URL, with a slash at its end; only its path if the configuration does not state the rest.
    pub url: String,
}

/// A directory of the tree that the generator publishes. Paths are percent-encoded and end in a slash, or are
/// empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedFolder {
    /// The path of the directory in the tree.
    pub folder: String,
    /// The path of the directory in the directory that the generator reads.
    pub source: String,
    /// The path of the directory in the published site.
    pub url: String,
    /// True if the URL of the tree is the URL of this directory, not that of the generator's site.
    pub is_site: bool,
    /// The published directory, as the configuration describes it; its paths are relative to the project.
    pub content: ContentFolder,
    /// The directories in [`ContentFolder::roots`] that the tree has.
    pub roots: Vec<String>,
    /// The files in [`ContentFolder::sidebars`] that the tree has.
    pub sidebars: Vec<String>,
    /// True if the directory does not exist, so a build must make it.
    pub is_missing: bool,
}

/// The page of a document, or the URL of a copied file. Paths of URLs are percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path of the page, relative to the URL of the tree.
    pub url: String,
    /// The path of the page, relative to the URL of the generator's site.
    pub own_url: String,
    /// The path of the page relative to its directory of documents, if the directory is not published at the
    /// root: a configuration that is a program may give it another URL.
    pub below: String,
    /// The path that the page would have if each directory were published at its own path in the tree. Links
    /// that are relative to other pages resolve against it.
    pub tree_url: String,
    /// The path of the document in the directory that the generator reads, not encoded.
    pub source: String,
    /// True if the page is made of a document, false for a copied file.
    pub is_document: bool,
    /// The paths of the same page in languages without a translation: relative to the URL of the generator's
    /// site, and as in [`Page::tree_url`].
    pub untranslated: Vec<String>,
}

impl Pages {
    /// Returns the directories of the tree against which paths of documents resolve.
    pub fn content_roots(&self) -> impl Iterator<Item = String> {
        let folders = self.folders.iter().map(|it| it.folder.clone());
        let at_root = self.rewritten.iter().filter_map(Rewrite::directory_at_root);
        let at_root = at_root.flat_map(move |old| {
            let folders = self.folders.iter();
            folders.map(move |it| format!("{}{old}", it.folder))
        });
        folders.chain(at_root).filter(|it| !it.is_empty())
    }

    /// Returns the path of the file at `path` in the directory that the generator reads; `None` if the
    /// generator excludes the file.
    pub fn source(&self, path: &Path) -> Option<PathBuf> {
        let path = path_in_url(path);
        let mut folders = self.folders.iter();
        let source = folders.find_map(|it| {
            let rest = path.strip_prefix(it.folder.as_str())?;
            Some(decoded_path(&format!("{}{rest}", it.source)))
        })?;
        (!self.excluded.has(&source)).then_some(source)
    }

    /// Returns true if `path` is in a directory beside the documents that the same program may publish, for
    /// example as another language or version.
    pub fn is_sibling(&self, path: &str) -> bool {
        let is_in = |it: &PublishedFolder| path.starts_with(&*it.folder);
        let mut folders = self.folders.iter();
        let is_strict = self.dialect.row().is_strict;
        is_strict
            && !self.folders.iter().any(is_in)
            && folders.any(|it| is_in_sibling(path, &it.folder))
    }

    /// Returns true if the file at `path` is a Markdown document that the generator does not read.
    pub fn skips(&self, path: &Path) -> bool {
        let is_document = self.dialect.row().is_strict && is_markdown(path);
        is_document && !self.folders.is_empty() && self.source(path).is_none() && {
            let path = path_in_url(path);
            let mut folders = self.folders.iter();
            let is_in = folders.any(|it| path.starts_with(&*it.folder));
            is_in || !self.folders.iter().any(|it| is_in_sibling(&path, &it.folder))
        }
    }

    /// Returns the page of `file`; `None` if the site has no such page. `stated`: the URL in its front matter.
    pub fn page(&self, file: &Path, stated: Option<&StatedUrl>) -> Option<Page> {
        let path = path_in_url(file);
        let mut folders = self.folders.iter();
        let (folder, rest) =
            folders.find_map(|it| Some((it, path.strip_prefix(it.folder.as_str())?)))?;
        let source = format!("{}{rest}", folder.source);
        if folder.content.is_excluded || self.excluded.has(&decoded_path(&source)) {
            return None;
        }
        let extension = file.extension().and_then(|it| it.to_str());
        let is_copied = self.dialect.row().needs_front_matter && stated.is_none();
        let is_page = || stated.is_some() && self.dialect.row().reads_front_matter_of(file);
        let reads =
            |it: &str| self.dialect.row().reads(it) || folder.content.page_extensions.contains(&it);
        let is_document = folder.publishes_pages()
            && !is_copied
            && (is_markdown(file) || extension.is_some_and(reads) || is_page());
        let below = match is_document {
            // The names of the directories above may count, too.
            true => {
                let row = self.dialect.row();
                let rewritten = self.rewritten.iter().find_map(|it| it.apply(&source));
                let source = rewritten.as_deref().unwrap_or(&source);
                let (source, language) = self.without_language(source);
                let start = language.map_or("", |(_, start)| start);
                let (permalinks, names) = (self.permalinks.as_ref(), folder.content.page_names);
                let path = row.page_path(self.form, permalinks, &source, stated, names)?;
                // Another file keeps its extension, except at the URL of a directory.
                if extension == Some("txt") && !path.ends_with('/') {
                    return None;
                }
                format!("{start}{path}")
            }
            false if folder.is_template(file) => return None,
            false if folder.content.files != FolderFiles::Documents && !self.hides(&source) => {
                self.compiled(&source).unwrap_or_else(|| source.clone())
            }
            false => return None,
        };
        let language = self.without_language(&source).1.filter(|_| is_document);
        let is_named = language.is_some_and(|(_, start)| !start.is_empty());
        let languages = self.languages.iter().filter(|(_, start)| is_named && !start.is_empty());
        // The language of a name replaces the language of its directory.
        let around = languages.map(|(_, start)| folder.url.strip_suffix(start.as_str()));
        let around = around.flatten().next();
        let own_url = format!("{}{below}", around.unwrap_or(&folder.url));
        let source = String::from_utf8_lossy(&percent_decoded(&source)).into_owned();
        let tree_url = format!("{}{}", folder.folder, folder.below_source(&below));
        let url =
            if folder.is_site { folder.below_source(&below).to_owned() } else { own_url.clone() };
        let untranslated = self.translations(folder).flat_map(|it| {
            [format!("{}{below}", it.url), format!("{}{}", it.folder, it.below_source(&below))]
        });
        let untranslated = untranslated.collect();
        Some(Page { url, own_url, below, tree_url, source, is_document, untranslated })
    }

    /// The directories of translations of the documents in `folder`.
    fn translations<'p>(
        &'p self,
        folder: &'p PublishedFolder,
    ) -> impl Iterator<Item = &'p PublishedFolder> {
        let is_original = folder.content.language.is_empty() && folder.content.group.is_some();
        let folders = self.folders.iter().filter(move |_| is_original);
        folders
            .filter(move |it| !it.content.language.is_empty() && it.roots.contains(&folder.folder))
    }

    /// Returns the paths of possible translations of the document at `old`, each with the path at which the
    /// generator looks for the translation of the document at `new`.
    pub fn moved_translations(&self, old: &Path, new: &Path) -> Vec<(PathBuf, PathBuf)> {
        let mut found = self.counterparts(old, new, |folder| self.translations(folder).collect());
        // Names may end with the language.
        let [old, new] = [old, new].map(path_in_url);
        let paths = |path: &str| {
            let (bare, _) = self.without_language(path);
            let translations: Vec<String> = self.translations_of(&bare).collect();
            std::iter::once(bare.into_owned()).chain(translations)
        };
        let pairs = paths(&old).zip(paths(&new)).filter(|(it, _)| *it != *old);
        found.extend(
            pairs.filter_map(|(old, new)| Some((path_from_url(&old)?, path_from_url(&new)?))),
        );
        found
    }

    /// Returns the paths of possible other versions of the document at `old`, each with the path at which the
    /// generator looks for another version of the document at `new`.
    pub fn moved_versions(&self, old: &Path, new: &Path) -> Vec<(PathBuf, PathBuf)> {
        let has_versions = self.dialect.row().has_sections;
        self.counterparts(old, new, |folder| {
            let content = &folder.content;
            let is_version = |it: &&PublishedFolder| {
                *it != folder
                    && it.content.group == content.group
                    && it.content.language == content.language
            };
            let has_versions = has_versions && content.group.is_some();
            self.folders.iter().filter(|it| has_versions && is_version(it)).collect()
        })
    }

    /// Returns `old` and `new`, documents of one directory, below each of the directories that `others` returns for it.
    fn counterparts<'p>(
        &'p self,
        old: &Path,
        new: &Path,
        others: impl Fn(&'p PublishedFolder) -> Vec<&'p PublishedFolder>,
    ) -> Vec<(PathBuf, PathBuf)> {
        let (old, new) = (path_in_url(old), path_in_url(new));
        let Some(folder) = self.folder_of(&old).filter(|it| self.folder_of(&new) == Some(it))
        else {
            return Vec::new();
        };
        let below = |path: &str, to: &PublishedFolder| {
            let rest = path.strip_prefix(folder.folder.as_str())?;
            path_from_url(&format!("{}{rest}", to.folder))
        };
        let others = others(folder).into_iter();
        others.filter_map(|it| Some((below(&old, it)?, below(&new, it)?))).collect()
    }

    /// Returns true if entries of Jekyll's `defaults` are for only one of the documents at `old` and, after a move, at `new`.
    pub fn changes_defaults(&self, old: &Path, new: &Path) -> bool {
        let Some(Permalinks::Jekyll(permalinks)) = &self.permalinks else { return false };
        let scopes = |file: &Path| Some(permalinks.scopes(self.source(file)?.to_str()?));
        scopes(old) != scopes(new)
    }

    /// Reads Jekyll's `defaults` also for the new places of directories, whose old and new paths are those of `moved`: the
    /// paths in the configuration follow the move.
    pub fn follow_scopes<'p>(&mut self, moved: impl Iterator<Item = (&'p Path, &'p Path)>) {
        let moved = moved.filter_map(|(old, new)| Some((self.source(old)?, self.source(new)?)));
        let moved: Vec<(PathBuf, PathBuf)> = moved.collect();
        let follow = |scope: &str| {
            let below = |(old, new): &(PathBuf, PathBuf)| {
                let rest = Path::new(scope).strip_prefix(old).ok()?;
                let is_whole = rest.as_os_str().is_empty();
                let new = if is_whole { new.clone() } else { new.join(rest) };
                new.to_str().map(str::to_owned)
            };
            moved.iter().find_map(below)
        };
        if let Some(Permalinks::Jekyll(permalinks)) = &mut self.permalinks {
            permalinks.follow_scopes(&follow);
        }
    }

    /// Returns the directory that contains the file at `path`, percent-encoded.
    pub fn folder_of(&self, path: &str) -> Option<&PublishedFolder> {
        self.folders.iter().find(|it| path.starts_with(it.folder.as_str()))
    }

    /// Returns true if a page at `path`, below the URL of the generator's site, would be of a directory that a build
    /// makes.
    pub(crate) fn is_of_missing(&self, path: &str) -> bool {
        let path = with_slash(path.trim_end_matches('/'));
        let published = self.folders.iter().filter(|it| it.has_pages());
        let published = published.filter(|it| path.starts_with(it.url.as_str()));
        let nearest = published.max_by_key(|it| (it.url.len(), it.is_missing));
        nearest.is_some_and(|it| it.is_missing)
    }

    /// Returns the rest of `path`, if it begins with the generator's prefix for paths from the root of the project.
    pub(crate) fn below_alias<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.dialect.row().root_alias?)
    }

    /// Returns the start of the paths of pages in the language of the document at `path`: that of its name, or of its
    /// directory, if languages have their own.
    pub fn language_of(&self, path: &str) -> &str {
        if let (_, Some((_, start))) = self.without_language(path) {
            return start;
        }
        let has_languages = self.dialect.row().has_language_roots;
        let folder = self.folder_of(path).filter(|_| has_languages);
        folder.map_or("", |it| &it.content.language)
    }

    /// Returns the same for `page`, that of the document at `file`, or the path of its directory of documents in the site.
    pub(super) fn language_of_page<'p>(&'p self, file: &str, page: &'p Page) -> &'p str {
        match self.language_of(file) {
            "" => page.own_url.strip_suffix(&*page.below).unwrap_or_default(),
            language => language,
        }
    }

    /// Returns true if the document at `path` is in a directory of a language that has URLs of its own.
    pub(super) fn is_translated(&self, path: &str) -> bool {
        self.folder_of(path).is_some_and(|it| !it.content.language.is_empty())
    }

    /// Returns true if documents of another language replace missing translations in the language of the
    /// document at `path`.
    pub fn has_stand_ins(&self, path: &str) -> bool {
        self.folder_of(path).is_some_and(|it| it.roots.len() > 1)
    }

    /// Returns true if the generator ignores the file at `source`, which is not a document: Jekyll publishes no names
    /// that begin with these characters, and has settings.
    fn hides(&self, source: &str) -> bool {
        let Some(permalinks) = &self.permalinks else { return false };
        !permalinks.publishes(source)
    }

    /// The path of the file that is made of the one at `source`, with another extension.
    fn compiled(&self, source: &str) -> Option<String> {
        let (stem, extension) = source.rsplit_once('.')?;
        let mut compiled = self.dialect.row().compiled.iter();
        let (_, new) = compiled.find(|(old, _)| *old == extension)?;
        Some(format!("{stem}.{new}"))
    }

    /// Returns the path `source` of a document without the language that its name ends with, and this language, with the
    /// start of the paths of its pages.
    pub fn without_language<'p>(&self, source: &'p str) -> (Cow<'p, str>, Option<(&str, &str)>) {
        let without = || {
            let (rest, extension) = source.rsplit_once('.')?;
            let (stem, language) = rest.rsplit_once('.')?;
            let (language, start) = self.languages.iter().find(|(known, _)| known == language)?;
            Some((Cow::Owned(format!("{stem}.{extension}")), Some((&**language, &**start))))
        };
        without().unwrap_or((Cow::Borrowed(source), None))
    }

    /// Returns the path at which the translation of the document at `path` is that has the language which the name of the
    /// document at `own` ends with; `None` if it ends with none.
    pub(super) fn translation(&self, path: &str, own: &str) -> Option<String> {
        let (language, _) = self.without_language(own).1?;
        let (path, _) = self.without_language(path);
        is_markdown(Path::new(&*path)).then(|| in_language(&path, language))?
    }

    /// Returns the paths that the translations of the document at `path`, whose name ends with no language, may have.
    pub(super) fn translations_of<'p>(&'p self, path: &'p str) -> impl Iterator<Item = String> {
        self.languages.iter().filter_map(move |(language, _)| in_language(path, language))
    }

    /// Returns the path, relative to the URL of the tree, of the page of the document at `file`, if its front
    /// matter (`stated`) or the configuration sets this path. Browsers resolve links in the page against it.
    pub fn stated_base(&self, file: &Path, stated: Option<&StatedUrl>) -> Option<String> {
        let is_usual = Some(self.form) == self.dialect.row().page;
        let is_said =
            stated.is_some() || self.permalinks.is_some() || !is_usual || !is_markdown(file);
        // Where directories are published side by side, the tree has not the depth of the site.
        if self.dialect.row().has_sections {
            return Some(self.page(file, stated)?.url);
        }
        Some(self.page(file, stated.filter(|_| is_said))?.tree_url).filter(|_| is_said)
    }

    /// Returns the path below the URL of the generator's site for `path`, if each directory were published at its own
    /// path in the tree.
    pub(super) fn own_path(&self, path: &str) -> Option<String> {
        let mut folders = self.folders.iter().filter(|it| !it.folder.is_empty());
        folders.find_map(|it| {
            let rest = path.strip_prefix(it.folder.as_str())?;
            Some(format!("{}{}{rest}", it.url, it.source))
        })
    }

    /// Returns the path in the tree of the file that the generator would copy to the URL `own_url`.
    pub fn static_file(&self, own_url: &str) -> Option<String> {
        let folder = self.static_folder()?;
        let path = self.form.file(own_url);
        let path = path.strip_prefix(&folder.source)?;
        Some(format!("{}{path}", folder.folder))
    }

    /// Returns the directory whose files the generator copies to the root of its site, to which redirects can be written;
    /// `None` if the tree has none. One of only copied files comes first.
    pub fn static_folder(&self) -> Option<&PublishedFolder> {
        let at_root = |files| {
            self.folders.iter().filter(move |it| it.content.files == files && it.url.is_empty())
        };
        // What is in a theme is hidden by the same in the site.
        let copied = at_root(FolderFiles::Copied).min_by_key(|it| it.folder.len());
        copied.or_else(|| at_root(FolderFiles::All).next())
    }
}

/// Returns the path of a document whose name ends with `language`, and which would else be at `path`.
fn in_language(path: &str, language: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    Some(format!("{stem}.{language}.{extension}"))
}

/// Returns true if `path` is in `folder`, or in one whose path differs in one name but the first: that of another
/// language or version, which the same program may publish.
fn is_in_sibling(path: &str, folder: &str) -> bool {
    let mut own = path.split('/');
    let differing: Vec<bool> =
        folder.split_terminator('/').map(|name| own.next() != Some(name)).collect();
    let is_first = differing.first().copied().unwrap_or_default();
    let is_below = own.next().is_some();
    !is_first && is_below && differing.iter().filter(|it| **it).count() <= 1
}

/// Returns the path of a link to a document with the extension of pages, as generators that rename links write it: without what
/// follows the extension (`a.mdx`).
pub fn renamed(path: &str) -> Cow<'_, str> {
    match path.rsplit_once(".md").filter(|(_, rest)| !rest.contains('/')) {
        Some((stem, _)) => format!("{stem}.html").into(),
        None => path.into(),
    }
}

/// Returns the path of a page without what tells its form: a slash or `.html` at its end, the name of an index page.
pub(super) fn page_key(path: &str) -> &str {
    let path = path.strip_suffix(".html").unwrap_or(path);
    let path = match path.strip_suffix("index") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
        _ => path,
    };
    path.trim_end_matches('/')
}

/// Returns the path of the page at `new` in the form of `path`, the path of the page at `old`: with a slash or `.html`
/// at its end, or bare. Where only one of them is the page of a directory, it is the path that the generator gives it.
pub(super) fn in_form_of(path: &str, old: &str, new: &str) -> String {
    if path == old {
        return new.to_owned();
    }
    let key = page_key(new);
    let is_index = |url: &str| page_key(url).len() < url.strip_suffix(".html").unwrap_or(url).len();
    let has_html = |url: &str| url.ends_with(".html");
    if has_html(new) && is_index(new) != is_index(old) {
        let bare = new.strip_suffix(".html").unwrap_or(new);
        let is_bare = !path.is_empty() && !path.ends_with('/') && !has_html(path);
        return if is_bare { bare } else { new }.to_owned();
    }
    let folder = if key.is_empty() { String::new() } else { format!("{key}/") };
    match () {
        () if path.is_empty() || path.ends_with('/') => folder,
        () if has_html(path) && is_index(path) => format!("{folder}index.html"),
        () if has_html(path) => format!("{key}.html"),
        () => key.to_owned(),
    }
}

impl PublishedFolder {
    pub(crate) fn publishes_pages(&self) -> bool {
        !matches!(self.content.files, FolderFiles::Copied | FolderFiles::Theme)
    }

    fn has_pages(&self) -> bool {
        self.publishes_pages() && !self.content.is_excluded
    }

    /// Returns true if the file at `path`, which it holds, is a template of the theme.
    pub(crate) fn is_template(&self, path: &Path) -> bool {
        self.content.files == FolderFiles::Theme && path.extension().is_some_and(|it| it == "html")
    }

    /// `path`, below the directory that the generator reads, below this one.
    fn below_source<'p>(&self, path: &'p str) -> &'p str {
        let split = path.split_at_checked(self.source.len());
        let split = split.filter(|(start, _)| start.eq_ignore_ascii_case(&self.source));
        split.map_or(path, |(_, rest)| rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_the_form_of_its_url() {
        for (path, old, new, expected) in [
            ("a/index.html", "a/index.html", "b/c.html", "b/c.html"),
            ("a/b.html", "a/b.html", "c/index.html", "c/index.html"),
            ("a/", "a/index.html", "b/c.html", "b/c.html"),
            ("a/", "a/index.html", "c/index.html", "c/"),
            ("a/index.html", "a/index.html", "c/index.html", "c/index.html"),
            ("a/", "a.html", "c.html", "c/"),
            ("a/", "a/", "b/c/", "b/c/"),
            ("a", "a/", "b/c/", "b/c"),
            ("a", "a.html", "b/c.html", "b/c"),
            ("a.html", "a", "b/c", "b/c.html"),
            ("a/", "a/index.html", "index.html", ""),
            // A name that the front matter states.
            ("a/index", "a/index", "b/index", "b/index"),
        ] {
            assert_eq!(in_form_of(path, old, new), expected, "{path} {old} {new}");
        }
    }
}
