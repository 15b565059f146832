//! A heading as the generators' algorithms look at it.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Tag};
use rustc_hash::FxHashMap;

/// An event of the parser and its bytes in the source.
pub type Spanned<'a> = (Event<'a>, Range<usize>);

/// A heading, or a term of a definition list where the generator gives it an anchor.
pub(crate) struct Heading<'a> {
    /// The whole document.
    pub(super) source: &'a str,
    /// From the first `#`, or the first line of the text, to the end of the last line.
    pub(super) range: Range<usize>,
    /// `None` for a term.
    pub(super) level: Option<HeadingLevel>,
    /// The events between the start and the end of the heading.
    pub(super) events: Vec<Spanned<'a>>,
    /// The bytes of `events`: without the `#`s at both ends, or the underline.
    pub(super) content: Range<usize>,
    /// The numbers of the footnotes that were referred to so far.
    pub(super) footnotes: &'a FxHashMap<String, usize>,
}

/// An attribute list at the end of a heading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// Where it starts in the source.
    pub(super) start: usize,
    pub(super) id: Option<String>,
}

impl<'a> Heading<'a> {
    /// Of the events of a heading, from its `Start` to its `End`. `None` if they are those of anything else.
    pub(super) fn new(
        source: &'a str,
        events: &[Spanned<'a>],
        footnotes: &'a FxHashMap<String, usize>,
    ) -> Option<Self> {
        let ((start, range), rest) = events.split_first()?;
        let level = match start {
            Event::Start(Tag::Heading { level, .. }) => Some(*level),
            Event::Start(Tag::DefinitionListTitle) => None,
            _ => return None,
        };
        let inner = rest.split_last().map_or(rest, |(_, inner)| inner);
        let start = inner.first().map_or(range.end, |(_, range)| range.start);
        let end = inner.iter().map(|(_, range)| range.end).max();
        Some(Self {
            source,
            range: range.clone(),
            level,
            events: inner.to_vec(),
            content: start..end.unwrap_or(start).max(start),
            footnotes,
        })
    }

    /// Returns the source of `range`, which is that of an event.
    pub(super) fn source_of(&self, range: &Range<usize>) -> &'a str {
        self.source.get(range.clone()).unwrap_or_default()
    }

    /// Returns the content in the source.
    pub(super) fn raw(&self) -> &'a str {
        self.source_of(&self.content)
    }

    /// Returns the last line of the heading with the closing `#`s, which some generators take off only after they have
    /// looked for attributes; and where it starts.
    pub(super) fn last_line(&self) -> (&'a str, usize) {
        let is_atx = self.source_of(&self.range).starts_with('#');
        let end = if is_atx { self.range.end } else { self.content.end };
        let line = self.source_of(&(self.content.start..end)).trim_end();
        let start = line.rfind('\n').map_or(0, |newline| newline + 1);
        (&line[start..], self.content.start + start)
    }

    /// Returns true if the source says the text as it is: no escape and no entity.
    pub(super) fn is_literal(&self, (event, range): &Spanned<'a>) -> bool {
        matches!(event, Event::Text(text) if **text == *self.source_of(range))
    }

    /// Returns true if the text at `start` begins with a character that a backslash escapes.
    pub(super) fn is_escaped(&self, start: usize) -> bool {
        let before = self.source_of(&(self.range.start..start));
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    }

    /// Returns the literal text that the heading ends with, after the last character that is escaped; and where it
    /// starts.
    pub(super) fn tail(&self) -> (&'a str, usize) {
        let mut start = self.content.end;
        for spanned in self.events.iter().rev() {
            if spanned.1.end != start || !self.is_literal(spanned) {
                break;
            }
            start = spanned.1.start;
            if self.is_escaped(start) {
                let first = self.source_of(&(start..self.content.end)).chars().next();
                start += first.map_or(0, char::len_utf8);
                break;
            }
        }
        (self.source_of(&(start..self.content.end)), start)
    }

    /// Returns the source of the text that the heading ends with, with its escapes; and where it starts.
    pub(super) fn escaped_tail(&self) -> (&'a str, usize) {
        let mut start = self.content.end;
        for spanned in self.events.iter().rev() {
            let between = self.source_of(&(spanned.1.end..start));
            if !matches!(between, "" | "\\") || !self.is_literal(spanned) {
                break;
            }
            start = spanned.1.start;
        }
        start -= usize::from(self.is_escaped(start));
        (self.source_of(&(start..self.content.end)), start)
    }

    /// Returns true if code, an image or an element ends at `place`.
    pub(super) fn follows_element(&self, place: usize) -> bool {
        let ends = |(event, range): &Spanned<'_>| {
            range.end == place && matches!(event, Event::Code(_) | Event::End(_))
        };
        self.events.iter().any(ends)
    }

    /// Takes off the attribute list that `read` finds at the end; with `closing`, then the closing `#`s, too. Returns
    /// the id in it.
    pub(crate) fn take_list(
        &mut self,
        read: fn(&Heading<'_>) -> Option<Attributes>,
        closing: bool,
    ) -> Option<String> {
        let list = read(self)?;
        if closing {
            self.truncate_closing(list.start)
        } else {
            self.truncate(list.start)
        }
        list.id
    }

    /// Takes off all that stands at `end` and after it.
    fn truncate(&mut self, end: usize) {
        self.events.retain(|(_, range)| range.start < end);
        for (event, range) in &mut self.events {
            if range.end <= end {
                continue;
            }
            if let Event::Text(text) = event
                && let Some(kept) = text.get(..end - range.start)
            {
                *text = CowStr::from(kept.to_owned());
            }
            range.end = end;
        }
        self.content.end = self.content.end.min(end);
    }

    /// Takes off the white space and the closing `#`s that are left before an attribute list.
    fn truncate_closing(&mut self, end: usize) {
        let text = self.source_of(&(self.content.start..end)).trim_end();
        let open = text.trim_end_matches('#');
        let kept =
            if open.ends_with([' ', '\t']) || open.is_empty() { open.trim_end() } else { text };
        self.truncate(self.content.start + kept.len());
    }
}
