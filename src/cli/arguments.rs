//! Arguments that several subcommands share, and their conversion to plain configuration.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use encoding_rs::Encoding;

use super::command_line::is_given;
use super::config::ConfigArguments;
use super::exit::{CliError, usage_error};
use super::hosts::HostChoice;
use super::markdown::{MarkdownChoice, MarkdownSources};
use super::mounts::{self, Mount};
use super::redirect_rules::RedirectArguments;
use super::site_url::{self, MissingUrl};
use super::style::{self, ColorChoice};
use super::values::{
    CHARSET_HELP, MAX_SIZE_HELP, MAX_SIZE_LONG_HELP, STANDARD_HELP, charset, one_of, size,
    standard, threads,
};
use super::{
    advice, files, gitignore, hosts, interrupt, likely_site, markdown, progress, terminal,
    unused_globs,
};
use rehref_audit::publication::PublicationUrl;
use rehref_corpus::ERROR_PAGES;
use rehref_corpus::files::{Globs, git_rules};
use rehref_corpus::{Corpus, Selection, ServedAnywhere, SingleFile, SitePlace};
use rehref_document::element_selector::{ElementSelector, KeptElements};
use rehref_document::html::{FurtherAttribute, FurtherAttributes};
use rehref_document::{ParseOptions, TemplateDialects};
use rehref_generators::markdown::{FrontMatterKeys, MarkdownDialect};
use rehref_site::{
    Entry, Excluded, FileTree, GeneratedFiles, Projects, Server, SiteUrl, Sources, TryPattern,
};
use rehref_url::Standard;

