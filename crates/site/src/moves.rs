//! The moves in a tree, and the targets of its URLs afterwards.

pub mod anchors;
mod mapping;
mod path_names;
pub mod placement;
mod urls;

pub use anchors::AnchorMove;
pub use mapping::Moves;
pub use path_names::PathNames;
pub use placement::Directory;
pub use urls::MovedUrls;
