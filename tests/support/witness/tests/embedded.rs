//! Carriers besides attributes with URLs: CSS, documents, JSON.

use super::*;

const ABSOLUTE: &str = "https://example.org/docs/a/";

/// Each `@` of the document stands for the directory of the page, in the output only.
#[track_caller]
fn good(document: &str) -> (String, String) {
    let (input, output) = (document.replace('@', ""), document.replace('@', ABSOLUTE));
    accepts(&input, &output);
    (input, output)
}

/// Each of the changes makes a good output a bad one.
#[track_caller]
fn spoils(document: &str, changes: &[(&str, &str, &str)]) {
    let (input, output) = good(document);
    for (from, to, message) in changes {
        assert!(output.contains(from), "{from} in {output}");
        rejects(&input, &output.replacen(from, to, 1), message);
    }
}

#[test]
fn sees_style_elements() {
    let css = "a > b{c:url(@x.png);d:url('#e') url() url(data:,f)}/* url(x) */g{h:'i'}";
    for start in ["<style>", "<style type=''>", "<style type=TEXT/css>", "<svg><style>"] {
        let document = format!("{start}{css}</style>");
        spoils(
            &document,
            &[
                ("a/x.png", "a/y.png", "led to"),
                (&format!("{ABSOLUTE}x.png"), "x.png", "not an absolute"),
                (&format!("{ABSOLUTE}x.png"), "/docs/a/x.png", "not an absolute"),
                ("a > b", "a>b", "around the URLs"),
                ("c:url", "d:url", "around the URLs"),
                ("'#e'", "'https://example.org/docs/a/page.html#e'", "within the document"),
                ("url()", "url(https://example.org/docs/a/page.html)", "empty"),
                ("data:,f", "data:,g", "not hierarchical"),
                ("data:,f", "d\\61ta:,f", "without need"),
                ("url(x)", "url(y)", "around the URLs"),
                ("'i'", "'j'", "around the URLs"),
                ("g{", "g{i:url(x);", "URLs became"),
            ],
        );
    }
    // Escapes may differ where the URL does, and queries are UTF-8 whatever the page is in.
    accepts(
        "<style>a{b:url(c\\ d)}</style>",
        "<style>a{b:url(https://example.org/docs/a/c%20d)}</style>",
    );
    let page =
        |css: &[u8]| [b"<meta charset=koi8-r><style>a{b:url(".as_slice(), css, b")}"].concat();
    let url = Url::parse(PAGE_URL).unwrap();
    let compare = |css: &str| compare_documents(&page(b"?\xC1"), &page(css.as_bytes()), &url, true);
    assert!(compare("https://example.org/docs/a/page.html?%D0%B0").is_ok());
    assert!(compare("https://example.org/docs/a/page.html?%C1").is_err());
    // Others are text.
    let other = "<style type=text/less>a{b:url(c)}</style>";
    accepts(other, other);
    rejects(other, &other.replace("(c", "(https://example.org/docs/a/c"), "text differs");
    // Template markup stays.
    let template = "<style>a{b:url({{c}}/d)}</style>";
    accepts(template, template);
    rejects(template, &template.replace("}}/d", "}}/e"), "template markup");
}

#[test]
fn sees_style_attributes() {
    spoils(
        "<p style='color: red;b:url(&quot;@x&quot;)'>",
        &[
            ("a/x", "a/y", "led to"),
            ("color: red", "color:red", "around the URLs"),
            (ABSOLUTE, "", "not an absolute"),
            ("url(&quot;", "url(", "URLs became"),
        ],
    );
    let plain = "<p style='color: red'>";
    accepts(plain, plain);
    rejects(plain, "<p style='color:red'>", "holds no link");
    for name in [
        "fill", "stroke", "filter", "clip-path", "mask", "marker", "marker-start", "marker-mid",
        "marker-end", "cursor", "color-profile",
    ] {
        let document =
            format!("<svg><path {name}='url(@x#y) none'/><path {name}='url(#y)'/></svg>");
        spoils(
            &document,
            &[
                ("a/x#y", "a/z#y", "led to"),
                ("none", "red", "around the URLs"),
                (ABSOLUTE, "", "not an absolute"),
                ("url(#y", "url(https://example.org/docs/a/page.html#y", "within the document"),
            ],
        );
    }
    rejects("<p fill='url(x)'>", "<p fill='url(https://example.org/docs/a/x)'>", "holds no link");
}

#[test]
fn sees_documents_in_attributes() {
    spoils(
        "<iframe srcdoc='<p class=c><a href=@x>t</a><img srcset=\"@y 1x\"><a href=#z>'></iframe>",
        &[
            ("a/x", "a/w", "led to"),
            ("a/y", "a/w", "led to"),
            (&format!("{ABSOLUTE}x"), "x", "not an absolute"),
            ("class=c", "class=d", "holds no link"),
            (">t<", ">u<", "text differs"),
            ("1x", "2x", "descriptors"),
            ("#z", "#w", "led to"),
        ],
    );
    // The base of the page, and the base within.
    let inner = |base: &str, link: &str| {
        format!("<base href={base}><iframe srcdoc='<base href={base}y/><a href={link}>'></iframe>")
    };
    let input = inner("b/", "x");
    accepts(
        &input.replace("b/y/", "y/"),
        &inner("https://example.org/docs/a/b/", "https://example.org/docs/a/b/y/x"),
    );
    rejects(
        &input.replace("b/y/", "y/"),
        &inner("https://example.org/docs/a/b/", "https://example.org/docs/a/b/x"),
        "led to",
    );
    // Twice; and queries of a srcdoc are UTF-8.
    let twice =
        "<iframe srcdoc='<iframe srcdoc=\"<style>a{b:url(@x)}</style>\"></iframe>'></iframe>";
    spoils(twice, &[("a/x", "a/y", "led to"), ("a{b", "a{c", "around")]);
    let page = |link: &str| {
        let page = format!("<meta charset=windows-1252><iframe srcdoc='<a href={link}>'></iframe>");
        page.chars().map(|c| c as u8).collect::<Vec<u8>>()
    };
    let url = Url::parse(PAGE_URL).unwrap();
    let output = |query| page(&format!("https://example.org/docs/a/x?{query}"));
    assert!(compare_documents(&page("x?ä"), &output("%C3%A4"), &url, true).is_ok());
    assert!(compare_documents(&page("x?ä"), &output("%E4"), &url, true).is_err());
}

