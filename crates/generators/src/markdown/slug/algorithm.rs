//! From the text of a heading to its anchor: one pure function per generator, written after its source.

use super::unicode::{
    is_digit, is_javascript_space, is_letter, is_python_space, is_python_word, is_ruby_word,
    lowercase_each, lowercase_simple, nfkd,
};

/// GitHub, after the filter of html-pipeline (`TableOfContentsFilter`) that it started with. The fixtures of
/// github-slugger come from GitHub itself.
pub(super) fn github(text: &str) -> String {
    word_characters(&lowercase_each(text), false)
}

/// github-slugger 2 (`slug`), which differs from GitHub in the lower case of a final sigma.
pub(super) fn github_slugger(text: &str) -> String {
    word_characters(&text.to_lowercase(), false)
}

/// kramdown-parser-gfm (`generate_gfm_header_id`).
pub(super) fn kramdown_gfm(text: &str) -> String {
    word_characters(&lowercase_each(text), true)
}

fn word_characters(text: &str, tab_is_space: bool) -> String {
    text.chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '\t' if tab_is_space => Some('-'),
            '-' => Some('-'),
            _ => is_ruby_word(character).then_some(character),
        })
        .collect()
}

/// Python-Markdown (`toc.slugify`): accents are taken off, other letters that are not ASCII dropped.
pub(super) fn python_markdown(text: &str) -> String {
    let ascii: String = nfkd(text).chars().filter(char::is_ascii).collect();
    let words: String =
        ascii.chars().filter(|&c| c == '-' || is_python_word(c) || is_python_space(c)).collect();
    let lower = words.trim_matches(is_python_space).to_lowercase();
    let mut slug = String::with_capacity(lower.len());
    for character in lower.chars() {
        if character != '-' && !is_python_space(character) {
            slug.push(character);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug
}

/// MyST-Parser (`github_slugify`).
pub(super) fn myst(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .filter_map(|character| match character {
            ' ' | '-' => Some('-'),
            _ => is_python_word(character).then_some(character),
        })
        .collect()
}

/// Hugo (`sanitizeAnchorName`).
pub(super) fn hugo(text: &str) -> String {
    let slug: String = text
        .trim()
        .chars()
        .filter_map(|character| match character {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            _ => (is_letter(character) || is_digit(character)).then(|| lowercase_simple(character)),
        })
        .collect();
    if slug.is_empty() && !text.is_empty() { "heading".to_owned() } else { slug }
}

/// mdBook 0.5 (`id_from_content`).
pub(super) fn mdbook(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    lower
        .chars()
        .filter_map(|character| match character {
            '_' | '-' => Some(character),
            _ if character.is_whitespace() => Some('-'),
            _ => character.is_alphanumeric().then_some(character),
        })
        .collect()
}

/// VitePress (`slugify` of @mdit-vue/shared).
pub(super) fn mdit_vue(text: &str) -> String {
    const SPECIAL: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/";
    let mut slug = String::with_capacity(text.len());
    for character in nfkd(text).chars() {
        if matches!(character, '\u{300}'..='\u{36f}' | '\0'..='\u{1f}') {
            continue;
        }
        if !is_javascript_space(character) && !SPECIAL.contains(character) {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_matches('-').to_lowercase();
    if slug.starts_with(|character: char| character.is_ascii_digit()) {
        format!("_{slug}")
    } else {
        slug
    }
}

/// docutils (`nodes.make_id`): what Sphinx writes into the HTML.
pub(super) fn docutils(text: &str) -> String {
    let mut latin = String::with_capacity(text.len());
    let spaced =
        text.chars().map(|character| if is_python_space(character) { ' ' } else { character });
    for character in spaced.flat_map(char::to_lowercase) {
        let digraph = DIGRAPHS.iter().find(|(letter, _)| *letter == character);
        let mut letters = LETTERS.chars().zip(ASCII.chars());
        let ascii = letters.find_map(|(letter, ascii)| (letter == character).then_some(ascii));
        match digraph {
            Some((_, ascii)) => latin.push_str(ascii),
            None => latin.push(ascii.unwrap_or(character)),
        }
    }
    let mut id = String::with_capacity(latin.len());
    for character in nfkd(&latin).chars().filter(char::is_ascii) {
        if character.is_ascii_lowercase() || character.is_ascii_digit() {
            id.push(character);
        } else if !id.ends_with('-') {
            id.push('-');
        }
    }
    id.trim_start_matches(|character: char| character == '-' || character.is_ascii_digit())
        .trim_end_matches('-')
        .to_owned()
}

/// Letters that no normalization form decomposes (`_non_id_translate_digraphs`).
const DIGRAPHS: &[(char, &str)] =
    &[('ß', "sz"), ('æ', "ae"), ('œ', "oe"), ('ȸ', "db"), ('ȹ', "qp")];

/// Letters that no normalization form decomposes, and what stands for each (`_non_id_translate`).
const LETTERS: &str = "øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ";
const ASCII: &str = "odhiltbbcdfklnpttyzgzlntjcszejqry";
