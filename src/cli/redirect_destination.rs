//! `--write-redirects`: the format of redirects, and the file they go to.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::{CliError, usage_error};
use super::{files, hosts};
use rehref_corpus::Corpus;
use rehref_document::DocumentKind;
use rehref_generators::markdown::DIALECTS;
use rehref_site::Moves;
use rehref_site::redirects::{FORMATS, RedirectFormat};
use rehref_site::{OwnRules, Pages, SiteUrl, joined, path_from_url};
use rehref_url::Url;

/// The value of `--write-redirects`.
#[derive(Clone, Debug)]
pub(super) struct RedirectDestination {
    pub(super) format: &'static RedirectFormat,
    /// The file to write to (`-` for stdout) instead of the format's usual place.
    pub(super) file: Option<PathBuf>,
}

impl RedirectDestination {
    /// Refuses a file that cannot be written, before the run takes its time.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let Some(file) = self.file.as_deref().filter(|_| !self.is_stdout()) else { return Ok(()) };
        let name = format!("--write-redirects {}={}", self.format.name, file.display());
        files::check_place(&name, file)?;
        const TEXTS: [&str; 7] = ["toml", "yaml", "yml", "xml", "js", "ts", "json"];
        let end = file.extension().unwrap_or_default().to_string_lossy();
        let is_own = self.format.generator.is_some() || self.format.name == end;
        if TEXTS.contains(&&*end) && !is_own {
            let usual = self.format.file.map_or(String::new(), |it| format!(", like {it}"));
            return usage_error(format!(
                "{name}: this format is not that of {}, whose rules have another syntax\nhelp: pass a file for rules in the format {}{usual}",
                file.file_name().unwrap_or_default().display(),
                self.format.name
            ));
        }
        // What is read from a pipe never ends.
        if file.exists() && !file.is_file() {
            return usage_error(format!(
                "{name}: this is a device or a pipe\nhelp: pass a file, or - for stdout"
            ));
        }
        let text = fs::read_to_string(file).unwrap_or_default();
        let has_server =
            text.lines().any(|it| it.split('#').next().is_some_and(|it| it.contains("server {")));
        if self.format.name == "nginx" && has_server {
            return usage_error(format!(
                "{name}: this file has a server block, and rules must be inside of it\nhelp: write the rules to a file of their own, like nginx=redirects.conf, and include it there: include redirects.conf;"
            ));
        }
        let has_text = file.metadata().is_ok_and(|it| it.is_file() && it.len() > 0);
        if self.format.is_whole() && has_text {
            return usage_error(format!(
                "{name}: this file exists, and rehref cannot add to a file of this format\nhelp: pass another file, and keep this one: it may have the redirects of earlier moves"
            ));
        }
        match DocumentKind::of_built_path(file).filter(|_| file.exists()) {
            None | Some(DocumentKind::Redirects(_)) => Ok(()),
            Some(_) => usage_error(format!(
                "{name}: this file is a document\nhelp: pass a file for the rules"
            )),
        }
    }

    /// Refuses rules in the tree of `corpus` for the site at `url`, if its host reads none, or its generator makes them.
    pub(super) fn refuse_host(&self, corpus: &Corpus, url: &Url) -> Result<(), CliError> {
        let own = corpus.selection.markdown.and_then(RedirectFormat::of_generator);
        let mut makers = corpus.server.sources.iter().flat_map(|it| &it.makers);
        let is_made = makers.any(|(_, it)| it == "an output format for redirects");
        if self.format.file == Some("_redirects") && self.file.is_none() && is_made {
            return usage_error(format!(
                "--write-redirects {}: an output format in the configuration makes the _redirects of the built site, in place of the one in the sources\nhelp: use --write-redirects {}",
                self.format.name,
                own.map_or("html", |it| it.name)
            ));
        }
        let is_rules = !self.format.is_pages() && self.format.generator.is_none();
        if !is_rules || self.file.is_some() || self.is_stdout() {
            return Ok(());
        }
        let named = hosts::named(&corpus.root);
        // GitLab Pages reads _redirects.
        let is_read = |it: &&str| *it == "gitlab.io" && self.format.name == "netlify";
        let mut hosts = ["github.io", "gitlab.io"].into_iter().filter(|it| !is_read(it));
        let host = hosts.find(|it| url.before_path().ends_with(it));
        let name = self.format.name;
        if let (None, Some(file), Some((host, rules))) = (host, self.format.file, named)
            && rules != OwnRules::None
            && self.format.syntax.is_some_and(|it| !rules.has(it))
        {
            let read = FORMATS.iter().find(|it| it.syntax.is_some_and(|it| rules.has(it)));
            return usage_error(format!(
                "--write-redirects {name}: the host of the site, {host} (see --host), does not read {file}\nhelp: use --write-redirects {}",
                read.map_or("html", |it| it.name)
            ));
        }
        let is_pages = |it: &(&str, _)| corpus.server.sources.is_none() && it.0 == "github-pages";
        let host = host.or_else(|| named.filter(is_pages).map(|_| "github-pages (see --host)"));
        let Some(host) = host else { return Ok(()) };
        usage_error(format!(
            "--write-redirects {name}: {host} reads no rules for redirects\nhelp: use --write-redirects {}",
            own.map_or("html", |it| it.name)
        ))
    }

    /// Refuses rules for paths of a host without `--url`, if the site seems to be at `likely`, below the root of its host.
    pub(super) fn refuse_path(&self, likely: &SiteUrl) -> Result<(), CliError> {
        let (name, url) = (self.format.name, likely.url());
        if url.path() == "/" || self.format.is_pages() || self.format.generator.is_some() {
            return Ok(());
        }
        usage_error(format!(
            "--write-redirects {name}: the rules would lack the path of the site, which seems to be at {url}\nhelp: add --url {url}"
        ))
    }

    /// Where the redirects go for the tree at `root`, a canonical path, of which a generator makes these `pages`.
    pub(super) fn place(&self, root: &Path, pages: Option<&Pages>) -> RedirectPlace<'_> {
        match (self.file.as_deref(), self.usual_file(pages)) {
            _ if self.is_stdout() => RedirectPlace::Stdout,
            (Some(file), _) => match files::path_below(root, file) {
                Some(below) => RedirectPlace::InTree(below),
                None => RedirectPlace::Elsewhere(file),
            },
            (None, Some(file)) => RedirectPlace::InTree(file),
            (None, None) => RedirectPlace::Stdout,
        }
    }

    /// The usual place of the format in the tree: of sources, in the directory whose files the generator copies.
    fn usual_file(&self, pages: Option<&Pages>) -> Option<PathBuf> {
        let folder = pages.and_then(Pages::static_folder);
        let folder = folder.filter(|it| it.source.is_empty());
        let folder = folder.and_then(|it| path_from_url(&it.folder)).unwrap_or_default();
        Some(joined(&folder, Path::new(self.format.file?)))
    }

    /// Returns the file that gets the redirects, as messages name it; `None` for a format without a usual place.
    pub(super) fn shown(&self, pages: Option<&Pages>) -> Option<PathBuf> {
        self.file.clone().or_else(|| self.usual_file(pages))
    }

    /// Returns true if the redirects go to stdout, also those of a format without a usual place.
    pub(super) fn is_stdout(&self) -> bool {
        match &self.file {
            Some(file) => file == Path::new("-"),
            None => !self.format.is_of_many_files() && self.format.file.is_none(),
        }
    }

    /// Refuses the format of a generator that does not read the documents of `corpus` that move, and moves in several
    /// projects: each has URLs of its own.
    pub(super) fn refuse_other_generator(
        &self,
        corpus: &Corpus,
        moves: &Moves,
    ) -> Result<(), CliError> {
        let moved = || moves.files().map(|(old, _)| old);
        let project = |path| std::ptr::from_ref(corpus.server_of(path));
        if moved().any(|path| moved().next().map(project) != Some(project(path))) {
            return usage_error(format!(
                "--write-redirects {}: the moves are in several projects, each with URLs of its own\nhelp: run one `move` for each",
                self.format.name
            ));
        }
        let Some(generator) = self.format.generator else { return Ok(()) };
        let first = moved().next();
        let read = first.map_or(corpus.selection.markdown, |it| corpus.selection.dialect_of(it));
        if read == Some(generator) {
            return Ok(());
        }
        let (name, row) = (self.format.name, generator.row());
        let program = row.program;
        let read = match read {
            Some(other) => {
                format!("rehref reads the Markdown of the site as {} does", other.row().program)
            }
            None => "rehref does not read Markdown in this site".to_owned(),
        };
        usage_error(format!(
            "--write-redirects {name}: {program} reads this format, and {read}\nhelp: if SITE has the sources of {program}, add --markdown {}; for a built site, pass another format, such as html",
            row.name
        ))
    }
}

