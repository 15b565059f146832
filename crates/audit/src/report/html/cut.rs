//! Shortened text as markup.

use super::super::escape::{markup, shortened, visible};

/// The length in characters to which references and targets are shortened.
const MOST: usize = 300;

pub(super) fn cut(text: &str) -> String {
    markup(&shortened(&visible(text), MOST))
}
