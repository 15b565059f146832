//! Tables of typed columns, written as Parquet files.
//!
//! [`Rows`] collects values by column, in little memory; a [`TableWriter`] writes row groups of a bounded size, so
//! that memory stays flat however many rows there are. Both need no more of Arrow than the crate `parquet` without
//! its feature `arrow`. Without the feature `parquet` there are rows, and no writer for them.

#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "nothing writes rows"))]
mod rows;
#[cfg(all(test, feature = "parquet"))]
mod tests;
#[cfg(not(feature = "parquet"))]
#[path = "table/unavailable.rs"]
mod writer;
#[cfg(feature = "parquet")]
mod writer;

pub use rows::Rows;
pub use writer::TableWriter;

/// True if this build writes Parquet (feature `parquet`).
pub const IS_AVAILABLE: bool = cfg!(feature = "parquet");

/// The error of a build that does not write Parquet.
pub const NOT_BUILT: &str = "this rehref was built without Parquet\nhelp: to install rehref with Parquet: cargo install rehref --features parquet";

/// The columns of a table. The rows of a table of version 1 may get more columns, but never lose columns or change
/// the meaning of columns, as in JSON.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "nothing writes tables"))]
pub struct Table {
    /// The format that the file names in its metadata, such as `rehref-links`.
    pub format: &'static str,
    /// The columns in the schema language of Parquet.
    pub schema: &'static str,
}
