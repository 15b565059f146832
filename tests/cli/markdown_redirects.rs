//! Redirects of moved pages in Markdown: by their URLs, and in the forms of the generators.

use crate::run::Run;
use crate::support::TestDir;

/// A page with a link, in the directory of documents of a generator, beside its configuration.
fn project(configuration: (&str, &str), documents: &[(&str, &str)]) -> TestDir {
    let (name, text) = configuration;
    let dir = TestDir::with_site(documents);
    dir.write(&format!("site/{name}"), text.as_bytes());
    dir
}

/// Moves `moves` in `site` to `out` with `format`, and has the result verified.
fn moved(dir: &TestDir, moves: &[&str], format: &str) -> Run {
    let option = ["--write-redirects", format];
    let arguments = [&["move", "site", "-o", "out", "--verify"][..], moves, &option].concat();
    let run = dir.rehref(&arguments).status(0);
    let arguments = [&["verify", "site", "out"][..], moves, &option].concat();
    dir.rehref(&arguments).status(0);
    run
}

const MKDOCS: (&str, &str) = ("mkdocs.yml", "site_name: Bees\n");

fn bees() -> TestDir {
    let documents = [
        ("docs/index.md", "# Bees\n\n[Honey](food/honey.md#taste)\n"),
        ("docs/food/index.md", "# Food\n"),
        ("docs/food/honey.md", "# Honey\n\n## Taste\n\n[Home](../index.md)\n"),
        ("docs/food/jar.png", "png"),
        ("README.md", "# Read me\n"),
    ];
    project(MKDOCS, &documents)
}

#[test]
fn rules_name_the_urls_of_pages() {
    let moves = ["docs/food=docs/kitchen"];
    let rules = moved(&bees(), &moves, "netlify=-").stdout();
    assert_eq!(rules, "# Written by rehref\n/food /kitchen/ 301\n/food/* /kitchen/:splat 301\n");
    for (configuration, page, expected) in [
        (
            ("mkdocs.yml", "use_directory_urls: false\n"),
            "docs/food/honey.md",
            &["/food/honey.html /kitchen/honey.html"][..],
        ),
        (
            ("book.toml", "[book]\nsrc = \"docs\"\n"),
            "docs/food/honey.md",
            &["/food/honey.html /kitchen/honey.html"],
        ),
        (
            ("conf.py", "project = 'x'\n"),
            "food/honey.md",
            &["/food/honey.html /kitchen/honey.html"],
        ),
        (
            (".vitepress/config.ts", "cleanUrls: true,\n"),
            "food/honey.md",
            &["/food/honey /kitchen/honey", "/food/honey/ /kitchen/honey"],
        ),
        (
            ("_config.yml", "permalink: pretty\n"),
            "food/honey.md",
            &["/food/honey /kitchen/honey/", "/food/honey/ /kitchen/honey/"],
        ),
        (
            ("docusaurus.config.js", ""),
            "docs/1-food/02-honey.mdx",
            &["/docs/food/honey /docs/kitchen/honey", "/docs/food/honey/ /docs/kitchen/honey"],
        ),
        (
            ("docusaurus.config.js", "routeBasePath: '/',\n"),
            "docs/food/honey.md",
            &["/food/honey /kitchen/honey", "/food/honey/ /kitchen/honey"],
        ),
        (
            ("hugo.toml", ""),
            "content/Food/Wild Honey.md",
            &["/food/wild-honey /kitchen/wild-honey/", "/food/wild-honey/ /kitchen/wild-honey/"],
        ),
    ] {
        let dir = project(configuration, &[(page, "# Honey\n")]);
        let (folder, _) = page.rsplit_once('/').unwrap();
        let new = match folder.rsplit_once('/') {
            Some((above, _)) => format!("{above}/kitchen"),
            None => "kitchen".to_owned(),
        };
        let rules = moved(&dir, &[&format!("{folder}={new}")], "json").stdout();
        let rules: serde_json::Value = serde_json::from_str(&rules).unwrap();
        let rules = rules.as_array().unwrap().iter();
        let text = |rule: &serde_json::Value| {
            let [from, to] = ["from", "to"].map(|key| rule[key].as_str().unwrap().to_owned());
            format!("{from} {to}")
        };
        let mut rules: Vec<String> = rules.map(text).collect();
        rules.sort();
        assert_eq!(rules, expected, "{configuration:?}");
    }
}

