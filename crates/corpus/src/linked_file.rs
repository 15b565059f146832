//! The charset and the kind that the pages that link to a file give it.

use std::collections::HashMap;
use std::path::PathBuf;

use encoding_rs::Encoding;
use rehref_document::DocumentKind;

/// The files of a corpus whose charset or kind pages decide.
pub(crate) type LinkedFiles = HashMap<PathBuf, LinkedFile>;

/// The charset and kind that pages determine for a file that they load.
#[derive(Debug, Default)]
pub struct LinkedFile {
    /// The charset of the pages so far that load it as a style sheet; `None` if they differ.
    pub(crate) charset: Option<Option<&'static Encoding>>,
    /// The kind as which they load it.
    pub(crate) kind: Option<DocumentKind>,
}
