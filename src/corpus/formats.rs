//! The table of container kinds.

use std::ffi::OsStr;

use super::container::ContainerFormat;
#[cfg(feature = "archives")]
use super::warc;

/// All kinds of containers.
pub const CONTAINERS: &[ContainerFormat] = &[
    #[cfg(feature = "archives")]
    warc::KIND,
];

/// The suffixes of all kinds of containers, for help and messages: `.warc, .warc.gz`.
pub fn container_suffixes() -> String {
    let suffixes: Vec<&str> = CONTAINERS
        .iter()
        .flat_map(|kind| kind.suffixes)
        .copied()
        .collect();
    suffixes.join(", ")
}

/// The kind of container that a file of this name is; `None` for other files.
pub fn container_format(name: &OsStr) -> Option<&'static ContainerFormat> {
    let name = name.as_encoded_bytes();
    let ends_with = |suffix: &&str| {
        let start = name.len().checked_sub(suffix.len());
        let end = start.and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
    };
    CONTAINERS
        .iter()
        .find(|kind| kind.suffixes.iter().any(ends_with))
}
