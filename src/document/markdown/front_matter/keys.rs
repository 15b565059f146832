//! Values of top-level keys of front matter: read, and added to lists.

use super::{FrontMatter, find};
use crate::document::data::DataLanguage;
use crate::document::{Span, TextEdit};

/// The line that gives a top-level key its value.
struct KeyLine {
    /// The bytes of the source after the colon or equals sign, up to the end of the line.
    value: Span,
    /// The start of the next line.
    end: usize,
}

/// The front matter of a document cannot be edited: its value is in a form that is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownForm;

/// The scalar value of the top-level `key` in the front matter of `source`, without its quotes; `None` if the front
/// matter does not have the key, or the value is empty, a list or a table.
pub fn scalar(source: &str, key: &str) -> Option<String> {
    let found = find(source)?;
    let line = line_of(source, &found, key)?;
    let text = line.value.of_str(source);
    let scalar = scalar_span(text)?;
    let text = unquoted(scalar.of_str(text));
    (!text.is_empty()).then_some(text)
}

/// Whether `source` has front matter.
pub fn exists(source: &str) -> bool {
    find(source).is_some()
}

/// A list that is the value of a top-level key, or one value, which stands for a list of one.
struct ItemList {
    items: Vec<Item>,
    form: ListForm,
    /// Where an item is added.
    end: usize,
}

struct Item {
    value: String,
    span: Span,
}

enum ListForm {
    /// `[a, b]`; whether a comma is at the end.
    Flow(bool),
    /// A line for each item, after this number of spaces. The spans of items are their lines.
    Block(usize),
    /// A value that is no list.
    Scalar,
}

/// `source` with `item` in the list of the top-level `key`, which is created if it is missing, and without `removed`.
///
/// # Errors
/// When the value of the key is in a form to which nothing can be added without a change of other bytes.
pub fn with_item(
    source: &str,
    key: &str,
    item: &str,
    removed: Option<&str>,
) -> Result<String, UnknownForm> {
    let apply = |edits: Vec<TextEdit>, text: &str| {
        let edits = edits.iter().rev();
        edits.fold(text.to_owned(), |text, edit| edit.apply(&text))
    };
    let text = match removed {
        Some(removed) => apply(removing(source, key, removed)?, source),
        None => source.to_owned(),
    };
    Ok(apply(adding(&text, key, item)?, &text))
}

fn adding(source: &str, key: &str, item: &str) -> Result<Vec<TextEdit>, UnknownForm> {
    let end = line_end(source);
    let item_text = quoted(item);
    let Some(found) = find(source) else {
        // JSON is front matter of some generators, too.
        let start = source.len() - source.trim_start_matches('\u{FEFF}').len();
        if source.get(start..).is_some_and(|it| it.starts_with('{')) {
            return Err(UnknownForm);
        }
        let text = format!("---{end}{key}:{end}  - {item_text}{end}---{end}");
        return Ok(vec![TextEdit::new(start..start, text)]);
    };
    let Some(line) = line_of(source, &found, key) else {
        let (at, text) = match found.language {
            DataLanguage::Yaml => (
                found.content.end,
                format!("{key}:{end}  - {item_text}{end}"),
            ),
            // After a table, it would be a key of the table.
            DataLanguage::Toml => (found.content.start, format!("{key} = [{item_text}]{end}")),
        };
        return Ok(vec![TextEdit::new(at..at, text)]);
    };
    let list = list_at(source, &found, &line)?;
    if list.items.iter().any(|it| it.value == item) {
        return Ok(Vec::new());
    }
    let text = match list.form {
        ListForm::Flow(true) => format!(" {item_text}"),
        ListForm::Flow(false) if list.items.is_empty() => item_text,
        ListForm::Flow(false) => format!(", {item_text}"),
        ListForm::Block(indent) => format!("{}- {item_text}{end}", " ".repeat(indent)),
        ListForm::Scalar => format!(", {item_text}]"),
    };
    let added = TextEdit::new(list.end..list.end, text);
    Ok(match (list.form, list.items.first()) {
        (ListForm::Scalar, Some(first)) => {
            let start = first.span.start;
            vec![TextEdit::new(start..start, "["), added]
        }
        _ => vec![added],
    })
}

