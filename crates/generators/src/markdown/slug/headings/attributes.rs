//! The ids that authors give headings: `{#id}` and its kin, as each generator reads them.

use super::heading::{Attributes, Heading};
use super::text::without_directives;

/// pulldown-cmark's heading attributes, for mdBook: `{#id .class key=value}`.
pub(crate) fn pulldown(heading: &Heading<'_>) -> Option<Attributes> {
    let (line, start) = heading.last_line();
    let inner = line.strip_suffix('}')?;
    let open = inner.rfind(['{', '}', '<', '>', '\\'])?;
    let list = inner.get(open..)?.strip_prefix('{')?;
    let words = list.split_ascii_whitespace();
    let named = |word: &str| Some(word.strip_prefix("id=")?.to_owned());
    let marked = |word: &str| Some(word.strip_prefix('#')?.to_owned());
    let id = words
        .clone()
        .filter_map(marked)
        .rfind(|id| !id.is_empty())
        .or_else(|| words.filter_map(named).next_back());
    Some(Attributes { start: start + open, id })
}

/// Docusaurus (`parseMarkdownHeadingId`): `{#id}`, where the id is anything but `{#` and `}`; and an MDX comment,
/// `{/* #id */}`.
pub(crate) fn docusaurus(heading: &Heading<'_>) -> Option<Attributes> {
    // A comment may look like emphasis: `{/*#id*/}`.
    let raw = heading.raw();
    let comment = raw.strip_suffix('}').and_then(|it| it.trim_end().strip_suffix("*/"));
    let (before, start, id) = match comment {
        Some(comment) => {
            let (before, comment) = comment.rsplit_once("/*")?;
            let before = before.trim_end().strip_suffix('{')?;
            let id = comment.trim().strip_prefix('#')?;
            (before, heading.content.start, id.split(' ').next()?.to_owned())
        }
        None => {
            let (text, start) = heading.escaped_tail();
            let (before, id) = text.strip_suffix('}')?.rsplit_once("{#")?;
            let id = without_directives(id).replace('\\', "");
            (before.strip_suffix('\\').unwrap_or(before), start, id.trim().to_owned())
        }
    };
    let is_id = !id.is_empty() && !id.contains(['}', '\n']);
    is_id.then_some(Attributes { start: start + before.len(), id: Some(id) })
}

/// Python-Markdown's attr_list: ` {#id}`, ` {: #id .class key="value"}`.
pub(crate) fn attr_list(heading: &Heading<'_>) -> Option<Attributes> {
    let (text, start) = heading.tail();
    let inner = text.trim_end_matches(' ').strip_suffix('}')?;
    let (open, list) = inner.match_indices(" {").find_map(|(space, _)| {
        let list = &inner[space + 2..];
        let list = list.strip_prefix(':').unwrap_or(list).trim_start_matches(' ');
        let is_list = !list.is_empty() && !list.starts_with('}') && !list.contains('\n');
        is_list.then_some((space + 1, list))
    })?;
    let (id, rest) = attr_list_id(list)?;
    if rest.contains('}') {
        return None;
    }
    Some(Attributes { start: start + open, id })
}

/// Python-Markdown: the list that `text` starts with, its length and its id.
pub(in crate::markdown) fn attr_list_at(text: &str) -> Option<(usize, Option<String>)> {
    let list = text.strip_prefix('{')?;
    let list = list.strip_prefix(':').unwrap_or(list);
    let line = list.lines().next().filter(|line| !line.trim_start_matches(' ').starts_with('}'))?;
    let (id, rest) = attr_list_id(line)?;
    let rest = rest.trim_start_matches(' ').strip_prefix('}')?;
    let after = list.get(line.len()..).unwrap_or_default().len() + rest.len();
    Some((text.len() - after, id))
}

