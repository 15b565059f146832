//! `--mount`: directories of SITE that are published at URLs of their own, given or guessed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::command_line::command_name;
use super::exit::{CliError, usage_error};
use super::terminal;
use rehref_corpus::Corpus;
use rehref_corpus::files::with_file_bytes;
use rehref_document::{FileKind, file_kind};
use rehref_site::plural::number;
use rehref_site::{EntryKind, SiteUrl};

/// A value of `--mount`.
#[derive(Clone, Debug)]
pub(super) struct Mount {
    url: SiteUrl,
    /// Below SITE.
    directory: PathBuf,
}

impl FromStr for Mount {
    type Err = String;

    fn from_str(given: &str) -> Result<Mount, String> {
        let Some((url, directory)) = given.split_once('=') else {
            return Err(format!("write URL=DIR, like https://cdn.example/={given}"));
        };
        let (url, _) = SiteUrl::parse(url).map_err(|error| error.to_string())?;
        let directory = directory.trim_start_matches("./").trim_matches('/');
        if directory.is_empty() {
            return Err(
                "the directory after = is missing\nhelp: for the root of the site, use --url"
                    .to_owned(),
            );
        }
        Ok(Mount { url, directory: directory.into() })
    }
}

/// The directories at the top of mirrors that do not belong to a host.
const NOT_HOSTS: &[&str] = &["hts-cache"];

/// Mounts `given` in `corpus`. Without any, guesses them: all directories at the root of the tree, if they have the names of
/// several hosts. Mounts these if the URL of the root `is_unknown`, and warns if it `is_given`.
pub(super) fn mount(
    corpus: &mut Corpus,
    given: &[Mount],
    is_unknown: bool,
    is_given: bool,
) -> Result<(), CliError> {
    let is_directory = |path: &Path| {
        let mut entries = corpus.walk.entries.iter();
        entries.any(|it| it.path == path && it.kind == EntryKind::Directory)
    };
    if let Some(missing) = given.iter().find(|it| !is_directory(&it.directory)) {
        let (url, directory) = (missing.url.url(), missing.directory.display());
        return usage_error(format!(
            "--mount {url}={directory}: the site has no directory {directory}\nhelp: the path is relative to the site; pass a directory as the site that contains all mounted ones"
        ));
    }
    let mut mounts: Vec<(SiteUrl, PathBuf)> =
        given.iter().map(|it| (it.url.clone(), it.directory.clone())).collect();
    if mounts.is_empty() && (is_unknown || is_given) {
        let guessed = guessed(corpus)?;
        let named = match guessed.as_slice() {
            [] if is_given => {
                warn_of_host(corpus);
                return Ok(());
            }
            [] => return Ok(()),
            // Each has two.
            [(first, _), ..] => {
                let others = number(guessed.len() / 2 - 1);
                format!("{} and {others} more", first.url())
            }
        };
        if !is_unknown {
            let help = match command_name() == "compare" {
                true => "compare one host at a time: pass its directory",
                false => "remove --url, or add --mount URL=DIR for each directory",
            };
            terminal::warning(format!(
                "each directory of the site has the name of a host ({named}), but --url makes them one site, so links to \
                 these hosts stay as they are\nhelp: {help}"
            ));
            return Ok(());
        }
        terminal::note(format!(
            "each directory of the site has the name of a host, so rehref reads it as the site of this host: {named}\nhelp: for other URLs, use --mount URL=DIR\nhelp: for one site, use --url"
        ));
        mounts = guessed;
    }
    if !mounts.is_empty() {
        let site_url = corpus.site_url.clone().with_mounts(mounts);
        corpus.publish_at(site_url);
    }
    Ok(())
}

/// Warns of a directory with the name of the host of `--url`, in which a program that downloads sites has written them.
fn warn_of_host(corpus: &Corpus) {
    let url = corpus.site_url.url();
    let host = url.before_path().split_once("://").map_or("", |(_, host)| host);
    if host.is_empty() || !corpus.root.join(host).is_dir() {
        return;
    }
    terminal::warning(format!(
        "the site has a directory {host}, with the name of the host of --url, so its URLs begin with {url}{host}/\nhelp: pass that directory instead, or mount it without --url: --mount {}/={host}",
        url.before_path()
    ));
}