fn removing(source: &str, key: &str, removed: &str) -> Result<Vec<TextEdit>, UnknownForm> {
    let Some(found) = find(source) else {
        return Ok(Vec::new());
    };
    let Some(line) = line_of(source, &found, key) else {
        return Ok(Vec::new());
    };
    let list = list_at(source, &found, &line)?;
    let Some(at) = list.items.iter().position(|it| it.value == removed) else {
        return Ok(Vec::new());
    };
    let span_of = |at: usize| list.items.get(at).map(|it| it.span);
    let Some(span) = span_of(at) else {
        return Ok(Vec::new());
    };
    let before = at.checked_sub(1).and_then(span_of);
    Ok(vec![match (list.form, before, span_of(at + 1)) {
        (ListForm::Block(_), ..) => TextEdit::new(span, ""),
        (ListForm::Scalar, ..) => TextEdit::new(span, "[]"),
        (ListForm::Flow(_), Some(before), _) => TextEdit::new(before.end..span.end, ""),
        (ListForm::Flow(_), None, Some(next)) => TextEdit::new(span.start..next.start, ""),
        (ListForm::Flow(_), None, None) => TextEdit::new(span.start..list.end, ""),
    }])
}

/// An item as YAML and TOML read it.
fn quoted(item: &str) -> String {
    let escaped = item.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// The list that is the value of `line`; an empty one if there is no value.
fn list_at(source: &str, found: &FrontMatter, line: &KeyLine) -> Result<ItemList, UnknownForm> {
    let text = line.value.of_str(source);
    let start = line.value.start;
    let trimmed = text.trim_start();
    if trimmed.starts_with('[') {
        let at = start + text.len() - trimmed.len();
        return flow(source, at, found.content.end);
    }
    if found.language == DataLanguage::Toml {
        return Err(UnknownForm);
    }
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return block(source, line.end, found.content.end);
    }
    let scalar = scalar_span(text).ok_or(UnknownForm)?;
    Ok(ItemList {
        items: vec![Item {
            value: unquoted(scalar.of_str(text)),
            span: scalar.shifted(start),
        }],
        form: ListForm::Scalar,
        end: start + scalar.end,
    })
}

/// The list in brackets that starts at the byte `at` and ends before `limit`.
fn flow(source: &str, at: usize, limit: usize) -> Result<ItemList, UnknownForm> {
    let text = source.get(at..limit).unwrap_or_default();
    let mut items = Vec::new();
    let mut item_start = 1;
    let mut quote = None;
    let mut in_comment = false;
    // The end of the last byte that is neither white space nor in a comment.
    let mut end = 1;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        in_comment = match byte {
            b'\n' => false,
            b'#' => in_comment || quote.is_none(),
            _ => in_comment,
        };
        match (byte, quote) {
            _ if in_comment => continue,
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'[' | b'{', None) => return Err(UnknownForm),
            (b',' | b']', None) => {
                let item = text.get(item_start..end).unwrap_or_default();
                if let Some(span) = scalar_span(item) {
                    items.push(Item {
                        value: unquoted(span.of_str(item)),
                        span: span.shifted(at + item_start),
                    });
                }
                item_start = index + 1;
                if byte == b']' {
                    let before = text.get(..end).unwrap_or_default();
                    return Ok(ItemList {
                        items,
                        form: ListForm::Flow(before.ends_with(',')),
                        end: at + end,
                    });
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            end = index + 1;
        }
    }
    Err(UnknownForm)
}

