//! The redirect rules in the files of a site.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rehref_corpus::Corpus;
use rehref_corpus::files::with_file_bytes;
use rehref_document::redirects::RedirectSyntax;
use rehref_document::{DocumentKind, FileKind, file_kind};
use rehref_site::diagnostic::display_path;
use rehref_site::redirects::{self, ServerRules};
use rehref_site::{PatternBudget, RedirectRule, SiteUrl, path_in_url};
use rehref_url::{Components, Standard};

/// Returns the rules in the files of `corpus` that apply at its host. Reports nothing that is malformed.
///
/// # Errors
/// Returns an error if a file cannot be read: its path below the root, and why.
pub(crate) fn rules_in_site(corpus: &Corpus) -> Result<Vec<RedirectRule>, (PathBuf, io::Error)> {
    let mut rules = Vec::new();
    let mut patterns = PatternBudget::default();
    for (path, syntax) in rule_files(corpus) {
        let read = read_rules(corpus, path, syntax, &mut patterns);
        rules.extend(read.map_err(|error| (path.to_owned(), error))?.rules);
    }
    Ok(rules_of_host(rules, &corpus.site_url, &corpus.also))
}

/// Returns the files of `corpus` with redirect rules, and their syntaxes: those first whose rules win.
pub(crate) fn rule_files(corpus: &Corpus) -> impl Iterator<Item = (&Path, RedirectSyntax)> {
    let selection = &corpus.selection;
    let given = selection.redirects.as_ref();
    let files = corpus.files().filter_map(move |path| {
        let syntax = match given {
            Some((given, syntax)) if given == path => *syntax,
            _ => path.file_name().and_then(redirect_syntax)?,
        };
        let kind = selection.document_kind(&corpus.root, path);
        matches!(kind, Ok(Some(DocumentKind::Redirects(_)))).then_some((path, syntax))
    });
    let mut files: Vec<(&Path, RedirectSyntax)> = files.collect();
    // Apache's file in a directory wins over those above.
    files.sort_by_key(|(path, _)| Reverse(path.components().count()));
    files.into_iter()
}

/// Returns the syntax of a file of rules with this name, if the name says it.
pub(crate) fn redirect_syntax(name: &OsStr) -> Option<RedirectSyntax> {
    match file_kind(name) {
        FileKind::Document(DocumentKind::Redirects(syntax)) => Some(syntax),
        _ => None,
    }
}

/// Reads the rules in the file at `path` of `corpus`.
///
/// # Errors
/// Returns an error if it cannot be read.
pub(crate) fn read_rules(
    corpus: &Corpus,
    path: &Path,
    syntax: RedirectSyntax,
    patterns: &mut PatternBudget,
) -> io::Result<ServerRules> {
    let name = display_path(path);
    let mut read = with_file_bytes(&corpus.root.join(path), |bytes, _| {
        redirects::read(syntax, &name, &String::from_utf8_lossy(bytes), patterns)
    })?;
    // Apache reads the file for the URLs of its directory.
    let folder = path.parent().filter(|_| syntax == RedirectSyntax::Apache).map(path_in_url);
    if let Some(folder) = folder.filter(|it| !it.is_empty()) {
        let root = corpus.site_url.url().path().trim_start_matches('/');
        for rule in &mut read.rules {
            rule.below = format!("{root}{folder}/");
        }
    }
    Ok(read)
}

/// Returns the rules of `rules` that apply at the host of `url`, the URL of the site like those of `also`.
pub(crate) fn rules_of_host(
    mut rules: Vec<RedirectRule>,
    url: &SiteUrl,
    also: &[SiteUrl],
) -> Vec<RedirectRule> {
    let host = Components::split(Standard::Whatwg, url.url().as_str()).host_and_port();
    let host = host.unwrap_or_default();
    rules.retain(|rule| rule.is_for(host));
    // Paths of rules begin at the root of the host, whose path the URLs of `also` may not have.
    let is_same = |it: &&SiteUrl| it.url().path() == url.url().path();
    let own = || std::iter::once(url).chain(also.iter().filter(is_same));
    for rule in &mut rules {
        rule.set_origins(own().map(|it| it.url().before_path()));
    }
    rules
}
