//! Links in the data of sites in Markdown: front matter, and navigation in files of its own.

use crate::markdown::{check, moved};
use crate::support::TestDir;

#[test]
fn front_matter_keeps_all_but_its_links() {
    check(
        &[
            (
                "a.md",
                "---\r\ntitle:  'guide/b.md'   # no link\r\nimage: guide/i.png # one\r\nlinks: [ \"guide/b.md\",'./guide/b.md#x' ]\r\nslug: guide/b.md\r\nhero: {image: {src: /guide/i.png}}\r\n---\r\n[b](guide/b.md)\r\n",
            ),
            (
                "guide/b.md",
                "+++\ntitle = \"b\"\nimage = '../j.png'\n[cover]\nimage = \"i.png\"\n+++\n# X\n",
            ),
            ("guide/i.png", ""),
            ("j.png", ""),
        ],
        &["guide=a b/c"],
        &[
            (
                "a.md",
                "---\r\ntitle:  'guide/b.md'   # no link\r\nimage: a%20b/c/i.png # one\r\nlinks: [ \"a%20b/c/b.md\",'./a%20b/c/b.md#x' ]\r\nslug: guide/b.md\r\nhero: {image: {src: /a%20b/c/i.png}}\r\n---\r\n[b](a%20b/c/b.md)\r\n",
            ),
            (
                "a b/c/b.md",
                "+++\ntitle = \"b\"\nimage = '../../j.png'\n[cover]\nimage = \"i.png\"\n+++\n# X\n",
            ),
        ],
    );
}

#[test]
fn front_matter_may_count_from_the_root_of_the_content() {
    check(
        &[
            ("mkdocs.yml", "site_name: x\n"),
            ("docs/index.md", ""),
            (
                "docs/blog/p.md",
                "---\nlinks:\n  - setup/a.md\n  - Other: setup/b.md#x\nimage: assets/i.png\n---\n",
            ),
            ("docs/setup/a.md", ""),
            ("docs/setup/b.md", "# X\n"),
            ("docs/assets/i.png", ""),
        ],
        &["docs/setup=docs/start", "docs/assets=docs/img"],
        &[(
            "docs/blog/p.md",
            "---\nlinks:\n  - start/a.md\n  - Other: start/b.md#x\nimage: img/i.png\n---\n",
        )],
    );
}

#[test]
fn further_keys_of_front_matter_are_links_with_an_option() {
    let files =
        [("a.md", "---\nnext: guide/b\nmore: {next: guide/b.md}\n---\n"), ("guide/b.md", "")];
    let moves = ["guide/b.md=guide/c.md"];
    let (dir, _) = moved(&files, &moves);
    assert_eq!(dir.read("out/a.md"), files[0].1);
    let (dir, _) = moved(&files, &["--front-matter", "more.next", moves[0]]);
    assert_eq!(dir.read("out/a.md"), "---\nnext: guide/b\nmore: {next: guide/c.md}\n---\n");
    let run = dir.rehref(&["audit", "site", "--front-matter", "a..b"]);
    let printed = run.status(2).stderr();
    assert!(printed.contains("--front-matter: `a..b` is not a key"), "{printed}");
}

#[test]
fn audit_checks_front_matter_that_is_certainly_a_path() {
    let dir = TestDir::with_site(&[
        ("a.md", "---\nimage: ./none.png\ncover: maybe.png\nlink: b.md#y\n---\n[b](b.md)\n"),
        ("b.md", "# X\n"),
    ]);
    let run = dir.rehref(&["audit", "site"]).status(1);
    let printed = run.stdout();
    for expected in ["./none.png", "b.md#y"] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(!printed.contains("maybe.png"), "{printed}");
}

#[test]
fn front_matter_that_is_not_yaml_is_a_warning() {
    let files = [("a.md", "---\nimage: b: c\n---\n[b](b.md)\n"), ("b.md", "")];
    let (_, printed) = moved(&files, &["b.md=c.md"]);
    let expected = "a.md:2:9: front matter: mapping values are not allowed in this context";
    assert!(printed.contains(expected), "{printed}");
}

