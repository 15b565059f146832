//! The report of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use super::diagnostic_log::DiagnosticLog;
use crate::stale_paths::StalePath;
use crate::{InsertedFragment, SkipError, UnusedGlob};
use rehref_document::Application;
use rehref_rewrite::{LINK_SELECTOR, ReferenceCounts};
use rehref_site::{
    Diagnostic, Severity,
    diagnostic::{SKIPPED_DOCUMENT, display_path, serialize_file_errors},
};

/// The numbers of documents in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DocumentCounts {
    /// The number of all documents.
    pub seen: usize,
    /// The number of documents that changed.
    pub rewritten: usize,
    /// The number of documents whose references are all already correct or skipped.
    pub unchanged: usize,
    /// The number of documents that cannot be rewritten; each has an error among the diagnostics.
    pub skipped: usize,
    /// The number of skipped documents that are malformed.
    pub malformed: usize,
}

/// The numbers of entries of a tree that are neither documents nor archives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CopiedCounts {
    /// The number of files that were copied.
    pub files: usize,
    /// The number of symbolic links that were recreated.
    pub symlinks: usize,
    /// The number of directories that were created.
    pub directories: usize,
    /// The number of files, including documents, that were not written because the output already had the same
    /// bytes.
    #[serde(skip_serializing_if = "is_default")]
    pub equal: usize,
    /// The number of files, including unchanged documents, that are hard links to the originals.
    #[serde(skip_serializing_if = "is_default")]
    pub linked: usize,
    /// The number of temporary files of interrupted runs that were removed from the output.
    pub leftovers_removed: usize,
}

/// The numbers of archives in a run. Their documents are counted among all documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveCounts {
    /// The number of archives that were read.
    pub seen: usize,
    /// The number of archives with a record that changed.
    pub rewritten: usize,
    /// The number of records in all archives.
    pub records: usize,
    /// The number of revisit records whose digest changed with that of the capture that they refer to.
    #[serde(skip_serializing_if = "is_default")]
    pub revisits: usize,
}

/// Counts of an extracted crawl, other than documents and copied files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExtractedCounts {
    /// The path of the first page of the crawl.
    pub first_page: Option<String>,
    /// The number of written pages that redirect, for URLs that only redirect to a page.
    pub redirect_pages: usize,
    /// The number of URLs for which the archives have only error responses.
    pub errors: usize,
    /// The number of URLs whose content is in a record that the archives do not have.
    pub unresolved_revisits: usize,
}

impl ArchiveCounts {
    fn is_none(&self) -> bool {
        self.seen == 0
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The changes in a site that is opened from disk, and the features that do not work there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OfflineReport {
    /// The number of attributes `integrity` and `crossorigin` that were removed, because browsers block files
    /// with these attributes from disk.
    pub fetch_options_removed: usize,
    /// The number of rewritten links that are now absolute, because their targets are not on disk.
    pub online_links: usize,
    /// The files that use each feature that does not work from disk, in the order of the walk.
    pub limits: BTreeMap<&'static str, Vec<String>>,
    /// Strings in scripts and data that name files by a path from the server's root, which does not work from
    /// disk. The run does not change these strings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_paths: Vec<StalePath>,
}

impl OfflineReport {
    pub(super) fn add(&mut self, part: OfflineReport) {
        self.fetch_options_removed += part.fetch_options_removed;
        self.online_links += part.online_links;
        for (limit, files) in part.limits {
            self.limits.entry(limit).or_default().extend(files);
        }
        self.root_paths.extend(part.root_paths);
    }

    /// Drops the features of the files that `is_unused`.
    pub(super) fn drop_files(&mut self, is_unused: impl Fn(&str) -> bool) {
        self.limits.retain(|_, files| {
            files.retain(|path| !is_unused(path));
            !files.is_empty()
        });
    }

    /// Adds the features that the file at `path` uses.
    pub(super) fn add_limits(&mut self, path: &str, limits: BTreeSet<&'static str>) {
        for limit in limits {
            let files = self.limits.entry(limit).or_default();
            files.push(path.to_owned());
        }
    }
}

/// A document that changed, or in a dry run would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The path below the site's root.
    pub path: String,
    /// The number of references that changed.
    pub references: usize,
}

/// A file or symbolic link that moved, or in a dry run would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// The old path below the site's root.
    pub from: String,
    /// The new path below the site's root.
    pub to: String,
}

fn serialize_length<S: Serializer>(paths: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    paths.len().serialize(serializer)
}

