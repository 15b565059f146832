//! Makers of pages, files and anchors that a tree does not have.

use std::path::Path;

use super::FileIndex;
use crate::path::{decoded_path, with_slash};
use rehref_document::is_markdown;
use rehref_generators::markdown::{Maker, Makes, PageNames};

/// The maker of a file that git ignores, in messages.
const BUILD: &str = "a build (git ignores the path)";

/// The maker of a file in a directory beside that of the documents, in messages.
const OUTSIDE: &str = "the directory of documents that is not in the site";
/// The maker of pages whose names a program determines, in messages.
const ROUTES: &str = "a document for several routes";
/// The same of a language or version that is built by itself.
const OTHER: &str = "the build of another language or version";
/// The same of a version that a build copies.
const VERSION: &str = "the build of a version whose directory does not exist";

/// Returns true if `path` has an extension, and is not the number of a version.
fn names_file(path: &str) -> bool {
    let extension = Path::new(path).extension().map_or(&b""[..], |it| it.as_encoded_bytes());
    extension.len() > 1 && extension.iter().any(u8::is_ascii_alphabetic)
}

/// Returns true if `text`, a program, names the file at `rest` in `folder`, its directory, or another directory around it below
/// that which does not exist: of one that does, the program makes what it names there.
fn names_path(text: &str, folder: &str, rest: &str, exists: impl Fn(&str) -> bool) -> bool {
    let is_of_name = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
    // A path that goes on is that of another file or directory.
    let is_end = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        !rest.strip_prefix('/').unwrap_or(rest).starts_with(is_of_name)
    };
    let has = |path: &str| text.match_indices(path).any(|(at, _)| is_end(at + path.len()));
    let ends = rest.match_indices('/').map(|(at, _)| at).chain([rest.len()]);
    let parent = rest.rfind('/').unwrap_or_default();
    let mut paths = ends.filter_map(|end| {
        let path = format!("{folder}{}", rest.get(..end)?);
        (end >= parent || !exists(&path)).then_some(path)
    });
    let name = rest.rsplit('/').next().unwrap_or_default();
    let folder = folder.trim_end_matches('/');
    // A file that is copied.
    let is_copied = || {
        let mut lines = text.lines().filter(|it| it.contains(name));
        name.contains('.') && !folder.is_empty() && lines.any(|it| it.contains(folder))
    };
    paths.any(|it| it.contains('/') && has(&it)) || is_copied()
}

/// Returns true if `text` has the path `folder`, and not as a part of a longer name: `docs` in `cp a.md docs/`, but not in
/// `mkdocs`.
fn has_folder(text: &str, folder: &str) -> bool {
    let is_of_name = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.');
    text.match_indices(folder).any(|(at, _)| {
        let (before, after) = text.split_at(at);
        let after = after.strip_prefix(folder).and_then(|it| it.chars().next());
        !before.ends_with(is_of_name) && !after.is_some_and(is_of_name)
    })
}

impl FileIndex {
    /// Returns the name and place of the directive of the server that may make the page at `path`.
    pub fn unread_rule(&self, path: &str) -> Option<&str> {
        self.server.unread.maker_of(&self.with_root(path))
    }

    /// Returns the directive of the server, or the plugin or setting, that may make the page or file at `path`, from the
    /// root of the site or the content, to which the document at `own` links.
    pub fn maker_of(&self, own: Option<&str>, path: &str) -> Option<&str> {
        let rule = self.unread_rule(path);
        if rule.is_some() {
            return rule;
        }
        let sources = self.server.sources.as_ref()?;
        let roots = sources.roots.iter().filter_map(|root| path.strip_prefix(root.as_str()));
        let paths: Vec<&str> = roots.chain([path]).collect();
        // The generator makes no page for what it does not read.
        let is_of_site =
            own.is_none_or(|own| !self.is_outside_sources(own) || self.is_published(path));
        let mut makers = sources.makers.iter().filter(|_| is_of_site);
        let found = makers.find(|(it, _)| paths.iter().any(|path| it.makes_page(path)));
        let is_ignored = || {
            // The file itself, or one of the documents whose page has the path.
            let bare = path.trim_end_matches('/');
            let folders = sources.pages.iter().flat_map(|it| &it.folders);
            let folders = folders.filter(|it| !it.is_missing);
            let below = folders.clone().filter_map(|it| {
                let rest = bare.strip_prefix(&*it.url)?;
                Some(format!("{}{rest}", it.folder))
            });
            // Directories of other URLs have none of these files.
            let is_of_pages = |root: &&String| folders.clone().any(|it| it.folder == **root);
            // A path in the tree may begin with that of the root.
            let is_below = |root: &&String| bare.starts_with(root.as_str());
            let roots = sources.roots.iter().filter(|it| !is_of_pages(it) && !is_below(it));
            let roots: Vec<String> = roots.map(|root| format!("{root}{bare}")).collect();
            below.chain(roots).chain([bare.to_owned()]).any(|path| {
                let names = [format!("{path}.md"), format!("{path}/index.md"), path];
                names.iter().any(|it| sources.ignored.has(&decoded_path(it)))
            })
        };
        let scripted = || self.script_of(path);
        let is_sibling = || sources.pages.as_ref().is_some_and(|it| it.is_sibling(path));
        let found = found.map(|(_, name)| name.as_str());
        let is_outside = || {
            let mut outside = sources.pages.iter().flat_map(|it| &it.outside);
            outside.any(|url| with_slash(path.trim_end_matches('/')).starts_with(url.as_str()))
        };
        let templated = || {
            let mut templates = sources.pages.iter().flat_map(|it| &it.templates);
            templates.find(|it| paths.iter().any(|path| it.makes(path))).map(|it| it.maker)
        };
        found
            .or_else(templated)
            .or_else(|| is_ignored().then_some(BUILD))
            .or_else(scripted)
            .or_else(|| self.is_of_missing(path).then_some(VERSION))
            .or_else(|| is_sibling().then_some(OTHER))
            .or_else(|| is_outside().then_some(OUTSIDE))
            .or_else(|| self.is_of_routes(path).then_some(ROUTES))
    }

