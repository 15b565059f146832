//! Whether the Markdown of a site is read, and as the source of which generator.

use super::working_directory::working_directory;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::advice::is_page;
use super::exit::{CliError, usage_error};
use super::markdown_pages::{self, ConfiguredProject};
use super::terminal;
use super::values::Choice;
use rehref_corpus::files::{first_bytes, git_rules, work_tree_of};
use rehref_corpus::{Corpus, SitePlace};
use rehref_document::is_markdown;
use rehref_generators::markdown::{DIALECTS, DialectRow, Maker, MarkdownDialect, UNREAD, has_word};
use rehref_site::plural::counted;
use rehref_site::{
    Entry, EntryKind, Excluded, FileTree, Pages, is_installed, path_in_url, with_slash,
};

/// `--markdown`: a dialect, or `None` for no Markdown.
pub(super) type MarkdownChoice = Option<MarkdownDialect>;

/// `--markdown` of every command that reads a site.
pub(super) fn choices() -> impl Iterator<Item = Choice<MarkdownChoice>> {
    let dialects = DIALECTS.iter().map(|it| (it.row().name, it.row().help, Some(*it)));
    dialects.chain([("off", "Do not read Markdown", None)])
}

/// The folders above the documents, and beside those, in which a generator may be configured.
const PROJECT_FOLDERS: &[&str] = &["", "website", "docs", "site", "documentation"];

/// The number of folders above SITE in which a configuration is looked for.
const ABOVE: usize = 4;

/// The Markdown of a site, and the generator that reads it.
pub(super) struct MarkdownSources {
    pub(super) dialect: MarkdownDialect,
    /// The folder of the project, as far as it is in SITE, with a slash at its end.
    pub(super) folder: String,
    /// The folders of SITE whose files are published at the root, each with a slash at its end.
    pub(super) roots: Vec<String>,
    /// The pages that the generator makes of them.
    pub(super) pages: Option<Pages>,
    /// Makers of pages and anchors that the sources do not have, each with its name in messages.
    pub(super) makers: Vec<(&'static Maker, String)>,
    /// The texts of the programs of its build, each after its name in messages.
    pub(super) scripts: Arc<[(String, String)]>,
    /// The paths of what it makes of no file.
    pub(super) made: Vec<String>,
    /// The projects below it that have configurations of their own.
    pub(super) projects: Vec<MarkdownSources>,
}

/// Returns how to read the Markdown of the site at `place`, whose files are `walk`; `None` if rehref does not read
/// Markdown there. `given`: the value of `--markdown`; `is_url_given`: whether `--url` was passed.
pub(super) fn sources(
    given: Option<MarkdownChoice>,
    place: &SitePlace,
    walk: &FileTree,
    is_url_given: bool,
) -> Option<MarkdownSources> {
    let root = place.root();
    let is_source = |entry: &Entry| entry.kind == EntryKind::File && is_markdown(&entry.path);
    if given.is_none() && !walk.entries.iter().any(is_source) {
        return None;
    }
    let known = [DIALECTS, UNREAD].concat();
    let found = match given {
        Some(None) => return None,
        Some(Some(dialect)) => configured(&root, walk, &[dialect]),
        None => {
            let found = configured(&root, walk, &known);
            let is_unread = found.as_ref().is_some_and(|(dialect, _)| !dialect.row().is_read);
            let read = is_unread.then(|| configured(&root, walk, DIALECTS)).flatten();
            // The documents are those of the generator whose configuration names them.
            read.filter(|it| names_documents_outside(&root, walk, it)).or(found)
        }
    };
    let of_project = |(dialect, path): &(MarkdownDialect, PathBuf)| {
        MarkdownSources::of_project(*dialect, &root, Some(path), is_url_given)
    };
    let dialect = match (given, place.document_name()) {
        (Some(given), _) => given?,
        (None, Some(name)) if is_markdown(name) => found.as_ref().map_or(FALLBACK, |it| it.0),
        (None, Some(_)) => return None,
        (None, None) => {
            let (main, count, reason) = guess(&root, walk, found.as_ref())?;
            // What git ignores in a project is built.
            let is_above = found.as_ref().is_some_and(|(_, path)| !path.starts_with(&root));
            if is_above && git_rules(&root, walk).has_folder() {
                return None;
            }
            let main = found.as_ref().filter(|_| main != FALLBACK).map(of_project);
            let (main, others) = match main {
                Some(main) => {
                    let others = projects(&root, walk, &known);
                    let others =
                        if has_siblings(&main, walk, &root, &others) { Vec::new() } else { others };
                    (main, others)
                }
                None => (MarkdownSources::of_project(FALLBACK, &root, None, false), Vec::new()),
            };
            let sources = main.with_projects(others.iter().map(of_project).collect());
            sources.note(&root, count, &reason);
            return Some(sources);
        }
    };
    let configuration = found.as_ref().map(|(_, path)| &**path);
    let sources = MarkdownSources::of_project(dialect, &root, configuration, is_url_given);
    // A document beside those of the project.
    if given.is_none()
        && sources
            .pages
            .as_ref()
            .is_some_and(|it| it.folders.iter().all(|it| !it.folder.is_empty()))
    {
        return Some(MarkdownSources::of_project(FALLBACK, &root, None, is_url_given));
    }
    Some(sources)
}

impl MarkdownSources {
    /// The Markdown of the project with this `configuration`, as far as it is in the site at `root`.
    fn of_project(
        dialect: MarkdownDialect,
        root: &Path,
        configuration: Option<&Path>,
        is_url_given: bool,
    ) -> MarkdownSources {
        let mut project = ConfiguredProject::of(dialect.row(), root, configuration);
        let folder = configuration.and_then(|path| markdown_pages::project_of(project.row, path));
        let folder = folder.and_then(|it| it.strip_prefix(root).ok());
        let folder = folder.map_or_else(String::new, |path| with_slash(&path_in_url(path)));
        let dialect = dialect.configured(&project.settings, |paths| project.texts(paths));
        let row = dialect.row();
        project.row = row;
        let mut roots: Vec<String> = row.roots.iter().map(|it| format!("{folder}{it}")).collect();
        if !folder.is_empty() {
            roots.push(folder.clone());
        }
        let pages = project.pages(dialect, is_url_given);
        let published = pages.iter().filter(|_| !row.has_sections);
        let published = published.flat_map(Pages::content_roots);
        // Snippets of the same name as a page are there.
        for folder in project.include_roots().chain(published) {
            if !roots.contains(&folder) {
                roots.push(folder);
            }
        }
        let (makers, made, projects) = (project.makers(), project.made(), Vec::new());
        let scripts = project.build_scripts();
        MarkdownSources { dialect, folder, roots, pages, makers, scripts, made, projects }
    }

