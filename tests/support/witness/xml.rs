//! A reader of XML: tags, attributes, text and all the rest as they are spelled.

use std::collections::HashMap;

use super::values::{UNKNOWN_ENTITY, is_xml_space, pseudo_attribute};

/// A piece of an XML document. All of them together are the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event<'a> {
    pub(super) raw: &'a str,
    pub(super) kind: EventKind<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EventKind<'a> {
    Start {
        name: &'a str,
        /// Names and values, as spelled.
        attributes: Vec<(&'a str, &'a str)>,
        empty: bool,
    },
    End {
        name: &'a str,
    },
    Text,
    Cdata(&'a str),
    Comment(&'a str),
    Instruction {
        target: &'a str,
        contents: &'a str,
    },
    Doctype,
}

/// The pieces, or the place where it is no XML.
pub(super) fn read_events(text: &str) -> Result<Vec<Event<'_>>, String> {
    let mut events = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let event = read_event(&text[at..]).ok_or_else(|| format!("no XML at character {at}"))?;
        match &event.kind {
            EventKind::Start { name, empty, .. } if !empty => open.push(*name),
            EventKind::End { name } if open.pop() != Some(*name) => {
                return Err(format!("</{name}> closes nothing at character {at}"));
            }
            EventKind::Text if open.is_empty() => {
                let text = event.raw.trim_start_matches('\u{FEFF}');
                if !text.chars().all(is_xml_space) {
                    return Err(format!("text outside of elements at character {at}"));
                }
            }
            _ => {}
        }
        at += event.raw.len();
        events.push(event);
    }
    let any = events.iter().any(|event| matches!(event.kind, EventKind::Start { .. }));
    match open.last() {
        Some(name) => Err(format!("<{name}> is never closed")),
        None if !any => Err("no element".to_string()),
        None => Ok(events),
    }
}

fn read_event(rest: &str) -> Option<Event<'_>> {
    let delimited = |start: &str, end: &str| -> Option<(usize, &str)> {
        let inner = rest.strip_prefix(start)?;
        let length = inner.find(end)?;
        Some((start.len() + length + end.len(), &inner[..length]))
    };
    let (length, kind) = if !rest.starts_with('<') {
        (rest.find('<').unwrap_or(rest.len()), EventKind::Text)
    } else if rest.starts_with("<!--") {
        let (length, contents) = delimited("<!--", "-->")?;
        (length, EventKind::Comment(contents))
    } else if rest.starts_with("<![CDATA[") {
        let (length, contents) = delimited("<![CDATA[", "]]>")?;
        (length, EventKind::Cdata(contents))
    } else if rest.starts_with("<?") {
        let (length, contents) = delimited("<?", "?>")?;
        let (target, contents) =
            contents.split_at(contents.find(is_xml_space).unwrap_or(contents.len()));
        (length, EventKind::Instruction { target, contents })
    } else if rest.starts_with("<!DOCTYPE") {
        (doctype_length(rest)?, EventKind::Doctype)
    } else if let Some(inner) = rest.strip_prefix("</") {
        let (length, _) = delimited("</", ">")?;
        let name = inner[..length - 3].trim_end_matches(is_xml_space);
        (length, EventKind::End { name })
    } else {
        read_start_tag(rest)?
    };
    Some(Event { raw: &rest[..length], kind })
}

fn read_start_tag(rest: &str) -> Option<(usize, EventKind<'_>)> {
    let name_length = |text: &str| {
        text.find(|c| is_xml_space(c) || matches!(c, '=' | '/' | '>' | '<' | '"' | '\''))
            .filter(|&length| length > 0)
    };
    let name = &rest[1..1 + name_length(&rest[1..])?];
    let mut attributes = Vec::new();
    let mut at = 1 + name.len();
    loop {
        let spaced = rest[at..].trim_start_matches(is_xml_space);
        at = rest.len() - spaced.len();
        if spaced.starts_with('>') || spaced.starts_with("/>") {
            let empty = spaced.starts_with('/');
            let kind = EventKind::Start { name, attributes, empty };
            return Some((at + if empty { 2 } else { 1 }, kind));
        }
        let attribute = &spaced[..name_length(spaced)?];
        let value = spaced[attribute.len()..].trim_start_matches(is_xml_space);
        let value = value.strip_prefix('=')?.trim_start_matches(is_xml_space);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let value = &value[1..];
        let value = &value[..value.find(quote)?];
        if value.contains('<') || attributes.iter().any(|(known, _)| *known == attribute) {
            return None;
        }
        attributes.push((attribute, value));
        at = value.as_ptr() as usize - rest.as_ptr() as usize + value.len() + 1;
    }
}

fn doctype_length(rest: &str) -> Option<usize> {
    let mut subset = false;
    let mut at = 0;
    while let Some(next) = rest[at..].chars().next() {
        let tail = &rest[at..];
        at += match next {
            '>' if !subset => return Some(at + 1),
            '"' | '\'' => tail[1..].find(next)? + 2,
            '<' if tail.starts_with("<!--") => tail.find("-->")? + 3,
            '<' if tail.starts_with("<?") => tail.find("?>")? + 2,
            '[' | ']' => {
                subset = next == '[';
                1
            }
            _ => next.len_utf8(),
        };
    }
    None
}

