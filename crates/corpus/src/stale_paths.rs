//! Strings in text that a run does not read as references, and that still name the old place of what moved: in scripts,
//! data and every other text file, and in the text and code of Markdown.
//!
//! A script may build any URL from its strings, so they are never rewritten. They are found, because a
//! search index that names moved pages leads visitors nowhere.

mod markup;
mod names;
mod packed;
mod scan;
pub mod strings;
mod words;

use std::cell::LazyCell;
use std::io;
use std::path::Path;

use encoding_rs::UTF_8;
use serde::Serialize;

use crate::files::{first_bytes, with_file_bytes, with_file_bytes_up_to};
use crate::{Corpus, FileRole};
use rehref_document::reference::Class;
use rehref_document::{
    Document, DocumentKind, ParseOptions, Position, Positions, SNIFF_LENGTH, is_binary, is_markdown,
};
use rehref_site::{
    FileIndex, Response, SiteUrl, diagnostic::display_path, path_in_url, with_slash,
};
use rehref_url::{AbsoluteUrl, ReferenceForm, RelativeForm, Span, percent_decoded};
use strings::{PathString, StringKind, StringSyntax, is_entry_id};

/// The kind of text that a stale path is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StalePathKind {
    /// A script or data, which only its author can change.
    Script,
    /// A script, data or the configuration of a generator, beside the sources of a site.
    Configuration,
    /// A script: the path of the site's URL, from which an application makes its URLs.
    BasePath,
    /// Any other text: the settings of a server, a list of URLs.
    Text,
    /// JSON-LD, where [`ParseOptions::json_ld`] makes the string a link.
    JsonLd,
    /// The id of an entry of a feed: `guid` of RSS, `id` of Atom. Feed readers treat an entry with a new id as a new
    /// entry.
    EntryId,
}

/// A string in a script, data or text that contains the old path of a file or folder that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StalePath {
    /// The path of the file with the string, below the site's root.
    pub path: String,
    /// The line and column of the string, from 1.
    #[serde(flatten)]
    pub position: Position,
    /// The kind of text that contains the string, such as a script or a configuration file.
    pub kind: StalePathKind,
    /// The string, without its quotes.
    pub text: String,
    /// The new path or text: the path below the site's root to which the named file moved, or a URL if the site
    /// has another URL now. In sources, the text to write instead of the string.
    pub target: String,
    /// True if [`StalePath::target`] should replace the string, because the named file moved, or because the
    /// string is in sources. False if only the file with the string moved.
    #[serde(skip)]
    pub has_moved: bool,
}

/// A function that returns the URLs of a file before and after the moves; `None` if the file has no URL. It is
/// called only if needed.
pub type FileUrls<'u> = dyn Fn() -> Option<[&'u AbsoluteUrl; 2]> + 'u;

/// Finds the strings of a site that contain old paths after its files moved or its URL changed.
pub struct StalePathFinder<'m> {
    /// The URL of the site's root before the moves.
    pub before: AbsoluteUrl,
    /// The URL of the site's root after the moves.
    pub after: AbsoluteUrl,
    /// True if the site is opened from disk, where paths from the server's root do not work. Then finds only
    /// such paths.
    pub from_disk: bool,
    /// All URLs of the site before the moves: the URL of the root, and its aliases.
    pub site_urls: Vec<&'m SiteUrl>,
    /// The files before the moves.
    pub files: &'m FileIndex,
    /// The URL after the moves of what a URL named before.
    pub follow: Box<dyn Fn(&AbsoluteUrl) -> AbsoluteUrl + 'm>,
    /// The path of the site's root, with a slash at its end, with which strings may begin. It is relative to
    /// the folder of a file outside the site, or to the project that contains the site.
    pub root_from_file: &'m str,
    /// A function that returns true if two URLs lead to the same file after the moves.
    pub is_same: &'m dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
}