    /// Returns the folder of the project, and those of its documents that are outside of it, each with a slash at its end.
    pub(super) fn regions(&self) -> impl Iterator<Item = String> {
        let folders = self.pages.iter().flat_map(|it| &it.folders).map(|it| &it.folder);
        let is_outside = |it: &&String| !it.is_empty() && !it.starts_with(&self.folder);
        std::iter::once(&self.folder).chain(folders.filter(is_outside)).cloned()
    }

    /// Returns the directories whose files are published at the root of the host, also as templates.
    pub(super) fn host_roots(&self) -> Vec<PathBuf> {
        let projects = std::iter::once(self).chain(&self.projects);
        let folders = projects.filter_map(|it| it.pages.as_ref()).flat_map(|it| &it.folders);
        let at_root = folders.filter(|it| it.url.is_empty() && !it.folder.is_empty());
        at_root.map(|it| PathBuf::from(&it.folder)).chain(self.templates()).collect()
    }

    /// Returns the directories of templates, which are not documents.
    pub(super) fn templates(&self) -> Vec<PathBuf> {
        let projects = std::iter::once(self).chain(&self.projects);
        let templates = projects.flat_map(|it| {
            let names = it.dialect.row().templates.iter();
            names.map(|name| Path::new(&it.folder).join(name))
        });
        templates.collect()
    }

