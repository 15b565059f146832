//! Markdown: links and images with exact spans, headings and their anchors.
//!
//! [`find()`] asks the authority, pulldown-cmark, what is a link, and finds the span of its [`destination`]. What a
//! [`dialect`] adds to CommonMark, [`blocks`] turns into CommonMark before, in a copy in which every byte keeps its
//! place: [`front_matter`], [`shortcodes`], [`directives`]. [`rows`] is the table of the places that hold URLs.
//! [`NavigationKind`] is a file of a generator that names documents.

mod autolink;
#[cfg(feature = "markdown")]
mod blocks;
mod columns;
#[cfg(feature = "markdown")]
mod definitions;
pub mod destination;
mod dialect;
mod directive_names;
mod directives;
#[cfg(feature = "markdown")]
mod find;
mod findings;
pub mod front_matter;
#[cfg(feature = "markdown")]
mod generators;
#[cfg(feature = "markdown")]
mod jsx;
mod known;
mod labels;
mod lines;
mod makers;
mod navigation;
mod page;
mod page_templates;
mod permalinks;
mod plain;
mod prepared;
mod project;
mod published;
mod python_links;
mod redirects;
mod rewrites;
mod row_reading;
pub mod rows;
mod rst;
mod settings;
mod shortcodes;
pub mod slug;
mod stated_url;
#[cfg(feature = "markdown")]
mod tab_ids;
#[cfg(feature = "markdown")]
mod undefined;
#[cfg(not(feature = "markdown"))]
mod without_markdown;
#[cfg(feature = "markdown")]
mod written_ids;

#[cfg(feature = "markdown")]
pub use blocks::inclusions;
pub use columns::Misaligned;
pub use destination::DestinationForm;
pub use dialect::{DialectRow, MarkdownDialect, NameForm};
#[cfg(feature = "markdown")]
pub use find::find;
pub use findings::{MarkdownFindings, find_in_html};
pub use front_matter::{FrontMatterKeys, values as front_matter_values};
#[cfg(feature = "markdown")]
pub use generators::{DIALECTS, UNREAD, is_page_of_host};
pub use labels::{is_made, label_id, label_key, labels};
pub use makers::{LabelForm, Maker, Makes, PageSign, ProjectSign, has_word};
pub use navigation::NavigationKind;
pub use page_templates::PageTemplate;
pub use permalinks::{HugoPermalinks, JekyllPermalinks, Permalinks};
pub use prepared::UnreadLink;
pub use project::Project;
pub use published::{BasePath, ContentFolder, FolderFiles, Mounts, PageNames, PageUrl, Published};
pub use redirects::{FrontMatterList, GeneratorRedirects, RedirectLine, RedirectName, RedirectRow};
pub use rewrites::Rewrite;
pub use row_reading::{PathReading, is_content_path, is_short_module, names_source};
pub use rows::{DataValue, DataValues, Lookup, MarkdownRow, MarkdownValue};
pub use settings::Settings;
pub use stated_url::{Absence, StatedUrl};
#[cfg(not(feature = "markdown"))]
pub use without_markdown::{DIALECTS, find, inclusions};