#[test]
fn sees_conditional_comments() {
    let comment = "<!--[if lt IE 9]><base href=/z/><link href=@x title=t><p>u<![endif]-->";
    spoils(
        comment,
        &[
            ("a/x", "a/y", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("title=t", "title=u", "holds no link"),
            ("<p>u", "<p>v", "text differs"),
            ("lt IE 9", "lt IE 8", "condition"),
            ("<![endif]", "<![ENDIF]", "condition"),
            ("/z/", "/y/", "led to"),
        ],
    );
    spoils("<!--[IF IE]><a href=@x><![ENDIF]-->", &[("a/x", "a/y", "led to")]);
    for comment in [
        "<!-- [if IE]><a href=x><![endif]-->",
        "<!--[if IE]><a href=x>-->",
        "<!--[if !IE]><!--><p><!--<![endif]-->",
        "<!--<a href=x>-->",
    ] {
        accepts(comment, comment);
        let (start, end) = comment.split_at(comment.rfind("-->").unwrap());
        rejects(comment, &format!("{start} {end}"), "comment differs");
    }
}

#[test]
fn sees_params() {
    spoils(
        "<object><param name=n valuetype=REF value=@x><param name=n valuetype=data value=x></object>",
        &[
            ("a/x", "a/y", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("value=x", "value=https://example.org/docs/a/x", "holds no link"),
        ],
    );
}

#[test]
fn sees_import_maps() {
    let map = r#"<script type=importmap>{ "imports": {"b": "@./x.js", "@./y/": "@/z/", "": "w",
        "n": null, "v": "bare"}, "scopes": {"@s/": {"b": "@../c"}}, "integrity": {"@./x.js":
        "sha-1"}, "other": "./o"}</script>"#;
    let map = map.replace("@/z/", "@z/").replace("@./", "@").replace("@../c", "@c");
    let input =
        map.replace("\"@z/", "\"/docs/a/z/").replace("\"@s/", "\"s/").replace("\"@", "\"./");
    let output = map.replace('@', ABSOLUTE);
    accepts(&input, &output);
    for (from, to, message) in [
        ("a/x.js\",", "a/y.js\",", "led to"),
        ("a/y/", "a/x/", "led to"),
        ("a/z/", "a/z", "led to"),
        ("a/s/", "a/t/", "led to"),
        ("a/c", "a/d", "led to"),
        ("\"bare", "\"https://example.org/docs/a/bare", "no link"),
        ("\"b\"", "\"c\"", "no link"),
        ("sha-1", "sha-2", "no link"),
        ("./o", "https://example.org/docs/a/o", "no link"),
        ("null", "true", "around the strings"),
        ("{ ", "{", "around the strings"),
        ("\"v\": \"bare\"", "\"v\": null", "around the strings"),
        ("\"https://example.org/docs/a/c", "\"./c", "not an absolute"),
        ("\"https://example.org/docs/a/s", "\"s", "not an absolute"),
        ("}</script>", "</script>", "no JSON"),
    ] {
        assert!(output.contains(from), "{from}");
        rejects(&input, &output.replacen(from, to, 1), message);
    }
    let broken = "<script type=importmap>{imports: './x'}</script>";
    accepts(broken, broken);
    rejects(broken, &broken.replace("./x", "./y"), "touched");
}

#[test]
fn sees_other_json() {
    spoils(
        r#"<script type=speculationrules>{"prefetch": [{"urls": ["@x", "@y"], "eagerness": "e",
        "where": {"href_matches": "/*"}}], "tag": "urls"}</script>"#,
        &[
            ("a/x", "a/z", "led to"),
            ("a/y", "a/z", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("\"e\"", "\"f\"", "no link"),
            ("/*", "https://example.org/*", "no link"),
        ],
    );
    let page = |url: &str| {
        format!("<script type=application/ld+json>{{\"url\": \"{url}\", \"name\": \"x\"}}</script>")
    };
    let (input, output) = (page("x"), page("https://example.org/docs/a/x"));
    accepts(&input, &input);
    rejects(&input, &output, "text differs");
    let url = Url::parse(PAGE_URL).unwrap();
    let options = Options { absolute: true, json_ld: true, ..Options::default() };
    let compare =
        |output: &str| compare_documents(input.as_bytes(), output.as_bytes(), &url, options);
    assert!(compare(&output).is_ok());
    assert!(compare(&input).is_err());
    assert!(compare(&output.replace("a/x", "a/y")).is_err());
    assert!(compare(&output.replace("\"x\"", "\"https://example.org/docs/a/x\"")).is_err());
}

#[test]
fn knows_rdfa_when_told() {
    let url = Url::parse(PAGE_URL).unwrap();
    let options = Options { absolute: true, rdfa: true, ..Options::default() };
    let compare =
        |output: &str| compare_documents(b"<p about=x>", output.as_bytes(), &url, options);
    assert!(compare("<p about=https://example.org/docs/a/x>").is_ok());
    assert!(compare("<p about=https://example.org/docs/a/y>").is_err());
    rejects("<p about=x>", "<p about=https://example.org/docs/a/x>", "holds no link");
}
