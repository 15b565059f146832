//! Traits of scripts that decide how the links of their pages may be written: each is known by signs in the code of a
//! script, or in the markup of a page.

use super::css::link_selectors;
use super::disk_limits::values;
use super::scripts::{SCRIPTS, inline_code, is_called};
use rehref_url::Span;

/// A set of traits: properties of scripts that affect how links may be rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScriptTraits(u8);

impl ScriptTraits {
    /// The empty set.
    pub const NONE: ScriptTraits = ScriptTraits(0);
    /// The script compares the `src` of a `script` element, as written, with a path.
    pub const COMPARES_SRC: ScriptTraits = ScriptTraits(1);
    /// The script replaces a part of the page and changes its URL, so that the remaining links resolve against
    /// another URL.
    pub const CHANGES_URL: ScriptTraits = ScriptTraits(1 << 1);
    /// The script selects or compares links by their text.
    pub const SELECTS_LINKS: ScriptTraits = ScriptTraits(1 << 2);
    /// A script in the page itself selects links by their URLs.
    pub const SELECTS_LINKS_INLINE: ScriptTraits = ScriptTraits(1 << 3);

    /// Returns true if this set contains all of `other`.
    pub const fn has(self, other: ScriptTraits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn with(self, other: ScriptTraits) -> ScriptTraits {
        ScriptTraits(self.0 | other.0)
    }

    /// Returns the traits of the script `code`.
    pub fn of_script(code: &[u8]) -> ScriptTraits {
        let has = |sign: &&str| is_called(code, sign.as_bytes());
        let rows = CODE_SIGNS.iter().filter(|(_, signs)| signs.iter().all(has));
        let mut traits = rows.fold(ScriptTraits::NONE, |all, (row, _)| all.with(*row));
        if compares_own_src(code) {
            traits = traits.with(ScriptTraits::COMPARES_SRC);
        }
        if selects_links(code) {
            traits = traits.with(ScriptTraits::SELECTS_LINKS);
        }
        traits
    }

    /// Adds the traits of a script in the page itself.
    fn with_inline(self, code: &[u8]) -> ScriptTraits {
        let found = ScriptTraits::of_script(code);
        let is_inline = found.has(ScriptTraits::SELECTS_LINKS);
        let inline =
            if is_inline { ScriptTraits::SELECTS_LINKS_INLINE } else { ScriptTraits::NONE };
        self.with(found).with(inline)
    }
}

/// The scripts of a page.
pub struct ScriptsOfPage<'h> {
    /// The traits of the scripts in the page.
    pub traits: ScriptTraits,
    /// The `src` of the scripts that the page loads, as written.
    pub sources: Vec<&'h [u8]>,
}

impl<'h> ScriptsOfPage<'h> {
    /// Returns the scripts of the page `html`; `None` if the page has no scripts.
    pub fn of(html: &'h [u8]) -> Option<ScriptsOfPage<'h>> {
        let mut scripts = inline_code(html, SCRIPTS).peekable();
        scripts.peek()?;
        let mut page = ScriptsOfPage { traits: ScriptTraits::NONE, sources: Vec::new() };
        for script in scripts {
            page.sources.extend(values(html, script.attributes, "src").next());
            page.traits = page.traits.with_inline(script.content.of(html));
        }
        Some(page)
    }

    /// Returns true if the markup of the page `html` shows that a library changes the URL and keeps a part of
    /// the page.
    pub fn may_change_url(&self, html: &[u8]) -> bool {
        self.application(html).is_some() || ATTRIBUTES.iter().any(|sign| contains(html, sign))
    }

    /// Returns the generator, such as VitePress, if the page `html` is a page of its application.
    pub fn application(&self, html: &[u8]) -> Option<&'static Application> {
        let names = memchr::memmem::find_iter(html, "__").filter_map(|at| html.get(at..));
        let mut found = names.filter_map(|name| {
            APPLICATIONS
                .iter()
                .find(|app| matches!(app.sign, Sign::Name(it) if name.starts_with(it.as_bytes())))
        });
        let head = html.get(..HEAD.min(html.len())).unwrap_or_default();
        found.next().or_else(|| {
            APPLICATIONS.iter().find(|app| match app.sign {
                Sign::Name(_) => false,
                Sign::Source(sign) => self.sources.iter().any(|it| contains(it, sign)),
                Sign::Generator(sign) => contains(head, sign),
            })
        })
    }
}

fn contains(text: &[u8], sign: &str) -> bool {
    memchr::memmem::find(text, sign.as_bytes()).is_some()
}