/// The results of a run. All lists are in the order of the walk, whatever the number of threads is; in place,
/// style sheets come last.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The numbers of documents.
    pub documents: DocumentCounts,
    /// The numbers of references in all documents.
    pub references: ReferenceCounts,
    /// The number of updated digests and policies: digests of files and inline code that changed, and policies
    /// that name the origin of the site.
    #[serde(skip_serializing_if = "is_default")]
    pub digests: usize,
    /// The index pages with links to themselves (`#top`) that became links to the folder's URL. For a
    /// visitor of `news/index.html` they load the page again as `news/`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub index_pages_linking_to_themselves: Vec<String>,
    /// The changes and limits of a result that is to be read from disk.
    #[serde(skip_serializing_if = "is_default")]
    pub offline: OfflineReport,
    /// The changed HTML files that are only pieces of pages.
    #[serde(skip)]
    pub(super) fragments: Vec<PathBuf>,
    /// The parts of pages that scripts insert into pages, where links resolve against other URLs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inserted_fragments: Vec<InsertedFragment>,
    /// The scripts that select or compare links by their text, if the run changed the form of links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scripts_selecting_links: Vec<String>,
    /// The numbers of archives and their records.
    #[serde(skip_serializing_if = "ArchiveCounts::is_none")]
    pub archives: ArchiveCounts,
    /// The counts of an extracted crawl, if the run extracted one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extracted: Option<ExtractedCounts>,
    /// The compressed pages that were skipped, because the run has no `--compressed`.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_length")]
    pub compressed_skipped: Vec<String>,
    /// The numbers of files, links and directories that were copied.
    pub copied: CopiedCounts,
    /// The documents that changed, or in a dry run would change.
    pub changed: Vec<Changed>,
    /// The files and symbolic links that moved, or in a dry run would move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// Diagnostics: skipped references that look like links, skipped documents.
    pub diagnostics: DiagnosticLog,
    /// Strings in scripts and data that still contain old paths of moved files. The run does not change these
    /// strings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale_paths: Vec<StalePath>,
    /// The web application that made the pages, if strings in them hold the path of its URL.
    #[serde(skip)]
    pub application: Option<&'static Application>,
    /// The globs that matched nothing.
    pub unused_globs: Vec<UnusedGlob>,
    /// The files that could not be read or written. The run processed all other files.
    #[serde(serialize_with = "serialize_file_errors")]
    pub errors: Vec<Diagnostic>,
    /// The duration of the run in seconds; 0 if equal runs must give equal reports.
    #[serde(skip_serializing_if = "is_default")]
    pub seconds: f64,
}

impl Report {
    /// Adds `diagnostics` of the document at `path`.
    pub fn add_diagnostics(&mut self, path: &str, diagnostics: Vec<Diagnostic>) {
        let diagnostics = diagnostics.into_iter();
        self.diagnostics.extend(diagnostics.map(|diagnostic| diagnostic.at_path(path)));
    }

    /// Adds the document `name`, which was skipped because of `error`.
    pub(super) fn add_skipped(&mut self, name: &str, error: &SkipError) {
        self.documents.seen += 1;
        self.documents.skipped += 1;
        self.documents.malformed += usize::from(error.is_malformed());
        self.diagnostics.push(error.diagnostic(name));
    }

    /// Adds the file or directory at `path`, which could not be read or written because of `error`.
    pub(super) fn fail(&mut self, path: &Path, error: impl ToString) {
        self.errors.push(Diagnostic::file_error(display_path(path), error.to_string()));
    }

    /// Returns true if something could not be read, rewritten or written. A malformed document is a finding
    /// instead.
    pub fn has_failed(&self) -> bool {
        !self.errors.is_empty() || self.documents.skipped > self.documents.malformed
    }

    /// Counts malformed documents as unchanged, and removes their diagnostics, because an audit has already
    /// reported them.
    pub fn drop_malformed(&mut self) {
        let documents = &mut self.documents;
        documents.skipped -= documents.malformed;
        documents.unchanged += std::mem::take(&mut documents.malformed);
        let is_kept =
            |it: &Diagnostic| it.severity < Severity::Error || it.code == SKIPPED_DOCUMENT;
        self.diagnostics.retain(is_kept);
    }

    /// Drops the warnings of selectors that match links by their text if the run rewrote no link.
    pub(super) fn drop_needless_warnings(&mut self) {
        if self.references.rewritten == 0 {
            self.diagnostics.retain(|it| it.code != LINK_SELECTOR);
        }
    }

    /// Adds the file at `path`, in which this number of `references` changed.
    pub(super) fn add_changed(&mut self, path: String, references: usize) {
        self.changed.push(Changed { path, references });
    }

    /// Adds the counts and lists of a part of the run.
    pub(super) fn add(&mut self, part: Report) {
        self.documents.seen += part.documents.seen;
        self.documents.rewritten += part.documents.rewritten;
        self.documents.unchanged += part.documents.unchanged;
        self.documents.skipped += part.documents.skipped;
        self.documents.malformed += part.documents.malformed;
        self.references += &part.references;
        self.digests += part.digests;
        let pages = part.index_pages_linking_to_themselves;
        self.index_pages_linking_to_themselves.extend(pages);
        self.offline.add(part.offline);
        self.fragments.extend(part.fragments);
        self.scripts_selecting_links.extend(part.scripts_selecting_links);
        self.archives.seen += part.archives.seen;
        self.archives.rewritten += part.archives.rewritten;
        self.archives.records += part.archives.records;
        self.archives.revisits += part.archives.revisits;
        self.compressed_skipped.extend(part.compressed_skipped);
        self.copied.files += part.copied.files;
        self.copied.symlinks += part.copied.symlinks;
        self.copied.directories += part.copied.directories;
        self.changed.extend(part.changed);
        self.moved.extend(part.moved);
        self.diagnostics.append(part.diagnostics);
        self.stale_paths.extend(part.stale_paths);
        self.application = self.application.or(part.application);
        self.errors.extend(part.errors);
    }
}