/// The directories at the root of `corpus`, with the URLs of the hosts that their names are. None if there are other
/// directories, or only one, or a page that is not an overview of HTTrack, or if the links between the directories do not
/// name these hosts.
fn guessed(corpus: &Corpus) -> Result<Vec<(SiteUrl, PathBuf)>, CliError> {
    let directories = corpus.walk.entries.iter().filter(|it| it.kind == EntryKind::Directory);
    let top = directories.filter(|it| it.path.components().count() == 1);
    let names = top.map(|it| it.path.to_string_lossy());
    let names: BTreeSet<Cow<'_, str>> =
        names.filter(|it| !it.starts_with('.') && !NOT_HOSTS.contains(&&**it)).collect();
    if names.len() < 2 || !names.iter().all(|name| is_host(name)) {
        return Ok(Vec::new());
    }
    let mut files = corpus.files().filter(|it| it.components().count() == 1);
    let is_httrack = corpus.walk.entries.iter().any(|it| it.path == Path::new("hts-cache"));
    if !is_httrack && files.any(|it| corpus.index_files.has(it)) {
        return Ok(Vec::new());
    }
    let Some(hosts) = hosts(corpus, &names).filter(|hosts| !hosts.is_empty()) else {
        return Ok(Vec::new());
    };
    // The scheme of a host that no link names is that of the others.
    let all = hosts.values().fold([0, 0], |[http, https], it| [http + it[0], https + it[1]]);
    let mut mounts = Vec::new();
    for name in &names {
        // The first scheme is the one that counts where a link does not say it.
        let [http, https] = hosts.get(&**name).copied().unwrap_or(all);
        let schemes = if http > https { ["http", "https"] } else { ["https", "http"] };
        for scheme in schemes {
            let (url, _) = SiteUrl::parse(&format!("{scheme}://{name}/"))?;
            mounts.push((url, PathBuf::from(&**name)));
        }
    }
    Ok(mounts)
}

/// The scheme of most links of `corpus` to the host `name`.
pub(super) fn scheme_of(corpus: &Corpus, name: &str) -> &'static str {
    let hosts = hosts(corpus, &BTreeSet::from([Cow::Borrowed(name)]));
    let [http, https] = hosts.and_then(|it| it.get(name).copied()).unwrap_or_default();
    if http > https { "http" } else { "https" }
}

/// The directories of `names` that links of `corpus` name as hosts, with the numbers of these links with `http:` and
/// with `https:`. `None` if a link leads from one directory to another on disk (`../NAME/`): a mirroring tool has
/// converted the links.
fn hosts(corpus: &Corpus, names: &BTreeSet<Cow<'_, str>>) -> Option<BTreeMap<String, [usize; 2]>> {
    let mut hosts = BTreeMap::new();
    for path in corpus.files() {
        if file_kind(path.file_name().unwrap_or_default()) == FileKind::Other {
            continue;
        }
        let is_converted = with_file_bytes(&corpus.root.join(path), |bytes, _| {
            add_hosts(bytes, names, &mut hosts).is_none()
        });
        // The run itself reports a file that cannot be read.
        if is_converted.unwrap_or_default() {
            return None;
        }
    }
    Some(hosts)
}

/// As [`hosts`], for the `bytes` of a document.
fn add_hosts(
    bytes: &[u8],
    names: &BTreeSet<Cow<'_, str>>,
    hosts: &mut BTreeMap<String, [usize; 2]>,
) -> Option<()> {
    for at in memchr::memchr_iter(b'/', bytes) {
        let (before, after) = bytes.split_at_checked(at + 1)?;
        let is_relative = before.ends_with(b"../");
        if !is_relative && !before.ends_with(b"//") {
            continue;
        }
        let is_end = |b: &u8| !b.is_ascii_alphanumeric() && !b"-.:".contains(b);
        let end = after.iter().position(is_end).unwrap_or(after.len());
        let named = after.get(..end).and_then(|it| std::str::from_utf8(it).ok());
        let Some(named) = named.filter(|it| names.contains(*it)) else { continue };
        if is_relative && after.get(end) == Some(&b'/') {
            return None;
        }
        if !is_relative {
            let [http, https] = hosts.entry(named.to_owned()).or_default();
            *http += usize::from(before.ends_with(b"http://"));
            *https += usize::from(before.ends_with(b"https://"));
        }
    }
    Some(())
}

/// Returns true if `name` looks like the name of a host, perhaps with a port: `example.org`, `127.0.0.1`,
/// `localhost:8000`.
pub(super) fn is_host(name: &str) -> bool {
    let (host, port) = name.split_once(':').map_or((name, None), |(host, port)| (host, Some(port)));
    let is_port = port.is_none_or(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
    let labels: Vec<&str> = host.split('.').collect();
    let in_label = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let are_labels = labels.iter().all(|it| !it.is_empty() && it.bytes().all(in_label));
    let is_number = |it: &&str| it.parse::<u8>().is_ok();
    let is_address = labels.len() == 4 && labels.iter().all(is_number);
    let last = labels.last().copied().unwrap_or_default();
    let is_domain =
        labels.len() > 1 && last.len() > 1 && last.bytes().all(|b| b.is_ascii_alphabetic())
            || last.starts_with("xn--") && labels.len() > 1;
    is_port && are_labels && (is_address || is_domain || host == "localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_hosts_are_recognized() {
        for (name, expected) in [
            ("example.org", true),
            ("a-b.example.xn--p1ai", true),
            ("127.0.0.1:8000", true),
            ("localhost:8000", true),
            ("localhost", true),
            ("docs", false),
            ("v1.2", false),
            ("1.2.3", false),
            ("a..b", false),
            ("a_b.example", false),
            ("example.org:", false),
            (".well-known", false),
        ] {
            assert_eq!(is_host(name), expected, "{name}");
        }
    }
}
