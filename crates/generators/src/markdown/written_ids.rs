//! The ids that no heading makes: those in attribute lists behind paragraphs, lists, images, words and fences, and
//! those of footnotes.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use rustc_hash::FxHashMap;

use super::slug::headings::attributes;
use rehref_url::Span;

/// A function that parses the attribute list at the start of a text, and returns its length and the id in it.
pub type ListReader = fn(&str) -> Option<(usize, Option<String>)>;

/// The rules by which a generator makes ids of elements other than headings.
#[derive(Clone, Copy, Debug)]
pub struct WrittenIds {
    pub list: ListReader,
    pub(super) places: ListPlaces,
    pub(super) footnotes: Option<Footnotes>,
}

/// The places where a generator reads attribute lists, besides those in headings.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListPlaces {
    /// True if there are some: the configuration may have to turn them on.
    pub(super) are_on: bool,
    /// The lines that have nothing but a list.
    lines: ListLines,
    /// Directly after a link, an image, emphasis, code or an icon.
    after_elements: bool,
    /// At the start of an item of a list.
    starts_item: bool,
    /// After the text of a paragraph or an item, in its last line.
    ends_block: bool,
    /// After the text of a cell of a table, or a term.
    ends_cell: bool,
}

/// The lines with nothing but an attribute list that a generator reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListLines {
    /// The last of a paragraph or an item, unless it is the only one.
    Last,
    /// All.
    All,
}

/// The patterns of the ids of footnotes: `{}` is the name or number of the footnote, `{n}` the number of the reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footnotes {
    definition: &'static str,
    reference: &'static str,
    /// That of further references, and the number of the first of these.
    further: (&'static str, usize),
    /// Whether footnotes are numbered, in the order of their references.
    is_numbered: bool,
    /// Whether a footnote that nothing refers to is in the page.
    has_unused: bool,
}

/// Generators without such ids.
pub(super) const NONE: WrittenIds = WrittenIds { list: |_| None, places: LISTS, footnotes: None };

const LISTS: ListPlaces = ListPlaces {
    are_on: true,
    lines: ListLines::Last,
    after_elements: true,
    starts_item: false,
    ends_block: false,
    ends_cell: false,
};

const FOOTNOTES: Footnotes = Footnotes {
    definition: "fn:{}",
    reference: "fnref:{}",
    further: ("fnref{n}:{}", 1),
    is_numbered: false,
    has_unused: false,
};

/// kramdown.
pub(super) const KRAMDOWN: WrittenIds = WrittenIds {
    list: attributes::kramdown_list,
    places: ListPlaces { lines: ListLines::All, starts_item: true, ..LISTS },
    footnotes: Some(Footnotes { further: ("fnref:{}:{n}", 1), ..FOOTNOTES }),
};

/// goldmark, as Hugo uses it.
pub(super) const GOLDMARK: WrittenIds = WrittenIds {
    list: attributes::goldmark_list,
    places: ListPlaces { are_on: false, lines: ListLines::All, after_elements: false, ..LISTS },
    footnotes: Some(Footnotes { is_numbered: true, ..FOOTNOTES }),
};

/// Python-Markdown with `attr_list` and `footnotes`.
pub(super) const ATTR_LIST: WrittenIds = WrittenIds {
    list: attributes::attr_list_at,
    places: ListPlaces { ends_cell: true, ..LISTS },
    footnotes: Some(Footnotes { further: ("fnref{n}:{}", 2), has_unused: true, ..FOOTNOTES }),
};

/// markdown-it-attrs, as VitePress uses it.
pub(super) const MARKDOWN_IT_ATTRS: WrittenIds = WrittenIds {
    list: attributes::markdown_it_at,
    places: ListPlaces { lines: ListLines::All, ends_block: true, ends_cell: true, ..LISTS },
    footnotes: None,
};

/// mdBook 0.5.
pub(super) const MDBOOK: WrittenIds = WrittenIds {
    footnotes: Some(Footnotes {
        definition: "footnote-{}",
        reference: "fr-{}-1",
        further: ("fr-{}-{n}", 2),
        ..FOOTNOTES
    }),
    ..NONE
};

/// The number of icons in a run of text after which lists no longer count: far more than an author writes.
const MOST_ICONS: usize = 100;

/// Reads the ids of a document from its events.
pub(super) struct WrittenIdReader<'s> {
    source: &'s str,
    style: &'static WrittenIds,
    ids: Vec<(String, Span)>,
    /// The run of text that is being read.
    text: Range<usize>,
    /// Where the last inline element ends.
    element_end: Option<usize>,
    /// Whether the run begins a line that is not the first of its block.
    begins_line: bool,
    begins_item: bool,
    /// Whether the text is code, or a heading, whose list [`super::slug`] reads.
    in_other: bool,
    /// The number of each footnote, and of its references so far.
    footnotes: FxHashMap<String, (usize, usize)>,
}

