//! Digests: Subresource Integrity, and the hashes in a Content Security Policy.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use data_encoding::BASE64_NOPAD;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::container::Container;
use rehref_url::{Span, TextEdit};

/// An algorithm that browsers know (Subresource Integrity section 3.2), the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    Sha256,
    Sha384,
    Sha512,
}

/// The algorithms with their names in documents.
const ALGORITHMS: [(&str, Algorithm); 3] =
    [("sha256", Algorithm::Sha256), ("sha384", Algorithm::Sha384), ("sha512", Algorithm::Sha512)];

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = ALGORITHMS.iter().find(|(_, algorithm)| algorithm == self);
        known.map_or(Ok(()), |(name, _)| f.write_str(name))
    }
}

/// A digest in a document, `sha384-...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest<'t> {
    pub algorithm: Algorithm,
    /// The digest in base64 or base64url, without padding.
    pub value: &'t str,
    /// The bytes of `value` in the text.
    pub span: Span,
}

impl Digest<'_> {
    /// Returns true if this is a digest of the content whose digests are `digests`.
    pub fn is_of(&self, digests: &Digests) -> bool {
        self.in_base64().eq(digests.get(self.algorithm).chars())
    }

    /// The value in base64: browsers accept both alphabets.
    fn in_base64(&self) -> impl Iterator<Item = char> {
        self.value.chars().map(|c| match c {
            '-' => '+',
            '_' => '/',
            other => other,
        })
    }
}

/// Returns the digests in the integrity metadata `text`. Browsers ignore tokens of other algorithms.
pub fn digests(text: &str) -> Vec<Digest<'_>> {
    text.split_ascii_whitespace().filter_map(|token| digest(text, token)).collect()
}

/// Returns the digests in the Content Security Policy `text`: its hash sources (CSP 3 section 2.3.1).
pub fn policy_digests(text: &str) -> Vec<Digest<'_>> {
    let tokens = text.split(|c: char| c.is_ascii_whitespace() || c == ';' || c == ',');
    let quoted = tokens.filter_map(|token| token.strip_prefix('\'')?.strip_suffix('\''));
    quoted.filter_map(|token| digest(text, token)).collect()
}

/// The digest `token`, a part of `text`.
fn digest<'t>(text: &'t str, token: &'t str) -> Option<Digest<'t>> {
    let (name, rest) = token.split_once('-')?;
    let mut algorithms = ALGORITHMS.iter();
    let (_, algorithm) = algorithms.find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    let value = rest.split('?').next().unwrap_or(rest).trim_end_matches('=');
    Some(Digest { algorithm: *algorithm, value, span: Span::within(text, value)? })
}

/// Returns the strongest algorithm of the integrity metadata `text`: browsers check only its digests.
pub fn strongest(text: &str) -> Option<Algorithm> {
    let given = digests(text);
    given.iter().map(|digest| digest.algorithm).max()
}

/// Returns true if browsers load content with these `digests` by the integrity metadata `text`: one of its
/// digests of the strongest algorithm is right, or it has none.
pub fn admits(text: &str, content: &Digests) -> bool {
    let Some(strongest) = strongest(text) else { return true };
    let given = digests(text);
    let mut candidates = given.iter().filter(|digest| digest.algorithm == strongest);
    candidates.any(|digest| digest.is_of(content))
}

/// The digests of a content by all algorithms, in base64 without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests([String; 3]);

impl Digests {
    /// Computes the digests of `content`.
    pub fn of(content: &[u8]) -> Digests {
        Digests([
            BASE64_NOPAD.encode(&Sha256::digest(content)),
            BASE64_NOPAD.encode(&Sha384::digest(content)),
            BASE64_NOPAD.encode(&Sha512::digest(content)),
        ])
    }

