//! Redirects from old URLs to new ones: which ones a move needs, and the formats that servers keep
//! redirects in.
//!
//! [`FORMATS`] is the table of formats; a format is one row. [`of_move()`] lists the redirects of a
//! move, [`of_rules()`] those that rules of earlier moves need, and [`change`] is what happens to a file that has some.
//! A format reports each redirect that it cannot express, and never writes a wrong rule.

mod apache;
mod format;
mod json;
mod netlify;
mod nginx;
mod of_move;
mod of_rules;
mod page;
mod read;
mod redirect;
mod rule_file;
mod settings;
mod stub;
#[cfg(test)]
mod tests;

pub use format::{FORMATS, RedirectFormat, RedirectWriter};
pub use of_move::{MoveRedirect, MoveRedirects, MovedSite, StatedUrls, of_move};
pub use of_rules::{RuleRedirects, of_rules};
pub use page::PageRedirect;
pub use read::{ServerRules, read};
pub use redirect::{Redirect, RedirectText};
pub use rule_file::{RuleFile, RuleFileChange, change, without_lines};
pub use settings::{HOST_SETTINGS, HostSettings, SettingsRules};
pub use stub::{STUB_LENGTH, is_stub, stub};
