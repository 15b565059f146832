//! The tables of words from other tools.

/// Options of other tools, and ours. The first that the command has is meant.
#[rustfmt::skip]
pub(in crate::cli) const OPTIONS: &[(&[&str], &[&str])] = &[
    (&["--json"], &["--format json", "--format jsonl"]),
    (&["--jsonl"], &["--format jsonl", "--format json"]),
    (&["--csv"], &["--format csv"]),
    (&["--parquet"], &["--format parquet"]),
    (&["--sarif"], &["--format sarif"]),
    (&["--junit"], &["--format junit"]),
    (&["--html-report", "--html-file"], &["--format html"]),
    (&["--report", "--output-format"], &["--format"]),
    (&["--output", "--output-dir", "--dest", "--destination", "-O", "-P", "--directory-prefix", "--backup",
        "--dir"], &["--out"]),
    (&["--inplace", "--write", "-i"], &["--in-place"]),
    (&["--overwrite", "-f"], &["--force"]),
    (&["--style"], &["--form"]),
    (&["--patch"], &["--diff"]),
    (&["--preview"], &["--dry-run"]),
    (&["--site-url", "--root-url", "--domain", "--prefix", "--host", "--root", "--base", "-u"], &["--url"]),
    (&["--alias", "--swap-urls"], &["--also"]),
    (&["--ignore-file", "--ignore-files"], &["--exclude"]),
    (&["--filter", "--glob", "-g"], &["--include"]),
    (&["--explain", "--list-checks"], &["rehref explain"]),
    (&["--severity", "--min-severity"], &["--min-level"]),
    (&["--select", "--check-only", "--rule", "--type", "--checks"], &["--only"]),
    (&["--disable", "--skip", "--allow"], &["--level CHECK=off"]),
    (&["--silent"], &["--quiet"]),
    (&["--parallel", "--workers", "--max-concurrency"], &["--jobs"]),
    (&["--check-anchors", "--include-fragments"], &["--fragments known"]),
    (&["--no-anchors", "--no-check-internal-hash"], &["--fragments off"]),
    (&["--convert-links", "-k"], &["--offline"]),
    (&["--encoding"], &["--charset"]),
    (&["--index"], &["--directory-links", "--index-files"]),
    (&["--redirect"], &["--write-redirects", "--redirects"]),
    (&["--pattern"], &["--regex"]),
    (&["--from"], &["--map", "--include"]),
    (&["--moves"], &["--map"]),
    (&["--summary"], &["--format json"]),
    (&["--github"], &["--format github"]),
    (&["--strict"], &["--fail-on warning"]),
    (&["--errors-only", "--no-warnings"], &["--min-level error"]),
    (&["--exit-zero", "--no-fail"], &["--fail-on never"]),
    (&["--allow-hash-href"], &["--level empty-reference=off"]),
    (&["--ext", "--extensions", "-e"], &["--html GLOB"]),
    (&["--output-file"], &["--format FORMAT=FILE"]),
    (&["--relative"], &["--relativize"]),
    (&["--url"], &["--base"]),
    (&["-b"], &["--url", "--base"]),
    (&["--debug", "--log-level"], &["--verbose"]),
];

