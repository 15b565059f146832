//! The options of a comparison of two documents.

use crate::expected_targets::ExpectedTargets;
use crate::integrity::FileDigests;
use rehref_document::ParseOptions;
use rehref_url::AbsoluteUrl;

/// Options of the comparison of two documents.
#[derive(Clone, Copy)]
pub struct ComparisonOptions<'c> {
    /// Options to parse both documents with.
    pub parse: ParseOptions,
    /// The fallback base URL of the document BEFORE.
    pub before: &'c AbsoluteUrl,
    /// The fallback base URL of the document AFTER.
    pub after: &'c AbsoluteUrl,
    /// The URL of the page made of the document BEFORE; see [`Document::at_page`](rehref_document::Document::at_page).
    pub page_before: Option<&'c AbsoluteUrl>,
    /// The URL of the page made of the document AFTER.
    pub page_after: Option<&'c AbsoluteUrl>,
    /// Maps a target of BEFORE to the target that AFTER should have.
    pub follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// True if `follow` and `follow_base` return every URL as it is.
    pub keeps_urls: bool,
    /// Maps a base URL of BEFORE to the base URL that AFTER should have, if it has one.
    pub follow_base: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// The base URL that every document of AFTER may have: the one that the rewriting was asked for.
    pub base: Option<&'c AbsoluteUrl>,
    /// Returns whether the target in AFTER (second) is equivalent to the expected target (first).
    pub same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
    /// The site, where AFTER is opened from disk; relative links to targets that are not in AFTER do not work there.
    pub on_disk: Option<&'c ExpectedTargets<'c>>,
    /// Whether a target of BEFORE is in the site, and no file of it: a reference of Markdown with such a target stays
    /// as it is written. With `true` as second, also a directory of it, of which a label may have the name.
    pub has_no_file: &'c dyn Fn(&AbsoluteUrl, bool) -> bool,
    /// Whether a path of BEFORE (first) and one of AFTER lead from a root of the content to the same file.
    pub same_from_root: &'c dyn Fn(&str, &str) -> Option<bool>,
    /// The path of the URL of BEFORE.
    pub site_path: &'c str,
    /// Whether a path of AFTER (second) is the one that it should have for a path of BEFORE, both from the root of the
    /// site, perhaps with a slash.
    pub same_source_path: &'c dyn Fn(&str, [&str; 2]) -> bool,
    /// Whether a wiki link of BEFORE (first) and one of AFTER mean the same file, in documents at these URLs.
    pub same_wiki: &'c dyn Fn([&str; 2], [&AbsoluteUrl; 2]) -> bool,
    /// The digests of the files that the documents load.
    pub digests: FileDigests<'c>,
    /// True if servers send the document in AFTER for URLs at any depth.
    pub is_served_anywhere: bool,
    /// The number of differences to list; all are counted.
    pub limit: usize,
}

impl<'a> ComparisonOptions<'a> {
    /// Compares documents at `urls`, from before and after a rewriting that moved nothing.
    pub fn unmoved(parse: ParseOptions, urls: [&'a AbsoluteUrl; 2]) -> ComparisonOptions<'a> {
        let [before, after] = urls;
        ComparisonOptions {
            parse,
            before,
            after,
            page_before: None,
            page_after: None,
            follow: &AbsoluteUrl::clone,
            keeps_urls: true,
            follow_base: &AbsoluteUrl::clone,
            base: None,
            same: &PartialEq::eq,
            on_disk: None,
            has_no_file: &|_, _| false,
            same_from_root: &|_, _| None,
            site_path: "/",
            same_source_path: &|_, [old, new]| old == new,
            same_wiki: &|[old, new], _| old == new,
            digests: FileDigests::UNKNOWN,
            is_served_anywhere: false,
            limit: usize::MAX,
        }
    }
}