    /// Returns true if a document may have the page at `path` among others: one with a name in brackets.
    fn is_of_routes(&self, path: &str) -> bool {
        let has_routes =
            self.pages().is_some_and(|it| it.dialect.row().page_names == PageNames::Routes);
        let roots = self.server.sources.iter().flat_map(|it| &it.roots);
        let roots: Vec<&str> = roots.map(String::as_str).chain([""]).collect();
        has_routes
            && self.files().filter(|it| it.ends_with(".md")).any(|file| {
                let start = file.split_once('[').map(|(start, _)| start);
                let mut below = roots.iter().filter_map(|root| start?.strip_prefix(root));
                below.any(|start| path.starts_with(start))
            })
    }

    /// Returns the maker that a document may have which a link finds by its name alone, wherever the document is.
    pub fn maker_of_name(&self) -> Option<&str> {
        let pages = self.pages().filter(|it| it.dialect.row().has_bundles)?;
        (!pages.outside.is_empty()).then_some(OUTSIDE)
    }

    /// The step of a build that names the file, or a directory around it, of the page or file at `path`.
    fn script_of(&self, path: &str) -> Option<&str> {
        let sources = self.server.sources.as_ref()?;
        let pages = sources.pages.as_ref().filter(|_| !sources.scripts.is_empty())?;
        let bare = decoded_path(path).to_string_lossy().trim_matches('/').to_owned();
        let candidates = pages.folders.iter().filter_map(|it| {
            let rest = bare.strip_prefix(&*it.folder).or_else(|| bare.strip_prefix(&*it.url))?;
            let folder = it.folder.strip_prefix(&*pages.project).unwrap_or(&it.folder);
            (!rest.is_empty()).then_some((folder, rest))
        });
        let candidates: Vec<(&str, &str)> = candidates.collect();
        let mut scripts = sources.scripts.iter();
        let exists = |folder: &str| self.is_folder(&format!("{}{folder}", pages.project));
        let names = |text: &str| candidates.iter().any(|it| names_path(text, it.0, it.1, exists));
        scripts.find(|(_, text)| names(text)).map(|(name, _)| name.as_str())
    }

    /// Returns the step of a build that may copy the document at `own`, which is outside of the content, into
    /// the content, because the step names both directories.
    pub fn script_that_copies(&self, own: &str) -> Option<&str> {
        let sources = self.server.sources.as_ref()?;
        let pages = sources.pages.as_ref().filter(|_| self.is_outside_sources(own))?;
        let own = own.strip_prefix(&*pages.project).unwrap_or(own);
        let (folder, _) = own.split_once('/')?;
        let contents = pages.folders.iter().filter(|it| it.publishes_pages());
        let contents = contents.map(|it| it.folder.strip_prefix(&*pages.project));
        let contents: Vec<&str> = contents.flatten().filter(|it| !it.is_empty()).collect();
        let names = |text: &str| {
            has_folder(text, folder)
                && contents.iter().any(|it| has_folder(text, it.trim_end_matches('/')))
        };
        let mut scripts = sources.scripts.iter();
        scripts.find(|(_, text)| names(text)).map(|(name, _)| name.as_str())
    }

    /// Returns true if a page at `path` would be of a directory that a build makes.
    pub(super) fn is_of_missing(&self, path: &str) -> bool {
        let Some(pages) = self.pages() else { return false };
        let own = pages.own_path(path);
        !names_file(path) && pages.is_of_missing(own.as_deref().unwrap_or(path))
    }

