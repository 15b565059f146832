//! Entities: the predefined ones, character references, and those that an internal DTD subset
//! declares (XML 1.0 sections 4.1, 4.2 and 4.6).

use std::borrow::Cow;
use std::collections::HashMap;

use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

/// A reference, and its length in bytes.
pub(super) enum Reference<'s> {
    /// A character reference, or a reference to a predefined entity.
    Character(char, usize),
    /// A reference to the entity of this name.
    Entity(&'s [u8], usize),
}

const PREDEFINED: &[(&[u8], char)] =
    &[(b"amp", '&'), (b"lt", '<'), (b"gt", '>'), (b"quot", '"'), (b"apos", '\'')];

/// Reads the reference at the start of `bytes`, which begins with `&`; `None` if it is malformed.
pub(super) fn reference(bytes: &[u8]) -> Option<Reference<'_>> {
    let after = bytes.get(1..)?;
    let end = memchr::memchr3(b';', b'&', b'<', after)?;
    let name = after.get(..end).filter(|_| after.get(end) == Some(&b';'))?;
    let length = name.len() + 2;
    if let Some(number) = name.strip_prefix(b"#") {
        let (digits, radix) = match number.strip_prefix(b"x") {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        if digits.is_empty() {
            return None;
        }
        let code_point = digits.iter().try_fold(0u32, |number, &b| {
            let digit = char::from(b).to_digit(radix)?;
            number.checked_mul(radix)?.checked_add(digit)
        })?;
        let character = char::from_u32(code_point).filter(|c| is_character(*c))?;
        return Some(Reference::Character(character, length));
    }
    if !is_name(name) {
        return None;
    }
    let predefined = PREDEFINED.iter().find(|(known, _)| *known == name);
    Some(match predefined {
        Some((_, character)) => Reference::Character(*character, length),
        None => Reference::Entity(name, length),
    })
}

/// Characters that a document may hold (XML 1.0 section 2.2; XML 1.1 allows references to most
/// control characters too).
fn is_character(c: char) -> bool {
    !matches!(c, '\0' | '\u{FFFE}' | '\u{FFFF}')
}

/// Returns true if the bytes are a name (XML 1.0 section 2.3), as far as undecoded bytes show it: trail bytes
/// of a legacy encoding may look like any ASCII character.
pub(super) fn is_name(bytes: &[u8]) -> bool {
    let is_start = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':') || !b.is_ascii();
    bytes.first().is_some_and(is_start)
        && (!bytes.is_ascii()
            || bytes.iter().all(|b| is_start(b) || b.is_ascii_digit() || matches!(b, b'-' | b'.')))
}

/// The general entities that the internal subset of a DOCTYPE declares with a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entities {
    values: HashMap<Box<[u8]>, Box<[u8]>>,
}

/// Bounds on the expansion of one value, against entities that hold entities that hold entities:
/// how deep, how many, how many bytes.
const MAX_DEPTH: usize = 8;
const MAX_REFERENCES: usize = 256;
const MAX_LENGTH: usize = 1 << 12;

impl Entities {
    /// Reads `doctype`, a document type declaration.
    pub(super) fn of_doctype(doctype: &[u8]) -> Entities {
        let mut entities = Entities::default();
        let mut rest = internal_subset(doctype);
        while let Some(at) = memmem::find(rest, b"<!") {
            rest = rest.get(at..).unwrap_or_default();
            let length = match rest.get(..4) {
                Some(b"<!--") => memmem::find(rest, b"-->"),
                _ => entity_declaration(rest).map(|(name, value, length)| {
                    // Of several declarations the first is binding.
                    entities.values.entry(name.into()).or_insert_with(|| value.into());
                    length
                }),
            };
            rest = rest.get(length.unwrap_or(2).max(2)..).unwrap_or_default();
        }
        entities
    }

    /// Returns the text that the entity of this name stands for in a value in `encoding`; `None` if it is unknown, or
    /// holds markup. Outside UTF-8 the text has to be ASCII, since an edit may have to write a part of it.
    pub(super) fn text(&self, name: &[u8], encoding: &'static Encoding) -> Option<String> {
        let text = self.expand(&[b"&", name, b";"].concat())?;
        let is_known = text.is_ascii() || encoding == UTF_8 && !text.contains('\u{FFFD}');
        is_known.then_some(text)
    }

    /// Returns the text of an attribute value, lossy outside ASCII; `None` if it refers to an unknown entity.
    pub(super) fn expand(&self, value: &[u8]) -> Option<String> {
        let mut expansion =
            Expansion { text: String::with_capacity(value.len()), depth: 0, references: 0 };
        self.expand_into(value, &mut expansion)?;
        Some(expansion.text)
    }

