//! A document being written, which knows where everything in it stands.

use super::Row;

/// A document as text, and what is planted in it.
///
/// A planted reference stands in the text as `⟦check;element;attribute|reference⟧`, where it is
/// escaped as its place wants it, or `⟦check;element;attribute⟧` if there is none; several checks are joined by `+`, and there may be none. A `¤` is a number that no other
/// piece of the same document has.
pub struct Writer {
    path: String,
    text: String,
    newline: &'static str,
    line: usize,
    column: usize,
    pieces: usize,
    /// What is written is marked as to be ignored.
    pub is_muted: bool,
    pub rows: Vec<Row>,
    /// What would be found if it were not marked.
    pub muted: Vec<Row>,
}

impl Writer {
    pub fn new(path: &str, newline: &'static str) -> Writer {
        Writer {
            path: path.to_owned(),
            text: String::new(),
            newline,
            line: 1,
            column: 1,
            pieces: 0,
            is_muted: false,
            rows: Vec::new(),
            muted: Vec::new(),
        }
    }

    /// A piece of the document, with marks.
    pub fn piece(&mut self, piece: &str) {
        self.pieces += 1;
        let piece = piece.replace('¤', &self.pieces.to_string());
        let mut rest = piece.as_str();
        while let Some((before, marked)) = rest.split_once('⟦') {
            self.put(before);
            let (mark, after) = marked.split_once('⟧').unwrap();
            let (what, raw) = match mark.split_once('|') {
                Some((what, raw)) => (what, Some(raw)),
                None => (mark, None),
            };
            let fields: Vec<&str> = what.split(';').collect();
            let [checks, element, attribute] = fields[..] else {
                panic!("{mark}");
            };
            for check in checks.split('+').filter(|check| !check.is_empty()) {
                let row = Row {
                    check: check.to_owned(),
                    document: self.path.clone(),
                    line: Some(self.line),
                    column: Some(self.column),
                    element: element.to_owned(),
                    attribute: attribute.to_owned(),
                    reference: raw.map(unescape),
                };
                if self.is_muted { self.muted.push(row) } else { self.rows.push(row) }
            }
            self.put(raw.unwrap_or_default());
            rest = after;
        }
        self.put(rest);
    }

    fn put(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                self.text.push_str(self.newline);
                self.line += 1;
                self.column = 1;
            } else {
                self.text.push(c);
                self.column += 1;
            }
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// For an attribute in double quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

fn unescape(raw: &str) -> String {
    raw.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&")
}
