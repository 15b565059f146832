//! Template markup and placeholders in references, the real binary on real directories.

use crate::support::TestDir;

const URL: &str = "https://example.org/";

/// A page in each dialect; none of the values may change.
const MARKUP: &[&str] = &[
    "{{ x }}/a",
    "{% url 'x' %}",
    "{$x}/a",
    "<%= x %>",
    "<?php echo 1 ?>",
    "<!--#echo var='x' -->/a",
    "<TMPL_VAR NAME=x>/a",
    "[% x %]/a",
    "${x}/a",
    "$(TOP)/a",
    "$relpath^a.css",
    "a?b=$(C)",
];

#[test]
fn markup_of_every_dialect_is_skipped_and_listed() {
    let dir = TestDir::new();
    for (number, value) in MARKUP.iter().enumerate() {
        let page = format!("<a href=\"{value}\">");
        dir.write(&format!("site/{number:02}.html"), page.as_bytes());
    }
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", URL, "--verify"]).status(0);
    let count = MARKUP.len();
    assert!(run.stderr().contains(&format!("{count}     template markup")), "{}", run.stderr());
    for number in 0..count {
        let path = format!("{number:02}.html");
        assert_eq!(dir.read(&format!("out/{path}")), dir.read(&format!("site/{path}")));
        assert!(run.stderr().contains(&path), "{path}: {}", run.stderr());
    }
}

#[test]
fn an_opener_in_a_fragment_is_part_of_a_link() {
    let dir = TestDir::with_site(&[(
        "p.html",
        "<a href=\"fold.html#{{{\"><a href=\"eval.html#expr-<?\"><a href=\"x#{{ y }}\">",
    )]);
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL, "--verify"]).status(0);
    assert_eq!(
        dir.read("out/p.html"),
        "<a href=\"https://example.org/fold.html#{{{\">\
         <a href=\"https://example.org/eval.html#expr-<?\"><a href=\"x#{{ y }}\">"
    );
}

#[test]
fn the_command_line_adds_markup_and_takes_it_away() {
    let dir = TestDir::with_site(&[("p.html", "<a href=\"@@x@@\"><a href=\"[%x\"><a href=\"y\">")]);
    let run = |more: &[&str], expected: &str| {
        let arguments = ["absolute", "site", "-o", "out", "--force", "--url", URL];
        dir.rehref(&[&arguments, more].concat()).status(0);
        assert_eq!(dir.read("out/p.html"), expected, "{more:?}");
    };
    run(
        &[],
        "<a href=\"https://example.org/@@x@@\"><a href=\"[%x\"><a href=\"https://example.org/y\">",
    );
    run(
        &["--template-markup", "@@ @@"],
        "<a href=\"@@x@@\"><a href=\"[%x\"><a href=\"https://example.org/y\">",
    );
    run(
        &["--template-markup", "none", "--template-markup", "y"],
        "<a href=\"https://example.org/@@x@@\"><a href=\"https://example.org/[%x\"><a href=\"y\">",
    );
    let run = dir
        .rehref(&["absolute", "site", "--dry-run", "--url", URL, "--template-markup", "a b c"])
        .status(2);
    assert!(run.stderr().contains("--template-markup"), "{}", run.stderr());
}

