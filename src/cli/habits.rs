//! Words that people type by habit, from other tools, and what to type instead.
//!
//! A word that means the same as an option or a command of ours is a hidden alias in its definition. The table here has
//! the others; it comes before the parser's own suggestions, which only compare letters.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::{PossibleValue, StyledStr};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgAction, Command};

use rehref_audit::checks::CHECKS;
use rehref_corpus::folder_of;
use rehref_site::nearest::nearest;

/// The commands to which people type a word, separated by spaces (empty for any), the words, and the advice, in which
/// `{word}` is the word and `{command}` the command. The first row counts.
///
/// `<SITE>` and `--fix` are also arguments that are missing, `--html=` is an option whose value is missing, `--url+` an
/// option that is given twice; `--*` is any other option, and `*` any other word.
#[rustfmt::skip]
const HABITS: &[(&str, &str, &str)] = &[
    ("rehref", "fetch mirror download crawl get",
        "rehref fetches nothing; download the site with `wget --mirror URL`, then run `rehref audit DIRECTORY`"),
    ("rehref", "init setup new",
        "rehref needs no setup; start with `rehref audit SITE`; rehref reads settings from rehref.toml, if it exists"),
    ("rehref", "serve server watch", "rehref has no server; `rehref audit SITE` checks a site on disk"),
    ("rehref", "orphans orphan", "use `rehref audit SITE --entry index.html --only orphan`"),
    ("rehref", "undo revert restore rollback",
        "rehref keeps no old versions; with --out, the site stays unchanged, and after --in-place git or a backup restores it"),
    ("rehref", "graph map", "`rehref links SITE --format csv` prints each link with its document and its target"),
    ("rehref", "stats count summary", "the last lines of `rehref audit SITE` count documents and links"),
    ("rehref", "rewrite replace convert transform", "use `rehref absolute`, `rehref relative` or `rehref move`"),
    ("rehref", "diff prove", "`rehref verify` proves that a rewrite kept every link; `rehref compare` finds what a new site has lost"),
    ("rehref", "fix",
        "use `rehref audit SITE --fix --in-place`; with `--dry-run` in place of `--in-place`, it only lists the changes"),
    ("rehref", "update upgrade install", "rehref does not update itself; install it again to update it"),
    ("rehref", "offline", "use `rehref relative --offline`"),
    ("rehref", "-v version", "`rehref -V` prints the version; otherwise a command comes first, as in `rehref audit SITE`"),
    ("rehref", "--mirror --page-requisites --no-parent -m -p -np -nc -N --wait -w --limit-rate",
        "rehref fetches nothing; download the site with `wget --mirror --page-requisites URL`, then run `rehref relative DIRECTORY --url URL --offline --out OUT`"),
    ("rehref", "--*", "a command comes first, as in `rehref audit SITE`; `rehref COMMAND --help` prints all its options"),

    ("move", "<SITE>", "pass the root directory of the site first, as in `rehref move public old.html=new.html`"),
    ("base", "<FILE>", "pass a document; to read one from stdin, pass `-` and --url"),
    ("compare", "<NEW>",
        "pass two states of the site: `rehref compare OLD NEW`; OLD can be a revision of git, as in `rehref compare git:HEAD~1 public`"),
    ("verify", "<AFTER>",
        "pass two trees: the site before a rewrite, and the site after the rewrite; to check one site, use `rehref audit SITE`"),
    ("completions", "<SHELL> --shell", "pass a shell: `rehref completions bash` (or elvish, fish, powershell, zsh)"),
    ("resolve", "--base",
        "resolve reads no files; pass the URL of the document: `rehref resolve --base https://example.org/docs/page.html ../style.css`"),
    ("move compare", "--url",
        "pass the URL at which the site is published today; if only links relative to the site exist, any URL will do: `--url https://old.invalid/`"),
    ("resolve", "--relativize", "--form is the spelling of the references that --relativize prints; add --relativize"),
    ("audit", "--fix",
        "audit changes nothing without --fix, and fails if it finds an error (see --fail-on); to write a report to a \
         file, use `--format FORMAT=FILE`, like `--format html=report.html`"),
    ("absolute relative links", "<SITE>", "pass the root directory of the site, as in `rehref {command} public`, or - for a document on stdin"),
    ("", "<SITE>", "pass the root directory of the site, as in `rehref {command} public`"),
    ("", "--url= --also= --new-url= --base= --base-element=",
        "write a whole URL, like https://example.org/docs/, or check whether a variable is set"),
    ("", "--html=", "for a report, use `--format html=FILE`"),
    ("", "--write-redirects=", "pass a format, like netlify; `rehref move --help` lists them"),
    ("", "--in-place=", "rehref keeps no backup copies; use `--out DIR`, or commit the site first and use `--in-place` without a value"),
    ("", "--url+",
        "to change the URL of a site, use `rehref move SITE --url OLD --new-url NEW`; to add another URL of the same site, use `--also`"),

    ("audit explain", "broken-link broken-links dead-link dead-links missing-file 404", "use `broken-target`"),
    ("audit explain", "missing-id broken-anchor broken-anchors", "use `broken-fragment`"),
    ("audit compare", "--format=xml", "use `--format junit`"),
    ("audit", "error warning", "use `--min-level {word}`"),
    ("links", "broken", "use `--broken`"),
    ("resolve", "absolute", "`rehref resolve` without --relativize prints absolute URLs"),
    ("relative", "absolute", "use `rehref absolute` to make the links of a site absolute"),

    ("explain config", "--all --list --show --get", "`rehref {command}` alone prints all"),
    ("config", "--* *", "config only prints settings; to set one, write it to rehref.toml, like url = \"https://example.org/docs/\""),
    ("completions man", "--install --output --out -o",
        "the command prints to stdout: `rehref completions bash > FILE`, `rehref man audit > rehref-audit.1`"),
    ("man", "-l -k --list --format", "`rehref man move | man -l -` shows the page of a command; `rehref --help` lists the commands"),
    ("audit links", "-f", "use `--format`, like `--format json`"),
    ("links verify base resolve", "-o --out --output", "to write to a file, add `--format FORMAT=FILE`"),
    ("links verify", "-n --dry-run --diff --check --in-place", "{command} changes nothing; remove the option"),
    ("audit", "--exclude-url --ignore-url --ignore-urls --exclude-link",
        "to ignore findings by target, add `--ignore 'target:GLOB'`; audit never fetches external links"),
    ("audit", "--orphans --orphan --find-orphans --unused", "use `--only orphan --entry index.html`"),
    ("man", "--html --pdf --text --markdown", "man prints the format of `man -l -`; docs/reference/commands has the same pages"),
    ("move", "--delete --remove --rm", "move deletes nothing; delete the file, then `rehref audit SITE` lists the links to it"),
    ("audit", "--skip", "to disable a check, use `--level CHECK=off`; to leave out documents, use `--exclude 'DIR/**'`"),
    ("audit", "--disable --allow", "use `--level CHECK=off`"),
    ("audit", "--max-results --max --limit --max-findings --top",
        "the report has a finding for each cause; to see fewer, add `--min-level error` or `--only CHECK`"),
    ("audit", "--stats --summary --count", "the last lines of the report count documents, links and findings; remove the option"),
    ("audit", "--sitemap", "audit reads the sitemap of the site like any other document; remove the option"),
    ("audit", "--enforce-https --https --require-https",
        "`rehref links SITE --only external --format urls` prints external links, among them those with http:"),
    ("audit links", "--remap --rewrite --url-swap --swap-urls",
        "if a URL is another URL of the same site, add `--also URL`; if its files are in another directory, add `--mount URL=DIR`"),
    ("", "--clean-urls --fallback-extensions --assume-extension --index-extensions --extension",
        "name the files that the server sends for a URL: `--try '{}.html'`"),
    ("", "--changed --since --staged --diff-only",
        "to read only changed documents, list them: `git diff --name-only main | rehref {command} SITE --files-from -`"),
    ("audit", "--check-anchors --include-fragments", "use `--fragments known`"),
    ("audit", "--no-anchors --no-check-internal-hash", "use `--fragments off`"),
    ("audit", "--max-warnings --fail-on-warnings --bail --fail-fast", "use `--fail-on warning`"),
    ("audit", "--ignore-pattern --ignore-path",
        "to leave out documents, use `--exclude 'DIR/**'`; to ignore findings by target, use `--ignore 'target:GLOB'`"),
    ("", "--reporter --reporters", "use `--format`, like `--format github`"),
    ("audit links compare verify", "--base", "for a site below a path, pass its whole URL: `--url https://example.org/docs/`"),
    ("", "--public-path --prefix --server-root --assetPrefix", "pass the URL at which the site is published: `--url https://example.org/docs/`"),
    ("", "--dist --dest --outDir --target --build-dir --cwd", "SITE, the first argument, is the directory to read, and `--out DIR` the output"),
    ("", "--clean --emptyOutDir", "`--force` replaces files of the same name and deletes none; remove the output first"),
    ("", "--port --serve --open --ci --mode", "rehref needs no {word}: it reads files; remove the option"),
    ("audit", "--strict", "use `--fail-on warning`"),
    ("audit", "--errors-only --no-warnings", "use `--min-level error`"),
    ("audit", "--exit-zero --no-fail", "use `--fail-on never`"),
    ("links", "--internal-only --internal", "use `--only internal`"),
    ("links", "--external-only --external", "use `--only external`"),
    ("links", "--dump --list --all --unique --uniq",
        "links prints every link; `--format urls` prints only the URLs, each once"),
    ("verify", "--internal-only --internal --external-only --external",
        "verify compares all links, and fetches nothing; remove {word}"),
    ("verify", "--before --after --old --new", "the two trees are arguments: `rehref verify BEFORE AFTER`"),
    ("base", "--set --write --in-place",
        "base only prints; to write base elements, use `rehref absolute SITE --url URL --base-element URL`"),
    ("move", "-r -R --recursive", "a directory moves with all its files; remove the option"),
    ("move", "-e --expression", "to move files by pattern, use `--regex 'old/(.*)=new/$1'`"),
    ("move", "-> =", "write a move as OLD=NEW, like old.html=new.html"),
    ("move", "-f",
        "remove {word}; to move the files of the site itself, add `--in-place`; to replace files of an output, use `--out OUT --force`"),
    ("", "-i --write --inplace", "use `--in-place`; rehref keeps no backup copies"),
    ("", "--overwrite", "use `--force`"),
    ("", "--adjust-extension --html-extension -E",
        "rehref does not rename files by their type; remove {word}; to rename files, use `rehref move SITE --regex PATTERN=NEW`"),
    ("", "--page-requisites --no-parent --mirror --span-hosts -m -p -N --timestamping -np -nc",
        "rehref fetches nothing; download the site with `wget --mirror --page-requisites URL`, then pass its directory: `rehref {command} DIRECTORY`"),
    ("audit links", "--offline", "{command} never fetches anything; remove the option"),
    ("", "--explain --list-checks", "use `rehref explain`"),
    ("", "--report --output-format", "use `--format`"),
    ("", "--output-file", "use `--format FORMAT=FILE`"),
    ("", "--ext --extensions -e", "use `--html GLOB`"),
    ("", "--accept --timeout --external --disable-external --check-external --cache --follow --max-retries --retry \
          --user-agent --header --insecure --method --remap --no-external --internal-only --no-network",
        "rehref fetches nothing; to check external links, pass the output of `rehref links SITE --only external \
         --format urls` to a link checker"),
    ("", "-u", "use `--url`"),
    ("", "-d -D", "use `--out`"),
    ("", "--watch", "rehref does not watch files; run it again after each build"),
    ("", "--delete", "an output directory must be empty, so that nothing is left in it; remove the directory first"),
    ("audit compare", "--fail-on=none --fail-on=off --fail-on=no", "use `--fail-on never`"),
    ("audit compare", "--fragments=none --fragments=no", "use `--fragments off`"),
    ("", "--hidden -H --no-gitignore --no-ignore -r -R --recursive --recurse -a --archive --max-depth --depth",
        "remove {word}; rehref always reads the whole tree below the site, and copies its permissions; `--include`, `--exclude` and `--gitignore` select documents"),
    ("", "--root-dir --root --input --source --site", "remove {word}; SITE, the first argument, is the root directory: `rehref {command} public`"),
    ("", "-y --yes --no-confirm --no-verify -z --compress",
        "rehref never asks, and does only what the options say; remove {word}"),
    ("", "--base-path --path-prefix --baseurl-path",
        "pass the whole URL at which the site is published, like `--url https://example.org/docs/`"),
    ("", "--check-html --check-markup", "rehref checks links, not markup; remove the option"),
    ("", "--exclude-from --exclude-file --include-from",
        "repeat the option for each glob, or list the globs in rehref.toml: exclude = [\"drafts/\"]"),
    ("", "-k --convert-links", "to convert links as wget -k does, use `rehref relative SITE --offline --out OUT`"),
    ("resolve", "--*", "if `{word}` is a reference, put `--` before it: `rehref resolve --base URL -- {word}`"),

    ("absolute relative", "*",
        "{command} accepts only one site; to write to `{word}`, add `--out {word}`; to select documents or archives, pass their directory, and add `--include GLOB`"),
    ("audit", "*",
        "audit accepts only one site; run it again for another site; to select documents or archives, pass their directory, and add `--include GLOB`"),
    ("links", "*",
        "links accepts only one site; to select documents or archives, pass their directory, and add `--include GLOB`; to print the links to one page, add `--to {word}`"),
    ("verify", "*", "pass the site before, the site after, then the moves, like old.html=new.html"),
    ("base", "<URL> <FILE>*",
        "base only prints base URLs; to write base elements, use `rehref absolute SITE --url URL --base-element URL`"),
    ("compare", "*", "compare accepts OLD and NEW; to compare further sites, run it again, or list them in rehref.toml as [[site]]"),
    ("base", "*", "base accepts only one FILE; run the command again for the next file: `rehref base {word}`"),
    ("man", "*", "man accepts one command, like `rehref man audit`"),
    ("completions explain", "*", "{command} accepts no further arguments; see `rehref {command} --help`"),
];

