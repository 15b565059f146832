//! The URL at which the host of a repository shows its files.

use std::fs;
use std::path::Path;

use super::exit::{CliError, usage_error};
use rehref_corpus::files::work_tree_of;
use rehref_site::{SiteUrl, path_in_url, with_slash};
use rehref_url::Url;

/// Hosts that show files, each with what stands before the name of the branch.
const HOSTS: &[(&str, &str)] = &[("github.com", "blob"), ("gitlab.com", "-/blob")];

/// Returns the URL at which the host of the repository around `root`, a canonical path, shows the files below `root`, as the
/// configuration of the repository says; `None` if it is not known.
pub(super) fn of(root: &Path) -> Option<SiteUrl> {
    let tree = work_tree_of(root)?;
    let read = |name: &str| fs::read_to_string(tree.join(".git").join(name)).ok();
    let (config, head) = (read("config")?, read("HEAD")?);
    let branch = head.trim().strip_prefix("ref: refs/heads/")?;
    let below = with_slash(&path_in_url(root.strip_prefix(&tree).ok()?));
    let url = of_remote(remote(&config)?, branch)? + &below;
    Some(SiteUrl::parse(&url).ok()?.0)
}

/// Refuses the URL of a repository itself, below which its host shows no files.
pub(super) fn refuse(url: &Url) -> Result<(), CliError> {
    let host = url.before_path().split_once("://").map_or("", |(_, host)| host);
    let Some((_, blob)) = HOSTS.iter().find(|(name, _)| *name == host) else { return Ok(()) };
    let path = url.path().trim_matches('/');
    if path.split('/').count() != 2 {
        return Ok(());
    }
    let images = match host {
        "github.com" => {
            format!(" --image-url https://raw.githubusercontent.com/{path}/main/")
        }
        _ => String::new(),
    };
    usage_error(format!(
        "--url {url}: this is a repository, and {host} shows no files at such URLs\nhelp: write the branch, too: --url https://{host}/{path}/{blob}/main/{images}"
    ))
}

/// The URL of the remote repository `origin` in the configuration of git.
fn remote(config: &str) -> Option<&str> {
    let lines = config.lines().map(str::trim);
    let section = lines.skip_while(|it| *it != "[remote \"origin\"]").skip(1);
    let mut keys =
        section.take_while(|it| !it.starts_with('[')).filter_map(|it| it.split_once('='));
    keys.find(|(key, _)| key.trim() == "url").map(|(_, url)| url.trim())
}

/// The URL of the directory of files on `branch` of the repository at `remote`.
fn of_remote(remote: &str, branch: &str) -> Option<String> {
    let rest = remote.split_once("://").map_or(remote, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let (host, path) = rest.split_once(['/', ':'])?;
    let (_, blob) = HOSTS.iter().find(|(name, _)| *name == host)?;
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    Some(format!("https://{host}/{path}/{blob}/{branch}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remote_tells_the_url_of_files() {
        let url = |url: &str| {
            let config = format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n");
            remote(&config).and_then(|it| of_remote(it, "main"))
        };
        for remote in
            ["https://github.com/o/r.git", "git@github.com:o/r.git", "ssh://git@github.com/o/r"]
        {
            assert_eq!(
                url(remote).as_deref(),
                Some("https://github.com/o/r/blob/main/"),
                "{remote}"
            );
        }
        assert_eq!(
            url("https://gitlab.com/o/r").as_deref(),
            Some("https://gitlab.com/o/r/-/blob/main/")
        );
        assert_eq!(url("../r"), None);
    }
}
