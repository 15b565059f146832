//! The insertion modes (HTML Standard section 13.2.6.4): which tags insert elements.

use super::names;
use super::reasons::{DeclineReason, Scan};
use super::state::InsertionMode::{self, *};
use super::state::{Action, OpenElement, Scanner, Tag};
use super::tags::TagKind::{self, *};

impl Scanner<'_> {
    /// Reads the text from `start` to `end`, which may be the first of the body.
    pub(super) fn text(&mut self, start: usize, end: usize) -> Scan<()> {
        let text = self.source.get(start..end).unwrap_or_default();
        match text.iter().find(|&&byte| !names::is(byte, names::SPACE)) {
            None => Ok(()),
            Some(b'&' | 0) => Err(DeclineReason::TextBeforeBody),
            Some(_) => {
                self.is_before_head = false;
                if !self.mode.is_past_head() {
                    self.enter(InBody);
                }
                Ok(())
            }
        }
    }

    /// Enters a mode that does not belong to a template or a table.
    fn enter(&mut self, mode: InsertionMode) {
        self.mode = mode;
        if matches!(mode, AfterHead | InBody) {
            self.root = mode;
        }
    }

    /// Processes a start tag while no SVG or MathML is open.
    pub(super) fn html_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        loop {
            match (self.mode, tag.info.kind) {
                (InBody, _) => return self.body_start(tag),
                (InColumnGroup | InTable | InTableBody | InRow | InCell | InCaption, _) => {
                    let action = self.table_start(tag)?;
                    if action != Action::Reprocess {
                        return Ok(action);
                    }
                }
                (BeforeHtml, kind) => {
                    self.enter(BeforeHead);
                    if kind == Html {
                        return Ok(Action::INSERT_HTML);
                    }
                }
                (BeforeHead | InHead | InHeadNoscript | AfterHead, Html) => {
                    return merge_attributes(tag);
                }
                (BeforeHead, Head) => return Ok(self.insert_and_enter(InHead)),
                (InHead | InHeadNoscript | AfterHead, Head) => return Ok(Action::Ignore),
                (InHead | AfterHead | InTemplate, Template) => return self.open_template(),
                (InHead | AfterHead | InTemplate, kind) if kind.is_for_head() => {
                    return Ok(Action::INSERT_HTML);
                }
                (InHead, Noscript) => return Ok(self.insert_and_enter(InHeadNoscript)),
                (InHeadNoscript, Noscript) => return Ok(Action::Ignore),
                (InHeadNoscript, Metadata | HeadRawText) => return Ok(Action::INSERT_HTML),
                (AfterHead, Body) => return Ok(self.insert_and_enter(InBody)),
                (BeforeHead | InHeadNoscript, _) => self.enter(InHead),
                (InHead, _) => self.enter(AfterHead),
                (AfterHead, _) => self.enter(InBody),
                (InTemplate, kind) => {
                    self.mode = match kind {
                        Caption | ColumnGroup | Section => InTable,
                        Column => InColumnGroup,
                        Row => InTableBody,
                        Cell => InRow,
                        _ => InBody,
                    };
                    if let Some(of_template) = self.templates.last_mut() {
                        *of_template = self.mode;
                    }
                }
            }
        }
    }

    fn insert_and_enter(&mut self, mode: InsertionMode) -> Action {
        self.enter(mode);
        Action::INSERT_HTML
    }

    /// Processes a start tag by the rules for "in body".
    pub(super) fn body_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        let is_in_select = self.stack.last() == Some(&OpenElement::Select);
        match tag.info.kind {
            Html | Body => return merge_attributes(tag),
            Frameset => return Err(DeclineReason::Frameset),
            Template => return self.open_template(),
            Caption | Column | ColumnGroup | Section | Row | Cell | Frame | Head => {
                return Ok(Action::Ignore);
            }
            Form if self.templates.is_empty() => {
                if self.has_form {
                    return Ok(Action::Ignore);
                }
                self.has_form = true;
            }
            Select if is_in_select => {
                self.stack.pop();
                return Ok(Action::Ignore);
            }
            Select => self.push(OpenElement::Select)?,
            Input if is_in_select => {
                self.stack.pop();
            }
            Table | Scope | Foreign(_) if is_in_select => {
                return Err(DeclineReason::ScopeInSelect);
            }
            Table => {
                self.push(OpenElement::Table)?;
                self.mode = InTable;
            }
            Foreign(namespace) => return self.open_foreign(tag, namespace),
            _ => {}
        }
        Ok(Action::INSERT_HTML)
    }

    pub(super) fn open_template(&mut self) -> Scan<Action> {
        if self.stack.last() == Some(&OpenElement::Select) {
            return Err(DeclineReason::ScopeInSelect);
        }
        self.push(OpenElement::Template)?;
        self.templates.push(InTemplate);
        self.mode = InTemplate;
        Ok(Action::INSERT_HTML)
    }

    fn close_template(&mut self) {
        let mut stack = self.stack.iter();
        if let Some(at) = stack.rposition(|open| *open == OpenElement::Template) {
            self.stack.truncate(at);
            self.templates.pop();
            self.reset_mode();
        }
    }

    /// "Reset the insertion mode appropriately" (HTML Standard section 13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        let found = self.stack.iter().rev().find_map(|open| match open {
            OpenElement::Table => Some(InTable),
            OpenElement::Caption => Some(InCaption),
            OpenElement::ColumnGroup => Some(InColumnGroup),
            OpenElement::Section(_) => Some(InTableBody),
            OpenElement::Row => Some(InRow),
            OpenElement::Cell(_) => Some(InCell),
            OpenElement::Template => self.templates.last().copied(),
            OpenElement::Select | OpenElement::Foreign { .. } | OpenElement::Html { .. } => None,
        });
        self.mode = found.unwrap_or(self.root);
    }

    /// Processes an end tag while no SVG or MathML is open.
    pub(super) fn html_end(&mut self, kind: TagKind, tag: &Tag<'_>) {
        let ends_head = matches!(kind, Head | Body | Html | Br);
        loop {
            match self.mode {
                BeforeHtml if ends_head => self.enter(BeforeHead),
                BeforeHead if ends_head => {
                    self.is_before_head = false;
                    self.enter(InHead);
                }
                InHead if ends_head => self.enter(AfterHead),
                InHeadNoscript if kind == Noscript => return self.enter(InHead),
                InHeadNoscript if kind == Br => self.enter(InHead),
                AfterHead if ends_head && kind != Head => self.enter(InBody),
                BeforeHtml | BeforeHead | InHead | InHeadNoscript | AfterHead => return,
                _ if kind == Template => return self.close_template(),
                InTemplate => return,
                InBody => return self.body_end(kind),
                InColumnGroup | InTable | InTableBody | InRow | InCell | InCaption => {
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
            Form if self.templates.is_empty() => self.has_form = false,
            Select if self.stack.last() == Some(&OpenElement::Select) => {
                self.stack.pop();
            }
            _ => {}
        }
    }
}

/// Processes a second `html` or `body`, which gives the first one the attributes that it lacks.
fn merge_attributes(tag: &Tag<'_>) -> Scan<Action> {
    if tag.end.has_attributes {
        return Err(DeclineReason::MergedAttributes);
    }
    Ok(Action::Ignore)
}