/// The URL of a site, the standard for its references, and its documents.
///
/// A command flattens this after its own arguments: clap puts later arguments under the last heading.
#[derive(Debug, Args)]
#[command(next_help_heading = "Site")]
pub(super) struct SiteArguments {
    /// URL at which the root of SITE, or the document SITE, is published
    ///
    /// If SITE is a document on disk, the URL of its directory also works.
    ///
    /// none: the URL is unknown (absolute, links and base only). rehref skips and lists the relative links of a
    /// document without a base URL. auto, the default: infer the URL from canonical links, og:url, sitemaps, robots.txt,
    /// CNAME and the configuration of a generator. file: (the scheme alone): use the file: URL of SITE on this disk.
    /// If SITE does not state its URL, or states several, absolute ends with an error; other commands assume that
    /// SITE is at the root of its host, and treat links with a host name as external. If SITE is a document, the
    /// default is its file: URL. The records of an archive have URLs of their own.
    #[arg(long, aliases = ["base-url", "baseurl", "site-url", "root-url"], value_name = "URL")]
    pub(super) url: Option<String>,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = standard(), help = STANDARD_HELP)]
    pub(super) standard: Standard,
    #[arg(long, value_name = "HOST", value_parser = one_of(hosts::choices()), help = hosts::HELP,
        long_help = hosts::LONG_HELP)]
    host: Option<HostChoice>,
    /// Names of the files that the server serves for a directory, in order of preference, separated by commas
    ///
    /// Visitors read an index file at the URL of its directory, so the links of the file resolve against this URL.
    /// rehref does not change links to the file itself.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = INDEX_FILES,
        value_parser = index_name)]
    index_files: Vec<String>,
    /// The server serves no file for the URL of a directory
    #[arg(long, conflicts_with = "index_files")]
    no_index_files: bool,
    /// The server does not merge slashes: a//b.html and a/b.html are different files
    #[arg(long)]
    strict_slashes: bool,
    /// Documents that the server serves at any depth, such as error pages; none: no documents
    ///
    /// By default, these include documents that the rules of the server (_redirects, .htaccess, --redirects) serve for
    /// other URLs: /app/* /app/index.html 200, FallbackResource, RewriteRule, try_files.
    ///
    /// A link relative to such a document has a different target at each depth. If rehref knows the URL of the site, it
    /// writes links from the root of the host (/docs/a.html) in these documents instead of relative links.
    #[arg(long, value_name = "GLOB", value_delimiter = ',', default_value = ERROR_PAGES)]
    served_anywhere: Vec<String>,
    /// Files that a build makes and that are not in SITE: links to them are not broken; repeatable
    ///
    /// GLOB matches paths in SITE, or paths from the directory of the documents, as in .gitignore: api/ matches
    /// everything in the directory api, ../std/ a directory beside SITE. A rewrite keeps the targets of such links.
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    generated: Vec<String>,
    /// Paths that the server tries if no file has the path of the URL, separated by commas; {} is the path of the
    /// URL
    ///
    /// Like try_files of nginx. For clean URLs: '{}.html,{}/index.html'
    #[arg(long = "try", value_name = "PATTERNS", value_delimiter = ',')]
    tries: Vec<TryPattern>,
    /// The server adds extensions if no file has the path of the URL: manual.html.en for manual (Apache's
    /// MultiViews)
    #[arg(long)]
    multiviews: bool,
    #[command(flatten)]
    pub(super) redirects: RedirectArguments,
    /// Another URL of this site, such as its http: URL, its www. URL, or its URL on a former host; repeatable
    #[arg(long, alias = "alias", value_name = "URL")]
    pub(super) also: Vec<String>,
    /// URL of a directory of SITE that has a URL of its own: https://cdn.example/=cdn.example; repeatable
    ///
    /// For a mirror of several hosts, each in a directory. DIR is a path in SITE; --url is the URL of all other files.
    /// If a directory has several URLs, such as its http: URL, repeat the option; rehref writes the first. Without
    /// --url and --mount, if SITE has several directories at its root, each named after a host, rehref mounts each at
    /// its host, and prints a note.
    #[arg(long, value_name = "URL=DIR")]
    pub(super) mount: Vec<Mount>,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Selects documents, and sets how to parse them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(super) struct SelectionArguments {
    /// The attributes of `--ignore-attribute`, which only audit has.
    #[arg(skip)]
    pub(super) ignore_marks: Vec<String>,
    /// True if a glob may match only in another site with which this one is compared.
    #[arg(skip)]
    pub(super) is_compared: bool,
    /// Process only matching documents; a copy of SITE contains the others unchanged
    ///
    /// GLOB matches paths in SITE: * and ? match within a name, ** across directories. A glob without a slash
    /// matches at any depth; ./ or / at its start anchors it to the root. A glob that matches a directory matches
    /// everything in the directory, so drafts and drafts/ mean the same. --exclude and --html use the same globs.
    /// rehref processes hidden files like all others; --exclude '.*' skips them. In the project of a generator, it skips
    /// documents in hidden directories, except .well-known, unless --include selects files.
    #[arg(long, aliases = ["filter", "glob"], short_alias = 'g', value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// Skip matching documents; a copy of SITE contains them unchanged
    #[arg(long, aliases = ["ignore-file", "ignore-files"], value_name = "GLOB")]
    pub(super) exclude: Vec<String>,
    /// Process only the documents that FILE lists, one path on each line (-: stdin)
    ///
    /// Paths are relative to the working directory; NUL may separate them (from git diff --name-only in a subdirectory:
    /// add --relative). rehref ignores files outside SITE and files that are not documents, so that a list of all
    /// changed files works. If no path in the list exists, the command fails. The documents that FILE does not list are still valid targets of links.
    #[arg(long, value_name = "FILE")]
    pub(super) files_from: Option<PathBuf>,
    /// Treat matching files as HTML, whatever their extension
    #[arg(long, value_name = "GLOB")]
    pub(super) html: Vec<String>,
    #[arg(long, value_name = "GENERATOR", value_parser = one_of(markdown::choices()),
        help = "Read Markdown (.md, .mdx) as this generator does [default: from its configuration]",
        long_help = MARKDOWN_HELP)]
    pub(super) markdown: Option<MarkdownChoice>,
    /// Also process this key of the front matter of Markdown: logo, hero.image; repeatable
    ///
    /// Front matter is the YAML or TOML at the start of a Markdown file. Without this option, rehref processes keys
    /// that usually hold links, such as image, cover, link and redirect_to, if the value looks like a path or a URL.
    /// A key matches at any depth; hero.image is the key image in hero. Do not pass keys that name the page itself,
    /// such as slug, permalink and aliases.
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    front_matter: Vec<String>,
    /// Do not read or copy the files that git ignores
    ///
    /// A link to an ignored file is broken, as on a site that is built from a clone. The rules come from every
    /// .gitignore between the files of SITE and the root of the work tree, from .git/info/exclude, and from
    /// core.excludesFile. A rule that ignores SITE itself has no effect. rehref also ignores tracked files that
    /// a rule matches; git does not. --in-place does not change ignored files.
    #[arg(long)]
    pub(super) gitignore: bool,
    /// Do not treat a SITE without documents as an error
    #[arg(long)]
    pub(super) allow_empty: bool,
    /// Also process compressed pages (page.html.gz, .br, .zst and .svgz)
    #[arg(long)]
    pub(super) compressed: bool,
    /// Also process JSON-LD (`script type=application/ld+json`)
    #[arg(long)]
    pub(super) json_ld: bool,
    /// Also process the RDFa attributes `about` and `resource`
    #[arg(long)]
    pub(super) rdfa: bool,
    /// Also process this attribute of HTML, SVG and MathML: img@data-src, *@data-href, *-*@src; repeatable
    ///
    /// Write ELEMENT@ATTRIBUTE, where * is any element and *-* any custom element. rehref reads the value as a URL, or
    /// as image candidates if the name of the attribute ends in srcset. To select another kind of value, add =url,
    /// =srcset, =urls (separated by spaces) or =css, as in a@data-list=urls.
    #[arg(long, value_name = "ATTRIBUTE", value_delimiter = ',')]
    attr: Vec<FurtherAttribute>,
    /// Do not change the links of matching elements: link[rel=canonical], a.external; repeatable
    ///
    /// SELECTOR is a CSS selector for a single element: its name, classes (.external), id (#menu) and attributes
    /// ([data-keep], [rel=canonical], [href^="https://"]), without spaces, commas and pseudo-classes. All links in the
    /// attributes of the element stay as written, in HTML, SVG and other XML. A warning lists the kept links whose
    /// target changes.
    #[arg(long, value_name = "SELECTOR")]
    keep_links: Vec<ElementSelector>,
    /// Treat every document that begins with headers as a message, whatever the headers are
    ///
    /// Without this option, a document is a message if it begins with an HTTP status line, or with two or more
    /// headers of which one is well-known (Content-Type, Date, Server and others), and then an empty line, as in the
    /// output of wget --save-headers. Files with the extension .eml, .mhtml or .mht are always messages.
    #[arg(long)]
    pub(super) message: bool,
    /// Also recognize MARKUP as template markup; none: turn off the built-in markup; repeatable
    ///
    /// rehref skips and lists links with template markup, since their URLs are unknown. MARKUP is an opener and a
    /// closer ("@@ @@") or only an opener. Built in: {{ }}, {% %}, {$ }, <% %>, <? ?>, <!--# -->, <TMPL_ >, [% %],
    /// ${ }, $(NAME), and Doxygen's $relpath^ and $relpath$.
    #[arg(long, value_name = "MARKUP")]
    template_markup: Vec<String>,
    #[arg(long, alias = "encoding", value_name = "LABEL", value_parser = charset, help = CHARSET_HELP)]
    pub(super) charset: Option<&'static Encoding>,
    #[arg(long, value_name = "SIZE", value_parser = size, help = MAX_SIZE_HELP, long_help = MAX_SIZE_LONG_HELP)]
    pub(super) max_document_size: Option<u64>,
    /// Number of threads [default: number of cores]
    #[arg(short, long, visible_alias = "threads", aliases = ["parallel", "workers", "max-concurrency"], value_name = "N", value_parser = threads,
        allow_negative_numbers = true, help_heading = "Running")]
    pub(super) jobs: Option<NonZeroUsize>,
}

