//! Blocks of headers (RFC 822, HTTP): the names and values, with their spans.

use memchr::memchr;

use crate::encoding::byte_order_mark;
use rehref_url::Span;

/// The parsed headers of a message or an HTTP response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// The status code of the response, if a status line of HTTP comes before the first header.
    pub status: Option<u16>,
    /// The headers, in order.
    pub fields: Vec<HeaderField>,
    /// The offset at which the content begins: after the empty line, or at the end without one.
    pub body: usize,
    /// True if an empty line ends the headers; false if the message ends within them.
    pub is_ended: bool,
    /// The offset of the first line that neither is a header nor continues one. Such lines are skipped.
    pub malformed: Option<usize>,
}

/// A header: `Content-Type: text/html;\r\n charset=utf-8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderField {
    pub name: Span,
    /// The value, with the line ends of its folding, without white space around it.
    pub value: Span,
}

impl Headers {
    /// Parses the headers at the start of the bytes `range` of `source`, and the status line before
    /// them. Lines end with CRLF or LF. All spans count from the start of `source`.
    pub fn parse(source: &[u8], range: impl Into<Span>) -> Headers {
        let Span { mut start, end } = within(source, range);
        // Editors put a byte order mark before the first name.
        if start == 0 {
            start = byte_order_mark(Span::from(0..end).of(source));
        }
        let status = status_code(source, start..end);
        if status.is_some() {
            start = line_end(source, start..end).1;
        }
        Headers { status, ..Headers::without_status(source, start..end) }
    }

    /// Parses the HTTP response that `source` begins with; `None` without a status line.
    pub fn response(source: &[u8]) -> Option<Headers> {
        Some(Headers::parse(source, 0..source.len())).filter(|headers| headers.status.is_some())
    }

    /// As [`Headers::parse`], but without a status line.
    pub fn without_status(source: &[u8], range: impl Into<Span>) -> Headers {
        let Span { mut start, end } = within(source, range);
        let mut headers = Headers::default();
        // Whether the lines so far end with a header, which the next line may continue.
        let mut is_in_field = false;
        while start < end {
            let (content_end, next) = line_end(source, start..end);
            let line = source.get(start..content_end).unwrap_or_default();
            if line.is_empty() {
                headers.is_ended = true;
                headers.body = next;
                return headers;
            }
            let is_continuation = matches!(line.first(), Some(b' ' | b'\t'));
            if !is_continuation {
                let field = HeaderField::parse(line, start);
                is_in_field = field.is_some();
                headers.fields.extend(field);
            } else if is_in_field && let Some(field) = headers.fields.last_mut() {
                field.append(line, start);
            }
            if !is_in_field {
                headers.malformed.get_or_insert(start);
            }
            start = next;
        }
        headers.body = end;
        headers
    }

    /// Returns the status code of the response; 0 without a status line.
    pub fn status_code(&self) -> u16 {
        self.status.unwrap_or(0)
    }

    /// Returns the first header of this name, in any letter case. `source` is the message that was parsed.
    pub fn get(&self, source: &[u8], name: &str) -> Option<&HeaderField> {
        self.fields.iter().find(|field| field.is(source, name))
    }

    /// Returns the value of the first header of this name, unfolded.
    pub fn value(&self, source: &[u8], name: &str) -> Option<String> {
        self.get(source, name).map(|field| field.unfolded(source))
    }
}

/// Returns the status code in the status line (`HTTP/1.1 301 Moved Permanently`) at the start of the bytes `range` of
/// `source`; `None` for anything else.
pub(super) fn status_code(source: &[u8], range: impl Into<Span>) -> Option<u16> {
    let range = range.into();
    let (end, _) = line_end(source, range);
    let rest = source.get(range.start..end)?.strip_prefix(b"HTTP/")?;
    let (version, rest) = rest.split_at_checked(memchr(b' ', rest)?)?;
    let is_version = version.first().is_some_and(u8::is_ascii_digit)
        && version.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let (digits, after) = (rest.get(1..4)?, rest.get(4));
    let is_code = digits.iter().all(u8::is_ascii_digit) && matches!(after, None | Some(b' '));
    let code = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_version && is_code).then_some(code)
}

impl HeaderField {
    /// Parses the header in `line`, which starts at `start`; `None` for anything else.
    fn parse(line: &[u8], start: usize) -> Option<HeaderField> {
        let colon = memchr(b':', line)?;
        let name = line.get(..colon)?.trim_ascii_end();
        let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
        let value = start + colon + 1;
        let mut field =
            HeaderField { name: Span::from(start..start + name.len()), value: Span::at(value) };
        field.append(line.get(colon + 1..)?, value);
        is_name.then_some(field)
    }

    /// Appends `line`, which starts at `start`, to the value.
    fn append(&mut self, line: &[u8], start: usize) {
        let trimmed = line.trim_ascii();
        if trimmed.is_empty() {
            return;
        }
        let leading = line.len() - line.trim_ascii_start().len();
        if self.value.start == self.value.end {
            self.value.start = start + leading;
        }
        self.value.end = start + leading + trimmed.len();
    }

