//! Which links `rehref links` prints.

use std::borrow::Cow;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::exit::{CliError, usage_error};
use super::first_paths::first_paths;
use super::terminal;
use super::values::{Choice, one_of};
use rehref_audit::links::{KINDS, Link};
use rehref_corpus::Corpus;
use rehref_site::nearest::nearest;
use rehref_site::{FileIndex, SiteUrl};
use rehref_url::{Url, percent_decoded};

/// The links to print; all conditions must hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Links")]
pub(super) struct LinkFilter {
    /// Print only links of these kinds, separated by commas
    #[arg(long, alias = "type", value_name = "KIND", value_delimiter = ',', value_parser = one_of(kinds()))]
    only: Vec<&'static str>,
    /// Print only links into the site whose target does not exist
    #[arg(long)]
    pub(super) broken: bool,
    /// Print only links to this target, whatever their fragment
    ///
    /// URL is a URL or a path in SITE. A URL that ends in / matches all targets below it.
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    pub(super) to: Option<String>,
}

fn kinds() -> impl Iterator<Item = Choice<&'static str>> {
    KINDS.iter().map(|&(kind, help)| (kind, help, kind))
}

/// A filter that knows where SITE is.
pub(super) struct Selected<'f> {
    filter: &'f LinkFilter,
    to: Option<SelectedTarget<'f>>,
}

/// The value of `--to`.
struct SelectedTarget<'f> {
    /// The path or URL, as given.
    path: &'f str,
    /// The whole URL.
    url: Url,
    /// The file that the server sends for it, if it is in SITE.
    file: Option<String>,
}

impl LinkFilter {
    /// Returns true if all links are printed.
    pub(super) fn has_all(&self) -> bool {
        self.only.is_empty() && !self.broken && self.to.is_none()
    }

    /// Returns the mistake in a path in `--to` that is not in the site, for the case that no link leads there either.
    pub(super) fn missing_target(&self, corpus: &Corpus) -> Option<String> {
        let to = self.to.as_deref()?;
        let path = to.split(['#', '?']).next().unwrap_or(to).trim_matches('/');
        if to.contains("://") {
            return None;
        }
        let decoded = percent_decoded(path);
        let path = String::from_utf8_lossy(&decoded);
        let entries = || corpus.walk.entries.iter().map(|entry| entry.path.to_string_lossy());
        if path.is_empty() || entries().any(|entry| entry == path) {
            return None;
        }
        if path.contains('*') {
            return Some(
                "it takes one target, no pattern\nhelp: print all links, and search these: rehref links SITE --format csv"
                    .to_owned(),
            );
        }
        let is_named = |entry: &Cow<'_, str>| entry.rsplit('/').next() == Some(&*path);
        let named: Vec<String> = entries().filter(is_named).map(Cow::into_owned).collect();
        if !named.is_empty() {
            return Some(format!(
                "the site has no such file in its root\nhelp: write its path: {}",
                first_paths(&named)
            ));
        }
        let paths = entries().map(|entry| (entry.to_string(), entry));
        let nearest = nearest(paths, &path, 1 + path.chars().count() / 4);
        Some(match nearest {
            Some((_, nearest)) => format!("the site has no such file\nhelp: did you mean {nearest}?"),
            None => {
                "the site has no such file\nhelp: pass a URL, or a path in the site like guide/a.html".to_owned()
            }
        })
    }

    /// Returns the filter for the site at `site_url` with these files. Notes a directory.
    pub(super) fn at(
        &self,
        site_url: &SiteUrl,
        files: &FileIndex,
    ) -> Result<Selected<'_>, CliError> {
        if self.broken && !self.only.is_empty() && !self.only.contains(&"internal") {
            return usage_error(
                "rehref fetches nothing, so --broken selects only links into the site, and --only excludes them\nhelp: to check links to other hosts, pass them to a link checker: rehref links SITE --only external --format urls",
            );
        }
        if let Some((page, fragment)) = self.to.as_deref().and_then(|it| it.split_once('#'))
            && !fragment.is_empty()
        {
            if page.is_empty() {
                return usage_error(format!(
                    "--to #{fragment} names no page\nhelp: pass the page, too, like --to index.html#{fragment}"
                ));
            }
            terminal::note(format!(
                "--to ignores the fragment #{fragment}\nhelp: for the links with this fragment, pipe the records of --format jsonl to: grep '\"fragment\":\"{fragment}\"'"
            ));
        }
        let to = self.to.as_deref().map(|to| {
            let root = site_url.url();
            match root.resolve(to, encoding_rs::UTF_8) {
                Ok(url) => {
                    let file = file_of(site_url, files, &url);
                    if let Some(file) = &file
                        && !to.ends_with('/')
                        && file.strip_prefix(to).is_some_and(|it| it.starts_with('/'))
                    {
                        terminal::note(format!(
                            "--to {to} selects the links to {file}; --to {to}/ selects all links to files below {to}"
                        ));
                    }
                    let path = to.trim_start_matches('/');
                    Ok(SelectedTarget { path, url, file })
                }
                Err(error) => usage_error(format!(
                    "--to {to}: {error}\nhelp: pass a URL, or a path in the site like guide/a.html"
                )),
            }
        });
        Ok(Selected { filter: self, to: to.transpose()? })
    }
}

/// The path of the file that the site's server sends for `url`, or for the directory of that name.
fn file_of(site_url: &SiteUrl, files: &FileIndex, url: &Url) -> Option<String> {
    let below = site_url.below(url.as_str().split(['?', '#']).next()?)?;
    let found = |path: &str| {
        let file = files.find(path, "")?.file()?;
        Some(String::from_utf8_lossy(&percent_decoded(file)).into_owned())
    };
    found(below).or_else(|| found(&format!("{below}/")))
}

impl Selected<'_> {
    /// Returns true if to print `link`, whose target is a whole URL.
    pub(super) fn covers(&self, link: &Link) -> bool {
        let LinkFilter { only, broken, .. } = self.filter;
        let leads_there = |SelectedTarget { path, url, file }: &SelectedTarget<'_>| {
            let target = link.target.as_deref().unwrap_or_default();
            let target = target.split('#').next().unwrap_or_default();
            let url = url.as_str().split('#').next().unwrap_or_default();
            match url.ends_with('/') {
                true => target.starts_with(url),
                // A folder's name without its slash leads to the folder.
                false => {
                    target.strip_suffix('/').unwrap_or(target) == url
                        || link
                            .file
                            .as_deref()
                            .is_some_and(|it| it == *path || Some(it) == file.as_deref())
                }
            }
        };
        (only.is_empty() || only.contains(&link.kind))
            && (!broken || link.found == Some(false))
            && self.to.as_ref().is_none_or(leads_there)
    }
}
