//! Edits must not change the charset that a document is read in: it is found in the first bytes, or guessed
//! from all of them, and both can be bytes of a reference, or bytes that a longer reference moves.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::encoding::{CharsetSource, declared, sniff_charset};
use super::extract::decoded_body;
use super::message::Part;
use super::message::parts::entities;
use super::prescan::PRESCAN_LIMIT;
use super::{Document, DocumentError, ParseOptions};
use rehref_url::{Edit, Spliced, splice};

impl Document<'_> {
    /// Checks that browsers detect the same charset after `edits` (sorted, not overlapping) of the working
    /// bytes. `options` are the options with which the document was parsed.
    ///
    /// # Errors
    /// [`DocumentError::Charset`] when they find another one, in which other bytes or links mean something else.
    pub fn check_charset(
        &self,
        edits: &[Edit],
        options: &ParseOptions,
    ) -> Result<(), DocumentError> {
        let may_change = match self.parts.as_slice() {
            [] => self.may_change_charset(edits, options),
            _ => self.may_change_charset_of_part(edits, options),
        };
        if !may_change {
            return Ok(());
        }
        let after = self.with_edits(edits)?;
        let options = ParseOptions { simple: false, ..*options };
        let after = Document::parse(&after, &options)?;
        // ASCII is the same in both charsets, but what a character reference adds to a query is not.
        let mut references = after.references.iter();
        let is_ascii = references.all(|it| after.text_of(it).is_ascii());
        let is_same = |before: &'static Encoding, other: &'static Encoding, bytes: &[u8]| {
            before == other || is_ascii && bytes.is_ascii()
        };
        let changed = |before: &'static Encoding, after: &'static Encoding| {
            let [before, after] = [before, after].map(Encoding::name);
            Err(DocumentError::Charset { before, after })
        };
        // A declaration that is lost or found is a difference for `verify`, whatever the bytes are: forms
        // are sent in the charset of the page.
        let is_guess = [self, &after].map(|it| it.charset.source == CharsetSource::Fallback);
        let [old, new] = [self, &after].map(|it| it.charset.encoding);
        if self.transcoded().is_some() != after.transcoded().is_some()
            || old != new && is_guess != [true, true]
            || !is_same(old, new, after.working_bytes())
        {
            return changed(old, new);
        }
        for (old, new) in self.parts.iter().zip(&after.parts) {
            let old = old.container.and_then(|at| self.containers.get(at));
            let new = new.container.and_then(|at| after.containers.get(at));
            let Some((old, new)) = old.zip(new) else { continue };
            let text = new.text.as_str().as_bytes();
            let [old, new] = [old, new].map(|it| it.query_encoding);
            if !is_same(old, new, text) {
                return changed(old, new);
            }
        }
        Ok(())
    }

    /// Returns true if `edits` may change the charset of a document that is not a message.
    fn may_change_charset(&self, edits: &[Edit], options: &ParseOptions) -> bool {
        let source = self.charset.source;
        if matches!(source, CharsetSource::ByteOrderMark | CharsetSource::Given) {
            return false;
        }
        if self.transcoded().is_some() {
            return true;
        }
        let working = self.working_bytes();
        let begins_early = edits.first().is_some_and(|it| it.span.start < PRESCAN_LIMIT);
        if begins_early {
            let declared = |bytes| declared(options.kind, bytes);
            let after = start(Spliced::new(working, edits));
            let before = working.get(..PRESCAN_LIMIT).unwrap_or(working);
            if declared(before) != declared(&after) {
                return true;
            }
        }
        // What was a guess of UTF-8 stays one, since all that is inserted is UTF-8 then.
        source == CharsetSource::Fallback
            && self.charset.encoding == WINDOWS_1252
            && std::str::from_utf8(&splice(working, edits)).is_ok()
    }

    /// Returns true if the charset of a body in a message may be another after `edits`.
    fn may_change_charset_of_part(&self, edits: &[Edit], options: &ParseOptions) -> bool {
        let is_open =
            |it: &Part| it.container.is_some() && it.media_type.parameter("charset").is_none();
        if options.charset.is_some() || !self.parts.iter().any(is_open) {
            return false;
        }
        let Some(message) = self.parts.first() else { return false };
        let after = splice(self.working_bytes(), edits);
        let entities = entities(&after, &message.media_type, usize::MAX);
        entities.iter().zip(&self.parts).filter(|(_, part)| is_open(part)).any(|(entity, part)| {
            let container = part.container.and_then(|at| self.containers.get(at));
            let kind = entity.media_type.document_kind();
            let Some((container, kind)) = container.zip(kind) else { return false };
            let body = decoded_body(&after, entity);
            body.is_ok_and(|body| {
                sniff_charset(kind, &body.bytes, None).encoding != container.query_encoding
            })
        })
    }
}