/// Adds to `error`, which parsing `arguments` gave, the advice on its word. `all` is built, so that its subcommands have
/// the options of all.
pub(super) fn explain(mut error: Error, all: &Command, arguments: &[OsString]) -> Error {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let command = words.iter().find_map(|word| all.find_subcommand(word)).unwrap_or(all);
    let advice = advice(&error, all, command, &words);
    if error.kind() == ErrorKind::UnknownArgument {
        // The parser's advice, to pass an option after `--`, helps nobody: no value looks like an option.
        error.remove(ContextKind::Suggested);
    }
    if let Some(advice) = advice {
        for kind in [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedCommand,
            ContextKind::SuggestedValue,
            // The parser's usage line names the option that it suggests.
            ContextKind::Usage,
        ] {
            error.remove(kind);
        }
        let advice = ContextValue::StyledStrs(vec![StyledStr::from(advice)]);
        error.insert(ContextKind::Suggested, advice);
    }
    error
}

/// The advice on the word that makes `error`, if there is any. `words` are typed after the name of the program.
fn advice(error: &Error, all: &Command, command: &Command, words: &[&str]) -> Option<String> {
    let text = |kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        ContextValue::Strings(words) => words.first().map(String::as_str),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    // Without the names of values: `--out <DIR>`, `--fix[=<WHAT>]`.
    let name = argument.split([' ', '=', '[']).next().unwrap_or_default();
    let row = |key: &str, word: &str| habit(command.get_name(), key, word);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            row(word, word).or_else(|| on_command(word, all))
        }
        ErrorKind::MissingSubcommand => {
            words.first().and_then(|word| row(word, word)).or_else(|| row("--*", ""))
        }
        ErrorKind::MissingRequiredArgument => on_taken(command, words).or_else(|| row(name, name)),
        ErrorKind::ArgumentConflict if text(ContextKind::PriorArg) == Some(argument) => {
            row(&format!("{name}+"), name)
        }
        ErrorKind::InvalidValue => match text(ContextKind::InvalidValue).unwrap_or_default() {
            "" => row(&format!("{name}="), name)
                .or_else(|| Some("pass a value, or check whether a variable is set".to_owned())),
            word => row(&format!("{name}={word}"), name).or_else(|| match name {
                "--format" => on_format(word, error),
                _ => row(word, word).or_else(|| on_check(word).filter(|_| name.is_empty())),
            }),
        },
        ErrorKind::TooManyValues => row(&format!("{name}="), name),
        ErrorKind::UnknownArgument => on_unknown(argument, all, command, words),
        _ => None,
    }
}

