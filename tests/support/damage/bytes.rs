//! Bytes of documents outside of their links, and digests.

use super::{Plant, Random, Tree, another_letter, find, page, replaced};

type Files = Option<Vec<(String, Option<Vec<u8>>)>>;

pub(super) const KINDS: &[(&str, Plant)] = &[
    ("a letter of the text is another", letter),
    ("a letter of the text is gone", letter_gone),
    ("a letter of the text is new", letter_new),
    ("an attribute has another value", attribute),
    ("quotes are others", quotes),
    ("a line ends otherwise", line_end),
    ("a space in a tag is a line feed", space),
    ("a comment has another text", comment),
    ("the doctype is gone", doctype),
    ("a tag has another letter case", tag_case),
    ("an end tag is gone", end_tag),
    ("the end of a page is gone", cut),
    ("a page goes on", continued),
    ("a byte is not text", not_text),
    ("a digest is another", digest),
    ("a digest is gone", digest_gone),
];

const TEXT: &str = r"[a-z/]>([^<>]*[a-z][^<>]*)<";

fn letter(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let range = find(text, TEXT, random)?;
    another_letter(path, text, range, random)
}

fn letter_gone(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, TEXT, random)?.find(|&at| text[at].is_ascii_alphabetic())?;
    Some(replaced(path, text, at..at + 1, b""))
}

fn letter_new(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, TEXT, random)?.start;
    Some(replaced(path, text, at..at, b"q"))
}

fn attribute(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let pattern =
        r#"<[a-z][^<>]*?\s(?:class|id|title|alt|lang|name|rel|type|width|charset)\s*=\s*"([^"]*)""#;
    let value = find(text, pattern, random)?;
    another_letter(path, text, value, random)
}

fn quotes(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let value = find(text, r#"<[a-z][^<>]*?\s[a-z]+=("[^"'<>]+")"#, random)?;
    let inner = &text[value.start + 1..value.end - 1];
    let with = [b"'", inner, b"'"].concat();
    Some(replaced(path, text, value, &with))
}

fn line_end(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, r">[^<>\r]*?(\n)", random)?;
    Some(replaced(path, text, at, b"\r\n"))
}

fn space(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, r"<[a-z]+( )[a-z]", random)?;
    Some(replaced(path, text, at, b"\n"))
}

fn comment(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, r"(<!--)[^\[]", random)?.end;
    Some(replaced(path, text, at..at, b" q "))
}

fn doctype(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    Some(replaced(path, text, find(text, r"(<!doctype[^<>]*>)", random)?, b""))
}

fn tag_case(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, r"</?([a-z])[a-z0-9]*[\s>]", random)?;
    let other = [text[at.start] ^ 0x20];
    Some(replaced(path, text, at, &other))
}

fn end_tag(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    Some(replaced(path, text, find(text, r"(</[a-z0-9]+>)", random)?, b""))
}

fn cut(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let end = random.below(text.len());
    Some(replaced(path, text, end..text.len(), b""))
}

fn continued(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    Some(replaced(path, text, text.len()..text.len(), b"\n"))
}

fn not_text(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, TEXT, random)?.end;
    Some(replaced(path, text, at..at, &[*random.one_of(&[0, 0xFF])]))
}

fn digest(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let value = find(text, r#"integrity="sha[0-9]+-([^"]+)""#, random)?;
    another_letter(path, text, value, random)
}

fn digest_gone(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    Some(replaced(path, text, find(text, r#"(\sintegrity="[^"]+")"#, random)?, b""))
}
