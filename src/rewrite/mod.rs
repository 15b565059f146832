//! Rewriting: what becomes of each reference, of each document, of a whole tree.
//!
//! - [`policy`] is the rule: a reference and its base URLs in, a decision out; [`targets`] knows
//!   where targets lead afterwards, [`pretty`] how index files and folders are written;
//! - [`mendings`] are single references that are to be written anew;
//! - [`document`] applies a policy to one document;
//! - [`mod@archive`] does so with the records of an archive;
//! - [`plan`] is what a run over a site is to do, [`tree`] does it and writes the result;
//! - [`report`] is what a run has to say;

pub mod archive;
mod bases;
mod directories;
pub mod document;
pub mod entry;
mod fast_path;
pub mod mendings;
pub mod plan;
pub mod policy;
pub mod pretty;
pub mod report;
pub mod targets;
pub mod tree;

pub use document::{DocumentUrls, Rewritten, rewrite_document};
pub use mendings::{Mending, Mendings};
pub use plan::{Mode, Observer, Plan};
pub use policy::Policy;
pub use report::{References, Report};
pub use tree::run;

/// What a policy wants done with a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It says already what the policy wants.
    Keep,
    /// Nothing can or should be done with it.
    LeaveAlone(Reason),
    /// It changes.
    Change(crate::url::Respelling),
}

/// Why a reference is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its scheme has no hierarchy (`mailto:`, `data:`, `javascript:`).
    NotHierarchical,
    /// The value holds template markup.
    TemplateMarkup,
    /// It is empty, which there is no URL.
    Empty,
    /// It means a place in this very document whatever the base URL is.
    SameDocument,
    /// What reads it takes no absolute URL.
    RelativeOnly,
    /// It is no URL.
    BadUrl(String),
    /// The base URL is not known.
    UnknownBase,
    /// The base URL is not hierarchical.
    OpaqueBase(String),
    /// What it stands in is signed, and what it should be.
    Signed(String),
    /// The new URL cannot be written where it would stand (a comma in a comma-separated list).
    Inexpressible(String),
}

impl Reason {
    /// A short stable name, for reports.
    pub fn id(&self) -> &'static str {
        match self {
            Reason::NotHierarchical => "not-hierarchical",
            Reason::TemplateMarkup => "template-markup",
            Reason::Empty => "empty",
            Reason::SameDocument => "same-document",
            Reason::RelativeOnly => "relative-only",
            Reason::BadUrl(_) => "bad-url",
            Reason::UnknownBase => "unknown-base",
            Reason::OpaqueBase(_) => "opaque-base",
            Reason::Signed(_) => "signed",
            Reason::Inexpressible(_) => "inexpressible",
        }
    }

    /// What to tell the user about this very reference; `None` where leaving it alone is what
    /// anybody expects.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Reason::NotHierarchical
            | Reason::Empty
            | Reason::SameDocument
            | Reason::RelativeOnly => None,
            Reason::TemplateMarkup => Some("holds template markup".to_owned()),
            Reason::BadUrl(error) => Some(format!("not a URL: {error}")),
            Reason::UnknownBase => Some("its base URL is not known".to_owned()),
            Reason::OpaqueBase(base) => {
                Some(format!("nothing can be relative to the base URL {base}"))
            }
            Reason::Signed(url) => Some(format!(
                "signed: left as it is, so that the signature stays valid, and not made {url}"
            )),
            Reason::Inexpressible(url) => Some(format!("{url} cannot be written here")),
        }
    }
}
