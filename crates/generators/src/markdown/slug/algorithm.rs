//! From the text of a heading to its anchor: one pure function per generator, written after its source.

use super::unicode::{
    is_digit, is_javascript_space, is_letter, is_nonspacing_mark, is_number, is_python_space,
    is_python_word, is_ruby_word, lowercase_each, lowercase_simple, nfc, nfd, nfkd,
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

/// kramdown (`basic_generate_id`), of the source of the heading.
pub(super) fn kramdown(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        line.trim_start_matches(|character: char| !character.is_ascii_alphabetic())
            .chars()
            .filter_map(|character| match character {
                ' ' | '-' => Some('-'),
                _ => character.is_ascii_alphanumeric().then_some(character.to_ascii_lowercase()),
            })
    });
    lines.flatten().collect()
}

/// Python-Markdown (`toc.slugify`): accents are taken off, other letters that are not ASCII dropped.
pub(super) fn python_markdown(text: &str) -> String {
    let ascii: String = nfkd(text).chars().filter(char::is_ascii).collect();
    python_markdown_words(&ascii)
}

/// Python-Markdown (`toc.slugify_unicode`).
pub(super) fn python_markdown_unicode(text: &str) -> String {
    python_markdown_words(text)
}

fn python_markdown_words(text: &str) -> String {
    let words: String =
        text.chars().filter(|&c| c == '-' || is_python_word(c) || is_python_space(c)).collect();
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

/// pymdownx.slugs with `case: lower`.
pub(super) fn pymdownx(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let composed = nfc(text);
    let mut rest = composed.as_str();
    while let Some((before, tag)) = rest.split_once('<') {
        let Some((_, after)) = tag.split_once('>') else {
            break;
        };
        stripped.push_str(before);
        rest = after;
    }
    stripped.push_str(rest);
    let lower = stripped.trim_matches(is_python_space).to_lowercase();
    python_words(&lower)
}

/// MyST-Parser (`github_slugify`).
pub(super) fn myst(text: &str) -> String {
    python_words(&text.to_lowercase())
}

fn python_words(text: &str) -> String {
    text.chars()
        .filter_map(|character| match character {
            ' ' | '-' => Some('-'),
            _ => is_python_word(character).then_some(character),
        })
        .collect()
}

/// Hugo with `autoIDType: github` (`sanitizeAnchorName`).
pub(super) fn hugo(text: &str) -> String {
    text.trim()
        .chars()
        .filter_map(|character| match character {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            _ => (is_letter(character) || is_digit(character)).then(|| lowercase_simple(character)),
        })
        .collect()
}

/// Hugo with `autoIDType: github-ascii`.
pub(super) fn hugo_ascii(text: &str) -> String {
    let without_accents: String =
        nfd(text).chars().filter(|&character| !is_nonspacing_mark(character)).collect();
    let ascii: String = nfc(&without_accents).trim().chars().filter(char::is_ascii).collect();
    // What is not ASCII goes after the white space at the ends, which therefore counts.
    let inner = ascii.trim();
    let (start, end) = if inner.is_empty() {
        (ascii.as_str(), "")
    } else {
        ascii.split_once(inner).unwrap_or_default()
    };
    let dashes = |space: &str| "-".repeat(space.matches(' ').count());
    format!("{}{}{}", dashes(start), hugo(inner), dashes(end))
}

/// Hugo with `autoIDType: blackfriday` (`SanitizedAnchorName`).
pub(super) fn blackfriday(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    let mut dash = false;
    for character in text.chars() {
        if !is_letter(character) && !is_number(character) {
            dash = true;
            continue;
        }
        if dash && !slug.is_empty() {
            slug.push('-');
        }
        dash = false;
        slug.push(lowercase_simple(character));
    }
    slug
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
        match LATIN.iter().find(|(letter, _)| *letter == character) {
            Some((_, ascii)) => latin.push_str(ascii),
            None => latin.push(character),
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

/// Letters that no normalization form decomposes (`_non_id_translate` and `_non_id_translate_digraphs`).
const LATIN: &[(char, &str)] = &[
    ('ß', "sz"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ȸ', "db"),
    ('ȹ', "qp"),
    ('ø', "o"),
    ('đ', "d"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ł', "l"),
    ('ŧ', "t"),
    ('ƀ', "b"),
    ('ƃ', "b"),
    ('ƈ', "c"),
    ('ƌ', "d"),
    ('ƒ', "f"),
    ('ƙ', "k"),
    ('ƚ', "l"),
    ('ƞ', "n"),
    ('ƥ', "p"),
    ('ƫ', "t"),
    ('ƭ', "t"),
    ('ƴ', "y"),
    ('ƶ', "z"),
    ('ǥ', "g"),
    ('ȥ', "z"),
    ('ȴ', "l"),
    ('ȵ', "n"),
    ('ȶ', "t"),
    ('ȷ', "j"),
    ('ȼ', "c"),
    ('ȿ', "s"),
    ('ɀ', "z"),
    ('ɇ', "e"),
    ('ɉ', "j"),
    ('ɋ', "q"),
    ('ɍ', "r"),
    ('ɏ', "y"),
];
