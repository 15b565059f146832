//! Fast path of `absolute`: a simple relative reference only needs a prefix, and a document has few
//! distinct prefixes.

use std::sync::Arc;

use super::shortcut::{Shortcut, is_expressible};
use crate::DocumentUrls;
use rehref_document::{Constraints, ScriptTraits};
use rehref_url::simple::{Folders, SimpleShape};

/// The prefixes that make the simple references of a document absolute.
pub struct Prefixes {
    /// The document's URL without its fragment.
    document: Arc<[u8]>,
    /// Whether in-page links stay as written.
    keeps_fragments: bool,
    /// The URL of its folder, of the folder's parent, and so on up to the root of the site.
    folders: Vec<Arc<[u8]>>,
}

impl Prefixes {
    /// Returns the prefixes for a document at `own`. `None` where it has no URL of its own, or one with characters
    /// that an attribute value may not hold unescaped.
    pub(super) fn of(own: DocumentUrls<'_>, keeps_fragments: bool) -> Option<Prefixes> {
        let has_compared = own.scripts.has(ScriptTraits::COMPARES_SRC);
        if own.before != own.after || own.is_served_anywhere || has_compared {
            return None;
        }
        let folders = Folders::of(own.before)?;
        let whole = own.before.as_str();
        let document = whole.split('#').next().unwrap_or(whole);
        if !is_expressible(document) {
            return None;
        }
        // The general path counts the references that lead above the site.
        let levels = own.depth.map_or(usize::MAX, |depth| depth + 1);
        let folders = folders.upwards().take(levels);
        let folders = folders.map(|folder| folder.as_bytes().into());
        Some(Prefixes {
            document: document.as_bytes().into(),
            keeps_fragments,
            folders: folders.collect(),
        })
    }

    pub(super) fn shortcut(
        &self,
        shape: SimpleShape,
        constraints: Constraints,
    ) -> Option<Shortcut> {
        let (length, with) = match shape {
            SimpleShape::Absolute => return Some(Shortcut::AlreadyCorrect),
            SimpleShape::Fragment if self.keeps_fragments && !constraints.absolute => {
                return Some(Shortcut::SameDocument);
            }
            SimpleShape::Fragment => (0, &self.document),
            SimpleShape::Path(path) => (path.parents_length(), self.folders.get(path.parents)?),
        };
        Some(Shortcut::Change { length, with: Arc::clone(with) })
    }
}