/// Help for `--markdown`.
const MARKDOWN_HELP: &str = "Read Markdown (.md, .mdx) as this generator does

The generator decides where a link leads: whether paths may leave out .md, what a path from the root is, which index \
files and which anchors of headings a page has. Without this option, rehref reads Markdown if it finds the configuration \
of a generator in SITE or above it (and SITE has no more HTML than Markdown), or if SITE has no HTML at all.";

/// Verbosity and colors, in every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(super) struct ConsoleArguments {
    /// Print only results and errors: no progress, notes or warnings
    #[arg(
        short,
        long,
        alias = "silent",
        global = true,
        hide_short_help = true,
        overrides_with = "quiet",
        conflicts_with = "verbose"
    )]
    quiet: bool,
    /// Also print the settings, the URL and the threads of the run
    #[arg(
        short,
        long,
        alias = "debug",
        global = true,
        hide_short_help = true,
        overrides_with = "verbose"
    )]
    verbose: bool,
    /// Do not show a progress bar
    #[arg(long, global = true, hide_short_help = true)]
    no_progress: bool,
    /// When to use colors
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        hide_short_help = true
    )]
    color: ColorChoice,
}

impl ConsoleArguments {
    /// Configures the output of this process.
    pub(super) fn apply(&self) {
        style::choose(self.color);
        terminal::set_quiet(self.quiet);
        terminal::set_verbose(self.verbose);
        if self.no_progress {
            progress::hide();
        }
    }
}

