//! Headings that are written as HTML.

use std::ops::Range;

use encoding_rs::UTF_8;
use pulldown_cmark::{Event, TagEnd};

use crate::Text;

/// Reads the headings in the HTML of a document from its events.
#[derive(Debug, Default)]
pub(super) struct HtmlHeadings {
    /// The HTML block that is being read.
    block: Option<Range<usize>>,
    /// The level of the heading that is open, its start, and its text so far.
    open: Option<(u8, usize, String)>,
    /// Whether a comment is open, which goes on in the next block.
    in_comment: bool,
}

impl HtmlHeadings {
    /// Reads the next event of `source`. Calls `found` with the bytes and the text of each heading that it ends.
    pub(super) fn read(
        &mut self,
        source: &str,
        event: &Event<'_>,
        range: &Range<usize>,
        found: impl FnMut(Range<usize>, String),
    ) {
        match event {
            Event::Html(_) => {
                let block = self.block.get_or_insert_with(|| range.clone());
                block.end = range.end;
            }
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(block) = self.block.take() {
                    self.html(source, block, found);
                }
            }
            Event::InlineHtml(_) => self.html(source, range.clone(), found),
            Event::Text(text) | Event::Code(text) => self.text(text),
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((.., content)) = &mut self.open {
            content.push_str(text);
        }
    }

    fn html(
        &mut self,
        source: &str,
        range: Range<usize>,
        mut found: impl FnMut(Range<usize>, String),
    ) {
        let mut at = range.start;
        while let Some(rest) = source.get(at..range.end).filter(|rest| !rest.is_empty()) {
            let end = if self.in_comment { rest.find("-->") } else { rest.find('<') };
            if !self.in_comment {
                let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                self.text(Text::decode(text.as_bytes(), UTF_8).as_str());
            }
            let Some(end) = end else { return };
            let rest = rest.get(end..).unwrap_or_default();
            if self.in_comment || rest.starts_with("<!--") {
                at += end + 3;
                self.in_comment = !self.in_comment;
                continue;
            }
            let length = rest.find('>').map_or(rest.len(), |it| it + 1);
            let start = at + end;
            at = start + length;
            let tag = rest.get(1..length).unwrap_or_default();
            let (is_end, name) = match tag.strip_prefix('/') {
                Some(name) => (true, name),
                None => (false, tag),
            };
            let level = match name.as_bytes() {
                [
                    b'h' | b'H',
                    level @ b'1'..=b'6',
                    b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r',
                    ..,
                ] => *level,
                _ => continue,
            };
            if !is_end {
                self.open = Some((level, start, String::new()));
            } else if let Some((_, start, text)) = self.open.take_if(|open| open.0 == level) {
                found(start..at, text);
            }
        }
    }
}
