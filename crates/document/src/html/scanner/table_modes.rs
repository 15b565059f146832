//! The insertion modes of tables (HTML Standard sections 13.2.6.4.9 to 13.2.6.4.15).

use super::reasons::{DeclineReason, Scan};
use super::state::InsertionMode::{self, *};
use super::state::{Action, OpenElement, Scanner, Tag};
use super::tags::TagKind::{self, *};

impl Scanner<'_> {
    /// Processes a start tag in a table.
    pub(super) fn table_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        match (self.mode, tag.info.kind) {
            (InColumnGroup, Column) => Ok(Action::INSERT_HTML),
            (InColumnGroup, Template) => self.open_template(),
            (InColumnGroup, kind) if kind != Html => Ok(self.leave_column_group()),
            (InTableBody, kind @ (Row | Cell)) => {
                self.clear_to_table_body();
                self.push(OpenElement::Row)?;
                self.mode = InRow;
                Ok(match kind {
                    Row => Action::INSERT_HTML,
                    _ => Action::Reprocess,
                })
            }
            (InTableBody, kind) if kind.is_table_part() => Ok(self.leave_table_body()),
            (InRow, Cell) => {
                self.clear_to(|open| *open == OpenElement::Row);
                self.push(OpenElement::Cell(tag.number))?;
                self.mode = InCell;
                Ok(Action::INSERT_HTML)
            }
            (InRow, kind) if kind.is_table_part() => Ok(self.leave_row()),
            (InCell, kind) if kind.is_table_part() => Ok(self.leave_cell()),
            (InCaption, kind) if kind.is_table_part() => Ok(self.leave_caption()),
            (InTable | InTableBody | InRow, _) => self.in_table_start(tag),
            _ => self.body_start(tag),
        }
    }

    fn in_table_start(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        let kind = tag.info.kind;
        // The element that the tag opens in a table, or that is implied around it.
        let (element, mode) = match kind {
            Caption => (OpenElement::Caption, InCaption),
            ColumnGroup | Column => (OpenElement::ColumnGroup, InColumnGroup),
            Section => (OpenElement::Section(tag.number), InTableBody),
            Row | Cell => (OpenElement::Section(self.tag_table.tbody), InTableBody),
            Table if self.close_table() => return Ok(Action::Reprocess),
            Table => return Ok(Action::Ignore),
            Input if self.stack.last() == Some(&OpenElement::Select) => {
                return Err(DeclineReason::SelectInTable);
            }
            Form if self.has_form || !self.templates.is_empty() => {
                return Ok(Action::Ignore);
            }
            Form => {
                self.has_form = true;
                return Ok(Action::INSERT_HTML);
            }
            _ => return self.body_start(tag),
        };
        self.clear_to(|open| *open == OpenElement::Table);
        self.push(element)?;
        self.mode = mode;
        Ok(match kind {
            Column | Row | Cell => Action::Reprocess,
            _ => Action::INSERT_HTML,
        })
    }

    /// Processes an end tag in a table, and returns whether it needs to be reprocessed. The Standard does
    /// not reprocess the end tag of the element that the mode is named for; here the mode after it ignores
    /// the tag.
    pub(super) fn table_end(&mut self, kind: TagKind, tag: &Tag<'_>) -> Action {
        let section = OpenElement::Section(tag.number);
        match (self.mode, kind) {
            (InColumnGroup, Column) | (InTableBody, Row) => Action::Ignore,
            (InColumnGroup, _) => self.leave_column_group(),
            (InTableBody, Section) => self.leave_to(InTable, |open| *open == section),
            (InTableBody, Table) => self.leave_table_body(),
            (InRow, Section) if !self.is_in_table_scope(section) => Action::Ignore,
            (InRow, Row | Table | Section) => self.leave_row(),
            (InCell, Cell) => self.leave_to(InRow, |open| *open == OpenElement::Cell(tag.number)),
            (InCell, Table) if !self.is_in_table_scope(OpenElement::Table) => Action::Ignore,
            (InCell, Row) if !self.is_in_table_scope(OpenElement::Row) => Action::Ignore,
            (InCell, Section) if !self.is_in_table_scope(section) => Action::Ignore,
            (InCell, Table | Section | Row) => self.leave_cell(),
            (InCaption, Caption | Table) => self.leave_caption(),
            (_, Table) => {
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
        let is_limit = |open: &_| matches!(open, OpenElement::Table | OpenElement::Template);
        let mut stack = self.stack.iter();
        let at = stack.rposition(|open| fits(open) || is_limit(open))?;
        fits(self.stack.get(at)?).then_some(at)
    }

    fn is_in_table_scope(&self, wanted: OpenElement) -> bool {
        self.in_table_scope(|open| *open == wanted).is_some()
    }

    /// Closes all elements above the latest one that fits, or above a template.
    fn clear_to(&mut self, fits: impl Fn(&OpenElement) -> bool) {
        let last = self.stack.iter().rposition(|open| fits(open) || *open == OpenElement::Template);
        self.stack.truncate(last.map_or(0, |at| at + 1));
    }

    fn clear_to_table_body(&mut self) {
        self.clear_to(|open| matches!(open, OpenElement::Section(_)));
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

    /// Goes from "in column group" to "in table", unless the column group is a template's.
    fn leave_column_group(&mut self) -> Action {
        if self.stack.last() != Some(&OpenElement::ColumnGroup) {
            return Action::Ignore;
        }
        self.stack.pop();
        self.mode = InTable;
        Action::Reprocess
    }

    /// Goes from "in table body" to "in table", for a tag that ends the section.
    fn leave_table_body(&mut self) -> Action {
        // html5ever accepts "table, tbody, or tfoot", the Standard "tbody, thead, or tfoot".
        if !self.is_in_table_scope(OpenElement::Table)
            && !self.is_in_table_scope(OpenElement::Section(self.tag_table.tbody))
            && !self.is_in_table_scope(OpenElement::Section(self.tag_table.tfoot))
        {
            return Action::Ignore;
        }
        self.clear_to_table_body();
        self.stack.pop();
        self.mode = InTable;
        Action::Reprocess
    }

    fn leave_row(&mut self) -> Action {
        self.leave_to(InTableBody, |open| *open == OpenElement::Row)
    }

    fn leave_cell(&mut self) -> Action {
        self.leave_to(InRow, |open| matches!(open, OpenElement::Cell(_)))
    }

    fn leave_caption(&mut self) -> Action {
        self.leave_to(InTable, |open| *open == OpenElement::Caption)
    }

    /// Closes the latest element that fits, if it is in table scope, and enters `mode`.
    fn leave_to(&mut self, mode: InsertionMode, fits: impl Fn(&OpenElement) -> bool) -> Action {
        let Some(at) = self.in_table_scope(fits) else { return Action::Ignore };
        self.stack.truncate(at);
        self.mode = mode;
        Action::Reprocess
    }
}