/// The id in what follows the brace of a list, and what follows the words of the list.
fn attr_list_id(list: &str) -> Option<(Option<String>, &str)> {
    let mut id = None;
    let mut rest = list;
    loop {
        rest = rest.trim_start_matches(' ');
        let (word, after) = rest.split_at(rest.find([' ', '=', '}']).unwrap_or(rest.len()));
        if word.is_empty() {
            break;
        }
        let (value, after) = match after.strip_prefix('=') {
            Some(value) => attr_list_value(value)?,
            None => ("", after),
        };
        match word.strip_prefix('#') {
            Some(word) if value.is_empty() => id = Some(word.to_owned()),
            _ if word == "id" && !value.is_empty() => id = Some(value.to_owned()),
            _ => (),
        }
        rest = after;
    }
    Some((id, rest))
}

/// The value that `text` starts with, and the rest.
fn attr_list_value(text: &str) -> Option<(&str, &str)> {
    for quote in ['"', '\''] {
        if let Some(value) = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return Some(value);
        }
    }
    let end = text.find([' ', '=', '}']).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// markdown-it-attrs, for VitePress: `{#id .class key=value}`, and any other braces around something.
pub(crate) fn markdown_it(heading: &Heading<'_>) -> Option<Attributes> {
    let (text, start) = heading.tail();
    let rest = if heading.follows_element(start) { after_markdown_it_lists(text) } else { text };
    let open = rest.rfind('{')?;
    let list = rest[open..].strip_prefix('{')?.strip_suffix('}')?;
    if list.get(1..).is_some_and(|rest| rest.contains('}')) {
        return None;
    }
    let start = start + text.len() - rest.len() + open;
    markdown_it_list(list).map(|id| Attributes { start, id })
}

/// markdown-it-attrs with the delimiters `%{` and `}%`, as sites of Vue have them.
pub(crate) fn markdown_it_percent(heading: &Heading<'_>) -> Option<Attributes> {
    let (text, start) = heading.tail();
    let (before, list) = text.strip_suffix("}%")?.rsplit_once("%{")?;
    markdown_it_list(list).map(|id| Attributes { start: start + before.len(), id })
}

/// Returns the text after the attribute lists that `text` starts with: they are those of what stands before.
pub(super) fn after_markdown_it_lists(mut text: &str) -> &str {
    let first_list = |text: &str| {
        let rest = text.strip_prefix('{')?;
        let first = rest.chars().next()?.len_utf8();
        let end = first + rest.get(first..)?.find('}')?;
        Some((rest.get(..end)?.to_owned(), rest.len() - end - 1))
    };
    while let Some((list, left)) = first_list(text)
        && let Some(rest) = text.get(text.len() - left..)
        && !rest.starts_with('}')
        && markdown_it_list(&list).is_some()
    {
        text = rest;
    }
    text
}

/// markdown-it-attrs: the list that `text` starts with, its length and its id.
pub(in crate::markdown) fn markdown_it_at(text: &str) -> Option<(usize, Option<String>)> {
    let (list, _) = text.strip_prefix('{')?.split_once('}')?;
    Some((list.len() + 2, markdown_it_list(list)?))
}

/// Returns the id of what markdown-it-attrs takes for an attribute list: the text between two braces.
pub(super) fn markdown_it_list(list: &str) -> Option<Option<String>> {
    if list.is_empty() || list == "#" || list == "." {
        return None;
    }
    let value = |word| str::strip_prefix(word, '#').or_else(|| word.strip_prefix("id="));
    let id = list.split(' ').find_map(value);
    Some(id.map(|id| id.trim_matches('"').to_owned()))
}

/// goldmark (`parseLastLineAttributes`): `{#id .class key="value"}`, the values as in JSON.
pub(crate) fn goldmark(heading: &Heading<'_>) -> Option<Attributes> {
    let (line, start) = heading.last_line();
    if line.len() > MAX_LINE {
        return None;
    }
    let mut rest = line;
    loop {
        rest = rest.get(rest.find(['\\', '{'])?..)?;
        if let Some(escaped) = rest.strip_prefix('\\') {
            rest =
                escaped.strip_prefix(|next: char| next.is_ascii_punctuation()).unwrap_or(escaped);
            continue;
        }
        let open = start + line.len() - rest.len();
        let mut list = List { rest };
        if let Some(id) = list.parse(0)
            && list.rest.trim().is_empty()
        {
            return Some(Attributes { start: open, id });
        }
        rest = &rest[1..];
    }
}

