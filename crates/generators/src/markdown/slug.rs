//! The anchors that generators give headings.
//!
//! Each generator has an algorithm of its own: what of a heading is text, which characters of it stay, how an anchor
//! that is taken gets a number, how the author chooses one. The table in `style` has a row for each; the algorithms are
//! written after the generators' sources, and compared with what the generators write.
//!
//! The events are those of pulldown-cmark without `ENABLE_HEADING_ATTRIBUTES` and `ENABLE_SMART_PUNCTUATION`:
//! attributes and dashes are read here, as the generator reads them.

pub(super) mod algorithm;
mod attributes;
mod emoji;
mod heading;
mod hugo;
mod linkify;
mod myst;
mod style;
#[cfg(test)]
mod tests;

mod text;
pub(super) mod unicode;
mod unique;
mod vitepress;

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use rustc_hash::FxHashMap;

use heading::Heading;
pub use heading::Spanned;
pub use style::{
    DOCUSAURUS, GITHUB, HUGO, KRAMDOWN_GFM, MDBOOK, MYST, PYTHON_MARKDOWN, Style, VITEPRESS,
};
use style::{Empty, Reserve};
use unique::{Ids, Numbering};

/// The anchors of a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingAnchors {
    /// The heading in the source.
    pub range: Range<usize>,
    /// The ids in the HTML, the generator's own link to the heading first. None if no fragment leads to the heading.
    pub ids: Vec<String>,
    /// Further names that links in Markdown reach the heading by, and the generator replaces: labels of MyST.
    pub names: Vec<String>,
}

/// The number of events after which the text of a heading no longer counts: far more than an author writes.
const MOST_EVENTS: usize = 100_000;

/// Reads the anchors of the headings of a document from its events, and gives one heading after the other its own.
pub struct AnchorReader<'s, 'e> {
    source: &'s str,
    style: &'static Style,
    /// The events of the heading that is being read; all events, where an anchor depends on later headings.
    kept: Vec<Spanned<'e>>,
    anchors: Vec<HeadingAnchors>,
    ids: Ids,
    /// The slugs of MyST-Parser, which are unique among themselves.
    slugs: Ids,
    /// The slug of each heading, if it has one.
    heading_slugs: Vec<Option<String>>,
    /// The numbers of the footnotes that were referred to so far.
    footnotes: FxHashMap<String, usize>,
    /// The ids of the labels so far.
    label_ids: Vec<String>,
    /// Whether the last event was the start of a list item.
    starts_item: bool,
}

impl<'s, 'e> AnchorReader<'s, 'e> {
    /// A reader for `source`.
    pub fn new(source: &'s str, style: &'static Style) -> Self {
        Self {
            source,
            style,
            kept: Vec::new(),
            anchors: Vec::new(),
            ids: Ids::default(),
            slugs: Ids::default(),
            heading_slugs: Vec::new(),
            footnotes: FxHashMap::default(),
            label_ids: Vec::new(),
            starts_item: false,
        }
    }

    /// Reads the next event, whose bytes in the source are `range`.
    pub fn read(&mut self, event: Event<'e>, range: Range<usize>) {
        let is_text = !matches!(event, Event::Start(_) | Event::End(_));
        let keeps_all = self.style.reserve == Reserve::Ahead;
        if is_text && self.kept.len() >= MOST_EVENTS && !keeps_all {
            return;
        }
        self.kept.push((event, range));
        if keeps_all {
            return;
        }
        let is_heading = self.kept.first().and_then(|(it, _)| end_of_heading(it, self.style));
        let is_read = match (is_heading, self.kept.last()) {
            (Some(is_end), Some((last, _))) => is_end(last),
            _ => true,
        };
        if is_read {
            self.take_kept();
        }
    }

    fn take_kept(&mut self) {
        let mut kept = std::mem::take(&mut self.kept);
        let mut index = 0;
        while let Some(spanned) = kept.get(index) {
            if let Some(length) = heading_length(&kept[index..], self.style) {
                let anchors = self.anchors(&kept[index..index + length]);
                self.anchors.extend(anchors);
                index += length;
                continue;
            }
            self.meet(spanned);
            index += 1;
        }
        kept.clear();
        self.kept = kept;
    }

