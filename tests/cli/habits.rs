//! Wrong uses: each error says what to do instead.

use std::path::MAIN_SEPARATOR;

use crate::support::TestDir;

/// A command line, and what its error says.
const WRONG_USES: &[(&str, &str)] = &[
    ("audit site --json", "use `--format json`"),
    ("verify site site --json", "use `--format json`"),
    ("absolute site --json", "use `--format json`"),
    ("audit site --sarif", "use `--format sarif`"),
    ("audit site --report json", "use `--format`"),
    ("absolute site --report json", "use `--format`"),
    ("audit site --level error", "give --min-level LEVEL"),
    ("move site/a.html a.html=b.html", "rehref move site a.html=NEW"),
    ("audit -", "only absolute, relative, links and base read a document from stdin"),
    ("links -", "SITE is -, so --url is required"),
    (
        "absolute site/a.html site/folder/b.html --url https://e.org/ --out out",
        "to select documents or archives, give their directory",
    ),
    ("audit site --gitignore --no-gitignore", "`--gitignore` select documents"),
    ("relative site -out out2", "did you mean `--out`?"),
    ("relative site -out", "did you mean `--out`?"),
    ("links", "as in `rehref links public`"),
    ("move", "as in `rehref move public old.html=new.html`"),
    (
        "resolve --base https://e.org/ --relativize https://e.org/c --form absolute",
        "without --relativize prints absolute URLs",
    ),
    ("man -l move", "`rehref man move | man -l -`"),
    ("verify --before site site", "rehref verify BEFORE AFTER"),
    ("move site folder/*=news/ -n", "have no special meaning here"),
    ("move site *.htm=x -n", "have no special meaning here"),
    ("move site folder:news -n", "write a move as OLD=NEW"),
    ("move site s/folder/news/ -n", "write a move as OLD=NEW"),
    ("mv folder=news site", "SITE first, then the moves: rehref move SITE folder=news"),
    ("move site/a.html=site/b.html", "rehref move SITE site/a.html=site/b.html"),
    (
        "absolute site --url https://e.org/ --out out --browser=/nowhere/firefox",
        "cannot start the browser /nowhere/firefox",
    ),
    ("audit site --format json --format sarif", "write one to a file: --format sarif=FILE"),
    ("audit site --ignore broken-targt", "did you mean broken-target?"),
    ("audit site --ignore orphan --only orphan --entry a.html", "leave no check to run"),
    ("audit site --quiet --verbose", "'--quiet' cannot be used with '--verbose'"),
    ("base site/a.html --format json=site/a.html", "would overwrite SITE"),
    (
        "move site a.html=b.html -o out --write-redirects netlify=site/folder/b.html",
        "this file is a document",
    ),
    ("links site a.html", "add `--to a.html`"),
    ("audit site --format sarif,github", "repeat the option for each format"),
    ("audit site --format sarif --format github", "--format sarif=FILE"),
    ("audit site -f json", "like `--format json`"),
    ("move site s/^a/b/ -n", "write a move as OLD=NEW"),
    ("move site =blog -n", "--regex '(.*)=blog/$1'"),
    ("move site a.html=b.html#top -n", "to rename an anchor, write"),
    ("move site a.html=https://e.org/a -n", "paths are relative to SITE"),
    ("move site --regex (.*)=https://e.org/$1 -n", "paths are relative to SITE"),
    (
        "move site --url https://e.org/ --new-url https://e.org/ -n",
        "a --new-url that differs from --url",
    ),
    ("move -r site a.html=b.html -n", "a directory moves with all its files"),
    ("mv site/folder/b.html site/new/b.html", "rehref move site/folder b.html=NEW"),
    ("resolve --base https://e.org/ --form root x", "add --relativize"),
    ("resolve --base C:\\site\\a.html x", "write file:///C:/site/a.html"),
    ("audit site --no-check-internal-hash", "use `--fragments off`"),
    ("audit site --no-warnings", "use `--min-level error`"),
    ("audit site --check-html", "rehref checks links, not markup"),
    ("audit site --only error", "use `--min-level error`"),
    ("links site --internal-only", "use `--only internal`"),
    ("links site --unique", "each once"),
    ("rewrite site", "use `rehref absolute`, `rehref relative` or `rehref move`"),
    ("relative site -o out --url https://e.org/ --base-url https://e.com/", "use `--also`"),
    ("audit site https://e.org/", "is published, add `--url https://e.org/`"),
    ("audit --url site", "as in `rehref audit public`"),
    ("base site/a.html --set https://e.org/", "rehref absolute SITE --base-element URL"),
    ("relative site -o out --form absolute", "use `rehref absolute`"),
    ("relative site -o https://e.org/out", "this is a URL; give a directory"),
    ("relative site -o me@e.org:/var/www", "copy it with rsync"),
    ("relative site -o out.zip", "not an archive"),
    ("absolute site -o out --url https://e,org/", "not a valid host"),
    ("move site a.html=b.html --redirects netlify -n", "use --write-redirects"),
    ("audit site --only orphan", "needs --entry GLOB"),
    ("audit site --config none.toml", "--config none.toml: no such file"),
    ("audit site --check-anchors", "use `--fragments known`"),
    ("audit site --include-fragments", "use `--fragments known`"),
    ("links site --offline", "unexpected argument '--offline'"),
    ("audit site --convert-links", "use `rehref relative SITE --offline --out OUT`"),
    ("links site --json", "use `--format jsonl`"),
    ("explain --all", "alone prints all"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("audit site --hidden", "always reads the whole tree"),
    ("man -k links", "shows the page of a command"),
    ("config --list", "alone prints all"),
    ("explain broken-link", "broken-target"),
    ("audit site --only broken-links", "use `broken-target`"),
    ("links site --only broken", "use `--broken`"),
    ("links site --only external --broken", "omit --only, or add internal"),
    ("move site --regex s/news/blog/", "write the pattern and the new path as one argument"),
    ("base https://example.org/", "fetches nothing"),
    ("base site", "is a directory"),
    ("links site --fix", "`--fix` is an option of audit"),
    ("audit site --timeout 3", "rehref fetches nothing"),
    ("audit site -r", "rehref always reads the whole tree below SITE"),
    ("absolute site out", "add `--out out`"),
    ("audit site site", "add `--include GLOB`"),
    ("move site a.html=>b.html --dry-run", "the new path `>b.html` begins or ends with `>`"),
    ("move site a.html=a.html --dry-run", "nothing to move"),
    ("move site a.html=b.html -o out --write-redirects json=- --format json", "both print"),
    ("audit site --only broken-target --level broken-target=off", "leave no check to run"),
    ("audit --explain", "use `rehref explain`"),
    ("man nothing", "no such command; rehref --help lists all"),
    ("compare site site", "use `rehref verify`"),
    ("urljoin x", "give the URL of the document"),
    ("aduit site", "'audit'"),
    ("audit site --fix moved", "did you mean `--fix=moved`?"),
    ("audit site --quiet moved", "`--quiet` takes no value"),
    ("absolute stie --url https://example.org/ --out out", "did you mean site?"),
    ("audit nothing-like-it", "nothing-like-it: no such file or directory"),
    ("audit https://example.org", "fetches nothing; download it first"),
    ("move a.html=b.html", "rehref move SITE a.html=b.html"),
    ("move site a.html", "write a move as OLD=NEW in one argument"),
    ("move site folder/*=new/ --dry-run", "--regex moves files by pattern"),
    (r"move site folder\a=b --dry-run", "write `/` between directories"),
    ("move site --regex (=x --dry-run", "not a regular expression: unclosed group"),
    ("move site --dry-run", "give OLD=NEW, --map FILE, --regex PATTERN=NEW or --new-url URL"),
    (
        "resolve --base example.org x",
        "not an absolute URL; write it like https://example.org/docs/",
    ),
    ("absolute site --out out", "--url"),
    ("absolute site --url https://example.org/", "no output: add --out DIR"),
    ("audit site --format yaml", "[possible values: text, json"),
    ("audit site --check", "audit changes nothing without --fix"),
    ("audit site -o r.html", "add `--format html=FILE`"),
    ("links site -o x.csv", "add `--format FORMAT=FILE`"),
    ("links site --parquet", "use `--format parquet`"),
    ("links site -n", "links changes nothing"),
    ("resolve --base https://example.org/ -foo.html", "rehref resolve --base URL -- -foo.html"),
    ("relative site -dry-run", "did you mean `--dry-run`?"),
    ("audit site --format html r.html", "did you mean `--format html=r.html`?"),
    ("convert site", "use `rehref absolute`"),
    ("resolve https://e.example/ x", "`--base https://example.org/"),
    ("audit site --include folder site", "audit takes one SITE"),
    ("audit site --include folder a.html", "repeat the option for each value"),
    ("audit site --index-files a.html b.html", "repeat the option for each value"),
    ("audit --fix moved site", "audit takes one SITE"),
    ("audit site -- --quiet", "omit `--`"),
    ("-n relative site", "options come after the command"),
    ("-k site", "use `rehref relative SITE --offline --out OUT`"),
    ("audit -k site", "use `rehref relative SITE --offline --out OUT`"),
    ("relative -vz site out", "does only what the options say"),
    ("audit site --base-path /docs", "give the whole URL"),
    ("audit site --max-depth 3", "`--include`, `--exclude`"),
    ("audit site --no-external", "rehref fetches nothing"),
    ("verify site site --no-network", "rehref fetches nothing"),
    ("relative site --no-verify --out out", "omit --no-verify"),
    ("relative site --exclude-from x", "repeat the option for each glob"),
    ("audit site --exclude-url https://e.org/", "--ignore 'target:GLOB'"),
    ("config --init", "write it to rehref.toml"),
    ("man --install", "`rehref man audit > rehref-audit.1`"),
    ("mv -f site a.html=b.html", "use `--in-place`"),
    ("move site -e s/a/b/ --out out", "use `--regex 'old/(.*)=new/$1'`"),
    ("init", "start with `rehref audit SITE`"),
    ("move site no new.html=b.html --dry-run", "'an old.html=new.html'"),
    ("-v", "`rehref -V` prints the version"),
    ("audit site --format=report.html", "`--format html=report.html`"),
    ("audit site --format report.xml", "`--format FORMAT=report.xml`"),
    ("audit site --format sarif:out.sarif", "write `--format sarif=out.sarif`"),
    ("links site --format csv,urls", "repeat the option for each format"),
    ("audit site --format junit=reports/", "give a file"),
    (
        "move site a.html=b.html --out out --write-redirects redirects.conf",
        "like nginx=redirects.conf; formats: netlify",
    ),
    ("absolute site other --out out --url https://e.org/", "absolute takes one SITE"),
    ("absolute site/a.html other.html --url https://e.org/", "add `--out other.html`"),
    ("audit site --url https://e.org/ https://f.org/", "add `--also https://f.org/`"),
    (
        "audit site --source-url https://e.org/{path} --format json",
        "--source-url is for the HTML report",
    ),
    ("relative site --include folder site --dry-run", "relative takes one SITE"),
    ("audit site --include a.html,b.html", "a glob is not a list"),
    ("audit site --index-files *.html", "give names of files, not globs"),
    (
        "absolute site --url ./site --out out",
        "is a path; write a whole URL, like https://example.org/docs/",
    ),
    ("absolute site --url “https://e.org/” --out out", "begins with a quotation mark"),
    (
        "absolute site --url https://e.org/ --base-element drop --out out",
        "use `rehref relative --base-element drop`",
    ),
    (
        "absolute site --url https://e.org/ --allow-dirty --out out",
        "--allow-dirty is for --in-place",
    ),
    ("absolute site --url https://e.org/ --out /dev/stdout", "give a directory"),
    ("audit site/*.html", "give the directory site; --include '/*.html'"),
    ("mv site/a.html site/b.html", "rehref move site a.html=NEW"),
    ("move site site/folder=site/news --dry-run", "write folder=news"),
    ("move site folder = news --dry-run", "write a move as OLD=NEW in one argument"),
    ("move site folder= news --dry-run", "write a move as OLD=NEW in one argument"),
    ("move site folder news --dry-run", "write a move as OLD=NEW in one argument"),
    ("move site folder= --dry-run", "--regex 'folder/(.*)=$1'"),
    ("move site gone=folder --dry-run", "but `folder` does; was it moved before?"),
    (
        "move site --regex folder/(?=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    (
        "move site --regex folder/(?\\=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    ("fetch https://example.org/", "wget --mirror"),
    ("absolute https://example.org/ site --out out", "absolute takes one SITE"),
    ("audit example.org", "fetches nothing"),
    ("audit file:///tmp/x", "give the path of the directory"),
    ("audit site/*", "give the directory site"),
    ("audit site --fail-on never,error", "cannot be combined"),
    ("audit site --fail-on stale", "needs --baseline"),
    ("audit site --ignore target:", "has no glob"),
    ("audit site --ignore broken-target,orphan", "repeat --ignore for each check"),
    ("audit site --baseline site", "--baseline site: this is a directory"),
    ("audit site --config site", "--config site: this is a directory"),
    ("audit site --redirects site", "--redirects site: this is a directory"),
    ("move site --map site --dry-run", "--map site: this is a directory"),
    (
        "move site a.html=b.html --out out --write-redirects nginx=no/x.conf",
        "no such directory: no",
    ),
    ("move site a.html=b.html --out out --write-redirects", "give a format, like netlify"),
    ("move site {a,b}=x/ --dry-run", "have no special meaning here"),
    ("move site example.org=new.example --dry-run", "--url OLD --new-url NEW"),
    ("move site a.html -> b.html", "write a move as OLD=NEW"),
    ("verify site site x", "write a move as OLD=NEW"),
    ("verify site site no=x", "BEFORE does not match the moves: impossible moves: 1"),
    ("audit site --jobs -1", "give a number, 1 or more"),
    ("audit site --url localhost:8080", "write a URL like http://localhost:8080/"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("relative site --out out --url https://e.org/ --url https://www.e.org/", "use `--also`"),
    ("base site/b.html", "no such file; did you mean site/a.html?"),
    ("man audti", "did you mean audit?"),
    ("man rehref-audit", "did you mean audit?"),
];

fn site() -> TestDir {
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=folder/b.html>");
    dir.write("site/folder/b.html", b"<a href=../a.html>");
    dir
}

/// Whether a message contains `expected`, in which paths on disk may have the separators of the system.
fn has(message: &str, expected: &str) -> bool {
    let slashed = message.replace(MAIN_SEPARATOR, "/");
    message.contains(expected) || slashed.contains(expected)
}

#[test]
fn each_wrong_use_says_what_to_do() {
    let dir = site();
    // Windows refuses every --browser.
    let uses = WRONG_USES.iter();
    let uses = uses.filter(|(line, _)| cfg!(unix) || !line.contains("--browser"));
    for (line, expected) in uses {
        println!("{line}");
        let arguments: Vec<&str> = line.split(' ').collect();
        let run = dir.rehref(&arguments).status(2);
        assert!(has(&run.stderr(), expected), "{line}: {}", run.stderr());
        assert_eq!(run.stdout(), "", "{line}");
    }
    assert!(!dir.path("out").exists());
}

#[test]
fn wrong_uses_with_spaces_and_files_say_what_to_do() {
    let dir = site();
    dir.write("site/an old.html", b"<p>");
    dir.write("moves.txt", b"a.html\tb.html");
    dir.write("empty.txt", b"# nothing\n");
    dir.write("site/pic.gif", b"GIF89a");
    dir.write("site/old.arc", b"filedesc:");
    dir.write("empty/readme.rst", b"");
    let path = dir.path("site/folder=x");
    for (arguments, expected) in [
        (
            &["audit", "site", "--index-files", "index.html default.htm"][..],
            "separate the names with commas: index.html,default.htm",
        ),
        (
            &["audit", "site", "--try", "{}.html {}/index.html"],
            "separate patterns with commas: {}.html,{}/index.html",
        ),
        (&["move", "site", "an", "old.html=new.html", "--dry-run"], "'an old.html=new.html'"),
        (&["move", "site", "moves.txt", "--dry-run"], "--map FILE reads moves from a file"),
        (
            &["move", "site", "--map", "empty.txt", "--dry-run"],
            "OLD, a tab and NEW on each line of --map FILE",
        ),
        (&["move", "site", path.to_str().unwrap(), "--dry-run"], "write folder=x"),
        (&["move", "empty", "a=b", "--dry-run"], "no document in SITE"),
        (&["audit", "site/pic.gif"], "give the root directory of the site"),
        (&["audit", "site/old.arc"], "convert the archive to WARC"),
    ] {
        let run = dir.rehref(arguments).status(2);
        assert!(run.stderr().contains(expected), "{arguments:?}: {}", run.stderr());
    }
}

#[test]
fn advice_for_one_file_selects_this_file_alone() {
    let dir = site();
    dir.write("site/folder/a.html", b"<a href=nowhere.html>");
    let run = dir.rehref(&["audit", "site", "--include", "/a.html", "--url", "https://e.org/"]);
    let stdout = run.status(0).stdout();
    assert!(stdout.contains("in 1 document"), "{stdout}");
}

#[test]
fn uses_that_are_hardly_meant_are_noted() {
    let dir = site();
    dir.write("site/rehref.toml", b"url = 'https://e.org/'");
    dir.write("refs.txt", b"a");
    dir.write("site/c.html", b"<meta property=og:url content=a.html><a href=folder/>");
    dir.write("site/folder/index.html", b"");
    dir.rehref(&["absolute", "site", "--url", "https://e.org/", "--out", "absolute"]);
    dir.rehref(&["relative", "site", "--offline", "--out", "pretty"]);
    dir.rehref(&["relative", "site", "--out", "relative"]);
    dir.write("moved/a.html", b"<a href=b.html>");
    dir.write("moved/new/b.html", b"");
    dir.write("empty.warc", b"");
    dir.write("deep/public/a.html", b"<a href=/b.html>");
    dir.write("deep/public/b.html", b"<a href=a.html>");
    dir.write("zero/a.html", b"");
    dir.rehref(&["absolute", "site", "--url", "https://e.com/x/", "--out", "other"]);
    for (line, status, expected) in [
        ("relative site --dry-run", 0, "site/rehref.toml is in SITE, so rehref did not read it"),
        ("move site folder=site/news --dry-run", 0, "this move creates site/news in SITE"),
        ("relative site --diff --verify", 0, "nothing was verified"),
        ("links site --to a.html --broken", 0, "no broken link has this target"),
        ("links site --to a.html --only external", 0, "no selected link has this target"),
        (
            "resolve --base https://e.org/ refs.txt",
            0,
            "rehref resolve --base https://e.org/ < refs.txt",
        ),
        ("verify site site folder=news", 1, "AFTER has folder/b.html, but not news/b.html"),
        ("verify absolute site --url https://e.org/", 1, "swap BEFORE and AFTER"),
        ("verify site pretty --url https://e.org/", 1, "otherwise --same-file"),
        (
            "absolute absolute --url https://e.com/ --dry-run",
            0,
            "rehref move SITE --url OLD --new-url NEW",
        ),
        (
            "resolve --base https://e.org/docs a",
            0,
            "rehref treats docs as a file; if docs is a directory, write https://e.org/docs/",
        ),
        ("audit site/folder", 1, "links with targets above SITE: 1"),
        ("audit moved --fix --dry-run", 0, "rehref can fix 1 finding with --fix=moved"),
        ("audit empty.warc", 2, "1 archive of 0 bytes"),
        (
            "relative site --exclude folder --out part",
            0,
            "skips 2 documents; the output contains such documents unchanged",
        ),
        ("audit site --include !folder", 2, "`!` does not negate a glob"),
        (
            "audit deep",
            1,
            "all documents of SITE are in SITE/public, so their URLs begin with /public/",
        ),
        ("verify absolute other --url https://e.org/", 1, "add --new-url https://e.com/x/"),
        ("audit site --index-files default.htm", 0, "SITE has no file of this name"),
        ("audit zero", 0, "empty documents (0 bytes): 1"),
        (
            "move site a.html=b.html -n --write-redirects netlify",
            0,
            "1 redirect would be written to _redirects",
        ),
        ("relative absolute --url https://e.org/ --diff", 0, "patch -d"),
        ("resolve --base https://e.org/ <a\u{A0}href='x'>", 0, "this is markup"),
        (
            "relative relative --url https://e.org/ --out unchanged",
            0,
            "no document changed; SITE was copied to unchanged",
        ),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let run = dir.rehref(&arguments).status(status);
        assert!(has(&run.stderr(), expected), "{line}: {}", run.stderr());
    }
    // Hosts read such a file only in the root, and no option leaves it out.
    dir.write("hosts/a/_redirects", b"/a /b");
    dir.write("hosts/a.html", b"<p>");
    let run = dir.rehref(&["relative", "hosts", "--out", "hosts-out"]);
    let stderr = run.status(0).stderr();
    assert!(!stderr.contains("leaves out"), "{stderr}");
    let run = dir.rehref_with_stdin(&["absolute", "-", "--url", "https://e.org/"], b"GIF89a");
    let stderr = run.status(0).stderr();
    assert!(stderr.contains("not a document"), "{stderr}");
}

#[test]
fn links_to_nothing_are_no_silence() {
    let dir = site();
    let run = dir.rehref(&["links", "site", "--to", "nowhere.html"]).status(0);
    assert!(run.stderr().contains("--to nowhere.html: SITE has no such file"), "{}", run.stderr());
    let run = dir.rehref(&["links", "site", "--to", "folder/c.html"]).status(0);
    assert!(run.stderr().contains("did you mean folder/b.html?"), "{}", run.stderr());
    dir.write("site/folder/index.html", b"<a href=../folder/>");
    let run = dir.rehref(&["links", "site", "--to", "folder"]).status(0);
    assert_eq!(run.stdout().lines().count(), 1, "{}", run.stderr());
}

#[test]
fn a_directory_without_its_slash_is_a_target_like_its_index_file() {
    let dir = site();
    dir.write("site/folder/index.html", b"<a href=../folder/><a href=index.html><a href=b.html>");
    let links = |to: &str| {
        let run = dir.rehref(&["links", "site", "--to", to]).status(0);
        (run.stdout().lines().count(), run.stderr())
    };
    let (count, said) = links("folder");
    assert_eq!(count, links("folder/index.html").0);
    assert!(said.contains("--to folder/ selects all links to files below folder"), "{said}");
    assert!(links("folder/").0 > count);
}

#[test]
#[cfg_attr(windows, ignore = "a move to a name with `?` is an error on Windows")]
fn a_name_with_a_question_mark_is_noted() {
    let dir = site();
    let run = dir.rehref(&["move", "site", "a.html=a.html?x", "--dry-run"]).status(0);
    assert!(run.stderr().contains("contain %3F"), "{}", run.stderr());
}

#[test]
fn trees_that_verify_gets_in_the_wrong_order_are_told() {
    let dir = site();
    dir.rehref(&["move", "site", "folder=news", "-o", "out", "-q"]).status(0);
    for (before, after, moved) in [("site", "out", "news=folder"), ("out", "site", "folder=news")] {
        let said = dir.rehref(&["verify", before, after, moved]).status(2).stderr();
        assert!(said.contains("swap the trees: rehref verify"), "{said}");
    }
}

#[test]
fn verify_counts_what_differs_and_names_the_url() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html><a href=/d/c.html><a href=//h/x>")]);
    let url = ["--url", "https://e.org/d/"];
    dir.rehref(&[&["absolute", "site", "-o", "out", "-q"], &url[..]].concat()).status(0);
    let run = dir.rehref(&["verify", "site", "out", "--url", "https://e.com/d/"]).status(1);
    let (told, said) = (run.stdout(), run.stderr());
    assert!(told.contains("2   different (see above)"), "{told}");
    assert!(told.contains("1   respelled, with the same target"), "{told}");
    assert!(said.contains("use --url https://e.org/d/"), "{said}");
}

#[test]
fn absolute_of_a_part_of_a_site_or_of_a_directory_above_it_says_so() {
    let dir = TestDir::new();
    dir.write("site/sub/a.html", b"<link rel=stylesheet href=../s.css><a href=../../top.html>");
    dir.write("site/sub/d/b.html", b"<a href=../a.html><a href=../../s.css>");
    dir.write("site/s.css", b"p{}");
    let absolute = |site: &str, url: &str| {
        let arguments = ["absolute", site, "--url", url, "-n"];
        dir.rehref(&arguments).status(0).stderr()
    };
    let said = absolute("site/sub", "https://e.org/x/y/");
    assert!(said.contains("not below https://e.org/x/y/: 3"), "{said}");
    let said = absolute("site", "https://e.org/x/");
    assert!(said.contains("not below https://e.org/x/: 1"), "{said}");
    let _ = std::fs::remove_file(dir.path("site/s.css"));
    let said = absolute("site", "https://e.org/x/");
    assert!(said.contains("all documents of SITE are in SITE/sub"), "{said}");
    let said = absolute("site/sub", "https://e.org/");
    assert!(said.contains("than they have `..`: 3"), "{said}");
}

#[test]
fn a_site_at_another_url_is_not_fixed_as_one_at_a_root() {
    let dir = TestDir::new();
    let page = "<link rel=canonical href=https://e.org/docs/a.html><a href=/docs/a.html>";
    dir.write("site/a.html", page.as_bytes());
    dir.write("site/docs/index.html", b"<a href=/docs/a.html>");
    for more in [&["--dry-run"][..], &["--quiet", "--dry-run"], &["--in-place"]] {
        let run = dir.rehref(&[&["audit", "site", "--fix=moved"], more].concat()).status(2);
        assert!(run.stderr().contains("add --url https://e.org/docs/"), "{}", run.stderr());
    }
    assert_eq!(dir.read("site/a.html"), page);
    for (url, path) in [(&[][..], "/docs/"), (&["--url", "https://e.org/"], "/docs/")] {
        let run = dir.rehref(&[&["audit", "site"], url].concat()).status(1);
        let said = run.stdout() + &run.stderr();
        assert!(!said.contains("can fix") && said.contains(path), "{said}");
    }
    let local = ["audit", "site", "--url", "http://localhost:8080/docs/"];
    let report = dir.rehref(&local).status(0).stdout();
    assert!(report.contains("is at https://e.org/docs/"), "{report}");
    assert!(report.contains("[other-url]"), "{report}");
    let quiet = [&local[..], &["-q", "--level", "other-url=error"]].concat();
    dir.rehref(&quiet).status(1);
    // A copy at another host can be fixed.
    let fix = [&local[..], &["--fix=moved", "--dry-run"]].concat();
    dir.rehref(&fix).status(0);
    let also = [&local[..], &["--also", "https://e.org/docs/"]].concat();
    let report = dir.rehref(&also).status(0).stdout();
    assert!(!report.contains("is at"), "{report}");
}

#[test]
fn a_url_that_the_site_contradicts_is_noted() {
    let dir = TestDir::new();
    let page = "<link rel=canonical href=https://e.org/docs/a.html><a href=b.html>";
    dir.write("site/a.html", page.as_bytes());
    dir.write("site/b.html", b"<a href=a.html>");
    let note = |arguments: &[&str]| {
        let run = dir.rehref(&[arguments, &["--dry-run"]].concat()).status(0);
        run.stderr().contains("says that SITE is at https://e.org/docs/; if")
    };
    for (arguments, expected) in [
        (&["relative", "site", "--url", "https://e.ogr/docs/"][..], true),
        (&["relative", "site", "--url", "https://e.org/docs/"], false),
        (&["relative", "site", "--url", "https://e.ogr/", "--also", "https://e.org/docs/"], false),
        (&["move", "site", "b.html=c.html", "--url", "https://e.ogr/docs/"], true),
        (&["absolute", "site", "--url", "https://test.e.org/docs/"], true),
        (&["absolute", "site", "--url", "https://e.org/"], true),
        (&["absolute", "site", "--url", "http://e.org/docs/"], true),
    ] {
        assert_eq!(note(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn the_same_string_in_many_pages_is_one_warning() {
    let dir = TestDir::new();
    for page in ["a", "b", "c"] {
        let text = b"<script>let home = '/a.html'</script><a href={{x}}>";
        dir.write(&format!("site/{page}.html"), text);
    }
    let run = ["relative", "site", "--offline", "--dry-run"];
    let stderr = dir.rehref(&run).status(0).stderr();
    for expected in [
        "a.html:1:46: a href `{{x}}`: contains template markup; skipped (the same in 2 more places)\n",
        "warning: 3 strings in 3 files name files by paths from the root of the host",
    ] {
        assert!(stderr.contains(expected), "{expected}\n{stderr}");
    }
    assert_eq!(stderr.matches("warning:").count(), 2, "{stderr}");
}

#[test]
fn what_a_filter_reads_is_not_silently_empty() {
    let dir = TestDir::new();
    let run = dir.rehref_with_stdin(&["absolute", "-", "--url", "https://e.org/"], b"");
    assert!(run.status(0).stderr().contains("stdin is empty"));
}

#[test]
fn a_page_that_loses_its_extension_is_a_warning() {
    let dir = site();
    let run = |to: &str| dir.rehref(&["move", "site", to, "--dry-run"]).status(0).stderr();
    let stderr = run("a.html=b");
    assert!(stderr.contains("write a.html=b/"), "{stderr}");
    assert!(!run("a.html=b/").contains("without an extension"));
}

#[test]
fn what_cannot_be_read_is_no_result() {
    let dir = site();
    dir.write("bad.warc", b"this is no archive");
    let run = dir.rehref(&["audit", "bad.warc"]).status(2);
    assert_eq!(run.stdout(), "");
    assert!(run.stderr().contains("bad.warc"), "{}", run.stderr());
    let update = ["audit", "bad.warc", "--baseline", "b.json", "--update-baseline"];
    dir.rehref(&update).status(2);
    assert!(!dir.path("b.json").exists());
    #[cfg(unix)]
    {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt;
        let locked = dir.path("site");
        set_permissions(&locked, Permissions::from_mode(0o0)).unwrap();
        if std::fs::read_dir(&locked).is_err() {
            for command in ["audit", "links"] {
                let run = dir.rehref(&[command, "site"]).status(2);
                assert!(run.stderr().contains("site: cannot be read:"), "{}", run.stderr());
            }
        } else {
            println!("skipped: this user reads everything");
        }
        set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn words_that_people_type_are_commands() {
    let dir = site();
    for line in [
        "check site --baseurl https://example.org/ --jobs 2",
        "lint site --select broken-target --severity error --workers 2 --silent",
        "relative site --style root --output-dir out --debug",
        "rel site -O out --overwrite",
        "relative site --convert-links --preview",
        "links site --type internal --filter a.html --encoding utf-8",
        "rename site --pattern a(.html)=c$1 --patch",
        "urljoin --url https://example.org/ x",
        "resolve -b https://example.org/ https://example.org/x --relative",
        "mv site a.html=c.html --out moved",
        "verify site moved a.html=c.html",
        "verify site moved --regex a(.html)=c$1",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        dir.rehref(&arguments).status(0);
    }
}

#[test]
fn pages_of_commands_have_the_text_of_every_option() {
    let dir = TestDir::new();
    for command in ["move", "audit", "verify"] {
        let page = dir.rehref(&["man", command]).status(0).stdout();
        let options = page.split("\n.TP\n").skip(1);
        let bare: Vec<&str> = options.filter(|it| it.trim().lines().count() < 2).collect();
        assert!(bare.is_empty(), "{command}: {bare:?}");
    }
}

#[test]
fn shells_and_man_get_what_they_read() {
    let dir = TestDir::new();
    for (shell, expected) in [
        ("bash", "complete -F _rehref"),
        ("zsh", "#compdef rehref"),
        ("fish", "complete -c rehref"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[rehref]"),
    ] {
        let script = dir.rehref(&["completions", shell]).status(0).stdout();
        assert!(script.contains(expected) && script.contains("in-place"), "{shell}");
    }
    let own = dir.rehref(&["man"]).status(0).stdout();
    assert!(own.contains(".TH rehref 1") && own.contains("verify"), "{own}");
    for command in ["absolute", "move", "mv", "audit", "explain"] {
        let page = dir.rehref(&["man", command]).status(0).stdout();
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    let page = dir.rehref(&["man", "move"]).status(0).stdout();
    assert!(page.contains("write\\-redirects"), "{page}");
}