    /// Appends `value` to `expansion` with its references replaced, those in the values of entities too; `None` if a limit is
    /// exceeded, an entity is unknown, or its value has markup.
    fn expand_into(&self, value: &[u8], expansion: &mut Expansion) -> Option<()> {
        let mut rest = value;
        while let Some(at) = memchr::memchr(b'&', rest) {
            push_lossy(rest.get(..at)?, &mut expansion.text);
            rest = rest.get(at..)?;
            expansion.references += 1;
            if expansion.text.len() > MAX_LENGTH || expansion.references > MAX_REFERENCES {
                return None;
            }
            let length = match reference(rest)? {
                Reference::Character(character, length) => {
                    expansion.text.push(character);
                    length
                }
                Reference::Entity(name, length) => {
                    let inner = self.values.get(name).filter(|inner| !inner.contains(&b'<'))?;
                    expansion.depth += 1;
                    if expansion.depth > MAX_DEPTH {
                        return None;
                    }
                    self.expand_into(inner, expansion)?;
                    expansion.depth -= 1;
                    length
                }
            };
            rest = rest.get(length..)?;
        }
        push_lossy(rest, &mut expansion.text);
        Some(())
    }
}

/// The state of expanding a value.
struct Expansion {
    text: String,
    /// The number of entities around.
    depth: usize,
    references: usize,
}

fn push_lossy(bytes: &[u8], text: &mut String) {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(plain) if !plain.contains(['\t', '\n', '\r']) => text.push_str(plain),
        other => text.extend(other.chars().map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            c => c,
        })),
    }
}

/// The internal subset: the rest from the first square bracket outside quotes on.
fn internal_subset(doctype: &[u8]) -> &[u8] {
    let mut quote = None;
    for (at, &b) in doctype.iter().enumerate() {
        match (quote, b) {
            (None, b'"' | b'\'') => quote = Some(b),
            (None, b'[') => return doctype.get(at..).unwrap_or_default(),
            (Some(open), _) if open == b => quote = None,
            _ => {}
        }
    }
    &[]
}

/// The declaration of a general entity with a value at the start of `bytes`: name, value, and the
/// length of the declaration up to the quote after the value.
fn entity_declaration(bytes: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let rest = bytes.strip_prefix(b"<!ENTITY")?.trim_ascii_start();
    let name_end = rest.iter().position(u8::is_ascii_whitespace)?;
    let (name, rest) = rest.split_at_checked(name_end)?;
    let (quote, rest) = rest.trim_ascii_start().split_first()?;
    if !matches!(quote, b'"' | b'\'') || !is_name(name) {
        return None;
    }
    let (value, rest) = rest.split_at_checked(memchr::memchr(*quote, rest)?)?;
    Some((name, value, bytes.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_of_an_internal_subset_are_known() {
        let entities = Entities::of_doctype(
            br#"<!DOCTYPE a PUBLIC "<!ENTITY no 'x'>" "b" [
            <!-- <!ENTITY c "no"> ' -->
            <!ENTITY % p "no"> %p;
            <!ENTITY svg "http://www.w3.org/2000/svg"><!ENTITY svg "second">
            <!ENTITY two '&svg;&#x2F;&svg;'>
            <!ENTITY file SYSTEM "no.txt">
            <!ENTITY markup "<b/>"><!ENTITY number "&#60;">
            <!ENTITY loop "&pool;"><!ENTITY pool "&loop;">
            <!ATTLIST x y CDATA "z>">
            ]>"#,
        );
        for (value, expected) in [
            ("", Some("")),
            ("&svg;", Some("http://www.w3.org/2000/svg")),
            ("&two;", Some("http://www.w3.org/2000/svg/http://www.w3.org/2000/svg")),
            ("a\n&amp;&#65;", Some("a &A")),
            ("&no;", None),
            ("&c;", None),
            ("&p;", None),
            ("&file;", None),
            ("&loop;", None),
            ("&markup;", None),
            ("&number;", Some("<")),
            ("&", None),
        ] {
            assert_eq!(entities.expand(value.as_bytes()).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn expansion_is_bounded() {
        let mut doctype = String::from("<!DOCTYPE a [<!ENTITY e0 'aaaaaaaaaaaaaaaa'>");
        for level in 1..8 {
            let inner = format!("&e{};", level - 1).repeat(20);
            doctype += &format!("<!ENTITY e{level} '{inner}'>");
        }
        doctype += "]>";
        let entities = Entities::of_doctype(doctype.as_bytes());
        assert_eq!(entities.expand(b"&e7;"), None);
        assert_eq!(entities.expand(b"&e1;").map(|text| text.len()), Some(320));
    }
}
