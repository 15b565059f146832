//! Classes of characters as the generators' languages define them, and normalization forms.
//!
//! The Unicode version is that of the crates. A generator built with an older one drops letters that were added
//! since.

use std::borrow::Cow;

/// A class of characters that the tables of ICU know.
#[derive(Clone, Copy)]
enum Class {
    Letter,
    DecimalNumber,
    Number,
    Mark,
    /// Ruby's `\p{Word}`.
    RubyWord,
    /// The categories Z, P and Cc.
    Boundary,
}

#[cfg(feature = "markdown")]
fn is_in(character: char, class: Class) -> bool {
    use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup as Group};
    use icu_properties::{CodePointMapData, CodePointSetData};

    const RUBY_WORD: Group =
        Group::Mark.union(Group::DecimalNumber).union(Group::ConnectorPunctuation);
    const BOUNDARY: Group = Group::Separator.union(Group::Punctuation).union(Group::Control);
    let group = match class {
        Class::Letter => Group::Letter,
        Class::DecimalNumber => Group::DecimalNumber,
        Class::Number => Group::Number,
        Class::Mark => Group::Mark,
        Class::RubyWord => RUBY_WORD,
        Class::Boundary => BOUNDARY,
    };
    group.contains(CodePointMapData::<GeneralCategory>::new().get(character))
        || matches!(class, Class::RubyWord)
            && CodePointSetData::new::<Alphabetic>().contains(character)
}

#[cfg(feature = "markdown")]
pub(super) fn nfd(text: &str) -> Cow<'_, str> {
    icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(text)
}

#[cfg(feature = "markdown")]
pub(super) fn nfkd(text: &str) -> Cow<'_, str> {
    icu_normalizer::DecomposingNormalizerBorrowed::new_nfkd().normalize(text)
}

/// No source is read whose characters would have a class.
#[cfg(not(feature = "markdown"))]
fn is_in(_: char, _: Class) -> bool {
    false
}

#[cfg(not(feature = "markdown"))]
pub(super) fn nfd(text: &str) -> Cow<'_, str> {
    text.into()
}

#[cfg(not(feature = "markdown"))]
pub(super) fn nfkd(text: &str) -> Cow<'_, str> {
    text.into()
}

/// Returns true if `character` is in `class`, which has the characters `of_ascii` of ASCII.
fn is_of(character: char, of_ascii: fn(&char) -> bool, class: Class) -> bool {
    if character.is_ascii() { of_ascii(&character) } else { is_in(character, class) }
}

/// Go's `unicode.IsLetter`, Ruby's `\p{L}`.
pub(in crate::markdown) fn is_letter(character: char) -> bool {
    is_of(character, char::is_ascii_alphabetic, Class::Letter)
}

/// Go's `unicode.IsDigit`, Ruby's `\p{Nd}`: decimal digits only.
pub(in crate::markdown) fn is_digit(character: char) -> bool {
    is_of(character, char::is_ascii_digit, Class::DecimalNumber)
}

/// Go's `unicode.IsNumber`: also fractions, superscripts, Roman numerals.
pub(super) fn is_number(character: char) -> bool {
    is_of(character, char::is_ascii_digit, Class::Number)
}

/// Ruby's `\p{M}`.
pub(in crate::markdown) fn is_mark(character: char) -> bool {
    !character.is_ascii() && is_in(character, Class::Mark)
}

/// Ruby's `\p{Word}`, which is that of Unicode Technical Standard 18 without the join controls.
pub(super) fn is_ruby_word(character: char) -> bool {
    let of_ascii = |character: &char| character.is_ascii_alphanumeric() || *character == '_';
    is_of(character, of_ascii, Class::RubyWord)
}

/// Python's `\w` in a `str` pattern, which no combining mark matches.
pub(super) fn is_python_word(character: char) -> bool {
    character == '_' || is_letter(character) || is_number(character)
}

/// Python's `\s` in a `str` pattern.
pub(super) fn is_python_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// JavaScript's `\s`.
pub(super) fn is_javascript_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// Letters in lower case each on its own, as Ruby and Go do: a final sigma is not told from others.
pub(super) fn lowercase_each(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Go's `unicode.ToLower`: one character for one character.
pub(in crate::markdown) fn lowercase_simple(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

/// Characters that may stand beside an emoticon of markdown-it-emoji: the categories Z, P and Cc.
pub(super) fn is_emoticon_boundary(character: char) -> bool {
    is_in(character, Class::Boundary)
}
