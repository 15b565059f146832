//! Wrong uses: each error says what to do instead.

use std::path::MAIN_SEPARATOR;

use crate::cases::words;
use crate::support::TestDir;

/// A command line, and what its error says.
const WRONG_USES: &[(&str, &str)] = &[
    ("audit site --json", "use `--format json`"),
    ("verify site site --json", "use `--format json`"),
    ("absolute site --json", "use `--format json`"),
    ("audit site --sarif", "use `--format sarif`"),
    ("audit site --junit report.xml", "use `--format junit=report.xml`"),
    ("audit site --junit=report.xml", "use `--format junit=report.xml`"),
    ("audit --json site", "use `--format json`"),
    ("audit site --build no-such-generator{out}", "the shell finds no such program"),
    ("audit site --report json", "use `--format`"),
    ("absolute site --report json", "use `--format`"),
    ("audit site --level error", "pass --min-level LEVEL"),
    ("move site/a.html a.html=b.html", "rehref move site a.html=b.html"),
    (
        "audit -",
        "save the page at its place in the site (unpack an archive), and pass the directory",
    ),
    ("links -", "stdin has no URL"),
    (
        "absolute site/a.html site/folder/b.html --url https://e.org/ --out out",
        "for these files: `rehref absolute site --include /a.html --include /folder/b.html`",
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
    ("move site folder/*=news/ -n", "help: write folder=news"),
    ("move site folder/?.html=news/x.html -n", "have no special meaning here"),
    ("move site *.htm=x -n", "have no special meaning here"),
    ("move site folder:news -n", "write a move as OLD=NEW"),
    ("move site s/folder/news/ -n", "not expressions of sed"),
    ("mv folder=news site", "relative to the site: rehref move SITE folder=news"),
    ("move site/a.html=site/b.html", "rehref move site a.html=b.html"),
    (
        "absolute site --url https://e.org/ --out out --browser=/nowhere/firefox",
        "cannot start the browser /nowhere/firefox",
    ),
    ("audit site --format json --format sarif", "write one to a file: --format sarif=FILE"),
    ("audit site --ignore broken-targt", "did you mean broken-target?"),
    ("audit site --ignore orphan --only orphan --entry a.html", "disable all checks"),
    ("audit site --quiet --verbose", "'--quiet' cannot be used with '--verbose'"),
    ("base site/a.html --format json=site/a.html", "would overwrite the site"),
    (
        "move site a.html=b.html -o out --write-redirects netlify=site/folder/b.html",
        "this file is a document",
    ),
    ("links site a.html", "add `--to a.html`"),
    ("audit site --include a.html b.html", "quote a glob, so that the shell"),
    ("--json audit site", "use `--format json`"),
    ("audit site --max-results 5", "--min-level error"),
    ("audit site --limit 5", "--min-level error"),
    ("audit site --clean-urls", "--try '{}.html'"),
    ("audit site --changed", "--files-from -"),
    ("audit site --skip node_modules", "--exclude 'DIR/**'"),
    ("audit site --remap a=b", "--also URL"),
    ("audit site site2", "run it again for another site"),
    ("audit site --fallback-extensions html", "--try '{}.html'"),
    ("audit site --enforce-https", "--only external --format urls"),
    ("orphans site", "--only orphan"),
    ("undo", "rehref keeps no old versions"),
    ("graph site", "--format csv"),
    ("audit site --stats", "remove the option"),
    ("audit site --sitemap", "remove the option"),
    ("audit site --format sarif,github", "repeat the option for each format"),
    ("audit site --format sarif --format github", "--format sarif=FILE"),
    ("audit site -f json", "like `--format json`"),
    ("move site s/^a/b/ -n", "not expressions of sed"),
    ("move site =blog -n", "--regex '(.*)=blog/$1'"),
    ("move site a.html=b.html#top -n", "to rename an anchor, write"),
    ("move site a.html=https://e.org/a -n", "--new-url NEW"),
    ("move site --regex (.*)=https://e.org/$1 -n", "--new-url NEW"),
    (
        "move site --url https://e.org/ --new-url https://e.org/ -n",
        "a --new-url that differs from --url",
    ),
    ("move -r site a.html=b.html -n", "a directory moves with all its files"),
    ("mv site/folder/b.html site/new/b.html", "rehref move site folder/b.html=new/b.html"),
    ("resolve --base https://e.org/ --form root x", "add --relativize"),
    ("resolve --base C:\\site\\a.html x", "write file:///C:/site/a.html"),
    ("audit site --no-check-internal-hash", "use `--fragments off`"),
    ("audit site --no-warnings", "use `--min-level error`"),
    ("audit site --check-html", "rehref checks links, not markup"),
    ("audit site --only error", "use `--min-level error`"),
    ("links site --internal-only", "use `--only internal`"),
    ("links site --unique", "prints each URL once"),
    ("rewrite site", "use `rehref absolute SITE` to make links absolute"),
    ("relative site -o out --url https://e.org/ --base-url https://e.com/", "use `--also`"),
    ("audit site https://e.org/", "is published, add `--url https://e.org/`"),
    ("audit --url site", "rehref audit site --url URL"),
    ("base site/a.html --set https://e.org/", "rehref absolute SITE --url URL --base-element URL"),
    ("relative site -o out --form absolute", "use `rehref absolute`"),
    ("relative site -o https://e.org/out", "this is a URL\nhelp: pass a directory"),
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
    ("links site --json", "use `--format json`"),
    ("explain --all", "alone prints all"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("audit site --hidden", "always reads the whole tree"),
    ("man -k links", "shows the page of a command"),
    ("config --list", "alone prints all"),
    ("explain broken-link", "broken-target"),
    ("audit site --only broken-links", "use `broken`"),
    ("links site --only broken", "use `--broken`"),
    ("links site --only external --broken", "pass them to a link checker"),
    ("move site --regex s/news/blog/", "not expressions of sed"),
    ("base https://example.org/", "fetches nothing"),
    ("base site", "is a directory"),
    ("links site --fix", "`--fix` is an option of audit"),
    ("audit site --timeout 3", "rehref fetches nothing"),
    ("audit site -r", "rehref always reads the whole tree below the site"),
    ("absolute site out", "add `--out out`"),
    ("audit site site", "add `--include GLOB`"),
    ("move site a.html=>b.html --dry-run", "the new path `>b.html` begins or ends with `>`"),
    ("move site a.html=a.html --dry-run", "nothing to move"),
    ("move site a.html=b.html -o out --write-redirects json=- --format json", "both print"),
    ("audit site --only broken-target --level broken-target=off", "disable all checks"),
    ("audit --explain", "use `rehref explain`"),
    ("man nothing", "no such command\nhelp: rehref --help lists all"),
    ("urljoin x", "pass the URL of the document"),
    ("aduit site", "did you mean `rehref audit`?"),
    ("audit site --fix moved", "did you mean `--fix=moved`?"),
    ("audit site --quiet moved", "`--quiet` accepts no value"),
    ("absolute stie --url https://example.org/ --out out", "did you mean site?"),
    ("audit nothing-like-it", "nothing-like-it: no such file or directory"),
    ("audit https://example.org", "fetches nothing: download it first"),
    ("move a.html=b.html", "rehref move SITE a.html=b.html"),
    ("move site a.html", "write a move as OLD=NEW in one argument"),
    ("move site folder/*=new/ --dry-run", "help: write folder=new"),
    (r"move site folder\a=b --dry-run", "write `/` between directories"),
    ("move site --regex (=x --dry-run", "not a regular expression: unclosed group"),
    (
        "move site --dry-run",
        "pass OLD=NEW, --map FILE (- for stdin), --regex PATTERN=NEW or --new-url URL",
    ),
    (
        "resolve --base example.org x",
        "not an absolute URL\nhelp: write it like https://example.org/docs/",
    ),
    ("absolute site --out out", "--url"),
    ("absolute site --url https://example.org/", "no output: add --out DIR"),
    ("audit site --format yaml", "[possible values: text, json"),
    ("audit site --check", "audit changes nothing without --fix"),
    ("audit site -o r.html", "use `--format html=r.html`"),
    ("links site -o x.csv", "use `--format csv=x.csv`"),
    ("links site --parquet", "use `--format parquet`"),
    ("links site -n", "links changes nothing"),
    ("resolve --base https://example.org/ -foo.html", "rehref resolve --base URL -- -foo.html"),
    ("relative site -dry-run", "did you mean `--dry-run`?"),
    ("audit site --format html r.html", "did you mean `--format html=r.html`?"),
    ("convert site", "use `rehref absolute SITE`"),
    ("resolve https://e.example/ x", "pass the URL of the document: `rehref resolve --base"),
    ("audit site --include folder site", "audit accepts only one site"),
    ("audit site --include folder a.html", "repeat the option for each value"),
    ("audit site --index-files a.html b.html", "repeat the option for each value"),
    ("audit --fix moved site", "did you mean `rehref audit site --fix=moved`?"),
    ("audit --dir site", "pass the directory without an option: `rehref audit site`"),
    ("audit site --check-http", "rehref never fetches anything"),
    ("audit site --host www.e.org", "use `--url https://www.e.org/`"),
    ("audit site --fail-on broken-fragment", "use `--only broken-fragment`"),
    ("base site/a.html ../b.html", "rehref resolve --base URL ../b.html"),
    (
        "replace site https://e.org https://f.org",
        "rehref move site --url https://e.org --new-url https://f.org",
    ),
    (
        "absolute site https://e.org https://f.org --out out",
        "--url https://e.org --new-url https://f.org",
    ),
    ("move site --regex *.html=*.htm -n", "write --regex '(.*)\\.html=$1.htm'"),
    ("move site c.html=a.html -n", "if the two paths are swapped, write a.html=c.html"),
    ("move site a.html=c.html -n --write-redirects mkdocs.yml", "use mkdocs-redirects"),
    ("audit site\\a.html", "write `/` between directories: site/a.html"),
    ("audit ./nothing-like-it", "has site"),
    ("absolute example.org/docs site", "rehref absolute site --url https://example.org/docs/"),
    ("audit --root-dir site", "SITE, the first argument, is the root directory"),
    ("verify --internal-only site site", "verify compares all links"),
    ("absolute site --url https://e.org/ --in-place=.bak", "rehref keeps no backup copies"),
    ("absolute site --base https://e.org/ --out out", "use --url https://e.org/ in its place"),
    ("absolute site --base= --out out", "--base-element needs a URL"),
    ("absolute site --url http:/e.org/ --out out", "did you mean http://e.org/?"),
    ("move site/a.html site/b.html", "rehref move site a.html=b.html"),
    ("move a.html b.html", "rehref move . a.html=b.html"),
    ("move site new.html a.html", "rehref move site a.html=new.html"),
    ("move site a.html b.html c.html", "3 arguments have no `=`"),
    ("compare site", "rehref compare git:HEAD~1 public"),
    ("compare site site/a.html", "this is a document, but compare compares sites"),
    ("audit site --format xml", "use `--format junit`"),
    ("audit site --format junit.xml", "--format junit=junit.xml"),
    ("audit site/**/*.html", "pass the directory site and --include '/**/*.html'"),
    ("audit site --build mkdocs build -d {out}", "write the whole command in quotes"),
    ("audit site --build 'mkdocs build -d {out}'", "the shell of Windows needs double quotes"),
    ("explain [broken-fragment]", "rehref explain broken-fragment"),
    ("compare site site site", "compare accepts OLD and NEW"),
    ("relative --adjust-extension site -o out", "rehref does not rename files by their type"),
    ("relative --page-requisites site -o out", "rehref fetches nothing"),
    ("relative site \u{2013}o out", "write `-o`"),
    ("relative site \u{2013}-out out", "write `--out`"),
    ("move site/folder site/blog", "rehref move site folder=blog"),
    ("move site/folder=site/blog", "rehref move site folder=blog"),
    ("absolute -i.bak site/a.html --url https://e.org/", "use `--in-place`"),
    ("resolve ../style.css site/a.html", "resolve reads no files"),
    ("verify site", "use `rehref audit SITE`"),
    ("base site https://e.org/", "base only prints base URLs"),
    ("absolute site -o out --baseURL https://e.org/", "use `--url`"),
    ("absolute site out --out out --url https://e.org/", "remove the first `out`"),
    ("relative site -o ~/mirror --offline", "the shell did not expand the path"),
    ("mv site folder", "has no `=`"),
    ("mv site/folder/b.html=site/b.html", "rehref move site folder/b.html=b.html"),
    ("audit site --url", "check whether a variable is set"),
    ("audit site --baseline", "`--baseline accepted.json --update-baseline` writes"),
    ("man rehref.toml", "`rehref man config` describes"),
    ("man 5 audit", "man accepts one command"),
    ("audit site --format junit -o r.xml", "use `--format junit=r.xml`"),
    ("audit site --output github", "use `--format github`"),
    ("audit site -o report.txt", "use `--format text=report.txt`"),
    ("audit site --exit-code 0", "use `--fail-on never`"),
    ("audit site --generator mkdocs", "use `--markdown GENERATOR`"),
    ("audit -f site/a.html site", "use `--format`"),
    ("move site -f site/a.html", "use `--map site/a.html`"),
    ("move site --from-file a.html -n", "use `--map FILE`"),
    ("-c x.toml audit site", "use `--config FILE`"),
    ("-C site audit", "SITE, the first argument"),
    ("links site -d x", "`--format urls`"),
    ("audit site -d x", "use `--out`"),
    ("audit site --fix-dry", "`--fix` (Fix findings"),
    ("audit site --message-format=json", "like `--format json`"),
    ("audit site --github-actions", "`--format github` (Format of the report"),
    ("audit site !site/blog/**", "use `--exclude 'site/blog/**'`"),
    (
        "audit site --baseline a.json --update-baseline b.json",
        "use `--baseline b.json --update-baseline`",
    ),
    ("audit site --format codeclimate", "use `--format gitlab`"),
    ("audit site --format csv", "`rehref links SITE --format csv` lists links"),
    ("links site --format xlsx", "use `--format csv`"),
    ("explain broken link", "`broken link` is broken-target"),
    ("search-replace old new site", "rehref move SITE --url OLD --new-url NEW"),
    ("relative site --in-place -o out", "remove one of the two options"),
    ("move site a=b,c=d -n", "pass each move as an argument: a=b c=d"),
    ("move site a= -n", "a shell reads `>` as a redirection"),
    ("move site a.html=b.html --write-redirects mod_rewrite -n", "use apache"),
    (
        "move site a.html=b.html --write-redirects redirects.csv -n",
        "netlify=redirects.txt has the old URL",
    ),
    ("move site a.html=b.html --write-redirects netlify,apache -n", "one run writes one format"),
    ("audit site/a.html site/folder/b.html", "--include /a.html --include /folder/b.html"),
    ("audit site --fix http-", "`--fix` accepts no value"),
    ("relative site --from a --to b", "--url OLD --new-url NEW"),
    ("absolute site --stdin-filepath a.html", "pass - as SITE"),
    ("relative saved.mht --extract", "--extract reads WARC and WACZ archives only"),
    ("compare site https://e.org/a https://e.org/b https://e.org/c", "a list of URLs is one file"),
    ("move site --url https://e.org/", "the new one to --new-url"),
    (
        "move site a.html=b.html -n --write-redirects public/_redirects",
        "write netlify=public/_redirects, or",
    ),
    ("audit site --only canonical", "--only chooses checks"),
    ("audit -s site", "remove -s; SITE, the first argument"),
    ("audit site --url localhost:1313/docs/", "write a URL like http://localhost:1313/docs/"),
    ("move site site/a.html=site/legal/ -n", "write a.html=legal/"),
    ("audit site  ", "an argument is empty"),
    (
        "audit site --url https://e.org/ -u",
        "to say where the site is published: --url URL, --also URL",
    ),
    ("move https://e.org/a/ https://e.org/", "--url https://e.org/a/ --new-url https://e.org/"),
    ("move site https://e.org/a/", "rehref move site --url https://e.org/a/ --new-url NEW"),
    ("base set site", "base only prints base URLs"),
    ("base site /docs/", "base only prints base URLs"),
    ("move site a.html=c.html -n --write-redirects github-pages", "use html, which writes a page"),
    ("compare git:HEAD none", "no such file or directory"),
    ("move site s/folder/news/", "not expressions of sed"),
    ("compare site git:main", "the old state comes first: rehref compare git:main site"),
    ("compare git:a git:b", "git worktree add DIRECTORY b"),
    ("--mirror https://e.org/", "rehref relative DIRECTORY --url URL --offline --out OUT"),
    ("compare https://e.org/sitemap.xml site", "wget https://e.org/sitemap.xml"),
    ("audit site --orphans", "--only orphan --entry /index.html"),
    ("man --html", "docs/reference/commands"),
    ("move site --delete a.html", "move deletes nothing"),
    ("explain index.html:65:16", "in brackets at the end of the finding"),
    (
        "audit site/folder/b.html site/folder/b.html",
        "given twice: `rehref audit site/folder/b.html`",
    ),
    ("move s/a/b/ site", "not expressions of sed"),
    ("audit site --skip-external", "never fetches anything"),
    ("audit site --exclude-mail", "bad-address=off"),
    ("audit site --skip-links", "--ignore 'target:GLOB'"),
    ("audit site --skip-dirs", "--exclude 'DIR/**'"),
    ("audit site --no-colour", "--color never"),
    (
        "audit site --ignore broken-target target:/x/*",
        "one argument: `--ignore 'broken-target target:/x/*'`",
    ),
    ("audit site --ignore /old-page", "did you mean 'target:/old-page' or 'path:/old-page'?"),
    ("audit site --ignore https://e.org/.*", "with a glob, like 'target:https://e.org/*'"),
    ("audit site --entry gone.html", "pass paths of files, relative to the site"),
    ("audit site --only orphan", "add --entry /index.html"),
    ("audit site --try $uri", "{} is the `$uri` of nginx"),
    ("move site --from a.html --to c.html", "write a move as OLD=NEW"),
    ("move site folder/*=news/:splat -n", "help: write folder=news"),
    ("move site folder=news news/b.html=news/c.html -n", "write folder/b.html=news/c.html"),
    ("move site --regex (.*)/b.html=c.html -n", "a group that NEW does not use"),
    ("move site a.html=c.html -n --write-redirects netlify=netlify.toml", "like _redirects"),
    (
        "move site a.html=c.html --already-moved -n --write-redirects apache",
        "compare with the old site",
    ),
    ("relative site --base /docs/", "to publish the site at another path"),
    ("absolute site --base /docs/ --out out", "to publish the site at another path"),
    ("absolute site --url /docs/ --out out", "https://example.org/docs/"),
    ("absolute site --url https://github.com/o/r --out out", "https://github.com/o/r/blob/main/"),
    ("compare site site --from-log combined --write-redirects apache", "name a file: apache=FILE"),
    ("move site folder -", "the shell reads `>` as a redirection"),
    ("audit site\"", "contains a quotation mark"),
    ("audit site --recurse", "remove --recurse"),
    ("audit site --ignore-pattern x", "--exclude 'DIR/**'"),
    ("audit site --max-warnings 0", "use `--fail-on warning`"),
    ("audit site --reporter github", "like `--format github`"),
    ("audit site --base /docs/", "pass its whole URL"),
    ("relative site/a.html --offline -o b.html", "pass the directory of the site"),
    ("move site folder/:x=y -n", "have no special meaning here"),
    ("audit site -- --quiet", "remove `--`"),
    ("-n relative site", "options come after the command"),
    ("-k site", "use `rehref relative SITE --offline --out OUT`"),
    ("audit -k site", "use `rehref relative SITE --offline --out OUT`"),
    ("relative -vz site out", "does only what the options say"),
    ("audit site --base-path /docs", "pass the whole URL"),
    ("audit site --max-depth 3", "`--include`, `--exclude`"),
    ("audit site --no-external", "rehref never fetches anything; remove the option"),
    ("verify site site --no-network", "rehref never fetches anything; remove the option"),
    ("relative site --no-verify --out out", "remove --no-verify"),
    ("relative site --exclude-from x", "repeat the option for each glob"),
    ("audit site --exclude-url https://e.org/", "--ignore 'target:GLOB'"),
    ("config --init", "write it to rehref.toml"),
    ("man --install", "`rehref man audit > rehref-audit.1`"),
    ("mv -f site a.html=b.html", "add `--in-place`"),
    ("move site -e s/a/b/ --out out", "use `--regex 'old/(.*)=new/$1'`"),
    ("init", "start with `rehref audit SITE`"),
    ("move site no new.html=b.html --dry-run", "'an old.html=new.html'"),
    ("-v", "`rehref -V` prints the version"),
    ("audit site --format=report.html", "`--format html=report.html`"),
    ("audit site --format report.xml", "`--format FORMAT=report.xml`"),
    ("audit site --format sarif:out.sarif", "write `--format sarif=out.sarif`"),
    ("links site --format csv,urls", "repeat the option for each format"),
    ("audit site --format junit=reports/", "pass a file"),
    (
        "move site a.html=b.html --out out --write-redirects redirects.conf",
        "like nginx=redirects.conf; formats: netlify",
    ),
    ("absolute site other --out out --url https://e.org/", "absolute accepts only one site"),
    ("absolute site/a.html other.html --url https://e.org/", "add `--out other.html`"),
    ("audit site --url https://e.org/ https://f.org/", "add `--also https://f.org/`"),
    (
        "audit site --source-url https://e.org/{path} --format json",
        "--source-url is for the HTML report",
    ),
    ("relative site --include folder site --dry-run", "relative accepts only one site"),
    ("audit site --include a.html,b.html", "a glob is not a list"),
    ("audit site --index-files *.html", "pass names of files, not globs"),
    (
        "absolute site --url ./site --out out",
        "is a path\nhelp: pass the URL at which the site is published, like https://example.org/docs/",
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
    ("absolute site --url https://e.org/ --out /dev/stdout", "pass a directory"),
    ("audit site/*.html", "pass the directory site and --include '/*.html'"),
    ("mv site/a.html site/b.html", "rehref move site a.html=b.html"),
    ("move site site/folder=site/news --dry-run", "write folder=news"),
    ("move site folder = news --dry-run", "rehref move site folder=news"),
    ("move site folder= news --dry-run", "write a move as OLD=NEW in one argument"),
    ("move site folder news --dry-run", "rehref move site folder=news"),
    ("move site folder= --dry-run", "--regex 'folder/(.*)=$1'"),
    (
        "move site gone=folder --dry-run",
        "but `folder` does\nhelp: if it moved before, add --already-moved",
    ),
    (
        "move site --regex folder/(?=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    (
        "move site --regex folder/(?\\=x)(.*)=news/$1 --dry-run",
        "look-ahead and look-behind are not supported",
    ),
    ("fetch https://example.org/", "wget --mirror"),
    ("absolute https://example.org/ site --out out", "absolute accepts only one site"),
    ("audit example.org", "fetches nothing"),
    ("audit file:///tmp/x", "pass the path of the directory"),
    ("audit site/*", "pass the directory site"),
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
    ("move site a.html=b.html --out out --write-redirects", "pass a format, like netlify"),
    ("move site {a,b}=x/ --dry-run", "have no special meaning here"),
    ("move site example.org=new.example --dry-run", "--url OLD --new-url NEW"),
    ("move site a.html -> b.html", "write a move as OLD=NEW"),
    ("verify site site x", "write a move as OLD=NEW"),
    ("verify site site no=x", "the old tree does not match the moves: impossible moves: 1"),
    ("audit site --jobs -1", "pass a number, 1 or more"),
    ("audit site --url localhost:8080", "write a URL like http://localhost:8080/"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("relative site --out out --url https://e.org/ --url https://www.e.org/", "use `--also`"),
    ("base site/b.html", "the file does not exist\nhelp: did you mean site/a.html?"),
    ("man audti", "did you mean audit?"),
    ("man rehref-audit", "did you mean audit?"),
    ("fix site", "rehref audit SITE --fix --in-place"),
    ("site", "a command comes first: `rehref audit site`"),
    ("https://example.org/", "`wget --mirror --no-parent https://example.org/`"),
    ("relative site -offline -o out", "did you mean `--offline`?"),
    (
        "replace site http://a.example/ http://b.example/x/",
        "rehref does not change links to other sites",
    ),
    ("move site a.html=c.html -n --redirect 301", "use `--write-redirects FORMAT`"),
    ("move site a.html=c.html -n --redirects 301", "to write redirects, use --write-redirects"),
    ("move site https://e.org/folder/=https://e.org/x/ -n", "rehref move site folder/=x/ -n"),
    ("redirects site site", "`rehref compare OLD NEW --url URL --write-redirects"),
    ("audit site --status 404", "use `--only broken`"),
    ("links site --only nofollow", "rehref does not select links by rel"),
    ("compare site site --similarity 60", "no option sets how similar pages must be"),
    ("audit site --host nginx.conf", "use `--redirects nginx.conf`"),
    ("audit site --host s3", "`--no-index-files`"),
    ("absolute site --url /docs/ -o out", "rehref relative OUT --url URL --form root"),
    ("audit s3://bucket/docs", "`aws s3 sync`"),
    ("compare git:HEAD site", "rehref compare git:HEAD:DIRECTORY site"),
    ("audit site /fix", "write `--fix`"),
    ("audit site /url:https://e.org/", "write `--url https://e.org/`"),
    ("audit site --fix --backup", "rehref keeps no backup copies"),
    ("audit site -b https://e.org/", "use `--url https://e.org/`"),
    ("move site --write-redirects netlify --from-aliases", "only for what moves"),
    ("extract crawl.warc.gz", "`rehref relative ARCHIVE --extract --out DIR`"),
    ("frobnicate site", "`rehref audit SITE` checks a site"),
    ("replace site old new", "use `rehref move SITE --url OLD --new-url NEW --out OUT`"),
    ("audit site --lang ja", "to read only some documents, use `--include GLOB`"),
    ("audit site -l 2", "rehref always reads the whole tree"),
    ("audit site --linkcheck_ignore x", "use `--ignore 'target:GLOB'`"),
    ("audit site --ignore /folder/.*/", "'target:folder/*' or"),
    ("links site --recursive-depth 3", "to select links: --broken, --only KIND, --to URL"),
    (
        "compare --old site --new site",
        "pass the two states without options: `rehref compare OLD NEW`",
    ),
    ("move site --lowercase -o out", "pass the list: `--map FILE`"),
    ("absolute site --https -o out", "--url http://HOST/ --new-url https://HOST/"),
    ("relative site -o out --offline --url file:", "remove --url, or pass the URL"),
    ("relative site -o out --force-utf8", "to write the result: --out DIR, --in-place"),
    ("move site latest=stable -o out", "paths are relative to the site, which has"),
    ("move site old.uni.example=new.uni.example -n", "add --url OLD --new-url NEW"),
    (r"move site --regex folder/\(.*\)=x/\1 -n", "write --regex 'folder/(.*)=x/$1'"),
    ("audti site", "did you mean `rehref audit`?"),
    ("chekc site", "did you mean `rehref audit`?"),
    ("audit site \u{2013}url https://e.org/", "write `--url`"),
    ("audit explain broken-target", "did you mean `rehref explain broken-target`?"),
    ("audit site --fix in-place", "did you mean `--fix --in-place`?"),
    ("audit site --fail-on none", "use `--fail-on never`"),
    ("audit site --fragments none", "use `--fragments off`"),
    ("audit site -u https://e.org/", "use `--url`"),
    ("absolute site -d out2", "use `--out`"),
    ("audit site --watch", "run it again after each build"),
    ("audit site --url ", "check whether a variable is set"),
    ("audit ~/site", "without quotes"),
    ("audit C:\\site", "this is a path of Windows"),
    ("audit localhost:8000", "copy the site to this machine"),
    ("audit me@host:/var/www", "copy the site to this machine"),
    ("move site folder=folder/x -n", "--regex 'folder/(.*)=folder/x/$1'"),
    ("move site folder/*.html=news/ -n", "write --regex 'folder/([^/]*)\\.html=news/$1.html'"),
    ("move site folder/b.html=a.html/b.html -n", "choose another name"),
    ("move site https://e.org/a=https://e.org/b -n", "moves are by path"),
    ("move site site=news -n", "rehref move . site=news"),
    ("move site a.html=b.html -n --write-redirects .htaccess", "use apache"),
    ("explain missing-alt-text", "`rehref explain` alone says what each check finds"),
    ("compare site site --old-url https://e.org/", "`--url` is the URL at which OLD is published"),
    ("move site folder/(.*)\\.html=news/$1.html -n", "write --regex 'PATTERN=NEW'"),
    ("absolute site s#^/#https://e.org/#", "no expressions of sed"),
    ("audit --url site https://e.org/", "rehref audit site --url https://e.org/"),
    ("audit site --format junit --output-dir out/", "`--format junit=out/FILE`"),
    ("audit site --config .vale.ini", "like rehref.toml, or remove --config"),
    ("move site https://e.org/=https://f.org/", "--url https://e.org/ --new-url https://f.org/"),
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

/// The command lines of rehref in a message, in words: in backquotes, or from a colon to the end of the line. A word
/// in capitals stands for a value.
fn commands_in(message: &str) -> Vec<Vec<String>> {
    let coded = message.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let ends = message.lines().filter_map(|line| Some(line.split_once(": rehref ")?.1));
    // Of sentences about rehref, the next word is a verb.
    let verbs = ["reads ", "does ", "keeps ", "checks ", "writes ", "fetches ", "never "];
    let is_command = |it: &&str| !verbs.iter().any(|verb| it.starts_with(verb));
    let ends = ends.filter(is_command);
    let lines = coded.filter_map(|it| it.strip_prefix("rehref ")).chain(ends);
    let commands = lines.filter(|it| !it.contains(['`', '|', '>', '[', '\u{2026}']));
    let split = |line: &str| -> Vec<String> {
        let line = line.split(['(', ';']).next().unwrap_or_default();
        let named = words(line).into_iter();
        let named = named.map(|it| it.replace("URL", "https://e.org/").replace("LEVEL", "error"));
        named.map(|it| it.trim_end_matches(',').to_owned()).collect()
    };
    commands.map(split).collect()
}

#[test]
fn each_wrong_use_says_what_to_do() {
    let dir = site();
    // Windows refuses every --browser.
    let uses = WRONG_USES.iter();
    let uses = uses.filter(|(line, _)| cfg!(unix) || !line.contains("--browser"));
    let mut unhelpful = Vec::new();
    for (line, expected) in uses {
        println!("{line}");
        let arguments: Vec<&str> = line.split(' ').collect();
        let run = dir.rehref(&arguments).status(2);
        if !has(&run.stderr(), expected) {
            unhelpful.push(format!("{line}: {}", run.stderr()));
        }
        for command in commands_in(&run.stderr()) {
            let words = command.iter().map(String::as_str).chain(["--help"]);
            let words: Vec<&str> = words.collect();
            let tip = dir.rehref(&words);
            if tip.code() != Some(0) {
                unhelpful.push(format!("{line}: {command:?} is advised: {}", tip.stderr()));
            }
        }
        assert_eq!(run.stdout(), "", "{line}");
    }
    assert!(unhelpful.is_empty(), "{}", unhelpful.join("\n"));
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
        (
            "relative site --dry-run",
            0,
            "site/rehref.toml is in the site, so rehref did not read it",
        ),
        ("move site folder=site/news --dry-run", 0, "this move creates site/news in the site"),
        ("relative site --diff --verify", 0, "nothing was verified"),
        ("links site --to a.html --broken", 0, "no broken link has this target"),
        ("links site --to a.html --only external", 0, "no selected link has this target"),
        (
            "resolve --base https://e.org/ refs.txt",
            0,
            "rehref resolve --base https://e.org/ < refs.txt",
        ),
        ("verify site site folder=news", 1, "the new tree has folder/b.html, but not news/b.html"),
        ("verify absolute site --url https://e.org/", 1, "swap the two trees"),
        ("verify site pretty --url https://e.org/", 1, "otherwise --same-file"),
        (
            "absolute absolute --url https://e.com/ --dry-run",
            0,
            "rehref move SITE --url OLD --new-url NEW",
        ),
        (
            "resolve --base https://e.org/docs a",
            0,
            "rehref treats docs as a file\nhelp: if docs is a directory, write https://e.org/docs/",
        ),
        ("audit site/folder", 1, "links with targets above the site: 1"),
        ("audit moved --fix --dry-run", 0, "rehref can fix 1 finding with --fix=moved"),
        ("audit empty.warc", 2, "1 archive of 0 bytes"),
        (
            "relative site --exclude folder --out part",
            0,
            "skips 2 documents, whatever their links lead to; the output contains such documents unchanged",
        ),
        ("audit site --include !folder", 2, "`!` does not negate a glob"),
        (
            "audit deep",
            1,
            "all documents of the site are in its directory public, so their URLs begin with /public/",
        ),
        ("verify absolute other --url https://e.org/", 1, "add --new-url https://e.com/x/"),
        ("audit site --index-files default.htm", 0, "the site has no file of this name"),
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
            "no document changed; the site was copied to unchanged",
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
        dir.rehref(&[&["audit", "site", "--fix=moved"], more].concat()).status(0);
    }
    assert_eq!(dir.read("site/a.html"), page);
    let run = dir.rehref(&["audit", "site"]).status(0);
    assert!(run.stderr().contains("that the site is at https://e.org/docs/"), "{}", run.stderr());
    let run = dir.rehref(&["audit", "site", "--url", "https://e.org/"]).status(1);
    let said = run.stdout() + &run.stderr();
    assert!(!said.contains("can fix") && said.contains("/docs/"), "{said}");
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
                assert!(run.stderr().contains("cannot read "), "{}", run.stderr());
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
