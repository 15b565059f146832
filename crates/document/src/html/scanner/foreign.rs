//! SVG and MathML, and HTML in them (HTML Standard section 13.2.6.5).
//!
//! Here the scanner keeps every open element. It declines HTML in which an end tag closes another
//! element than the latest one, or in which a start tag closes an element.

use super::names;
use super::reasons::{DeclineReason, Scan};
use super::state::{Action, OpenElement, Scanner, Tag};
use super::tags::{BREAKOUT_ATTRIBUTES, IntegrationPoint, TagKind};
use crate::html::element::Namespace;

impl Scanner<'_> {
    /// Returns true if the current node is SVG or MathML.
    pub(super) fn is_foreign(&self) -> bool {
        matches!(self.stack.last(), Some(OpenElement::Foreign { .. }))
    }

    fn pop_foreign(&mut self, down_to: usize) {
        self.foreign -= self.stack.len() - down_to;
        self.stack.truncate(down_to);
    }

    fn push_foreign(&mut self, open: OpenElement) -> Scan<()> {
        self.push(open)?;
        self.foreign += 1;
        Ok(())
    }

    /// Inserts an element of SVG or MathML for a start tag.
    pub(super) fn open_foreign(&mut self, tag: &Tag<'_>, namespace: Namespace) -> Scan<Action> {
        if names::is_odd(self.bytes(tag.name)) {
            return Err(DeclineReason::OddName);
        }
        if !tag.end.is_self_closing {
            if namespace == Namespace::MathMl && tag.info.name == "annotation-xml" {
                return Err(DeclineReason::AnnotationXml);
            }
            self.push_foreign(OpenElement::Foreign {
                namespace,
                name: tag.name,
                point: tag.info.point_in(namespace),
            })?;
        }
        Ok(Action::Insert(namespace))
    }

    /// Processes a start tag while SVG or MathML is open.
    pub(super) fn foreign_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        if let Some(OpenElement::Foreign { namespace, point, .. }) = self.stack.last().copied()
            && (point == IntegrationPoint::None
                || point == IntegrationPoint::MathMlText && tag.info.stays_mathml)
        {
            if !self.breaks_out(tag) {
                return self.open_foreign(tag, namespace);
            }
            self.break_out();
            if self.foreign == 0 {
                return self.html_start(tag);
            }
        }
        self.html_in_foreign_start(tag)
    }

    fn breaks_out(&self, tag: &Tag<'_>) -> bool {
        let has = |name: &&str| self.attribute(name).is_some();
        tag.info.breaks_out && (tag.info.html_name != "font" || BREAKOUT_ATTRIBUTES.iter().any(has))
    }

    /// Closes SVG and MathML elements up to HTML or an integration point.
    fn break_out(&mut self) {
        let closed = self.stack.iter().rev().take_while(|open| {
            matches!(open, OpenElement::Foreign { point, .. } if *point == IntegrationPoint::None)
        });
        self.pop_foreign(self.stack.len() - closed.count());
    }

    /// Processes a start tag of HTML in SVG or MathML.
    fn html_in_foreign_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        let is_open = |name: &str| {
            let wanted = self.tag_table.names.number(name);
            let mut foreign = self.stack.iter().rev().take(self.foreign);
            foreign
                .any(|open| matches!(open, OpenElement::Html { number, .. } if *number == wanted))
        };
        let name = tag.info.html_name;
        match tag.info.kind {
            TagKind::Foreign(namespace) => return self.open_foreign(tag, namespace),
            TagKind::Void | TagKind::Br | TagKind::RawText if name != "xmp" => {
                return Ok(Action::INSERT_HTML);
            }
            kind if kind.is_for_head() => return Ok(Action::INSERT_HTML),
            TagKind::Other if name != "ruby" => {}
            TagKind::Block | TagKind::P if !is_open("p") => {}
            TagKind::Formatting if name != "a" || !is_open("a") => {}
            _ => return Err(DeclineReason::HtmlInForeign),
        }
        self.push_foreign(OpenElement::Html { name: tag.name, number: tag.number })?;
        Ok(Action::INSERT_HTML)
    }

    /// Processes an end tag while SVG or MathML is open.
    pub(super) fn foreign_end(&mut self, tag: &Tag<'_>) -> Scan<()> {
        let name = self.bytes(tag.name);
        if let Some(OpenElement::Html { name: open, .. }) = self.stack.last() {
            if !self.bytes(*open).eq_ignore_ascii_case(name) {
                return Err(DeclineReason::HtmlInForeign);
            }
            self.pop_foreign(self.stack.len() - 1);
            return Ok(());
        }
        if matches!(tag.info.kind, TagKind::Br | TagKind::P) {
            self.break_out();
            if self.foreign > 0 {
                return Err(DeclineReason::HtmlInForeign);
            }
            self.html_end(tag.info.kind, tag);
            return Ok(());
        }
        let mut at = self.stack.len();
        while let Some(OpenElement::Foreign { name: open, .. }) =
            at.checked_sub(1).and_then(|at| self.stack.get(at))
        {
            at -= 1;
            if self.bytes(*open).eq_ignore_ascii_case(name) {
                self.pop_foreign(at);
                return Ok(());
            }
        }
        Err(DeclineReason::EndTagInForeign)
    }
}
