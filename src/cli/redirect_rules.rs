//! The redirects of the site's server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use encoding_rs::UTF_8;

use super::command_line::{command_name, is_given, quoted};
use super::exit::{CliError, usage_error};
use super::first_paths::first_paths;
use super::hosts::file_of_project;
use super::{files, terminal};
use crate::server_rules::{self, read_rules, redirect_syntax, rule_files, rules_of_host};
use rehref_corpus::Corpus;
use rehref_corpus::files::with_file_bytes;
use rehref_document::redirects::{RedirectSyntax, RuleSyntaxError, UnreadDirective};
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::{self, HOST_SETTINGS, ServerRules};
use rehref_site::{
    FileIndex, PathPattern, PatternBudget, PatternError, RedirectRule, Server, SiteUrl, UnreadRule,
    UnreadRules, canonical, path_in_url,
};
use rehref_url::AbsoluteUrl;

/// Redirect rules besides those in the site's own `_redirects` and .htaccess.
#[derive(Debug, Args)]
#[command(next_help_heading = "Site")]
pub(super) struct RedirectArguments {
    /// Also read the server's redirect rules from FILE (in the format of `_redirects`, .htaccess, an nginx
    /// configuration or JSON)
    ///
    /// rehref reads the `_redirects` and .htaccess of the site itself without this option.
    #[arg(long, value_name = "FILE")]
    pub(super) redirects: Option<PathBuf>,
}

/// The rules of `--redirects`.
struct GivenRules {
    /// The file, as given.
    name: String,
    text: String,
    syntax: RedirectSyntax,
}

