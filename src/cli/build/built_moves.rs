//! The moves of the files of a built site that follow from the moves of its sources.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::read_site::ReadSite;
use crate::cli::redirect_pages;
use rehref_corpus::Corpus;
use rehref_site::moves::placement::Placement;
use rehref_site::{AnchorMove, EntryKind, Moves, path_from_url, path_in_url};

/// The fate of the pages of a built site.
pub(super) struct BuiltMoves {
    pub(super) moves: Moves,
    /// The new paths of the moved documents that have a page in the site before, and none after.
    pub(super) missing: Vec<PathBuf>,
    /// The URLs, before and after, of moved documents that have no page in the site before; and of all moved documents their
    /// paths, to which a link that the generator does not read may lead.
    pub(super) unbuilt: HashMap<String, String>,
}

/// The moves from `old` to `new`, which were built of `sources` before and after `moves`.
pub(super) fn built_moves(
    sources: &Corpus,
    moves: &Moves,
    [old, new]: [&ReadSite; 2],
) -> BuiltMoves {
    let pages = redirect_pages::sources(sources, moves);
    let stated = sources.stated_urls();
    // The path of the page of `file` below the root of the site. The front matter is that of the document `of`.
    let url = |file: &Path, of: &Path| match pages {
        Some(pages) => Some(pages.page(file, stated.get(of))?.own_url),
        None => Some(path_in_url(&file.with_extension(""))),
    };
    let page = |site: &ReadSite, file: &Path, of: &Path| site.file(&url(file, of)?);
    let (mut missing, mut moved, mut unbuilt) = (Vec::new(), HashMap::new(), HashMap::new());
    for (from, to) in moves.files() {
        match (page(old, from, from), page(new, to, from)) {
            (None, _) => {
                let urls = url(from, from).zip(url(to, from));
                unbuilt.extend(urls.map(|(old, new)| (old.trim_end_matches('/').to_owned(), new)));
            }
            (Some(old), Some(new)) => {
                moved.insert(old, new);
            }
            (Some(_), None) => missing.push(to.to_owned()),
        }
    }
    for (from, to) in moves.files() {
        let (from, to) = (path_in_url(from), path_in_url(to));
        let below = pages.iter().flat_map(|it| &it.folders).filter_map(|it| {
            let (from, to) = (from.strip_prefix(&*it.folder)?, to.strip_prefix(&*it.folder)?);
            Some((from.to_owned(), to.to_owned()))
        });
        let paths: Vec<(String, String)> = below.collect();
        for (from, to) in paths.into_iter().chain([(from, to)]) {
            unbuilt.entry(from).or_insert(to);
        }
    }
    let index_names = pages.map_or(&[][..], |it| it.dialect.row().index_names);
    let index_name = index_names.first().unwrap_or(&"index.md");
    let folder = |path: &Path| {
        let index = url(&path.join(index_name), Path::new(""))?;
        path_from_url(index.trim_end_matches("index.html").trim_end_matches('/'))
    };
    let folders = moves.folders().filter_map(|(from, to)| Some((folder(from)?, folder(to)?)));
    let is_moved = |it: &(PathBuf, PathBuf)| it.0 != it.1 && !it.0.as_os_str().is_empty();
    let folders: Vec<(PathBuf, PathBuf)> = folders.filter(is_moved).collect();
    // Lists of a section, feeds and copies of sources move along.
    for file in old.corpus.files() {
        let mut along =
            folders.iter().filter_map(|(from, to)| Some(to.join(file.strip_prefix(from).ok()?)));
        let along = along.find(|it| new.has(it) && !old.has(it) && !new.has(file));
        if let Some(along) = along.filter(|_| !moved.contains_key(file)) {
            moved.insert(file.to_owned(), along);
        }
    }
    let placements = old.corpus.walk.entries.iter().filter_map(|entry| {
        Some(Placement {
            old: &entry.path,
            kind: EntryKind::File,
            new: moved.get(&entry.path)?.as_path().into(),
            request: None,
            with_folder: false,
        })
    });
    let anchors = moves.anchors().iter().filter_map(|it| {
        Some(AnchorMove {
            old_file: page(old, &it.old_file, &it.old_file)?,
            new_file: page(new, &it.new_file, &it.new_file)?,
            ..it.clone()
        })
    });
    let built = Moves::new(&placements.collect::<Vec<_>>(), folders);
    BuiltMoves { moves: built.with_anchors(anchors.collect()), missing, unbuilt }
}
