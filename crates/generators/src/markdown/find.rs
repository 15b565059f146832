//! Finds the links, images, HTML and headings of a document. pulldown-cmark, the authority, decides what they are;
//! the span of a destination is found within the link that it reports, and decoded again to prove it.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{
    BrokenLink, BrokenLinkCallback, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::definitions::{self, Definition, folded, same_case};
use super::destination::{self, DestinationForm};
use super::dialect::{Blocks, MarkdownDialect};
use super::findings::MarkdownFindings;
use super::labels::labels;
use super::lines::{Line, lines};
use super::makers::{DIRECTIVE, INCLUDED, Maker, makers_of_page, unread_attributes};
use super::prepared::UnreadLink;
use super::rows::{self, MarkdownRow, MarkdownValue};
use super::slug::headings::AnchorReader;
use super::tab_ids::{TabIds, tab_ids};
use super::undefined::{is_reference, template_definitions, wiki_link};
use super::written_ids::WrittenIdReader;
use super::{autolink, blocks, directive_names, python_links, shortcodes, slug};
use rehref_url::Span;

/// Finds the links, anchors and HTML of a Markdown document. `source` is the text of `bytes`, in which each
/// malformed byte is replaced by one character. `with_metadata` also collects data that only an audit needs.
pub fn find(
    bytes: &[u8],
    source: &str,
    dialect: MarkdownDialect,
    with_metadata: bool,
) -> MarkdownFindings {
    let prepared = blocks::prepare(source, dialect);
    let mut finder = Finder {
        bytes,
        source,
        prepared: &prepared.text,
        words: &prepared.words,
        unknown: &prepared.unknown,
        dialect,
        found: MarkdownFindings {
            values: prepared.values,
            anchors: prepared.anchors,
            makers: Vec::new(),
            ..MarkdownFindings::default()
        },
        open: Vec::new(),
        open_images: 0,
        text: 0..0,
        continues_block: false,
        used: HashSet::new(),
        hidden: HashSet::new(),
        with_metadata,
    };
    let (mut undefined, mut unread) = (Vec::new(), prepared.unread);
    if with_metadata {
        finder.found.makers = makers(source, dialect, prepared.has_unknown_anchors);
        unread.extend(dialect.row().root_alias.iter().flat_map(|_| unread_attributes(source)));
    }
    let templates = LazyCell::new(|| template_definitions(source));
    let mut wiki = Vec::new();
    let note = |link: BrokenLink<'_>| {
        wiki.extend(wiki_link(&prepared.text, &link).filter(|_| dialect.row().has_wiki_links()));
        if with_metadata
            && matches!(link.link_type, LinkType::Reference | LinkType::Collapsed)
            && is_reference(&prepared.text, &link)
            && !templates.contains(&folded(&link.reference))
        {
            if dialect.row().has_cross_references(&link.reference) {
                unread.push(UnreadLink::CrossReference);
                return None;
            }
            undefined.push((folded(&link.reference), Span::from(link.span)));
        }
        None
    };
    let parser =
        Parser::new_with_broken_link_callback(&prepared.text, options(dialect), Some(note));
    let mut events = parser.into_offset_iter();
    finder.events(&mut events);
    let known = events.reference_definitions().iter().map(|(label, definition)| Definition {
        label: label.to_owned(),
        span: definition.span.clone(),
        destination: definition.dest.to_string(),
    });
    let known: Vec<Definition> = known.collect();
    drop(events);
    let spans = known.iter().map(|it| (it.span.clone(), same_case(&it.label))).collect();
    let further = definitions::further(&prepared.text, spans, options(dialect));
    // The first definition of a label counts, in Python-Markdown the last.
    let counts_last = dialect.row().has_python_links();
    let mut last = HashMap::new();
    for it in further.iter().filter(|_| counts_last) {
        let start = last.entry(folded(&it.label)).or_insert(it.span.start);
        *start = it.span.start.max(*start);
    }
    for it in known {
        let may_count = !last.contains_key(&folded(&it.label));
        finder.definition(it, may_count);
    }
    for it in further {
        let may_count = last.get(&folded(&it.label)) == Some(&it.span.start);
        finder.definition(it, may_count);
    }
    finder.found.values.extend(wiki);
    finder.found.unread = unread;
    undefined.retain(|(label, _)| !finder.hidden.contains(label));
    finder.found.undefined = undefined.into_iter().map(|(_, span)| span).collect();
    finder.blank_html(prepared.words.clone());
    for range in prepared.html {
        finder.found.html_ends.push(range.end);
        finder.html(range);
    }
    finder.found.html_ends.sort_unstable();
    finder.found
}

