//! A built page: the links in its blocks, and the marks that generators leave of the source.

use std::ops::Range;

use super::block::{BlockLink, Blocks, Part};
use super::tag::{self, Markup, Tag};

/// The statements of a built page about its source.
#[derive(Debug, Default)]
pub(super) struct BuiltPage {
    /// The links that were asked for, in order.
    pub(super) links: Vec<BlockLink>,
    /// URLs and paths that name the source of the page: "Edit this page", "Show source", comments.
    pub(super) marks: Vec<String>,
}

/// Parts of the URLs by which readers edit the source of a page, or see it.
const EDIT: &[&str] = &["/edit/", "/_edit/", "/edit?", "_sources/"];

/// The texts in comments before the path of the source of the page, in lower case.
const NAMING: &[&str] = &["source:", "file:", "generated from"];

/// The attributes whose links are compared with those of the source.
const REFERENCES: &[&str] = &["href", "src", "poster", "data", "cite", "action"];

/// Whether an element with a role is of each kind: the two that hold the content, of which the first that the page has
/// counts; what a template makes, unless it is in the content; what a template makes, wherever it is.
const KINDS: [fn(&str, &str) -> bool; 4] = [
    |name, role| name == "main" || role == "main",
    |name, _| name == "article",
    |name, _| matches!(name, "head" | "header" | "footer"),
    |name, role| name == "nav" || role == "navigation",
];

/// Scans `page`. Its links are those for which `wants` is true, and all that hold one of `offsets`, which
/// are sorted (not as an id).
pub(super) fn scan(page: &str, offsets: &[usize], wants: impl Fn(&str) -> bool) -> BuiltPage {
    let mut scanner = Scanner {
        page,
        offsets,
        wants,
        blocks: Blocks::default(),
        anchor: None,
        elements: Default::default(),
        inside: Vec::new(),
        found: BuiltPage::default(),
    };
    scanner.run();
    scanner.blocks.end();
    let [has_main, has_article, ..] = scanner.elements.map(|element| element.was_seen);
    let mut links = scanner.blocks.links;
    for (link, [main, article, surrounding, navigation]) in links.iter_mut().zip(scanner.inside) {
        let is_content = match (has_main, has_article) {
            (true, _) => main,
            (false, true) => article,
            (false, false) => !surrounding,
        };
        link.part = if is_content && !navigation { Part::Content } else { Part::Surroundings };
    }
    BuiltPage { links, ..scanner.found }
}

/// The paths that the comment `text` calls the source of its page. Other paths in comments are those of tools.
fn named_sources(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for naming in NAMING {
        for (at, _) in lower.match_indices(naming) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let rest = text.get(at + naming.len()..).unwrap_or_default();
            let word = rest.trim_start().split(char::is_whitespace).next();
            let path = word.unwrap_or_default().trim_matches(['"', '\'', '`', ',']);
            if path.contains('.') && !before.is_some_and(char::is_alphanumeric) {
                found.push(path.to_owned());
            }
        }
    }
    found
}

/// The outermost open element of a kind.
#[derive(Clone, Copy, Debug, Default)]
struct Element<'p> {
    name: &'p str,
    /// The number of open elements of this name, from the outermost on.
    depth: usize,
    was_seen: bool,
}

impl<'p> Element<'p> {
    fn start(&mut self, name: &'p str, is_kind: bool) {
        match self.depth {
            0 if is_kind => *self = Element { name, depth: 1, was_seen: true },
            0 => {}
            _ if self.name.eq_ignore_ascii_case(name) => self.depth += 1,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if self.depth > 0 && self.name.eq_ignore_ascii_case(name) {
            self.depth -= 1;
        }
    }
}

struct Scanner<'p, W> {
    page: &'p str,
    /// The offsets that are not in a link yet.
    offsets: &'p [usize],
    wants: W,
    blocks: Blocks,
    /// The links of the open `a` element, by their numbers in the block.
    anchor: Option<Range<usize>>,
    /// By [`KINDS`].
    elements: [Element<'p>; 4],
    /// For each link, in order, whether an element of each kind is open.
    inside: Vec<[bool; 4]>,
    found: BuiltPage,
}

impl<'p, W: Fn(&str) -> bool> Scanner<'p, W> {
    fn run(&mut self) {
        let bytes = self.page.as_bytes();
        let mut at = 0;
        while let Some(text) = bytes.get(at..) {
            let Some(length) = memchr::memchr2(b'<', b'&', text) else { break };
            self.blocks.push_text(self.page.get(at..at + length).unwrap_or_default());
            at += length;
            if let Some((c, end)) = tag::character_reference(self.page, at) {
                c.into_iter().for_each(|c| self.blocks.push(c));
                at = end;
                continue;
            }
            let markup = tag::markup(self.page, at, true);
            at = markup.as_ref().map_or(at + 1, |(_, end)| *end);
            match markup {
                Some((Markup::Start(tag), _)) => self.start(&tag),
                Some((Markup::End(name), _)) => self.end(name),
                Some((Markup::Other(text), _)) => self.found.marks.extend(named_sources(text)),
                None => {}
            }
        }
        self.blocks.push_text(self.page.get(at..).unwrap_or_default());
    }

