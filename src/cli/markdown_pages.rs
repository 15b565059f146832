//! Where a generator publishes the pages that it makes of the documents of SITE, by its configuration.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rehref_corpus::files::first_bytes;
use rehref_generators::data::DataLanguage;
use rehref_generators::markdown::{
    ContentFolder, DialectRow, FolderFiles, Maker, MarkdownDialect, Mounts, Permalinks, Project,
    Settings,
};
use rehref_site::{Excluded, Pages, PublishedFolder, StatedSite, path_in_url, with_slash};

/// A project of a generator, as its configuration says.
pub(super) struct ConfiguredProject<'p> {
    pub(super) row: &'static DialectRow,
    /// Of the site, a canonical path.
    root: &'p Path,
    /// The file that configures the generator.
    configuration: Option<&'p Path>,
    pub(super) settings: Settings,
    /// The directory of the project.
    folder: PathBuf,
}

impl<'p> ConfiguredProject<'p> {
    pub(super) fn of(
        row: &'static DialectRow,
        root: &'p Path,
        configuration: Option<&'p Path>,
    ) -> Self {
        let settings = configuration.map(|it| settings(row, it)).unwrap_or_default();
        let folder = configuration.and_then(|it| project_of(row, it));
        let folder = folder.map_or_else(|| project_around(row, root), Path::to_owned);
        ConfiguredProject { row, root, configuration, settings, folder }
    }

