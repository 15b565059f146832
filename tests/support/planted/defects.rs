//! The defects that a reference can have.

use super::carriers::{Carrier, Takes, Use};
use super::doubtful;
use super::layout::{Layout, depth, encode, reference, relative};
use super::random::Random;

/// The base URL of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Its own URL.
    Own,
    /// The target of another page, by a `base` element.
    There,
    /// One at which there is nothing.
    Nowhere,
}

/// Where a defect is planted.
pub struct Spot<'s> {
    pub layout: &'s Layout,
    /// The path that the page's base URL has.
    pub path: &'s str,
    pub base: Base,
    pub random: &'s mut Random,
}

/// A defect: its checks, joined by `+`, in which places it is one, and the reference.
pub struct Defect {
    pub checks: &'static str,
    pub fits: fn(&Carrier) -> bool,
    pub reference: fn(&mut Spot<'_>) -> String,
}

fn any(_: &Carrier) -> bool {
    true
}

fn any_text(carrier: &Carrier) -> bool {
    carrier.takes == Takes::Any
}

fn link(carrier: &Carrier) -> bool {
    carrier.usage == Use::Link
}

/// In a document within the page a fragment alone is a place in that.
fn link_of_page(carrier: &Carrier) -> bool {
    link(carrier) && !carrier.element.contains("srcdoc")
}

fn load(carrier: &Carrier) -> bool {
    carrier.usage == Use::Load
}

fn not_loaded(carrier: &Carrier) -> bool {
    carrier.usage != Use::Load
}

fn may_be_relative(carrier: &Carrier) -> bool {
    !carrier.wants_absolute
}

fn whole_value(carrier: &Carrier) -> bool {
    carrier.is_whole_value
}

fn wrong_empty(carrier: &Carrier) -> bool {
    carrier.is_wrong_empty
}

fn missing(spot: &mut Spot<'_>) -> String {
    format!("missing-{}.html", spot.random.below(40))
}

fn page(spot: &mut Spot<'_>) -> String {
    let page = spot.layout.page(spot.random).to_owned();
    reference(spot.path, &page, spot.random)
}

fn folder(spot: &mut Spot<'_>, has_index: bool) -> String {
    let folder = spot.layout.folder(has_index, spot.random).to_owned();
    if spot.random.once_in(2) { format!("/{folder}") } else { relative(spot.path, &folder) }
}

/// A folder that is not the base URL's own, without its slash.
fn slashless(spot: &mut Spot<'_>, has_index: bool) -> String {
    let folder = spot.layout.folder(has_index, spot.random);
    format!("/{}", folder.trim_end_matches('/'))
}

/// One step more than there are, and perhaps some more.
fn too_far(spot: &mut Spot<'_>, step: &str) -> String {
    step.repeat(depth(spot.path) + 1 + spot.random.below(3))
}

fn upper(path: &str) -> String {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    format!("{}{}", &path[..name], path[name..].to_uppercase())
}

const fn defect(
    checks: &'static str,
    fits: fn(&Carrier) -> bool,
    reference: fn(&mut Spot<'_>) -> String,
) -> Defect {
    Defect { checks, fits, reference }
}

macro_rules! fixed {
    ($checks:expr, $fits:expr, $($reference:expr),+) => {
        defect($checks, $fits, |spot| {
            spot.random.word(&[$($reference),+]).to_owned()
        })
    };
}

#[rustfmt::skip]
pub const DEFECTS: &[Defect] = &[
    defect("broken-target", any, missing),
    defect("broken-target", any, |spot| format!("/{}", missing(spot))),
    defect("broken-target", any, |spot| format!("no/such/folder/{}?q=1#frag", missing(spot))),
    defect("broken-target", may_be_relative, |spot| page(spot).trim_end_matches(".html").to_owned()),
    defect("broken-target", any, |spot| page(spot) + "/"),
    defect("broken-target", any, |spot| folder(spot, false) + "index.html"),
    fixed!("broken-target", any, "/no-such-folder/", "/packed.html", "/img/logo.gif", "/%61bsent.html"),

    defect("wrong-case", any, |spot| upper(&page(spot))),
    fixed!("wrong-case", any, "/IMG/logo.png", "/img/Logo.png", "/ALL.html#s0", "/Doc/manual.pdf?v=2", "/GR%C3%96%C3%9FE.html"),
    defect(doubtful::FOLDER_IN_WRONG_CASE, any, |spot| {
        let folder = spot.layout.folder(true, spot.random);
        format!("/{}", folder.replace('f', "F"))
    }),

    defect("directory-without-index", any, |spot| match folder(spot, false) {
        own if own.is_empty() => "./".to_owned(),
        other => other,
    }),
    defect("directory-without-index", any, |spot| slashless(spot, false)),
    fixed!("directory-without-index", any, "/img/", "/doc/?x#y"),

    defect("missing-trailing-slash", may_be_relative, |spot| slashless(spot, true)),
    defect("missing-trailing-slash", may_be_relative, |spot| slashless(spot, true) + "?a=b"),
    defect("missing-trailing-slash", may_be_relative, |spot| slashless(spot, true) + "#s0"),

    defect("escapes-root", any, |spot| too_far(spot, "../") + "all.html"),
    defect("escapes-root", any, |spot| too_far(spot, "%2e%2E/") + "img/a.png"),
    fixed!("escapes-root", any, "/../all.html", "/img/../../all.html#s0"),

    defect("absolute-self-link", may_be_relative, |spot| {
        format!("https://example.org/{}", spot.layout.page(spot.random))
    }),
    fixed!("absolute-self-link", may_be_relative, "https://example.org/", "https://example.org", "HTTPS://EXAMPLE.ORG/all.html#s0", "https://example.org:443/img/a.png"),
    fixed!(doubtful::BROKEN_SELF_LINK, may_be_relative, "https://example.org/missing.html"),

    fixed!("local-leak", any, "file:///home/me/site/x.html", "file:///C:/Users/me/x.png", "C:/Users/me/x.html", "https://localhost:8080/x", "https://127.0.0.1/x.png", "https://10.1.2.3/", "https://[::1]/x", "https://printer.local/x", "//192.168.0.7/x.png"),
    fixed!("local-leak", any_text, "C:\\Users\\me\\x.html", "\\\\server\\share\\x.png"),
    fixed!("local-leak+mixed-content", load, "http://192.168.0.7/x.png"),
    fixed!("local-leak", load, "http://127.0.0.1/x.png"),

    fixed!("bad-url", any, "https://[::1/x", "https://other.example:99999/x", "https://1.2.3.4.5/x", "https://", "//other.example:port/x"),
    fixed!("bad-url", any_text, "https://other example/x", "https://<host>/x"),

    fixed!("not-in-grammar", any, "/img/a.png?a=[1]", "https://other.example/a|b", "https://other.example/?q={x}", "https://other.example/%0D%0Ax", "/100%.html", "https://other.example/%zz", "https://other.example/a^b#c#d", "https://other.example/x\u{200B}"),
    fixed!("not-in-grammar", any_text, "/my page.html", "/img\\logo.png", "/img/lo\tgo.png", "https://other.example/a b", "https://other.example/?\"x\"", "/img/lo\ngo.png"),
    fixed!("not-in-grammar+broken-target", any_text, "/no such page.html"),

    fixed!("scheme-lookalike", any, "Category:Foo.html", "std::vector", "htp://other.example/", "https:///other.example/x", "localhost:8000/x", "mailo:a@other.example", "https://http://other.example/", "email:a@other.example"),
    fixed!(doubtful::HOST_AS_FILE, any, "www.example.net/x", "example.com", "http//other.example/x"),
    fixed!(doubtful::HOST_AS_FILE, link, "someone@example.net"),

    fixed!("empty-reference", wrong_empty, ""),

    fixed!("bad-address", any, "mailto:", "mailto:office.example.org", "MAILTO:a@b.example,", "tel:", "tel:call", "mailto:a@b.example?subject=5%"),

    fixed!("password-in-url", any, "https://me:secret@other.example/x", "ftp://u:p%40@ftp.example/"),

    fixed!("odd-port", any, "https://other.example:6667/", "https://example.org:3000/all.html", "https://other.example:25/x"),

    fixed!("mixed-content", load, "http://other.example/x.png", "HTTP://other.example:8080/x"),
    fixed!("odd-port", not_loaded, "http://other.example:1/"),
    fixed!("odd-port+mixed-content", load, "http://other.example:1/"),

    fixed!("template-markup", whole_value, "{{ site.url }}/about", "{% url 'x' %}", "${base}/x.html", "<%= root %>/x", "/x/<?php echo 1 ?>"),

    fixed!("broken-fragment", link, "/r/stub-with-script.html#nope", "/r/stub.html#nope"),
    fixed!(doubtful::LOST_BY_REFRESH, link, "/r/stub.html#s0"),
    defect("broken-fragment", link, |spot| page(spot) + "#nope"),
    defect("broken-fragment", link, |spot| page(spot) + "#S0"),
    defect("broken-fragment", link, |spot| page(spot) + "#s"),
    defect("broken-fragment", link, |spot| page(spot) + "#gr%C3%BC%C3%9F"),
    defect(doubtful::BROKEN_WITH_DIRECTIVE, link, |spot| page(spot) + "#nope:~:text=words"),
    defect("broken-fragment", link, |spot| format!("/{}#nope", spot.layout.folder(true, spot.random))),
    defect("broken-fragment", link, |spot| format!("/{}#1-2", encode(spot.layout.page(spot.random)))),
    fixed!("broken-fragment", link, "/img/sprite.svg#icon", "/alias.html#nope", "/gr%C3%B6%C3%9Fe.html#x"),
    defect("broken-fragment", link_of_page, |spot| {
        // Under a base element a fragment is one of what the base URL names.
        match spot.base {
            Base::Own => "#not-here".to_owned(),
            Base::There => "#only-here".to_owned(),
            Base::Nowhere => "/#not-here".to_owned(),
        }
    }),
];

/// Pieces of a page without a `base` that something is wrong with.
pub const SCENES: &[&str] = &[
    "<template><p id=\"t¤\">x</p></template><p><a href=\"⟦broken-fragment;a;href|#t¤⟧\">x</a></p>",
    "<!-- <p id=\"c¤\"> --><p><a href=\"⟦broken-fragment;a;href|#c¤⟧\">x</a></p>",
    "<form name=\"n¤\"><img name=\"n¤\" src=\"/img/a.png\" alt=\"\"></form><p><a href=\"⟦broken-fragment;a;href|#n¤⟧\">x</a></p>",
    "<iframe srcdoc=\"<p id='d¤'>x\"></iframe><p><a href=\"⟦broken-fragment;a;href|#d¤⟧\">x</a></p>",
    "<div><td id=\"dropped¤\">x</td></div><p><a href=\"⟦broken-fragment;a;href|#dropped¤⟧\">x</a></p>",
    "<textarea><p id=\"ta¤\"></textarea><script>'<p id=\"ta¤\">'</script><p><a href=\"⟦broken-fragment;a;href|#ta¤⟧\">x</a></p>",
    "<p id=\"case¤\"><a href=\"⟦broken-fragment;a;href|#Case¤⟧\">x</a></p>",
    "<p>Ünïcödé <b id=\"dup¤\">1</b> <i id=\"⟦duplicate-id;;id|dup¤⟧\">2</i> <i class=x id='⟦duplicate-id;;id|dup¤⟧'>3</i></p>",
    "<svg width=\"9\"><g id=\"sd¤\"/></svg>\n\t<p id=⟦duplicate-id;;id|sd¤⟧ >x</p>",
    "<svg width=\"9\"><use href=\"⟦broken-fragment;svg:use;href|/img/sprite.svg#gone⟧\"/></svg>",
    "<svg width=\"9\"><use href=\"⟦broken-fragment;svg:use;href|#gone¤⟧\"/><g fill=\"url(⟦broken-fragment;svg:g fill > url();|#gone¤⟧)\"/></svg>",
    "<script type=\"importmap\">{\"imports\": {\"app\": \"⟦broken-target;script > URL;|/js/missing.js⟧\"}}</script>",
    "<p style=\"background: url(\n  ⟦broken-target;p style > url();|missing.png⟧ )\">x</p>",
    "<style>b { background: url(⟦empty-reference;style > url();|⟧) }</style>",
    "<p data-rehref-ignore=\"orphan, odd-port\"><a href=\"⟦broken-target;a;href|not-covered.html⟧\">x</a></p>",
    "<p>⟦missing-url;img;src⟧<img alt=\"\"><img alt=\"\" data-src=x><img alt=\"\" data-rehref-ignore></p>",
    "<map name=\"m¤\"></map><img src=\"/img/a.png\" alt=\"\" usemap=\"#m¤\"><img src=\"/img/a.png\" alt=\"\" usemap=\"⟦broken-fragment;img;usemap|#M¤⟧\">",
    "<meta http-equiv=refresh content=\"⟦unread-refresh;meta;content|3s;url=/all.html⟧\">",
    "<!-- rehref-ignore --><p><a href=\"covered.html\">x</a></p><p><a href=\"⟦broken-target;a;href|after.html⟧\">x</a></p>",
    "<!-- rehref-ignored --><p><a href=\"⟦broken-target;a;href|no-mark.html⟧\">x</a></p>",
];

/// Pieces of a page with a `base` that leads elsewhere.
pub const BASE_SCENES: &[&str] =
    &["<p id=\"only-here\"><a href=\"⟦empty-reference;a;href|⟧\">x</a></p>"];