    /// Says as what the documents, `count` in number, are read: those of the first project for `reason`.
    fn note(&self, root: &Path, count: usize, reason: &str) {
        let projects = self.projects.iter().map(|it| {
            format!("{} ({})", it.folder.trim_end_matches('/'), it.dialect.row().program)
        });
        let projects = projects.collect::<Vec<_>>().join(", ");
        let reason = match () {
            () if self.projects.is_empty() => reason.to_owned(),
            () if self.dialect == FALLBACK => {
                format!("for the projects {projects}, and others as on GitHub")
            }
            () => format!("{reason} and for the projects {projects}"),
        };
        for it in std::iter::once(self).chain(&self.projects) {
            let (program, folder) = (it.dialect.row().program, it.folder.trim_end_matches('/'));
            let place = if folder.is_empty() { String::new() } else { format!(" in {folder}") };
            if !it.dialect.row().is_read {
                terminal::note(format!(
                    "rehref does not read {program}{place} yet: it does not check the links between its pages, and move updates only links to the paths of files\nhelp: for what visitors find, build the site, and pass the directory of the built site"
                ));
            }
        }
        let projects = std::iter::once(self).chain(&self.projects);
        let folders = projects.filter_map(|it| it.pages.as_ref()).flat_map(|it| &it.folders);
        for it in folders.filter(|it| it.is_missing) {
            terminal::note(format!(
                "{} does not exist, so its sidebar is not checked, and broken links to its pages are only warnings\nhelp: run the build step that generates this directory, then rehref",
                it.folder.trim_end_matches('/')
            ));
        }
        for folder in self.pages.iter().flat_map(|it| &it.outside_folders) {
            let around = folder.ancestors().find(|it| root.starts_with(it)).unwrap_or(folder);
            terminal::note(format!(
                "the documents in {} are outside the site, so they are not read\nhelp: to read them, too, pass {}",
                folder.display(),
                around.join("").display()
            ));
        }
        let files = counted(count, "Markdown file");
        terminal::note(format!(
            "reading {files} {reason}\nhelp: to read them as another generator does, add --markdown"
        ));
    }