/// Options that commands do not need, and what to type instead; then those that no command needs, such as options
/// of tools that ask servers, or that ask before they write.
#[rustfmt::skip]
pub(in crate::cli) const NEEDLESS: &[(&str, &[&str], &str)] = &[
    ("explain", &["--all", "--list"], "`rehref explain` alone lists all checks"),
    ("config", &["--list", "-l", "--get", "--show", "--all"], "`rehref config` alone prints all settings"),
    ("config", &["--url", "--set", "--only", "--ignore", "--level", "--fail-on", "--init", "--edit", "--create"],
        WRITE_SETTING),
    ("completions", &["--shell"], "SHELL is an argument: `rehref completions bash`"),
    ("completions", &["--install", "-o", "--out", "--output"],
        "the command prints the script: `source <(rehref completions bash)`, or `> FILE` in the shell's \
         directory for completions"),
    ("man", &["-l"], "`rehref man move | man -l -` shows the page of a command"),
    ("man", &["-k", "--list"], "`rehref --help` lists the commands; `rehref man links` prints the page of one"),
    ("man", &["-o", "--out", "--output"], "the command prints the page: `rehref man audit > rehref-audit.1`"),
    ("man", &["--install"],
        "the command prints the page: `rehref man audit > DIRECTORY/man1/rehref-audit.1`"),
    ("man", &["--format"], "`rehref man audit | man -l -` shows the page"),
    ("audit", &["-f"], "use `--format`, like `--format json`"),
    ("links", &["-f"], "use `--format`, like `--format csv`"),
    ("audit", &["--output"], "to write a report to a file, add `--format html=FILE`"),
    ("audit", &["--exclude-url", "--ignore-url", "--ignore-urls", "--exclude-link"],
        "to ignore findings by target, add `--ignore 'target:GLOB'`; audit never fetches external links"),
    ("audit", &["--offline"], "audit never fetches anything; omit the option"),
    ("links", &["--offline"], "links never fetches anything; omit the option"),
    ("links", &["--dump", "--list", "--all"], "links prints every link; `--format urls` prints only the URLs"),
    ("links", &["--internal-only", "--internal"], "use `--only internal`"),
    ("links", &["--external-only", "--external"], "use `--only external`"),
    ("links", &["--unique", "--uniq"], "`--format urls` prints each target once"),
    ("links", &["-o", "--out", "--output"], "to write to a file, add `--format csv=FILE`"),
    ("links", DRY, "links changes nothing; omit the option"),
    ("verify", &["-o", "--out", "--output"], "to write a report to a file, add `--format json=FILE`"),
    ("verify", DRY, "verify changes nothing; omit the option"),
    ("verify", &["--before", "--after", "--old", "--new"],
        "BEFORE and AFTER are arguments: `rehref verify BEFORE AFTER`"),
    ("base resolve", &["-o", "--out", "--output"], "to write to a file, add `--format json=FILE`"),
    ("base", &["--set", "--write", "--in-place"],
        "base only prints; to write base elements, use `rehref absolute SITE --base-element URL`"),
    ("base", &["--base"], "use `--url`, the URL of the document"),
    ("move", &["-r", "-R", "--recursive"], "a directory moves with all its files; omit the option"),
    ("move", &["-e", "--expression"], "to move files by pattern, use `--regex 'old/(.*)=new/$1'`"),
    ("move", &["-f"],
        "to move the files of SITE itself, use `--in-place`; to replace files of an output, use `--out OUT --force`"),
    ("", &["--accept", "--timeout", "--external", "--disable-external", "--check-external", "--cache", "--follow",
          "--max-retries", "--retry", "--user-agent", "--header", "--insecure", "--method", "--remap"],
        "rehref fetches nothing; to check external links, pass the output of `rehref links SITE --only external \
         --format urls` to a link checker"),
    ("", &["--hidden", "-H"], "rehref always processes hidden files, such as .well-known; omit the option"),
    ("", &["--format-in", "--input-format", "--from-format"],
        "rehref recognizes an archive on stdin by its first bytes; omit the option"),
    ("", &["--no-gitignore", "--no-ignore", "--no-ignore-vcs"],
        "rehref reads the files that git ignores, unless --gitignore is given; omit the option"),
    ("", &["-r", "--recursive", "--mirror"], "rehref always reads the whole tree below SITE; omit the option"),
    ("", &["-y", "--yes", "--no-confirm"], "rehref never asks; omit the option"),
    ("", &["-a", "--archive"],
        "rehref always copies permissions, and the times of unchanged files; omit the option"),
    ("", &["-z", "--compress"], "rehref copies files on this disk; omit the option"),
    ("", &["-k", "--convert-links"], CONVERT_LINKS),
    ("", &["--base-path", "--path-prefix", "--baseurl-path"],
        "give the whole URL at which SITE is published, like `--url https://example.org/docs/`"),
    ("", &["--max-depth", "--depth", "-l"],
        "rehref reads the whole tree below SITE; `--include` and `--exclude` select documents"),
    ("", &["--check-html", "--check-markup"], "rehref checks links, not markup; omit the option"),
    ("", &["--no-external", "--internal-only", "--no-network", "--no-check-external"],
        "rehref never reads from the network; omit the option"),
    ("", &["--no-verify"], "without --verify, rehref verifies nothing; omit the option"),
    ("", &["--exclude-from", "--exclude-file"],
        "repeat `--exclude` for each glob, or list the globs in rehref.toml: exclude = [\"drafts/\"]"),
    ("", &["--include-from"],
        "repeat `--include` for each glob, or list the globs in rehref.toml: include = [\"docs/\"]"),
    ("", &["--watch"], "rehref does not watch files; run the command after each build"),
    ("", &["--root-dir"], "SITE is the root directory; omit the option"),
    ("", &["--delete"], "--out writes to a new directory, which contains nothing to delete; omit the option"),
    ("", &["--amend"], "rehref keeps no history; omit the option"),
    ("", &["--ignore-case"], "the check wrong-case reports names in the wrong letter case; `--level wrong-case=off` \
        disables the check"),
    ("", &["--sources"], "the audit reports places in SITE; `--source-url` links these to a code host"),
];

