//! Edits JSON text: replaces values, and keeps all other bytes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use rehref_url::{Spliced, TextEdit};

/// The members of a JSON object, in their order, with their values as text.
pub(super) struct Members<'t>(pub(super) Vec<(String, &'t RawValue)>);

impl<'t> Members<'t> {
    /// Returns the text of the member `name`; `None` if there is none.
    pub(super) fn get(&self, name: &str) -> Option<&'t str> {
        let member = self.0.iter().find(|(key, _)| key == name);
        member.map(|(_, value)| value.get())
    }

    /// Returns the string that is the member `name`; `None` if it is another value.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Returns the string that is the member `name`, with its text.
    pub(super) fn string_value(&self, name: &str) -> Option<Value<'t, String>> {
        let (text, value) = (self.get(name)?, self.string(name)?);
        Some(Value { text, value })
    }

    /// Returns the number that is the member `name`, or that its string spells, with its text.
    pub(super) fn number_value(&self, name: &str) -> Option<Value<'t, u64>> {
        let text = self.get(name)?;
        let value = text.trim_matches('"').parse().ok()?;
        Some(Value { text, value })
    }
}

/// A value in a text.
pub(super) struct Value<'t, T> {
    /// The text, with its quotes.
    pub(super) text: &'t str,
    pub(super) value: T,
}

impl<T> Value<'_, T> {
    /// Returns the text of `new` in place of this value, in quotes where this one has them.
    pub(super) fn spell(&self, new: impl ToString) -> String {
        let new = new.to_string();
        if self.text.starts_with('"') { string(&new) } else { new }
    }
}

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'t> Visitor<'t> for Object {
            type Value = Members<'t>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Members<'t>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Returns the JSON string of `text`.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Replacements in a text.
pub(super) struct Edits<'t> {
    text: &'t str,
    edits: Vec<TextEdit>,
}

impl<'t> Edits<'t> {
    pub(super) fn new(text: &'t str) -> Edits<'t> {
        Edits { text, edits: Vec::new() }
    }

    /// Replaces `part`, which is a part of the text by its place in memory.
    pub(super) fn replace(&mut self, part: &'t str, new: String) {
        let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        if part != new {
            let edit = TextEdit::new(start..start + part.len(), new);
            self.edits.push(edit);
        }
    }

    /// Returns the new text; `None` if it is the old one.
    pub(super) fn finish(mut self) -> Option<String> {
        if self.edits.is_empty() {
            return None;
        }
        self.edits.sort_by_key(|edit| edit.span);
        let new = Spliced::new(self.text.as_bytes(), &self.edits).to_vec();
        // Each edit replaces a whole text with a text, so the bytes are UTF-8.
        Some(String::from_utf8_lossy(&new).into_owned())
    }
}

/// `text` without these parts of it; their quotes stay.
pub(super) fn without<'t>(text: &'t str, parts: impl IntoIterator<Item = &'t str>) -> String {
    let mut edits = Edits::new(text);
    for part in parts {
        edits.replace(part.trim_matches('"'), String::new());
    }
    edits.finish().unwrap_or_else(|| text.to_owned())
}
