//! Documents that are not like the others, each with its own faults.

use super::doubtful::TO_DANGLING;

/// How a document is written to disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    Utf8,
    Latin1,
    Utf16,
    /// Not at all as it says.
    Broken,
}

pub struct Special {
    pub path: &'static str,
    pub text: String,
    pub charset: Charset,
    /// The check that finds a fault of the document as a whole.
    pub fault: Option<&'static str>,
}

/// Symbolic links: their path, what they say, and whether they lead to something in the site.
pub const SYMLINKS: &[(&str, &str, bool)] = &[
    ("alias.html", "all.html", true),
    ("latest", "f1", true),
    ("broken/gone.png", "../no-such.png", false),
    ("broken/circle.png", "circle.png", false),
    ("broken/outside.js", "../../outside.js", false),
    ("broken/absolute.css", "/no/such/machine/x.css", false),
];

/// Files of the folder `lost`, which only files of that folder refer to.
pub const LOST: &[&str] = &["alone.html", "leftover.png", "pair-a.html", "pair-b.html"];

#[rustfmt::skip]
const HTML: &[(&str, &str)] = &[
    ("b/relative.html", "<base href=\"⟦base-relative;base;href|../⟧\"><a href=\"all.html\">x</a>"),
    ("b/relative-root.html", "<title>x</title>\n<base target=_top href='⟦base-relative;base;href|/⟧'>\n<a href=\"all.html#s0\">x</a>"),
    ("b/multiple.html", "<base href=\"https://example.org/\">\n<base target=\"x\">\n<base href=\"⟦base-multiple;base;href|https://example.org/b/⟧\"><a href=\"all.html\">x</a>"),
    ("b/late.html", "<link rel=stylesheet href=\"/css/main.css\">\n<base href=\"⟦base-late;base;href|https://example.org/⟧\"><a href=\"all.html\">x</a>"),
    ("b/not-late.html", "<link rel=stylesheet href=\"https://cdn.example/x.css\"><script src=\"https://cdn.example/x.js\"></script>\n<base href=\"https://example.org/img/\"><a href=\"../all.html\">x</a>"),
    ("b/opaque.html", "<base href=\"⟦base-opaque;base;href|mailto:someone@example.net⟧\"><a href=\"missing.html\">x</a><a href=\"https://other.example/\">y</a>"),
    ("b/opaque-data.html", "<base href=\"⟦base-opaque;base;href|data:text/plain,x⟧\"><a href=\"relative.html\">x</a>"),
    ("b/unused.html", "<p>\n<base href=\"⟦base-unused;base;href|https://example.org/⟧\"><a href=\"https://other.example/\">x</a><a href=\"mailto:x@example.net\">y</a>"),
    ("b/elsewhere.html", "<base href=\"https://other.example/docs/\"><a href=\"missing.html#x\">x</a><a href=\"#y\">y</a><img src=\"/missing.png\"><a href=\"⟦absolute-self-link;a;href|https://example.org/all.html⟧\">z</a>"),
    ("b/in-svg.html", "<svg><base href=\"nowhere/\"></svg><template><base href=\"nowhere/\"></template><a href=\"relative.html\">x</a>"),
    ("b/folder.html", "<base href=\"https://example.org/img/\"><img src=\"a.png\"><img src=\"⟦broken-target;img;src|c.png⟧\">"),
    ("b/nowhere.html", "<base href=\"https://example.org/no-such/x/y.html\"><a href=\"../../all.html\">x</a><a href=\"⟦broken-target;a;href|#s0⟧\">y</a>"),
    ("b/slashless.html", "<base href=\"https://example.org/f1\"><a href=\"all.html\">x</a>"),
    ("b/target.html", "<a href=\"relative.html\">x</a><base target=\"_blank\"><a href=\"#top\">x</a>"),
    ("b/scheme-relative.html", "<base href=\"⟦base-relative;base;href|//example.org/⟧\"><a href=\"all.html\">x</a>"),

    ("r/a.html", "<meta http-equiv=\"refresh\" content=\"0; url=⟦meta-refresh-loop;meta;content|b.html⟧\">"),
    ("r/b.html", "<title>x</title>\n<meta http-equiv=Refresh content=\"0;URL='/r/c.html#x'\"><p id=x>"),
    ("r/c.html", "<p id=x><meta content=\"0 ./a.html\" http-equiv=refresh>"),
    ("r/self.html", "<meta http-equiv=\"refresh\" content=\"0; url=⟦meta-refresh-loop;meta;content|self.html⟧\">"),
    ("r/chain.html", "<meta http-equiv=\"refresh\" content=\"0; url=chain-end.html\">"),
    ("r/chain-end.html", "<meta http-equiv=\"refresh\" content=\"0; url=../all.html\">"),
    ("r/into-loop.html", "<meta http-equiv=\"refresh\" content=\"9; url=a.html\">"),
    ("r/clock.html", "<meta http-equiv=\"refresh\" content=\"60; url=clock.html\">"),
    ("r/reload.html", "<meta http-equiv=\"refresh\" content=\"30\">"),
    ("r/slow-a.html", "<meta http-equiv=\"refresh\" content=\"20; url=slow-b.html\">"),
    ("r/slow-b.html", "<meta http-equiv=\"refresh\" content=\"20; url=slow-a.html\">"),

    ("_redirects", "/moved/old-page.html /all.html 301\n/circle ⟦redirect-loop;redirect rule;|/circle⟧ 301\n/hop ⟦redirect-chain;redirect rule;|/moved/old-page.html⟧ 301\n/moved/old-page.html ⟦shadowed-redirect;redirect rule;|/img/a.png⟧\n/lost-rule ⟦broken-target;redirect rule;|/rules/gone.html⟧\n/away https://elsewhere.example/ 302\n"),
    ("r/stub.html", "<meta http-equiv=refresh content=\"0; url=../all.html\"><a href=\"../all.html\">x</a>"),
    ("r/stub-with-script.html", "<meta http-equiv=refresh content=\"0; url=../all.html\"><script>location.replace(\"../all.html\" + location.search + location.hash);</script>"),

    ("src/lib.rs.html", "<meta name=\"generator\" content=\"rustdoc\"><pre><span id=\"1\">1</span>\n<span id=\"2\">2</span></pre>\n<a href=\"#1-2\">x</a><a href=\"#2\">y</a><a href=\"⟦broken-fragment;a;href|#3⟧\">z</a>"),
    ("x/frames.html", "<frameset><frame src=\"/all.html\"><frame src=\"⟦broken-target;frame;src|gone.html⟧\" longdesc=\"frames.html\"></frameset>"),
    ("x/broken-markup.html", "<p><a href=\"⟦broken-target;a;href|one.html⟧\"<b>x</a><a href=\"/all.html\" href=\"two.html\">y</a><a href=\"⟦broken-target;a;href|three.html⟧\"title=x>z<a href=⟦unclosed-quote;;⟧'four.html"),
    ("x/no-extension", "<!doctype html><a href=\"⟦broken-target;a;href|five.html⟧\">x</a>"),
    ("x/old.htm", "<body background=\"⟦broken-target;body;background|back.gif⟧\"><img src=/img/a.png lowsrc=\"⟦broken-target;img;lowsrc|low.gif⟧\">"),

    ("x/integrity.html", "<script src=\"/js/app.js\" integrity=\"⟦wrong-integrity;script;integrity|sha256-x sha512-AAAA⟧\"></script><script src=\"https://cdn.example/x.js\" integrity=\"sha256-x\"></script><script src=\"/js/app.js\" integrity=\"md5-x\"></script>"),
    ("x/404.html", "<a href=\"⟦depth-dependent;a;href|../all.html⟧\">x</a><a href=\"/all.html\">y</a><a href=\"#top\">z</a>"),

    ("lost/alone.html", "<a href=\"/all.html\">x</a><a href=\"⟦broken-target;a;href|gone.html⟧\">y</a>"),
    ("lost/pair-a.html", "<a href=\"pair-b.html\">x</a>"),
    ("lost/pair-b.html", "<a href=\"pair-a.html\">x</a>"),
];