    /// The text of the file at `path` from the directory of the project, or of the files in that directory; `None` if it
    /// cannot be read.
    fn read(&self, path: &str) -> Option<String> {
        let path = joined(&self.folder, path);
        if path.is_dir() {
            return Some(files_in(&path).iter().map(|it| text(it)).collect());
        }
        let bytes = first_bytes(&path, LARGEST_CONFIGURATION).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the texts of the programs that may write documents before the generator runs, each after its name in
    /// messages.
    pub(super) fn build_scripts(&self) -> Arc<[(String, String)]> {
        let mut scripts = Vec::new();
        if self.configuration.is_none() {
            return scripts.into();
        }
        // Above the project, only what is of its repository.
        let above = self.folder.ancestors().take(BUILD_DEPTH);
        let depth = above.clone().position(|it| it.join(".git").exists()).map_or(1, |it| it + 1);
        for folder in above.take(depth) {
            let files = BUILD_FILES.iter().map(|it| folder.join(it));
            let mut shells = files_in(folder);
            shells.retain(|it| it.extension().is_some_and(|it| it == "sh"));
            let others = BUILD_FOLDERS.iter().flat_map(|it| files_in(&folder.join(it)));
            for path in files.chain(shells).chain(others) {
                let Ok(bytes) = first_bytes(&path, LARGEST_SCRIPT) else { continue };
                let name = path_in_url(path.strip_prefix(folder).unwrap_or(&path));
                let text = String::from_utf8_lossy(&bytes).into_owned();
                scripts.push((format!("a step of the build ({name} names the path)"), text));
            }
        }
        scripts.into()
    }

    /// Returns the pages of the site; `None` if visitors read the documents themselves. `is_url_given`: the user gave
    /// the URL of SITE.
    pub(super) fn pages(&self, dialect: MarkdownDialect, is_url_given: bool) -> Option<Pages> {
        let ConfiguredProject { row, root, configuration, settings, folder: project } = self;
        let form = row.page_with(settings)?;
        let mounts = match row.mounts {
            Some(mounts) => mounts(settings, &|path| self.read(path)),
            None => Mounts { folders: row.published_by(settings), ..Mounts::default() },
        };
        let in_tree =
            |path: &str| Some(path_in_url(joined(project, path).strip_prefix(root).ok()?));
        // A build may make it.
        let is_missing =
            |it: &ContentFolder| row.has_bundles && !joined(project, &it.folder).exists();
        let is_outside = |it: &&ContentFolder| {
            it.folder.starts_with("../") && in_tree(&it.folder).is_none() || is_missing(it)
        };
        // One of documents at the root may have any page.
        let may_have_pages = |it: &&ContentFolder| {
            let is_at_root = page_of_mount(&it.url).is_empty();
            !is_at_root || it.folder.starts_with("../") && it.files != FolderFiles::Copied
        };
        let outside = mounts.folders.iter().filter(is_outside).filter(may_have_pages);
        let outside = outside.map(|it| page_of_mount(&it.url));
        let outside = outside.chain(mounts.outside.iter().map(|it| page_of_mount(it)));
        let outside = outside.map(|it| if it.is_empty() { String::new() } else { with_slash(it) });
        let outside = outside.collect();
        let outside_folders = mounts.folders.iter().filter(|it| it.files != FolderFiles::Copied);
        let outside_folders = outside_folders
            .map(|it| joined(project, &it.folder))
            .filter(|it| !it.starts_with(root) && !root.starts_with(it) && it.exists());
        let outside_folders = outside_folders.collect();
        let folders = mounts.folders.into_iter();
        let folders = folders.filter_map(|it| published(it, project, root, is_url_given));
        let mut folders: Vec<PublishedFolder> = folders.collect();
        folders.sort_by_key(|it| std::cmp::Reverse(it.folder.len()));
        let of_site = folders.iter().find(|it| it.is_site);
        let of_site = of_site.map(|it| format!("{}{}", it.url, it.source)).unwrap_or_default();
        let file = configuration.and_then(|path| row.configuration_of(path));
        let stated_site = file.and_then(|file| {
            let url = settings.site_url(row.site_url)? + &of_site;
            Some(StatedSite { file, url })
        });
        let mut permalinks = row.permalinks(settings);
        if let Some(Permalinks::Hugo(it)) = &mut permalinks
            && it.needs_sections()
        {
            let roots = folders.iter().map(|it| joined(project, &it.content.folder));
            it.add_folders(roots.flat_map(|it| folders_below(&it)));
        }
        Some(Pages {
            dialect,
            form,
            permalinks,
            rewritten: settings.rewrites().flatten().collect(),
            project: with_slash(&in_tree("").unwrap_or_default()),
            alias_root: match row.has_sections {
                true => with_slash(&in_tree("").unwrap_or_default()),
                // Of the directory of documents.
                false => folders.last().map_or_else(String::new, |it| it.folder.clone()),
            },
            folders,
            outside,
            outside_folders,
            templates: (row.templates_of)(settings),
            languages: mounts.languages,
            made_folders: mounts.made,
            made_pages: mounts.pages,
            excluded: excluded(row, settings),
            stated_site,
        })
    }

    /// Returns the folders of the site from which the paths of included files count, each with a slash at its end.
    pub(super) fn include_roots(&self) -> impl Iterator<Item = String> {
        let keys = self.row.root_keys.iter().filter(|_| self.configuration.is_some());
        keys.flat_map(|key| self.settings.all(key)).filter_map(|path| {
            let folder = joined(&self.folder, path);
            let folder = folder.strip_prefix(self.root).ok().map(path_in_url)?;
            (!folder.is_empty()).then(|| with_slash(&folder))
        })
    }

    /// The text of the module `name`, a path from `folder` (empty: that of the configuration), and its directory; `None` if
    /// it is not in the project.
    fn module(&self, folder: &Path, name: &str) -> Option<(String, PathBuf)> {
        let around = self.configuration.and_then(Path::parent).map(Path::to_owned);
        let folder = if folder.as_os_str().is_empty() { around? } else { folder.to_owned() };
        let path = joined(&folder, name);
        let file = |end: &str| PathBuf::from(format!("{}{end}", path.display()));
        let mut files = MODULE_ENDS.iter().map(|it| file(it)).filter(|it| it.is_file());
        let file = files.next().filter(|it| it.starts_with(&self.folder))?;
        let bytes = first_bytes(&file, LARGEST_CONFIGURATION).ok()?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), file.parent()?.to_owned()))
    }

    /// Returns the makers of pages and anchors in the project.
    pub(super) fn makers(&self) -> Vec<(&'static Maker, String)> {
        let parts = self.configuration.iter().flat_map(|it| parts(self.row, it));
        let parts: String = parts.map(|it| text(&it)).collect();
        let configuration = self.configuration.map(text).unwrap_or_default() + &parts;
        // What is above the project is read if it is in SITE.
        let has = |path: &Path| {
            let file = joined(&self.folder, &path.to_string_lossy());
            file.exists() && (file.starts_with(&self.folder) || !file.starts_with(self.root))
        };
        let project = Project {
            configuration: &configuration,
            settings: &self.settings,
            has: &has,
            read: &|path| self.read(path),
            module: &|folder, name| self.module(folder, name),
        };
        let makers = self.row.makers.iter();
        makers.filter_map(|it| Some((it, it.found_in(&project)?))).collect()
    }

    /// Returns the texts of the files at `paths` in the project, or else in its themes; `None` if these are not known.
    pub(super) fn texts(&self, paths: &[&str]) -> Option<Vec<String>> {
        if self.configuration.is_none() {
            return Some(Vec::new());
        }
        let texts = |folder: &Path| -> Vec<String> {
            let files = paths.iter().map(|path| folder.join(path)).filter(|it| it.is_file());
            files.map(|it| text(&it)).collect()
        };
        let own = texts(&self.folder);
        if !own.is_empty() {
            return Some(own);
        }
        let entries = std::fs::read_dir(self.folder.join("themes")).into_iter().flatten();
        let themes = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let themes: Vec<PathBuf> = themes.filter(|it| it.join("layouts").is_dir()).collect();
        let is_known = !themes.is_empty() || !self.settings.has_theme();
        is_known.then(|| themes.iter().flat_map(|it| texts(it)).collect())
    }

    /// Returns the paths of what the generator makes of no file, also of redirects in its configuration.
    pub(super) fn made(&self) -> Vec<String> {
        let row = self.row;
        let form = row.page_with(&self.settings);
        let redirects = row.redirect_keys.iter().flat_map(|key| self.settings.names(key));
        let pages = redirects.filter_map(|path| {
            let path = path.trim_start_matches('/');
            // The name of a document of Sphinx has no extension.
            let is_name = Path::new(path).extension().is_none();
            let file = if is_name { format!("{path}.md") } else { path.to_owned() };
            row.page_path(form?, None, &file, None, None)
        });
        let values = row.redirect_values.iter().flat_map(|key| self.settings.all(key));
        let values = values.map(|path| path.trim_start_matches('/').to_owned());
        row.made.iter().map(|it| (*it).to_owned()).chain(pages).chain(values).collect()
    }
}