impl StalePathFinder<'_> {
    /// Returns true if the file at `path` may contain old paths, or with `from_disk` paths from the server's
    /// root.
    pub fn searches(path: &Path, role: &FileRole, from_disk: bool) -> bool {
        syntax_of(path, role).is_some_and(|syntax| !from_disk || syntax != StringSyntax::Text)
    }

    /// Returns the strings that contain old paths in the file at `path` of `corpus`, the tree before or after
    /// the moves, in document order. `urls` returns the URLs of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn stale_paths(
        &self,
        corpus: &Corpus,
        path: &Path,
        role: &FileRole,
        urls: &FileUrls<'_>,
    ) -> io::Result<Vec<StalePath>> {
        if !StalePathFinder::searches(path, role, self.from_disk) {
            return Ok(Vec::new());
        }
        let path_on_disk = corpus.root.join(path);
        let search = |bytes: &[u8]| self.in_bytes(bytes, corpus, path, role, urls, &|_| true);
        match role {
            // Strings of a document that the run skips are not searched either.
            FileRole::Document(_) => {
                let most = corpus.options.max_size.unwrap_or(u64::MAX);
                with_file_bytes_up_to(&path_on_disk, most, |bytes, _| search(bytes))
            }
            _ => Ok(with_text(&path_on_disk, search)?.unwrap_or_default()),
        }
    }

    /// As [`StalePathFinder::stale_paths`], for a file with these `bytes` whose strings pass `may_be_stale`.
    pub fn in_bytes(
        &self,
        bytes: &[u8],
        corpus: &Corpus,
        path: &Path,
        role: &FileRole,
        urls: &FileUrls<'_>,
        may_be_stale: &dyn Fn(&str) -> bool,
    ) -> Vec<StalePath> {
        let Some(mut syntax) = syntax_of(path, role) else { return Vec::new() };
        let rendered = corpus.selection.dialect_of(path).filter(|dialect| {
            syntax == StringSyntax::Html && dialect.renders_html(&path_in_url(path), bytes)
        });
        if rendered.is_some() {
            // With front matter and shortcodes, whose values may be paths.
            syntax = StringSyntax::Text;
        }
        let mut found: Vec<(Span, String, StaleTarget, bool)> = Vec::new();
        let mut may_be_reference = false;
        let mut add = |string: PathString<'_>| {
            // What reads the value of a query may have moved, whatever the value names.
            let is_in_query = matches!(string.kind, StringKind::Query(_));
            if (is_in_query || may_be_stale(&string.text))
                && let Some(target) = self.stale_target(&string, syntax, urls)
            {
                may_be_reference |= string.may_be_reference;
                let in_query = is_in_query && !string.may_be_reference;
                found.push((string.span, string.text.into_owned(), target, in_query));
                return true;
            }
            false
        };
        syntax.strings(bytes, |string| {
            if string.is_not_a_path(bytes) || self.from_disk && string.is_joined_index(bytes) {
                return;
            }
            let folder = string.joined_folder(bytes);
            if !add(string)
                && let Some(folder) = folder
            {
                add(folder);
            }
        });
        if found.is_empty() {
            return Vec::new();
        }
        // References are not strings; the values of their queries are.
        let document = match role {
            FileRole::Document(kind) if may_be_reference => {
                Some(ParseOptions { kind: *kind, rendered, ..corpus.options })
            }
            _ => None,
        };
        let references_with = |json_ld| {
            let options = document.map(|it| ParseOptions { json_ld, ..it });
            options.map_or_else(Vec::new, |it| references(bytes, &it))
        };
        let is_among = |references: &[Span], span: Span| {
            let at = references.partition_point(|it| it.end <= span.start);
            references.get(at).is_some_and(|it| overlap(*it, span))
        };
        let known = references_with(document.is_some_and(|it| it.json_ld));
        found.retain(|(span, .., in_query)| *in_query || !is_among(&known, *span));
        found.sort_by_key(|(span, ..)| *span);
        let json_ld = LazyCell::new(|| references_with(true));
        let kind = |span: Span| match () {
            () if syntax == StringSyntax::Xml && is_entry_id(bytes, span) => StalePathKind::EntryId,
            () if is_among(&json_ld, span) => StalePathKind::JsonLd,
            () if matches!(role, FileRole::Document(DocumentKind::Markdown(_)))
                || rendered.is_some() =>
            {
                StalePathKind::Text
            }
            () if self.files.reads_sources() && syntax.is_of_file() => StalePathKind::Configuration,
            () if syntax == StringSyntax::Text => StalePathKind::Text,
            () => StalePathKind::Script,
        };
        let path = display_path(path);
        let mut positions = Positions::new(bytes);
        let found = found.into_iter();
        found
            .map(|(span, text, target, _)| {
                let kind = match kind(span) {
                    StalePathKind::Script if self.is_base_path(&text) => StalePathKind::BasePath,
                    kind => kind,
                };
                let StaleTarget { url, has_moved, written } = target;
                StalePath {
                    path: path.clone(),
                    position: positions.of(span.start),
                    target: written.unwrap_or_else(|| self.shown(&url)),
                    kind,
                    text,
                    has_moved,
                }
            })
            .collect()
    }

    /// A URL after the moves as reports show it: below the site's URL if that is the same as before, `.`
    /// for the root.
    fn shown(&self, target: &AbsoluteUrl) -> String {
        let target = target.as_str();
        let rest = target.strip_prefix(self.after.as_str());
        match rest.filter(|_| self.before == self.after) {
            Some("") => ".".to_owned(),
            rest => rest.unwrap_or(target).to_owned(),
        }
    }

    /// The text to write instead of `text`, a string of sources, which names `rest` from the root: `target` with the
    /// same start.
    fn written_from_root(&self, text: &str, rest: &str, target: &AbsoluteUrl) -> String {
        if ReferenceForm::of(text) == ReferenceForm::Absolute {
            return target.as_str().to_owned();
        }
        let target = self.shown(target);
        if target.contains("://") {
            return target;
        }
        let start = text.strip_suffix(without_steps(rest).trim_start_matches('/'));
        format!("{}{target}", start.unwrap_or_default())
    }

    /// Returns the new URL of the file that `string` named before the moves; `None` if it named no file, or
    /// still names this file. `urls` returns the URLs of the file with the string.
    pub fn stale_target(
        &self,
        string: &PathString<'_>,
        syntax: StringSyntax,
        urls: &FileUrls<'_>,
    ) -> Option<StaleTarget> {
        if syntax == StringSyntax::Text
            && host(&self.before) == Some(&*string.text)
            && host(&self.before) != host(&self.after)
        {
            return Some(StaleTarget { url: self.after.clone(), has_moved: true, written: None });
        }
        let whole = &*string.text;
        if self.files.reads_sources()
            && let Some(written) = self.new_part_of_url(whole)
        {
            let (url, written) = (self.after.clone(), Some(written));
            return Some(StaleTarget { url, has_moved: true, written });
        }
        let found = self.stale_target_of(whole, whole, string, syntax, urls);
        found.or_else(|| {
            let below = self.below_root(whole)?;
            self.stale_target_of(below, whole, string, syntax, urls)
        })
    }

    /// As [`StalePathFinder::stale_target`] for `text`, the string or its part from the root: `whole` is the string.
    fn stale_target_of(
        &self,
        text: &str,
        whole: &str,
        string: &PathString<'_>,
        syntax: StringSyntax,
        urls: &FileUrls<'_>,
    ) -> Option<StaleTarget> {
        let root = (&self.before, &self.after);
        let own: (&AbsoluteUrl, &AbsoluteUrl) = urls()?.into();
        // Steps up to the root still lead there from a file that keeps its place below the root, whatever page is there.
        let below = |(own, root): (&AbsoluteUrl, &AbsoluteUrl)| {
            own.as_str().strip_prefix(root.as_str()).map(str::to_owned)
        };
        // A name with capitals, as in a title, is not the path of a page in lower case.
        let is_word = !text.contains(['/', '.']) && text.contains(char::is_uppercase);
        if is_word && syntax == StringSyntax::Text && self.files.reads_sources() {
            return None;
        }
        let is_steps =
            text.bytes().all(|byte| matches!(byte, b'.' | b'/')) && !text.starts_with('/');
        if is_steps && below((own.0, root.0)) == below((own.1, root.1)) {
            return None;
        }
        // The value of a query resolves against the page that reads it.
        let page = match string.kind {
            StringKind::Query(page) => Some(own.0.resolve(page, UTF_8).ok()?),
            _ => None,
        };
        let page = page.map(|before| ((self.follow)(&before), before));
        let own = page.as_ref().map_or(own, |(after, before)| (before, after));
        // What is in the folder of a pattern follows it, not the page that may have its name.
        let slash = if text.ends_with('/') { "" } else { "/" };
        let is_path = string.kind == StringKind::Path && self.files.reads_sources();
        let is_pattern = string.kind == StringKind::Folder
            || is_path && slash == "/" && self.files.is_folder(text);
        let pattern = is_pattern.then(|| format!("{text}{slash}*"));
        let (given, text) = (text, pattern.as_deref().unwrap_or(text));
        // Scripts count paths from the root, from their own place, or from the page that runs them: of a
        // page at another depth, all that counts is the path without the steps up to the root.
        let from_root = (text, root);
        let from_own = (text, own);
        let form = ReferenceForm::of(text);
        if self.from_disk && (form != ReferenceForm::Root || page.is_some()) {
            return None;
        }
        let bases = match form {
            _ if string.kind == StringKind::Sibling => [Some(from_own), None],
            ReferenceForm::Path if text.starts_with('.') => {
                [Some(from_own), Some((without_steps(text), root))]
            }
            // Only scripts of a page know the place of the page.
            ReferenceForm::Path if syntax == StringSyntax::Html => {
                [Some(from_own), Some(from_root)]
            }
            ReferenceForm::Path => [Some(from_root), Some(from_own)],
            // Routers write paths from the root of the site without the path of its URL, which they add.
            ReferenceForm::Root if syntax != StringSyntax::Text => {
                [Some(from_own), Some((text.trim_start_matches('/'), root))]
            }
            // The root of the host, of which a mirror may have several.
            ReferenceForm::Absolute | ReferenceForm::Scheme | ReferenceForm::Root => {
                [Some(from_own), None]
            }
            ReferenceForm::Document => return None,
        };
        let mut bases = bases.into_iter().flatten();
        let found = bases.find_map(|(text, (before, after))| {
            let old = before.resolve(text, UTF_8).ok()?;
            let may_be_folder = string.kind == StringKind::Name || whole.contains('/');
            // Of an attribute (`data-root="../_"`), steps up that end at a folder are no accident.
            let is_folder = may_be_folder && self.files.reads_sources()
                || syntax == StringSyntax::Html && text.starts_with("../");
            // `/x` in prose is not the root of a site at `/x/`.
            let is_prose = syntax == StringSyntax::Text && form != ReferenceForm::Absolute;
            let root = self.before.as_str().strip_suffix('/');
            let is_word = is_prose && root == Some(old.as_str());
            let is_module = syntax == StringSyntax::Script
                && self.files.reads_sources()
                && text.starts_with('.');
            let extension = is_module.then(|| self.extension_of_module(&old)).flatten();
            let names_file = match string.kind {
                _ if is_pattern => self.names_folder_of(&old),
                StringKind::Sibling => self.names_other_document(&old, before),
                _ if text.is_empty() || is_word => false,
                _ => extension.is_some() || self.names_file(&old, may_be_folder, is_folder),
            };
            // Whatever is below the old URL of the site is below the new one.
            let names_old_url = form == ReferenceForm::Absolute && self.before != self.after;
            (names_file || names_old_url).then_some((
                old,
                extension.unwrap_or_default(),
                text,
                after,
            ))
        });
        let reads_sources = self.files.reads_sources();
        let Some((old, extension, text, base)) = found else {
            return self.moved_content_folder(given, whole);
        };
        let expected = self.follow_module(&old, extension);
        let found = base.resolve(text, UTF_8).ok()?;
        // An alias of the site's URL stays, and what it names keeps its path.
        let site_urls = self.site_urls.iter().copied();
        let rest = SiteUrl::containing(site_urls, old.as_str()).map(|(_, rest)| rest);
        let is_kept = matches!(form, ReferenceForm::Absolute | ReferenceForm::Scheme)
            && self.before == self.after
            && rest.is_some_and(|it| {
                expected.as_str().strip_prefix(self.after.as_str()) == Some(&*it)
            });
        let is_stale = self.from_disk || !is_kept && !(self.is_same)(&expected, &found);
        let has_moved = !(self.is_same)(&old, &expected);
        let is_own = form == ReferenceForm::Path && *base != self.after;
        let written = || match is_own.then(|| base.relativize(&expected, RelativeForm::Path)) {
            Some(Some(path)) if whole.starts_with("./") && !path.starts_with('.') => {
                format!("./{path}")
            }
            Some(Some(path)) => path,
            _ => self.written_from_root(whole, given, &expected),
        };
        // Only strings with percent signs are URLs.
        let is_encoded = whole.contains('%');
        let written = reads_sources.then(written);
        let written = written.map(|it| match it.strip_suffix('*') {
            Some(folder) if is_pattern => folder.strip_suffix(slash).unwrap_or(folder).to_owned(),
            _ => it,
        });
        let written = written.map(|it| match percent_decoded(&it) {
            decoded if !is_encoded => String::from_utf8(decoded).unwrap_or(it),
            _ => it,
        });
        let has_moved = has_moved || reads_sources;
        is_stale.then_some(StaleTarget { url: expected, has_moved, written })
    }

    /// The rest of `text`, a string of a file outside of the site, after the path of the site's root.
    fn below_root<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.root_from_file);
        let root = without_steps(self.root_from_file);
        let rest = rest.or_else(|| without_steps(text).strip_prefix(root));
        rest.filter(|_| self.files.reads_sources() && !root.is_empty())
    }

    /// The target of `text`, the part from the root of the string `whole`, if it names with a slash at its end a
    /// folder from a root of the sources that moves.
    fn moved_content_folder(&self, text: &str, whole: &str) -> Option<StaleTarget> {
        let rest = without_steps(text).trim_start_matches('/');
        let path = self.files.content_folder(rest)?;
        let old = self.before.resolve(&path, UTF_8).ok()?;
        let url = (self.follow)(&old);
        let root = path.strip_suffix(rest).unwrap_or_default();
        let new = self.shown(&url);
        let new = new.strip_prefix(root).unwrap_or(&new);
        let written = Some(format!("{}{new}", whole.strip_suffix(rest).unwrap_or_default()));
        (!(self.is_same)(&old, &url)).then_some(StaleTarget { url, has_moved: true, written })
    }

    /// The new form of `text`, a part of the site's URL: its scheme and host, or its path.
    fn new_part_of_url(&self, text: &str) -> Option<String> {
        fn parts(url: &AbsoluteUrl) -> Option<(&str, &str)> {
            let (scheme, rest) = url.as_str().split_once("://")?;
            url.as_str().split_at_checked(scheme.len() + 3 + rest.find('/')?)
        }
        let ((origin, path), (new_origin, new_path)) = (parts(&self.before)?, parts(&self.after)?);
        // With the slash it is the URL of a site at the root of its host.
        if text == origin && path != "/" && origin != new_origin {
            return Some(new_origin.to_owned());
        }
        let new_path = match text.ends_with('/') {
            true => new_path,
            false => new_path.strip_suffix('/').filter(|it| !it.is_empty()).unwrap_or("/"),
        };
        (self.is_base_path(text) && path != new_path).then(|| new_path.to_owned())
    }

    /// Returns true if `text` is the path of the site's URL, which changes.
    fn is_base_path(&self, text: &str) -> bool {
        let path =
            self.before.as_str().split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let path = path.map(|(_, path)| path.trim_end_matches('/'));
        let base = text.strip_prefix('/').map(|it| it.trim_end_matches('/'));
        self.before != self.after && base.is_some() && base == path
    }

    /// Returns true if `url`, without an extension, is that of a document, and not of the one at `own`.
    fn names_other_document(&self, url: &AbsoluteUrl, own: &AbsoluteUrl) -> bool {
        let without_extension = own.as_str().strip_prefix(url.as_str());
        let is_own = without_extension.is_some_and(|it| it.starts_with('.'));
        let path = self.before.as_str();
        let path =
            url.as_str().strip_prefix(path).filter(|_| !is_own && self.files.reads_sources());
        let found = path.and_then(|path| self.files.find(path, ""));
        found.as_ref().and_then(Response::file).is_some_and(|file| is_markdown(Path::new(file)))
    }

    /// Returns true if `url` is of a name in a folder.
    fn names_folder_of(&self, url: &AbsoluteUrl) -> bool {
        let path = url.as_str().strip_prefix(self.before.as_str());
        let folder = path.and_then(|it| it.rsplit_once('/'));
        folder.is_some_and(|(folder, _)| self.files.is_folder(folder))
    }

    /// The rest of the path of the module that a script names by `url`.
    fn extension_of_module(&self, url: &AbsoluteUrl) -> Option<&str> {
        let path = url.as_str().strip_prefix(self.before.as_str())?;
        self.files.module(path)?.strip_prefix(path)
    }

    /// The URL after the moves of `url`, a name to which `extension` belongs.
    fn follow_module(&self, url: &AbsoluteUrl, extension: &str) -> AbsoluteUrl {
        let of_file = self.before.resolve(&format!("{url}{extension}"), UTF_8);
        let followed = of_file.map_or_else(|_| url.clone(), |it| (self.follow)(&it));
        let bare = followed.as_str().strip_suffix(extension);
        let bare = bare.and_then(|it| self.after.resolve(it, UTF_8).ok());
        bare.filter(|_| !extension.is_empty()).unwrap_or(followed)
    }

    /// Returns true if `url`, the target of a string, is certainly that of a file or folder. A folder needs a slash
    /// at its end, unless its URL has an index file and it `may_be_folder`, or it `is_folder`.
    fn names_file(&self, url: &AbsoluteUrl, may_be_folder: bool, is_folder: bool) -> bool {
        let site_urls = self.site_urls.iter().copied();
        let Some((_, rest)) = SiteUrl::containing(site_urls, url.as_str()) else { return false };
        let rest = rest.split('#').next().unwrap_or_default();
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        match self.files.find(path, query) {
            Some(Response::File(_) | Response::Query(_)) => true,
            Some(Response::Folder) => path.is_empty() || path.ends_with('/') || is_folder,
            // A path from a root of the sources is whole.
            Some(response) => {
                response.file().is_some_and(|file| may_be_folder || file.ends_with(path))
            }
            None => false,
        }
    }
}

