//! The state of a document in the browser, as `collect.js` reads it.

use serde::Deserialize;

/// The script that collects it.
pub(super) const SCRIPT: &str = include_str!("collect.js");

/// The start of the path of a URL in a style sheet of the document.
pub(super) const SHEET: &str = "sheet ";

/// A document in the browser, as [`SCRIPT`] describes it. URLs are absolute.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Collected {
    /// The URL of the document, after redirects.
    pub(super) url: String,
    /// `CSS1Compat`, or `BackCompat` in quirks mode.
    pub(super) mode: String,
    /// The base URL that a `base` element gives.
    pub(super) base: Option<String>,
    /// The base URL of the document.
    pub(super) document_base: String,
    /// The links of the live document, in its order; after them those of its style sheets and of
    /// conditional comments.
    pub(super) links: Vec<LiveLink>,
    /// The style sheets: URL (empty for a `style` element), and whether it applies.
    pub(super) sheets: Vec<(String, bool)>,
    /// The images.
    pub(super) images: Vec<Image>,
    /// The names of the properties of `styles`.
    pub(super) properties: Vec<String>,
    /// Computed styles: a line for each property.
    pub(super) styles: Vec<String>,
    /// The elements by their paths, each with the index of its style.
    pub(super) elements: Vec<(String, usize)>,
}

/// A link, form, image or frame of the live document, or a URL in CSS or in markup that is not live: path
/// of the element, label for people, property, URL, and whether it is a link within the document.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LiveLink(
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) bool,
);

/// An image: path of the element, label for people, URL, and whether it is shown.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Image(pub(super) String, pub(super) String, pub(super) String, pub(super) bool);
