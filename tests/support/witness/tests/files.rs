//! Files of other kinds than HTML.

use super::super::{FileType, file_type};
use super::*;

const ABSOLUTE: &str = "https://example.org/docs/a/";

#[track_caller]
fn compare_text(name: &str, input: &str, output: &str) -> Result<Stats, Vec<String>> {
    let url = Url::parse(ABSOLUTE).unwrap().join(name).unwrap();
    compare_file(Path::new(name), input.as_bytes(), output.as_bytes(), &url, true)
}

/// Each `@` stands for the directory of the file, in the output only. Each change spoils that.
#[track_caller]
fn spoils(name: &str, text: &str, changes: &[(&str, &str, &str)]) {
    let (input, output) = (text.replace('@', ""), text.replace('@', ABSOLUTE));
    spoils_pair(name, &input, &output, changes);
}

#[track_caller]
fn spoils_pair(name: &str, input: &str, output: &str, changes: &[(&str, &str, &str)]) {
    if let Err(differences) = compare_text(name, input, output) {
        panic!("{input}\n{output}\n{differences:#?}");
    }
    for (from, to, message) in changes {
        assert!(output.contains(from), "{from} in {output}");
        let spoiled = output.replacen(from, to, 1);
        match compare_text(name, input, &spoiled) {
            Ok(stats) => panic!("accepted, {stats:?}: {spoiled}"),
            Err(differences) => assert!(
                differences.iter().any(|line| line.contains(message)),
                "{message}: {spoiled}\n{differences:#?}"
            ),
        }
    }
}

#[test]
fn tells_kinds_apart() {
    let kind = |name: &str| file_type(Path::new(name), b"");
    assert_eq!(kind("a/b.CSS"), FileType::Css);
    assert_eq!(kind("b.css?v=1.2"), FileType::Css);
    assert_eq!(kind("b.svg"), FileType::Xml);
    assert_eq!(kind("b.xhtml"), FileType::Xhtml);
    assert_eq!(kind("x/manifest.json"), FileType::Manifest);
    assert_eq!(kind("x/other.json"), FileType::Other);
    assert_eq!(kind("robots.txt"), FileType::Robots);
    assert_eq!(kind("x.js"), FileType::Other);
    assert_eq!(file_type(Path::new("x"), b" <!DOCTYPE HTML>"), FileType::Html);
    spoils("x.js", "fetch('x')", &[("'x'", "'y'", "bytes differ")]);
}