#[test]
fn only_pages_get_a_base_element_that_may_change_what_is_unknown() {
    let link = "<a href=\"{{ x }}\"";
    let dir = TestDir::with_site(&[
        ("p.html", &format!("{link}>")),
        ("i.svg", &format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{link}/></svg>")),
    ]);
    let run = ["absolute", "site", "-n", "--url", URL];
    let base = ["--base-element", "https://example.org/b/"];
    let stderr = dir.rehref(&[&run[..], &base].concat()).status(0).stderr();
    for expected in [
        "p.html:1:10: a href `{{ x }}`: contains template markup; the base URL was https://example.org/p.html \
         and is now https://example.org/b/",
        "i.svg:1:50: svg:a href `{{ x }}`: contains template markup; skipped\n",
    ] {
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn what_is_unknown_and_has_another_base_is_not_proven() {
    let dir = TestDir::with_site(&[(
        "d/p.html",
        "<base href=\"/\"><a href=\"{{ x }}\"><a href=\"/{{ x }}\"><a href=\"a\">",
    )]);
    let run = dir.rehref(&["relative", "site", "-o", "out", "--url", URL, "--verify"]).status(0);
    assert_eq!(
        dir.read("out/d/p.html"),
        "<a href=\"{{ x }}\"><a href=\"/{{ x }}\"><a href=\"../a\">"
    );
    let messages = run.stderr();
    assert!(
        messages.contains(
            "d/p.html:1:25: a href `{{ x }}`: contains template markup; the base URL was https://example.org/ \
             and is now https://example.org/d/p.html"
        ),
        "{messages}"
    );
    assert!(
        messages.contains("2 links with the expected target")
            && messages.contains("1 link not proven"),
        "{messages}"
    );
    let run = dir.rehref(&["verify", "site", "out", "--url", URL]).status(0);
    assert!(run.stdout().contains("1   not proven"), "{}", run.stdout());
    assert!(
        run.stderr().contains("d/p.html:1:10: a href `{{ x }}`: contains template markup"),
        "{}",
        run.stderr()
    );
}

#[test]
fn urls_are_rewritten_around_their_placeholders() {
    let dir = TestDir::with_site(&[
        (
            "d/app.webmanifest",
            "{\"protocol_handlers\": [{\"url\": \"open?u=%s\"}, {\"url\": \"/x/%s\"}]}",
        ),
        (
            "d/search.xml",
            "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>\
             <Url template='find?q={searchTerms}&amp;p={startPage?}'/></OpenSearchDescription>",
        ),
    ]);
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL, "--verify"]).status(0);
    assert_eq!(
        dir.read("out/d/app.webmanifest"),
        "{\"protocol_handlers\": [{\"url\": \"https://example.org/d/open?u=%s\"}, \
         {\"url\": \"https://example.org/x/%s\"}]}"
    );
    assert!(
        dir.read("out/d/search.xml")
            .contains("'https://example.org/d/find?q={searchTerms}&amp;p={startPage?}'")
    );
}

#[test]
fn shortcodes_in_attributes_are_links_and_the_values_around_them_are_none() {
    let shortcode = |path: &str| {
        format!(
            "<a href=\"{{{{ \"/{path}/x.html\" | relative_url }}}}\">\n\
             <a href={{{{ \"/{path}/x.html\" | relative_url }}}}>\n\
             <a href=\"{{{{ site.url }}}}{{{{ '/{path}/x.html' | relative_url }}}}?a=b#c\">\n\
             <a href=\"{{% link {path}/b.md %}}\"> <a href={path}/x.html>\n\n\
             > <div\n> style=\"background: url({{{{ \"/{path}/x.html\" | relative_url }}}})\">\n\
             > <img srcset=\"{{{{ \"/{path}/x.html\" | relative_url }}}} 1x, {path}/x.html 2x\">\n\n\
             <div><a href=\"{{{{ url(\"{path}/x.html\") }}}}\"><a href=\"<%= x %>\"></div>\n"
        )
    };
    let page = shortcode("g");
    let dir = TestDir::with_site(&[
        ("_config.yml", ""),
        ("a.md", &page),
        ("g/x.html", ""),
        ("g/b.md", ""),
    ]);
    let run = |arguments: &[&str]| {
        let all = ["-o", "out", "--force", "--verify", "--url", URL];
        dir.rehref(&[arguments, &all].concat()).status(0).stderr()
    };
    let printed = run(&["move", "site", "g=d/g"]);
    let moved = shortcode("d/g").replace("url(\"d/g/", "url(\"g/");
    assert_eq!(dir.read("out/a.md"), moved);
    for warning in
        ["a.md:10:15: a href `{{ url(`: contains template markup; skipped", "2     template markup"]
    {
        assert!(printed.contains(warning), "{warning}: {printed}");
    }
    // Generators read paths there, and no URL.
    run(&["absolute", "site"]);
    let absolute = page
        .replace(" <a href=g/", " <a href=https://example.org/g/")
        .replace("1x, g/", "1x, https://example.org/g/");
    assert_eq!(dir.read("out/a.md"), absolute);
    // Hugo has other shortcodes; all else in a value that they are in stays.
    let page = "<a href=\"{{< ref \"g/b.md\" >}}#c\"> <a href='{{% relref \"b.md\" %}}'>\n<a href=\"{{< x \"g/b.md\" >}}\">\n";
    let dir = TestDir::with_site(&[
        ("hugo.toml", ""),
        ("content/a.md", page),
        ("content/b.md", ""),
        ("content/g/b.md", ""),
    ]);
    let arguments = ["-o", "out", "--verify", "--force"];
    dir.rehref(&[&["move", "site", "content/g=content/d/g"], &arguments[..]].concat()).status(0);
    assert_eq!(dir.read("out/content/a.md"), page.replacen("ref \"g/", "ref \"d/g/", 1));
    dir.rehref(&[&["absolute", "site", "--url", URL], &arguments[..]].concat()).status(0);
    assert_eq!(dir.read("out/content/a.md"), page);
}