/// The ends that the name of a module may lack.
const MODULE_ENDS: &[&str] = &[
    "", ".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".json", "/index.ts", "/index.js",
    "/index.mjs",
];

/// The path of the page or directory that is mounted at `url`, which may be the path of a document.
fn page_of_mount(url: &str) -> &str {
    let url = url.trim_matches('/');
    let page = url.strip_suffix(".md").map(|it| it.trim_end_matches("index").trim_end_matches('_'));
    page.unwrap_or(url).trim_end_matches('/')
}

/// The directories in directories of `root`, that of documents, by their paths there, and whether they have a document
/// for their page.
fn folders_below(root: &Path) -> Vec<(String, bool)> {
    let mut folders = Vec::new();
    let mut left = vec![PathBuf::new()];
    while let Some(folder) = left.pop() {
        let mut has_page = false;
        for entry in std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|it| it.is_dir()) {
                true => left.push(folder.join(entry.file_name())),
                false => has_page |= entry.file_name().to_string_lossy().starts_with("_index."),
            }
        }
        if folder.components().count() > 1 {
            folders.push((folder.to_string_lossy().replace('\\', "/"), has_page));
        }
    }
    folders
}

/// Returns the files that a generator leaves out.
fn excluded(row: &DialectRow, settings: &Settings) -> Excluded {
    let usual = row.excluded.iter().map(|it| (*it).to_owned());
    let keys = row.excluded_keys.iter().filter_map(|key| settings.get(key));
    let set = keys.flat_map(|value| value.lines().map(str::to_owned));
    // The items of a list resolve against the directory of the documents.
    let lists = row.excluded_keys.iter().filter(|it| it.ends_with("[]"));
    let items = lists.flat_map(|key| settings.all(key));
    let items = items.map(|it| format!("/{}", it.trim_start_matches("./")));
    Excluded::new(usual.chain(set).chain(items).collect())
}

/// The largest part of a configuration that is read, in bytes.
const LARGEST_CONFIGURATION: usize = 4 << 20;

/// The files that may have the steps of a build before the generator runs.
const BUILD_FILES: &[&str] = &[
    "Makefile", "package.json", "justfile", "Taskfile.yml", "tox.ini", "noxfile.py",
    "netlify.toml", "build.gradle", "pom.xml", ".readthedocs.yaml", ".readthedocs.yml",
    ".gitlab-ci.yml",
];

/// The directories of such files.
const BUILD_FOLDERS: &[&str] = &[".github/workflows", "scripts", "script", "hack", "bin", "tools"];

/// The directories that may have them: that of the project, and those above it in the same repository.
const BUILD_DEPTH: usize = 3;

/// The largest of them that is read, in bytes.
const LARGEST_SCRIPT: usize = 1 << 16;