impl RedirectArguments {
    /// Reads the file, if there is one.
    fn read(&self) -> Result<Option<GivenRules>, CliError> {
        let Some(path) = &self.redirects else { return Ok(None) };
        let name = path.display().to_string();
        let advice = match command_name() {
            _ if name.contains(' ') => {
                "\nhelp: pass the name of a file with the rules, one on each line"
            }
            _ if name.contains(',') => {
                "\nhelp: pass one file; rehref reads _redirects and netlify.toml in the site without the option"
            }
            "move" | "compare" | "verify" => "; to write redirects, use --write-redirects FORMAT",
            _ => "",
        };
        let text = files::read_or("--redirects", path, advice)?;
        if text.contains(&0) {
            return usage_error(format!("--redirects {name} is not a text file"));
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        if path.extension().is_some_and(|it| it == "csv" || it == "tsv") {
            return usage_error(format!(
                "--redirects {name}: a table, not a file of rules\nhelp: write the old and the new URL with a space between them on each line, without a header: {} | tr ',;\\t' ' ' > redirects.txt",
                match text.lines().next().is_some_and(files::has_header) {
                    true => format!("sed 1d {}", quoted(&name)),
                    false => format!("cat {}", quoted(&name)),
                }
            ));
        }
        let is_json = path.extension().is_some_and(|it| it == "json");
        if path.extension().is_some_and(|it| it == "toml") {
            return usage_error(format!(
                "--redirects {name}: a configuration, not a file of rules\nhelp: remove --redirects: rehref reads the redirects of netlify.toml by itself if it is in the site, or above it in its repository"
            ));
        }
        let syntax = match path.file_name().and_then(redirect_syntax) {
            Some(syntax) => syntax,
            None if is_json => RedirectSyntax::Json,
            None => RedirectSyntax::of_content(&text),
        };
        let is_block =
            |line: &str| line.split('#').next().is_some_and(|it| it.trim_end().ends_with('{'));
        if syntax == RedirectSyntax::Netlify && text.lines().any(is_block) {
            return usage_error(format!(
                "--redirects {name}: a configuration of nginx without a redirect rule\nhelp: {}",
                where_rules_are(&text).unwrap_or("pass the file that has the rules".to_owned())
            ));
        }
        Ok(Some(GivenRules { name, text, syntax }))
    }

    /// Returns the path of the file in the site at `root`, and its syntax; `None` if it is not there.
    pub(super) fn in_site(
        &self,
        root: &Path,
    ) -> Result<Option<(PathBuf, RedirectSyntax)>, CliError> {
        let (Some(given), Some(rules)) = (&self.redirects, self.read()?) else { return Ok(None) };
        let path = |path: &Path| canonical(path).map_err(CliError::io(path.display()));
        let (root, file) = (path(root)?, path(given)?);
        let below = file.strip_prefix(root).ok();
        Ok(below.map(|below| (below.to_owned(), rules.syntax)))
    }

    /// Indexes the files of the site by their URLs, with the redirects of its server.
    pub(super) fn index(&self, corpus: &Corpus) -> Result<FileIndex, CliError> {
        let mut server = corpus.server.clone();
        note_unread(corpus);
        if let Some(GivenRules { name, text, .. }) = self.read()? {
            note_aliases(&name, &text);
        }
        let (mut rules, unread) = self.rules(corpus)?;
        server.unread = UnreadRules::new(unread);
        rules.extend(rules_of_settings(corpus)?);
        if server.sources.is_some() {
            // The generator knows its pages, and a missing one is missing also where another is sent for it.
            rules.retain(|it| !it.is_for_all());
        } else if let Some(rule) = rules.iter().find(|it| it.is_for_all()) {
            terminal::note(format!(
                "{}: the server sends one page for every URL, so rehref finds no link to a missing page\nhelp: to find them, too, add --host github-pages, which reads no rules",
                rule.place
            ));
        }
        let rules = rules_of_host(rules, &corpus.site_url, &corpus.also);
        if let Some(rule) = rules.iter().find(|it| !it.is_conditional && it.leaves_for_all()) {
            let (place, to) = (&rule.place, rule.to_folder());
            terminal::warning(format!(
                "{place}: the server redirects every URL{} to {to}, so rehref finds no link to a missing page\nhelp: if the site is there, pass its URL: --url {to}",
                if rule.is_forced { "" } else { " without a file" }
            ));
        }
        server.redirects = rules.into();
        Ok(corpus.file_index_of(server))
    }

    /// Returns the pages that the server sends for other URLs, by their paths in URLs.
    pub(super) fn fallbacks(&self, corpus: &Corpus) -> Result<BTreeSet<String>, CliError> {
        let site_url = &corpus.site_url;
        let root = AbsoluteUrl::new(corpus.standard, site_url.url().clone());
        let mut targets = Vec::new();
        let mut add = |base: &AbsoluteUrl, syntax: RedirectSyntax, text: &str| {
            syntax.fallbacks(text, &mut |to| targets.extend(base.resolve(&to.text, UTF_8)));
        };
        if let Some(GivenRules { text, syntax, .. }) = self.read()? {
            add(&root, syntax, &text);
        }
        for (path, syntax) in rule_files(corpus) {
            let Ok(url) = site_url.file_url(path) else { continue };
            let base = AbsoluteUrl::new(corpus.standard, url);
            let read = with_file_bytes(&corpus.root.join(path), |bytes, _| {
                add(&base, syntax, &String::from_utf8_lossy(bytes));
            });
            read.map_err(CliError::io(display_path(path)))?;
        }
        if targets.is_empty() {
            return Ok(BTreeSet::new());
        }
        let files = corpus.file_index();
        let paths = targets.iter().filter_map(|target| site_url.below(target.as_str()));
        let found = paths.filter_map(|path| files.find(path, ""));
        Ok(found.filter_map(|it| it.file().map(str::to_owned)).collect())
    }

    /// The rules of `--redirects`, then those of the site's own files.
    fn rules(&self, corpus: &Corpus) -> Result<(Vec<RedirectRule>, Vec<UnreadRule>), CliError> {
        let (mut rules, mut unread) = (Vec::new(), Vec::new());
        let (mut given, mut others) = (None, PatternBudget::default());
        let mut patterns = PatternBudget::default();
        if let Some(GivenRules { name, text, syntax }) = self.read()? {
            let place = self.redirects.as_deref().and_then(|file| place(&corpus.root, file));
            let place = place.unwrap_or_else(|| name.clone());
            given = Some(syntax);
            let read = redirects::read(syntax, &place, &text, &mut patterns);
            if let Some(RuleSyntaxError { line, message }) = read.errors.first() {
                return usage_error(format!("--redirects {name}:{line}: {message}"));
            }
            warn_of_unreadable(&format!("--redirects {name}"), &read);
            let host = read.rules.iter().find_map(|it| it.host.as_deref());
            if let Some(host) = host.filter(|_| corpus.site_url.is_placeholder()) {
                terminal::warning(format!(
                    "--redirects {name}: without --url, rules for {host} do not apply\nhelp: add --url https://{host}/"
                ));
            }
            if read.rules.is_empty() && read.unreadable.is_empty() {
                let advice =
                    where_rules_are(&text).map_or(String::new(), |it| format!("\nhelp: {it}"));
                terminal::warning(format!(
                    "--redirects {name}: the file contains no redirect rule that rehref can read{advice}"
                ));
            }
            unread.extend(unread_rules(corpus, &name, "", &read, &mut others));
            rules = read.rules;
        }
        for (path, syntax) in rule_files(corpus) {
            let is_of_other =
                syntax == RedirectSyntax::Apache && given == Some(RedirectSyntax::Nginx);
            if is_given_file(corpus, path) || !corpus.server.own_rules.has(syntax) {
                continue;
            }
            if is_of_other {
                terminal::note(format!(
                    "{}: nginx, whose rules --redirects names, does not read this file",
                    display_path(path)
                ));
                continue;
            }
            let name = display_path(path);
            if corpus.site_url.is_mounted(&path_in_url(path)) {
                // Their paths count from the root of another host.
                terminal::warning(format!(
                    "{name}: rehref does not apply rules of a directory with a URL of its own\nhelp: to apply them, audit this directory alone, with --url"
                ));
                let folder = path.parent().map_or_else(String::new, path_in_url);
                let (paths, is_relative) = (None, true);
                let name = format!("the rules in {name}");
                unread.push(UnreadRule { below: format!("{folder}/"), paths, is_relative, name });
                continue;
            }
            let own = read_rules(corpus, path, syntax, &mut patterns);
            let own = own.map_err(CliError::io(&name))?;
            for RuleSyntaxError { line, message } in &own.errors {
                terminal::warning(format!("{name}:{line}: {message}; rehref ignores this line"));
            }
            warn_of_unreadable(&name, &own);
            let folder = path.parent().map_or_else(String::new, path_in_url);
            let below = if folder.is_empty() { folder } else { format!("{folder}/") };
            let root = corpus.site_url.url().path().trim_start_matches('/');
            unread.extend(unread_rules(
                corpus,
                &name,
                &format!("{root}{below}"),
                &own,
                &mut others,
            ));
            rules.extend(own.rules);
        }
        Ok((rules, unread))
    }
}

/// Returns true if the file at `path` of the site is that of `--redirects`.
fn is_given_file(corpus: &Corpus, path: &Path) -> bool {
    matches!(&corpus.selection.redirects, Some((given, _)) if given.as_path() == path)
}

/// Notes the directives of Apache in `text` that publish other directories.
fn note_aliases(name: &str, text: &str) {
    const DIRECTIVES: [&str; 4] = ["UserDir", "Alias", "AliasMatch", "ScriptAlias"];
    let found = text.lines().zip(1..).filter_map(|(line, number)| {
        let mut words = line.split_whitespace();
        let directive = words.next()?;
        let known = DIRECTIVES.iter().find(|it| it.eq_ignore_ascii_case(directive))?;
        let path = words.next().filter(|it| it.starts_with('/')).unwrap_or("/~");
        let option = format!("--generated {}", quoted(format!("{path}*")));
        Some((format!("{known} (line {number})"), option))
    });
    let (lines, options): (Vec<String>, Vec<String>) = found.unzip();
    if !lines.is_empty() {
        terminal::note(format!(
            "--redirects {name}: rehref reads redirects only, not {}\nhelp: if the server answers for these URLs, add {}",
            first_paths(&lines),
            options.join(" ")
        ));
    }
}

/// Notes which files of rules the host of `corpus` does not read, or only elsewhere.
fn note_unread(corpus: &Corpus) {
    let read: Vec<&Path> = rule_files(corpus).map(|(path, _)| path).collect();
    let root = corpus.site_url.url().path();
    let is_published = corpus.site_url.url().as_str().starts_with("http");
    for path in corpus.files() {
        let Some(syntax) = path.file_name().and_then(redirect_syntax) else { continue };
        let is_netlify = syntax == RedirectSyntax::Netlify;
        let reason = match () {
            () if is_given_file(corpus, path) => continue,
            () if !corpus.server.own_rules.has(syntax) => {
                "the host of the site does not read this file (--host), so its rules do not apply"
                    .to_owned()
            }
            () if is_netlify && !read.contains(&path) && corpus.selection.has(path) => {
                "hosts read this file only at the root of the site, so its rules do not apply"
                    .to_owned()
            }
            () if is_netlify && is_published && root != "/" => format!(
                "hosts read this file only at the root of the host, and the site is at {root}; its rules apply only if the file there has them, too"
            ),
            () => continue,
        };
        terminal::note(format!("{}: {reason}", display_path(path)));
    }
}

/// The rules in the settings of hosts, in SITE or in the project around it. Notes what is not read.
fn rules_of_settings(corpus: &Corpus) -> Result<Vec<RedirectRule>, CliError> {
    let mut rules = Vec::new();
    for settings in HOST_SETTINGS {
        let Some(file) = file_of_project(&corpus.root, settings.file) else { continue };
        let text = fs::read(&file).map_err(CliError::io(file.display()))?;
        let place = place(&corpus.root, &file).unwrap_or_else(|| settings.file.to_owned());
        let read = settings.read(&place, &String::from_utf8_lossy(&text));
        if read.unread > 0 {
            let what = match settings.language {
                Some(_) => format!("{} with patterns", counted(read.unread, "redirect rule")),
                None => format!("the redirect rules of {}", settings.host),
            };
            terminal::note(format!(
                "{place}: rehref does not read {what}, and links that they redirect may count as broken\nhelp: list their redirects in a file for --redirects"
            ));
        }
        rules.extend(read.rules);
    }
    Ok(rules)
}

/// The path of `file` in findings: from the root of SITE, `../rules.txt` for a file beside it.
fn place(root: &Path, file: &Path) -> Option<String> {
    let file = canonical(file).ok()?;
    root.ancestors().enumerate().find_map(|(above, root)| {
        let shown = file.strip_prefix(root).ok()?;
        Some("../".repeat(above) + &display_path(shown))
    })
}

/// Returns the index `files` of the site at `url` whose server has only the rules in `text`, the content of the file
/// `name`.
pub(super) fn with_rules(
    files: &FileIndex,
    server: &Server,
    url: &SiteUrl,
    (name, syntax, text): (&str, RedirectSyntax, &str),
) -> FileIndex {
    let read = redirects::read(syntax, name, text, &mut PatternBudget::default());
    let mut server = server.clone();
    server.redirects = rules_of_host(read.rules, url, &[]).into();
    files.clone().with_server(server, url.url().path())
}

/// Directives that are not read, the option that says the same, and how to pass it.
const TOLD_BY: [(&str, &str, Option<&str>); 5] = [
    ("DirectoryIndex", "index-files", Some("--index-files NAMES")),
    ("MultiViews", "multiviews", Some("--multiviews")),
    ("try_files", "try", Some("--try PATTERNS")),
    ("RewriteRule", "redirects", None),
    ("FallbackResource", "redirects", None),
];

/// The directives that are not read, and of which no option says the same.
fn untold(rules: &ServerRules) -> impl Iterator<Item = &UnreadDirective> {
    let is_told =
        |name: &str| TOLD_BY.iter().any(|(it, option, _)| *it == name && is_given(option));
    rules.unread.iter().filter(move |it| !is_told(it.name))
}

/// The directives of the file `name`, for the directory `below` from the root of the host, that may make pages without a file.
fn unread_rules(
    corpus: &Corpus,
    name: &str,
    below: &str,
    rules: &ServerRules,
    patterns: &mut PatternBudget,
) -> Vec<UnreadRule> {
    // What sends a file that is missing sends nothing.
    let is_missing = |to: &str| {
        let below = to.strip_prefix(corpus.site_url.url().path());
        below.is_some_and(|file| !corpus.root.join(file).exists())
    };
    let sends = |it: &&UnreadDirective| !it.to.as_deref().is_some_and(is_missing);
    let found = untold(rules).filter(sends).filter_map(|it| {
        let paths = it.paths.as_deref()?;
        let compiled = PathPattern::new(paths, patterns);
        // One that is too much says nothing; of one that cannot be read, all may be.
        let is_too_much =
            matches!(compiled, Err(PatternError::TooMany | PatternError::StillTooMany));
        (!is_too_much).then(|| UnreadRule {
            below: below.to_owned(),
            paths: compiled.ok().filter(|_| !paths.is_empty()),
            is_relative: it.is_relative,
            name: format!("{} in {name}:{}", it.name, it.line),
        })
    });
    let unreadable = rules.unreadable.iter();
    let unreadable = unreadable.filter(|(_, error)| *error == PatternError::Syntax);
    let unreadable = unreadable.map(|(line, _)| UnreadRule {
        below: below.to_owned(),
        paths: None,
        is_relative: false,
        name: format!("the rule in {name}:{line}"),
    });
    found.chain(unreadable).collect()
}

/// Reports the directives of the file `name` that are not read, and its rules whose regular expressions cannot be used.
fn warn_of_unreadable(name: &str, rules: &ServerRules) {
    let mut lines = BTreeMap::<&str, Vec<String>>::new();
    for it in untold(rules) {
        lines.entry(it.name).or_default().push(it.line.to_string());
    }
    let named = lines.iter().map(|(directive, lines)| {
        let plural = if lines.len() > 1 { "s" } else { "" };
        format!("{directive} (line{plural} {})", first_paths(lines))
    });
    let named: Vec<String> = named.collect();
    if !named.is_empty() {
        let options = TOLD_BY.iter().filter(|(name, ..)| lines.contains_key(name));
        let help = options.filter_map(|(.., help)| *help);
        let help: Vec<&str> = help.chain(["a file of its redirects with --redirects"]).collect();
        terminal::warning(format!(
            "{name}: rehref does not read {}, so links may count as broken that work, or the reverse\nhelp: to say what they do, pass {}",
            named.join(", "),
            help.join(", or ")
        ));
    }
    let told = rules.unreadable.iter();
    for (line, error) in told.filter(|(_, error)| *error != PatternError::StillTooMany) {
        terminal::warning(format!(
            "{name}:{line}: {error}; rehref ignores this rule, and links that it redirects may count as broken\nhelp: list their redirects in a file for --redirects"
        ));
    }
}

/// Returns the rules in the files of `corpus`. Reports nothing: a move does not follow links to what they redirect.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn rules_in_site(corpus: &Corpus) -> Result<Vec<RedirectRule>, CliError> {
    let rules = server_rules::rules_in_site(corpus);
    rules.map_err(|(path, error)| CliError::io(display_path(&path))(error))
}

/// Returns what to do with the text of a file of a server in which no rule was read.
fn where_rules_are(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim);
    if text.contains("RewriteRule") {
        Some("write RewriteRule as RedirectMatch, like RedirectMatch 301 ^/old$ /new".to_owned())
    } else if lines.clone().any(|it| it.starts_with("map ") && it.ends_with('{')) {
        let edit = r"sed -n 's|^ *\(/[^ ]*\) *\([^;]*\);|\1 \2|p'";
        Some(format!(
            "rehref does not read map; write the old and the new URL with a space between them on each line: {edit} FILE > redirects.txt"
        ))
    } else {
        let mut included = lines.filter_map(|it| it.strip_prefix("include "));
        included.find_map(|it| it.split(';').next()).map(|it| {
            format!("rehref does not follow include: pass the file that has the rules ({it})")
        })
    }
}
