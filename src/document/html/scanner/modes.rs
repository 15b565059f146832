//! The insertion modes (HTML Standard section 13.2.6.4): which tags insert elements.

use super::names;
use super::reasons::DeclineReason;
use super::state::{Action, InsertionMode, OpenElement, Scanner, Tag};
use super::tags::TagKind;

impl Scanner<'_> {
    /// Reads the text from `start` to `end`, which may be the first of the body.
    pub(super) fn text(&mut self, start: usize, end: usize) -> Result<(), DeclineReason> {
        let text = self.source.get(start..end).unwrap_or_default();
        match text.iter().find(|&&byte| !names::is(byte, names::SPACE)) {
            None => Ok(()),
            Some(b'&' | 0) => Err(DeclineReason::TextBeforeBody),
            Some(_) => {
                self.is_before_head = false;
                if !self.mode.is_past_head() {
                    self.enter(InsertionMode::InBody);
                }
                Ok(())
            }
        }
    }

    /// Enters a mode that does not belong to a template or a table.
    fn enter(&mut self, mode: InsertionMode) {
        self.mode = mode;
        if matches!(mode, InsertionMode::AfterHead | InsertionMode::InBody) {
            self.root = mode;
        }
    }

    /// Processes a start tag while no SVG or MathML is open.
    pub(super) fn html_start(&mut self, tag: &Tag<'_>) -> Result<Action, DeclineReason> {
        let kind = tag.info.kind;
        loop {
            match self.mode {
                InsertionMode::BeforeHtml => {
                    self.enter(InsertionMode::BeforeHead);
                    if kind == TagKind::Html {
                        return Ok(Action::INSERT_HTML);
                    }
                }
                InsertionMode::BeforeHead => match kind {
                    TagKind::Html => return merge_attributes(tag),
                    TagKind::Head => {
                        self.enter(InsertionMode::InHead);
                        return Ok(Action::INSERT_HTML);
                    }
                    _ => self.enter(InsertionMode::InHead),
                },
                InsertionMode::InHead => match kind {
                    TagKind::Html => return merge_attributes(tag),
                    TagKind::Head => return Ok(Action::Ignore),
                    TagKind::Noscript => {
                        self.enter(InsertionMode::InHeadNoscript);
                        return Ok(Action::INSERT_HTML);
                    }
                    TagKind::Template => return self.open_template(),
                    _ if kind.is_for_head() => return Ok(Action::INSERT_HTML),
                    _ => self.enter(InsertionMode::AfterHead),
                },
                InsertionMode::InHeadNoscript => match kind {
                    TagKind::Html => return merge_attributes(tag),
                    TagKind::Metadata | TagKind::HeadRawText => return Ok(Action::INSERT_HTML),
                    TagKind::Head | TagKind::Noscript => return Ok(Action::Ignore),
                    _ => self.enter(InsertionMode::InHead),
                },
                InsertionMode::AfterHead => match kind {
                    TagKind::Html => return merge_attributes(tag),
                    TagKind::Head => return Ok(Action::Ignore),
                    TagKind::Frameset => return Err(DeclineReason::Frameset),
                    TagKind::Template => return self.open_template(),
                    TagKind::Body => {
                        self.enter(InsertionMode::InBody);
                        return Ok(Action::INSERT_HTML);
                    }
                    _ if kind.is_for_head() => return Ok(Action::INSERT_HTML),
                    _ => self.enter(InsertionMode::InBody),
                },
                InsertionMode::InBody => return self.body_start(tag),
                InsertionMode::InTemplate => match kind {
                    _ if kind.is_for_head() => return Ok(Action::INSERT_HTML),
                    TagKind::Template => return self.open_template(),
                    _ => {
                        let mode = match kind {
                            TagKind::Caption | TagKind::ColumnGroup | TagKind::Section => {
                                InsertionMode::InTable
                            }
                            TagKind::Column => InsertionMode::InColumnGroup,
                            TagKind::Row => InsertionMode::InTableBody,
                            TagKind::Cell => InsertionMode::InRow,
                            _ => InsertionMode::InBody,
                        };
                        self.mode = mode;
                        if let Some(of_template) = self.templates.last_mut() {
                            *of_template = mode;
                        }
                    }
                },
                InsertionMode::InColumnGroup
                | InsertionMode::InTable
                | InsertionMode::InTableBody
                | InsertionMode::InRow
                | InsertionMode::InCell
                | InsertionMode::InCaption => {
                    let action = self.table_start(tag)?;
                    if action != Action::Reprocess {
                        return Ok(action);
                    }
                }
            }
        }
    }

    /// Processes a start tag by the rules for "in body".
    pub(super) fn body_start(&mut self, tag: &Tag<'_>) -> Result<Action, DeclineReason> {
        let is_in_select = self.stack.last() == Some(&OpenElement::Select);
        match tag.info.kind {
            TagKind::Html | TagKind::Body => return merge_attributes(tag),
            TagKind::Frameset => return Err(DeclineReason::Frameset),
            TagKind::Template => return self.open_template(),
            TagKind::Caption
            | TagKind::Column
            | TagKind::ColumnGroup
            | TagKind::Frame
            | TagKind::Head => {
                return Ok(Action::Ignore);
            }
            TagKind::Section | TagKind::Row | TagKind::Cell => return Ok(Action::Ignore),
            TagKind::Form if self.templates.is_empty() => {
                if self.has_form {
                    return Ok(Action::Ignore);
                }
                self.has_form = true;
            }
            TagKind::Select if is_in_select => {
                self.stack.pop();
                return Ok(Action::Ignore);
            }
            TagKind::Select => self.push(OpenElement::Select)?,
            TagKind::Input if is_in_select => {
                self.stack.pop();
            }
            TagKind::Table | TagKind::Scope | TagKind::Foreign(_) if is_in_select => {
                return Err(DeclineReason::ScopeInSelect);
            }
            TagKind::Table => {
                self.push(OpenElement::Table)?;
                self.mode = InsertionMode::InTable;
            }
            TagKind::Foreign(namespace) => return self.open_foreign(tag, namespace),
            TagKind::Noscript => self.seen_noscript = true,
            _ => {}
        }
        Ok(Action::INSERT_HTML)
    }

    pub(super) fn open_template(&mut self) -> Result<Action, DeclineReason> {
        if self.stack.last() == Some(&OpenElement::Select) {
            return Err(DeclineReason::ScopeInSelect);
        }
        self.push(OpenElement::Template)?;
        self.templates.push(InsertionMode::InTemplate);
        self.mode = InsertionMode::InTemplate;
        Ok(Action::INSERT_HTML)
    }

    fn close_template(&mut self) {
        if self.templates.pop().is_some() {
            let at = self
                .stack
                .iter()
                .rposition(|open| *open == OpenElement::Template);
            self.stack.truncate(at.unwrap_or(0));
            self.reset_mode();
        }
    }

    /// "Reset the insertion mode appropriately" (HTML Standard section 13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        let found = self.stack.iter().rev().find_map(|open| match open {
            OpenElement::Table => Some(InsertionMode::InTable),
            OpenElement::Caption => Some(InsertionMode::InCaption),
            OpenElement::ColumnGroup => Some(InsertionMode::InColumnGroup),
            OpenElement::Section(_) => Some(InsertionMode::InTableBody),
            OpenElement::Row => Some(InsertionMode::InRow),
            OpenElement::Cell(_) => Some(InsertionMode::InCell),
            OpenElement::Template => self.templates.last().copied(),
            OpenElement::Select | OpenElement::Foreign { .. } | OpenElement::Html { .. } => None,
        });
        self.mode = found.unwrap_or(self.root);
    }

    /// Processes an end tag while no SVG or MathML is open.
    pub(super) fn html_end(&mut self, kind: TagKind, tag: &Tag<'_>) {
        let ends_head = matches!(
            kind,
            TagKind::Head | TagKind::Body | TagKind::Html | TagKind::Br
        );
        loop {
            match self.mode {
                InsertionMode::BeforeHtml if ends_head => self.enter(InsertionMode::BeforeHead),
                InsertionMode::BeforeHead if ends_head => self.enter(InsertionMode::InHead),
                InsertionMode::InHead if ends_head => {
                    self.enter(InsertionMode::AfterHead);
                    if kind == TagKind::Head {
                        return;
                    }
                }
                InsertionMode::InHeadNoscript if kind == TagKind::Noscript => {
                    return self.enter(InsertionMode::InHead);
                }
                InsertionMode::InHeadNoscript if kind == TagKind::Br => {
                    self.enter(InsertionMode::InHead)
                }
                InsertionMode::AfterHead if ends_head && kind != TagKind::Head => {
                    self.enter(InsertionMode::InBody)
                }
                InsertionMode::BeforeHtml
                | InsertionMode::BeforeHead
                | InsertionMode::InHead
                | InsertionMode::InHeadNoscript
                | InsertionMode::AfterHead => return,
                InsertionMode::InTemplate | InsertionMode::InBody => {
                    match kind {
                        TagKind::Template => self.close_template(),
                        _ if self.mode == InsertionMode::InBody => self.body_end(kind),
                        _ => {}
                    }
                    return;
                }
                InsertionMode::InColumnGroup
                | InsertionMode::InTable
                | InsertionMode::InTableBody
                | InsertionMode::InRow
                | InsertionMode::InCell
                | InsertionMode::InCaption => {
                    if kind == TagKind::Template {
                        return self.close_template();
                    }
                    if self.table_end(kind, tag) == Action::Ignore {
                        return;
                    }
                }
            }
        }
    }

    /// Processes an end tag by the rules for "in body".
    pub(super) fn body_end(&mut self, kind: TagKind) {
        match kind {
            TagKind::Form if self.templates.is_empty() => self.has_form = false,
            TagKind::Select if self.stack.last() == Some(&OpenElement::Select) => {
                self.stack.pop();
            }
            _ => {}
        }
    }
}

/// Processes a second `html` or `body`, which gives the first one the attributes that it lacks.
fn merge_attributes(tag: &Tag<'_>) -> Result<Action, DeclineReason> {
    if tag.end.has_attributes {
        return Err(DeclineReason::MergedAttributes);
    }
    Ok(Action::Ignore)
}