    fn start(&mut self, tag: &Tag<'p>) {
        if !tag::is_inline(tag.name) {
            self.end_block();
        }
        let role = tag.attribute(self.page, "role").unwrap_or_default();
        for (element, is_kind) in self.elements.iter_mut().zip(KINDS) {
            element.start(tag.name, is_kind(tag.name, role));
        }
        let is_anchor = tag.name.eq_ignore_ascii_case("a");
        if is_anchor {
            self.end_anchor();
        }
        for (name, value) in &tag.attributes {
            self.attribute(name, value, is_anchor);
        }
    }

    fn attribute(&mut self, name: &str, value: &Range<usize>, is_anchor: bool) {
        let text = self.page.get(value.clone()).unwrap_or_default();
        let before = self.offsets.partition_point(|offset| *offset < value.start);
        let rest = self.offsets.get(before..).unwrap_or_default();
        let within = rest.iter().take_while(|offset| **offset <= value.end).count();
        self.offsets = rest.get(within..).unwrap_or_default();
        let is_reference = REFERENCES.iter().any(|it| name.eq_ignore_ascii_case(it));
        if is_reference && EDIT.iter().any(|part| text.contains(part)) {
            self.found.marks.push(text.to_owned());
        }
        let is_found =
            within > 0 && !name.eq_ignore_ascii_case("id") && !name.eq_ignore_ascii_case("name");
        let is_wanted = is_found || is_reference && (self.wants)(text);
        if !is_wanted {
            return;
        }
        let at = self.blocks.length();
        let number = self.blocks.link(value.clone(), at..at, Part::Content);
        if is_anchor {
            let first = self.anchor.as_ref().map_or(number, |links| links.start);
            self.anchor = Some(first..number + 1);
        }
        self.inside.push(self.elements.map(|element| element.depth > 0));
    }

    fn end(&mut self, name: &str) {
        if name.eq_ignore_ascii_case("a") {
            self.end_anchor();
        } else if !tag::is_inline(name) {
            self.end_block();
        }
        for element in &mut self.elements {
            element.end(name);
        }
    }

    fn end_anchor(&mut self) {
        for number in self.anchor.take().into_iter().flatten() {
            self.blocks.end_link(number);
        }
    }

    fn end_block(&mut self) {
        self.end_anchor();
        self.blocks.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links to `x` in `page`: the letters before, of and after each, and its part.
    fn links(page: &str) -> Vec<String> {
        let links = scan(page, &[], |reference| reference == "x").links;
        let shown = links.into_iter().map(|link| {
            let (before, rest) = link.block.split_at(link.at.start);
            let (text, after) = rest.split_at(link.at.len());
            let part = if link.part == Part::Content { "" } else { " around" };
            format!("{before}[{text}]{after}{part}")
        });
        shown.collect()
    }

    #[test]
    fn blocks_are_what_readers_see_as_paragraphs() {
        for (page, expected) in [
            (
                "<p>See <a href=x>the <b>g</b>uide</a>, &#x41;&amp;b.<p>More",
                &["see[theguide]ab"][..],
            ),
            ("<ul><li><a href='x'>One</a><li>Two <img src=x> 3</ul>", &["[one]", "two[]3"]),
            ("<script>if (a<b) '<a href=x>'</script><a href=x>a</a>", &["[a]"]),
            ("a < b <a title='>' href=x>c</a><!-- <a href=x> -->d<br>e", &["ab[c]de"]),
            ("<a href=x>open <p>end</p>", &["[open]"]),
            ("<a href=\"x", &[]),
        ] {
            assert_eq!(links(page), expected, "{page}");
        }
    }

    #[test]
    fn what_a_template_makes_is_not_content() {
        let link = "<a href=x>a</a>";
        for (page, expected) in [
            (
                format!("{link}<main>{link}<nav>{link}</nav></main>"),
                vec!["[a] around", "[a]", "[a] around"],
            ),
            (
                format!("<div role=main><div>{link}</div><p>{link}</div>{link}"),
                vec!["[a]", "[a]", "[a] around"],
            ),
            (format!("{link}<article>{link}</article>"), vec!["[a] around", "[a]"]),
            (format!("<header>{link}</header><p>{link}"), vec!["[a] around", "[a]"]),
        ] {
            assert_eq!(links(&page), expected, "{page}");
        }
    }

    #[test]
    fn generators_mark_the_source() {
        let page = "<!-- source: docs/a.md --><a href='https://h/o/r/edit/main/docs/a.md'>Edit</a>\
                    <a href='https://h/o/r'>r</a><a href=\"_sources/a.rst.txt\">";
        let marks = scan(page, &[], |_| false).marks;
        assert_eq!(marks, ["docs/a.md", "https://h/o/r/edit/main/docs/a.md", "_sources/a.rst.txt"]);
    }

    #[test]
    fn comments_mark_only_what_they_call_the_source() {
        for (comment, expected) in [
            ("made by tool.js, see README.md", &[][..]),
            ("Generated from docs/a.md by tool.js", &["docs/a.md"]),
            ("source file: 'a.md', v1.2", &["a.md"]),
            ("profile: x.md source: none", &[]),
        ] {
            let page = format!("<!-- {comment} -->");
            assert_eq!(scan(&page, &[], |_| false).marks, expected, "{comment}");
        }
    }
}