/// The default of `--index-files`: the names of [`rehref_site::INDEX_NAMES`].
const INDEX_FILES: &str = "index.html,index.htm,index.xhtml";

impl SiteArguments {
    /// Reads a README as a code host shows it, unless `--markdown` says otherwise: no generator makes a page of it, wherever
    /// its project is.
    pub(super) fn read_readme(&mut self, place: &SitePlace) {
        let name = place.document_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        if name.is_some_and(|name| name.starts_with("readme.")) {
            self.selection.markdown.get_or_insert(Some(MarkdownDialect::GITHUB));
        }
    }

    /// Opens the site at `place`, whose files are `walk`. Its documents are selected and parsed by these
    /// arguments. Without `--url`, does as `missing` says; returns also the URL that the site seems to be published at.
    pub(super) fn open(
        &self,
        place: &SitePlace,
        walk: FileTree,
        missing: MissingUrl,
    ) -> Result<(Corpus, Option<PublicationUrl>), CliError> {
        self.config.note_unread(place);
        let url = self.url.as_deref();
        let given = site_url::given(place, url)?;
        let is_given = given.is_some();
        let site_url = given.map_or_else(site_url::placeholder, Ok)?;
        let mut corpus = self.corpus(place, walk, site_url)?;
        // The records of an archive have URLs of their own.
        let is_archive = matches!(place, SitePlace::Archive(_)) || corpus.has_only_archives();
        corpus.options.no_url = site_url::is_none(url);
        let mut likely_url = None;
        if let SitePlace::Directory(_) = place {
            let is_built = corpus.server.sources.is_none() && !is_archive;
            let is_unknown = url.is_none() && missing != MissingUrl::Refused && is_built;
            mounts::mount(&mut corpus, &self.mount, is_unknown, is_given && is_built)?;
        }
        let has_mounts = corpus.site_url.has_mounts();
        let is_at_root = |it: &Path| likely_site::is_page(it) && it.components().count() == 1;
        if !self.mount.is_empty() && url.is_none() && corpus.files().any(is_at_root) {
            terminal::note(
                "with --mount and without --url, rehref does not infer the URL of the site, so links with its host name count as external\nhelp: add --url URL",
            );
        }
        if !has_mounts && !is_archive {
            if !is_given {
                likely_url = site_url::complete(&mut corpus, place, url, missing)?;
            } else if !corpus.options.no_url {
                site_url::check(&mut corpus, missing)?;
            }
        }
        if self.has_default_served_anywhere() {
            corpus.served_anywhere.fallbacks = self.redirects.fallbacks(&corpus)?;
        }
        if terminal::is_verbose() {
            advice::print([advice::corpus::settings(&corpus, is_given || has_mounts)]);
        }
        Ok((corpus, likely_url))
    }

