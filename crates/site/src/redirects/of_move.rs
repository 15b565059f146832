//! Lists the redirects that a move needs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::format::RedirectFormat;
use super::page::PageRedirect;
use super::redirect::Redirect;
use crate::Moves;
use crate::{Entry, EntryKind, FileIndex, IndexFiles, Page, SiteUrl, path_in_url};
use rehref_document::{DocumentKind, is_markdown};
use rehref_generators::markdown::StatedUrl;
use rehref_url::{ParseError, Url};

/// The redirects that a move needs, and the old URLs that cannot have one.
#[derive(Debug, Default)]
pub struct MoveRedirects<'e> {
    /// A redirect for every old URL for which the server has no file any more.
    pub redirects: Vec<MoveRedirect<'e>>,
    /// The redirects of the old sources of renamed rules; see [`super::of_rules()`].
    pub of_rules: Vec<Redirect>,
    /// The folders for which one redirect suffices: all their files move to another folder and keep their
    /// names.
    pub folders: Vec<Redirect>,
    /// The redirects of the pages that a generator makes of moved documents; `redirects` contains them, too.
    pub pages: Vec<PageRedirect<'e>>,
    /// The old URLs for which the server now sends another file, which a redirect would hide.
    pub reused: Vec<Url>,
    /// The old paths of moved documents whose URLs rehref does not know.
    pub unknown: Vec<&'e Path>,
}

/// The URLs that documents state in their front matter, by their old paths.
pub type StatedUrls = FxHashMap<PathBuf, StatedUrl>;

/// A redirect that a moved file needs.
#[derive(Debug)]
pub struct MoveRedirect<'e> {
    /// The old path of the file.
    pub file: &'e Path,
    /// True if the old URL is the URL of this path, false if it is another URL for which the server sends the
    /// file.
    pub is_of_path: bool,
    /// The redirect from the old to the new URL.
    pub redirect: Redirect,
}

/// A site before or after a move.
#[derive(Clone, Copy, Debug)]
pub struct MovedSite<'s> {
    /// The URL of the root of the site.
    pub url: &'s SiteUrl,
    /// The index files of the tree.
    pub index_files: &'s IndexFiles,
    /// The files, and the rules by which its server finds them.
    pub files: &'s FileIndex,
    /// The URLs in the front matter of its documents.
    pub stated: &'s StatedUrls,
}

/// The URLs for which a server sends a file, or the page of a document.
struct FileUrls {
    /// The URL of its path.
    path: Url,
    /// If it is an index file, the URL of its folder.
    folder: Option<Url>,
    /// The URL of its folder without the slash at the end, which servers redirect to the folder. For the page of a
    /// document, its URL without the slash, or with one.
    bare_folder: Option<Url>,
    /// URLs without a part of its name.
    short: Vec<Url>,
    /// The page, if a generator makes it.
    page: Option<Page>,
}