#[test]
fn sees_style_sheets() {
    let sheet = |a: &str| {
        format!(
            "@charset \"utf-8\";\n@import '{a}b.css' ;@namespace 'n';p>q{{b:url({a}x) url(#y) image-set(\"{a}z\" 1x)}}"
        )
    };
    spoils_pair(
        "s.css",
        &sheet(""),
        &sheet(ABSOLUTE),
        &[
            ("a/b.css", "a/c.css", "led to"),
            ("a/x", "a/y", "led to"),
            ("a/z", "a/y", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("#y", "#z", "within the document"),
            ("'n'", "'https://example.org/docs/a/n'", "around the URLs"),
            ("p>q", "p > q", "around the URLs"),
            ("1x", "2x", "around the URLs"),
            ("utf-8", "koi8-r", "around the URLs"),
            ("' ;", "';", "around the URLs"),
        ],
    );
}

#[test]
fn sees_svg() {
    spoils(
        "x.svg",
        "<?xml version='1.0'?>\n<?xml-stylesheet href=\"@s.css\"?>\n<!-- c -->\n\
        <svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'\n\
        width = '1'><style><![CDATA[a{b:url(@x)}]]></style><use x:href='#u'/>\
        <image x:href='@i.png' title='&amp;'/><a href=\"@l?a&amp;b\">t&#x20;</a>\
        <path fill='url(@f#g)' style='b:url(@y)'/></svg>\n",
        &[
            ("version='1.0'", "version='1.1'", "spelled"),
            ("a/s.css", "a/t.css", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("<!-- c", "<!-- d", "comment differs"),
            ("\nwidth", " width", "spelled"),
            ("width = '1'", "width = '2'", "holds no link"),
            ("width = '1'", "width='1'", "spelled"),
            ("a/x", "a/y", "led to"),
            ("a{b", "a{c", "around the URLs"),
            ("'#u'", "'#v'", "led to"),
            ("a/i.png'", "a/j.png'", "led to"),
            ("a/i.png'", "a/i.png' ", "spelled"),
            ("'&amp;'", "'&#38;'", "spelled"),
            ("'&amp;'", "'x'", "holds no link"),
            ("a&amp;b", "a&amp;c", "led to"),
            ("t&#x20;", "t ", "spelled"),
            ("t&#x20;", "u&#x20;", "the text differs"),
            ("a/f#g", "a/e#g", "led to"),
            ("a/y", "a/z", "led to"),
            ("</svg>\n", "</svg>", "tags and texts"),
            ("</svg>", "<g/></svg>", "tags and texts"),
            ("</a>", "</b>", "cannot be read any more"),
            ("<![CDATA[a", "<!--[CDATA[a", ""),
            ("xlink'\n", "xlink2'\n", ""),
        ],
    );
    // What is no XML is left alone.
    let broken = "<svg><a href='x'></svg>";
    assert!(compare_text("x.svg", broken, broken).is_ok());
    assert!(compare_text("x.svg", broken, &broken.replace("'x'", "'./x'")).is_err());
}

#[test]
fn sees_xml_bases() {
    let svg = |base: &str, inner: &str, link: &str| {
        format!(
            "<r xmlns:s='http://www.w3.org/2000/svg' xml:base='{base}'><s:g xml:base='{inner}'>\
            <s:a href='{link}'/></s:g><s:a href='{ABSOLUTE}b/y'/></r>"
        )
    };
    let input = svg("b/", "c/", "x");
    let (base, inner) = (format!("{ABSOLUTE}b/"), format!("{ABSOLUTE}b/c/"));
    let link = format!("{ABSOLUTE}b/c/x");
    spoils_pair("x.svg", &input, &svg("b/", "c/", &link), &[]);
    spoils_pair(
        "x.svg",
        &input,
        &svg(&base, &inner, &link),
        &[
            ("b/c/x", "b/x", "led to"),
            ("b/c/x", "x", "led to"),
            (&format!("'{base}'"), "'c/'", "led to"),
            (&format!("'{inner}'"), &format!("'{ABSOLUTE}c/'"), "led to"),
            (&format!("'{inner}'"), "'c/../c/'", "not an absolute"),
            (&format!(" xml:base='{inner}'"), "", "spelled"),
        ],
    );
    // A relative link under another base leads elsewhere.
    let url = Url::parse(PAGE_URL).unwrap();
    let moved = svg("d/", "c/", "x");
    let path = Path::new("x.svg");
    assert!(compare_file(path, input.as_bytes(), moved.as_bytes(), &url, false).is_err());
    let plain = "<r xmlns:x='http://www.w3.org/1999/xlink' xml:base='b/'><e x:href='x'/></r>";
    let lost = plain.replace("xml:base='b/'", "xml:base='./'");
    assert!(compare_file(path, plain.as_bytes(), plain.as_bytes(), &url, false).is_ok());
    let differences = compare_file(path, plain.as_bytes(), lost.as_bytes(), &url, false);
    assert!(differences.unwrap_err().len() >= 2);
}

#[test]
fn sees_feeds() {
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='@b/'><id>urn:x</id>\
        <link rel='self' href='@b/f'/><logo> @b/l.png </logo><title type='html'>&lt;b>T</title>\
        <entry><content type='html'>&lt;a href=\"@b/x\" title=t>u&lt;/a></content><summary \
        type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><img src='@b/i' alt='@'/></div>\
        </summary><content type='html'><![CDATA[<img src=\"@b/z\">]]></content></entry></feed>";
    let input = atom.replace("@b/'", "b/'").replace("@b/", "").replace("'@'", "'c'");
    let output = atom.replace("'@'", "'c'").replace('@', ABSOLUTE);
    spoils_pair(
        "f.atom",
        &input,
        &output,
        &[
            ("b/f", "b/g", "led to"),
            ("b/l.png", "b/m.png", "led to"),
            (" https://example.org/docs/a/b/l.png", "https://example.org/docs/a/b/l.png", "around"),
            ("urn:x", "urn:y", "not hierarchical"),
            ("b/x", "b/y", "led to"),
            ("href=\"https://example.org/docs/a/b/x", "href=\"x", "not an absolute"),
            ("title=t", "title=u", "holds no link"),
            (">u&lt;", ">v&lt;", "text differs"),
            ("b/i", "b/j", "led to"),
            ("'c'", "'d'", "holds no link"),
            ("b/z", "b/y", "led to"),
            ("&lt;b>T", "&lt;b>U", "text differs"),
            ("rel='self'", "rel='other'", "holds no link"),
        ],
    );
    spoils(
        "f.rss",
        "<rss version='2.0'><channel><link>@x</link><title>x</title><item><enclosure url='@e' \
        length='1'/><description>&lt;a href=\"@y\"></description><guid isPermaLink='false'>x</guid>\
        </item></channel></rss>",
        &[
            ("a/x", "a/z", "led to"),
            (ABSOLUTE, "", "not an absolute"),
            ("<title>x", "<title>https://example.org/docs/a/x", "text differs"),
            ("a/e", "a/f", "led to"),
            ("a/y", "a/z", "led to"),
            ("'false'>x", "'false'>https://example.org/docs/a/x", "text differs"),
        ],
    );
    let item = |link: &str, content: &str| {
        format!(
            "<rss><channel><item><description>&lt;a href=\"{content}y\"></description><link>{link}d/</link>\
             </item></channel></rss>"
        )
    };
    spoils_pair(
        "f.rss",
        &item("", ""),
        &item(ABSOLUTE, &format!("{ABSOLUTE}d/")),
        &[("a/d/y", "a/y", "led to")],
    );
    spoils(
        "sitemap.xml",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>\n<loc> @x </loc>\
        <lastmod>2020</lastmod></url></urlset>",
        &[
            ("a/x", "a/z", "led to"),
            ("a/x </loc", "a/x</loc", "around"),
            (ABSOLUTE, "", "not an absolute"),
            ("2020", "2021", "text differs"),
        ],
    );
}

#[test]
fn sees_xhtml() {
    let page = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x.dtd'>\n\
        <html xmlns='http://www.w3.org/1999/xhtml'><head><base href='B'/><link rel='x' href='@l'/>\
        </head><body><p>&nbsp;<a href='@x' title='&nbsp;'>t</a><br /></p></body></html>";
    let input = page.replace("'B'", "'b/'").replace('@', "");
    let output = page
        .replace("'B'", "'https://example.org/docs/a/b/'")
        .replace('@', "https://example.org/docs/a/b/");
    spoils_pair(
        "x.xhtml",
        &input,
        &output,
        &[
            ("b/x", "x", "led to"),
            ("b/l", "b/m", "led to"),
            ("a/b/'", "a/'", "led to"),
            ("<br />", "<br/>", "spelled"),
            ("x.dtd", "y.dtd", "spelled"),
            ("<p>&nbsp;", "<p>&#160;", "differs"),
            ("title='&nbsp;'", "title=''", "holds no link"),
        ],
    );
}

#[test]
fn sees_manifests_and_robots() {
    let manifest = r#"{"name": "x", "start_url": "@x", "scope": "@", "id": "i", "icons":
        [{"src": "@i.png", "sizes": "1x1"}], "shortcuts": [{"url": "@y"}], "n": 1.0, "o": "x"}"#;
    let input = manifest.replace("\"@\"", "\".\"").replace('@', "");
    let output = manifest.replace('@', ABSOLUTE);
    for name in ["manifest.json", "site.webmanifest"] {
        spoils_pair(
            name,
            &input,
            &output,
            &[
                ("a/x", "a/z", "led to"),
                ("a/\"", "a/z/\"", "led to"),
                ("a/i.png", "a/j.png", "led to"),
                ("a/y", "a/z", "led to"),
                ("\"i\"", "\"https://example.org/docs/a/i\"", "led to"),
                ("\"name\": \"x\"", "\"name\": \"y\"", "no link"),
                ("\"o\": \"x\"", "\"o\": \"https://example.org/docs/a/x\"", "no link"),
                ("1x1", "2x2", "no link"),
                ("1.0", "1", "around the strings"),
                (", \"n\"", ",\"n\"", "around the strings"),
                ("\"https://example.org/docs/a/y", "\"y", "not an absolute"),
            ],
        );
    }
    spoils_pair(
        "robots.txt",
        "User-agent: *\r\nDisallow: /x # y\nSITEMAP:  /docs/a/s.xml # c\n",
        "User-agent: *\r\nDisallow: /x # y\nSITEMAP:  https://example.org/docs/a/s.xml # c\n",
        &[
            ("a/s.xml", "a/t.xml", "led to"),
            ("https://example.org/docs", "/docs", "not an absolute"),
            ("/x", "/y", "line differs"),
            ("\r\n", "\n", "number of lines"),
            ("# c", "# d", "around the URL"),
            ("SITEMAP:  ", "SITEMAP: ", "around the URL"),
        ],
    );
}

#[test]
fn knows_encodings_of_files() {
    let base = Url::parse(ABSOLUTE).unwrap();
    let compare = |name: &str, input: &[u8], output: &[u8]| {
        compare_file(Path::new(name), input, output, &base.join(name).unwrap(), true)
    };
    // A query is in the encoding of an SVG file, but never in that of a style sheet.
    let svg = |link: &[u8]| -> Vec<u8> {
        let start = b"<?xml version='1.0' encoding='windows-1251'?>\
            <svg xmlns='http://www.w3.org/2000/svg'><a href='";
        [start.as_slice(), link, b"'>\xE4</a></svg>"].concat()
    };
    let good = svg(b"https://example.org/docs/a/%D0%B4?%E4");
    assert!(compare("x.svg", &svg(b"\xE4?\xE4"), &good).is_ok());
    let wrong = svg(b"https://example.org/docs/a/%D0%B4?%D0%B4");
    assert!(compare("x.svg", &svg(b"\xE4?\xE4"), &wrong).is_err());
    let css = |url: &[u8]| [b"@charset \"windows-1251\";a{b:url(", url, b")}"].concat();
    let good = css(b"https://example.org/docs/a/%D0%B4?%D0%B4");
    assert!(compare("x.css", &css(b"\xE4?\xE4"), &good).is_ok());
    let wrong = css(b"https://example.org/docs/a/%D0%B4?%E4");
    assert!(compare("x.css", &css(b"\xE4?\xE4"), &wrong).is_err());
    // A byte order mark stays, and so does UTF-16.
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        [0xFE, 0xFF].into_iter().chain(units).collect()
    };
    for (name, input) in
        [("x.css", "a{b:url(@c)}"), ("x.svg", "<a xmlns='http://www.w3.org/2000/svg' href='@c'/>")]
    {
        let (before, after) =
            (utf_16(&input.replace('@', "")), utf_16(&input.replace('@', ABSOLUTE)));
        assert!(compare(name, &before, &after).is_ok());
        assert!(compare(name, &before, &after[2..]).is_err());
        assert!(compare(name, &before, &before).is_err());
    }
}