    fn corpus(
        &self,
        place: &SitePlace,
        mut walk: FileTree,
        site_url: SiteUrl,
    ) -> Result<Corpus, CliError> {
        if self.selection.gitignore {
            gitignore::ignore(&place.root(), &mut walk);
        }
        // Until the end of the walk, a signal ends the process.
        let sources = markdown::sources(self.selection.markdown, place, &walk, self.url.is_some());
        let ignored = match &sources {
            Some(_) => git_rules(&place.root(), &walk),
            None => Excluded::default(),
        };
        let mut server = self.server(sources.as_ref(), &ignored);
        if let Some(host) = self.host_of(place, sources.is_some()) {
            if !is_given("index-files") && !self.no_index_files && sources.is_none() {
                server = server.with_index_names(host.index_files.iter().copied());
            }
            host.complete(&mut server, &place.root());
        }
        let markdown = sources.as_ref().map(|it| it.dialect);
        let corpus = Corpus::new(place.root(), walk, site_url, server);
        let only = self.selection.files_from.as_deref();
        let may_be_empty = self.selection.allow_empty;
        let only = only.map(|list| files::read_list(list, &place.root(), may_be_empty));
        let SelectionArguments { include, exclude, html, .. } = &self.selection;
        let included = globs("--include", include)?;
        let selection = Selection {
            include: (!include.is_empty()).then_some(included),
            exclude: globs("--exclude", exclude)?,
            html: globs("--html", html)?,
            gitignore: self.selection.gitignore,
            compressed: self.selection.compressed,
            markdown,
            host_roots: sources.as_ref().map(MarkdownSources::host_roots).unwrap_or_default(),
            templates: sources.as_ref().map(MarkdownSources::templates).unwrap_or_default(),
            unread: sources
                .as_ref()
                .filter(|_| include.is_empty() && only.is_none())
                .map(|_| if ignored.has_folder() { Excluded::default() } else { ignored }),
            projects: sources.map_or_else(Projects::default, |it| {
                Projects::new(it.projects.iter().map(|it| (it.regions(), it.dialect)))
            }),
            only: only.transpose()?,
            single: place.document_name().map(|name| SingleFile {
                path: name.to_owned(),
                published: name.to_owned(),
                kind: None,
            }),
            redirects: self.redirects.in_site(&corpus.root)?,
        };
        self.warn_of_unused_index_files(&corpus);
        if selection.single.is_none() {
            advice::print(advice::corpus::packed_books(&corpus));
            advice::print(advice::corpus::unread_programs(&corpus, &selection));
            advice::print(advice::corpus::unread(&corpus, &selection));
            advice::print(advice::corpus::unread_rst(&corpus, &selection));
            advice::print(advice::corpus::unread_notebooks(&corpus, &selection));
        }
        if !self.selection.is_compared {
            unused_globs::warn_of_all(&selection, corpus.walk.entries.iter().map(|it| &*it.path));
        }
        Ok(Corpus {
            selection,
            also: self.aliases()?,
            may_be_empty: self.selection.allow_empty || self.selection.files_from.is_some(),
            served_anywhere: ServedAnywhere {
                globs: self.served_anywhere(&corpus.walk.entries)?,
                ..ServedAnywhere::default()
            },
            options: self.selection.options(markdown)?,
            standard: self.standard,
            threads: self.selection.jobs.map_or(0, usize::from),
            cancel: interrupt::flag()?,
            ..corpus
        })
    }

    /// The host that is given, or that files name. `is_source`: a generator makes the pages, and its row says how they
    /// are served.
    fn host_of(&self, place: &SitePlace, is_source: bool) -> Option<HostChoice> {
        if self.host.is_some() || is_source || !matches!(place, SitePlace::Directory(_)) {
            return self.host;
        }
        let (host, mark) = hosts::guessed(&place.root())?;
        host.note_guess(mark);
        Some(host)
    }

    fn has_default_served_anywhere(&self) -> bool {
        self.served_anywhere.join(",") == ERROR_PAGES
    }

    fn served_anywhere(&self, entries: &[Entry]) -> Result<Globs, CliError> {
        match self.served_anywhere.as_slice() {
            [none] if none == "none" => Ok(Globs::default()),
            // The names of the default need not exist.
            given if self.has_default_served_anywhere() => Ok(Globs::known(given)),
            given => {
                let globs = globs("--served-anywhere", given)?;
                for unused in globs.without_match(entries.iter().map(|entry| &*entry.path)) {
                    unused_globs::warn_of("--served-anywhere", unused);
                }
                Ok(globs)
            }
        }
    }

    /// Warns of given names of index files that no file has.
    fn warn_of_unused_index_files(&self, corpus: &Corpus) {
        if self.no_index_files || self.index_files.join(",") == INDEX_FILES {
            return;
        }
        let names: Vec<&OsStr> = corpus.files().filter_map(Path::file_name).collect();
        let is_used = |name: &String| names.contains(&OsStr::new(name.trim()));
        if !names.is_empty() && !self.index_files.iter().any(is_used) {
            let given = self.index_files.join(",");
            terminal::warning(format!(
                "--index-files {given}: the site has no file of this name, so no directory has a page\nhelp: pass the names of the site's index files"
            ));
        }
    }

