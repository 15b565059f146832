//! Reads the headings of a document from its events, and gives one after the other its anchors.
//!
//! The events are those of pulldown-cmark without `ENABLE_HEADING_ATTRIBUTES` and `ENABLE_SMART_PUNCTUATION`:
//! attributes and dashes are read here, as the generator reads them.

pub(in crate::markdown) mod attributes;
mod heading;
mod html;
pub(in crate::markdown) mod hugo;
mod linkify;
mod myst;
mod style;
#[cfg(test)]
mod tests;
pub(in crate::markdown) mod text;
pub(in crate::markdown) mod vitepress;

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use rustc_hash::FxHashMap;

use super::Ids;
use heading::Heading;
pub use heading::Spanned;
use html::HtmlHeadings;
pub use style::Style;
pub(crate) use style::{Empty, Reserve};

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
    /// The events of the heading that is being read.
    kept: Vec<Spanned<'e>>,
    /// The headings that were read, where their anchors depend on later headings.
    waiting: Vec<Vec<Spanned<'e>>>,
    anchors: Vec<HeadingAnchors>,
    ids: Ids,
    html: HtmlHeadings,
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
    /// Returns a reader for `source`.
    pub fn new(source: &'s str, style: &'static Style) -> Self {
        Self {
            source,
            style,
            kept: Vec::new(),
            waiting: Vec::new(),
            anchors: Vec::new(),
            ids: Ids::default(),
            html: HtmlHeadings::default(),
            slugs: Ids::default(),
            heading_slugs: Vec::new(),
            footnotes: FxHashMap::default(),
            label_ids: Vec::new(),
            starts_item: false,
        }
    }

    /// Reads the next event, whose bytes in the source are `range`.
    pub fn read(&mut self, event: Event<'e>, range: Range<usize>) {
        let first = self.kept.first().map_or(&event, |(first, _)| first);
        let Some(is_end) = end_of_heading(first, self.style) else {
            if self.style.html {
                self.html_headings(&event, &range);
            }
            return self.meet(&(event, range));
        };
        let is_text = !matches!(event, Event::Start(_) | Event::End(_));
        if is_text && self.kept.len() >= MOST_EVENTS {
            return;
        }
        let is_last = is_end(&event);
        self.kept.push((event, range));
        if is_last {
            let events = std::mem::take(&mut self.kept);
            if self.style.reserve == Reserve::Ahead {
                self.reserve_explicit(&events);
                self.waiting.push(events);
            } else {
                self.heading(&events);
            }
        }
    }

    /// Returns the anchors of the headings, in order, once all events are read.
    pub fn finish(mut self) -> Vec<HeadingAnchors> {
        for events in std::mem::take(&mut self.waiting) {
            self.heading(&events);
        }
        self.add_slugs();
        self.anchors
    }

    /// Takes the id that the author chose, for generators that know it before they number.
    fn reserve_explicit(&mut self, events: &[Spanned<'_>]) {
        let footnotes = FxHashMap::default();
        if let Some(mut heading) = Heading::new(self.source, events, &footnotes)
            && let Some(id) = (self.style.explicit)(&mut heading)
        {
            self.ids.reserve(&id);
        }
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

    /// Adds the anchors of a heading: `events` are those from its `Start` to its `End`.
    fn heading(&mut self, events: &[Spanned<'_>]) {
        let starts_item = self.starts_item;
        events.iter().for_each(|spanned| self.meet(spanned));
        let footnotes = std::mem::take(&mut self.footnotes);
        if let Some(heading) = Heading::new(self.source, events, &footnotes) {
            let anchors = if self.style.myst {
                self.myst_anchors(heading)
            } else {
                self.plain_anchors(heading, starts_item)
            };
            self.anchors.push(anchors);
        }
        self.footnotes = footnotes;
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

    /// Adds the anchors of headings in HTML. Indentation and line ends of the HTML are spaces in the text, or trimmed.
    fn html_headings(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let mut html = std::mem::take(&mut self.html);
        html.read(self.source, event, range, |range, text| {
            let slug = (self.style.slug)(&text);
            let trimmed = (self.style.slug)(text.trim());
            let whole = self.ids.take(slug.clone(), self.style.numbering);
            let trimmed = (trimmed != slug).then(|| self.ids.take(trimmed, self.style.numbering));
            let ids = [Some(whole), trimmed].into_iter().flatten().filter(|id| !id.is_empty());
            self.anchors.push(HeadingAnchors { range, ids: ids.collect(), names: Vec::new() });
        });
        self.html = html;
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

/// Returns true if an event ends the heading that `event` starts; `None` if it starts none.
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
