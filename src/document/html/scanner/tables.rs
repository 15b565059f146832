//! The insertion modes of tables (HTML Standard sections 13.2.6.4.9 to 13.2.6.4.15).

use super::modes::{Made, Mode, Open};
use super::tags::Kind;
use super::{DeclineReason, Scanner, Tag};

impl Scanner<'_> {
    /// A start tag in a table. `None` where it is to be looked at again in the mode that is now.
    pub(super) fn table_start(&mut self, tag: &Tag<'_>) -> Result<Option<Made>, DeclineReason> {
        let kind = tag.known.kind;
        match self.mode {
            Mode::InColumnGroup => self.column_group_start(tag),
            Mode::InTable => self.in_table_start(tag),
            Mode::InTableBody => match kind {
                Kind::Row => {
                    self.clear_to_table_body();
                    self.push(Open::Row)?;
                    self.mode = Mode::InRow;
                    Ok(Some(Made::Html))
                }
                Kind::Cell => {
                    self.clear_to_table_body();
                    self.push(Open::Row)?;
                    self.mode = Mode::InRow;
                    Ok(None)
                }
                _ if is_part(kind) => Ok(self.leave_table_body()),
                _ => self.in_table_start(tag),
            },
            Mode::InRow => match kind {
                Kind::Cell => {
                    self.clear_to_row();
                    self.push(Open::Cell(tag.number))?;
                    self.mode = Mode::InCell;
                    Ok(Some(Made::Html))
                }
                _ if is_part(kind) => Ok(self.leave_row()),
                _ => self.in_table_start(tag),
            },
            Mode::InCell if is_part(kind) => Ok(self.leave_cell()),
            Mode::InCaption if is_part(kind) => Ok(self.leave_caption()),
            _ => self.body_start(tag).map(Some),
        }
    }

    fn in_table_start(&mut self, tag: &Tag<'_>) -> Result<Option<Made>, DeclineReason> {
        match tag.known.kind {
            Kind::Caption => {
                self.clear_to_table();
                self.push(Open::Caption)?;
                self.mode = Mode::InCaption;
            }
            Kind::ColumnGroup => {
                self.clear_to_table();
                self.push(Open::ColumnGroup)?;
                self.mode = Mode::InColumnGroup;
            }
            Kind::Column => {
                self.clear_to_table();
                self.push(Open::ColumnGroup)?;
                self.mode = Mode::InColumnGroup;
                return Ok(None);
            }
            Kind::Section => {
                self.clear_to_table();
                self.push(Open::Section(tag.number))?;
                self.mode = Mode::InTableBody;
            }
            Kind::Row | Kind::Cell => {
                self.clear_to_table();
                self.push(Open::Section(self.tags.tbody))?;
                self.mode = Mode::InTableBody;
                return Ok(None);
            }
            Kind::Table => {
                let is_closed = self.close_table();
                return Ok((!is_closed).then_some(Made::Nothing));
            }
            Kind::Input if self.stack.last() == Some(&Open::Select) => {
                return Err(DeclineReason::SelectInTable);
            }
            Kind::Form => {
                if self.has_form || !self.templates.is_empty() {
                    return Ok(Some(Made::Nothing));
                }
                self.has_form = true;
            }
            _ => return self.body_start(tag).map(Some),
        }
        Ok(Some(Made::Html))
    }

    fn column_group_start(&mut self, tag: &Tag<'_>) -> Result<Option<Made>, DeclineReason> {
        match tag.known.kind {
            Kind::Html => self.body_start(tag).map(Some),
            Kind::Column => Ok(Some(Made::Html)),
            Kind::Template => self.open_template().map(Some),
            _ if self.close_column_group() => Ok(None),
            _ => Ok(Some(Made::Nothing)),
        }
    }

    /// An end tag in a table. Whether that is all there is to it; else it is to be looked at again.
    pub(super) fn table_end(&mut self, kind: Kind, tag: &Tag<'_>) -> bool {
        match self.mode {
            Mode::InColumnGroup => match kind {
                Kind::ColumnGroup => {
                    self.close_column_group();
                    true
                }
                Kind::Column => true,
                _ => !self.close_column_group(),
            },
            Mode::InTableBody => match kind {
                Kind::Section => {
                    if self.is_in_table_scope(Open::Section(tag.number)) {
                        self.clear_to_table_body();
                        self.stack.pop();
                        self.mode = Mode::InTable;
                    }
                    true
                }
                Kind::Table => self.leave_table_body().is_some(),
                Kind::Row => true,
                _ => self.in_table_end(kind),
            },
            Mode::InRow => match kind {
                Kind::Row => {
                    self.leave_row();
                    true
                }
                Kind::Table => self.leave_row().is_some(),
                Kind::Section => {
                    !self.is_in_table_scope(Open::Section(tag.number)) || self.leave_row().is_some()
                }
                _ => self.in_table_end(kind),
            },
            Mode::InCell => match kind {
                Kind::Cell => {
                    let is_it = |open: &Open| *open == Open::Cell(tag.number);
                    if let Some(at) = self.in_table_scope(is_it) {
                        self.stack.truncate(at);
                        self.mode = Mode::InRow;
                    }
                    true
                }
                Kind::Table | Kind::Section | Kind::Row => {
                    let open = match kind {
                        Kind::Table => Open::Table,
                        Kind::Row => Open::Row,
                        _ => Open::Section(tag.number),
                    };
                    !self.is_in_table_scope(open) || self.leave_cell().is_some()
                }
                _ => {
                    self.body_end(kind);
                    true
                }
            },
            Mode::InCaption => match kind {
                Kind::Caption => {
                    self.leave_caption();
                    true
                }
                Kind::Table => self.leave_caption().is_some(),
                _ => {
                    self.body_end(kind);
                    true
                }
            },
            _ => self.in_table_end(kind),
        }
    }

    fn in_table_end(&mut self, kind: Kind) -> bool {
        if kind == Kind::Table {
            self.close_table();
        } else {
            self.body_end(kind);
        }
        true
    }

    /// Where the latest element of this sort is on the stack, if it is in table scope.
    fn in_table_scope(&self, is_it: impl Fn(&Open) -> bool) -> Option<usize> {
        for (at, open) in self.stack.iter().enumerate().rev() {
            if is_it(open) {
                return Some(at);
            }
            if matches!(open, Open::Table | Open::Template) {
                return None;
            }
        }
        None
    }

    fn is_in_table_scope(&self, wanted: Open) -> bool {
        self.in_table_scope(|open| *open == wanted).is_some()
    }

    /// Closes what is open down to the latest element of this sort, or a template.
    fn clear_to(&mut self, is_it: impl Fn(&Open) -> bool) {
        let last = self
            .stack
            .iter()
            .rposition(|open| is_it(open) || *open == Open::Template);
        self.stack.truncate(last.map_or(0, |at| at + 1));
    }

    fn clear_to_table(&mut self) {
        self.clear_to(|open| *open == Open::Table);
    }

    fn clear_to_table_body(&mut self) {
        self.clear_to(|open| matches!(open, Open::Section(_)));
    }

    fn clear_to_row(&mut self) {
        self.clear_to(|open| *open == Open::Row);
    }

    /// Closes the table. Whether there is one.
    fn close_table(&mut self) -> bool {
        let Some(at) = self.in_table_scope(|open| *open == Open::Table) else {
            return false;
        };
        self.stack.truncate(at);
        self.reset_mode();
        true
    }

    /// Closes the column group. Whether that is what is open.
    fn close_column_group(&mut self) -> bool {
        let is_open = self.stack.last() == Some(&Open::ColumnGroup);
        if is_open {
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        is_open
    }

    /// From "in table body" to "in table", for a tag that ends the former.
    fn leave_table_body(&mut self) -> Option<Made> {
        if !self.is_in_table_scope(Open::Table)
            && !self.is_in_table_scope(Open::Section(self.tags.tbody))
            && !self.is_in_table_scope(Open::Section(self.tags.tfoot))
        {
            return Some(Made::Nothing);
        }
        self.clear_to_table_body();
        self.stack.pop();
        self.mode = Mode::InTable;
        None
    }

    /// From "in row" to "in table body", where a row is open.
    fn leave_row(&mut self) -> Option<Made> {
        if !self.is_in_table_scope(Open::Row) {
            return Some(Made::Nothing);
        }
        self.clear_to_row();
        self.stack.pop();
        self.mode = Mode::InTableBody;
        None
    }

    /// From "in cell" to "in row", where a cell is open.
    fn leave_cell(&mut self) -> Option<Made> {
        let Some(at) = self.in_table_scope(|open| matches!(open, Open::Cell(_))) else {
            return Some(Made::Nothing);
        };
        self.stack.truncate(at);
        self.mode = Mode::InRow;
        None
    }

    /// From "in caption" to "in table", where a caption is open.
    fn leave_caption(&mut self) -> Option<Made> {
        let Some(at) = self.in_table_scope(|open| *open == Open::Caption) else {
            return Some(Made::Nothing);
        };
        self.stack.truncate(at);
        self.mode = Mode::InTable;
        None
    }
}

/// Whether a start tag is a part of a table, which ends the cell, row, section or caption that is
/// open; in a row and in a section what may be in them was looked at before.
fn is_part(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Caption | Kind::Column | Kind::ColumnGroup | Kind::Section | Kind::Row | Kind::Cell
    )
}