/// The advice of the table on `key`, typed to `command` as `word`.
fn habit(command: &str, key: &str, word: &str) -> Option<String> {
    let has = |list: &str, word: &str| list.split(' ').any(|it| it == word);
    let is_meant = |(commands, keys, advice): &&(&str, &str, &str)| {
        let is_of_any =
            commands.is_empty() && (command != "rehref" || !advice.contains("{command}"));
        (is_of_any || has(commands, command)) && has(keys, key)
    };
    let row = HABITS.iter().find(is_meant);
    row.map(|(.., advice)| advice.replace("{word}", word).replace("{command}", command))
}

/// Advice on an argument that is missing because an option has taken it, since a variable before it is empty.
fn on_taken(command: &Command, words: &[&str]) -> Option<String> {
    let is_of_url = |it: &str| ["--url", "--also", "--new-url"].contains(&it);
    let mut pairs = words.windows(2);
    let taken = pairs.find_map(|pair| match pair {
        [option, value] if is_of_url(option) && Path::new(value).is_dir() => Some((option, value)),
        _ => None,
    });
    let (option, value) = taken?;
    let name = command.get_name();
    Some(format!(
        "`{option}` has taken {value} as its value; pass a URL to it, or check whether a variable is set: `rehref {name} {value} {option} URL`"
    ))
}

