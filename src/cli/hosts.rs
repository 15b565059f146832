//! `--host`: what a host serves for a URL, as values of other options, which still win.

use std::fs;
use std::path::{Path, PathBuf};

use super::command_line::{is_given, value_of};
use super::terminal;
use super::values::Choice;
use rehref_corpus::files::work_tree_of;
use rehref_document::redirects::RedirectSyntax;
use rehref_generators::data::{self, DataLanguage, Step};
use rehref_site::{OwnRules, Server, TryPattern};

/// A host.
#[derive(Debug)]
pub(super) struct Host {
    /// The name on the command line.
    name: &'static str,
    /// A line of help: the values below.
    help: &'static str,
    /// The value of `--index-files`.
    pub(super) index_files: &'static [&'static str],
    /// The value of `--try`.
    tries: &'static [&'static str],
    /// The file and the key of the setting without which the host has no `tries`.
    setting: Option<(&'static str, &'static str)>,
    /// As [`Server::ignores_slash`].
    ignores_slash: bool,
    own_rules: OwnRules,
    /// Files that only this host reads.
    marks: &'static [&'static str],
}

/// The value of `--host`.
pub(super) type HostChoice = &'static Host;

/// Help for `--host`.
pub(super) const HELP: &str =
    "Host that serves the site; sets --index-files, --try and the redirects file as on this host";

pub(super) const LONG_HELP: &str = "Host that serves the site; sets --index-files, --try and the redirects file as on this host

Other options take precedence over these. Without --host, rehref infers the host from files that only this host reads \
(.nojekyll, netlify.toml, wrangler.toml, vercel.json), and prints a note. Letter case matters on all these hosts.";

/// The host that others differ from.
const GITHUB_PAGES: Host = Host {
    name: "github-pages",
    help: "GitHub Pages: --index-files index.html --try '{}.html'; reads no file of redirects",
    index_files: &["index.html"],
    tries: &["{}.html"],
    setting: None,
    ignores_slash: false,
    own_rules: OwnRules::None,
    marks: &[".nojekyll"],
};

/// Servers without settings of their own.
const SERVER: Host = Host { tries: &[], marks: &[], ..GITHUB_PAGES };

/// The hosts, as their documentation describes them.
static HOSTS: [Host; 6] = [
    GITHUB_PAGES,
    Host {
        name: "netlify",
        help: "Netlify: --index-files index.html --try '{}.html', also with a slash at the end; reads _redirects",
        ignores_slash: true,
        own_rules: OwnRules::In(RedirectSyntax::Netlify),
        marks: &["netlify.toml"],
        ..GITHUB_PAGES
    },
    Host {
        name: "cloudflare",
        help: "Cloudflare Pages and Workers: as netlify",
        ignores_slash: true,
        own_rules: OwnRules::In(RedirectSyntax::Netlify),
        marks: &["wrangler.toml", "wrangler.json", "wrangler.jsonc", "_routes.json", "_worker.js"],
        ..GITHUB_PAGES
    },
    Host {
        name: "vercel",
        help: "Vercel: --index-files index.html; with cleanUrls in vercel.json --try '{}.html'; reads no other file of \
               redirects",
        setting: Some(("vercel.json", "cleanUrls")),
        ignores_slash: true,
        marks: &["vercel.json"],
        ..GITHUB_PAGES
    },
    Host {
        name: "nginx",
        help: "nginx without settings of its own: --index-files index.html,index.htm; reads no file of redirects, so \
               add --redirects",
        index_files: &["index.html", "index.htm"],
        ..SERVER
    },
    Host {
        name: "apache",
        help: "Apache without settings of its own: --index-files index.html,index.htm,index.xhtml; reads .htaccess",
        index_files: &["index.html", "index.htm", "index.xhtml"],
        own_rules: OwnRules::In(RedirectSyntax::Apache),
        ..SERVER
    },
];

/// Returns the values of `--host`.
pub(super) fn choices() -> impl Iterator<Item = Choice<HostChoice>> {
    HOSTS.iter().map(|host| (host.name, host.help, host))
}

