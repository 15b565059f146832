//! Classes of characters as the generators' languages define them, and normalization forms.
//!
//! The Unicode version is that of the crates. A generator built with an older one drops letters that were added
//! since.

use std::borrow::Cow;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

fn is_in(character: char, group: GeneralCategoryGroup) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(character))
}

/// Returns true if `character` is in `group`, which has the characters `of_ascii` of ASCII.
fn is_of(character: char, of_ascii: fn(&char) -> bool, group: GeneralCategoryGroup) -> bool {
    if character.is_ascii() { of_ascii(&character) } else { is_in(character, group) }
}

/// Go's `unicode.IsLetter`, Ruby's `\p{L}`.
pub(in crate::markdown) fn is_letter(character: char) -> bool {
    is_of(character, char::is_ascii_alphabetic, GeneralCategoryGroup::Letter)
}

/// Go's `unicode.IsDigit`, Ruby's `\p{Nd}`: decimal digits only.
pub(in crate::markdown) fn is_digit(character: char) -> bool {
    is_of(character, char::is_ascii_digit, GeneralCategoryGroup::DecimalNumber)
}

/// Go's `unicode.IsNumber`: also fractions, superscripts, Roman numerals.
fn is_number(character: char) -> bool {
    is_of(character, char::is_ascii_digit, GeneralCategoryGroup::Number)
}

/// Ruby's `\p{M}`.
pub(in crate::markdown) fn is_mark(character: char) -> bool {
    !character.is_ascii() && is_in(character, GeneralCategoryGroup::Mark)
}

/// Ruby's `\p{Word}`, which is that of Unicode Technical Standard 18 without the join controls.
pub(super) fn is_ruby_word(character: char) -> bool {
    const OTHERS: GeneralCategoryGroup = GeneralCategoryGroup::Mark
        .union(GeneralCategoryGroup::DecimalNumber)
        .union(GeneralCategoryGroup::ConnectorPunctuation);
    if character.is_ascii() {
        character.is_ascii_alphanumeric() || character == '_'
    } else {
        CodePointSetData::new::<Alphabetic>().contains(character) || is_in(character, OTHERS)
    }
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

pub(super) fn nfkd(text: &str) -> Cow<'_, str> {
    DecomposingNormalizerBorrowed::new_nfkd().normalize(text)
}

/// Characters that may stand beside an emoticon of markdown-it-emoji: the categories Z, P and Cc.
pub(super) fn is_emoticon_boundary(character: char) -> bool {
    const GROUP: GeneralCategoryGroup = GeneralCategoryGroup::Separator
        .union(GeneralCategoryGroup::Punctuation)
        .union(GeneralCategoryGroup::Control);
    is_in(character, GROUP)
}
