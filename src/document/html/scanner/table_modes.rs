//! The insertion modes of tables (HTML Standard sections 13.2.6.4.9 to 13.2.6.4.15).

use super::reasons::DeclineReason;
use super::state::{Action, InsertionMode, OpenElement, Scanner, Tag};
use super::tags::TagKind;

impl Scanner<'_> {
    /// Processes a start tag in a table.
    pub(super) fn table_start(&mut self, tag: &Tag<'_>) -> Result<Action, DeclineReason> {
        let kind = tag.info.kind;
        match self.mode {
            InsertionMode::InColumnGroup => self.column_group_start(tag),
            InsertionMode::InTable => self.in_table_start(tag),
            InsertionMode::InTableBody => match kind {
                TagKind::Row | TagKind::Cell => {
                    self.clear_to_table_body();
                    self.push(OpenElement::Row)?;
                    self.mode = InsertionMode::InRow;
                    Ok(match kind {
                        TagKind::Row => Action::INSERT_HTML,
                        _ => Action::Reprocess,
                    })
                }
                _ if kind.is_table_part() => Ok(self.leave_table_body()),
                _ => self.in_table_start(tag),
            },
            InsertionMode::InRow => match kind {
                TagKind::Cell => {
                    self.clear_to_row();
                    self.push(OpenElement::Cell(tag.number))?;
                    self.mode = InsertionMode::InCell;
                    Ok(Action::INSERT_HTML)
                }
                _ if kind.is_table_part() => Ok(self.leave_row()),
                _ => self.in_table_start(tag),
            },
            InsertionMode::InCell if kind.is_table_part() => Ok(self.leave_cell()),
            InsertionMode::InCaption if kind.is_table_part() => Ok(self.leave_caption()),
            _ => self.body_start(tag),
        }
    }

    fn in_table_start(&mut self, tag: &Tag<'_>) -> Result<Action, DeclineReason> {
        let kind = tag.info.kind;
        // The element that the tag opens in a table, or that is implied around it.
        let (element, mode) = match kind {
            TagKind::Caption => (OpenElement::Caption, InsertionMode::InCaption),
            TagKind::ColumnGroup | TagKind::Column => {
                (OpenElement::ColumnGroup, InsertionMode::InColumnGroup)
            }
            TagKind::Section => (OpenElement::Section(tag.number), InsertionMode::InTableBody),
            TagKind::Row | TagKind::Cell => (
                OpenElement::Section(self.tag_table.tbody),
                InsertionMode::InTableBody,
            ),
            TagKind::Table if self.close_table() => return Ok(Action::Reprocess),
            TagKind::Table => return Ok(Action::Ignore),
            TagKind::Input if self.stack.last() == Some(&OpenElement::Select) => {
                return Err(DeclineReason::SelectInTable);
            }
            TagKind::Form if self.has_form || !self.templates.is_empty() => {
                return Ok(Action::Ignore);
            }
            TagKind::Form => {
                self.has_form = true;
                return Ok(Action::INSERT_HTML);
            }
            _ => return self.body_start(tag),
        };
        self.clear_to(|open| *open == OpenElement::Table);
        self.push(element)?;
        self.mode = mode;
        Ok(match kind {
            TagKind::Column | TagKind::Row | TagKind::Cell => Action::Reprocess,
            _ => Action::INSERT_HTML,
        })
    }

    fn column_group_start(&mut self, tag: &Tag<'_>) -> Result<Action, DeclineReason> {
        match tag.info.kind {
            TagKind::Html => self.body_start(tag),
            TagKind::Column => Ok(Action::INSERT_HTML),
            TagKind::Template => self.open_template(),
            _ => Ok(self.leave_column_group()),
        }
    }

    /// Processes an end tag in a table, and returns whether it needs to be reprocessed.
    pub(super) fn table_end(&mut self, kind: TagKind, tag: &Tag<'_>) -> Action {
        match (self.mode, kind) {
            (InsertionMode::InColumnGroup, TagKind::Column) => Action::Ignore,
            (InsertionMode::InColumnGroup, TagKind::ColumnGroup) => {
                self.leave_column_group();
                Action::Ignore
            }
            (InsertionMode::InColumnGroup, _) => self.leave_column_group(),
            (InsertionMode::InTableBody, TagKind::Section) => {
                if self.is_in_table_scope(OpenElement::Section(tag.number)) {
                    self.clear_to_table_body();
                    self.stack.pop();
                    self.mode = InsertionMode::InTable;
                }
                Action::Ignore
            }
            (InsertionMode::InTableBody, TagKind::Table) => self.leave_table_body(),
            (InsertionMode::InTableBody, TagKind::Row) => Action::Ignore,
            (InsertionMode::InRow, TagKind::Row) => {
                self.leave_row();
                Action::Ignore
            }
            (InsertionMode::InRow, TagKind::Table) => self.leave_row(),
            (InsertionMode::InRow, TagKind::Section)
                if self.is_in_table_scope(OpenElement::Section(tag.number)) =>
            {
                self.leave_row()
            }
            (InsertionMode::InRow, TagKind::Section) => Action::Ignore,
            (InsertionMode::InCell, TagKind::Cell) => {
                self.leave_to(InsertionMode::InRow, |open| {
                    *open == OpenElement::Cell(tag.number)
                });
                Action::Ignore
            }
            (InsertionMode::InCell, TagKind::Table | TagKind::Section | TagKind::Row) => {
                let element = match kind {
                    TagKind::Table => OpenElement::Table,
                    TagKind::Row => OpenElement::Row,
                    _ => OpenElement::Section(tag.number),
                };
                match self.is_in_table_scope(element) {
                    true => self.leave_cell(),
                    false => Action::Ignore,
                }
            }
            (InsertionMode::InCaption, TagKind::Caption) => {
                self.leave_caption();
                Action::Ignore
            }
            (InsertionMode::InCaption, TagKind::Table) => self.leave_caption(),
            (_, TagKind::Table) => {
                self.close_table();
                Action::Ignore
            }
            _ => {
                self.body_end(kind);
                Action::Ignore
            }
        }
    }

    /// The place on the stack of the latest element that fits, if it is in table scope.
    fn in_table_scope(&self, fits: impl Fn(&OpenElement) -> bool) -> Option<usize> {
        for (at, open) in self.stack.iter().enumerate().rev() {
            if fits(open) {
                return Some(at);
            }
            if matches!(open, OpenElement::Table | OpenElement::Template) {
                return None;
            }
        }
        None
    }

    fn is_in_table_scope(&self, wanted: OpenElement) -> bool {
        self.in_table_scope(|open| *open == wanted).is_some()
    }

    /// Closes all elements above the latest one that fits, or above a template.
    fn clear_to(&mut self, fits: impl Fn(&OpenElement) -> bool) {
        let last = self
            .stack
            .iter()
            .rposition(|open| fits(open) || *open == OpenElement::Template);
        self.stack.truncate(last.map_or(0, |at| at + 1));
    }

    fn clear_to_table_body(&mut self) {
        self.clear_to(|open| matches!(open, OpenElement::Section(_)));
    }

    fn clear_to_row(&mut self) {
        self.clear_to(|open| *open == OpenElement::Row);
    }

    /// Closes the table, if one is in table scope.
    fn close_table(&mut self) -> bool {
        let table = self.in_table_scope(|open| *open == OpenElement::Table);
        if let Some(at) = table {
            self.stack.truncate(at);
            self.reset_mode();
        }
        table.is_some()
    }

    /// From "in column group" to "in table", unless the column group is a template's.
    fn leave_column_group(&mut self) -> Action {
        if self.stack.last() != Some(&OpenElement::ColumnGroup) {
            return Action::Ignore;
        }
        self.stack.pop();
        self.mode = InsertionMode::InTable;
        Action::Reprocess
    }

    /// From "in table body" to "in table", for a tag that ends the section.
    fn leave_table_body(&mut self) -> Action {
        // As html5ever does it. The Standard says "tbody, thead, or tfoot".
        if !self.is_in_table_scope(OpenElement::Table)
            && !self.is_in_table_scope(OpenElement::Section(self.tag_table.tbody))
            && !self.is_in_table_scope(OpenElement::Section(self.tag_table.tfoot))
        {
            return Action::Ignore;
        }
        self.clear_to_table_body();
        self.stack.pop();
        self.mode = InsertionMode::InTable;
        Action::Reprocess
    }

    /// From "in row" to "in table body", if a row is in table scope.
    fn leave_row(&mut self) -> Action {
        if !self.is_in_table_scope(OpenElement::Row) {
            return Action::Ignore;
        }
        self.clear_to_row();
        self.stack.pop();
        self.mode = InsertionMode::InTableBody;
        Action::Reprocess
    }

    fn leave_cell(&mut self) -> Action {
        self.leave_to(InsertionMode::InRow, |open| {
            matches!(open, OpenElement::Cell(_))
        })
    }

    fn leave_caption(&mut self) -> Action {
        self.leave_to(InsertionMode::InTable, |open| *open == OpenElement::Caption)
    }

    /// Closes the latest element that fits, if it is in table scope, and enters `mode`.
    fn leave_to(&mut self, mode: InsertionMode, fits: impl Fn(&OpenElement) -> bool) -> Action {
        let Some(at) = self.in_table_scope(fits) else {
            return Action::Ignore;
        };
        self.stack.truncate(at);
        self.mode = mode;
        Action::Reprocess
    }
}