/// Returns the name of the host whose own domain is `domain`: `netlify.com`, `github.io`.
pub(super) fn host_of(domain: &str) -> Option<&'static str> {
    let (name, end) = domain.split_once('.').filter(|(_, end)| !end.contains('.'))?;
    let mut names = HOSTS.iter().map(|host| host.name);
    names.find(|it| *it == name || (name, end, *it) == ("github", "io", "github-pages"))
}

/// Returns the name of the host of the site at `root`, which `--host` or its files name, and the redirect rules that it
/// reads.
pub(super) fn named(root: &Path) -> Option<(&'static str, OwnRules)> {
    let given = value_of("--host");
    let given = given.and_then(|name| HOSTS.iter().find(|host| host.name == name));
    let host = given.or_else(|| Some(guessed(root)?.0))?;
    Some((host.name, host.own_rules))
}

/// Returns the file `name` of the site at `root`, or of the project around it: in the nearest directory up to the root
/// of the repository.
pub(super) fn file_of_project(root: &Path, name: &str) -> Option<PathBuf> {
    let top = work_tree_of(root);
    let top = top.as_deref().unwrap_or(root);
    let folders = root.ancestors().take_while(|it| it.starts_with(top));
    folders.map(|it| it.join(name)).find(|it| it.is_file())
}

/// Returns the host that the files of the site at `root` name, and the file; `None` if they name several, or if the
/// site has rules for another server.
pub(super) fn guessed(root: &Path) -> Option<(HostChoice, &'static str)> {
    let mark = |host: &'static Host| {
        let mut marks = host.marks.iter();
        Some((host, *marks.find(|mark| file_of_project(root, mark).is_some())?))
    };
    let mut found = HOSTS.iter().filter_map(mark);
    let (host, mark) = found.next().filter(|_| found.next().is_none())?;
    let rules = [("_redirects", RedirectSyntax::Netlify), (".htaccess", RedirectSyntax::Apache)];
    let mut rules = rules.iter().filter(|(name, _)| root.join(name).is_file());
    rules.all(|(_, syntax)| host.own_rules.has(*syntax)).then_some((host, mark))
}

impl Host {
    /// Notes that `mark` names this host.
    pub(super) fn note_guess(&self, mark: &str) {
        terminal::note(format!(
            "{mark} is a file of a host: assuming --host {}\nhelp: if another host serves the site, pass --host",
            self.name
        ));
    }

    /// Sets the rules of `server` that no option sets. `root`: of the site.
    pub(super) fn complete(&self, server: &mut Server, root: &Path) {
        let is_set = |(file, key): (&str, &str)| {
            let text = file_of_project(root, file).and_then(|file| fs::read_to_string(file).ok());
            let mut is_set = false;
            // What is before an error counts.
            let _ = data::read(&text.unwrap_or_default(), DataLanguage::Yaml, |path, value| {
                is_set |= matches!(path, [Step::Member(name)] if &**name == key) && value == "true";
            });
            is_set
        };
        if !is_given("try") && !is_given("multiviews") && self.setting.is_none_or(is_set) {
            let tries: Vec<TryPattern> =
                self.tries.iter().filter_map(|it| it.parse().ok()).collect();
            *server = std::mem::take(server).with_tries(tries);
            server.ignores_slash = self.ignores_slash;
        }
        server.own_rules = self.own_rules;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_the_values() {
        for host in HOSTS.iter().filter(|it| !it.help.ends_with("as netlify")) {
            let index = format!("--index-files {}", host.index_files.join(","));
            assert!(host.help.contains(&index), "{}", host.name);
            for pattern in host.tries {
                assert!(host.help.contains(&format!("--try '{pattern}'")), "{}", host.name);
            }
            let reads = match host.own_rules {
                OwnRules::In(RedirectSyntax::Netlify) => "reads _redirects",
                OwnRules::In(_) => "reads .htaccess",
                _ => "file of redirects",
            };
            assert!(host.help.contains(reads), "{}", host.name);
        }
    }
}