/// Where redirects go.
pub(super) enum RedirectPlace<'d> {
    Stdout,
    /// To the file at this path below the root of the tree.
    InTree(PathBuf),
    Elsewhere(&'d Path),
}

/// The names of hosts and files that users pass as a format, and the format to use.
#[rustfmt::skip]
const HOSTS: &[(&[&str], &str)] = &[
    (&["gitlab-pages", "gitlab"], "use netlify, whose rules GitLab Pages also reads"),
    (&["github-pages", "github", "surge"],
        "this host has no redirect rules; use html, which writes a page at each old path"),
    (&["cloudflare", "cloudflare-pages", "_redirects"], "use netlify, whose rules Cloudflare Pages also reads"),
    (&["htaccess", ".htaccess"], "use apache"),
    (&["htaccess-rewrite", "mod_rewrite", "rewrite", "mod_alias", "httpd"],
        "use apache, which writes RedirectMatch rules of mod_alias"),
    (&["csv", "xlsx", "excel", "tsv"],
        "use netlify=redirects.txt, which has the old URL, the new one and the status on each line, or json for programs"),
    (&["vercel", "firebase", "azure", "caddy", "traefik", "iis", "web.config", "haproxy", "s3", "wordpress"],
        "use json, which lists old and new URLs, and write the rules in the settings of the host"),
    (&["eleventy", "vitepress", "astro", "zola", "pelican"], "use html, which writes a page at each old path"),
];