const MKDOCS: &str = "# The site\r\nsite_name: Ä docs/setup/a.md\r\nnav:\r\n  - Home: index.md   # first\r\n  - \"Set up\":\r\n    - setup/a b.md\r\n    - 'B': 'setup/b.md'\r\n    - {C: \"setup/100%.md\"}\r\n    - setup/\r\n  - https://a.example/setup/b.md\r\nextra_css: [setup/x.css]\r\nplugins:\r\n  - redirects:\r\n      redirect_maps:\r\n        setup/b.md: setup/b.md\r\n";

#[test]
fn navigation_of_mkdocs_names_files_of_its_folder() {
    let files = [
        ("mkdocs.yml", MKDOCS),
        ("index.md", ""),
        ("setup/b.md", "not this one"),
        ("docs/index.md", "[b](setup/b.md)\n"),
        ("docs/setup/a b.md", ""),
        ("docs/setup/b.md", ""),
        ("docs/setup/100%.md", ""),
        ("docs/setup/x.css", ""),
    ];
    let expected = "# The site\r\nsite_name: Ä docs/setup/a.md\r\nnav:\r\n  - Home: index.md   # first\r\n  - \"Set up\":\r\n    - get started/a b.md\r\n    - 'B': 'get started/b.md'\r\n    - {C: \"get started/100%.md\"}\r\n    - get started/\r\n  - https://a.example/setup/b.md\r\nextra_css: [get started/x.css]\r\nplugins:\r\n  - redirects:\r\n      redirect_maps:\r\n        setup/b.md: get started/b.md\r\n";
    check(&files, &["docs/setup=docs/get started"], &[("mkdocs.yml", expected)]);
    let names = files.map(|(path, text)| (path.replace("docs/", "manual/"), text));
    let mut files: Vec<(&str, &str)> = names.iter().map(|it| (&*it.0, it.1)).collect();
    files[0].1 = "docs_dir: manual\nnav: [setup/b.md]\n";
    check(
        &files,
        &["manual/setup/b.md=manual/c, d.md"],
        &[("mkdocs.yml", "docs_dir: manual\nnav: ['c, d.md']\n")],
    );
    check(&files, &["manual=a"], &[("mkdocs.yml", "docs_dir: a\nnav: [setup/b.md]\n")]);
}

#[test]
fn redirects_of_mkdocs_may_have_fragments() {
    let yaml = "plugins: [{redirects: {redirect_maps: {'x.md': 'a.md#y'}}}]\n";
    check(
        &[("mkdocs.yml", yaml), ("docs/a.md", "# Y\n")],
        &["docs/a.md=docs/b.md"],
        &[("mkdocs.yml", &yaml.replace("a.md#y", "b.md#y"))],
    );
}

#[test]
fn navigation_stays_when_the_index_of_its_folder_moves() {
    check(
        &[
            ("mkdocs.yml", "nav:\n  - index.md\n  - a.md\n"),
            ("docs/index.md", ""),
            ("docs/a.md", ""),
        ],
        &["docs/index.md=docs/b/c.md"],
        &[("mkdocs.yml", "nav:\n  - b/c.md\n  - a.md\n")],
    );
}

#[test]
fn redirects_of_mdbook_follow_the_pages_they_lead_to() {
    let configuration = "[output.html.redirect]\n\"/old/a.html\" = \"../g/b.html#x\" # c\n'/o.html' = 'g/index.html'\n'/p.html' = 'https://e.example/'\n\"/q.html\" = \"/g/b.html\"\n";
    check(
        &[
            ("book.toml", configuration),
            ("src/SUMMARY.md", "- [G](g/README.md)\n- [B](g/b.md)\n"),
            ("src/g/README.md", "# G\n"),
            ("src/g/b.md", "# B\n"),
            ("src/old/README.md", "# Old\n"),
        ],
        &["src/g=src/h/k", "src/g/b.md=src/old/n.md", "src/old/README.md=src/old/x/y.md"],
        &[(
            "book.toml",
            "[output.html.redirect]\n\"/old/a.html\" = \"n.html#x\" # c\n'/o.html' = 'h/k/index.html'\n'/p.html' = 'https://e.example/'\n\"/q.html\" = \"/old/n.html\"\n",
        )],
    );
}