/// The new target of a string that contains an old path.
pub struct StaleTarget {
    /// The URL after the moves of what the string named.
    pub url: AbsoluteUrl,
    /// True if the target should replace the string: see [`StalePath::has_moved`].
    pub has_moved: bool,
    /// The text to write instead of the string; `None` outside of sources.
    written: Option<String>,
}

/// Returns the name of the folder `root` with a slash at its end, with which paths relative to the project
/// above it begin.
pub fn name_in_project(root: &Path) -> String {
    root.file_name().map_or(String::new(), |name| with_slash(&path_in_url(name.as_ref())))
}

/// Calls `work` with the bytes of the file at `path`; `None` if it is a binary file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn with_text<T>(path: &Path, work: impl FnOnce(&[u8]) -> T) -> io::Result<Option<T>> {
    // A file that is large, or whose name says nothing, is often binary.
    if memchr::memchr(0, &first_bytes(path, SNIFF_LENGTH)?).is_some() {
        return Ok(None);
    }
    with_file_bytes(path, |bytes, _| work(bytes)).map(Some)
}

/// The syntax of the strings in the file at `path`; `None` if it has no such strings.
fn syntax_of(path: &Path, role: &FileRole) -> Option<StringSyntax> {
    match role {
        FileRole::Document(DocumentKind::Navigation(_)) => Some(StringSyntax::of_path(path)),
        FileRole::Document(kind) => StringSyntax::of_document(*kind),
        FileRole::Other => {
            // Source maps hold the text of other files, for people who debug them.
            let is_source_map = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("map"));
            (!is_binary(path) && !is_source_map).then(|| StringSyntax::of_path(path))
        }
        FileRole::Compressed(_) | FileRole::Container(_) | FileRole::UnreadPage => None,
    }
}