/// The paths of the files in the directory `folder`, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|it| it.is_file());
    files.sort();
    files
}

/// The settings in the file `configuration` of the generator of `row`, and in the other files that are parts of it; none
/// if they cannot be read.
fn settings(row: &DialectRow, configuration: &Path) -> Settings {
    let mut settings = Settings::read(&text(configuration), language_of(configuration));
    for path in parts(row, configuration) {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let key = keys_of(name);
        let key: Vec<&str> = key.iter().map(String::as_str).collect();
        if let Some(language) = language_of(&path) {
            let is_whole = row.configuration_of(&path).is_some()
                || row.inherit_key.is_some()
                || language == DataLanguage::JavaScript;
            let prefix: &[&str] = if is_whole { &[] } else { &key };
            settings.add(&text(&path), language, prefix);
        }
    }
    settings
}

/// The keys to the values of the file `name` in the directory of the configuration: those of a language are below it.
fn keys_of(name: &str) -> Vec<String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let (key, language) = stem.split_once('.').unwrap_or((stem, ""));
    let key = key.to_owned();
    let languages = "languages".to_owned();
    match language {
        "" => vec![key],
        _ if key == languages => vec![key, language.to_owned()],
        _ => vec![languages, language.to_owned(), key],
    }
}

/// The other files that are parts of `configuration`.
fn parts(row: &DialectRow, configuration: &Path) -> Vec<PathBuf> {
    let project = project_of(row, configuration);
    let folder = project.zip(row.configuration_folder).map(|(project, it)| project.join(it));
    let mut paths = folder.map_or_else(Vec::new, |it| files_in(&it));
    paths.retain(|path| path != configuration);
    let of_file = |key| {
        Settings::read(&text(configuration), language_of(configuration)).get(key).map(str::to_owned)
    };
    let inherited = row.inherit_key.and_then(of_file).zip(configuration.parent());
    paths.extend(inherited.map(|(path, folder)| joined(folder, &path)));
    paths
}

/// Returns the text of the file `configuration`; empty if it cannot be read.
pub(super) fn text(configuration: &Path) -> String {
    let bytes = first_bytes(configuration, LARGEST_CONFIGURATION).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn language_of(path: &Path) -> Option<DataLanguage> {
    path.extension().and_then(|it| it.to_str()).and_then(DataLanguage::of_extension)
}

/// Returns the directory of the project of the generator of `row` with this configuration.
pub(super) fn project_of<'p>(row: &DialectRow, configuration: &'p Path) -> Option<&'p Path> {
    let name = row.configuration_of(configuration)?;
    configuration.ancestors().nth(Path::new(name).components().count())
}

/// The directory of a project without a configuration: `root`, or the one in which `root` has its usual place.
fn project_around(row: &DialectRow, root: &Path) -> PathBuf {
    let usual = row.published.first().map_or("", |it| it.folder);
    if usual.is_empty() || root.join(usual).is_dir() {
        root.to_owned()
    } else {
        let depth = Path::new(usual).components().count();
        let mut above = root.ancestors().skip(depth);
        above.next().unwrap_or(root).to_owned()
    }
}

/// `path` in `folder`, without `.` and `..` in it.
fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => {
                joined.pop();
            }
            Component::Normal(name) => joined.push(name),
            _ => {}
        }
    }
    joined
}

/// The directory of `content` in `project` as a part of the site at `root`; `None` if they have no file in common.
fn published(
    content: ContentFolder,
    project: &Path,
    root: &Path,
    is_url_given: bool,
) -> Option<PublishedFolder> {
    let path = joined(project, &content.folder);
    let (folder, source) = match (path.strip_prefix(root), root.strip_prefix(&path)) {
        (Ok(folder), _) => (path_in_url(folder), String::new()),
        (_, Ok(source)) => (String::new(), path_in_url(source)),
        _ => return None,
    };
    let in_tree =
        |folder: &String| joined(project, folder).strip_prefix(root).map(path_in_url).ok();
    let is_missing = content.is_required && !path.exists();
    let sidebars = content.sidebars.iter().filter(|_| !is_missing).filter_map(in_tree);
    Some(PublishedFolder {
        is_site: is_url_given && folder.is_empty(),
        folder: with_slash(&folder),
        source: with_slash(&source),
        url: with_slash(content.url.trim_matches('/')),
        sidebars: sidebars.collect(),
        roots: content.roots.iter().filter_map(in_tree).map(|it| with_slash(&it)).collect(),
        is_missing,
        content,
    })
}
