//! A page in a message changes as the page alone does, however it is encoded.

use crate::fuzzing::pieces;
use crate::{DocumentUrls, Policy, rewrite_document};
use proptest::prelude::*;
use rehref_document::{DocumentKind, ParseOptions};
use rehref_url::{AbsoluteUrl, Standard, Url};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Identity,
    QuotedPrintable,
    Base64,
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Encoding {
    fn name(self) -> &'static str {
        match self {
            Encoding::Identity => "8bit",
            Encoding::QuotedPrintable => "Quoted-Printable",
            Encoding::Base64 => "base64",
        }
    }

    /// `content` on lines of so many characters.
    fn encode(self, content: &[u8], length: usize, line_end: &str) -> Vec<u8> {
        match self {
            Encoding::Identity => content.to_vec(),
            Encoding::Base64 => {
                let mut digits = Vec::new();
                for chunk in content.chunks(3) {
                    let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
                    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
                    for at in 0..4 {
                        digits.push(if at <= chunk.len() {
                            ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]
                        } else {
                            b'='
                        });
                    }
                }
                digits.chunks(length).collect::<Vec<_>>().join(line_end.as_bytes())
            }
            Encoding::QuotedPrintable => {
                let mut lines = String::new();
                let mut column = 0;
                for (at, &byte) in content.iter().enumerate() {
                    let is_last = matches!(content.get(at + 1), None | Some(b'\n' | b'\r'));
                    let piece = match byte {
                        b'\n' | b'\r' => {
                            lines.push(char::from(byte));
                            column = 0;
                            continue;
                        }
                        b'!'..=b'<' | b'>'..=b'~' => char::from(byte).to_string(),
                        b' ' if !is_last => " ".to_owned(),
                        _ => format!("={byte:02X}"),
                    };
                    if column + piece.len() > length.min(75) {
                        lines.push('=');
                        lines.push_str(line_end);
                        column = 0;
                    }
                    column += piece.len();
                    lines.push_str(&piece);
                }
                lines.into_bytes()
            }
        }
    }

    fn decode(self, body: &[u8]) -> Vec<u8> {
        let mut content = Vec::new();
        match self {
            Encoding::Identity => content.extend_from_slice(body),
            Encoding::Base64 => {
                let digits = body.iter().filter_map(|b| ALPHABET.iter().position(|a| a == b));
                let digits: Vec<usize> = digits.collect();
                for chunk in digits.chunks(4) {
                    let digit = |at: usize| chunk.get(at).copied().unwrap_or(0);
                    let bits = digit(0) << 18 | digit(1) << 12 | digit(2) << 6 | digit(3);
                    let bytes = [bits >> 16 & 255, bits >> 8 & 255, bits & 255];
                    let bytes = bytes.map(|byte| u8::try_from(byte).unwrap());
                    content.extend_from_slice(&bytes[..chunk.len() - 1]);
                }
            }
            Encoding::QuotedPrintable => {
                let text = std::str::from_utf8(body).unwrap();
                let text = text.replace("=\r\n", "").replace("=\n", "");
                let mut pieces = text.split('=');
                content.extend_from_slice(pieces.next().unwrap().as_bytes());
                for piece in pieces {
                    content.push(u8::from_str_radix(&piece[..2], 16).unwrap());
                    content.extend_from_slice(&piece.as_bytes()[2..]);
                }
            }
        }
        content
    }
}

fn encodings() -> impl Strategy<Value = Encoding> {
    prop_oneof![Just(Encoding::Identity), Just(Encoding::QuotedPrintable), Just(Encoding::Base64)]
}