#[rustfmt::skip]
const OTHER: &[(&str, &str)] = &[
    ("x/page.xhtml", "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title></head><body>\n<p id=\"a\"><a href=\"#a\"/><a href=\"⟦broken-fragment;a;href|#b⟧\">x</a><img src=\"⟦broken-target;img;src|x.png?a&amp;b⟧\" alt=\"\"/></p></body></html>\n"),
    ("img/sprite.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<g id=\"icon-a\"/><g xml:id=\"icône\"/>\n<use href=\"#icon-a\"/><image href=\"a.png\"/><image xlink:href=\"⟦broken-target;svg:image;xlink:href|gone.png⟧\"/><a href=\"/all.html#s0\"/><rect style=\"fill: url(⟦broken-target;svg:rect style > url();|x.svg#y⟧)\"/><g id=\"⟦duplicate-id;;id|icon-a⟧\"/></svg>\n"),
    ("sitemap.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>https://example.org/</loc></url>\n<url><loc>https://example.org/all.html</loc></url>\n<url><loc>⟦broken-target;sitemap:loc;|https://example.org/gone.html⟧</loc></url></urlset>\n"),
    ("feed.atom", "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>https://example.org/gone</id>\n<link rel=\"self\" href=\"https://example.org/feed.atom\"/><link href=\"https://example.org/all.html\"/>\n<entry><link href=\"⟦broken-target;atom:link;href|/gone.html⟧\"/><content type=\"html\">&lt;p&gt;&lt;img src=\"/img/a.png\"&gt; &lt;img src=\"⟦broken-target;atom:content > img;src|/gone.png⟧\"&gt;</content></entry></feed>\n"),
    ("rss.xml", "<rss version=\"2.0\"><channel><link>https://example.org/</link>\n<item><link>⟦broken-target;link;|https://example.org/gone.html⟧</link><guid>gone</guid></item></channel></rss>\n"),
    ("site.webmanifest", "{\"name\": \"x\", \"start_url\": \"/\",\n \"icons\": [{\"src\": \"img/a.png\"}, {\"src\": \"⟦broken-target;URL;|img/gone.png⟧\"}]}\n"),
    ("robots.txt", "User-agent: *\nDisallow: /gone/\nSitemap: https://example.org/sitemap.xml\nSitemap: ⟦broken-target;;|https://example.org/gone.xml⟧\n"),
    ("css/main.css", "@charset \"utf-8\";\n@import \"extra.css\";\nb { background: url(../img/a.png) }\ni { background: url( '⟦broken-target;url();|../img/gone.png⟧' ) }\n/* url(gone.png) */\n@import url(⟦wrong-case;url();|Extra.css⟧);\na { cursor: url(⟦escapes-root;url();|../../img/a.png⟧), url(#x) }\n"),
    ("book/META-INF/container.xml", "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n<rootfiles><rootfile full-path=\"a.opf\"/></rootfiles></container>\n"),
    ("book/a.opf", "<package xmlns=\"http://www.idpf.org/2007/opf\"><manifest>\n<item href=\"t.xhtml\"/><item href=\"⟦broken-target;opf:item;href|gone.xhtml⟧\"/></manifest></package>\n"),
    ("book/t.xhtml", "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body/></html>\n"),
    ("css/extra.css", "@namespace \"http://www.w3.org/1999/xhtml\";\n@font-face { src: url(⟦mixed-content;url();|http://other.example/x.woff⟧) }\nu { background: url(⟦local-leak;url();|file:///x.png⟧) }\n"),
];

