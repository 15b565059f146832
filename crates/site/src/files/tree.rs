//! The files and folders of a tree, and what documents state, whatever the server's rules are.

use std::path::Path;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::decoded_names::DecodedNames;
use super::wiki;
use crate::aliases::Aliases;
use crate::path::{lower_case, path_in_url};
use crate::symlinks::SymlinkResolver;
use crate::walk::{Entry, EntryKind};
use rehref_generators::markdown::StatedUrl;

/// The extensions of compressed files. A server may send such a file for the name without it.
pub(super) const COMPRESSED: &[&str] = &[".gz", ".br", ".zst", ".xz"];

/// A tree by paths in URLs; see [`super::FileIndex`], all of whose projects share one.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) kinds: FxHashMap<Box<str>, NodeKind>,
    pub(super) has_query_names: bool,
    /// Whether a mirroring tool certainly wrote the tree.
    pub(super) is_mirror: bool,
    pub(super) decoded_names: DecodedNames,
    /// Whether a file has one of the extensions [`COMPRESSED`].
    pub(super) has_compressed: bool,
    /// Paths that name the same file or folder as another path, and that path: symbolic links whose
    /// final target is in the tree, and pages or files of [`super::FileIndex::add_compressed`].
    pub(super) aliases: Aliases,
    /// Files by each part of their paths that ends before a dot of their names, if the server does
    /// content negotiation.
    pub(super) variants: FxHashMap<Box<str>, Box<str>>,
    /// Files by their paths in lower case, if the URLs of the pages made of them are.
    pub(super) lower_case: FxHashMap<Box<str>, Box<str>>,
    /// The URLs that documents state in their front matter, by their paths.
    pub(super) stated: FxHashMap<Box<str>, StatedUrl>,
    /// The documents that have labels, by the keys of the labels.
    pub(super) labels: FxHashMap<Box<str>, Box<str>>,
    /// The files by their names; see [`super::FileIndex::wiki_file`].
    pub(super) file_names: OnceLock<wiki::FileNames>,
    /// Folders that could not be read.
    pub(super) unread: Vec<Box<str>>,
    /// Devices, pipes and sockets, which no server sends.
    pub(super) special: FxHashSet<Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    File,
    Folder,
}

impl Tree {
    /// Creates the tree of `entries` at `root`.
    pub(super) fn new(root: &Path, entries: &[Entry]) -> Tree {
        let mut tree = Tree::default();
        tree.kinds.reserve(entries.len() + 1);
        tree.kinds.insert("".into(), NodeKind::Folder);
        let mut symlinks = SymlinkResolver::new(root);
        for Entry { path, kind } in entries {
            let kind = match kind {
                EntryKind::File => NodeKind::File,
                EntryKind::Directory => NodeKind::Folder,
                EntryKind::Symlink => {
                    let Ok(target) = symlinks.target(path) else { continue };
                    if let Ok(inside) = target.path.strip_prefix(root) {
                        tree.aliases.insert(path_in_url(path), path_in_url(inside));
                    }
                    if target.is_folder { NodeKind::Folder } else { NodeKind::File }
                }
                EntryKind::Special => {
                    tree.special.insert(path_in_url(path).into());
                    continue;
                }
                EntryKind::Leftover | EntryKind::Repository | EntryKind::Ignored => continue,
            };
            tree.add(path_in_url(path), kind);
        }
        tree
    }

    fn add(&mut self, path: String, kind: NodeKind) {
        let has_query = path.contains("%3F");
        self.has_query_names |= has_query || path.contains('@');
        self.is_mirror |= has_query || path == "hts-cache";
        self.has_compressed |= COMPRESSED.iter().any(|extension| path.ends_with(extension));
        if kind == NodeKind::File {
            self.decoded_names.add(&path);
        }
        self.kinds.insert(path.into(), kind);
    }

    /// Sets what servers look up by other names: for content negotiation, and for URLs in lower case.
    pub(super) fn index_names(&mut self, negotiates: bool, is_lower_case: bool) {
        let mut files: Vec<Box<str>> = Vec::new();
        if negotiates || is_lower_case {
            files.extend(self.paths_of(NodeKind::File).map(Box::from));
            files.sort_unstable();
        }
        self.variants.clear();
        for file in files.iter().filter(|_| negotiates) {
            let name = file.rfind('/').map_or(0, |slash| slash + 1);
            let dots = file.match_indices('.').map(|(at, _)| at);
            for at in dots.filter(|at| *at > name) {
                let start = file.get(..at).unwrap_or_default();
                self.variants.entry(start.into()).or_insert_with(|| file.clone());
            }
        }
        let lower = files.into_iter().filter(|_| is_lower_case);
        self.lower_case = lower.map(|file| (lower_case(&file).into(), file)).collect();
    }

    /// Returns the paths of all files or folders, in an arbitrary order.
    pub(super) fn paths_of(&self, wanted: NodeKind) -> impl Iterator<Item = &str> {
        let nodes = self.kinds.iter().filter(move |(_, kind)| **kind == wanted);
        nodes.map(|(path, _)| &**path)
    }

    /// Returns the tree after moves, as [`super::FileIndex::after_moves`] says.
    pub(super) fn after_moves(
        &self,
        new_path: impl Fn(&str) -> Option<String>,
        counterpart: impl Fn(&str) -> Option<String>,
    ) -> Tree {
        let mut moved = Tree::default();
        moved.kinds.reserve(self.kinds.len());
        moved.kinds.insert("".into(), NodeKind::Folder);
        for (path, kind) in &self.kinds {
            let new = new_path(path);
            if new.is_none() && *kind == NodeKind::Folder {
                continue;
            }
            let path = new.unwrap_or_else(|| path.to_string());
            let mut folder = path.as_str();
            while let Some(slash) = folder.rfind('/') {
                folder = folder.get(..slash).unwrap_or_default();
                if let Some(known) = moved.kinds.get_mut(folder) {
                    *known = NodeKind::Folder;
                    break;
                }
                moved.kinds.insert(folder.into(), NodeKind::Folder);
            }
            moved.add(path, *kind);
        }
        for (link, target) in self.aliases.iter() {
            let link = new_path(link).unwrap_or_else(|| link.to_owned());
            let target = counterpart(target).unwrap_or_else(|| target.to_owned());
            moved.aliases.insert(link, target);
        }
        let new_file =
            |file: &str| new_path(file).map_or_else(|| file.into(), String::into_boxed_str);
        let stated = self.stated.iter().map(|(file, url)| (new_file(file), url.clone()));
        moved.stated = stated.collect();
        let labels = self.labels.iter().map(|(label, file)| (label.clone(), new_file(file)));
        moved.labels = labels.collect();
        moved
    }
}