/// The bytes in which a declaration counts.
fn start(bytes: Spliced<'_>) -> Vec<u8> {
    let mut start = Vec::with_capacity(PRESCAN_LIMIT);
    for piece in bytes.pieces() {
        let left = PRESCAN_LIMIT - start.len();
        if left == 0 {
            break;
        }
        start.extend_from_slice(piece.get(..left).unwrap_or(piece));
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentKind;

    /// Replaces each `old` in `source`; the charsets before and after, if that is an error.
    fn changed(
        kind: DocumentKind,
        source: &[u8],
        old: &[u8],
        new: &str,
    ) -> Option<[&'static str; 2]> {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source, &options).unwrap();
        let found = memchr::memmem::find_iter(source, old);
        let edits: Vec<Edit> =
            found.map(|at| Edit::new(at..at + old.len(), new.as_bytes())).collect();
        assert!(!edits.is_empty());
        match document.check_charset(&edits, &options) {
            Ok(()) => None,
            Err(DocumentError::Charset { before, after }) => Some([before, after]),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_guess_may_change_only_where_all_is_ascii() {
        let to_utf8 = Some(["windows-1252", "UTF-8"]);
        for (source, expected) in [
            (&b"<base href='\xE4/'><p>\xC3\xA4"[..], to_utf8),
            (b"<base href='\xE4/'><a href=\xC3\xA4>", to_utf8),
            (b"<base href='\xE4/'><p>a", None),
            (b"<base href='\xE4/'><p>\xC3\xA4\xE4 ", None),
            // The query of a link is encoded in the charset of the document.
            (b"<base href='\xE4/'><a href='?&#228;'>", to_utf8),
            (b"<meta charset=latin1><base href='\xE4/'><p>\xC3\xA4", None),
            (b"<base href='\xE4/'><p>\xC3\xA4<body><meta charset=latin1>", None),
        ] {
            let found = changed(DocumentKind::Html, source, b"\xE4/", "x/");
            assert_eq!(found, expected, "{}", source.escape_ascii());
        }
        let (css, xml) = (DocumentKind::Css, DocumentKind::Xml);
        assert_eq!(changed(css, b"a{b:url(\xE4/)}/*\xC3\xA4*/", b"\xE4/", ""), to_utf8);
        assert_eq!(changed(xml, b"<svg><a href='\xE4/'/>\xC3\xA4</svg>", b"\xE4/", ""), to_utf8);
    }

    #[test]
    fn a_declaration_must_not_enter_or_leave_the_first_bytes() {
        let page = |before: usize, declaration: &str| {
            let space = " ".repeat(before);
            format!("<a href=x></a>{space}{declaration}<p>\u{E4}").into_bytes()
        };
        let script = "<script>'<meta charset=koi8-r>'</script>";
        let title = "<p title='<meta charset=koi8-r>'>";
        let shift = "x".repeat(100);
        for (before, declaration, new, expected) in [
            (900, script, "y", None),
            (900, script, &*shift, Some(["KOI8-R", "UTF-8"])),
            (990, script, "", None),
            (1000, script, &*shift, None),
            // The tree builder finds the element, wherever it is.
            (900, "<meta charset=koi8-r>", &*shift, None),
            (900, title, &*shift, None),
        ] {
            let page = page(before, declaration);
            let found = changed(DocumentKind::Html, &page, b"x", new);
            assert_eq!(found, expected, "{before} {declaration}");
        }
        let page = format!("<a href={shift}></a>{}{script}", " ".repeat(900));
        let found = changed(DocumentKind::Html, page.as_bytes(), shift.as_bytes(), "y");
        // All of it is ASCII, but forms are sent in the charset of the page, too.
        assert_eq!(found, Some(["UTF-8", "KOI8-R"]));
        let page = page + "\u{E4}";
        let found = changed(DocumentKind::Html, page.as_bytes(), shift.as_bytes(), "y");
        assert_eq!(found, Some(["UTF-8", "KOI8-R"]));
        // In UTF-16 and ISO-2022-JP, the bytes are others.
        let jis = format!("<a href=x></a>{}", " ".repeat(900));
        let jis = jis + "<script>'<meta charset=iso-2022-jp>'</script><p>\x1B$B$\"\x1B(B";
        let found = changed(DocumentKind::Html, jis.as_bytes(), b"x", &shift);
        assert_eq!(found, Some(["ISO-2022-JP", "UTF-8"]));
    }

    #[test]
    fn a_part_of_a_message_has_a_charset_of_its_own() {
        let to_utf8 = Some(["windows-1252", "UTF-8"]);
        for (headers, expected) in [
            ("Content-Type: text/html\n", to_utf8),
            ("Content-Type: text/html; charset=latin1\n", None),
        ] {
            let mut message = format!("MIME-Version: 1.0\n{headers}\n").into_bytes();
            message.extend(b"<a href='\xE4/'>\xC3\xA4</a>");
            let found = changed(DocumentKind::Message, &message, b"\xE4/", "x/");
            assert_eq!(found, expected, "{headers}");
        }
        let message = "MIME-Version: 1.0\nContent-Type: text/html\n\
            Content-Transfer-Encoding: quoted-printable\n\n<a href=3D'=E4/'>=C3=A4</a>";
        let found = changed(DocumentKind::Message, message.as_bytes(), b"=E4/", "x/");
        assert_eq!(found, to_utf8);
    }
}
