//! MyST-Parser with Sphinx: an id of docutils, the labels above a heading, and the slug of its text.

use pulldown_cmark::{Event, Tag};

use super::heading::Heading;
use super::{AnchorReader, HeadingAnchors, attributes, text};
use crate::markdown::slug::{Numbering, algorithm};

impl<'a> Heading<'a> {
    /// Takes the labels of MyST off that the heading starts with.
    fn skip_labels(&mut self) -> Vec<&'a str> {
        let mut labels = Vec::new();
        while let Some((line, _)) = self.raw().split_once('\n')
            && let Some(label) = attributes::myst_label(line)
        {
            labels.push(label);
            self.content.start += line.len() + 1;
        }
        let start = self.content.start;
        self.events.retain(|(_, range)| range.end > start);
        let breaks = self.events.iter();
        let breaks = breaks.take_while(|(event, _)| matches!(event, Event::SoftBreak));
        self.events.drain(..breaks.count());
        labels.reverse();
        labels
    }
}

impl AnchorReader<'_, '_> {
    /// Returns the anchors of a heading of MyST.
    pub(super) fn myst_anchors(&mut self, mut heading: Heading<'_>) -> HeadingAnchors {
        // A label right above an underlined heading is a paragraph of its own, which pulldown-cmark does not know.
        let inner = heading.skip_labels();
        for label in inner.iter().rev() {
            self.label(label);
        }
        let labels = inner.into_iter().chain(attributes::myst_labels(&heading));
        let mut names: Vec<String> = labels.map(str::to_owned).collect();
        let first = self.label_ids.len().saturating_sub(names.len());
        let mut label_ids = self.label_ids.split_off(first).into_iter().rev();
        let own = attributes::myst_id(&heading);
        names.extend(own.map(str::to_owned));
        let text = own.map_or_else(|| text::docutils(&heading), str::to_owned);
        let id = self.ids.take(algorithm::docutils(&text), Numbering::Anonymous);
        // A document may have a heading for each four bytes: room for these, and for the slug.
        let mut ids = Vec::with_capacity(label_ids.len() + 2);
        ids.extend(label_ids.next());
        ids.push(id);
        ids.extend(label_ids);
        // As if `myst_heading_anchors` had all levels.
        let slug = algorithm::myst(&text::myst(&heading));
        let has_slug = !slug.is_empty();
        self.heading_slugs.push(has_slug.then(|| self.slugs.take(slug, Numbering::UntilFree)));
        HeadingAnchors { range: heading.range, ids, names }
    }

    /// Notes the ids that something else than a heading takes.
    pub(super) fn meet_myst(&mut self, event: &Event<'_>, source: &str) {
        match event {
            Event::Start(Tag::Paragraph) => {
                for label in source.lines().map_while(attributes::myst_label) {
                    self.label(label);
                }
            }
            Event::FootnoteReference(_) => {
                self.ids.next_anonymous();
            }
            _ => (),
        }
    }

    fn label(&mut self, label: &str) {
        let id = algorithm::docutils(label);
        let id = self.ids.take(id, Numbering::Anonymous);
        self.label_ids.push(id);
    }

    /// Adds the slugs of headings: they become ids at last, if nothing else has them.
    pub(super) fn add_slugs(&mut self) {
        for (anchors, slug) in self.anchors.iter_mut().zip(std::mem::take(&mut self.heading_slugs))
        {
            let Some(slug) = slug else { continue };
            if !self.ids.contains(&slug) {
                self.ids.reserve(&slug);
                anchors.ids.push(slug.clone());
            }
            anchors.names.reserve_exact(1);
            anchors.names.push(slug);
        }
    }
}