#[test]
fn redirect_pages_are_where_the_generator_copies_files() {
    for (configuration, page, expected) in [
        (MKDOCS, "docs/a/b.md", "docs/a/b/index.html"),
        (("hugo.toml", ""), "content/a/b.md", "static/a/b/index.html"),
        (("docusaurus.config.js", ""), "docs/a/b.md", "static/docs/a/b/index.html"),
        (("book.toml", ""), "src/a/b.md", "src/a/b.html"),
        ((".vitepress/config.ts", ""), "a/b.md", "public/a/b.html"),
        (("_config.yml", ""), "a/b.md", "a/b.html"),
        // Settings name other directories.
        (("mkdocs.yml", "docs_dir: x\n"), "x/a/b.md", "x/a/b/index.html"),
        (("hugo.toml", "staticdir = ['x']"), "content/a/b.md", "x/a/b/index.html"),
        (("book.toml", "[book]\nsrc = 'x'\n"), "x/a/b.md", "x/a/b.html"),
        (
            ("docusaurus.config.js", "export default {staticDirectories: ['./x']}"),
            "docs/a/b.md",
            "x/docs/a/b/index.html",
        ),
        ((".vitepress/config.ts", "export default {srcDir: 'x'}"), "x/a/b.md", "x/public/a/b.html"),
    ] {
        let dir = project(configuration, &[(page, "# B\n")]);
        let (folder, _) = page.rsplit_once("a/").unwrap();
        let moves = format!("{page}={folder}c.md");
        moved(&dir, &[&moves], "html");
        let html = dir.read(&format!("out/{expected}"));
        assert!(html.contains("This page has moved"), "{html}");
    }
    let dir = project(("conf.py", "project = 'x'\n"), &[("a/b.md", "# B\n")]);
    let run = moved(&dir, &["a/b.md=c.md"], "html");
    assert!(run.stderr().contains("no redirect from 1 old URL"), "{}", run.stderr());
}

#[test]
fn pages_of_another_book_do_not_take_an_old_url() {
    let books = ["one/src/a.md", "one/src/b.md", "two/src/b.md"].map(|it| (it, "# B\n"));
    let dir = project(("one/book.toml", ""), &books);
    dir.write("site/two/book.toml", b"");
    let rules = moved(&dir, &["one/src/b.md=one/src/c.md"], "netlify=-").stdout();
    assert_eq!(rules, "# Written by rehref\n/b.html /c.html 301\n");
}

#[test]
fn front_matter_gets_the_old_url() {
    for (configuration, format, before, after) in [
        (("hugo.toml", ""), "hugo", "# B\n", "---\naliases:\n  - \"/a/b/\"\n---\n# B\n"),
        (
            ("hugo.toml", ""),
            "hugo",
            "+++\naliases = ['/old/']\n[params]\n+++\n",
            "+++\naliases = ['/old/', \"/a/b/\"]\n[params]\n+++\n",
        ),
        (
            ("_config.yml", ""),
            "jekyll",
            "---\r\ntitle: B\r\n---\r\n\r\n[home](../index.md)\r\n",
            "---\r\ntitle: B\r\nredirect_from:\r\n  - \"/a/b.html\"\r\n---\r\n\r\n[home](index.md)\r\n",
        ),
        (
            ("_config.yml", ""),
            "jekyll",
            "---\nredirect_from: /old.html\n---\n",
            "---\nredirect_from: [/old.html, \"/a/b.html\"]\n---\n",
        ),
    ] {
        let root = if format == "hugo" { "content/" } else { "" };
        let dir = project(
            configuration,
            &[(&format!("{root}a/b.md"), before), (&format!("{root}index.md"), "---\n---\n")],
        );
        let moves = [format!("{root}a/b.md={root}c.md")];
        moved(&dir, &[&moves[0]], format);
        assert_eq!(dir.read(&format!("out/{root}c.md")), after);
        // Another end of the front matter is a difference.
        let damaged = dir.read(&format!("out/{root}c.md")).replace("/a/b", "/a/x");
        dir.write(&format!("out/{root}c.md"), damaged.as_bytes());
        let arguments = ["verify", "site", "out", &moves[0], "--write-redirects", format];
        dir.rehref(&arguments).status(1);
        // And back.
        dir.write(&format!("out/{root}c.md"), after.as_bytes());
        let back = format!("{root}c.md={root}a/b.md");
        let arguments = ["move", "out", &back, "-o", "back", "--write-redirects", format];
        dir.rehref(&arguments).status(0);
        let text = dir.read(&format!("back/{root}a/b.md"));
        assert!(text.contains("\"/c") && !text.contains("\"/a/b"), "{text}");
    }
}