/// All of them, in the order of their paths.
pub fn specials() -> Vec<Special> {
    let fixed = HTML.iter().chain(OTHER).map(|(path, text)| Special {
        path,
        text: (*text).to_owned(),
        charset: Charset::Utf8,
        fault: None,
    });
    let mut all: Vec<Special> = fixed.collect();
    let mut more = |path, text: &str, charset| {
        let text = text.to_owned();
        all.push(Special {
            path,
            text,
            charset,
            fault: (charset == Charset::Broken).then_some("wrong-charset"),
        });
    };
    more(
        "x/dangling.html",
        &format!(
            "<img src=\"⟦{TO_DANGLING};img;src|/broken/gone.png⟧\"><link rel=stylesheet \
             href=\"⟦{TO_DANGLING};link;href|../broken/absolute.css⟧\"><script \
             src=\"⟦{TO_DANGLING};script;src|../broken/outside.js⟧\"></script><img \
             src=\"/broken/circle.png\">"
        ),
        Charset::Utf8,
    );
    more(
        "c/latin.html",
        "<meta charset=\"windows-1252\"><p>Größe, é: <a href=\"⟦broken-target;a;href|grüße.html⟧\">x</a>\
         <a href=\"../größe.html\">y</a>",
        Charset::Latin1,
    );
    more(
        "c/utf-16.html",
        "<p>\nGröße\u{1F600} <a href=\"⟦broken-target;a;href|grüße.html⟧\">x</a>\n<a href=\"../größe.html\">y</a>",
        Charset::Utf16,
    );
    more(
        "c/broken.html",
        "<meta charset=\"utf-8\"><p>Größe <a href=\"/all.html\">x</a>",
        Charset::Broken,
    );
    for (path, text, fault) in [
        ("book/unlisted.css", String::new(), "not-in-manifest"),
        ("x/malformed.rss", "<rss>\n<a></rss>".to_owned(), "not-well-formed"),
        ("x/deep.html", "<div>".repeat(6_000) + "<frameset>", "too-complex"),
    ] {
        all.push(Special { path, text, charset: Charset::Utf8, fault: Some(fault) });
    }
    all
}

/// The bytes of a document.
pub fn encoded(text: &str, charset: Charset) -> Vec<u8> {
    match charset {
        Charset::Utf8 => text.into(),
        Charset::Latin1 | Charset::Broken => {
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
        }
        Charset::Utf16 => "\u{FEFF}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect(),
    }
}