/// Advice on `word`, which stands where a command should.
fn on_command(word: &str, all: &Command) -> Option<String> {
    if word.contains("://") || Path::new(word).exists() {
        return Some(format!("a command comes first: `rehref audit {word}`"));
    }
    let names = all.get_subcommands().flat_map(|it| {
        let name = it.get_name();
        it.get_visible_aliases().chain([name]).map(move |known| (known.to_owned(), name))
    });
    let (_, name) = nearest(names, word, 1 + word.chars().count() / 3)?;
    Some(format!("did you mean `rehref {name}`?"))
}

/// Advice on the value `word` of `--format`.
fn on_format(word: &str, error: &Error) -> Option<String> {
    let Some(ContextValue::Strings(formats)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let is_format = |it: &str| formats.iter().any(|format| format == it);
    if let Some((format, file)) = word.split_once(':').filter(|(format, _)| is_format(format)) {
        return Some(format!("write `--format {format}={file}`"));
    }
    if word.split([',', ' ']).all(is_format) {
        return Some(
            "repeat the option for each format, all but one with a file: `--format FORMAT=FILE`"
                .to_owned(),
        );
    }
    let (stem, extension) = word.rsplit_once('.')?;
    let format = [extension, stem].into_iter().find(|it| is_format(it)).unwrap_or("FORMAT");
    Some(format!("to write to a file, also pass the format: `--format {format}={word}`"))
}

/// Advice on the value `word` of CHECK that is a message of a report, or has a name in brackets.
fn on_check(word: &str) -> Option<String> {
    if let Some(row) = CHECKS.iter().find(|row| word.contains(row.id)) {
        return Some(format!("did you mean `rehref explain {}`?", row.id));
    }
    word.contains([' ', ':', '/', '.']).then(|| {
        "pass the name in brackets at the end of the finding: `broken link` is broken-target, and `no anchor` is broken-fragment"
            .to_owned()
    })
}

/// Advice on `word`, which `command` does not take.
fn on_unknown(word: &str, all: &Command, command: &Command, words: &[&str]) -> Option<String> {
    let name = command.get_name();
    let option = |name: &str| option(command, name);
    // Of `-dry-run`, the parser names the first letter, and of `-out DIR` the value.
    let is_long = |word: &&&str| word.len() > 2 && option(&format!("-{word}")).is_some();
    if let Some(long) = words.iter().find(is_long) {
        return Some(format!("did you mean `-{long}`?"));
    }
    let is_value = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| option(words.get(before)?));
        before.is_some_and(|it| it.get_action().takes_values() && !it.is_require_equals_set())
    };
    let is_word = |(at, it): &(usize, &&str)| it.starts_with(word) && !is_value(*at);
    let at = words.iter().enumerate().rev().find(is_word).map_or(words.len(), |(at, _)| at);
    let (before, whole) = (words.get(..at)?, words.get(at).copied().unwrap_or(word));
    if before.contains(&"--") {
        return Some(format!(
            "after `--`, rehref reads `{word}` as an argument, not as an option; remove `--`"
        ));
    }
    if !before.iter().any(|it| all.find_subcommand(it).is_some()) && name != all.get_name() {
        return Some(format!("options come after the command: `rehref {name} {word}`"));
    }
    // Word processors write so.
    let dashes = ['\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];
    if word.starts_with(dashes) {
        let name = word.trim_start_matches(dashes).trim_start_matches('-');
        let hyphens = if name.chars().count() == 1 { "-" } else { "--" };
        return Some(format!("this is a dash, not a hyphen; write `{hyphens}{name}`"));
    }
    let is_url = word.starts_with("http://") || word.starts_with("https://");
    let of_url = ["--url", "--also"].into_iter().find(|it| !words.contains(it));
    if let Some(advice) = habit(name, "<URL>", word).filter(|_| is_url) {
        return Some(advice);
    }
    if let Some(of_url) = of_url.filter(|it| is_url && option(it).is_some()) {
        return Some(format!("for the URL at which the site is published, add `{of_url} {word}`"));
    }
    if !word.starts_with('-') {
        let is_missing = |it: &&&str| !it.starts_with('-') && !Path::new(it).exists();
        if let Some(host) =
            before.last().filter(is_missing).filter(|it| it.contains('.') && !it.contains("://"))
            && Path::new(word).is_dir()
            && option("--url").is_some()
        {
            let host = host.trim_end_matches('/');
            return Some(format!("did you mean `rehref {name} {word} --url https://{host}/`?"));
        }
        let command =
            before.iter().rposition(|it| *it == "--build").and_then(|at| before.get(at + 1));
        if let Some(command) = command.filter(|it| !it.contains("{out}")) {
            return Some(if command.starts_with('\'') {
                "the shell of Windows needs double quotes around the command: --build \"mkdocs build -q -d {out}\"".to_owned()
            } else {
                "write the whole command in quotes: --build 'mkdocs build -q -d {out}'".to_owned()
            });
        }
        // The value of an option that takes a value only after `=`: `--fix moved`; a second value: `--include news visit`.
        match before {
            // The name of a command was taken for SITE.
            [_, .., last] if all.find_subcommand(last).is_some() && !Path::new(last).exists() => {
                return Some(format!("did you mean `rehref {last} {word}`?"));
            }
            [.., last]
                if option(last).is_some_and(Arg::is_require_equals_set)
                    && option(&format!("--{word}")).is_some() =>
            {
                return Some(format!("did you mean `{last} --{word}`?"));
            }
            [.., last] if option(last).is_some_and(Arg::is_require_equals_set) => {
                return Some(format!("did you mean `{last}={word}`?"));
            }
            [.., last] if option(last).is_some() => {
                return Some(format!("`{last}` accepts no value; remove `{word}`"));
            }
            [.., "--format", format] => {
                return Some(format!("did you mean `--format {format}={word}`?"));
            }
            [.., last, value]
                if option(last).is_some_and(|it| matches!(it.get_action(), ArgAction::Append))
                    && word != *value
                    && !Path::new(word).is_dir() =>
            {
                return Some(format!(
                    "repeat the option for each value: `{last} {value} {last} {word}`; quote a glob, so that the shell \
                     does not expand it"
                ));
            }
            _ if words
                .windows(2)
                .any(|it| matches!(it, ["--out" | "-o", value] if value == &word)) =>
            {
                return Some(format!("remove the first `{word}`"));
            }
            // A shell expanded a glob.
            [.., first]
                if [first, word].iter().all(|it| Path::new(it).is_file())
                    && Path::new(first).parent() == Path::new(word).parent()
                    && Path::new(first).extension() == Path::new(word).extension()
                    && option("--include").is_some() =>
            {
                let folder = folder_of(Path::new(word)).display();
                let end = Path::new(word).extension().unwrap_or_default().display();
                return Some(format!(
                    "{name} accepts one document or site; for these files: `rehref {name} {folder} --include '/*.{end}'`"
                ));
            }
            _ => {
                let is_after_file =
                    before.last().is_none_or(|it| Path::new(it).is_file() || *it == "-");
                return habit(name, "<FILE>*", word)
                    .filter(|_| !is_after_file)
                    .or_else(|| habit(name, word, word))
                    .or_else(|| habit(name, "*", word));
            }
        }
    }
    let typed = whole.split('=').next().unwrap_or(whole);
    let formats = option("--format").map(Arg::get_possible_values).unwrap_or_default();
    let is_format = |it: &&PossibleValue| {
        let word = typed.trim_start_matches('-');
        it.get_name() == word || word.len() > 3 && it.get_name().starts_with(word)
    };
    if let Some(format) = formats.iter().find(is_format) {
        return Some(format!("use `--format {}`", format.get_name()));
    }
    let of_others = || {
        let owners = all.get_subcommands().filter(|it| self::option(it, typed).is_some());
        let owners: Vec<&str> = owners.map(Command::get_name).collect();
        let names = owners.join(", ");
        (!owners.is_empty())
            .then(|| format!("`{typed}` is an option of {names}; {name} has no such option"))
    };
    let is_same = |it: &str| it.eq_ignore_ascii_case(typed.trim_start_matches('-'));
    let in_other_case = || {
        let is_named = |arg: &&Arg| {
            arg.get_long_and_visible_aliases().into_iter().flatten().any(is_same)
                || arg.get_all_aliases().into_iter().flatten().any(is_same)
        };
        let long = command.get_arguments().find(is_named)?.get_long()?;
        Some(format!("use `--{long}`"))
    };
    habit(name, typed, typed)
        .or_else(|| habit(name, word, word))
        .or_else(in_other_case)
        .or_else(|| habit(name, "--*", whole))
        .or_else(of_others)
}

/// The option of `command` that is typed as `word`: `--out` or `-o`.
fn option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let word = word.strip_prefix('-')?;
    let is_named = |arg: &&Arg| match word.strip_prefix('-') {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|short| word == short.to_string()),
    };
    command.get_arguments().find(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_row_is_about_commands_that_exist() {
        let all = command();
        for (commands, ..) in HABITS {
            for name in commands.split_whitespace().filter(|name| *name != "rehref") {
                assert!(all.get_subcommands().any(|it| it.get_name() == name), "{name}");
            }
        }
    }
}
