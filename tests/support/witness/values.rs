//! The little languages of attribute values.

/// The pieces of `value` before, between and after the URLs, which are slices of it.
pub(super) fn around<'a>(value: &'a str, urls: &[&str]) -> Vec<&'a str> {
    let mut pieces = Vec::with_capacity(urls.len() + 1);
    let mut end = 0;
    for url in urls {
        let start = url.as_ptr() as usize - value.as_ptr() as usize;
        pieces.push(&value[end..start]);
        end = start + url.len();
    }
    pieces.push(&value[end..]);
    pieces
}

pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

/// As the URL parser trims: C0 controls and spaces.
pub(super) fn trim(value: &str) -> &str {
    value.trim_matches(|character| character <= ' ')
}

/// Markup of a template language, opened and closed.
pub(super) fn is_template_markup(value: &str) -> bool {
    const MARKUP: &[(&str, &str)] = &[
        ("{{", "}}"),
        ("{%", "%}"),
        ("{$", "}"),
        ("<%", "%>"),
        ("<?", "?>"),
        ("<!--#", "-->"),
        ("[%", "%]"),
        ("${", "}"),
        ("$(", ")"),
        ("$relpath", "^"),
    ];
    MARKUP.iter().any(|(open, close)| {
        value.find(open).is_some_and(|at| value[at + open.len()..].contains(close))
    })
}

pub(super) fn split_spaces(value: &str) -> Vec<&str> {
    value.split(is_space).filter(|item| !item.is_empty()).collect()
}

pub(super) fn split_commas(value: &str) -> Vec<&str> {
    value
        .split(',')
        .map(|item| item.trim_matches(is_space))
        .filter(|item| !item.is_empty())
        .collect()
}

/// The Standard's "parse a srcset attribute" up to the descriptors' strings: candidates that a
/// browser drops because their descriptors make no sense are here all the same.
pub(super) fn parse_srcset(value: &str) -> Vec<(&str, Vec<String>)> {
    let mut candidates = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|character| is_space(character) || character == ',');
        if rest.is_empty() {
            return candidates;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        let url = &rest[..end];
        rest = &rest[end..];
        if url.ends_with(',') {
            candidates.push((url.trim_end_matches(','), Vec::new()));
            continue;
        }
        rest = rest.trim_start_matches(is_space);
        let (descriptors, length) = tokenize_descriptors(rest);
        rest = &rest[length..];
        candidates.push((url, descriptors));
    }
}

/// The Standard's descriptor tokenizer; also how many bytes it has consumed.
pub(super) fn tokenize_descriptors(text: &str) -> (Vec<String>, usize) {
    enum State {
        InDescriptor,
        InParentheses,
        AfterDescriptor,
    }
    let mut state = State::InDescriptor;
    let mut descriptors = Vec::new();
    let mut current = String::new();
    let mut consumed = text.len();
    for (at, character) in text.char_indices() {
        if matches!(state, State::AfterDescriptor) {
            if is_space(character) {
                continue;
            }
            state = State::InDescriptor;
        }
        match state {
            State::InParentheses => {
                current.push(character);
                if character == ')' {
                    state = State::InDescriptor;
                }
            }
            _ if is_space(character) => {
                if !current.is_empty() {
                    descriptors.push(std::mem::take(&mut current));
                    state = State::AfterDescriptor;
                }
            }
            _ if character == ',' => {
                consumed = at + 1;
                break;
            }
            _ => {
                current.push(character);
                if character == '(' {
                    state = State::InParentheses;
                }
            }
        }
    }
    if !current.is_empty() {
        descriptors.push(current);
    }
    (descriptors, consumed)
}

/// The Standard's "shared declarative refresh steps": the time, and the URL if there is one.
pub(super) fn parse_refresh(value: &str) -> Option<(&str, Option<&str>)> {
    let input = value.trim_start_matches(is_space);
    let rest = input.trim_start_matches(|character: char| character.is_ascii_digit());
    let time = &input[..input.len() - rest.len()];
    if time.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let rest =
        rest.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    if rest.is_empty() {
        return Some((time, None));
    }
    if !rest.starts_with(|character| is_space(character) || matches!(character, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_start_matches(is_space);
    if rest.is_empty() {
        return Some((time, None));
    }
    let url = match skip_url_equals(rest) {
        Err(NotUrlEquals::OtherWord) => return Some((time, Some(rest))),
        Err(NotUrlEquals::NoWord) => rest,
        Ok(after) => after,
    };
    let quote = url.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
    let url = match quote {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    Some((time, Some(url)))
}

pub(super) enum NotUrlEquals {
    /// It does not begin with a `u`: look for a quote.
    NoWord,
    /// It begins with a `u`, but is not `url=`: a URL as it stands.
    OtherWord,
}

pub(super) fn skip_url_equals(text: &str) -> Result<&str, NotUrlEquals> {
    let rest = text.strip_prefix(['u', 'U']).ok_or(NotUrlEquals::NoWord)?;
    rest.strip_prefix(['r', 'R'])
        .and_then(|rest| rest.strip_prefix(['l', 'L']))
        .and_then(|rest| rest.trim_start_matches(is_space).strip_prefix('='))
        .map(|rest| rest.trim_start_matches(is_space))
        .ok_or(NotUrlEquals::OtherWord)
}

/// Stands for an entity that cannot be read; no document holds it otherwise.
pub(super) const UNKNOWN_ENTITY: char = '\u{FFFF}';

pub(super) fn is_xml_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The condition with its brackets, the HTML, and the end of a downlevel-hidden conditional
/// comment: the text of `<!--[if IE]><p><![endif]-->`.
pub(super) fn conditional_comment(text: &str) -> Option<(&str, &str, &str)> {
    if !text.get(..3)?.eq_ignore_ascii_case("[if") {
        return None;
    }
    let start = text.find("]>")? + 2;
    let end = text.to_ascii_lowercase().rfind("<![endif]")?;
    Some((&text[..start], text.get(start..end)?, &text[end..]))
}

/// The value of a pseudo-attribute of a processing instruction, as it is spelled.
pub(super) fn pseudo_attribute<'a>(contents: &'a str, wanted: &str) -> Option<&'a str> {
    let mut rest = contents;
    loop {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start_matches(is_xml_space);
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        if name.trim_matches(is_xml_space) == wanted {
            return Some(value);
        }
        rest = after;
    }
}