/// goldmark: the list that `text` starts with, its length and its id.
pub(in crate::markdown) fn goldmark_list(text: &str) -> Option<(usize, Option<String>)> {
    let mut list = List { rest: text.get(..text.len().min(MAX_LINE))? };
    let id = list.parse(0)?;
    Some((text.len().min(MAX_LINE) - list.rest.len(), id))
}

/// How long a line with a list of goldmark can be: each brace may start one that goes on to the end.
const MAX_LINE: usize = 8192;

/// How deep lists in the values of lists are read.
const MAX_DEPTH: usize = 32;

/// A reader of goldmark's attribute lists (`ParseAttributes`).
struct List<'a> {
    rest: &'a str,
}

impl<'a> List<'a> {
    /// Reads `{…}`, and gives the id in it.
    fn parse(&mut self, depth: usize) -> Option<Option<String>> {
        self.take("{").filter(|()| depth < MAX_DEPTH)?;
        let mut id = None;
        while self.take("}").is_none() {
            self.skip_space();
            if self.take("#").is_some() {
                id = Some(self.shorthand().to_owned());
            } else if self.take(".").is_some() {
                self.shorthand();
            } else {
                let name = self.name()?;
                self.skip_space();
                self.take("=")?;
                let value = self.value(depth)?;
                if name == "id" {
                    id = Some(value);
                }
            }
            self.skip_space();
            if self.take(",").is_some() {
                self.skip_space();
            }
        }
        Some(id)
    }

    fn take(&mut self, start: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(start)?;
        Some(())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !accept(character));
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn shorthand(&mut self) -> &'a str {
        self.take_while(|character| match character {
            '_' | '-' | ':' | '.' => true,
            _ => !character.is_ascii_whitespace() && !character.is_ascii_punctuation(),
        })
    }

    fn name(&mut self) -> Option<&'a str> {
        let starts = |first: char| first.is_ascii_alphabetic() || first == '_' || first == ':';
        self.rest.starts_with(starts).then(|| {
            self.take_while(|character| {
                character.is_ascii_alphanumeric() || "_:.-".contains(character)
            })
        })
    }

    /// A value; those that are not texts are empty.
    fn value(&mut self, depth: usize) -> Option<String> {
        self.skip_space();
        let first = self.rest.chars().next()?;
        match first {
            '{' => self.parse(depth + 1).map(|_| String::new()),
            '[' => self.array(depth + 1).map(|()| String::new()),
            '"' => self.string(),
            '+' | '-' | '0'..='9' => {
                self.take_while(|character| "+-.0123456789eE".contains(character));
                Some(String::new())
            }
            _ => self.name().map(str::to_owned),
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.take("[").filter(|()| depth < MAX_DEPTH)?;
        if self.take("]").is_some() {
            return Some(());
        }
        loop {
            self.value(depth)?;
            self.skip_space();
            if self.take("]").is_some() {
                return Some(());
            }
            self.take(",")?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut value = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((place, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[place + 1..];
                    return Some(value);
                }
                '\\' => value.push(characters.next()?.1),
                _ => value.push(character),
            }
        }
        None
    }
}

/// kramdown (`HEADER_ID`): ` {#id}`.
pub(crate) fn kramdown(heading: &Heading<'_>) -> Option<Attributes> {
    let (line, start) = heading.last_line();
    let (before, id) = line.strip_suffix('}')?.rsplit_once("{#")?;
    let is_name = |character: char| character.is_alphanumeric() || "_:-.·".contains(character);
    let starts =
        |character: char| character.is_alphabetic() || character == '_' || character == ':';
    if !before.ends_with([' ', '\t']) || !id.starts_with(starts) || !id.chars().all(is_name) {
        return None;
    }
    Some(Attributes { start: start + before.len(), id: Some(id.to_owned()) })
}