#[test]
fn audit_checks_navigation() {
    let dir = TestDir::with_site(&[
        ("mkdocs.yml", "docs_dir: docs\nnav:\n  - a b.md\n  - none.md\ntheme:\n  logo: none.png\n"),
        ("docs/a b.md", ""),
        ("docs/index.md", ""),
    ]);
    let run = dir.rehref(&["audit", "site", "--format", "jsonl"]).status(1);
    let printed = run.stdout();
    assert!(printed.contains("none.md"), "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
    let dir = TestDir::with_site(&[("mkdocs.yml", "nav: [\n"), ("docs/index.md", "")]);
    let printed = dir.rehref(&["audit", "site"]).status(1).stdout();
    assert!(printed.contains("not well-formed YAML"), "{printed}");
}

#[test]
fn navigation_of_other_generators() {
    check(
        &[
            ("conf.py", ""),
            (
                "_toc.yml",
                "root: index\nchapters:\n- file: a/b\n- file: a/c.md\n- url: https://a.example/\n",
            ),
            ("index.md", "{doc}`a/b`\n"),
            ("a/b.md", ""),
            ("a/c.md", ""),
        ],
        &["a=d"],
        &[(
            "_toc.yml",
            "root: index\nchapters:\n- file: d/b\n- file: d/c.md\n- url: https://a.example/\n",
        )],
    );
    check(
        &[
            ("website/docusaurus.config.js", "docs: {\n  path: '../docs',\n},\n"),
            (
                "website/sidebars.json",
                "{\n\t\"docs\": [\"index\", \"a/index\", {\"type\": \"doc\", \"id\": \"a/b\"}, \"a/other-id\"]\n}\n",
            ),
            ("docs/index.md", "[b](a/b.md)\n"),
            ("docs/a/index.md", ""),
            ("docs/a/b.mdx", ""),
        ],
        &["docs/a=docs/c/d"],
        &[(
            "website/sidebars.json",
            "{\n\t\"docs\": [\"index\", \"c/d/index\", {\"type\": \"doc\", \"id\": \"c/d/b\"}, \"a/other-id\"]\n}\n",
        )],
    );
    check(
        &[
            (
                "hugo.toml",
                "[[menus.main]]\nname = 'a'\npageRef = '/a'\n[[menus.main]]\nurl = \"/a/b/\"\n",
            ),
            ("config/_default/menus.de.toml", "[[main]]\npageRef = 'a/b'\n"),
            ("content/_index.md", ""),
            ("content/a/_index.md", ""),
            ("content/a/b.md", ""),
        ],
        &["content/a=content/c"],
        &[
            (
                "hugo.toml",
                "[[menus.main]]\nname = 'a'\npageRef = '/c'\n[[menus.main]]\nurl = \"/c/b/\"\n",
            ),
            ("config/_default/menus.de.toml", "[[main]]\npageRef = 'c/b'\n"),
        ],
    );
    check(
        &[
            ("_config.yml", "header_pages:\n  - a/b.md\n"),
            ("_data/nav.yml", "- title: a/b\n  url: /a/b/\n- link: '/a/b.html'\n"),
            ("a/b.md", ""),
        ],
        &["a=c"],
        &[
            ("_config.yml", "header_pages:\n  - c/b.md\n"),
            ("_data/nav.yml", "- title: a/b\n  url: /c/b/\n- link: '/c/b.html'\n"),
        ],
    );
}

#[test]
fn relative_and_absolute_keep_the_form_of_data() {
    let files = [
        ("hugo.toml", "[[menus.main]]\nurl = '/a/'\n"),
        ("content/a.md", "---\nimage: /i.png\n---\n[b](/b/)\n"),
        ("content/b.md", ""),
        ("static/i.png", ""),
    ];
    for (command, url) in [("relative", "https://a.example/"), ("absolute", "https://a.example/")] {
        let dir = TestDir::with_site(&files);
        dir.rehref(&[command, "site", "-o", "out", "--url", url, "--verify"]).status(0);
        assert_eq!(dir.read("out/hugo.toml"), files[0].1);
        let text = dir.read("out/content/a.md");
        assert!(text.starts_with("---\nimage: /i.png\n---\n"), "{text}");
    }
}

#[test]
fn configuration_that_is_not_changed_is_listed() {
    let files = [
        (
            "mkdocs.yml",
            "nav:\n  - setup/a.md\nnot_in_nav: |\n  /setup/*.md\n  setup/a.md\nhooks: [hook.py]\n",
        ),
        ("hook.py", "PAGE = 'setup/a.md'\n"),
        ("docs/index.md", ""),
        ("docs/setup/a.md", ""),
        ("docs/x.ts", "const a = `setup/a`\n"),
    ];
    let (dir, printed) = moved(&files, &["docs/setup=docs/start"]);
    for expected in [
        "4 strings in 3 files name documents by old paths",
        "hook.py:1:9 (`setup/a.md` is now start/a.md)",
        "mkdocs.yml:4:3 (`/setup/` is now /docs/start/)",
        "docs/x.ts:1:12 (`setup/a` is now start/a)",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(dir.read("out/mkdocs.yml").starts_with("nav:\n  - start/a.md\n"));
}

#[test]
fn configuration_outside_of_site_is_listed() {
    let dir = TestDir::with_site(&[
        ("mkdocs.yml", "nav:\n  - Home: index.md\n  - A: setup/a.md\n"),
        ("hook.py", "X = 'docs/setup/a.md'\n"),
        ("docs/index.md", ""),
        ("docs/setup/a.md", ""),
    ]);
    let run = dir.rehref(&["move", "site/docs", "-o", "out", "--verify", "setup=start"]);
    let printed = run.status(0).stderr();
    for expected in [
        "../mkdocs.yml:3:8 (`setup/a.md` is now start/a.md)",
        "../hook.py:1:6 (`docs/setup/a.md` is now docs/start/a.md)",
        "note: mkdocs.yml is outside SITE; to update it too, give ",
        "2 strings in 2 files name documents by old paths",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    let dir = TestDir::with_site(&[
        ("website/docusaurus.config.js", ""),
        ("website/sidebars.ts", "export default { a: ['setup/a', 'index', {id: \"setup/b\"}] }\n"),
        ("docs/index.md", ""),
        ("docs/setup/a.mdx", ""),
        ("docs/setup/b.md", ""),
    ]);
    let run = dir.rehref(&["move", "site/docs", "-n", "setup=start", "--format", "json"]);
    let printed = run.status(0).stdout();
    for expected in
        ["\"../website/sidebars.ts\"", "\"configuration\"", "\"start/a\"", "\"start/b\""]
    {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn substitutions_of_myst_are_markdown() {
    let files = [
        ("conf.py", ""),
        (
            "a.md",
            "---\nmyst:\n  substitutions:\n    x: <img src=\"img/i.png\"> 'y'\n    y: \"[\\x62](b.md#x)\"\n    z: |\n      ```{image} img/i.png\n      :alt: i\n      ```\n\n      [b](b.md)\n    n: {o: \"{doc}`b`\"}\n---\n{{ x }} [c](#x)\n",
        ),
        ("b.md", "# B\n"),
        ("img/i.png", ""),
        (
            "index.md",
            "---\nother: '[b](b.md)'\n---\n```{button-ref} a\n```\n```{button-ref} nothing\n```\n",
        ),
    ];
    let (dir, errors) = super::markdown::moved(&files, &["a.md=d/e.md"]);
    assert_eq!(
        dir.read("out/d/e.md"),
        "---\nmyst:\n  substitutions:\n    x: <img src=\"../img/i.png\"> 'y'\n    y: \"[\\x62](../b.md#x)\"\n    z: |\n      ```{image} ../img/i.png\n      :alt: i\n      ```\n\n      [b](../b.md)\n    n: {o: \"{doc}`../b`\"}\n---\n{{ x }} [c](#x)\n"
    );
    assert_eq!(
        dir.read("out/index.md"),
        "---\nother: '[b](b.md)'\n---\n```{button-ref} d/e\n```\n```{button-ref} nothing\n```\n"
    );
    assert!(!errors.contains("nothing`"), "{errors}");
}

#[test]
fn paths_in_sources_count_from_the_root_of_the_site_whatever_its_url_is() {
    let menus =
        "[[menus.main]]\npageRef = '/g/a'\nurl = '/g/a/'\n[[menus.main]]\npageRef = 'g/a'\n";
    let page = "{{< ref \"/g/a\" >}} {{< ref \"g/a.md\" >}} [a](/g/a/)\n";
    let files = [
        ("hugo.toml", menus),
        ("config/_default/menus.toml", "[[main]]\npageRef = '/g/a'\n[[main]]\npageRef = '/none'\n"),
        ("content/_index.md", page),
        ("content/g/a.md", "# A\n"),
    ];
    let url = |path: &str| format!("https://example.org/{path}");
    let (dir, _) = moved(&files, &["--url", &url(""), "--new-url", &url("sub/")]);
    let with_urls = |text: &str| text.replace("'/g/a/'", "'/sub/g/a/'");
    assert_eq!(dir.read("out/hugo.toml"), with_urls(menus));
    assert_eq!(dir.read("out/config/_default/menus.toml"), files[1].1);
    assert_eq!(dir.read("out/content/_index.md"), page.replace("(/g/a/)", "(/sub/g/a/)"));
    // A site below the root of its host.
    let (dir, _) = moved(&files, &["content/g/a.md=content/h/a.md", "--url", &url("docs/")]);
    assert_eq!(
        dir.read("out/hugo.toml"),
        menus.replace("'/g/a'", "'/h/a'").replace("'g/a'", "'h/a'")
    );
    assert_eq!(dir.read("out/config/_default/menus.toml"), files[1].1.replace("/g/a", "/h/a"));
    assert_eq!(
        dir.read("out/content/_index.md"),
        "{{< ref \"/h/a\" >}} {{< ref \"h/a.md\" >}} [a](/g/a/)\n"
    );
}

#[test]
fn new_names_are_written_as_the_generator_reads_them_or_not_at_all() {
    // In YAML, every program reads a string.
    for (name, plain, double) in [
        ("12:30.md", "12:30.md", "12:30.md"),
        ("\\=", "'='", "="),
        ("<<", "'<<'", "<<"),
        ("a\u{2028}b.md", "\"a\\u2028b.md\"", "a\\u2028b.md"),
    ] {
        let yaml =
            |plain: &str, double: &str| format!("nav:\n- {plain}\n- [{plain}, \"{double}\"]\n");
        let (dir, _) = moved(
            &[("mkdocs.yml", &yaml("a.md", "a.md")), ("docs/a.md", ""), ("docs/index.md", "")],
            &[&format!("docs/a.md=docs/{name}")],
        );
        assert_eq!(dir.read("out/mkdocs.yml"), yaml(plain, double), "{name}");
    }
    // Paths have no escapes of URLs.
    check(
        &[
            ("_config.yml", ""),
            ("i.md", "{% link g/a.md %} {{ '/g/a.md' | relative_url }} [a](g/a.md)\n"),
            ("g/a.md", ""),
        ],
        &["g/a.md=x y%20.md"],
        &[(
            "i.md",
            "{% link x y%20.md %} {{ '/x%20y%2520.md' | relative_url }} [a](x%20y%2520.md)\n",
        )],
    );
    // What would be a pattern, another name or nothing stays, with a warning.
    let files = [
        ("conf.py", ""),
        ("_toc.yml", "root: index\nchapters:\n- file: g/a\n"),
        (
            "index.md",
            "---\nimage: g/a.md\n---\n```{toctree}\ng/a\nT <g/a>\n```\n{doc}`g/a` [a](g/a.md)\n",
        ),
        ("g/a.md", "# A\n"),
    ];
    for (name, kept, written) in [
        ("[b]/a.md", &["index.md:5:1: toctree"][..], "[a]([b]/a.md)"),
        ("b*/a.md", &["_toc.yml:3:9: navigation", "index.md:5:1: toctree"], "{doc}`b*/a`"),
        ("self.md", &["index.md:5:1: toctree"], "{doc}`self`"),
        ("<b>.md", &["index.md:5:1: toctree", "index.md:8:7: role"], "[a](%3Cb%3E.md)"),
    ] {
        let dir = TestDir::with_site(&files);
        let moves = format!("g/a.md={name}");
        let run = dir.rehref(&["move", "site", "-o", "out", &moves]).status(0);
        for place in kept {
            let warning = run.stderr();
            let mut lines = warning.lines().filter(|line| line.contains(place));
            assert!(
                lines.all(|line| line.contains("would not be read as this link here"))
                    && warning.contains(place),
                "{name} {place}: {warning}"
            );
        }
        let page = dir.read("out/index.md");
        assert!(page.contains(written), "{name}: {page}");
    }
}
