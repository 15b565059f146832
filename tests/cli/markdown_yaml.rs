//! Links in the data of sites in Markdown: front matter, and navigation in files of its own.

use crate::markdown::{check, moved};
use crate::support::TestDir;

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
fn substitutions_of_myst_are_markdown() {
    let files = [
        ("conf.py", "project = 'x'\n"),
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
    for (old, name, plain, double) in [
        ("a.md", "12:30.md", "12:30.md", "12:30.md"),
        ("a.png", "\\=", "'='", "="),
        ("a.png", "<<", "'<<'", "<<"),
        ("a.md", "a\u{2028}b.md", "\"a\\u2028b.md\"", "a\\u2028b.md"),
    ] {
        let yaml =
            |plain: &str, double: &str| format!("nav:\n- {plain}\n- [{plain}, \"{double}\"]\n");
        let (dir, _) = moved(
            &[("mkdocs.yml", &yaml(old, old)), (&format!("docs/{old}"), ""), ("docs/index.md", "")],
            &[&format!("docs/{old}=docs/{name}")],
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
        ("conf.py", "project = 'x'\n"),
        ("_toc.yml", "root: index\nchapters:\n- file: g/a\n"),
        (
            "index.md",
            "---\nimage: g/a.md\n---\n```{toctree}\ng/a\nT <g/a>\n```\n{doc}`g/a` [a](g/a.md)\n",
        ),
        ("g/a.md", "# A\n"),
    ];
    for (name, kept, written) in [
        ("[b]/a.md", &["index.md:5:1: a toctree"][..], "[a]([b]/a.md)"),
        ("b*/a.md", &["_toc.yml:3:9: the navigation", "index.md:5:1: a toctree"], "{doc}`b*/a`"),
        ("self.md", &["index.md:5:1: a toctree"], "{doc}`self`"),
        ("<b>.md", &["index.md:5:1: a toctree", "index.md:8:7: a role"], "[a](%3Cb%3E.md)"),
    ] {
        let dir = TestDir::with_site(&files);
        let moves = format!("g/a.md={name}");
        let run = dir.rehref(&["move", "site", "-o", "out", &moves]).status(0);
        for place in kept {
            let warning = run.stderr();
            let mut lines = warning.lines().filter(|line| line.contains(place));
            assert!(
                lines.all(|line| line.contains("this link would have another meaning here"))
                    && warning.contains(place),
                "{name} {place}: {warning}"
            );
        }
        let page = dir.read("out/index.md");
        assert!(page.contains(written), "{name}: {page}");
    }
}