    /// The same for a site with these projects besides the one in it, or that one. The rest is read as on GitHub if the
    /// project has a folder of its own.
    fn with_projects(mut self, mut others: Vec<MarkdownSources>) -> MarkdownSources {
        let published = self.pages.iter().flat_map(|it| &it.folders);
        let published: Vec<&str> = published.map(|it| &*it.folder).collect();
        // A configuration among the documents is one of them.
        let is_document =
            |folder: &str| published.iter().any(|it| !it.is_empty() && folder.starts_with(it));
        // What is left of a generator that rehref does not read is around the project that took its place.
        let is_left = |it: &MarkdownSources| {
            !it.dialect.row().is_read
                && self.dialect.row().is_read
                && self.folder.starts_with(&it.folder)
        };
        others.retain(|it| it.folder != self.folder && !is_document(&it.folder) && !is_left(it));
        if others.is_empty() {
            return self;
        }
        if !self.folder.is_empty() {
            let rest = MarkdownSources::of_project(FALLBACK, Path::new(""), None, false);
            others.insert(0, std::mem::replace(&mut self, rest));
        }
        MarkdownSources { projects: others, ..self }
    }
}

/// The projects in the tree `walk` of the site at `root` that have documents, each with its generator and
/// configuration.
fn projects(
    root: &Path,
    walk: &FileTree,
    dialects: &[MarkdownDialect],
) -> Vec<(MarkdownDialect, PathBuf)> {
    let mut found: BTreeMap<PathBuf, (usize, MarkdownDialect, PathBuf)> = BTreeMap::new();
    let documents: BTreeSet<&Path> =
        walk.entries.iter().map(|it| &*it.path).filter(|it| is_markdown(it)).collect();
    for (_, number, dialect, path) in configurations(root, walk, dialects) {
        let project = markdown_pages::project_of(dialect.row(), &path);
        let Some(folder) = project.and_then(|it| it.strip_prefix(root).ok()) else { continue };
        // Paths below a folder follow it in order.
        let next = documents.range(folder..).next();
        let has_documents = next.is_some_and(|it| it.starts_with(folder));
        let is_surer = found.get(folder).is_none_or(|(known, ..)| number < *known);
        if has_documents && is_surer {
            found.insert(folder.to_owned(), (number, dialect, path));
        }
    }
    found.into_values().map(|(_, dialect, path)| (dialect, path)).collect()
}

/// Returns true if the configuration `found` publishes documents of the tree `walk` that are outside of its directory.
fn names_documents_outside(
    root: &Path,
    walk: &FileTree,
    (dialect, path): &(MarkdownDialect, PathBuf),
) -> bool {
    let project = MarkdownSources::of_project(*dialect, root, Some(path), false);
    let folders = project.pages.iter().flat_map(|it| &it.folders);
    let mut outside = folders.filter(|it| !it.folder.starts_with(&project.folder));
    outside.any(|folder| {
        let mut entries = walk.entries.iter();
        entries.any(|it| is_markdown(&it.path) && it.path.starts_with(&folder.folder))
    })
}

/// Returns the documents of the site at `place`, if a generator is configured for it.
pub(super) fn configured_sources(place: &SitePlace, walk: &FileTree) -> Option<MarkdownSources> {
    let (dialect, _) = configured(&place.root(), walk, DIALECTS)?;
    sources(Some(Some(dialect)), place, walk, false)
}

/// Returns true if documents without a configuration are beside those of `main`, in directories of other languages or
/// versions: then the program builds all of them, and the other `projects` are only further ones.
fn has_siblings(
    main: &MarkdownSources,
    walk: &FileTree,
    root: &Path,
    projects: &[(MarkdownDialect, PathBuf)],
) -> bool {
    let Some(pages) = &main.pages else { return false };
    let folder = |(dialect, path): &(MarkdownDialect, PathBuf)| {
        let project = markdown_pages::project_of(dialect.row(), path)?;
        project.strip_prefix(root).ok().map(Path::to_owned)
    };
    let folders: Vec<PathBuf> = projects.iter().filter_map(folder).collect();
    let is_sibling = |path: &Path| {
        pages.is_sibling(&path_in_url(path)) && !folders.iter().any(|it| path.starts_with(it))
    };
    walk.entries.iter().any(|it| is_markdown(&it.path) && is_sibling(&it.path))
}

/// Returns the folders in `roots` and of `pages` with their paths in the built site.
pub(super) fn published_in(roots: &[String], pages: Option<&Pages>) -> Vec<(String, String)> {
    let folders = pages.iter().flat_map(|it| &it.folders);
    let folders: Vec<_> = folders.map(|it| (it.folder.clone(), it.url.clone())).collect();
    let is_new = |root: &&String| folders.iter().all(|(folder, _)| folder != *root);
    let others: Vec<_> =
        roots.iter().filter(is_new).map(|it| (it.clone(), String::new())).collect();
    let all = folders.into_iter().chain(others);
    all.filter(|(folder, _)| !folder.is_empty()).collect()
}

/// The dialect of documents that no generator is configured for.
const FALLBACK: MarkdownDialect = MarkdownDialect::GITHUB;

/// The dialect of the Markdown of a directory, the number of its documents, and why, for a note; `None` if its HTML is
/// what visitors read. `found`: the configuration of a generator.
fn guess(
    root: &Path,
    walk: &FileTree,
    found: Option<&(MarkdownDialect, PathBuf)>,
) -> Option<(MarkdownDialect, usize, String)> {
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    let files = files.filter(|it| !is_installed(&it.path));
    // The output of the generator may be in the tree.
    let ignored = found.map_or_else(Excluded::default, |_| git_rules(root, walk));
    let is_hidden = |path: &Path| path.iter().any(|it| it.as_encoded_bytes().starts_with(b"."));
    let is_made = |path: &Path| found.is_some() && (ignored.has(path) || is_hidden(path));
    let files = files.filter(|it| is_markdown(&it.path) || !is_made(&it.path));
    let (mut sources, mut pages) = (0, 0);
    for entry in files {
        if is_markdown(&entry.path) {
            sources += 1
        } else {
            pages += usize::from(is_page(&entry.path))
        }
    }
    let is_folder = |folder: &Path, row: &DialectRow| {
        folder == root || row.configuration_folder.is_some_and(|it| folder == root.join(it))
    };
    let (dialect, reason) = match found {
        // The output of a generator does not hold its configuration, but may hold examples.
        Some((dialect, path))
            if sources >= pages || path.parent().is_some_and(|it| is_folder(it, dialect.row())) =>
        {
            let path = path.strip_prefix(root).unwrap_or(path);
            let reason = if dialect.row().is_read {
                format!("for {} ({})", dialect.row().program, path.display())
            } else {
                format!("as on GitHub (found {})", path.display())
            };
            (*dialect, reason)
        }
        None if pages == 0 => (FALLBACK, "as on GitHub".to_owned()),
        _ => {
            let files = counted(sources, "Markdown file");
            if let Some((dialect, path)) = found {
                let (row, path) = (dialect.row(), path.strip_prefix(root).unwrap_or(path));
                terminal::note(format!(
                    "rehref does not read {files} ({} of {}): most documents here are HTML\nhelp: to read them, add --markdown {}, or pass their directory",
                    path.display(),
                    row.program,
                    row.name
                ));
            } else if sources > pages {
                terminal::note(format!(
                    "rehref does not read {files}: the site has HTML, and no configuration of a generator says how to read them\nhelp: to read them, add --markdown"
                ));
            }
            return None;
        }
    };
    Some((dialect, sources, reason))
}

/// Refuses the sources of a generator: their links are paths of documents, and the generator makes the URLs.
pub(super) fn refuse_project(command: &str, corpus: &Corpus) -> Result<(), CliError> {
    let mut rows = corpus.dialects().map(|it| it.row());
    let Some(row) = rows.find(|row| row.configurations().next().is_some()) else { return Ok(()) };
    let program = row.program;
    usage_error(format!(
        "the site holds sources of {program}, and {command} is for built sites\nhelp: build the site, and run {command} on the output of {program}\nhelp: to move documents, use `rehref move`\nhelp: to process Markdown as a code host shows it, add --markdown github, and to process HTML alone, --markdown off"
    ))
}

/// Returns the folder of the project outside of `root`, the documents of a generator with this `dialect`; `None` if
/// its configuration is in the tree `walk` of `root`, or does not exist.
pub(super) fn project_outside(
    root: &Path,
    walk: &FileTree,
    dialect: MarkdownDialect,
) -> Option<PathBuf> {
    let (_, path) = configured(root, walk, &[dialect])?;
    let project = markdown_pages::project_of(dialect.row(), &path)?;
    (!path.starts_with(root)).then(|| project.to_owned())
}

/// The generator whose configuration is nearest to `root`: in the tree `walk` of it, or in the folders above up to the
/// root of the repository, or else to the working directory. What is further above may be other users', and so may be
/// what symbolic links lead to.
fn configured(
    root: &Path,
    walk: &FileTree,
    dialects: &[MarkdownDialect],
) -> Option<(MarkdownDialect, PathBuf)> {
    // The nearest; of those in one folder, the surest sign; of its files, the usual one.
    let in_tree = configurations(root, walk, dialects);
    let in_tree = in_tree.min_by_key(|(depth, number, dialect, path)| {
        let usual = dialect.row().configuration.first();
        let is_other = !usual.is_some_and(|it| path.ends_with(it));
        (*depth, *number, is_other, number_of_configuration(root, path, *dialect))
    });
    if let Some((_, _, dialect, path)) = in_tree {
        return Some((dialect, path));
    }
    let last =
        work_tree_of(root).or(working_directory().ok().filter(|here| root.starts_with(here)));
    let last = last.as_deref().unwrap_or(root);
    let folders = root.ancestors().take(ABOVE + 1).take_while(|folder| folder.starts_with(last));
    let mut paths = folders.flat_map(|folder| {
        dialects.iter().flat_map(move |dialect| {
            let names = dialect.row().configurations();
            names.flat_map(move |(name, _)| {
                PROJECT_FOLDERS.iter().map(move |sub| (*dialect, folder.join(sub).join(name)))
            })
        })
    });
    paths.find(|(dialect, path)| {
        first_bytes(path, 0).is_ok() && number_of_configuration(root, path, *dialect).is_some()
    })
}

/// The configurations in the tree `walk` of the site at `root`: the depth of each, the number of its generator among
/// `dialects`, and the generator.
fn configurations<'w>(
    root: &'w Path,
    walk: &'w FileTree,
    dialects: &'w [MarkdownDialect],
) -> impl Iterator<Item = (usize, usize, MarkdownDialect, PathBuf)> + 'w {
    let files = walk.entries.iter().filter(|it| it.kind == EntryKind::File);
    files.filter(|it| !is_installed(&it.path)).filter_map(move |entry| {
        let mut dialects = dialects.iter().enumerate();
        dialects.find_map(|(number, dialect)| {
            let name = dialect.row().configuration_of(&entry.path)?;
            let depth = entry.path.components().count() - Path::new(name).components().count();
            let is_near =
                depth < DEEPEST && number_of_configuration(root, &entry.path, *dialect).is_some();
            is_near.then_some((depth, number, *dialect, root.join(&entry.path)))
        })
    })
}

/// The number, among the configurations of `dialect`, of the file at `path`, from `root`; `None` if it is none of them.
fn number_of_configuration(root: &Path, path: &Path, dialect: MarkdownDialect) -> Option<usize> {
    // Hugo reads keys in any letter case.
    let text = || markdown_pages::text(&root.join(path)).to_lowercase();
    let has = |word: &str| has_word(&text(), &word.to_lowercase());
    dialect.row().number_of_configuration(path, has)
}

/// The levels in SITE at which a project is found: what is deeper may be an example.
const DEEPEST: usize = 3;