impl<'s> WrittenIdReader<'s> {
    /// Returns a reader for `source`.
    pub(super) fn new(source: &'s str, style: &'static WrittenIds) -> Self {
        WrittenIdReader {
            source,
            style,
            ids: Vec::new(),
            text: 0..0,
            element_end: None,
            begins_line: false,
            begins_item: false,
            in_other: false,
            footnotes: FxHashMap::default(),
        }
    }

    /// Returns the ids, each with the place that makes it.
    pub(super) fn finish(self) -> Vec<(String, Span)> {
        self.ids
    }

    /// Reads the next event.
    pub(super) fn read(&mut self, event: &Event<'_>, range: &Range<usize>) {
        if let Event::Text(_) = event {
            if self.text.is_empty() || self.text.end != range.start {
                self.end_text(event);
                self.text = range.clone();
            }
            self.text.end = range.end;
            return;
        }
        self.end_text(event);
        match event {
            Event::Start(Tag::Heading { .. }) => self.in_other = true,
            Event::Start(Tag::CodeBlock(kind)) => {
                self.in_other = true;
                if let CodeBlockKind::Fenced(info) = kind
                    && let Some(open) = info.find('{')
                {
                    self.add_list(info.get(open..), range);
                }
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Heading(_)) => self.in_other = false,
            Event::Start(Tag::FootnoteDefinition(name)) => self.define_footnote(name, range),
            Event::FootnoteReference(name) => self.refer_to_footnote(name, range),
            _ => {}
        }
        self.begins_line = matches!(event, Event::SoftBreak | Event::HardBreak);
        self.begins_item = matches!(event, Event::Start(Tag::Item));
        let is_inline = match event {
            Event::End(end) => matches!(
                end,
                TagEnd::Emphasis
                    | TagEnd::Strong
                    | TagEnd::Strikethrough
                    | TagEnd::Link
                    | TagEnd::Image
            ),
            _ => matches!(event, Event::Code(_)),
        };
        self.element_end = is_inline.then_some(range.end);
    }

    fn define_footnote(&mut self, name: &str, range: &Range<usize>) {
        if let Some(style) = self.style.footnotes.as_ref().filter(|it| it.has_unused) {
            self.add(Some(style.definition.replace("{}", name)), range);
        }
    }

    fn refer_to_footnote(&mut self, name: &str, range: &Range<usize>) {
        let Some(style) = &self.style.footnotes else { return };
        let next = self.footnotes.len() + 1;
        let (number, count) = self.footnotes.entry(name.to_owned()).or_insert((next, 0));
        let name = if style.is_numbered { &number.to_string() } else { name };
        let before = *count;
        *count += 1;
        if before > 0 {
            let (pattern, first) = style.further;
            let id = pattern.replace("{n}", &(before - 1 + first).to_string());
            return self.add(Some(id.replace("{}", name)), range);
        }
        self.add(Some(style.reference.replace("{}", name)), range);
        if !style.has_unused {
            self.add(Some(style.definition.replace("{}", name)), range);
        }
    }

    fn add(&mut self, id: Option<String>, range: &Range<usize>) {
        let id = id.filter(|id| !id.is_empty());
        self.ids.extend(id.map(|id| (id, Span::from(range.clone()))));
    }

    /// Adds the id in the list that `text` starts with.
    fn add_list(&mut self, text: Option<&str>, range: &Range<usize>) {
        let list = text.filter(|_| self.style.places.are_on).and_then(self.style.list);
        self.add(list.and_then(|(_, id)| id), range);
    }