#[test]
fn a_page_whose_front_matter_states_its_url_needs_no_redirect() {
    for (configuration, root, front_matter, expected) in [
        (("hugo.toml", ""), "content/", "url: /fixed/", ""),
        (("hugo.toml", ""), "content/", "slug: bee", "/a/bee/ /c/bee/ 301\n"),
        (("_config.yml", ""), "", "permalink: /fixed/", ""),
        (("docusaurus.config.js", ""), "docs/", "slug: /fixed", ""),
        (("docusaurus.config.js", ""), "docs/", "id: bee", "/docs/a/bee /docs/c/bee 301\n"),
    ] {
        let text = format!("---\n{front_matter}\n---\n");
        let dir = project(configuration, &[(&format!("{root}a/b.md"), &text)]);
        let moves = format!("{root}a/b.md={root}c/d.md");
        let rules = moved(&dir, &[&moves], "netlify=-").stdout();
        assert_eq!(rules, format!("# Written by rehref\n{expected}"));
    }
}

#[test]
fn a_plugin_that_no_file_names_is_missing() {
    for (configuration, is_missing) in [("", true), ("plugins:\n  - jekyll-redirect-from\n", false)]
    {
        let dir = project(("_config.yml", configuration), &[("a.md", "---\n---\n")]);
        let stderr = moved(&dir, &["a.md=b.md"], "jekyll").stderr();
        let warning = "only the plugin jekyll-redirect-from reads redirect_from";
        assert_eq!(stderr.contains(warning), is_missing, "{stderr}");
    }
}

#[test]
fn a_move_without_redirects_names_the_format() {
    for (configuration, root, format) in [
        (MKDOCS, "docs/", Some("mkdocs-redirects")),
        (("hugo.toml", ""), "content/", Some("hugo")),
        ((".vitepress/config.ts", ""), "", Some("html")),
        (("package.json", ""), "", None),
    ] {
        let dir = project(configuration, &[(&format!("{root}a.md"), "# A\n")]);
        let moves = format!("{root}a.md={root}b.md");
        let run = dir.rehref(&["move", "site", &moves, "--dry-run"]).status(0);
        let note = format!("--write-redirects {}", format.unwrap_or_default());
        assert_eq!(run.stderr().contains(&note), format.is_some(), "{}", run.stderr());
    }
}

#[test]
fn a_format_of_another_generator_is_refused() {
    let dir = bees();
    for (format, expected) in [
        ("hugo", "rehref reads the Markdown of the site as MkDocs does"),
        ("mkdocs-redirects=site/mkdocs.yml", "this file exists, and rehref cannot add to"),
        ("hugo=x", "write hugo without a file"),
    ] {
        let arguments =
            ["move", "site", "docs/food=docs/x", "--dry-run", "--write-redirects", format];
        let run = dir.rehref(&arguments).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
    }
    let dir = TestDir::with_site(&[("a.html", "")]);
    let arguments = ["move", "site", "a.html=b.html", "--dry-run", "--write-redirects", "hugo"];
    let run = dir.rehref(&arguments).status(2);
    assert!(
        run.stderr().contains("rehref does not read Markdown in this site"),
        "{}",
        run.stderr()
    );
}
