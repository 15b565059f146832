//! The insertion modes (HTML Standard section 13.2.6.4): which tags make elements.

use super::tags::{Kind, Point};
use super::{DeclineReason, Scanner, Tag, names};
use crate::document::Span;
use crate::document::html::attributes::Namespace;

/// An insertion mode. "Initial" is no other than "before html" here, "after body" and "after after
/// body" no other than "in body".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InTemplate,
    InColumnGroup,
    InBody,
    InTable,
    InTableBody,
    InRow,
    InCell,
    InCaption,
}

impl Mode {
    /// Whether text says nothing about what comes.
    pub(super) fn is_in_body(self) -> bool {
        self > Mode::AfterHead
    }

    /// Whether a tag that is none of those with rules of their own just makes an element.
    pub(super) fn is_settled(self) -> bool {
        self >= Mode::InBody
    }
}

/// An open element that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    Table,
    Caption,
    ColumnGroup,
    /// `tbody`, `tfoot` or `thead`, by the number of its name.
    Section(Option<usize>),
    Row,
    /// `td` or `th`, by the number of its name.
    Cell(Option<usize>),
    Template,
    Select,
    /// SVG or MathML.
    Foreign {
        namespace: Namespace,
        name: Span,
        point: Point,
    },
    /// HTML in SVG or MathML.
    Html {
        name: Span,
        number: Option<usize>,
    },
}

/// What a start tag makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Nothing,
    Html,
    Foreign(Namespace),
}

/// How many open elements are remembered: far more than any document has.
const DEPTH: usize = 512;

