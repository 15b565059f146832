//! Values of top-level keys of front matter: read, and added to lists.

use super::block::{FrontMatter, find};
use crate::data::{self, DataLanguage, Node, Scalar, Step};
use rehref_url::{Span, TextEdit, splice_text};

/// The error of front matter that cannot be edited, because the value of the key has a form that rehref does
/// not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownForm;

/// Calls `found` for each scalar value in the front matter of `source`, with the path of its keys. In malformed
/// front matter, finds no values, or only those before the error.
pub fn read(source: &str, found: impl FnMut(&[Step], &str)) {
    if let Some(front_matter) = find(source) {
        // The run reports the error.
        let text = front_matter.content.of_str(source);
        let _ = data::read(text, front_matter.language, found);
    }
}

/// Returns true if `source` has front matter.
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
    /// A value that is not a list.
    Scalar,
}

/// `source` with `item` in the list of the top-level `key`, which is created if it is missing, and without `removed`.
///
/// # Errors
/// Returns an error if the value of the key is in a form to which nothing can be added without a change of other
/// bytes.
pub fn with_item(
    source: &str,
    key: &str,
    item: &str,
    removed: Option<&str>,
) -> Result<String, UnknownForm> {
    let text = match removed {
        Some(removed) => splice_text(source, &removing(source, key, removed)?),
        None => source.to_owned(),
    };
    let edited = splice_text(&text, &adding(&text, key, item)?);
    let values = |text: &str| {
        let mut values: [Vec<(Vec<Step>, String)>; 2] = Default::default();
        read(text, |path, value| {
            let is_item = path.first().is_some_and(|step| step.is(key));
            let [items, others] = &mut values;
            let (list, path) = if is_item { (items, Vec::new()) } else { (others, path.to_vec()) };
            list.push((path, value.to_owned()));
        });
        values
    };
    let [mut items, others] = values(source);
    items.retain(|(_, value)| !value.is_empty() && Some(value.as_str()) != removed);
    if !items.iter().any(|(_, value)| value == item) {
        items.push((Vec::new(), item.to_owned()));
    }
    if values(&edited) == [items, others] { Ok(edited) } else { Err(UnknownForm) }
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
    let Some(list) = list_of(source, &found, key)? else {
        let (at, text) = match found.language {
            DataLanguage::Yaml => (found.content.end, format!("{key}:{end}  - {item_text}{end}")),
            // After a table, it would be a key of the table.
            DataLanguage::Toml => (found.content.start, format!("{key} = [{item_text}]{end}")),
            DataLanguage::JavaScript => return Err(UnknownForm),
        };
        return Ok(vec![TextEdit::new(at..at, text)]);
    };
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
    let list = find(source).map_or(Ok(None), |found| list_of(source, &found, key))?;
    let Some(list) = list else { return Ok(Vec::new()) };
    let mut items = list.items.iter().enumerate();
    let Some((at, Item { span, .. })) = items.find(|(_, it)| it.value == removed) else {
        return Ok(Vec::new());
    };
    let span_of = |at: usize| list.items.get(at).map(|it| it.span);
    let (span, before) = (*span, at.checked_sub(1).and_then(span_of));
    Ok(vec![match (&list.form, before, span_of(at + 1)) {
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

/// The nodes of the front matter that belong to a key.
#[derive(Default)]
struct KeyNodes {
    names: Vec<Span>,
    list: Option<Span>,
    list_end: Option<Span>,
    /// The value that is not a list, or the items of one: in one line, or `None`.
    values: Vec<Option<Item>>,
    /// Whether it has values in values.
    is_deep: bool,
}

/// The words that are not values in YAML.
const NULL: &[&str] = &["~", "null", "Null", "NULL"];

/// The list that is the value of the top-level `key`; `None` without the key.
fn list_of(source: &str, found: &FrontMatter, key: &str) -> Result<Option<ItemList>, UnknownForm> {
    let start = found.content.start;
    let mut nodes = KeyNodes::default();
    let text = found.content.of_str(source);
    let result = data::nodes(text, found.language, |path, node| {
        let Some((_, rest)) = path.split_first().filter(|(first, _)| first.is(key)) else { return };
        match (rest, node) {
            ([], Node::Name(span)) => nodes.names.push(span.shifted(start)),
            ([], Node::ListStart(span)) => nodes.list = Some(span.shifted(start)),
            ([], Node::ListEnd(span)) => nodes.list_end = Some(span.shifted(start)),
            ([] | [Step::Item(_)], Node::Scalar { value, whole, string }) => {
                nodes.values.push(string.and_then(Scalar::whole).map(|string| Item {
                    value: value.into_owned(),
                    span: Span::from(whole.start..string.end).shifted(start),
                }))
            }
            _ => nodes.is_deep = true,
        }
    });
    let name = match (nodes.names.as_slice(), result) {
        ([name], Ok(())) if !nodes.is_deep => *name,
        ([], Ok(())) if !nodes.is_deep => return Ok(None),
        _ => return Err(UnknownForm),
    };
    let is_list = nodes.list.is_some();
    if !is_list && is_without_value(source, name) {
        return Ok(Some(ItemList {
            items: Vec::new(),
            form: ListForm::Block(2),
            end: end_of_line(source, name.end),
        }));
    }
    let items: Option<Vec<Item>> = nodes.values.into_iter().collect();
    let items = items.ok_or(UnknownForm)?;
    match (nodes.list, nodes.list_end) {
        (Some(list), Some(end)) if list.of_str(source).starts_with('[') => {
            flow(source, list, end, items)
        }
        (Some(_), _) => block(source, items),
        (None, _) => match items.first() {
            Some(item) if !NULL.contains(&item.span.of_str(source)) => {
                Ok(ItemList { end: item.span.end, items, form: ListForm::Scalar })
            }
            _ => Err(UnknownForm),
        },
    }
    .map(Some)
}

/// Returns true if nothing but a comment follows the `name` of a member, in its line, after the colon.
fn is_without_value(source: &str, name: Span) -> bool {
    let line = source.get(name.end..end_of_line(source, name.end));
    let rest = line.unwrap_or_default().trim_start_matches(['"', '\'']);
    let rest = rest.trim_start().strip_prefix(':').map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

/// The byte after the line end that follows the byte `at`.
fn end_of_line(source: &str, at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    at + rest.find('\n').map_or(rest.len(), |end| end + 1)
}

/// The list in brackets that begins with `start` and ends with `end`.
fn flow(source: &str, start: Span, end: Span, items: Vec<Item>) -> Result<ItemList, UnknownForm> {
    let last = items.last().map_or(start.start + 1, |it| it.span.end);
    let mut rest = source.get(last..end.start).ok_or(UnknownForm)?;
    while let Some(comment) = rest.trim_start().strip_prefix('#') {
        rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
    }
    let rest = rest.trim_start();
    let has_comma = rest.starts_with(',');
    let end = if has_comma { end.start - rest.len() + 1 } else { last };
    Ok(ItemList { items, form: ListForm::Flow(has_comma), end })
}

/// The list with a line for each of `items`.
fn block(source: &str, mut items: Vec<Item>) -> Result<ItemList, UnknownForm> {
    let mut indent = None;
    for item in &mut items {
        let before = source.get(..item.span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let dash = before.get(start..).unwrap_or_default().trim_end_matches(' ');
        let spaces = dash.strip_suffix('-').ok_or(UnknownForm)?;
        let is_indent = spaces.bytes().all(|it| it == b' ');
        if !is_indent || *indent.get_or_insert(spaces.len()) != spaces.len() {
            return Err(UnknownForm);
        }
        item.span = Span::from(start..end_of_line(source, item.span.end));
    }
    let last = items.last().ok_or(UnknownForm)?;
    Ok(ItemList { end: last.span.end, form: ListForm::Block(indent.unwrap_or_default()), items })
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
    fn items_are_added_to_every_form_of_a_list() {
        for (source, expected) in [
            ("x\n", Ok("---\naliases:\n  - \"/o/\"\n---\nx\n")),
            ("---\na: b\n---\nx", Ok("---\na: b\naliases:\n  - \"/o/\"\n---\nx")),
            ("---\r\na: b\r\n---\r\n", Ok("---\r\na: b\r\naliases:\r\n  - \"/o/\"\r\n---\r\n")),
            ("---\naliases: [/a/]\n---\n", Ok("---\naliases: [/a/, \"/o/\"]\n---\n")),
            ("---\naliases: []\n---\n", Ok("---\naliases: [\"/o/\"]\n---\n")),
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
            ("---\naliases: /a/ # c\n---\n", Ok("---\naliases: [/a/, \"/o/\"] # c\n---\n")),
            (
                "+++\na = 1\n[b]\nc = 2\n+++\n",
                Ok("+++\naliases = [\"/o/\"]\na = 1\n[b]\nc = 2\n+++\n"),
            ),
            ("+++\naliases = ['/a/']\n+++\n", Ok("+++\naliases = ['/a/', \"/o/\"]\n+++\n")),
            ("---\naliases: [/o/]\n---\n", Ok("---\naliases: [/o/]\n---\n")),
            ("---\naliases: \"/o/\"\n---\n", Ok("---\naliases: \"/o/\"\n---\n")),
            ("---\naliases:\n  - /o/\n---\n", Ok("---\naliases:\n  - /o/\n---\n")),
            ("+++\naliases = '/a/'\n+++\n", Ok("+++\naliases = ['/a/', \"/o/\"]\n+++\n")),
            (
                "---\n\"aliases\" : # x\ny: z\n---\n",
                Ok("---\n\"aliases\" : # x\n  - \"/o/\"\ny: z\n---\n"),
            ),
            (
                "---\naliases: [ '/a/' # b\n  , # c\n  ]\n---\n",
                Ok("---\naliases: [ '/a/' # b\n  , \"/o/\" # c\n  ]\n---\n"),
            ),
            ("---\naliases: {a: b}\n---\n", Err(UnknownForm)),
            ("---\naliases: {}\n---\n", Err(UnknownForm)),
            ("---\naliases: ~\n---\n", Err(UnknownForm)),
            ("---\naliases: |\n  /a/\n---\n", Err(UnknownForm)),
            ("---\naliases:\n- [/a/]\n---\n", Err(UnknownForm)),
            ("---\n{a: b}\n---\n", Err(UnknownForm)),
            ("---\na: b: c\n---\n", Err(UnknownForm)),
            ("+++\n[aliases]\n+++\n", Err(UnknownForm)),
            ("+++\naliases.x = 1\n+++\n", Err(UnknownForm)),
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
            ("---\naliases: [/n/]\n---\n", "---\naliases: [\"/o/\"]\n---\n"),
            ("---\naliases: [/n/, /b/]\n---\n", "---\naliases: [/b/, \"/o/\"]\n---\n"),
            ("---\naliases: [/b/, '/n/']\n---\n", "---\naliases: [/b/, \"/o/\"]\n---\n"),
            ("---\naliases: /n/\n---\n", "---\naliases: [\"/o/\"]\n---\n"),
            (
                "---\naliases:\n  - /n/\n  - /b/\nx: y\n---\n",
                "---\naliases:\n  - /b/\n  - \"/o/\"\nx: y\n---\n",
            ),
            ("---\naliases:\n  - /n/\n---\n", "---\naliases:\n  - \"/o/\"\n---\n"),
        ] {
            let edited = with_item(source, "aliases", "/o/", Some("/n/"));
            assert_eq!(edited.as_deref(), Ok(expected), "{source}");
        }
    }
}