/// The list of lines from the byte `at` on, before `limit`.
fn block(source: &str, at: usize, limit: usize) -> Result<ItemList, UnknownForm> {
    let text = source.get(at..limit).unwrap_or_default();
    let mut items = Vec::new();
    let (mut end, mut last, mut indent) = (at, at, None);
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let bare = line.trim_start_matches(' ');
        let value = bare.trim_end();
        let own_indent = line.len() - bare.len();
        if value.is_empty() || value.starts_with('#') {
            continue;
        }
        let value = value.strip_prefix('-');
        let Some(value) = value.filter(|it| it.is_empty() || it.starts_with(' ')) else {
            // The next key, or a table in place of the list.
            match own_indent > 0 {
                true => return Err(UnknownForm),
                false => break,
            }
        };
        if *indent.get_or_insert(own_indent) != own_indent {
            return Err(UnknownForm);
        }
        let scalar = scalar_span(value).ok_or(UnknownForm)?;
        items.push(Item {
            value: unquoted(scalar.of_str(value)),
            span: Span::from(start..end),
        });
        last = end;
    }
    Ok(ItemList {
        items,
        form: ListForm::Block(indent.unwrap_or(2)),
        end: last,
    })
}

/// The line of the top-level `key`.
fn line_of(source: &str, found: &FrontMatter, key: &str) -> Option<KeyLine> {
    let separator = match found.language {
        DataLanguage::Yaml => ':',
        DataLanguage::Toml => '=',
    };
    let mut at = found.content.start;
    for line in found.content.of_str(source).split_inclusive('\n') {
        let end = at + line.len();
        if found.language == DataLanguage::Toml && line.trim_start().starts_with('[') {
            return None;
        }
        let rest = line.strip_prefix(key).or_else(|| {
            let quoted = line.strip_prefix(['"', '\''])?.strip_prefix(key)?;
            quoted.strip_prefix(['"', '\''])
        });
        let rest =
            rest.and_then(|rest| rest.trim_start_matches([' ', '\t']).strip_prefix(separator));
        let is_value = |rest: &&str| {
            found.language == DataLanguage::Toml
                || rest.is_empty()
                || rest.starts_with([' ', '\t', '\r', '\n'])
        };
        if let Some(rest) = rest.filter(is_value) {
            let value = rest.trim_end_matches(['\r', '\n']);
            let start = end - rest.len();
            return Some(KeyLine {
                value: Span::from(start..start + value.len()),
                end,
            });
        }
        at = end;
    }
    None
}

/// The scalar in `text` with its quotes, without white space and a comment around it; `None` if it is empty, or starts
/// a list, a table, a block or an alias.
fn scalar_span(text: &str) -> Option<Span> {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?;
    let end = match rest.bytes().next()? {
        quote @ (b'"' | b'\'') => {
            let close = rest.get(1..)?.find(char::from(quote))?;
            close + 2
        }
        b'[' | b'{' | b'|' | b'>' | b'&' | b'*' | b'!' | b'#' => return None,
        _ => {
            let comment = rest.find(" #").unwrap_or(rest.len());
            rest.get(..comment)?.trim_end().len()
        }
    };
    Some(Span::from(start..start + end))
}

fn unquoted(scalar: &str) -> String {
    let inner = ['"', '\''].into_iter().find_map(|quote| {
        let rest = scalar.strip_prefix(quote)?;
        rest.strip_suffix(quote)
    });
    inner.unwrap_or(scalar).to_owned()
}

