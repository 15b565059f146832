//! The words of a text that may be paths, without what marks them as patterns, places or values.

use super::markup::LONGEST;
use rehref_url::Span;

/// The bytes between words, besides white space: quotes, brackets, and separators of lists, headers and attributes.
const SEPARATORS: &[u8] = b"\"'`,;&|()[]{}<>";

/// Calls `found` for each word with a dot or a slash, without the punctuation at its end. For a pattern, the part before the
/// first `*` or `$` counts; of `key=/path`, the path.
pub(super) fn words(bytes: &[u8], mut found: impl FnMut(Span)) {
    static IS_SEPARATOR: [bool; 256] = {
        let mut is_separator = [false; 256];
        let mut byte = 0;
        while byte <= b' ' {
            is_separator[byte as usize] = true;
            byte += 1;
        }
        let mut at = 0;
        while at < SEPARATORS.len() {
            is_separator[SEPARATORS[at] as usize] = true;
            at += 1;
        }
        is_separator
    };
    let is_separator = |b: &u8| IS_SEPARATOR[usize::from(*b)];
    // Most words have neither a dot nor a slash, as every path has.
    let mut last_end = 0;
    for at in memchr::memchr2_iter(b'.', b'/', bytes) {
        let Some((before, after)) = bytes.split_at_checked(at).filter(|_| at >= last_end) else {
            continue;
        };
        let before = before.get(last_end..).unwrap_or_default();
        let start = before.iter().rposition(is_separator).map_or(last_end, |it| last_end + it + 1);
        last_end = after.iter().position(is_separator).map_or(bytes.len(), |it| at + it);
        let word = Span::from(start..last_end);
        if word.len() <= LONGEST
            && !is_tag(bytes, word)
            && let Some(path) = path_of_word(word.of(bytes))
        {
            found(path.shifted(start));
        }
    }
}

/// Returns true if `word` is in an end tag (`</a>`), or in a tag that ends itself (`<br/>`).
fn is_tag(bytes: &[u8], word: Span) -> bool {
    let text = word.of(bytes);
    let name = text.strip_prefix(b"/").or(text.strip_suffix(b"/"));
    let before = word.start.checked_sub(1).and_then(|at| bytes.get(at));
    let is_name = |name: &[u8]| name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    name.is_some_and(is_name) && before == Some(&b'<') && bytes.get(word.end) == Some(&b'>')
}

/// The part of `word` that may be a path; see [`words`]. Markers of emphasis, of patterns and of inclusions may begin
/// it, and the number of a line may end it.
fn path_of_word(word: &[u8]) -> Option<Span> {
    let is_marker = |b: &u8| b"^*!".contains(b);
    let markers = word.iter().take_while(|b| is_marker(b)).count();
    let rest = word.get(markers..)?;
    let end = memchr::memchr2(b'*', b'$', rest).unwrap_or(rest.len());
    let kept = rest.get(..end).unwrap_or_default();
    let is_punctuation = |b: &u8| b".:!?".contains(b);
    let end = kept.iter().rposition(|b| !is_punctuation(b))? + 1;
    let is_of_line = |b: &u8| b.is_ascii_digit() || *b == b':';
    let path_end = kept.get(..end)?.iter().rposition(|b| !is_of_line(b))? + 1;
    let end = if kept.get(path_end) == Some(&b':') { path_end } else { end };
    let is_of_key = |b: &u8| b.is_ascii_alphanumeric() || b"-_.".contains(b);
    let key = kept.iter().position(|b| !is_of_key(b)).filter(|at| kept.get(*at) == Some(&b'='));
    let start = key.map_or(0, |at| at + 1);
    (start < end).then(|| Span::from(markers + start..markers + end))
}

/// The folder at the start of the pattern at `span` of `bytes`: `a/` of `a/**/b.md` and `a/*.md`, but not of `a/*`, which may be
/// a media type.
pub(super) fn folder_of_pattern(bytes: &[u8], span: Span) -> Option<Span> {
    let text = span.of(bytes);
    let star = memchr::memchr(b'*', text)?;
    let is_folder = text.get(..star)?.ends_with(b"/") && star + 1 < text.len();
    is_folder.then(|| Span::from(span.start..span.start + star))
}