/// kramdown: the id in the lines of attributes, `{: #id}`, directly after the heading, or directly before it and
/// after a blank line.
pub(crate) fn kramdown_lines(heading: &Heading<'_>) -> Option<String> {
    let end = heading.range.end;
    let after = heading.source.get(end..).unwrap_or_default();
    let after = if heading.source_of(&heading.range).ends_with('\n') {
        after
    } else {
        after.split_once('\n').map_or("", |(_, rest)| rest)
    };
    let lists_after: Vec<_> = after.lines().map_while(attribute_line).collect();
    let before = lines_before(heading);
    let lists_before: Vec<_> = before.clone().map_while(attribute_line).collect();
    let is_separate = before.clone().nth(lists_before.len()).is_none_or(is_blank);
    let lists_before = if is_separate { lists_before } else { Vec::new() };
    let mut lists = lists_after.iter().rev().chain(&lists_before);
    lists.find_map(|list| kramdown_id(list))
}

/// MyST: the labels, `(label)=`, on lines above the heading, the nearest first.
pub(super) fn myst_labels<'a>(heading: &Heading<'a>) -> Vec<&'a str> {
    let lines = lines_before(heading).filter(|line| !is_blank(line));
    let lines = lines.skip_while(|line| myst_line(line).is_some());
    lines.map_while(myst_label).collect()
}

/// MyST's `attrs_block`: the id in the line `{#id}` above the heading.
pub(super) fn myst_id<'a>(heading: &Heading<'a>) -> Option<&'a str> {
    let words = myst_line(lines_before(heading).next()?)?.split_ascii_whitespace();
    words.filter_map(|word| word.strip_prefix('#')).next_back()
}

/// The list in a line of MyST that has nothing but attributes.
fn myst_line(line: &str) -> Option<&str> {
    let list = without_markers(line).trim_end().strip_prefix('{')?.strip_suffix('}')?;
    list.starts_with(['#', '.', ' ']).then_some(list)
}

/// Returns the label of the line `(label)=`.
pub(super) fn myst_label(line: &str) -> Option<&str> {
    let label = without_markers(line).trim_end().strip_prefix('(')?.strip_suffix(")=")?;
    let is_label = |byte: u8| byte.is_ascii_alphanumeric() || b"|@<>*./_-+: ".contains(&byte);
    let is_right = (1..=100).contains(&label.len()) && label.bytes().all(is_label);
    is_right.then_some(label)
}

/// The lines above the heading, the nearest first.
fn lines_before<'a>(heading: &Heading<'a>) -> impl Iterator<Item = &'a str> + Clone {
    let before = heading.source.get(..heading.range.start).unwrap_or_default();
    let end = before.rfind('\n').unwrap_or(0);
    before[..end].lines().rev()
}

/// `line` without the markers of block quotes.
fn without_markers(line: &str) -> &str {
    line.trim_start_matches(['>', ' ', '\t'])
}

fn is_blank(line: &str) -> bool {
    without_markers(line).trim_end().is_empty()
}

/// The list in a line of kramdown that has nothing but attributes.
fn attribute_line(line: &str) -> Option<&str> {
    let list = without_markers(line).trim_end().strip_prefix("{:")?.strip_suffix('}')?;
    (!list.starts_with([':', '/']) && !list.is_empty()).then_some(list)
}

/// kramdown: the list that `text` starts with, its length and its id.
pub(in crate::markdown) fn kramdown_list(text: &str) -> Option<(usize, Option<String>)> {
    let end = text.find('}')? + 1;
    let list = attribute_line(text.get(..end)?).filter(|_| text.starts_with('{'))?;
    Some((end, kramdown_id(list)))
}

/// The last id in a list of kramdown.
fn kramdown_id(list: &str) -> Option<String> {
    let id = |word: &str| {
        if let Some(value) = word.strip_prefix("id=") {
            return Some(value.trim_matches(['"', '\'']).to_owned());
        }
        let (_, id) = word.split_once('#')?;
        let end =
            id.find(|character: char| !character.is_alphanumeric() && !"_:-".contains(character));
        let id = &id[..end.unwrap_or(id.len())];
        id.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| id.to_owned())
    };
    list.split_ascii_whitespace().filter_map(id).next_back()
}