/// The entities that the document type declares with their text.
pub(super) fn declared_entities<'a>(events: &[Event<'a>]) -> HashMap<&'a str, &'a str> {
    let doctype = events.iter().find(|event| event.kind == EventKind::Doctype);
    let mut entities = HashMap::new();
    let mut rest = doctype.map_or("", |event| event.raw);
    while let Some((_, after)) = rest.split_once("<!ENTITY") {
        rest = after;
        let mut words = after.splitn(2, ['"', '\'']);
        let (Some(name), Some(_)) = (words.next(), words.next()) else { break };
        let quote = after[name.len()..].chars().next().unwrap_or('"');
        let value = after[name.len() + 1..].split(quote).next().unwrap_or_default();
        let name = name.trim_matches(is_xml_space);
        // Not the ones in files of their own, nor those for the declarations themselves.
        if !name.contains(is_xml_space) && !name.contains('%') {
            entities.entry(name).or_insert(value);
        }
    }
    entities
}

/// What text or an attribute's value says.
pub(super) fn decode_text(
    raw: &str,
    in_attribute: bool,
    entities: &HashMap<&str, &str>,
    depth: usize,
) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        match next {
            '\r' | '\n' | '\t' => {
                if rest.starts_with("\r\n") {
                    length = 2;
                }
                text.push(match next {
                    _ if in_attribute => ' ',
                    '\r' => '\n',
                    _ => next,
                });
            }
            '&' => {
                let name = rest[1..].split(';').next().filter(|name| {
                    name.len() + 1 < rest.len() && !name.is_empty() && !name.contains(['&', ' '])
                });
                match name {
                    None => text.push('&'),
                    Some(name) => {
                        length = name.len() + 2;
                        push_entity(&mut text, name, in_attribute, entities, depth);
                    }
                }
            }
            _ => text.push(next),
        }
        rest = &rest[length..];
    }
    text
}

fn push_entity(
    text: &mut String,
    name: &str,
    in_attribute: bool,
    entities: &HashMap<&str, &str>,
    depth: usize,
) {
    let code = |digits: &str, radix: u32| {
        let code = u32::from_str_radix(digits, radix).ok();
        code.and_then(char::from_u32)
    };
    let character = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix("#x") {
            Some(digits) => code(digits, 16),
            None => name.strip_prefix('#').and_then(|digits| code(digits, 10)),
        },
    };
    match (character, entities.get(name)) {
        (Some(character), _) => text.push(character),
        (None, Some(value)) if depth < 8 && !value.contains('<') => {
            text.push_str(&decode_text(value, in_attribute, entities, depth + 1));
        }
        _ => {
            text.push(UNKNOWN_ENTITY);
            text.push_str(name);
            text.push(';');
        }
    }
}

/// The link of an `xml-stylesheet` instruction.
pub(super) fn stylesheet_href<'a>(event: &Event<'a>) -> Option<&'a str> {
    match event.kind {
        EventKind::Instruction { target: "xml-stylesheet", contents } => {
            pseudo_attribute(contents, "href")
        }
        _ => None,
    }
}

mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<EventKind<'_>> {
        let events = read_events(text).unwrap();
        let whole: String = events.iter().map(|event| event.raw).collect();
        assert_eq!(whole, text);
        events.into_iter().map(|event| event.kind).collect()
    }

    #[test]
    fn reads_events() {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"]>\"><!-- > -->]>\
            <a b = 'c' d:e=\"&lt;>\"\n><![CDATA[<x>]]><!--y--><z/>t</a >\n";
        let expected = [
            EventKind::Instruction { target: "xml", contents: " version='1.0'" },
            EventKind::Doctype,
            EventKind::Start {
                name: "a",
                attributes: vec![("b", "c"), ("d:e", "&lt;>")],
                empty: false,
            },
            EventKind::Cdata("<x>"),
            EventKind::Comment("y"),
            EventKind::Start { name: "z", attributes: vec![], empty: true },
            EventKind::Text,
            EventKind::End { name: "a" },
            EventKind::Text,
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn refuses_what_is_no_xml() {
        for text in [
            "", "x", "<a>", "<a></b>", "</a>", "<a", "<a b>", "<a b=c/>", "<a b='<'/>",
            "<a b='' b=''/>", "<a><!--</a>", "<a/>x", "<!DOCTYPE a", "< a/>",
        ] {
            assert!(read_events(text).is_err(), "{text}");
        }
    }

    #[test]
    fn decodes_entities() {
        let text = "<!DOCTYPE a [<!ENTITY b '&c;!'><!ENTITY c \"x\"><!ENTITY f SYSTEM 'y'>]><a/>";
        let entities = declared_entities(&read_events(text).unwrap());
        let decode = |raw| decode_text(raw, false, &entities, 0);
        assert_eq!(decode("&amp;&lt;&#65;&#x42;&b;&"), "&<AB\u{78}!&");
        assert_eq!(decode("&f;&nbsp;"), "\u{FFFF}f;\u{FFFF}nbsp;");
        assert_eq!(decode("a\r\nb\rc\t"), "a\nb\nc\t");
        assert_eq!(decode_text("a\r\nb\tc", true, &entities, 0), "a b c");
    }
}
