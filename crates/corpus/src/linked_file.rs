//! What the pages that link to a file say of it.

use std::collections::HashMap;
use std::path::PathBuf;

use encoding_rs::Encoding;
use rehref_document::DocumentKind;

/// The files of a corpus of which pages say what matters.
pub(crate) type LinkedFiles = HashMap<PathBuf, LinkedFile>;

/// What pages say of a file.
#[derive(Debug, Default)]
pub struct LinkedFile {
    /// The charset of the pages so far that load it as a style sheet; `None` if they differ.
    pub(crate) charset: Option<Option<&'static Encoding>>,
    /// The kind as which they load it.
    pub(crate) kind: Option<DocumentKind>,
}
