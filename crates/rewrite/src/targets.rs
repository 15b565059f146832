//! Maps targets: which URLs are in the site, and what they become in the run.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::captured_paths::CapturedPaths;
use super::pretty_urls::PrettyUrls;
use rehref_document::is_markdown;
use rehref_site::MovedUrls;
use rehref_site::PathNames;
use rehref_site::moves::anchors::fragment_of;
use rehref_site::{
    FileIndex, PLACEHOLDER_URL, Response, SitePath, SitePaths, SiteUrl, name_of_page,
};
use rehref_url::{AbsoluteUrl, Standard, Url};

/// A site before and after a run, which maps targets.
#[derive(Clone, Debug)]
pub struct SiteMapping {
    /// The URL of the site's root before the run.
    pub before: SiteUrl,
    /// Further URLs of the site's root.
    pub also: Vec<SiteUrl>,
    /// The URL of the site's root after the run.
    pub after: SiteUrl,
    /// The files before the run; empty if neither `moved` nor `pretty` needs them.
    pub files: FileIndex,
    /// The files and folders that move.
    pub moved: Arc<MovedUrls>,
    /// True if the user moved the files before the run, so that some links may already be correct.
    pub is_done: bool,
    /// The spelling of URLs of index files and folders.
    pub pretty: PrettyUrls,
    /// URLs at which the site seems to be published, and that are not in `before` and `also`. Links to them count as
    /// external, and the run counts them.
    pub likely: Vec<SiteUrl>,
    /// The cached facts about paths that fast paths use.
    pub known: KnownPaths,
    /// For an extracted crawl, the files of its URLs. They alone then decide which URLs are in the site.
    pub captured: Option<Arc<CapturedPaths>>,
}

/// Facts about the paths of a site, collected when a run first needs them.
#[derive(Clone, Debug, Default)]
pub struct KnownPaths {
    pub(super) new_paths: OnceLock<NewPaths>,
    /// The names by which to find stale paths.
    names: OnceLock<Option<PathNames>>,
}

/// The simple paths of files and folders after the run; `None` for one that stays.
pub(super) type NewPaths = SitePaths<Option<Box<str>>>;

/// The target of a reference after a run: its new URL, if it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappedTarget {
    /// The target is outside of the site, and keeps its URL.
    External,
    /// The target is in the site, and keeps its URL.
    Unmoved,
    /// The target is in the site, and has this URL after the run.
    Moved(Url),
}

impl SiteMapping {
    /// Creates the mapping of a site at `site_url` in which no file moves.
    pub fn unmoved(site_url: SiteUrl) -> SiteMapping {
        SiteMapping {
            before: site_url.clone(),
            also: Vec::new(),
            after: site_url,
            files: FileIndex::default(),
            moved: Arc::default(),
            is_done: false,
            pretty: PrettyUrls::default(),
            likely: Vec::new(),
            known: KnownPaths::default(),
            captured: None,
        }
    }

    /// Creates the mapping of a crawl whose URLs become files. `captured` contains their URLs, which begin with
    /// `output`.
    pub fn extracted(output: SiteUrl, captured: Arc<CapturedPaths>) -> SiteMapping {
        SiteMapping {
            pretty: PrettyUrls { offline: true, ..PrettyUrls::default() },
            captured: Some(captured),
            ..SiteMapping::unmoved(output)
        }
    }

    /// Returns the last names of paths with which a string may be a stale path; `None` if any string may be
    /// one.
    pub fn path_names(&self, standard: Standard) -> Option<&PathNames> {
        let is_kept = self.before == self.after && self.also.is_empty() && self.pretty.is_plain();
        let names = || PathNames::of(&self.before, &self.files, &self.moved, standard);
        let names = is_kept.then(|| self.known.names.get_or_init(names));
        names.and_then(Option::as_ref)
    }

    /// Returns true if files, or the whole site, get other URLs.
    pub fn moves(&self) -> bool {
        !self.moved.is_empty() || self.before.url() != self.after.url()
    }

    /// Returns true if links by `site_url`, one of the URLs of the site, keep it if their target does not move. Only a move keeps
    /// the others: a relative link can lead only to the site's own URL.
    pub(super) fn keeps(&self, site_url: &SiteUrl) -> bool {
        self.before == self.after && (*site_url == self.before || !self.moved.is_empty())
    }

    /// Returns true if `target` is on a host of which the site has a directory, but is not a file of that directory,
    /// so that it keeps its URL.
    fn stays_on_server(&self, target: &AbsoluteUrl) -> bool {
        let is_one_site = self.before.has_mounts() && !self.after.has_mounts();
        is_one_site && self.before.below(target.as_str()).is_none() && !self.has_target(target)
    }