/// The line end of `source`.
fn line_end(source: &str) -> &'static str {
    match source.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_is_read_without_quotes_and_comments() {
        for (source, expected) in [
            ("---\nslug: a\n---\n", Some("a")),
            ("---\nslug: 'a b' # c\n---\n", Some("a b")),
            ("---\nx:\n  slug: a\n---\n", None),
            ("---\nslug:\n---\n", None),
            ("---\nslug: [a]\n---\n", None),
            ("---\n\"slug\" : /a/#b # c\r\n---\n", Some("/a/#b")),
            ("+++\nslug = \"a\"\n+++\n", Some("a")),
            ("+++\n[x]\nslug = \"a\"\n+++\n", None),
            ("slug: a\n", None),
        ] {
            assert_eq!(scalar(source, "slug").as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn items_are_added_to_every_form_of_a_list() {
        for (source, expected) in [
            ("x\n", Ok("---\naliases:\n  - \"/o/\"\n---\nx\n")),
            (
                "---\na: b\n---\nx",
                Ok("---\na: b\naliases:\n  - \"/o/\"\n---\nx"),
            ),
            (
                "---\r\na: b\r\n---\r\n",
                Ok("---\r\na: b\r\naliases:\r\n  - \"/o/\"\r\n---\r\n"),
            ),
            (
                "---\naliases: [/a/]\n---\n",
                Ok("---\naliases: [/a/, \"/o/\"]\n---\n"),
            ),
            (
                "---\naliases: []\n---\n",
                Ok("---\naliases: [\"/o/\"]\n---\n"),
            ),
            (
                "---\naliases: [\n  '/a,b]/', # c ]\n  /d/,\n]\n---\n",
                Ok("---\naliases: [\n  '/a,b]/', # c ]\n  /d/, \"/o/\"\n]\n---\n"),
            ),
            (
                "---\naliases: [\n  /a/ # c\n]\n---\n",
                Ok("---\naliases: [\n  /a/, \"/o/\" # c\n]\n---\n"),
            ),
            (
                "---\naliases:\n- /a/ # c\n- /b/\n\nx: y\n---\n",
                Ok("---\naliases:\n- /a/ # c\n- /b/\n- \"/o/\"\n\nx: y\n---\n"),
            ),
            (
                "---\naliases:\n    - /a/\nx: y\n---\n",
                Ok("---\naliases:\n    - /a/\n    - \"/o/\"\nx: y\n---\n"),
            ),
            (
                "---\naliases: /a/ # c\n---\n",
                Ok("---\naliases: [/a/, \"/o/\"] # c\n---\n"),
            ),
            (
                "+++\na = 1\n[b]\nc = 2\n+++\n",
                Ok("+++\naliases = [\"/o/\"]\na = 1\n[b]\nc = 2\n+++\n"),
            ),
            (
                "+++\naliases = ['/a/']\n+++\n",
                Ok("+++\naliases = ['/a/', \"/o/\"]\n+++\n"),
            ),
            (
                "---\naliases: [/o/]\n---\n",
                Ok("---\naliases: [/o/]\n---\n"),
            ),
            (
                "---\naliases: \"/o/\"\n---\n",
                Ok("---\naliases: \"/o/\"\n---\n"),
            ),
            (
                "---\naliases:\n  - /o/\n---\n",
                Ok("---\naliases:\n  - /o/\n---\n"),
            ),
            ("---\naliases: {a: b}\n---\n", Err(UnknownForm)),
            ("---\naliases:\n  a: b\n---\n", Err(UnknownForm)),
            ("{\"a\": 1}\n", Err(UnknownForm)),
        ] {
            let edited = with_item(source, "aliases", "/o/", None);
            assert_eq!(edited.as_deref(), expected.as_deref(), "{source}");
        }
    }
    #[test]
    fn an_item_is_removed_where_it_is() {
        for (source, expected) in [
            (
                "---\naliases: [/n/]\n---\n",
                "---\naliases: [\"/o/\"]\n---\n",
            ),
            (
                "---\naliases: [/n/, /b/]\n---\n",
                "---\naliases: [/b/, \"/o/\"]\n---\n",
            ),
            (
                "---\naliases: [/b/, '/n/']\n---\n",
                "---\naliases: [/b/, \"/o/\"]\n---\n",
            ),
            ("---\naliases: /n/\n---\n", "---\naliases: [\"/o/\"]\n---\n"),
            (
                "---\naliases:\n  - /n/\n  - /b/\nx: y\n---\n",
                "---\naliases:\n  - /b/\n  - \"/o/\"\nx: y\n---\n",
            ),
            (
                "---\naliases:\n  - /n/\n---\n",
                "---\naliases:\n  - \"/o/\"\n---\n",
            ),
        ] {
            let edited = with_item(source, "aliases", "/o/", Some("/n/"));
            assert_eq!(edited.as_deref(), Ok(expected), "{source}");
        }
    }
}