    /// Returns the directory of another program that contains the HTML at `file`: a bundler makes a page of it,
    /// not the generator.
    pub fn bundled_in<'f>(&self, file: &'f str) -> Option<&'f str> {
        let is_page = || self.pages().is_some_and(|pages| self.page_of(pages, file).is_some());
        if !self.reads_sources() || is_markdown(Path::new(file)) || is_page() {
            return None;
        }
        let mut folders = file.match_indices('/').filter_map(|(at, _)| file.get(..at));
        let has_package = |it: &&str| self.file(&format!("{it}/package.json")).is_some();
        folders.rfind(|it| *it != self.project().trim_end_matches('/') && has_package(it))
    }

    /// Returns a part of the configuration that rehref does not read, and that may make pages and change links
    /// of the document at `own`.
    pub fn unread_maker(&self, own: Option<&str>) -> Option<&str> {
        self.maker_named(|it| it.is_unread())
            .filter(|_| own.is_none_or(|own| !self.is_outside_sources(own)))
    }

    /// Returns true if the tree has a page or file in the directory of the URL at `path`. For a generator that
    /// checks URLs itself, looks in the first directory of the path. `is_whole` is true if the tree is the root
    /// of its host.
    pub fn has_content_beside(&self, path: &str, is_whole: bool) -> bool {
        let path = path.trim_end_matches('/');
        let checks_urls = self.pages().is_some_and(|it| it.dialect.row().checks_urls);
        let folder = match checks_urls {
            true => path.split_once('/').map(|(first, _)| first),
            false => path.rsplit_once('/').map(|(folder, _)| folder),
        };
        folder.map_or(checks_urls || is_whole, |it| self.has_content_in(it))
    }

    /// Returns true if the tree has a page or file whose URL is in the directory `folder`.
    pub fn has_content_in(&self, folder: &str) -> bool {
        let mut roots = self.server.sources.iter().flat_map(|it| &it.roots);
        let below = format!("{folder}/");
        self.is_folder(folder)
            || self.find(&below, "").is_some()
            || roots.any(|root| self.is_folder(&format!("{root}{folder}")))
            || self.pages.keys().any(|it| it.starts_with(&below))
    }

    /// Returns the extension or build step of this project, as messages name it, that may define the label
    /// `name` of Sphinx.
    pub fn maker_of_label(&self, name: &str) -> Option<&str> {
        self.maker_named(|it| it.makes_label(name))
    }

    /// Returns the plugins and settings that may give the headings of all pages other ids.
    pub fn maker_of_heading_ids(&self) -> Option<&str> {
        self.maker_named(|it| it.makes == Makes::HeadingIds)
    }

    /// The name of the first maker of the project that `is`.
    fn maker_named(&self, is: impl Fn(&Maker) -> bool) -> Option<&str> {
        let mut makers = self.server.sources.as_ref()?.makers.iter();
        makers.find(|(it, _)| is(it)).map(|(_, name)| name.as_str())
    }

    /// Returns the plugin or component that may make an anchor on a page whose document has the makers
    /// `makers`.
    pub fn maker_of_anchor(&self, makers: &[(&'static Maker, String)]) -> Option<String> {
        let known = &self.server.sources.as_ref()?.makers;
        let is_there =
            |maker: &Maker| maker.project.is_none() || known.iter().any(|(it, _)| *it == maker);
        let of_page = makers.iter().find(|(maker, _)| is_there(maker));
        let of_page = of_page.map(|(_, name)| name.clone());
        let everywhere = || self.maker_named(|it| it.makes_anchors_everywhere());
        of_page.or_else(|| everywhere().map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_name_a_file_or_a_directory_around_it() {
        for (text, expected) in [
            ("rm -r docs/api/ && make", true),
            ("cp -r x/* docs/api/v2", true),
            ("cat docs/api/v2/*.md", true),
            ("touch docs/api/v2/a.md", true),
            ("test docs/api/v1/**/*.md", false),
            ("render docs/api", true),
            ("render docs/old", false),
            ("cp x docs/api/index.md", false),
            ("lint docs/apis", false),
        ] {
            let exists = |path: &str| path == "docs/old";
            let rest = if text.contains("old") { "old/v2/a.md" } else { "api/v2/a.md" };
            assert_eq!(names_path(text, "docs/", rest, exists), expected, "{text}");
        }
    }

    #[test]
    fn folders_are_whole_names() {
        for (text, expected) in [
            ("cp CHANGES.md docs/", true),
            ("cp x ./docs", true),
            ("mkdocs build", false),
            ("cp x docs-old", false),
            ("https://docs.example", false),
        ] {
            assert_eq!(has_folder(text, "docs"), expected, "{text}");
        }
    }
}