#[test]
fn looks_at_every_file_of_a_tree() {
    use super::super::{Expectation, compare_trees};
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = [
        ("p.html", "<a href='@x'>"),
        ("s.css", "a{b:url(@x)}"),
        ("f.atom", "<feed xmlns='http://www.w3.org/2005/Atom'><link href='@x'/></feed>"),
        ("robots.txt", "Sitemap: @x"),
        ("manifest.json", "{\"start_url\": \"@x\"}"),
        ("page.php?id=3", "<a href='@x'>"),
    ];
    let site = Url::parse(ABSOLUTE).unwrap();
    let compare = || {
        let expectation = |_: &Path, _: &[u8]| Expectation::Document;
        compare_trees(before.path(), after.path(), &site, true, &expectation)
    };
    for (name, text) in files {
        std::fs::write(before.path().join(name), text.replace('@', "")).unwrap();
        std::fs::write(after.path().join(name), text.replace('@', ABSOLUTE)).unwrap();
    }
    let good = compare();
    assert_eq!(good.failures, [""; 0]);
    assert_eq!((good.documents, good.stats.urls), (6, 6));
    for (name, text) in files {
        std::fs::write(after.path().join(name), text.replace("@x", "@y")).unwrap();
    }
    assert_eq!(compare().failures.len(), 6);
}
