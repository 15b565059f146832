//! The generated pages about the command line are those of its definition.

mod options_page;
mod schema;
