//! The table of container kinds.

use std::ffi::OsStr;

use super::container::ContainerFormat;
#[cfg(feature = "archives")]
use super::warc;
use crate::site::lower_case_name;

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
    let name = lower_case_name(name);
    CONTAINERS
        .iter()
        .find(|kind| kind.suffixes.iter().any(|suffix| name.ends_with(suffix)))
}
