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
    ("absolute site --output out", "use `--out`"),
    ("absolute site --output=out", "use `--out`"),
    ("relative site --output-dir out", "use `--out`"),
    ("absolute site --inplace", "use `--in-place`"),
    ("absolute site --overwrite --out out", "use `--force`"),
    ("relative site --style root", "use `--form`"),
    ("relative site --index strip", "use `--directory-links`"),
    ("absolute site --index x", "use `--index-files`"),
    ("audit site --severity error", "use `--min-level`"),
    ("audit site --level error", "give --min-level error"),
    ("audit site --select broken-target", "use `--only`"),
    ("links site --type external", "use `--only`"),
    ("absolute site --workers 3", "use `--jobs`"),
    ("move site/a.html a.html=b.html", "rehref move site a.html=NEW"),
    ("audit -", "only absolute, relative, links and base read a document from stdin"),
    ("links -", "SITE is -, so --url is required"),
    (
        "absolute site/a.html site/folder/b.html --url https://e.org/ --out out",
        "rehref absolute site --include '/a.html' --include '/folder/b.html' --url https://e.org/ --out OUT",
    ),
    ("audit site --gitignore --no-gitignore", "unless --gitignore is given; omit the option"),
    ("absolute - --format-in warc", "by its first bytes; omit the option"),
    ("relative site -out out2", "did you mean `--out`?"),
    ("relative site -out", "did you mean `--out`?"),
    ("links", "as in `rehref links public`"),
    ("move", "as in `rehref move public old.html=new.html`"),
    (
        "resolve --base https://e.org/ --relativize https://e.org/c --form absolute",
        "without --relativize prints absolute URLs",
    ),
    ("resolve -b https://e.org/ x", "use `--base`"),
    ("links site --from a.html", "use `--include`"),
    ("man -l move", "`rehref man move | man -l -`"),
    ("verify --before site site", "rehref verify BEFORE AFTER"),
    (
        "move site folder/*=news/",
        "folder=news; to move files by pattern: --regex 'folder/(.*)=news/$1'",
    ),
    ("move site *.htm=x", "like --regex 'old/(.*)\\.html=new/$1.html'"),
    ("move site folder:news", "write a move as OLD=NEW: folder=news"),
    ("move site s/folder/news/", "write a move as OLD=NEW: folder=news"),
    ("mv folder=news site", "SITE comes first: rehref move site folder=news"),
    ("move site/a.html=site/b.html", "rehref move site a.html=b.html"),
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
    ("links site a.html", "use `rehref links site/a.html`"),
    ("audit site --format sarif,github", "`--format github --format sarif=FILE`"),
    ("audit site --format sarif --format github", "--format sarif=FILE"),
    ("audit site -f json", "like `--format json`"),
    (
        "move site a.html=b.html,folder=c -n",
        "separate arguments, not as a list: a.html=b.html folder=c",
    ),
    ("move site s/^a/b/ -n", "use --regex 'old/(.*)=new/$1'"),
    ("move site =blog -n", "--regex '(.*)=blog/$1'"),
    ("move site a.html=b.html#top -n", "to rename an anchor, write"),
    ("move site a.html=https://e.org/a -n", "paths are relative to SITE"),
    ("move site --regex (.*)=https://e.org/$1 -n", "paths are relative to SITE"),
    (
        "move site --url https://e.org/ --new-url https://e.org/ -n",
        "--new-url is the same as --url",
    ),
    ("move -r site a.html=b.html -n", "a directory moves with all its files"),
    ("mv site/folder/b.html site/new/b.html", "rehref move site folder/b.html=new/b.html"),
    ("resolve --base https://e.org/ --form root x", "add --relativize"),
    ("resolve --base C:\\site\\a.html x", "write file:///C:/site/a.html"),
    ("audit site --no-check-internal-hash", "use `--fragments off`"),
    ("audit site --no-warnings", "use `--min-level error`"),
    ("audit site --ignore-files drafts", "use `--exclude`"),
    ("audit site --check-html", "rehref checks links, not markup"),
    ("audit site --only error", "use `--min-level error`"),
    ("links site --internal-only", "use `--only internal`"),
    ("links site --unique", "prints each target once"),
    ("links site --only *.html", "use `--include '*.html'`"),
    ("resolve --base https://e.org/ x --relative", "use `--relativize`"),
    ("rewrite site", "use `rehref absolute`, `rehref relative` or `rehref move`"),
    (
        "relative site -o out --url https://e.org/ --base-url https://e.com/",
        "another name of --url",
    ),
    ("audit site https://e.org/", "is published, add `--url https://e.org/`"),
    ("audit --url site", "write --url URL site"),
    ("base site/a.html --set https://e.org/", "rehref absolute SITE --base-element URL"),
    ("relative site -o out --form absolute", "use `rehref absolute`"),
    (
        "relative site -o out --base-element https://e.org/",
        "rehref absolute SITE --base-element URL",
    ),
    ("relative site -o https://e.org/out", "this is a URL; give a directory"),
    ("relative site -o me@e.org:/var/www", "copy it with rsync"),
    ("relative site -o out.zip", "not an archive"),
    ("absolute site -o out --url https://e,org/", "not a valid host"),
    ("move site a.html=b.html --redirects netlify -n", "use --write-redirects"),
    ("audit site --only orphan", "needs --entry GLOB"),
    ("audit site --config none.toml", "--config none.toml: no such file"),
    ("audit site --check-anchors", "use `--fragments known`"),
    ("audit site --include-fragments", "use `--fragments known`"),
    ("relative site --convert-links", "use `--offline`"),
    ("links site --offline", "unexpected argument '--offline'"),
    ("audit site --convert-links", "use `rehref relative SITE --offline --out OUT`"),
    ("links site --json", "use `--format jsonl`"),
    ("resolve --url https://example.org/ x", "use `--base`"),
    ("explain --all", "alone lists all checks"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("audit site --hidden", "rehref always processes hidden files"),
    ("man -k links", "prints the page of one"),
    ("config --list", "alone prints all settings"),
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
    ("rename site a=b", "use `rehref move`"),
    ("lint site", "use `rehref audit`"),
    ("compare site site", "use `rehref verify`"),
    ("urljoin x", "use `rehref resolve`"),
    ("aduit site", "did you mean `audit`?"),
    ("audit site --fix moved", "did you mean `--fix=moved`?"),
    ("audit site --quiet moved", "`--quiet` takes no value"),
    ("absolute stie --url https://example.org/ --out out", "did you mean site?"),
    ("audit nothing-like-it", "nothing-like-it: no such file or directory"),
    ("audit https://example.org", "fetches nothing; download it first"),
    ("move a.html=b.html", "rehref move SITE a.html=b.html"),
    ("move site a.html", "write a move as OLD=NEW, like old.html=new.html"),
    ("move site folder/*=new/ --dry-run", "--regex 'folder/(.*)=new/$1'"),
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
    ("audit site --check", "--check is for --fix"),
    ("audit site -o r.html", "use `--format html=r.html`"),
    ("links site -o x.csv", "add `--format csv=FILE`"),
    ("links site --parquet", "use `--format parquet`"),
    (
        "verify site site --format parquet=r.parquet",
        "only `rehref links SITE` and `rehref audit SITE` have the format parquet",
    ),
    (
        "relative site -n --format parquet",
        "only `rehref links SITE` and `rehref audit SITE` have the format parquet",
    ),
    ("links site -n", "links changes nothing"),
    ("links site --sarif", "links has the formats jsonl, csv, parquet, urls"),
    ("resolve --base https://example.org/ -foo.html", "rehref resolve --base URL -- -foo.html"),
    ("relative site -dry-run", "did you mean `--dry-run`?"),
    ("relative site --DRY-RUN", "use `--dry-run`"),
    ("audit site --format html r.html", "did you mean `--format html=r.html`?"),
    ("convert site", "use `rehref absolute`"),
    ("resolve https://e.example/ x", "`--base https://e.example/`"),
    ("audit site --include folder site", "site is given twice; omit the second site"),
    ("audit site --include folder a.html", "repeat the option for each value"),
    ("audit site --index-files a.html b.html", "did you mean `--index-files a.html,b.html`?"),
    ("audit --fix moved site", "did you mean `--fix=moved`?"),
    ("audit site -- --quiet", "omit `--`"),
    ("-n relative site", "options come after the command"),
    ("site", "a command comes first, as in `rehref audit site`"),
    ("-k site", "use `rehref relative SITE --offline --out OUT`"),
    ("audit -k site", "use `rehref relative SITE --offline --out OUT`"),
    ("relative site -O out", "use `--out`"),
    ("relative site -P out", "use `--out`"),
    ("relative -vz site out", "rehref copies files on this disk"),
    ("audit site --base-path /docs", "give the whole URL"),
    ("audit site --max-depth 3", "`--include` and `--exclude` select documents"),
    ("audit site --no-external", "omit the option"),
    ("verify site site --no-network", "omit the option"),
    ("relative site --no-verify --out out", "omit the option"),
    ("relative site --exclude-from x", "repeat `--exclude` for each glob"),
    ("audit site --exclude-url https://e.org/", "--ignore 'target:GLOB'"),
    ("config --init", "write it to rehref.toml"),
    ("man --install", "`rehref man audit > DIRECTORY/man1/rehref-audit.1`"),
    ("mv -f site a.html=b.html", "use `--in-place`"),
    ("move site -e s/a/b/ --out out", "use `--regex 'old/(.*)=new/$1'`"),
    ("init", "start with `rehref audit SITE`"),
    (
        "move site no new.html=b.html --dry-run",
        "a path with a space needs quotes: 'no new.html=b.html'",
    ),
    ("help cehck", "did you mean `check`?"),
    ("help --all", "`rehref COMMAND --help` prints all options"),
    ("-v", "`rehref -V` prints the version"),
    ("audit site --format=report.html", "`--format html=report.html`"),
    ("audit site --format report.xml", "`--format junit=report.xml`"),
    ("audit site --format sarif:out.sarif", "write `--format sarif=out.sarif`"),
    ("links site --format csv,urls", "`--format csv --format urls=FILE`"),
    ("audit site --format junit=reports/", "give a file"),
    (
        "move site a.html=b.html --out out --write-redirects redirects.conf",
        "like nginx=redirects.conf; formats: netlify",
    ),
    ("absolute site url=https://e.org/ --out out", "did you mean `--url https://e.org/`?"),
    ("absolute site other --out out --url https://e.org/", "omit `other`"),
    (
        "absolute site/a.html other.html --url https://e.org/",
        "`rehref absolute site/a.html --url URL --out other.html`",
    ),
    ("audit site --url https://e.org/ https://f.org/", "add `--also https://f.org/`"),
    ("audit site -", "omit `-`"),
    (
        "audit site --source-url https://e.org/{path} --format json",
        "--source-url is for the HTML report",
    ),
    ("relative site --include folder site --dry-run", "site is given twice; omit the second site"),
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
    ("move x y", "rehref move SITE x=y"),
    ("mv site/a.html site/b.html", "rehref move site a.html=b.html"),
    ("mv site/folder site/news", "rehref move site folder=news"),
    ("move site site/folder=site/news --dry-run", "write folder=news"),
    ("move site folder = news --dry-run", "without spaces around `=`: folder=news"),
    ("move site folder= news --dry-run", "without spaces around `=`: folder=news"),
    ("move site folder news --dry-run", "write a move as OLD=NEW: folder=news"),
    ("move site folder= --dry-run", "--regex 'folder/(.*)=$1'"),
    ("move site folder=. --dry-run", "--regex 'folder/(.*)=$1'"),
    ("move site gone=folder --dry-run", "but `folder` does; was it moved before?"),
    (
        "move site --regex folder/(?=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    (
        "move site --regex folder/(?\\=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    ("help audti", "did you mean `audit`?"),
    ("fetch https://example.org/", "wget --mirror"),
    ("absolute https://example.org/ site --out out", "--url https://example.org/"),
    ("audit example.org", "fetches nothing"),
    ("audit file:///tmp/x", "give the path of the directory"),
    ("audit site/*", "give the directory: site"),
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
    ("move site a.html=b.html --out out --write-redirects", "give a format: netlify"),
    ("move site {a,b}=x/ --dry-run", "have no special meaning here"),
    ("move site example.org=new.example --dry-run", "--url OLD --new-url NEW"),
    ("move site a.html -> b.html", "write a move as OLD=NEW"),
    ("verify site site x", "write a move as OLD=NEW"),
    ("verify site site no=x", "BEFORE does not match the moves: 1 move is impossible"),
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
        ("audit site/folder", 1, "1 link has its target above SITE"),
        ("audit moved --fix --dry-run", 0, "rehref can fix 1 finding with --fix=moved"),
        ("audit empty.warc", 2, "1 archive of 0 bytes"),
        (
            "relative site --exclude folder --out part",
            0,
            "skips 2 documents; the output contains them unchanged",
        ),
        ("audit site --include !folder", 2, "`!` does not negate a glob"),
        ("audit deep", 1, "use `rehref audit deep/public`"),
        ("verify absolute other --url https://e.org/", 1, "add --new-url https://e.com/x/"),
        ("audit site --index-files default.htm", 0, "SITE has no file of this name"),
        ("audit zero", 0, "1 document is empty (0 bytes)"),
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
fn what_a_filter_reads_is_not_silently_empty() {
    let dir = TestDir::new();
    let run = dir.rehref_with_stdin(&["absolute", "-", "--url", "https://e.org/"], b"");
    assert!(run.status(0).stderr().contains("stdin is empty"));
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