/// Parses `FORMAT` or `FORMAT=FILE`.
pub(super) fn destination(given: &str) -> Result<RedirectDestination, String> {
    let (name, file) = given.split_once('=').map_or((given, None), |it| (it.0, Some(it.1)));
    let names = || FORMATS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let format = FORMATS.iter().find(|row| row.name == name).ok_or_else(|| {
        if let Some((_, advice)) = HOSTS.iter().find(|(hosts, _)| hosts.contains(&name)) {
            format!("not a format\nhelp: {advice}")
        } else if let Some((known, file)) = given.split_once(':')
            && FORMATS.iter().any(|row| row.name == known)
        {
            format!("write {known}={file}")
        } else if given.contains(['.', '/']) && file.is_none() {
            let file = Path::new(given).file_name().unwrap_or_default();
            let usual = FORMATS.iter().find(|row| row.file.is_some_and(|it| file == it));
            if let Some(RedirectFormat { name, .. }) = usual {
                return format!("write {name}={given}, or for this file in the output of `rehref move` only {name}");
            }
            let generators = DIALECTS.iter().filter(|it| it.row().configuration_of(Path::new(given)).is_some());
            let own = generators.filter_map(|it| RedirectFormat::of_generator(*it)).next();
            if let Some(own) = own {
                return format!("use {}, the format of the generator that reads this file", own.name);
            }
            if given.ends_with(".csv") || given.ends_with(".xlsx") {
                return "no format is a table\nhelp: netlify=redirects.txt has the old URL, the new one and the status on each line, with spaces between them; json=redirects.json is for programs".to_owned();
            }
            format!("to write to this file, also pass a format, like nginx={given}; formats: {}", names())
        } else if given.contains(',') {
            "one run writes one format\nhelp: run the command again for the other, with another --out, and FORMAT=FILE".to_owned()
        } else {
            format!("pass a format: {}", names())
        }
    })?;
    match file {
        Some(_) if format.is_pages() => Err(format!(
            "the format {name} writes a page at each old path\nhelp: write {name} without a file"
        )),
        Some(_) if format.is_of_many_files() => Err(format!(
            "the format {name} changes the front matter of moved documents\nhelp: write {name} without a file"
        )),
        Some("") => Err(format!("pass a file after {name}=, or - for stdout")),
        _ => Ok(RedirectDestination { format, file: file.map(PathBuf::from) }),
    }
}

/// Returns the long help of `--write-redirects`.
pub(super) fn help() -> String {
    let rows = FORMATS.iter().map(|row| format!("\n- {}: {}", row.name, row.help));
    format!(
        "Write redirects from every old URL to the new URL, in the format of the site's server or generator\n\n\
         =FILE writes to FILE (- for stdout) instead of the usual place of the format. Formats:\n{}",
        rows.collect::<String>()
    )
}