    pub(super) fn has_target(&self, target: &AbsoluteUrl) -> bool {
        !matches!(self.serves(target), None | Some(None | Some(Response::Redirect)))
    }

    /// Returns true if something has the URL `target` after the run.
    pub(super) fn exists_after(&self, target: &AbsoluteUrl) -> bool {
        self.after.below(target.as_str()).is_some_and(|rest| {
            let (path, _) = SitePath::split(rest);
            self.moved.after(&self.files).find(&path.path, &path.query).is_some()
        })
    }

    /// Returns true if the anchor that `target` names gets another name or file.
    pub(super) fn moves_anchor(&self, target: &AbsoluteUrl) -> bool {
        self.moved.has_anchors()
            && self.below(target).is_some_and(|(_, rest)| {
                let (path, fragment) = SitePath::split(&rest);
                self.moved.follow_anchor(&self.files, &path, fragment).is_some()
            })
    }

    /// The longest URL of the site that `target` is below, and the part of `target` after it.
    fn below<'t>(&self, target: &'t AbsoluteUrl) -> Option<(&SiteUrl, Cow<'t, str>)> {
        let site_urls = std::iter::once(&self.before).chain(&self.also);
        SiteUrl::containing(site_urls, target.as_str())
    }

    /// Returns the new target of a reference with the old target `target`.
    pub fn map(&self, target: &AbsoluteUrl) -> MappedTarget {
        if let Some(captured) = &self.captured {
            let file = captured.file(target.as_str());
            return file.map_or(MappedTarget::External, MappedTarget::Moved);
        }
        match self.below(target) {
            Some(_) if self.stays_on_server(target) => MappedTarget::External,
            Some((site_url, rest)) => self.map_rest(&rest, self.keeps(site_url)),
            None => MappedTarget::External,
        }
    }

    /// Returns true if `target` is not on disk, so that links from disk need its full URL: it is in the site
    /// without a file, or outside the site, which contains `base`. False unless links must work from disk and
    /// the site's URL is known.
    pub fn is_missing_offline(&self, target: &AbsoluteUrl, base: Option<&AbsoluteUrl>) -> bool {
        if let Some(captured) = &self.captured {
            return captured.file(target.as_str()).is_none();
        }
        self.pretty.offline
            && !self.before.is_placeholder()
            // Such a target has no full URL.
            && !target.as_str().starts_with(PLACEHOLDER_URL)
            && match self.serves(target) {
                Some(response) => matches!(response, None | Some(Response::Redirect)),
                None => base.is_some_and(|base| self.serves(base).is_some()),
            }
    }

    /// Returns true if `target` is a file of the site on disk, and links must work from disk.
    pub fn is_file_offline(&self, target: &AbsoluteUrl) -> bool {
        if let Some(captured) = &self.captured {
            return captured.file(target.as_str()).is_some();
        }
        self.pretty.offline && self.has_file(target)
    }

    /// Returns true if `target` is a file of the site; `false` if the files are not known.
    pub(super) fn has_file(&self, target: &AbsoluteUrl) -> bool {
        self.serves(target).flatten().is_some_and(|it| it.file().is_some())
    }

    /// Returns true if `target` is in the site, and no file of it; `false` if the files are not known.
    pub(super) fn has_no_file(&self, target: &AbsoluteUrl) -> bool {
        !self.files.is_empty() && matches!(self.serves(target), Some(None))
    }

    /// Returns true if `target`, of no file, is outside of what a generator publishes, unlike the document at `own`:
    /// the generator does not understand the reference otherwise than browsers.
    pub(super) fn leaves_sources(&self, own: &AbsoluteUrl, target: &AbsoluteUrl) -> bool {
        let path = |url: &AbsoluteUrl| {
            let (_, rest) = self.below(url)?;
            rest.split(['?', '#']).next().map(str::to_owned)
        };
        match (path(own), path(target)) {
            (Some(own), Some(target)) => self.files.leaves_sources(&own, &target),
            _ => false,
        }
    }

    /// Returns the new form of `reference`, a module by its path from the directory of the project and without an extension;
    /// `None` if it stays.
    pub(super) fn module_after(&self, reference: &str) -> Option<String> {
        let path = self.files.path_from_alias(reference)?;
        let file = self.files.module(&path)?;
        let new = self.path_after(&SitePath::without_query(file))?.path;
        let new = new.strip_suffix(file.strip_prefix(&*path)?)?;
        let root = &self.files.pages()?.alias_root;
        let alias = reference.strip_suffix(path.strip_prefix(&**root)?)?;
        Some(format!("{alias}{}", new.strip_prefix(&**root)?))
    }

    /// Returns true if no page is at `target`, which a server would look up, and only the path of a document is like it.
    pub(super) fn is_source(&self, target: &AbsoluteUrl) -> bool {
        let path = self
            .below(target)
            .map(|(_, path)| path.split(['?', '#']).next().unwrap_or_default().to_owned());
        let Some(path) = path.filter(|_| self.files.has_pages()) else { return false };
        let file = self.files.find(&path, "");
        let file = file.as_ref().and_then(Response::file).filter(|it| is_markdown(Path::new(it)));
        file.is_some_and(|file| !self.files.is_published_at(file, &path, false))
    }

    /// Returns true if `reference`, which leads to `target`, is the name by which the generator finds the document also after
    /// the run, in the document that is then at `own`.
    pub(super) fn keeps_name(
        &self,
        reference: &str,
        target: &AbsoluteUrl,
        own: &AbsoluteUrl,
    ) -> bool {
        let name = reference.split(['?', '#']).next().unwrap_or_default();
        let file = self.serves(target).flatten();
        let Some(file) = file.as_ref().and_then(Response::file) else { return false };
        let moved = self.path_after(&SitePath::without_query(file));
        let new = moved.as_ref().map_or(file, |new| &*new.path);
        let own = self.after.below(own.as_str()).unwrap_or_default();
        self.moved.after(&self.files).with_name(name, own) == Some(new)
    }

    /// The new form of `name`, the name of the only document that has it, in a document at these paths before and after the
    /// run; `Some(None)` if it stays, `None` if no document, or more than one, has the name.
    fn by_name(&self, name: &str, [own, own_after]: [&str; 2]) -> Option<Option<String>> {
        let old = self.files.with_name(name, own)?;
        let moved = self.path_after(&SitePath::without_query(old));
        let new = moved.as_ref().map_or(old, |new| &*new.path);
        let files = self.moved.after(&self.files);
        let is_name_of_new = |name: &str| files.with_name(name, own_after) == Some(new);
        if is_name_of_new(name) {
            return Some(None);
        }
        // The language in a name is that of the document.
        let bare = files.pages().map_or(new.into(), |it| it.without_language(new).0);
        let file_name = bare.rsplit('/').next().filter(|_| name.contains('.'));
        let short = file_name.or_else(|| name_of_page(&bare)).filter(|it| is_name_of_new(it));
        let from_root = || {
            let (_, roots) = files.content_roots("/x.md", own_after)?;
            let below = roots.into_iter().find_map(|root| new.strip_prefix(root))?;
            Some(format!("/{below}"))
        };
        short.map(str::to_owned).or_else(from_root).map(Some)
    }

    /// The new form of `reference`, a path from a root of the content of the document at `own`, after the run, when
    /// that is at `own_after`; `Some(None)` if it stays, `None` if it leads to no file from there, or to one that is
    /// outside of all roots after the run.
    pub(super) fn in_content_roots(
        &self,
        reference: &str,
        [own, own_after]: [&AbsoluteUrl; 2],
    ) -> Option<Option<String>> {
        let (path, tail) =
            reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
        let own = self.before.below(own.as_str())?;
        let Some(found) = self.files.in_content_roots(path, own) else {
            let own_after = self.after.below(own_after.as_str())?;
            return self.by_name(path, [own, own_after]).map(|new| new.map(|new| new + tail));
        };
        let moved = self.path_after(&SitePath::without_query(&found.path));
        let new = moved.as_ref().map_or(&*found.path, |new| &*new.path);
        if found.is_id {
            let own_after = self.after.below(own_after.as_str())?;
            let new = self.files.id_after(reference, [&found.path, new], [own, own_after])?;
            return Some((new != reference).then_some(new));
        }
        let root = &*found.root;
        let (_, roots) = self.files.content_roots(path, self.after.below(own_after.as_str())?)?;
        let has_root = roots.contains(&root).then_some(root);
        if moved.is_none() && has_root.is_some() {
            return Some(None);
        }
        let climbs = path.starts_with("../");
        let climb = || climbs.then(|| "../".repeat(root.matches('/').count()) + new);
        let mut roots = has_root.into_iter().chain(roots.into_iter().filter(|_| !climbs));
        // The settings that name a root follow it.
        let below = |root: &str| match self.moved.follow_folder(root) {
            Some(root) => new.strip_prefix(&*root),
            None => new.strip_prefix(root),
        };
        let new = roots.find_map(below).map(str::to_owned);
        let new = format!("{}{}{tail}", path.get(..found.start)?, new.or_else(climb)?);
        Some((new != reference).then_some(new))
    }

    /// Returns the new form of `reference`, a path from the root of the site, perhaps with a slash, after the run;
    /// `None` if it stays.
    pub(super) fn source_path(&self, folder: &str, reference: &str) -> Option<String> {
        let path = reference.strip_prefix('/').unwrap_or(reference);
        let slash = reference.get(..reference.len() - path.len())?;
        let url = self.before.url_below(&format!("{folder}{path}")).ok()?;
        let target = AbsoluteUrl::new(Standard::Whatwg, url);
        let MappedTarget::Moved(new) = self.map(&target) else { return None };
        let new = self.after.below(new.as_str())?;
        let is_same = self.before.below(target.as_str()) == Some(new);
        let new = new.strip_prefix(folder).filter(|_| !is_same)?;
        Some(format!("{slash}{new}"))
    }

    /// Returns the new form of the wiki link `name` in the document at `own`; `None` if it stays.
    pub(super) fn wiki(&self, name: &str, own: &AbsoluteUrl) -> Option<String> {
        let own = self.before.below(own.as_str());
        let old = self.files.wiki_file(name, own)?;
        let new = self.path_after(&SitePath::without_query(old))?.path;
        let last = |path: &'_ str| path.rsplit('/').next().map(str::to_owned);
        let has_extension = |path: &str| path.ends_with(".md");
        let in_form = |path: &str| match path.strip_suffix(".md") {
            Some(stem) if !has_extension(name) => stem.to_owned(),
            _ => path.to_owned(),
        };
        let is_whole = name.contains('/');
        let (old_last, new_last) = (last(old)?, last(&new)?);
        if !is_whole && old_last == new_last {
            return None;
        }
        let is_free = self.files.wiki_file(&in_form(&new_last), None).is_none();
        Some(in_form(if !is_whole && is_free { &new_last } else { &new }))
            .filter(|written| written != name)
    }

    /// The server's response to `target`; the outer `None` outside of the site.
    fn serves(&self, target: &AbsoluteUrl) -> Option<Option<Response<'_>>> {
        let (_, rest) = self.below(target)?;
        let (path, _) = SitePath::split(&rest);
        Some(self.files.find(&path.path, &path.query))
    }

    /// Returns true if two URLs of the site after the run differ only in how their paths are written.
    pub(super) fn is_respelled(&self, one: &AbsoluteUrl, other: &AbsoluteUrl) -> bool {
        let rests = [one, other].map(|url| self.after.below(url.as_str()));
        let [Some((one, own)), Some((other, fragment))] = rests.map(|it| it.map(SitePath::split))
        else {
            return false;
        };
        let paths = [one.path, other.path].map(|path| self.files.normalized(&path).into_owned());
        own == fragment && one.query == other.query && paths[0] == paths[1]
    }

    /// As [`SiteMapping::map`], but a URL with a slash at its end names the directory, even if the directory's
    /// index file moves elsewhere.
    pub fn map_folder(&self, url: &AbsoluteUrl) -> MappedTarget {
        let mapped = self.map(url);
        let below = self.below(url).filter(|_| matches!(mapped, MappedTarget::Moved(_)));
        let Some((site_url, rest)) = below else {
            return mapped;
        };
        let (path, tail) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
        if !path.is_empty() && !path.ends_with('/') {
            return mapped;
        }
        let folder = match self.moved.follow_folder(path) {
            None if self.keeps(site_url) => return MappedTarget::Unmoved,
            None => path.to_owned(),
            Some(folder) => folder,
        };
        let url = self.after.url_below(&format!("{folder}{tail}"));
        url.map_or(MappedTarget::Unmoved, MappedTarget::Moved)
    }

    /// Maps the site-relative `rest` of a URL: what follows the site's URL. `keeps_url`: as
    /// [`SiteMapping::keeps`] returns for that URL.
    fn map_rest(&self, rest: &str, keeps_url: bool) -> MappedTarget {
        let (path, fragment) = SitePath::split(rest);
        let anchor = self.moved.follow_anchor(&self.files, &path, fragment);
        if let Some((path, name)) = anchor {
            let rest = format!("{}{}{}", path.path, path.query, fragment_of(name));
            let url = self.after.url_below(&rest);
            return url.map_or(MappedTarget::Unmoved, MappedTarget::Moved);
        }
        let path = match self.path_after(&path) {
            Some(path) => path,
            None if keeps_url => return MappedTarget::Unmoved,
            None => path,
        };
        let rest = format!("{}{}{fragment}", path.path, path.query);
        // A path of one site is a path of any site, so that this cannot fail.
        let url = self.after.url_below(&rest);
        url.map_or(MappedTarget::Unmoved, MappedTarget::Moved)
    }

    /// Returns the path after the run, below the site's URL; `None` if `path` stays.
    pub(super) fn path_after(&self, path: &SitePath<'_>) -> Option<SitePath<'static>> {
        let moved = self.moved.follow(&self.files, path);
        let place = moved.as_ref().unwrap_or(path);
        self.pretty.write(&self.files, place).or(moved)
    }
}