/// Returns the makers of further anchors in `source`, each with its name in messages.
fn makers(
    source: &str,
    dialect: MarkdownDialect,
    has_unknown_anchors: bool,
) -> Vec<(&'static Maker, String)> {
    let mut makers = makers_of_page(source, dialect.row().makers);
    if shortcodes::has_unread_includes(source, dialect) {
        makers.push((&INCLUDED, INCLUDED.name.to_owned()));
    }
    if has_unknown_anchors {
        makers.push((&DIRECTIVE, DIRECTIVE.name.to_owned()));
    }
    makers
}

/// The extensions of CommonMark that the dialect has.
fn options(dialect: MarkdownDialect) -> Options {
    let row = dialect.row();
    let has_definitions = row.has_terms || row.has_python_links();
    if has_definitions { OPTIONS.union(Options::ENABLE_DEFINITION_LIST) } else { OPTIONS }
}

/// The extensions of CommonMark that all dialects have. Attributes of headings are read with their anchors.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// A link or an image whose end is not reached.
struct Open {
    row: &'static MarkdownRow,
    kind: LinkType,
    destination: String,
    /// The end of its text as far as it is read.
    text_end: usize,
}

struct Finder<'s> {
    bytes: &'s [u8],
    source: &'s str,
    /// The source as the authority reads it.
    prepared: &'s str,
    /// The markup that is a word there, read and not.
    words: &'s [Range<usize>],
    unknown: &'s [Range<usize>],
    dialect: MarkdownDialect,
    found: MarkdownFindings,
    open: Vec<Open>,
    /// The number of images among them.
    open_images: usize,
    /// The run of text that is being read.
    text: Range<usize>,
    /// Whether the run is the first in its line, but not in its block.
    continues_block: bool,
    /// The labels of definitions that links use.
    used: HashSet<String>,
    /// The labels of definitions that the authority does not see.
    hidden: HashSet<String>,
    with_metadata: bool,
}

