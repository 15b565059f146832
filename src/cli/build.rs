//! `--build COMMAND`: the site as the user's own generator makes it, which decides about its sources.
//!
//! The command runs because the user typed it: no file of a tree can give one.

mod built_moves;
mod compare;
mod copy;
mod links;
mod process;
mod read_site;
mod repository;

use std::fs;
use std::path::{Path, PathBuf};

use super::advice;
use super::command_line::quoted;
use super::exit::{CliError, usage_error};
use super::working_directory::{argument, from_here, shown, working_directory};
use super::{interrupt, likely_site, markdown, terminal};
use copy::{Copy, at, link_programs_above};
use process::{OUT, Ran};
use rehref_corpus::files::work_tree_of;
use rehref_corpus::{Corpus, SitePlace};
use rehref_document::DocumentKind;
use rehref_site::{canonical, walk};
use tempfile::TempDir;

pub(super) use compare::MovedSources;

/// A command that builds the site, and the directory for what it writes.
pub(super) struct Build {
    /// As typed.
    command: String,
    temporary: TempDir,
    /// The place of the project in the work tree of its repository.
    below: PathBuf,
    /// Its path from the working directory, if it is another one, as a word of a shell.
    project: Option<String>,
}

/// A site that a command has built.
pub(super) struct BuiltSite {
    pub(super) root: PathBuf,
    pub(super) ran: Ran,
}

/// A site that a command has built, or how the command failed, and what to do.
type Outcome = Result<BuiltSite, String>;

impl Build {
    /// Checks `command`, which is to build the site at `place`.
    pub(super) fn new(command: &str, place: &SitePlace) -> Result<Build, CliError> {
        let sources = markdown::configured_sources(place, &place.walk());
        let pages = sources.as_ref().and_then(|it| it.pages.as_ref());
        let below = pages.map_or("", |it| &it.project);
        let project = match pages {
            Some(_) => likely_site::built_project(&place.root(), below),
            None => likely_site::project_of(&place.root()).map_or_else(PathBuf::new, from_here),
        };
        let project = quoted(shown(&project).display());
        // With a brace or a dollar sign, the shell would write to a directory of another name.
        if let Some(wrong) = ["{{out}}", "${out}"].into_iter().find(|it| command.contains(it)) {
            return usage_error(format!("--build: `{command}` has {wrong}\nhelp: write {OUT}"));
        }
        let mut words = command.split_whitespace();
        if let Some(word) = words.find(|it| ["server", "serve", "--watch"].contains(it)) {
            terminal::warning(format!(
                "--build: `{word}` seems to start a program that does not end\nhelp: pass the command that builds the site once"
            ));
        }
        if !command.contains(OUT) {
            let generator = sources.map(|it| it.dialect.row());
            let root = place.root();
            let unread = likely_site::project_of(&root).and_then(likely_site::generator_of);
            let generator = generator.or(unread);
            return usage_error(advice::build::without_out(command, generator, &project));
        }
        let root = place.root();
        if let Some((row, project)) = likely_site::project_of_output(&root) {
            terminal::warning(format!(
                "{} is the output of {}, so findings are shown in its pages, not in the sources\nhelp: pass the project: rehref audit {} --build {}",
                argument(&root),
                row.program,
                argument(project),
                quoted(command)
            ));
        }
        let temporary = TempDir::with_prefix("rehref-build-").map_err(CliError::io("--build"))?;
        let project = (project != ".").then_some(project);
        Ok(Build { command: command.to_owned(), temporary, below: PathBuf::new(), project })
    }

    /// The directory `name` below the temporary one.
    fn path(&self, name: &str) -> PathBuf {
        let root = canonical(self.temporary.path());
        root.unwrap_or_else(|_| self.temporary.path().to_owned()).join(name)
    }

    /// The work tree of the copies.
    fn work_tree(&self) -> PathBuf {
        self.path("project")
    }

    /// The copy of the project.
    fn project(&self) -> PathBuf {
        self.work_tree().join(&self.below)
    }

    /// Runs the command in `here`. What it writes is moved to the directory `name`: two builds with the same paths print
    /// the same.
    fn run(&self, here: &Path, name: &str) -> Result<Outcome, CliError> {
        let out = self.path("out");
        fs::create_dir(&out).map_err(at(&out))?;
        let mut ran = process::run(&self.command, here, &out)?;
        ran.forget(&self.project(), &out);
        let is_page = |path: &Path| {
            let kind = DocumentKind::of_built_path(path);
            matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
        };
        let has_pages = walk(&out).entries.iter().any(|it| is_page(&it.path));
        if ran.failure.is_some() || !has_pages {
            advice::print(advice::build::last_lines(&ran.last_lines(advice::build::LINES)));
            return Ok(Err(advice::build::failure(
                &self.command,
                ran.failure.as_deref(),
                self.project.as_deref(),
            )));
        }
        let root = self.path(name);
        // The makefile of Sphinx adds a directory.
        let below = out.join("html");
        let is_below = below.join("objects.inv").is_file() && !out.join("index.html").exists();
        fs::rename(if is_below { &below } else { &out }, &root).map_err(at(&root))?;
        if is_below {
            fs::remove_dir_all(&out).map_err(at(&out))?;
        }
        Ok(Ok(BuiltSite { root, ran }))
    }