    /// Computes the digests of inline code as browsers do: in UTF-8, with line feeds only.
    pub fn of_code(code: &[u8]) -> Digests {
        let mut normalized = Vec::with_capacity(code.len());
        let mut lines = code.split(|&b| b == b'\r').peekable();
        while let Some(line) = lines.next() {
            normalized.extend_from_slice(line);
            // A carriage return followed by a line feed leaves one line feed.
            if lines.peek().is_some_and(|next| !next.starts_with(b"\n")) {
                normalized.push(b'\n');
            }
        }
        Digests::of(&normalized)
    }

    /// Returns the digest by one algorithm, as documents state it: `sha384-...`, with padding.
    pub fn stated(&self, algorithm: Algorithm) -> String {
        let digest = self.get(algorithm);
        format!("{algorithm}-{digest}{}", padding(digest))
    }

    /// Returns the digest by one algorithm, without padding.
    pub fn get(&self, algorithm: Algorithm) -> &str {
        // There are three of both.
        &self.0[algorithm as usize]
    }
}

/// The digests of a content that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestChange {
    pub before: Digests,
    pub after: Digests,
}

impl DigestChange {
    /// Returns the edits of the text around `digests` that replace the digests of the old content by those of
    /// the new content. Padding stays, because digests of one algorithm all need the same.
    pub fn edits(&self, digests: &[Digest<'_>]) -> Vec<TextEdit> {
        let right = digests.iter().filter(|digest| digest.is_of(&self.before));
        let changed = right.filter(|digest| !digest.is_of(&self.after));
        changed.map(|digest| TextEdit::new(digest.span, self.after.get(digest.algorithm))).collect()
    }
}

/// The padding of a `digest` in base64.
fn padding(digest: &str) -> String {
    "=".repeat(digest.len().next_multiple_of(4) - digest.len())
}

/// The maximum number of digests that replace one digest in a policy. Limits the growth of the document.
const MOST_IN_PLACE_OF_ONE: usize = 8;

/// The changes to the digests in Content Security Policies. Equal pieces of code may become different pieces if
/// their links resolve against different base URLs: the policy must then list the digest of each.
#[derive(Debug, Default)]
pub struct PolicyChange {
    /// The digests after the change, by those that the policies list.
    after: HashMap<(Algorithm, String), BTreeSet<String>>,
}

impl PolicyChange {
    /// Creates an empty list of changes, for policies that list the digests `given`.
    pub fn new<'t>(given: impl Iterator<Item = &'t Digest<'t>>) -> PolicyChange {
        let key = |digest: &Digest<'_>| (digest.algorithm, digest.in_base64().collect());
        PolicyChange { after: given.map(|digest| (key(digest), BTreeSet::new())).collect() }
    }

    /// Adds a piece of inline code, which may be the same before and after.
    pub fn add(&mut self, before: &Digests, after: &Digests) {
        for (_, algorithm) in ALGORITHMS {
            let key = (algorithm, before.get(algorithm).to_owned());
            if let Some(found) = self.after.get_mut(&key) {
                found.insert(after.get(algorithm).to_owned());
                if found.len() > MOST_IN_PLACE_OF_ONE {
                    found.pop_last();
                }
            }
        }
    }

    /// Returns the text that replaces the value of `digest`; `None` if the digest stays, for example because it
    /// is of no known code.
    pub fn replacement(&self, digest: &Digest<'_>) -> Option<String> {
        let value: String = digest.in_base64().collect();
        let key = (digest.algorithm, value);
        let found = self.after.get(&key)?;
        if found.iter().all(|after| *after == key.1) {
            return None;
        }
        let mut text = String::new();
        for after in found {
            if !text.is_empty() {
                let padding = padding(after);
                text.push_str(&format!("{padding}' '{}-", digest.algorithm));
            }
            text.push_str(after);
        }
        Some(text)
    }
}