/// Lists the redirects that `moves` need in the tree of `entries`, the site `old_site` before and
/// `new_site` after: one from every URL for which the server sent a file, and now does not, and those of
/// `of_rules` whose old URLs are neither among them nor URLs of files.
///
/// # Errors
/// Returns an error if a file has no URL. No path is known for which this happens.
pub fn of_move<'e>(
    entries: &'e [Entry],
    moves: &'e Moves,
    old_site: MovedSite<'_>,
    new_site: MovedSite<'_>,
    of_rules: Vec<Redirect>,
) -> Result<MoveRedirects<'e>, ParseError> {
    // Each project has a site of its own. Without moved files, the URL of the tree changes.
    let project = |path: &Path| std::ptr::from_ref(old_site.files.of_document(&path_in_url(path)));
    let projects: HashSet<_> = moves.files().map(|(old, _)| project(old)).collect();
    let files: Vec<(&Path, FileUrls)> = entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink))
        .filter(|entry| projects.is_empty() || projects.contains(&project(&entry.path)))
        // Servers read the files of rules, and send none of them.
        .filter(|entry| {
            !matches!(DocumentKind::of_built_path(&entry.path), Some(DocumentKind::Redirects(_)))
        })
        .filter_map(|entry| {
            let old = entry.path.as_path();
            let urls = new_site.urls_of(old, moves.new_path(old).unwrap_or(old));
            Some(urls.transpose()?.map(|urls| (old, urls)))
        })
        .collect::<Result<_, ParseError>>()?;
    let live: HashSet<&Url> = files.iter().flat_map(|(_, urls)| urls.all()).collect();
    let mut found = MoveRedirects::default();
    if old_site.files.has_pages() {
        let known: HashSet<&Path> = files.iter().map(|(file, _)| *file).collect();
        let moved = moves.files().map(|(file, _)| file);
        let is_unknown = |file: &&Path| is_markdown(file) && !known.contains(file);
        found.unknown = moved.filter(is_unknown).collect();
    }
    for (file, new) in &files {
        let Some(mut old) = old_site.urls_of(file, file)? else { continue };
        if let (Some(old_page), Some(new_page)) = (&old.page, &new.page)
            // Its own path is all that a generator can redirect.
            && old_page.own_url != new_page.own_url
            && !live.contains(&old.path)
            && old_page.is_document
        {
            found.pages.push(PageRedirect {
                file,
                new_file: moves.new_path(file).unwrap_or(file),
                old: old_page.clone(),
                new: new_page.clone(),
                redirect: Redirect::new(old.path.clone(), new.path.clone()),
            });
        }
        let mut add = |from: Url, to: &Url, is_of_path| {
            let asked = with_scheme_of(&from, new_site.url.url());
            if new.all().any(|url| *url == asked) {
                return;
            }
            if live.contains(&asked) {
                found.reused.push(from);
            } else {
                found.redirects.push(MoveRedirect {
                    file,
                    is_of_path,
                    redirect: Redirect::new(from, to.clone()),
                });
            }
        };
        let folder = new.folder.as_ref().unwrap_or(&new.path);
        // Where the folder has another index file now, this is said of one of its URLs.
        let is_page = old.page.is_some();
        let has_index = old.folder.as_ref().is_some_and(|it| live.contains(it))
            || is_page && live.contains(&old.path);
        old.bare_folder = old.bare_folder.filter(|_| !has_index);
        // Of rules for two spellings of a URL, a server may keep the first: it is to name what the generator links to.
        if is_page {
            add(old.path.clone(), &new.path, true);
        }
        if let Some(from) = old.folder {
            add(from, folder, false);
        }
        if let Some(from) = old.bare_folder {
            add(from, folder, false);
        }
        for (number, from) in old.short.into_iter().enumerate() {
            add(from, new.short.get(number).unwrap_or(&new.path), false);
        }
        if !is_page {
            add(old.path, &new.path, true);
        }
    }
    let listed: HashSet<&Url> = found.redirects.iter().map(|it| &it.redirect.from).collect();
    let missing = of_rules.into_iter().filter(|it| !listed.contains(&it.from));
    let (reused, missing) = missing.partition(|it| live.contains(&it.from));
    found.of_rules = missing;
    found.reused.extend(reused.into_iter().map(|it: Redirect| it.from));
    found.folders = folders(old_site.url.url(), &found, &live);
    Ok(found)
}

/// The outermost folders of the old site at `root` that have several files, all of which redirect to one other folder
/// under their old names. No URL of `live` is in such a folder, and none needs escapes, which servers read differently.
fn folders(root: &Url, found: &MoveRedirects<'_>, live: &HashSet<&Url>) -> Vec<Redirect> {
    /// The target of a folder, `None` if it has several, and the number of files in the folder.
    type Folders<'u> = FxHashMap<&'u str, (Option<&'u str>, usize)>;

    fn ends(url: &Url) -> impl Iterator<Item = &str> {
        let start = url.path_range().start;
        let slashes =
            memchr::memchr_iter(b'/', url.as_str().as_bytes()).filter(move |at| *at >= start);
        slashes.filter_map(|slash| url.as_str().get(..=slash))
    }
    let is_plain = |url: &Url| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        let path = url.path();
        url.as_str().ends_with(path) && path.bytes().all(is_plain) && !path.contains("//")
    };
    let mut folders = Folders::default();
    let all = found.redirects.iter().map(|it| (&it.redirect, usize::from(it.is_of_path)));
    for (redirect, files) in all.chain(found.of_rules.iter().map(|it| (it, 0))) {
        let (from, to) = (&redirect.from, &redirect.to);
        let are_plain = is_plain(from) && is_plain(to);
        for folder in ends(from).filter(|it| it.starts_with(root.as_str())) {
            let target = redirect.folder_for(folder).filter(|_| are_plain);
            let known = folders.entry(folder).or_insert((target, 0));
            known.0 = known.0.filter(|known| target == Some(*known));
            known.1 += files;
        }
    }
    for url in live {
        for folder in ends(url) {
            folders.remove(folder);
        }
    }
    let mut whole: Vec<(&str, &str)> = folders
        .into_iter()
        .filter_map(|(folder, (target, files))| Some((folder, target.filter(|_| files > 1)?)))
        .collect();
    whole.sort_unstable();
    let mut outermost = "\0";
    whole.retain(|(folder, _)| {
        let is_inside = folder.starts_with(outermost);
        if !is_inside {
            outermost = folder;
        }
        !is_inside
    });
    let parsed = whole.into_iter().filter_map(|(folder, target)| {
        let (from, to) = (Url::parse(folder).ok()?, Url::parse(target).ok()?);
        Some(Redirect { from, to, is_of_folder: true })
    });
    parsed.collect()
}

