//! Any value of any text can be replaced: it is read again, and nothing else changes.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::Text;
use rehref_url::TextEdit;

/// Pieces of YAML, JSON and TOML.
const PIECES: &[&str] = &[
    "a", "b/c.md", "é", "😀", ": ", "- ", "\n", "\n  ", "\n    ", "\r\n", "'", "\"", "[", "]", "{",
    "}", ", ", " #x", "&x ", "*x", "!t ", "!!str ", "|\n", ">-\n", "? ", "---\n", "\t", "\\",
    "\\x41", "\\\"", "''", "a: b\n", "- c\n", "'d'", "\"e\"", "{f: g}", "[h, 'i', \"j\"]",
    "k = 'l'\n", "m = \"n\"\n", "[o]\n", "[[p]]\n", ".", "=", "\"\"\"", "'''", "1", "~",
    "\u{FEFF}", "\u{85}",
];

/// Values to write.
const VALUES: &[&str] = &[
    "x/y.md", "x y", "x: y", "x #y", "#x", "x'y", "x\"y", "x\\y", "[x]", "{x}", "x, y", "- x",
    "x:", "*x", "yes", "1", "é😀", "x%20y", "&x", "x ", " x", "?", "|", "@x", "`x`", "!x", "%x",
];

type Value = (Vec<Step>, Scalar, String);

fn values(text: &str, language: DataLanguage) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    let result = visit(text, language, |path, scalar| {
        values.push((path.to_vec(), scalar, decoded(text, scalar).into_string()));
    });
    result.is_ok().then_some(values)
}

fn decoded(text: &str, scalar: Scalar) -> Text {
    let raw = scalar.span.of_str(text).as_bytes();
    scalar::decode(raw, ScalarSyntax::of_text(scalar.quoting))
}

proptest! {
    #[test]
    fn a_value_is_replaced_and_nothing_else(
        pieces in proptest::collection::vec(select(PIECES), 0..24),
        language in select(vec![DataLanguage::Yaml, DataLanguage::Toml]),
        number in 0..8usize,
        new in select(VALUES),
    ) {
        let text = pieces.concat();
        let Some(before) = values(&text, language) else { return Ok(()) };
        let Some((_, scalar, old)) = before.get(number) else { return Ok(()) };
        let syntax = ScalarSyntax::of_text(scalar.quoting);
        if !scalar::can_hold(new, syntax) {
            return Ok(());
        }
        let raw = scalar.span.of_str(&text).as_bytes();
        let change = TextEdit::new(0..old.len(), new);
        let edits = scalar::edits(raw, &decoded(&text, *scalar), vec![change], syntax);
        let shifted: Vec<TextEdit> = edits.into_iter().map(|it| it.shifted(scalar.span.start)).collect();
        let written = rehref_url::splice(text.as_bytes(), &shifted);
        let written = String::from_utf8(written).unwrap();
        let after = values(&written, language);
        let read = |values: &[Value]| -> Vec<(Vec<Step>, String)> {
            values.iter().map(|(path, _, value)| (path.clone(), value.clone())).collect()
        };
        let mut expected = read(&before);
        expected[number].1 = new.to_owned();
        prop_assert_eq!(after.as_deref().map(read), Some(expected), "{:?} {:?}", text, written);
    }
}
