//! SVG and MathML, and HTML in them (HTML Standard section 13.2.6.5).
//!
//! Here every open element is remembered, and HTML only taken where each end tag closes the latest
//! element and no tag closes another by the way.

use super::modes::{Made, Open, is_for_head};
use super::tags::{BREAKOUT_ATTRIBUTES, Kind, Point};
use super::{DeclineReason, Scanner, Tag, names};
use crate::document::html::attributes::Namespace;

impl Scanner<'_> {
    /// Whether the current node is SVG or MathML.
    pub(super) fn is_foreign(&self) -> bool {
        matches!(self.stack.last(), Some(Open::Foreign { .. }))
    }

    fn pop_foreign(&mut self, down_to: usize) {
        self.foreign -= self.stack.len() - down_to;
        self.stack.truncate(down_to);
    }

    fn push_foreign(&mut self, open: Open) -> Result<(), DeclineReason> {
        self.push(open)?;
        self.foreign += 1;
        Ok(())
    }

    /// A start tag that makes an element of SVG or MathML.
    pub(super) fn open_foreign(
        &mut self,
        tag: &Tag<'_>,
        namespace: Namespace,
    ) -> Result<Made, DeclineReason> {
        if names::is_odd(self.name(tag.name)) {
            return Err(DeclineReason::OddName);
        }
        if !tag.end.is_self_closing {
            if namespace == Namespace::MathMl && tag.known.mathml == "annotation-xml" {
                return Err(DeclineReason::AnnotationXml);
            }
            self.push_foreign(Open::Foreign {
                namespace,
                name: tag.name,
                point: tag.known.point_in(namespace),
            })?;
        }
        Ok(Made::Foreign(namespace))
    }

    /// A start tag while SVG or MathML is open.
    pub(super) fn foreign_start(&mut self, tag: &Tag<'_>) -> Result<Made, DeclineReason> {
        let Some(Open::Foreign {
            namespace, point, ..
        }) = self.stack.last().copied()
        else {
            return self.html_in_foreign_start(tag);
        };
        match point {
            Point::Html => self.html_in_foreign_start(tag),
            Point::MathMlText if !tag.known.is_mathml_anyway => self.html_in_foreign_start(tag),
            _ if self.breaks_out(tag) => {
                self.break_out();
                if self.foreign == 0 {
                    self.html_start(tag)
                } else {
                    self.html_in_foreign_start(tag)
                }
            }
            _ => self.open_foreign(tag, namespace),
        }
    }

    fn breaks_out(&self, tag: &Tag<'_>) -> bool {
        tag.known.breaks_out
            && (tag.known.html != "font"
                || BREAKOUT_ATTRIBUTES
                    .iter()
                    .any(|name| self.attribute(name).is_some()))
    }

    /// Closes SVG and MathML up to HTML, or what may have HTML in it.
    fn break_out(&mut self) {
        let closed = self.stack.iter().rev().take_while(|open| {
            matches!(
                open,
                Open::Foreign {
                    point: Point::None,
                    ..
                }
            )
        });
        self.pop_foreign(self.stack.len() - closed.count());
    }

    /// HTML in SVG or MathML.
    fn html_in_foreign_start(&mut self, tag: &Tag<'_>) -> Result<Made, DeclineReason> {
        let is_open = |names: &[&str]| {
            let open = self.stack.iter().rev();
            open.take_while(|open| matches!(open, Open::Foreign { .. } | Open::Html { .. }))
                .any(|open| matches!(open, Open::Html { number: Some(number), .. } if self.tags.names.name(*number).is_some_and(|name| names.contains(&name))))
        };
        let name = tag.known.html;
        match tag.known.kind {
            Kind::Foreign(namespace) => return self.open_foreign(tag, namespace),
            Kind::Void | Kind::Br | Kind::RawText if name != "xmp" => return Ok(Made::Html),
            kind if is_for_head(kind) => return Ok(Made::Html),
            Kind::Other if name != "ruby" => {}
            Kind::Block | Kind::P if !is_open(&["p"]) => {}
            Kind::Formatting if name != "a" || !is_open(&["a"]) => {}
            _ => return Err(DeclineReason::HtmlInForeign),
        }
        if names::is_odd(self.name(tag.name)) {
            return Err(DeclineReason::OddName);
        }
        self.push_foreign(Open::Html {
            name: tag.name,
            number: tag.number,
        })?;
        Ok(Made::Html)
    }

    /// An end tag while SVG or MathML is open.
    pub(super) fn foreign_end(&mut self, tag: &Tag<'_>) -> Result<(), DeclineReason> {
        let name = self.name(tag.name);
        if let Some(Open::Html { name: open, .. }) = self.stack.last() {
            if !self.name(*open).eq_ignore_ascii_case(name) {
                return Err(DeclineReason::HtmlInForeign);
            }
            self.pop_foreign(self.stack.len() - 1);
            return Ok(());
        }
        if matches!(tag.known.kind, Kind::Br | Kind::P) {
            self.break_out();
            if self.foreign > 0 {
                return Err(DeclineReason::HtmlInForeign);
            }
            self.html_end(tag.known.kind, tag);
            return Ok(());
        }
        let mut at = self.stack.len();
        while let Some(Open::Foreign { name: open, .. }) =
            at.checked_sub(1).and_then(|at| self.stack.get(at))
        {
            at -= 1;
            if self.name(*open).eq_ignore_ascii_case(name) {
                self.pop_foreign(at);
                return Ok(());
            }
        }
        Err(DeclineReason::EndTagInForeign)
    }
}
