//! Arguments about the site's server: which file it sends for a URL.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{CliError, usage_error};
use super::terminal;
use crate::corpus::Corpus;
use crate::moves::redirects::FORMATS;
use crate::site::{FileIndex, RedirectRule, TryPattern};
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
    /// Follow the redirects in FILE (lines of /from and /to, as in `_redirects`), besides those in the
    /// site's own `_redirects`
    #[arg(long, value_name = "FILE")]
    redirects: Option<PathBuf>,
}

impl ServerArguments {
    /// Indexes the files of the site, to find the one that the server sends for a URL.
    pub(super) fn index(&self, corpus: &Corpus) -> Result<FileIndex, CliError> {
        let root = &corpus.root;
        let url = corpus.site_url.url();
        let mut server = corpus.server.clone().with_tries(self.tries.clone());
        server.negotiates = self.multiviews;
        server.redirects = self.rules(root)?;
        let host = Components::split(Standard::Whatwg, url.as_str()).host_and_port();
        let host = host.unwrap_or_default();
        server.redirects.retain(|rule| rule.is_for(host));
        Ok(corpus.file_index().with_server(server, url.path()))
    }

    /// The rules of `--redirects`, then those of the site's own files.
    fn rules(&self, root: &Path) -> Result<Vec<RedirectRule>, CliError> {
        let mut rules = Vec::new();
        let formats = FORMATS.iter();
        let formats = formats.filter_map(|row| Some((row.file?, row.parse?)));
        if let (Some(path), Some((_, parse))) = (&self.redirects, formats.clone().next()) {
            let name = path.display();
            let text = fs::read(path).map_err(CliError::io(&name))?;
            rules = parse(&String::from_utf8_lossy(&text))
                .or_else(|error| usage_error(format!("--redirects {name}: {error}")))?;
        }
        for (name, parse) in formats {
            let path = root.join(name);
            match fs::read(&path) {
                Ok(text) => match parse(&String::from_utf8_lossy(&text)) {
                    Ok(own) => rules.extend(own),
                    Err(error) => {
                        terminal::warning(format!("{name}: {error}; the whole file is ignored"));
                    }
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(CliError::io(path.display())(error)),
            }
        }
        Ok(rules)
    }
}