    /// The anchors of the headings, in order, once all events are read.
    pub fn finish(mut self) -> Vec<HeadingAnchors> {
        if self.style.reserve == Reserve::Ahead {
            let footnotes = FxHashMap::default();
            // The generator knows the ids that authors chose before it numbers.
            for events in headings(&self.kept, self.style) {
                if let Some(mut heading) = Heading::new(self.source, events, &footnotes)
                    && let Some(id) = (self.style.explicit)(&mut heading)
                {
                    self.ids.reserve(&id);
                }
            }
        }
        self.take_kept();
        self.add_slugs();
        self.anchors
    }

    /// Notes an event that the anchors of a later heading may depend on.
    fn meet(&mut self, (event, range): &Spanned<'_>) {
        self.starts_item = matches!(event, Event::Start(Tag::Item));
        if let Event::FootnoteReference(name) = event {
            let number = self.footnotes.len() + 1;
            self.footnotes.entry(name.to_string()).or_insert(number);
        }
        if self.style.myst {
            self.meet_myst(event, self.source.get(range.clone()).unwrap_or_default());
        }
    }

    /// The anchors of a heading: `events` are those from its `Start` to its `End`. `None` if they are not a heading's.
    fn anchors(&mut self, events: &[Spanned<'_>]) -> Option<HeadingAnchors> {
        let starts_item = self.starts_item;
        events.iter().for_each(|spanned| self.meet(spanned));
        let footnotes = std::mem::take(&mut self.footnotes);
        let heading = Heading::new(self.source, events, &footnotes);
        let anchors = heading.map(|heading| {
            if self.style.myst {
                self.myst_anchors(heading)
            } else {
                self.plain_anchors(heading, starts_item)
            }
        });
        self.footnotes = footnotes;
        anchors
    }

    fn plain_anchors(&mut self, mut heading: Heading<'_>, starts_item: bool) -> HeadingAnchors {
        let range = heading.range.clone();
        let explicit = (self.style.explicit)(&mut heading);
        let (own, of_item) = if starts_item && self.style.item_attributes {
            (None, explicit)
        } else {
            (explicit, None)
        };
        if let Some(id) = own.as_ref().filter(|_| self.style.reserve == Reserve::InOrder) {
            self.ids.reserve(id);
        }
        let own = own.or_else(|| self.automatic(&heading));
        let is_unlinked = heading.level == Some(HeadingLevel::H1) && !self.style.first_level;
        let own = own.filter(|id| !id.is_empty() && !is_unlinked);
        HeadingAnchors { range, ids: own.into_iter().chain(of_item).collect(), names: Vec::new() }
    }

    /// The id that the generator makes of the text.
    fn automatic(&mut self, heading: &Heading<'_>) -> Option<String> {
        let text = (self.style.text)(heading);
        let slug = (self.style.slug)(&text);
        let is_missing = slug.is_empty()
            && match self.style.empty {
                Empty::Counted => false,
                Empty::None => true,
                Empty::CountedWithSource => heading.raw().is_empty(),
            };
        (!is_missing).then(|| self.ids.take(slug, self.style.numbering))
    }
}

/// The events of each heading.
fn headings<'e, 'a>(
    events: &'e [Spanned<'a>],
    style: &'static Style,
) -> impl Iterator<Item = &'e [Spanned<'a>]> {
    (0..events.len()).filter_map(move |index| {
        let length = heading_length(&events[index..], style)?;
        events.get(index..index + length)
    })
}

/// Whether an event ends the heading that `event` starts; `None` if it starts none.
fn end_of_heading(event: &Event<'_>, style: &Style) -> Option<fn(&Event<'_>) -> bool> {
    match event {
        Event::Start(Tag::Heading { .. }) => {
            Some(|event| matches!(event, Event::End(TagEnd::Heading(_))))
        }
        Event::Start(Tag::DefinitionListTitle) if style.terms => {
            Some(|event| matches!(event, Event::End(TagEnd::DefinitionListTitle)))
        }
        _ => None,
    }
}

/// The number of events of the heading that `events` start with.
fn heading_length(events: &[Spanned<'_>], style: &Style) -> Option<usize> {
    let is_end = end_of_heading(&events.first()?.0, style)?;
    let end = events.iter().position(|(event, _)| is_end(event))?;
    Some(end + 1)
}