/// The host of `url`, with its port.
fn host(url: &AbsoluteUrl) -> Option<&str> {
    url.as_str().split_once("://")?.1.split('/').next()
}

/// `path` without the segments `.` and `..` at its start.
fn without_steps(path: &str) -> &str {
    let mut rest = path;
    while let Some(next) = rest.strip_prefix("./").or(rest.strip_prefix("../")) {
        rest = next;
    }
    rest
}

/// The spans of the references of a document, in order; one span for those that overlap.
fn references(bytes: &[u8], options: &ParseOptions) -> Vec<Span> {
    let document = Document::parse(bytes, options);
    document.map_or_else(
        |_| Vec::new(),
        |document| {
            // A run changes no reference with template markup, and no value of a component that may be a name.
            let is_source = matches!(options.kind, DocumentKind::Markdown(_));
            let is_name = |class: Class| is_source && class == Class::RelativeOnly;
            let references = document.references.iter();
            let references =
                references.filter(|it| it.class != Class::TemplateMarkup && !is_name(it.class));
            let mut spans: Vec<Span> = references.map(|it| document.span_of(it)).collect();
            spans.sort_unstable();
            spans.dedup_by(|next, last| {
                let overlaps = next.start < last.end;
                if overlaps {
                    last.end = last.end.max(next.end);
                }
                overlaps
            });
            spans
        },
    )
}

fn overlap(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end
}