    /// Reads the lists of the run of text before `next`.
    fn end_text(&mut self, next: &Event<'_>) {
        let range = std::mem::take(&mut self.text);
        let text = self.source.get(range.clone()).unwrap_or_default();
        if self.in_other || !self.style.places.are_on || !text.contains('{') {
            return;
        }
        let places = &self.style.places;
        let after_element = self.element_end == Some(range.start) && places.after_elements;
        if after_element || self.begins_item && places.starts_item {
            self.add_list(Some(text), &range);
        }
        if places.after_elements {
            // Icons are elements, too.
            let icons = text.match_indices(":{").map(|(at, _)| at + 1).take(MOST_ICONS);
            icons.for_each(|at| self.add_list(text.get(at..), &range));
        }
        let is_last = matches!(
            next,
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::DefinitionListDefinition)
                | Event::Start(Tag::List(_))
        );
        let is_end = |list: &&str| {
            let found = (self.style.list)(list);
            found.and_then(|(length, _)| list.get(length..)).is_some_and(|it| it.trim().is_empty())
        };
        let at_end = || {
            let open = text.rfind('{').filter(|open| *open > 0)?;
            text.get(..open)?.ends_with(' ').then(|| text.get(open..))?
        };
        let list = match next {
            Event::End(TagEnd::TableCell | TagEnd::DefinitionListTitle) if places.ends_cell => {
                at_end()
            }
            _ if is_last && places.ends_block => at_end(),
            _ => None,
        };
        let line = match places.lines {
            ListLines::Last => (self.begins_line && is_last).then(|| text.trim_start()),
            ListLines::All => self.is_line(&range).then(|| text.trim_start()),
        };
        let lists: Vec<&str> = [list, line].into_iter().flatten().filter(is_end).collect();
        lists.into_iter().for_each(|list| self.add_list(Some(list), &range));
    }

    /// Returns true if the line of the text `range` has nothing else, but for the markers of quotes.
    fn is_line(&self, range: &Range<usize>) -> bool {
        let before = self.source.get(..range.start).unwrap_or_default();
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = self.source.get(range.end..).unwrap_or_default();
        let is_end = after.is_empty() || after.starts_with(['\n', '\r']);
        is_end && before.trim_start_matches(['>', ' ', '\t']).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Options, Parser};

    const GOLDMARK_ON: WrittenIds =
        WrittenIds { places: ListPlaces { are_on: true, ..GOLDMARK.places }, ..GOLDMARK };

    fn ids(source: &str, style: &'static WrittenIds) -> Vec<String> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let mut ids = WrittenIdReader::new(source, style);
        for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
            ids.read(&event, &range);
        }
        ids.finish().into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn authors_give_ids_to_blocks_and_elements() {
        for (style, source, expected) in [
            (&ATTR_LIST, "a\n{: #b }", &["b"][..]),
            (&ATTR_LIST, "a\n{#b}\n", &["b"]),
            (&ATTR_LIST, "{#b}\n", &[]),
            (&ATTR_LIST, "a {#b}\n", &[]),
            (&ATTR_LIST, "*a*{#b} c **d**{: #e .f }", &["b", "e"]),
            (
                &ATTR_LIST,
                "`a`{#b} ![](c){ #d width=1 } [e](f){#g} [](){ #h }",
                &["b", "d", "g", "h"],
            ),
            (&ATTR_LIST, "*a* {#b}", &[]),
            (&ATTR_LIST, ":a-b:{ #c }", &["c"]),
            (&ATTR_LIST, "- a\n  {: #b }\n- c {: #d }\n- e\n  {#f}\n    - g\n", &["b", "f"]),
            (&ATTR_LIST, "> a\n{: #b }", &["b"]),
            (&ATTR_LIST, "| a {#b} | c |\n|---|---|\n| d {: #e } | f |\n", &["b", "e"]),
            (&ATTR_LIST, "``` { .py #a }\n{#b}\n```\n\n    {#c}\n", &["a"]),
            (&ATTR_LIST, "`{#a}` \\{#b}", &[]),
            (&ATTR_LIST, "a\n{: id=b c='#d' }", &["b"]),
            (&KRAMDOWN, "a\n{: #b}\n\n*c*{: #d .e}\n\n- f\n{: #g}\n", &["b", "d", "g"]),
            (&KRAMDOWN, "1. {:#a} b\n\n> c\n{: #d}\n\n```\ne\n```\n{: #f}\n", &["a", "d", "f"]),
            (&KRAMDOWN, "| a |\n|---|\n| b |\n{: #c}\n\n{:d: #e}\n", &["c", "e"]),
            (&KRAMDOWN, "a {#b} `{: #c}` \\{: #d}\n## e\n{: #f}\n", &["f"]),
            (&GOLDMARK_ON, "a\n{#b}\n\n- c\n{#d}\n\n> e\n{#f .g}\n", &["b", "d", "f"]),
            (&GOLDMARK_ON, "| a |\n|---|\n| b |\n{#c}\n\n```go {#d}\n```\n*e*{#f}\n", &["c", "d"]),
            (&MARKDOWN_IT_ATTRS, "a {#b}\n\n*c*{#d}\n\n- e\n{#f}\n", &["b", "d", "f"]),
        ] {
            assert_eq!(ids(source, style), expected, "{source}");
        }
        assert!(ids("a\n{#b}\n", &GOLDMARK).is_empty());
    }

    #[test]
    fn footnotes_have_ids() {
        let source = "a[^x] b[^y] c[^x]\n\n[^x]: d\n[^y]: e\n[^z]: f\n";
        for (style, expected) in [
            (&KRAMDOWN, &["fnref:x", "fn:x", "fnref:y", "fn:y", "fnref:x:1"][..]),
            (&GOLDMARK, &["fnref:1", "fn:1", "fnref:2", "fn:2", "fnref1:1"]),
            (&ATTR_LIST, &["fnref:x", "fnref:y", "fnref2:x", "fn:x", "fn:y", "fn:z"]),
            (&NONE, &[]),
        ] {
            assert_eq!(ids(source, style), expected);
        }
    }
}
