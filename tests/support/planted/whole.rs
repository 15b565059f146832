//! References that nothing is wrong with.

use super::layout::{ASSETS, FRAGMENTS, Layout, reference};
use super::random::Random;

/// Out of the site, or nowhere.
const EXTERNAL: &[&str] = &[
    "https://other.example/",
    "HTTPS://Other.Example:8443/x.html?a=1;b=2#y",
    "//cdn.example/x.js",
    "https://me@other.example/",
    "https://bücher.example/größe",
    "https://play.example/?code=a%0Ab",
    "mailto:someone@example.net?subject=Hello",
    "tel:+49301234567",
    "data:text/plain,hello",
    "javascript:void(0)",
    "urn:isbn:9783161484100",
    "ssh://git@other.example/x",
    "ftp://ftp.example/x",
    "about:blank",
];

/// Fragments of what is no page, or that scripts look at.
const OTHER_FRAGMENTS: &[&str] =
    &["/img/sprite.svg#icon-a", "/img/sprite.svg#ic%C3%B4ne", "/img/a.png#xywh=1,2,3,4"];

/// A reference that leads somewhere, in a page whose base URL has the path `base`.
pub fn whole(layout: &Layout, base: &str, random: &mut Random) -> String {
    let page = layout.page(random);
    match random.below(16) {
        0..=2 => reference(base, page, random),
        3..=5 => reference(base, page, random) + random.word(FRAGMENTS),
        6 => reference(base, layout.folder(true, random), random),
        7 => reference(base, layout.folder(true, random), random) + "#s1",
        8 => reference(base, layout.folder(true, random), random) + "index.html",
        9..=10 => reference(base, random.word(ASSETS), random),
        11 => reference(base, page, random) + "?q=a+b&r=%7C",
        12 => reference(base, page, random).replace(".html", "%2Eht%6Dl"),
        13 => random.word(OTHER_FRAGMENTS).to_owned(),
        14 => random.word(EXTERNAL).to_owned(),
        _ => random
            .word(&[
                // A symbolic link to a file of the tree, and to a folder of it.
                "/alias.html#s0",
                "/latest/",
                "/latest/index.html",
                // A redirect.
                "/moved/old-page.html",
                // A script takes the fragment along.
                "/r/stub-with-script.html#s0",
            ])
            .to_owned(),
    }
}

/// Pieces of a page without a `base` that nothing is wrong with.
pub const SCENES: &[&str] = &[
    "<p><a href=\"⟦empty-reference;a;href|⟧\">this page</a> <a href=\"#\">top</a> <a href=\"#top\">top</a> <a href=\"#s0\">s</a></p>",
    "<p><a href=\"#gr%C3%BC%C3%9Fe\">a</a> <a href=\"#grüße\">b</a> <a href=\"#a b\" data-rehref-ignore=\"not-in-grammar\">c</a></p>",
    "<p><a href=\" #s1 \">white space</a> <a href=\"\n /all.html\n\">around</a></p>",
    "<p id=\"own¤\"><a href=\"#own¤\">x</a><a name=\"name¤\"></a><a href=\"#name¤\">y</a></p>",
    "<svg width=\"9\"><defs><linearGradient id=\"g¤\"/></defs><g id=\"h¤\" fill=\"url(#g¤)\"/><use href=\"#h¤\"/></svg><p><a href=\"#h¤\">x</a></p>",
    "<math id=\"math¤\"><mi id=\"mi¤\">x</mi></math><p><a href=\"#math¤\">x</a> <a href=\"#mi¤\">y</a></p>",
    "<noscript><p id=\"ns¤\">x</p></noscript><p><a href=\"#ns¤\">x</a></p>",
    "<map name=\"map¤\"><area href=\"#s2\" alt=\"\"></map><img usemap=\"#map¤\" src=\"/img/a.png\" alt=\"\">",
    "<p id=\"%20raw%C3%A4¤\"><a href=\"#%20raw%C3%A4¤\">raw before decoded</a></p>",
    "<p id=\"A¤\">x</p><p id=\"a¤\"><a href=\"#A¤\">x</a> <a href=\"#a¤\">y</a></p>",
    "<template><p id=\"twice¤\">x</p></template><template><p id=\"twice¤\">x</p></template>",
    "<svg><text id=\"{{ id }}\">a</text><text id=\"{{ id }}\">b</text></svg>",
    "<link rel=\"preconnect\" href=\"http://fonts.example\"><link rel=\"dns-prefetch\" href=\"//example.org/\">",
    "<link rel=\"preconnect\" href=\"https://example.org\">",
    "<link rel=\"canonical\" href=\"https://example.org/all.html\"><link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.org/all.html\">",
    "<meta property=\"og:url\" content=\"https://example.org/all.html\"><meta property=\"og:image\" content=\"https://example.org/img/a.png\">",
    "<script type=\"importmap\">{\"imports\": {\"app\": \"/js/app.js\", \"lib/\": \"https://cdn.example/lib/\"}}</script>",
    "<script>var a = '<a href=\"missing.html\">';</script>",
    "<!-- <a href=\"missing.html\"> --><textarea><a href=\"missing.html\"></textarea>",
    "<p><img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\" srcset=\"data:image/gif;base64,R0lG 1x, /img/b,c.png 2x\" alt=\"\"></p>",
    "<p><a href=\"http://other.example/\">links to http:</a> <q cite=\"http://other.example/\">are no mixed content</q></p>",
    "<p><a href=\"/all.html#/route\">scripts</a> <a href=\"/all.html#!/route\">serve</a> <a href=\"#L3-L5\">these</a></p>",
    "<p><a href=\"/doc/manual.pdf#page=3\">PDF</a> <a href=\"/media/film.mp4#t=10\">film</a> <a href=\"/img/sprite.svg#svgView(viewBox(0,0,1,1))\">SVG</a></p>",
    "<p><a href=\"/src/lib.rs.html#1-3\">lines</a> <a href=\"/src/lib.rs.html#2\">a line</a></p>",
    "<p><a href=\"https://example.org.other.example/\">not here</a></p>",
    "<p style=\"--x: url(later.png); color: red\">x</p>",
    "<object codebase=\"/img/\" classid=\"clsid:D27CDB6E-AE6D-11cf-96B8-444553540000\" data=\"/img/a.png\"></object>",
    "<p title=\"missing.html\" data-src=\"missing.png\">missing.html</p>",
    "<a href=\"/all.html\" download=\"x y.html\">x</a>",
];