impl Finder<'_> {
    fn events<'p, F: BrokenLinkCallback<'p>>(&mut self, events: &mut OffsetIter<'p, F>) {
        let mut anchors = AnchorReader::new(self.prepared, &self.dialect.row().slugs);
        let mut ids = WrittenIdReader::new(self.prepared, &self.dialect.row().ids);
        let mut in_code = false;
        for (event, range) in events {
            match &event {
                Event::Text(_) if in_code => {}
                Event::Text(_) if range.start == self.text.end => self.text.end = range.end,
                _ => {
                    self.end_text();
                    if let Event::Text(_) = event {
                        self.text = range.clone();
                    } else {
                        self.continues_block = event == Event::SoftBreak;
                    }
                    in_code = matches!(event, Event::Start(Tag::CodeBlock(_)));
                }
            }
            let before = self.open.len();
            match &event {
                Event::Start(
                    Tag::Link { link_type, dest_url, id, .. }
                    | Tag::Image { link_type, dest_url, id, .. },
                ) => {
                    let is_image = matches!(event, Event::Start(Tag::Image { .. }));
                    if self.with_metadata && !id.is_empty() {
                        self.used.insert(folded(id));
                    }
                    self.open_images += usize::from(is_image);
                    self.open.push(Open {
                        row: if is_image { &rows::IMAGE } else { &rows::LINK },
                        kind: *link_type,
                        destination: dest_url.to_string(),
                        text_end: range.start + if is_image { 2 } else { 1 },
                    });
                }
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    if let Some(open) = self.open.pop() {
                        let is_image = std::ptr::eq(open.row, &rows::IMAGE);
                        self.open_images -= usize::from(is_image);
                        self.end(&open, range.clone());
                    }
                }
                Event::Start(Tag::HtmlBlock) => self.found.html_ends.push(range.end),
                Event::Html(_) => self.html(range.clone()),
                Event::InlineHtml(_) => {
                    self.found.html_ends.pop_if(|end| *end == range.start);
                    self.found.html_ends.push(range.end);
                    self.html(range.clone());
                }
                // Code after a name in braces is a role.
                Event::Code(_) if self.dialect.row().blocks == Blocks::Directives => {
                    let role = directive_names::role(self.source, range.clone());
                    self.found.values.extend(role);
                }
                _ => {}
            }
            // The link itself only began here.
            let is_new = self.open.len() > before;
            if let Some(open) = self.open.last_mut().filter(|_| !is_new) {
                open.text_end = open.text_end.max(range.end);
            }
            if self.with_metadata {
                ids.read(&event, &range);
                anchors.read(event, range);
            }
        }
        self.end_text();
        self.found.anchors.extend(ids.finish());
        for heading in anchors.finish() {
            let names = heading.ids.into_iter().chain(heading.names);
            let span = Span::from(heading.range);
            self.found.anchors.extend(names.map(|name| (name, span)));
        }
        if self.with_metadata && self.dialect.row().tabs != TabIds::None {
            let ids = tab_ids(self.source, &self.found.anchors, self.dialect.row().tabs);
            self.found.anchors.extend(ids);
        }
        if self.with_metadata && self.dialect.row().has_labels() {
            let labels = labels(self.source).flat_map(slug::ids_of_label);
            self.found.anchors.extend(labels.map(|id| (id, Span::default())));
        }
        if self.with_metadata && self.dialect.row().has_terms {
            self.terms();
        }
    }

    /// Adds the anchors of terms of definition lists that the authority does not see, as after a shortcode: lines before
    /// one that begins with a colon.
    fn terms(&mut self) {
        let names = self.found.anchors.iter().map(|(name, _)| name.clone());
        let mut taken: HashSet<String> = names.collect();
        let mut term: Option<Line<'_>> = None;
        for line in lines(self.source, 0) {
            if line.text.starts_with(": ")
                && let Some(term) = term.take()
            {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
                let name: String = term.text.chars().filter(kept).collect();
                let name = name.trim().to_lowercase().replace(' ', "-");
                let span = Span::from(term.range());
                let is_taken = !taken.insert(name.clone());
                let second = is_taken.then(|| (format!("{name}-1"), span));
                self.found.anchors.extend(second);
                self.found.anchors.push((name, span));
            }
            term = Some(line).filter(|line| !line.text.trim().is_empty());
        }
    }

    /// Adds the URL of a link or image with the bytes `range`.
    fn end(&mut self, open: &Open, range: Range<usize>) {
        // Of a link in the text of an image, only the text is left in the page.
        if self.open_images > 0 {
            return;
        }
        match open.kind {
            LinkType::Inline => {
                let rest = self.source.get(range.end..).unwrap_or_default();
                let is_raw = self.dialect.row().has_raw_attribute(rest);
                let range = open.text_end..range.end;
                let found = self.destination(range, "](", &open.destination);
                if let Some((span, form)) = found {
                    self.push(span, form, if is_raw { &rows::RAW_LINK } else { open.row });
                }
            }
            LinkType::Autolink => {
                let span = Span::from(range.start + 1..range.end - 1);
                self.push(span, DestinationForm::Autolink, &rows::AUTOLINK);
            }
            // The URL is in the definition, or is a mail address.
            _ => {}
        }
    }

    /// The URL after a `separator` in `range`, whose decoded text is `expected`.
    fn destination(
        &self,
        range: Range<usize>,
        separator: &str,
        expected: &str,
    ) -> Option<(Span, DestinationForm)> {
        let mut separators = self.prepared.get(range.clone())?.match_indices(separator);
        separators
            .find_map(|(at, found)| self.destination_at(range.start + at + found.len(), expected))
    }

    /// The destination after white space from byte `from` on, if it is `expected`.
    fn destination_at(&self, from: usize, expected: &str) -> Option<(Span, DestinationForm)> {
        let rest = self.prepared.as_bytes().get(from..)?;
        let start = from + white_space(rest);
        let (span, form) = destination::at_start(self.prepared.as_bytes().get(start..)?)?;
        let span = span.shifted(start);
        let decoded = destination::decode(span.of(self.prepared.as_bytes()), form);
        let is_expected = decoded.as_str() == expected.replace('\\', destination::BACKSLASH);
        is_expected.then_some((span, form))
    }

    /// Adds the URL of a definition. `may_count`: no other one hides it.
    fn definition(&mut self, definition: Definition, may_count: bool) {
        let Definition { label, span, destination } = &definition;
        let (label, expected) = (&**label, &**destination);
        // Some authors write comments as `[//]: # (comment)`.
        let is_comment = matches!(expected, "" | "#");
        if self.with_metadata && !is_comment && !self.used.contains(&folded(label)) {
            self.found.unused.push(Span::from(span.clone()));
        }
        let found = self.destination(span.clone(), "]:", expected);
        if let Some((span, form)) = found {
            let form = match form {
                DestinationForm::Plain => DestinationForm::Definition,
                form => form,
            };
            // No page has a link to it.
            let is_used = !self.with_metadata || may_count && self.used.contains(&folded(label));
            self.push(span, form, if is_used { &rows::DEFINITION } else { &rows::UNUSED });
        }
    }

    /// Adds a URL of the prepared text, unless it is only a word that stands for a shortcode.
    fn push(&mut self, span: Span, form: DestinationForm, row: &'static MarkdownRow) {
        let is_in = |range: &Range<usize>| range.start < span.end && range.end > span.start;
        if span.of_str(self.source) == span.of_str(self.prepared) {
            self.found.values.push(MarkdownValue { span, form, row });
        } else if self.unknown.iter().any(is_in) && !self.words.iter().any(is_in) {
            let form = DestinationForm::Verbatim;
            self.found.values.push(MarkdownValue { span, form, row });
        }
    }

    /// Finds the URLs in the run of text that ends here.
    fn end_text(&mut self) {
        let range = std::mem::replace(&mut self.text, 0..0);
        if self.dialect.row().has_python_links() {
            self.python_links(range.clone());
        }
        if !self.dialect.row().bare_urls || !self.open.is_empty() {
            return;
        }
        let text = self.prepared.get(range.clone()).unwrap_or_default();
        let before = self.prepared.get(..range.start);
        let before = before.and_then(|it| it.chars().next_back());
        for span in autolink::urls(text, before) {
            self.push(span.shifted(range.start), DestinationForm::Bare, &rows::BARE);
        }
    }

    /// Adds the links that Python-Markdown reads in the running text `range`.
    fn python_links(&mut self, range: Range<usize>) {
        let prepared = self.prepared;
        for (destination, is_image) in python_links::spaced(prepared, range.clone()) {
            let row = if is_image { &rows::IMAGE } else { &rows::LINK };
            self.push(Span::from(destination), DestinationForm::Verbatim, row);
        }
        let line = prepared.get(range.clone()).filter(|_| self.continues_block);
        if let Some((label, url)) = line.and_then(python_links::definition) {
            self.hidden.insert(folded(label));
            let url = Span::from(url).shifted(range.start);
            self.push(url, DestinationForm::Definition, &rows::DEFINITION);
        }
    }

    /// Adds a piece of HTML.
    fn html(&mut self, range: Range<usize>) {
        let source = self.bytes;
        let blank = || {
            let keep = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
            source.iter().map(keep).collect()
        };
        let html: &mut Vec<u8> = self.found.html.get_or_insert_with(blank);
        if let (Some(into), Some(from)) = (html.get_mut(range.clone()), source.get(range)) {
            into.copy_from_slice(from);
        }
    }

    /// Blanks the parts of the HTML that the prepared text has blanked: other blocks, which an unclosed comment in the HTML
    /// would enclose. Replaces each of `words` by letters, so that the HTML has a word in its place, too.
    fn blank_html(&mut self, mut words: Vec<Range<usize>>) {
        let Some(html) = &mut self.found.html else { return };
        words.sort_unstable_by_key(|word| word.start);
        let source = self.source.as_bytes();
        // Markup is not a word: HTML and source differ where it begins.
        words.retain(|word| html.get(word.start) == source.get(word.start));
        let mut unknown = self.unknown.to_vec();
        unknown.retain(|word| html.get(word.start) == source.get(word.start));
        let bytes = source.iter().zip(self.prepared.bytes());
        for (into, (source, prepared)) in html.iter_mut().zip(bytes) {
            if *source != prepared && *into != b'\n' {
                *into = b' ';
            }
        }
        for word in &words {
            if let Some(into) = html.get_mut(word.clone()) {
                into.fill(b'x');
            }
        }
        for word in unknown {
            if let (Some(into), Some(from)) = (html.get_mut(word.clone()), source.get(word)) {
                into.copy_from_slice(from);
            }
        }
        self.found.words = words.into_iter().map(Span::from).collect();
    }
}