impl Scanner<'_> {
    /// The text from `start` to `end`, where it may be the first or make the body.
    pub(super) fn text(&mut self, start: usize, end: usize) -> Result<(), DeclineReason> {
        let text = self.source.get(start..end).unwrap_or_default();
        match text.iter().find(|&&byte| !names::is(byte, names::SPACE)) {
            None => Ok(()),
            Some(b'&' | 0) => Err(DeclineReason::TextBeforeBody),
            Some(_) => {
                self.is_before_head = false;
                if !self.mode.is_in_body() {
                    self.enter(Mode::InBody);
                }
                Ok(())
            }
        }
    }

    /// Goes on in a mode that is none of a template's or table's.
    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        if matches!(mode, Mode::AfterHead | Mode::InBody) {
            self.root = mode;
        }
    }

    pub(super) fn push(&mut self, open: Open) -> Result<(), DeclineReason> {
        if self.stack.len() >= DEPTH {
            return Err(DeclineReason::Depth);
        }
        self.stack.push(open);
        Ok(())
    }

    /// A start tag while no SVG or MathML is open.
    pub(super) fn html_start(&mut self, tag: &Tag<'_>) -> Result<Made, DeclineReason> {
        let kind = tag.known.kind;
        loop {
            match self.mode {
                Mode::BeforeHtml => {
                    self.enter(Mode::BeforeHead);
                    if kind == Kind::Html {
                        return Ok(Made::Html);
                    }
                }
                Mode::BeforeHead => match kind {
                    Kind::Html => return Scanner::merged(tag),
                    Kind::Head => {
                        self.enter(Mode::InHead);
                        return Ok(Made::Html);
                    }
                    _ => self.enter(Mode::InHead),
                },
                Mode::InHead => match kind {
                    Kind::Html => return Scanner::merged(tag),
                    Kind::Head => return Ok(Made::Nothing),
                    Kind::Noscript => {
                        self.enter(Mode::InHeadNoscript);
                        return Ok(Made::Html);
                    }
                    Kind::Template => return self.open_template(),
                    _ if is_for_head(kind) => return Ok(Made::Html),
                    _ => self.enter(Mode::AfterHead),
                },
                Mode::InHeadNoscript => match kind {
                    Kind::Html => return Scanner::merged(tag),
                    Kind::Metadata | Kind::HeadRawText => return Ok(Made::Html),
                    Kind::Head | Kind::Noscript => return Ok(Made::Nothing),
                    _ => self.enter(Mode::InHead),
                },
                Mode::AfterHead => match kind {
                    Kind::Html => return Scanner::merged(tag),
                    Kind::Head => return Ok(Made::Nothing),
                    Kind::Frameset => return Err(DeclineReason::Frameset),
                    Kind::Template => return self.open_template(),
                    Kind::Body => {
                        self.enter(Mode::InBody);
                        return Ok(Made::Html);
                    }
                    _ if is_for_head(kind) => return Ok(Made::Html),
                    _ => self.enter(Mode::InBody),
                },
                Mode::InBody => return self.body_start(tag),
                Mode::InTemplate => match kind {
                    _ if is_for_head(kind) => return Ok(Made::Html),
                    Kind::Template => return self.open_template(),
                    _ => {
                        let mode = match kind {
                            Kind::Caption | Kind::ColumnGroup | Kind::Section => Mode::InTable,
                            Kind::Column => Mode::InColumnGroup,
                            Kind::Row => Mode::InTableBody,
                            Kind::Cell => Mode::InRow,
                            _ => Mode::InBody,
                        };
                        self.mode = mode;
                        if let Some(of_template) = self.templates.last_mut() {
                            *of_template = mode;
                        }
                    }
                },
                Mode::InColumnGroup
                | Mode::InTable
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InCaption => {
                    if let Some(made) = self.table_start(tag)? {
                        return Ok(made);
                    }
                }
            }
        }
    }

    /// A second `html` or `body` adds the attributes that the first does not have.
    fn merged(tag: &Tag<'_>) -> Result<Made, DeclineReason> {
        if tag.end.has_attributes {
            return Err(DeclineReason::MergedAttributes);
        }
        Ok(Made::Nothing)
    }

    /// A start tag by the rules for "in body".
    pub(super) fn body_start(&mut self, tag: &Tag<'_>) -> Result<Made, DeclineReason> {
        let is_in_select = self.stack.last() == Some(&Open::Select);
        match tag.known.kind {
            Kind::Html | Kind::Body => return Scanner::merged(tag),
            Kind::Frameset => return Err(DeclineReason::Frameset),
            Kind::Template => return self.open_template(),
            Kind::Caption | Kind::Column | Kind::ColumnGroup | Kind::Frame | Kind::Head => {
                return Ok(Made::Nothing);
            }
            Kind::Section | Kind::Row | Kind::Cell => return Ok(Made::Nothing),
            Kind::Form if self.templates.is_empty() => {
                if self.has_form {
                    return Ok(Made::Nothing);
                }
                self.has_form = true;
            }
            Kind::Select if is_in_select => {
                self.stack.pop();
                return Ok(Made::Nothing);
            }
            Kind::Select => self.push(Open::Select)?,
            Kind::Input if is_in_select => {
                self.stack.pop();
            }
            Kind::Table | Kind::Scope | Kind::Foreign(_) if is_in_select => {
                return Err(DeclineReason::ScopeInSelect);
            }
            Kind::Table => {
                self.push(Open::Table)?;
                self.mode = Mode::InTable;
            }
            Kind::Foreign(namespace) => return self.open_foreign(tag, namespace),
            Kind::Noscript => self.seen_noscript = true,
            _ => {}
        }
        Ok(Made::Html)
    }

    pub(super) fn open_template(&mut self) -> Result<Made, DeclineReason> {
        if self.stack.last() == Some(&Open::Select) {
            return Err(DeclineReason::ScopeInSelect);
        }
        self.push(Open::Template)?;
        self.templates.push(Mode::InTemplate);
        self.mode = Mode::InTemplate;
        Ok(Made::Html)
    }

    fn close_template(&mut self) {
        if self.templates.pop().is_some() {
            let at = self.stack.iter().rposition(|open| *open == Open::Template);
            self.stack.truncate(at.unwrap_or(0));
            self.reset_mode();
        }
    }

    /// "Reset the insertion mode appropriately" (HTML Standard section 13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        let found = self.stack.iter().rev().find_map(|open| match open {
            Open::Table => Some(Mode::InTable),
            Open::Caption => Some(Mode::InCaption),
            Open::ColumnGroup => Some(Mode::InColumnGroup),
            Open::Section(_) => Some(Mode::InTableBody),
            Open::Row => Some(Mode::InRow),
            Open::Cell(_) => Some(Mode::InCell),
            Open::Template => self.templates.last().copied(),
            Open::Select | Open::Foreign { .. } | Open::Html { .. } => None,
        });
        self.mode = found.unwrap_or(self.root);
    }

    /// An end tag while no SVG or MathML is open.
    pub(super) fn html_end(&mut self, kind: Kind, tag: &Tag<'_>) {
        let ends_head = matches!(kind, Kind::Head | Kind::Body | Kind::Html | Kind::Br);
        loop {
            match self.mode {
                Mode::BeforeHtml if ends_head => self.enter(Mode::BeforeHead),
                Mode::BeforeHead if ends_head => self.enter(Mode::InHead),
                Mode::InHead if ends_head => {
                    self.enter(Mode::AfterHead);
                    if kind == Kind::Head {
                        return;
                    }
                }
                Mode::InHeadNoscript if kind == Kind::Noscript => return self.enter(Mode::InHead),
                Mode::InHeadNoscript if kind == Kind::Br => self.enter(Mode::InHead),
                Mode::AfterHead if ends_head && kind != Kind::Head => self.enter(Mode::InBody),
                Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead => return,
                Mode::InTemplate | Mode::InBody => {
                    match kind {
                        Kind::Template => self.close_template(),
                        _ if self.mode == Mode::InBody => self.body_end(kind),
                        _ => {}
                    }
                    return;
                }
                Mode::InColumnGroup
                | Mode::InTable
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InCaption => {
                    if kind == Kind::Template {
                        return self.close_template();
                    }
                    if self.table_end(kind, tag) {
                        return;
                    }
                }
            }
        }
    }

    /// An end tag by the rules for "in body".
    pub(super) fn body_end(&mut self, kind: Kind) {
        match kind {
            Kind::Form if self.templates.is_empty() => self.has_form = false,
            Kind::Select if self.stack.last() == Some(&Open::Select) => {
                self.stack.pop();
            }
            _ => {}
        }
    }
}

/// Whether a tag makes an element in the head and leaves it open.
pub(super) fn is_for_head(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Base | Kind::Metadata | Kind::Title | Kind::HeadRawText | Kind::Script
    )
}
