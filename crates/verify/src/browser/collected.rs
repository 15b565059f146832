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

/// A link, form, image or frame of the live document, or a URL in CSS or in markup that is not live; in JSON, the
/// list of these values.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LiveLink {
    /// The path of the element.
    pub(super) path: String,
    /// The element, for people.
    pub(super) label: String,
    pub(super) property: String,
    pub(super) url: String,
    /// True if it is a link within the document.
    pub(super) is_within: bool,
}

/// An image; in JSON, the list of these values.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Image {
    /// The path of the element.
    pub(super) path: String,
    /// The element, for people.
    pub(super) label: String,
    pub(super) url: String,
    pub(super) is_shown: bool,
}