/// The number of bytes at the start of `rest` that separate a label from its destination: white space, and after a
/// line end what continues a block quote.
fn white_space(rest: &[u8]) -> usize {
    let mut after_line_end = false;
    let separates = |byte: &&u8| {
        after_line_end |= matches!(byte, b'\n' | b'\r');
        matches!(byte, b' ' | b'\t' | b'\n' | b'\r') || **byte == b'>' && after_line_end
    };
    rest.iter().take_while(separates).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::DIALECTS;

    fn found(source: &str, dialect: MarkdownDialect) -> Vec<(&str, &'static str)> {
        let mut found = find(source.as_bytes(), source, dialect, true).values;
        found.sort_by_key(|value| value.span);
        let values = found.into_iter();
        values.map(|it| (it.span.of_str(source), it.row.name)).collect()
    }

    #[test]
    fn destinations_are_found_where_they_stand() {
        for (source, expected) in [
            ("[a](b)", &[("b", "link")][..]),
            ("[a]( <b c> 'title')", &[("b c", "link")]),
            ("![a](b) ![](c)", &[("b", "image"), ("c", "image")]),
            ("[![a](b)](c)", &[("b", "image"), ("c", "link")]),
            ("[a\\](b](c)", &[("c", "link")]),
            ("[`](x)`](c)", &[("c", "link")]),
            ("[a](b\\)c)", &[("b\\)c", "link")]),
            ("[a]()", &[("", "link")]),
            ("> [a](\n> b)", &[("b", "link")]),
            ("[a][b]\n\n[b]: <c d>\n  'e'", &[("c d", "link definition")]),
            ("[a\\]:b]: c", &[("c", "link definition")]),
            (
                "[a]\n\n[a]: b\n\nx\n\n> [A]: c\n\n[a]: d",
                &[("b", "link definition"), ("c", "link definition"), ("d", "link definition")],
            ),
            ("<https://a.b/c>", &[("https://a.b/c", "autolink")]),
            ("<a@b.c> https://a.b/", &[]),
            ("| a |\n|---|\n| [x](y\\|z) |", &[("y\\|z", "link")]),
            ("`[a](b)`\n\n    [c](d)\n", &[]),
        ] {
            assert_eq!(found(source, MarkdownDialect::PLAIN), expected, "{source}");
        }
        assert_eq!(
            found("see https://a.b/c_d_e.", MarkdownDialect::GITHUB),
            [("https://a.b/c_d_e", "URL in text")]
        );
    }

    #[test]
    fn no_dialect_has_links_in_code() {
        for code in [
            "```\nhttp://a.b/c [a](b.md) <a href=c>\n```",
            "~~~ sh\ncurl http://a:1/b \"https://a.b/\"\n\n![a](b.png)\n~~~",
            "- a\n\n  ```\n  <http://a.b>\n  http://a.b\n  ```",
            "> ```\n> http://a.b",
            "`http://a.b` ``<http://a.b> [a](b.md)``",
        ] {
            for dialect in DIALECTS {
                assert_eq!(found(code, *dialect), [], "{dialect:?}: {code}");
            }
        }
    }

    #[test]
    fn html_is_everything_but_markdown() {
        let source = "a <b id=c>[d](e)</b>\n\n<p>\nx\n</p>\n\ny";
        let found = find(source.as_bytes(), source, MarkdownDialect::PLAIN, false);
        let html = String::from_utf8(found.html.unwrap()).unwrap();
        assert_eq!(html, "  <b id=c>      </b>\n\n<p>\nx\n</p>\n\n ");
        assert_eq!(find(b"a", "a", MarkdownDialect::PLAIN, false).html, None);
    }

    #[test]
    fn all_definitions_of_a_label_are_found() {
        for (source, expected) in [
            ("[a]: 1\n[A]: 2\n[b]: 3\n\n[a]: 4\n", &["1", "2", "3", "4"][..]),
            ("[ẞ]: 1\n[ss]: 2\n[a  b]: 3\n[a\n b]: 4\n", &["1", "2", "3", "4"]),
            ("[a\\]]: 1\n> [a\\]]: 2\n", &["1", "2"]),
            ("[a]: 1\n\n    [a]: 2\n\n`[a]: 3`\n", &["1"]),
            ("[a]: 1\n\nx [a]: 2\n", &["1"]),
            ("- [a]: 1\n- [a]: 2\n[b]: 3\n", &["1", "2", "3"]),
        ] {
            let found = find(source.as_bytes(), source, MarkdownDialect::PLAIN, false);
            let values = found.values.iter();
            let mut values: Vec<&str> = values.map(|it| it.span.of_str(source)).collect();
            values.sort_unstable();
            assert_eq!(values, expected, "{source}");
        }
        // In linear time.
        let source = format!("[a]: 1\n{}", "x]:".repeat(100_000));
        find(source.as_bytes(), &source, MarkdownDialect::PLAIN, false);
        let source = "[a]: b\n".repeat(10_000);
        let found = find(source.as_bytes(), &source, MarkdownDialect::PLAIN, true);
        assert_eq!(found.values.len(), 10_000);
        assert_eq!(found.unused.len(), 10_000);
    }

    #[test]
    fn labels_without_definitions_and_definitions_without_links() {
        let source = "[a][b] [c][] [d] [e][F] x[0][1] [t][u]\n\n[f]: g\n[h]: i\n[//]: # (comment)\n\n[u]: {{ v }}\n";
        let found = find(source.as_bytes(), source, MarkdownDialect::PLAIN, true);
        let texts = |spans: &[Span]| -> Vec<String> {
            spans.iter().map(|it| it.of_str(source).to_owned()).collect()
        };
        assert_eq!(texts(&found.undefined), ["[a][b]", "[c]"]);
        assert_eq!(texts(&found.unused), ["[h]: i"]);
    }
}