/// A page of these pieces, in UTF-8.
fn page() -> impl Strategy<Value = String> {
    let name = "(\\.\\./)?[a-zäß. /?&=%-]{0,12}";
    let piece = prop_oneof![
        name.prop_map(|name| format!("<a href=\"{name}\">")),
        name.prop_map(|name| format!("<img src='{name}' srcset='a.png 1x, b.png 2x'>")),
        "[a-z]{1,8}".prop_map(|name| format!("<a href={name}>")),
        name.prop_map(|name| format!("<p style='b:url(\"{name}\")'>")),
        "[a-z]{0,8}".prop_map(|name| format!("<iframe srcdoc=\"<a href='{name}'>\"></iframe>")),
        Just("<style>@import 'x';</style>".to_owned()),
        Just("<base href='/b/'>".to_owned()),
        "[a-z ,äß=]{0,90}",
        Just("\n".to_owned()),
        Just(" \n".to_owned()),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn rewritten(bytes: &[u8], kind: DocumentKind) -> Vec<u8> {
    let url = Url::parse("https://example.org/docs/d/page.html").unwrap();
    let url = AbsoluteUrl::new(Standard::default(), url);
    let options = ParseOptions { kind, ..ParseOptions::default() };
    let own = DocumentUrls::unmoved(&url);
    let result = rewrite_document(bytes, own, &Policy::absolute(), &options).unwrap();
    result.into_bytes(bytes).unwrap_or_else(|| bytes.to_vec())
}

proptest! {
    #[test]
    fn a_page_in_a_message_changes_as_it_does_alone(
        page in page(),
        encoding in encodings(),
        is_latin in any::<bool>(),
        quanta in 2..19_usize,
        is_crlf in any::<bool>(),
    ) {
        let line_end = if is_crlf { "\r\n" } else { "\n" };
        let page = page.replace('\n', line_end);
        let (charset, page) = if is_latin { ("iso-8859-1", page.chars().map(|c| c as u8).collect()) } else { ("utf-8", page.into_bytes()) };
        let alone = [format!("<meta charset={charset}>").as_bytes(), &page].concat();
        let part = |body: &[u8]| {
            let body = encoding.encode(body, quanta * 4, line_end);
            let head = format!(
                "Content-Type: text/html; charset={charset}\nContent-Transfer-Encoding: {}\n\n",
                encoding.name()
            );
            [head.replace('\n', line_end).as_bytes(), &body, line_end.as_bytes()].concat()
        };
        let head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_x\"\n\n";
        let delimiter = format!("--=_x{line_end}");
        let plain = format!("{line_end}<a href=y>{line_end}");
        let message = [
            head.replace('\n', line_end).as_bytes(),
            delimiter.as_bytes(),
            &part(&alone),
            delimiter.as_bytes(),
            plain.as_bytes(),
            delimiter.as_bytes(),
            &part(b"nothing"),
            format!("--=_x--{line_end}").as_bytes(),
        ]
        .concat();
        let new = rewritten(&message, DocumentKind::Message);
        let expected = rewritten(&alone, DocumentKind::Html);
        // All but the one body is as it was.
        let start = memchr::memmem::find(&message, &part(&alone)).unwrap();
        let after = message.len() - start - part(&alone).len();
        prop_assert_eq!(&new[..start], &message[..start]);
        prop_assert_eq!(&new[new.len() - after..], &message[message.len() - after..]);
        let part = &new[start..new.len() - after - line_end.len()];
        let blank = [line_end, line_end].concat();
        let body = memchr::memmem::find(part, blank.as_bytes()).unwrap() + blank.len();
        let found = encoding.decode(&part[body..]);
        prop_assert_eq!(
            found.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{}", new.escape_ascii()
        );
        // What is absolute already stays byte for byte.
        prop_assert_eq!(rewritten(&new, DocumentKind::Message), new);
    }

    /// Whatever the bytes are, nothing breaks, and parts stay where they are.
    #[test]
    fn nothing_is_too_broken(pieces in prop::collection::vec(soup(), 0..40)) {
        let message = pieces.concat();
        let new = rewritten_if_possible(&message);
        if let Some(new) = new {
            let again = rewritten_if_possible(&new);
            prop_assert_eq!(again.map(|it| it.escape_ascii().to_string()), Some(new.escape_ascii().to_string()));
        }
    }
}

/// The older standards keep a NUL, which most syntaxes read as another character.
#[test]
fn a_nul_in_a_base_url_is_written_only_where_it_stays_one() {
    let url = Url::parse("https://example.org/docs/d/page.html").unwrap();
    let url = AbsoluteUrl::new(Standard::Rfc1808, url);
    let options = ParseOptions { kind: DocumentKind::Message, ..ParseOptions::default() };
    for (headers, body) in [
        ("Content-Type: text/css", "a{b:url(c)}"),
        ("Content-Type: text/html", "<a href=c>"),
        (
            "Content-Type: image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg'><a href='c'/></svg>",
        ),
    ] {
        let message = format!("MIME-Version: 1.0\nContent-Base: http://h/\0/\n{headers}\n\n{body}");
        let own = DocumentUrls::unmoved(&url);
        let result =
            rewrite_document(message.as_bytes(), own, &Policy::absolute(), &options).unwrap();
        let codes: Vec<&str> = result.diagnostics.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["inexpressible"], "{headers}");
        assert_eq!(result.into_bytes(message.as_bytes()), None, "{headers}");
    }
}

fn rewritten_if_possible(bytes: &[u8]) -> Option<Vec<u8>> {
    let url = Url::parse("https://example.org/docs/d/page.html").unwrap();
    let url = AbsoluteUrl::new(Standard::default(), url);
    let options =
        ParseOptions { kind: DocumentKind::Message, metadata: true, ..ParseOptions::default() };
    let own = DocumentUrls::unmoved(&url);
    let result = rewrite_document(bytes, own, &Policy::absolute(), &options).ok()?;
    Some(result.into_bytes(bytes).unwrap_or_else(|| bytes.to_vec()))
}

fn soup() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(pieces::MESSAGE).prop_map(|piece| piece.as_bytes().to_vec())
}