const DRY: &[&str] = &["-n", "--dry-run", "--diff", "--check", "--in-place"];

/// The equivalent of `wget -k`.
pub(in crate::cli) const CONVERT_LINKS: &str =
    "to convert links as wget -k does, use `rehref relative SITE --offline --out OUT`";

pub(in crate::cli) const WRITE_SETTING: &str = "config only prints settings; to set one, write it to rehref.toml, like \
    url = \"https://example.org/docs/\"";

/// Words for values of ours, where the parser's nearest name is another.
#[rustfmt::skip]
pub(in crate::cli) const VALUES: &[(&str, &str)] = &[
    ("broken-link", "broken-target"), ("broken-links", "broken-target"), ("dead-links", "broken-target"),
    ("dead-link", "broken-target"), ("missing-file", "broken-target"), ("404", "broken-target"),
    ("missing-id", "broken-fragment"), ("broken-anchor", "broken-fragment"), ("broken-anchors", "broken-fragment"),
    ("none", "never"), ("broken", "--broken"), ("error", "--min-level error"), ("warning", "--min-level warning"),
];

/// Formats of few commands, each with its commands.
pub(in crate::cli) const FORMAT_OWNERS: &[(&str, &str)] = &[
    ("csv", "only `rehref links SITE` has the format csv"),
    ("parquet", "only `rehref links SITE` and `rehref audit SITE` have the format parquet"),
];

/// How a row of [`OPTIONS`] begins that names a command.
pub(in crate::cli) const COMMAND: &str = "rehref ";

/// Commands of other tools and other words for ours.
#[rustfmt::skip]
pub(in crate::cli) const COMMANDS: &[(&[&str], &str)] = &[
    (&["rename", "ren", "relocate", "migrate"], "move"),
    (&["abs", "absolutize", "make-links-absolute"], "absolute"),
    (&["rel", "relativize"], "relative"),
    (&["offline"], "relative --offline"),
    (&["lint", "test", "validate", "broken", "scan", "checklinks", "check-links"], "audit"),
    (&["fix"], "audit --fix"),
    (&["list", "extract", "ls", "dump"], "links"),
    (&["diff", "compare", "prove"], "verify"),
    (&["join", "urljoin"], "resolve"),
    (&["completion"], "completions"),
    (&["manual"], "man"),
    (&["version"], "--version"),
];

/// Commands of tools that ask or are servers.
#[rustfmt::skip]
pub(in crate::cli) const NO_COMMANDS: &[(&[&str], &str)] = &[
    (&["fetch", "mirror", "download", "crawl", "get"],
        "rehref fetches nothing; download the site with `wget --mirror URL`, then run `rehref audit DIRECTORY`"),
    (&["init", "setup", "new", "config-init"],
        "rehref needs no setup; start with `rehref audit SITE`; rehref reads settings from rehref.toml, if it exists"),
    (&["serve", "server", "watch"], "rehref has no server; `rehref audit SITE` checks a site on disk"),
    (&["rewrite", "replace", "convert", "transform"], "use `rehref absolute`, `rehref relative` or `rehref move`"),
    (&["update", "upgrade", "install"], "rehref does not update itself; to update it, install it again"),
];
