//! From the text of a heading to its anchor: one pure function per generator, written after its source.

use super::unicode::{
    is_digit, is_javascript_space, is_letter, is_number, is_python_space, is_python_word,
    is_ruby_word, lowercase_each, lowercase_simple, nfd, nfkd,
};

/// GitHub, after the filter of html-pipeline (`TableOfContentsFilter`) that it started with. The fixtures of
/// github-slugger come from GitHub itself.
pub(crate) fn github(text: &str) -> String {
    with_hyphens(&lowercase_each(text), |c| c == ' ', is_ruby_word)
}

/// github-slugger 2 (`slug`), which differs from GitHub in the lower case of a final sigma.
pub(crate) fn github_slugger(text: &str) -> String {
    with_hyphens(&text.to_lowercase(), |c| c == ' ', is_ruby_word)
}

/// kramdown-parser-gfm (`generate_gfm_header_id`).
pub(crate) fn kramdown_gfm(text: &str) -> String {
    with_hyphens(&lowercase_each(text), |c| matches!(c, ' ' | '\t'), is_ruby_word)
}

/// MyST-Parser (`github_slugify`).
pub(crate) fn myst(text: &str) -> String {
    with_hyphens(&text.to_lowercase(), |c| c == ' ', is_python_word)
}

/// Hugo (`sanitizeAnchorName`).
pub(crate) fn hugo(text: &str) -> String {
    let is_kept = |c: char| c == '_' || is_letter(c) || is_digit(c);
    let slug = with_hyphens(text.trim(), |c| c == ' ', is_kept);
    if slug.is_empty() && !text.is_empty() {
        return "heading".to_owned();
    }
    slug.chars().map(lowercase_simple).collect()
}

/// Hugo with `autoIDType: github-ascii`.
pub(crate) fn hugo_ascii(text: &str) -> String {
    let plain: String = nfd(text).chars().filter(char::is_ascii).collect();
    hugo(&plain)
}

/// Hugo with `autoIDType: blackfriday` (`SanitizedAnchorName`).
pub(crate) fn hugo_blackfriday(text: &str) -> String {
    let slug = hyphenated(text.chars(), |c| is_letter(c) || is_number(c));
    let slug = slug.trim_matches('-');
    if slug.is_empty() && !text.is_empty() {
        return "heading".to_owned();
    }
    slug.chars().map(lowercase_simple).collect()
}

/// mdBook 0.5 (`id_from_content`).
pub(crate) fn mdbook(text: &str) -> String {
    let is_kept = |c: char| c == '_' || c.is_alphanumeric();
    with_hyphens(&text.trim().to_lowercase(), char::is_whitespace, is_kept)
}

/// The characters of `text` that are kept, and hyphens, also in place of each space.
fn with_hyphens(
    text: &str,
    is_space: impl Fn(char) -> bool,
    is_kept: impl Fn(char) -> bool,
) -> String {
    let hyphened = text.chars().map(|c| if is_space(c) { '-' } else { c });
    hyphened.filter(|&c| c == '-' || is_kept(c)).collect()
}

/// Python-Markdown (`toc.slugify`): accents are taken off, other letters that are not ASCII dropped.
pub(crate) fn python_markdown(text: &str) -> String {
    let ascii = nfkd(text);
    let words = ascii.chars().filter(char::is_ascii);
    let words: String =
        words.filter(|&c| c == '-' || is_python_word(c) || is_python_space(c)).collect();
    let words = words.trim_matches(is_python_space).to_lowercase();
    hyphenated(words.chars(), |c| c != '-' && !is_python_space(c))
}

/// VitePress (`slugify` of @mdit-vue/shared).
pub(crate) fn mdit_vue(text: &str) -> String {
    const SPECIAL: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/";
    let decomposed = nfkd(text);
    let characters = decomposed.chars();
    let characters = characters.filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\0'..='\u{1f}'));
    let slug = hyphenated(characters, |c| !is_javascript_space(c) && !SPECIAL.contains(c));
    let slug = slug.trim_matches('-').to_lowercase();
    if slug.starts_with(|c: char| c.is_ascii_digit()) { format!("_{slug}") } else { slug }
}

/// Returns the `characters` that are kept, with one hyphen in place of each run of others.
pub(in crate::markdown) fn hyphenated(
    characters: impl Iterator<Item = char>,
    is_kept: impl Fn(char) -> bool,
) -> String {
    let mut slug = String::new();
    for character in characters {
        if is_kept(character) {
            slug.push(character);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug
}

/// docutils (`nodes.make_id`): what Sphinx writes into the HTML.
pub(crate) fn docutils(text: &str) -> String {
    let mut latin = String::with_capacity(text.len());
    let spaced =
        text.chars().map(|character| if is_python_space(character) { ' ' } else { character });
    for character in spaced.flat_map(char::to_lowercase) {
        if character.is_ascii() {
            latin.push(character);
            continue;
        }
        if let Some((_, ascii)) = DIGRAPHS.iter().find(|(letter, _)| *letter == character) {
            latin.push_str(ascii);
            continue;
        }
        let known = LETTERS.chars().zip(ASCII.chars()).find(|(letter, _)| *letter == character);
        latin.push(known.map_or(character, |(_, ascii)| ascii));
    }
    let decomposed = nfkd(&latin);
    let ascii = decomposed.chars().filter(char::is_ascii);
    let mut id = hyphenated(ascii, |c| c.is_ascii_lowercase() || c.is_ascii_digit());
    id.truncate(id.trim_end_matches('-').len());
    let start = id.find(|character: char| character.is_ascii_lowercase());
    id.drain(..start.unwrap_or(id.len()));
    id
}

/// Letters that no normalization form decomposes (`_non_id_translate_digraphs`).
const DIGRAPHS: &[(char, &str)] =
    &[('ß', "sz"), ('æ', "ae"), ('œ', "oe"), ('ȸ', "db"), ('ȹ', "qp")];

/// Letters that no normalization form decomposes, and what stands for each (`_non_id_translate`).
const LETTERS: &str = "øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ";
const ASCII: &str = "odhiltbbcdfklnpttyzgzlntjcszejqry";