    /// Returns true if the header has this name, in any letter case.
    pub fn is(&self, source: &[u8], name: &str) -> bool {
        self.name.of(source).eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value without its line ends (RFC 5322 section 2.2.3). Bytes that are not UTF-8 are replaced.
    pub fn unfolded(&self, source: &[u8]) -> String {
        let value = String::from_utf8_lossy(self.value.of(source));
        value.replace(['\r', '\n'], "")
    }
}

/// The bytes of `range` that `source` has.
fn within(source: &[u8], range: impl Into<Span>) -> Span {
    let range = range.into();
    let end = range.end.min(source.len());
    Span::from(range.start.min(end)..end)
}

/// Returns the end of the line at the start of a range of `source`, before and after its CRLF or LF.
pub fn line_end(source: &[u8], range: impl Into<Span>) -> (usize, usize) {
    let range = range.into();
    let Span { start, end } = range;
    let rest = range.of(source);
    let Some(length) = memchr(b'\n', rest) else { return (end, end) };
    let line = rest.get(..length).unwrap_or_default();
    let lf = start + length;
    (lf - usize::from(line.ends_with(b"\r")), lf + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(source: &str) -> (Headers, Vec<(String, String)>) {
        let headers = Headers::parse(source.as_bytes(), 0..source.len());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let fields = headers.fields.iter();
        let fields = fields
            .map(|field| {
                let source = source.as_bytes();
                (text(field.name.of(source)), text(field.value.of(source)))
            })
            .collect();
        (headers, fields)
    }

    #[test]
    fn a_block_ends_at_the_empty_line() {
        for (source, fields, body) in [
            ("A: b\r\nC: d\r\n\r\nx", &[("A", "b"), ("C", "d")][..], Some("x")),
            ("A: b\nC:d \n\nx", &[("A", "b"), ("C", "d")], Some("x")),
            ("A: b\r\n\t c \r\n\r\n", &[("A", "b\r\n\t c")], Some("")),
            ("A:\r\n b\r\n\r\n", &[("A", "b")], Some("")),
            ("A:\r\n\r\nx", &[("A", "")], Some("x")),
            ("A : b\n\n", &[("A", "b")], Some("")),
            ("A: b\n \n c\n\nx", &[("A", "b\n \n c")], Some("x")),
            ("\nA: b", &[], Some("A: b")),
            ("A: b\rC: d\n\n", &[("A", "b\rC: d")], Some("")),
            ("A: b\nC: d", &[("A", "b"), ("C", "d")], None),
            ("A: b", &[("A", "b")], None),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nx", &[("A", "b")], Some("x")),
            ("\u{feff}A: b\n\nx", &[("A", "b")], Some("x")),
            ("\u{feff}HTTP/2 200\nA: b\n\nx", &[("A", "b")], Some("x")),
            ("", &[], None),
        ] {
            let (headers, found) = table(source);
            let found: Vec<_> = found.iter().map(|(n, v)| (&**n, &**v)).collect();
            assert_eq!(found, fields, "{source:?}");
            assert_eq!(headers.malformed, None, "{source:?}");
            assert_eq!(headers.is_ended, body.is_some(), "{source:?}");
            assert_eq!(&source[headers.body..], body.unwrap_or(""), "{source:?}");
        }
    }

    #[test]
    fn the_first_malformed_line_is_found() {
        for (source, at, count) in [
            (" a\nB: c\n\n", 0, 1),
            ("A: b\nno header\n and more\nC: d\n\n", 5, 2),
            ("<p a=b:c>\n", 0, 0),
            (": x\n\n", 0, 0),
            ("ä: x\n\n", 0, 0),
        ] {
            let (headers, found) = table(source);
            assert_eq!((headers.malformed, found.len()), (Some(at), count), "{source:?}");
        }
    }

    #[test]
    fn a_status_line_has_a_version_and_three_digits() {
        for (source, code) in [
            ("HTTP/1.1 200 OK\r\n", Some(200)),
            ("HTTP/1.0 404\n", Some(404)),
            ("HTTP/2 301 \n", Some(301)),
            ("HTTP/1.1 2000 OK\n", None),
            ("HTTP/1.1 OK\n", None),
            ("HTTP/x 200 OK\n", None),
            ("HTTP is 200 years old\n", None),
            ("GET / HTTP/1.1\n", None),
            ("", None),
        ] {
            let headers = Headers::parse(source.as_bytes(), 0..source.len());
            let status = headers.status;
            assert_eq!(status, code, "{source:?}");
        }
    }

    #[test]
    fn names_in_any_case_and_values_unfolded() {
        let source = b"xx\nCONTENT-type: text/html;\r\n  charset=utf-8\r\ncontent-type: b\r\n\r\n";
        let headers = Headers::parse(source, 3..source.len());
        let value = headers.value(source, "Content-Type");
        assert_eq!(value.as_deref(), Some("text/html;  charset=utf-8"));
        assert_eq!(headers.get(source, "Content"), None);
        let cut = Headers::parse(source, 3..10);
        assert_eq!((cut.fields.len(), cut.malformed), (0, Some(3)));
    }
}