impl Container {
    /// Returns true if the container is an inline style or script, or a `style` attribute, which a hash source
    /// of a Content Security Policy can allow.
    pub fn is_inline_code(&self) -> bool {
        self.kind.attribute().is_some_and(|(element, attribute)| match attribute {
            Some(attribute) => attribute == "style",
            None => matches!(&*element.name, "script" | "style"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_url::splice_text;

    #[test]
    fn digests_are_found_where_browsers_find_them() {
        let found = |digests: Vec<Digest<'_>>, text: &str| -> Vec<String> {
            let shown = digests.iter().map(|digest| {
                assert_eq!(digest.span.of_str(text), digest.value);
                format!("{} {}", digest.algorithm, digest.value)
            });
            shown.collect()
        };
        for (text, expected) in [
            ("", &[][..]),
            ("sha256-ab+/==", &["sha256 ab+/"]),
            (" SHA384-a-_?x=y\n\tsha512-b md5-c sha1-d sha256", &["sha384 a-_", "sha512 b"]),
        ] {
            assert_eq!(found(digests(text), text), expected, "{text}");
        }
        let policy =
            "style-src 'self' 'sha256-ab=';script-src 'nonce-x' 'sha384-c',x 'sha512-d' sha256-e";
        assert_eq!(found(policy_digests(policy), policy), ["sha256 ab", "sha384 c", "sha512 d"]);
    }

    #[test]
    fn only_the_strongest_algorithm_decides() {
        let content = Digests::of(b"abc");
        let sha256 = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        let url_safe = "sha256-ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
        for (text, expected) in [
            (sha256.to_owned(), true),
            (url_safe.to_owned(), true),
            (format!("sha256-x {sha256}"), true),
            (format!("sha384-x {sha256}"), false),
            ("sha256-x".to_owned(), false),
            ("md5-x".to_owned(), true),
            (String::new(), true),
        ] {
            assert_eq!(admits(&text, &content), expected, "{text}");
        }
    }

    #[test]
    fn inline_code_has_line_feeds_only() {
        for (code, expected) in [("", ""), ("a\r\nb\rc\n\r", "a\nb\nc\n\n"), ("\r\r\n", "\n\n")] {
            let digests = Digests::of_code(code.as_bytes());
            assert_eq!(digests, Digests::of(expected.as_bytes()), "{code:?}");
        }
    }

    #[test]
    fn of_many_digests_in_place_of_one_a_policy_lists_a_few_whatever_their_order() {
        let before = Digests::of(b"before");
        let text = format!("'sha384-x' '{}'", before.stated(Algorithm::Sha384));
        let given = policy_digests(&text);
        let listed = |numbers: &mut dyn Iterator<Item = u8>| {
            let mut change = PolicyChange::new(given.iter());
            for number in numbers {
                change.add(&before, &Digests::of(&[number]));
                change.add(&Digests::of(b"another"), &Digests::of(b"x"));
            }
            assert_eq!(change.replacement(&given[0]), None);
            change.replacement(&given[1])
        };
        assert_eq!(listed(&mut (0..0)), None);
        let one = Digests::of(&[7]);
        assert_eq!(listed(&mut [7, 7].into_iter()).as_deref(), Some(one.get(Algorithm::Sha384)));
        let few = listed(&mut (0..20));
        assert_eq!(few, listed(&mut (0..20).rev()));
        let text = format!("'sha384-{}'", few.unwrap());
        assert_eq!(policy_digests(&text).len(), MOST_IN_PLACE_OF_ONE);
    }

    #[test]
    fn a_digest_that_was_wrong_stays() {
        let change = DigestChange { before: Digests::of(b"before"), after: Digests::of(b"after") };
        let of = |digests: &Digests| {
            let all =
                ALGORITHMS.map(|(name, algorithm)| format!("{name}-{}==", digests.get(algorithm)));
            all.join(" ")
        };
        let text = format!("sha256-wrong {} {}", of(&change.before), of(&change.after));
        let edited = splice_text(&text, &change.edits(&digests(&text)));
        let after = of(&change.after);
        assert_eq!(edited, format!("sha256-wrong {after} {after}"));
    }
}
