//! Documents in memory, as the public functions take and return them: bytes or text.

use std::fmt;

use encoding_rs::{Encoding, UTF_8};

use rehref_document::DocumentError;
use rehref_document::encoding::LossyTranscoding;

/// A document in memory: bytes, or text. Text is UTF-8, whatever a `meta` element or a
/// [charset](crate::PageOptions::charset) declares. Functions return a document of the same type, borrowed if
/// nothing changes.
///
/// ```
/// use std::borrow::Cow;
///
/// let url = "https://example.org/docs/".parse()?;
/// let text: Cow<'_, str> = rehref::absolute("<a href=ü>", &url, &Default::default())?;
/// assert_eq!(text, "<a href=https://example.org/docs/ü>");
/// let bytes: Cow<'_, [u8]> = rehref::absolute(b"<a href=/>", &url, &Default::default())?;
/// assert_eq!(&*bytes, b"<a href=https://example.org/>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Source<'a>: sealed::Sealed {
    /// `[u8]` or `str`.
    type Form: SourceForm + ?Sized + 'a;

    /// The whole document.
    fn whole(self) -> &'a Self::Form;
}

/// The type of a document in memory without its lifetime: `[u8]` or `str`.
pub trait SourceForm: ToOwned<Owned: fmt::Debug> + sealed::Sealed {
    /// The bytes of the document.
    fn bytes(&self) -> &[u8];

    /// The charset of the document, if the form decides it.
    fn charset() -> Option<&'static Encoding>;

    /// A changed document in this form.
    ///
    /// # Errors
    /// Returns an error if text is not UTF-8 any more: a part of a message has a charset of its own.
    fn changed(bytes: Vec<u8>) -> Result<Self::Owned, DocumentError>;
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for [u8] {}
    impl Sealed for str {}
    impl<T: ?Sized> Sealed for &T {}
}

impl SourceForm for [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn charset() -> Option<&'static Encoding> {
        None
    }

    fn changed(bytes: Vec<u8>) -> Result<Vec<u8>, DocumentError> {
        Ok(bytes)
    }
}

impl SourceForm for str {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn charset() -> Option<&'static Encoding> {
        Some(UTF_8)
    }

    fn changed(bytes: Vec<u8>) -> Result<String, DocumentError> {
        let text = String::from_utf8(bytes);
        text.map_err(|_| LossyTranscoding::RoundTrip(UTF_8.name()).into())
    }
}

impl<'a> Source<'a> for &'a [u8] {
    type Form = [u8];

    fn whole(self) -> &'a [u8] {
        self
    }
}

impl<'a, const LENGTH: usize> Source<'a> for &'a [u8; LENGTH] {
    type Form = [u8];

    fn whole(self) -> &'a [u8] {
        self
    }
}

impl<'a> Source<'a> for &'a Vec<u8> {
    type Form = [u8];

    fn whole(self) -> &'a [u8] {
        self
    }
}

impl<'a> Source<'a> for &'a str {
    type Form = str;

    fn whole(self) -> &'a str {
        self
    }
}

impl<'a> Source<'a> for &'a String {
    type Form = str;

    fn whole(self) -> &'a str {
        self
    }
}