    /// Builds the site in the working directory, as the user would.
    pub(super) fn here(&self) -> Result<BuiltSite, CliError> {
        let here = std::env::current_dir().map_err(CliError::io("--build"))?;
        terminal::note(format!("--build: running `{}`", self.command));
        self.run(&here, "site")?.or_else(usage_error)
    }
}

/// The builds of a project with one or another tree in the place of SITE.
pub(super) struct ProjectBuilds {
    build: Build,
    /// The directory that is copied, canonical like the others.
    project: PathBuf,
    /// The work tree around it, if git has one.
    work_tree: Option<PathBuf>,
    /// The working directory below it.
    here: PathBuf,
    /// SITE in it.
    site: PathBuf,
    /// A directory in it that is not part of it, if it exists.
    without: Option<PathBuf>,
}

impl ProjectBuilds {
    /// Returns the builds with `command` of the project around `corpus`, the sources at `place`. The project is
    /// without the directory `out`.
    pub(super) fn new(
        command: &str,
        place: &SitePlace,
        corpus: &Corpus,
        out: Option<&Path>,
    ) -> Result<ProjectBuilds, CliError> {
        let mut build = Build::new(command, place)?;
        let site = corpus.root.clone();
        let dialect = corpus.selection.markdown;
        let outside = dialect.and_then(|it| markdown::project_outside(&site, &corpus.walk, it));
        let project = outside.unwrap_or_else(|| site.clone());
        let here = working_directory().map_err(CliError::io("--build"))?;
        if !here.starts_with(&project) && !project.starts_with(&here) {
            return usage_error(format!(
                "--build runs the command in the working directory, which is neither in the project nor above it\nhelp: run rehref in {}",
                project.display()
            ));
        }
        let project = if project.starts_with(&here) { here.clone() } else { project };
        let home = std::env::home_dir().and_then(|home| canonical(&home).ok());
        if project.parent().is_none() || home.is_some_and(|home| home.starts_with(&project)) {
            return usage_error(format!(
                "--build would have to copy all of {}, and refuses\nhelp: run rehref in the directory of the site's generator",
                project.display()
            ));
        }
        let below = here.strip_prefix(&project).unwrap_or(Path::new("")).to_owned();
        let work_tree = work_tree_of(&project);
        let in_work_tree = work_tree.as_deref().and_then(|it| project.strip_prefix(it).ok());
        build.below = in_work_tree.map(Path::to_owned).unwrap_or_default();
        let copy = build.project();
        let beside = copy.parent().unwrap_or(&copy);
        let linked =
            fs::create_dir_all(beside).and_then(|()| link_programs_above(&project, beside));
        linked.map_err(CliError::io("--build"))?;
        terminal::note(format!(
            "--build: running `{command}` over copies of {}",
            project.display()
        ));
        let without = out.map(Path::to_owned);
        Ok(ProjectBuilds { build, project, work_tree, here: below, site, without })
    }

    /// Builds the project with `tree` in place of SITE.
    pub(super) fn build(&self, tree: &Path, name: &str) -> Result<Outcome, CliError> {
        let cancel = interrupt::flag()?;
        let without = self.without.as_ref().and_then(|it| canonical(it).ok());
        let temporary = self.build.path("");
        let copy = Copy {
            root: &self.project,
            site: &self.site,
            tree: &canonical(tree).map_err(CliError::io(tree.display()))?,
            without: [without.as_deref(), Some(&temporary)].into_iter().flatten().collect(),
            cancel: &cancel,
        };
        let to = self.build.project();
        copy.write(&to)?;
        let in_copy = self.build.work_tree();
        if let Some(work_tree) = &self.work_tree {
            repository::write(work_tree, &in_copy).map_err(at(&work_tree.join(".git")))?;
        }
        let built = self.build.run(&to.join(&self.here), name);
        fs::remove_dir_all(&to).map_err(at(&to))?;
        let repository = in_copy.join(".git");
        if repository.exists() {
            fs::remove_dir_all(&repository).map_err(at(&repository))?;
        }
        built
    }
}