/// Signs in the code of a script; those of a row belong together.
const CODE_SIGNS: [(ScriptTraits, &[&str]); 3] = [
    // The runtime of Turbopack finds its chunks by the start of their `src`.
    (ScriptTraits::COMPARES_SRC, &["TURBOPACK", "registerChunk"]),
    (ScriptTraits::CHANGES_URL, &["pushState(", "DOMParser"]),
    (ScriptTraits::CHANGES_URL, &["pushState(", "createHTMLDocument"]),
];

/// A generator whose pages are an application, which renders its links once and then changes the URL of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct Application {
    pub name: &'static str,
    /// The name of the generator's setting for the path of the site's URL, such as `baseUrl`.
    pub setting: &'static str,
    sign: Sign,
}

/// The sign of an application in its pages.
#[derive(Debug, PartialEq, Eq)]
enum Sign {
    /// A name that begins with two underscores.
    Name(&'static str),
    /// A part of the `src` of a script.
    Source(&'static str),
    /// The start of the `content` of its `meta` element.
    Generator(&'static str),
}

#[rustfmt::skip]
const APPLICATIONS: [Application; 8] = [
    Application { name: "Docusaurus", setting: "baseUrl", sign: Sign::Name("__docusaurus\"") },
    Application { name: "Gatsby", setting: "pathPrefix", sign: Sign::Name("___gatsby\"") },
    Application { name: "Next.js", setting: "basePath", sign: Sign::Source("/_next/static/") },
    Application { name: "Nuxt", setting: "app.baseURL", sign: Sign::Name("__nuxt\"") },
    Application { name: "Rspress", setting: "base", sign: Sign::Name("__rspress_root\"") },
    Application { name: "SvelteKit", setting: "paths.base", sign: Sign::Name("__sveltekit_") },
    Application { name: "VitePress", setting: "base", sign: Sign::Name("__VP_HASH_MAP__") },
    Application { name: "VuePress", setting: "base", sign: Sign::Generator("\"VuePress") },
];

/// The bytes at the start of a page in which its generator is looked for.
const HEAD: usize = 4 << 10;

/// Parts of the attributes by which htmx, PJAX and Turbo replace or keep a part of the page.
const ATTRIBUTES: [&str; 3] = ["hx-boost=", "data-pjax", "-permanent"];

/// Returns true if the script `code` compares the `src` of its own element.
fn compares_own_src(code: &[u8]) -> bool {
    attribute_tests(code, "src").any(|at| {
        let before = code.get(..at).unwrap_or_default();
        before.ends_with(b"currentScript.")
    })
}

/// Returns true if the script `code` selects elements by the text of their references, or compares it.
fn selects_links(code: &[u8]) -> bool {
    let is_of_text = |selector: &Span| {
        let text = selector.of(code).to_ascii_lowercase();
        let has = |part: &str| memchr::memmem::find(&text, part.as_bytes()).is_some();
        // In-page links stay as written. Most variables are their ids.
        let is_joined = has("+") || has("${");
        !has("#") && (!is_joined || ["location", "path", "url"].iter().any(|name| has(name)))
    };
    let mut selectors = link_selectors(code).filter(is_of_text);
    selectors.next().is_some() || attribute_tests(code, "href").next().is_some()
}

/// The functions that read an attribute.
const READERS: [&str; 2] = ["getAttribute(", "attr("];

/// The functions that test a text, or take a part of it.
const TESTS: [&str; 7] =
    ["==", "!=", ".startsWith(", ".indexOf(", ".includes(", ".match(", ".search("];

/// The places of `code` where a script reads `attribute` and tests its text, but for tests of in-page links and of
/// texts that no link has.
fn attribute_tests(code: &[u8], attribute: &str) -> impl Iterator<Item = usize> {
    let finds = READERS.into_iter().flat_map(move |reader| {
        memchr::memmem::find_iter(code, reader.as_bytes()).map(move |at| (at, at + reader.len()))
    });
    finds.filter_map(move |(at, end)| {
        let rest = after_string(code.get(end..)?, attribute.as_bytes())?;
        let rest = rest.strip_prefix(b")")?.trim_ascii_start();
        let test = TESTS.iter().find_map(|test| rest.strip_prefix(test.as_bytes()))?;
        let value = test.strip_prefix(b"=").unwrap_or(test).trim_ascii_start();
        let [quote @ (b'"' | b'\'' | b'`'), value @ ..] = value else {
            let is_pattern = value.first() == Some(&b'/');
            return (is_pattern && !value.starts_with(b"/^#") && !value.starts_with(b"/#"))
                .then_some(at);
        };
        let is_of_link =
            !matches!(value.first(), None | Some(b'#')) && value.first() != Some(quote);
        is_of_link.then_some(at)
    })
}

/// `code` after a string that is `text`.
fn after_string<'c>(code: &'c [u8], text: &[u8]) -> Option<&'c [u8]> {
    let [quote @ (b'"' | b'\'' | b'`'), rest @ ..] = code else { return None };
    rest.strip_prefix(text)?.strip_prefix(&[*quote])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_of_scripts() {
        const NONE: ScriptTraits = ScriptTraits::NONE;
        for (code, expected) in [
            ("(globalThis.TURBOPACK||=[]).push; e.registerChunk(x)", ScriptTraits::COMPARES_SRC),
            (
                "document.currentScript.getAttribute('src').startsWith('/app/')",
                ScriptTraits::COMPARES_SRC,
            ),
            ("document.currentScript.getAttribute('src')", NONE),
            ("image.getAttribute('src') == '/a.png'", NONE),
            ("history.pushState(x); new DOMParser()", ScriptTraits::CHANGES_URL),
            ("history.pushState(x)", NONE),
            ("history.replaceState(x); new DOMParser()", NONE),
            ("document.querySelectorAll('a[href^=\"http\"]')", ScriptTraits::SELECTS_LINKS),
            ("$('a[href^=\"#\"]').click(x)", NONE),
            ("$('a[href=\"' + id + '\"]'); `a[href=\"${it}\"]`", NONE),
            ("$(\"a[href=\\\"\" + location.pathname + \"\\\"]\")", ScriptTraits::SELECTS_LINKS),
            ("$(\"a[href^=\\\"mailto:\\\"]\")", NONE),
            ("$('a[href]'); x[href]", NONE),
            ("a.getAttribute('href') === \"/\"", ScriptTraits::SELECTS_LINKS),
            ("a.getAttribute(\"href\").match(/^https?:/)", ScriptTraits::SELECTS_LINKS),
            ("$(this).attr('href').indexOf('http')", ScriptTraits::SELECTS_LINKS),
            ("'#' == a.getAttribute('href')", NONE),
            ("a.getAttribute('href') != '#'", NONE),
            ("a.getAttribute('href').match(/^#/)", NONE),
            ("a.getAttribute('href') === ''", NONE),
            ("a.getAttribute('href') === null", NONE),
            ("x = a.getAttribute('href')", NONE),
        ] {
            assert_eq!(ScriptTraits::of_script(code.as_bytes()), expected, "{code}");
        }
    }

    #[test]
    fn applications_are_known_by_their_pages() {
        for (page, expected) in [
            ("<script src=/x/_next/static/y.js></script>", Some("basePath")),
            ("<script></script><div id=\"__docusaurus\">", Some("baseUrl")),
            ("<script></script><meta name=\"generator\" content=\"VuePress 2\">", Some("base")),
            ("<script></script>VuePress, docusaurus", None),
        ] {
            let scripts = ScriptsOfPage::of(page.as_bytes()).unwrap();
            let found = scripts.application(page.as_bytes()).map(|it| it.setting);
            assert_eq!(found, expected, "{page}");
        }
    }

    #[test]
    fn pages_whose_url_changes_are_known_by_scripts_and_markup() {
        let found = |page: &str| {
            let scripts = ScriptsOfPage::of(page.as_bytes());
            scripts.is_some_and(|it| {
                it.traits.has(ScriptTraits::CHANGES_URL) || it.may_change_url(page.as_bytes())
            })
        };
        for (page, expected) in [
            ("<p>history.pushState(x) DOMParser", false),
            ("<script>history.pushState(x), new DOMParser</script>", true),
            ("<body hx-boost=\"true\">", false),
            ("<body hx-boost=\"true\"><script src=htmx.js></script>", true),
            ("<div id=\"__nuxt\"></div><script src=x.js></script>", true),
            ("<div id=\"__nux\"></div><script src=x.js></script>", false),
            ("<meta content=\"VuePress 2\"><script src=x.js></script>", true),
            ("<script src=\"/app/_next/static/chunks/a.js\"></script>", true),
            ("<script src=x.js></script>", false),
        ] {
            assert_eq!(found(page), expected, "{page}");
        }
    }

    #[test]
    fn sources_of_scripts_are_their_attributes() {
        let page =
            b"<SCRIPT Src = 'a.js'></SCRIPT><script data-src=b>x</script><script async src=c.js>";
        let found = ScriptsOfPage::of(page).unwrap();
        assert_eq!(found.sources, [&b"a.js"[..], b"c.js"]);
        assert!(ScriptsOfPage::of(b"<p>").is_none());
    }
}