impl MoveRedirects<'_> {
    /// Returns the redirects to write in `format`: one for a whole folder if the format supports this, else one
    /// for each URL.
    pub fn for_format(self, format: &RedirectFormat) -> Vec<Redirect> {
        let mut folders = self.folders;
        folders.retain(|folder| format.has_rule(folder));
        let of_files = self.redirects.into_iter().map(|it| it.redirect);
        let mut all: Vec<Redirect> = of_files.chain(self.of_rules).collect();
        // Folders in order: none is in another.
        all.retain(|it| {
            let before = folders.partition_point(|folder| folder.from.as_str() <= it.from.as_str());
            let nearest = before.checked_sub(1).and_then(|at| folders.get(at));
            !nearest.is_some_and(|folder| folder.covers(it))
        });
        // The first rule that matches applies.
        all.extend(folders);
        all
    }
}

impl MovedSite<'_> {
    /// Returns the URLs for which the server sends `file`; none if it has no URL.
    pub fn urls_for(&self, file: &Path) -> Vec<Url> {
        let urls = self.urls_of_file(file).ok();
        urls.iter().flat_map(FileUrls::all).cloned().collect()
    }

    /// The URLs of the file at `file`, whose old path is `old`; `None` if visitors do not find it.
    fn urls_of(&self, old: &Path, file: &Path) -> Result<Option<FileUrls>, ParseError> {
        match self.files.of_document(&path_in_url(file)).pages() {
            Some(pages) => {
                let stated = self.stated.get(old);
                let is_left_out = stated.is_some_and(StatedUrl::is_left_out);
                let page = pages.page(file, stated).filter(|_| !is_left_out);
                page.map(|page| self.urls_of_page(page)).transpose()
            }
            None => self.urls_of_file(file).map(Some),
        }
    }

    fn urls_of_page(&self, page: Page) -> Result<FileUrls, ParseError> {
        let url = |path: &str| self.url.url_below(path);
        let folder = page.url.strip_suffix("index.html");
        let folder = folder.filter(|it| it.is_empty() || it.ends_with('/'));
        let other = match page.url.strip_suffix('/').or(folder) {
            Some(bare) => bare.trim_end_matches('/').to_owned(),
            None if page.is_document && !page.url.ends_with(".html") => format!("{}/", page.url),
            None => String::new(),
        };
        let other = (!other.is_empty()).then(|| url(&other)).transpose()?;
        Ok(FileUrls {
            path: url(&page.url)?,
            folder: folder.map(url).transpose()?,
            bare_folder: other,
            short: Vec::new(),
            page: Some(page),
        })
    }

    fn urls_of_file(&self, file: &Path) -> Result<FileUrls, ParseError> {
        let path = path_in_url(file);
        let folder = file.parent().filter(|_| self.index_files.has(file));
        let url = |path: &str| self.url.url_below(path);
        let bare_folder = folder
            .map(path_in_url)
            .filter(|folder| !folder.is_empty() && self.files.sends(&path, folder));
        let mut bare_folder = bare_folder.as_deref().map(url).transpose()?;
        if folder.is_some_and(|it| it.as_os_str().is_empty()) {
            bare_folder = self.bare_root();
        }
        let mut urls = FileUrls {
            path: self.url.file_url(file)?,
            folder: folder.map(|it| self.url.folder_url(it)).transpose()?,
            bare_folder,
            short: Vec::new(),
            page: None,
        };
        for short in self.files.short_paths(&path) {
            let short = url(&short)?;
            if urls.all().all(|known| *known != short) {
                urls.short.push(short);
            }
        }
        Ok(urls)
    }

    /// The URL of the site's root without the slash at its end; `None` at the root of the host.
    fn bare_root(&self) -> Option<Url> {
        let root = self.url.url();
        let bare = root.as_str().strip_suffix('/')?;
        (root.path() != "/").then(|| Url::parse(bare).ok())?
    }
}

/// `url` with the scheme of `site`: rules are for paths, and a server also applies them to the URLs with the new scheme.
fn with_scheme_of(url: &Url, site: &Url) -> Url {
    let rest = url.as_str().strip_prefix(url.scheme()).filter(|_| url.scheme() != site.scheme());
    let other = rest.and_then(|rest| Url::parse(&format!("{}{rest}", site.scheme())).ok());
    other.unwrap_or_else(|| url.clone())
}

impl FileUrls {
    fn all(&self) -> impl Iterator<Item = &Url> {
        let folders = self.folder.iter().chain(&self.bare_folder);
        folders.chain(&self.short).chain([&self.path])
    }
}
