//! Arguments about the site's server: which file it sends for a URL.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::exit::{CliError, usage_error};
use super::terminal;
use crate::corpus::Corpus;
use crate::document::DocumentKind;
use crate::document::redirects::RedirectSyntax;
use crate::moves::redirects;
use crate::site::{FileIndex, FileKind, RedirectRule, TryPattern, file_kind};
use crate::url::{Components, Standard};

/// The rules by which the site's server finds files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(super) struct ServerArguments {
    /// Paths that the server tries if no file has the name of the URL, as with nginx's try_files: {}
    /// stands for the path; separated by commas. For clean URLs '{}.html,{}/index.html'
    #[arg(long = "try", value_name = "PATTERNS", value_delimiter = ',')]
    tries: Vec<TryPattern>,
    /// The server adds extensions if no file has the name of the URL (manual.html.en for manual), as
    /// Apache's MultiViews does
    #[arg(long)]
    multiviews: bool,
    /// Follow the redirects in FILE (as in `_redirects`, .htaccess, nginx's configuration, or JSON),
    /// besides those in the site's own `_redirects` and .htaccess
    #[arg(long, value_name = "FILE")]
    redirects: Option<PathBuf>,
}

impl ServerArguments {
    /// Indexes the files of the site, to find the one that the server sends for a URL.
    pub(super) fn index(&self, corpus: &Corpus) -> Result<FileIndex, CliError> {
        let url = corpus.site_url.url();
        let mut server = corpus.server.clone().with_tries(self.tries.clone());
        server.negotiates = self.multiviews;
        server.redirects = self.rules(corpus)?;
        let host = Components::split(Standard::Whatwg, url.as_str()).host_and_port();
        let host = host.unwrap_or_default();
        server.redirects.retain(|rule| rule.is_for(host));
        Ok(corpus.file_index().with_server(server, url.path()))
    }

    /// The rules of `--redirects`, then those of the site's own files.
    fn rules(&self, corpus: &Corpus) -> Result<Vec<RedirectRule>, CliError> {
        let mut rules = Vec::new();
        if let Some(path) = &self.redirects {
            let name = path.display().to_string();
            let text = fs::read(path).map_err(CliError::io(&name))?;
            let text = String::from_utf8_lossy(&text);
            let syntax = path
                .file_name()
                .and_then(redirect_syntax)
                .unwrap_or_else(|| RedirectSyntax::of_content(&text));
            let (given, errors) = redirects::read(syntax, &name, &text);
            if let Some(error) = errors.first() {
                return usage_error(format!("--redirects {name}: {error}"));
            }
            rules = given;
        }
        for path in corpus.files() {
            let Some(syntax) = path.file_name().and_then(redirect_syntax) else {
                continue;
            };
            let kind = corpus.selection.document_kind(&corpus.root, path);
            if !matches!(kind, Ok(Some(DocumentKind::Redirects(_)))) {
                continue;
            }
            let name = path.display().to_string();
            let text = fs::read(corpus.root.join(path)).map_err(CliError::io(&name))?;
            let (own, errors) = redirects::read(syntax, &name, &String::from_utf8_lossy(&text));
            for error in errors {
                terminal::warning(format!("{name}: {error}; the line is ignored"));
            }
            rules.extend(own);
        }
        Ok(rules)
    }
}

/// The syntax of a file of rules with this name, if the name tells it.
fn redirect_syntax(name: &OsStr) -> Option<RedirectSyntax> {
    match file_kind(name) {
        FileKind::Document(DocumentKind::Redirects(syntax)) => Some(syntax),
        _ => None,
    }
}