    /// The rules of the site's server that every command knows.
    /// `markdown`: the generator that makes its pages. `ignored`: the files that git ignores.
    fn server(&self, markdown: Option<&MarkdownSources>, ignored: &Excluded) -> Server {
        let is_default = self.index_files.join(",") == INDEX_FILES;
        let row = markdown.map(|it| it.dialect.row());
        let sources = row.filter(|_| is_default);
        let sources = sources.map_or(&[][..], |row| row.index_names).iter().copied();
        let names = self.index_files.iter().map(|name| name.trim());
        let sent = sources.chain(names).filter(|_| !self.no_index_files);
        let tries = row.filter(|_| self.tries.is_empty());
        let tries = tries.map_or(&[][..], |row| row.tries).iter();
        let tries = tries.filter_map(|pattern| pattern.parse().ok());
        let mut server = Server::default()
            .with_index_names(sent)
            .with_tries(self.tries.iter().cloned().chain(tries).collect());
        server.sources = markdown.map(|it| Sources {
            roots: it.roots.clone(),
            is_lower_case: it.dialect.row().is_lower_case,
            lists_folders: it.dialect.row().is_repository,
            pages: it.pages.clone(),
            makers: it.makers.clone(),
            made: it.made.clone(),
            scripts: Arc::clone(&it.scripts),
            ignored: ignored.clone(),
        });
        server.generated = GeneratedFiles::new(&self.generated);
        let projects = markdown.iter().flat_map(|it| &it.projects);
        let projects = projects.map(|it| {
            let mut of_project = self.server(Some(it), ignored);
            of_project.generated = server.generated.clone();
            of_project.folder.clone_from(&it.folder);
            (it.regions(), of_project)
        });
        server.projects = Projects::new(projects);
        server.negotiates = self.multiviews;
        server.is_strict_about_slashes = self.strict_slashes;
        server
    }

    /// Serves pages without the extension of their files, unless the user says what the server tries.
    pub(super) fn assume_clean_urls(&mut self) {
        if self.tries.is_empty() {
            self.tries.extend("{}.html".parse());
        }
    }

    /// Returns the URLs of `--also`.
    pub(super) fn aliases(&self) -> Result<Vec<SiteUrl>, CliError> {
        let also = self.also.iter();
        also.map(|url| Ok(SiteUrl::parse(url).map_err(CliError::url("--also"))?.0)).collect()
    }
}

impl SelectionArguments {
    /// Returns the options for documents of a site whose Markdown is in this dialect.
    pub(super) fn options(
        &self,
        markdown: Option<MarkdownDialect>,
    ) -> Result<ParseOptions, CliError> {
        let templates = TemplateDialects::new(&self.template_markup);
        let bad = |error| usage_error(format!("--attr: {error}"));
        let attributes = FurtherAttributes::new(&self.attr, &self.ignore_marks).or_else(bad)?;
        let of_components = markdown.map_or(&[][..], |it| it.row().component_attributes);
        let of_components = of_components.iter().filter_map(|it| it.parse().ok());
        let mut all: Vec<FurtherAttribute> = self.attr.clone();
        all.extend(of_components.filter(|it| !self.attr.contains(it)));
        let front_matter = FrontMatterKeys::new(&self.front_matter);
        Ok(ParseOptions {
            templates: templates
                .or_else(|error| usage_error(format!("--template-markup: {error}")))?,
            charset: self.charset,
            json_ld: self.json_ld,
            rdfa: self.rdfa,
            attributes,
            component_attributes: FurtherAttributes::new(&all, &self.ignore_marks).or_else(bad)?,
            kept: KeptElements::new(&self.keep_links),
            front_matter: front_matter
                .or_else(|error| usage_error(format!("--front-matter: {error}")))?,
            message: self.message,
            max_size: self.max_document_size,
            ..ParseOptions::default()
        })
    }
}

/// Compiles `given`, the globs of `option`.
pub(super) fn globs(option: &str, given: &[String]) -> Result<Globs, CliError> {
    Globs::new(given).or_else(|error| usage_error(format!("{option} {error}")))
}

/// Parses a name of `--index-files`.
fn index_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("pass names of files, like index.html,default.htm".into());
    }
    if name.contains(['*', '?', '/']) {
        return Err("pass names of files, not globs or paths: index.html,default.htm".into());
    }
    let names: Vec<&str> = name.split_whitespace().collect();
    if names.len() > 1 && names.iter().all(|name| name.contains('.')) {
        Err(format!("separate the names with commas: {}", names.join(",")))
    } else {
        Ok(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::INDEX_NAMES;

    #[test]
    fn the_default_index_files_are_those_of_the_library() {
        assert_eq!(INDEX_FILES, INDEX_NAMES.join(","));
    }
}
