//! The options of a comparison of two documents.

use crate::expected_targets::ExpectedTargets;
use crate::integrity::FileDigests;
use rehref_document::ParseOptions;
use rehref_url::AbsoluteUrl;

/// The options of a comparison of two documents.
#[derive(Clone, Copy)]
pub struct ComparisonOptions<'c> {
    /// The options for parsing both documents.
    pub parse: ParseOptions,
    /// The fallback base URL of the document BEFORE.
    pub before: &'c AbsoluteUrl,
    /// The fallback base URL of the document AFTER.
    pub after: &'c AbsoluteUrl,
    /// The URL of the page that a generator makes of the document in BEFORE; see
    /// [`Document::at_page`](rehref_document::Document::at_page).
    pub page_before: Option<&'c AbsoluteUrl>,
    /// The URL of the page that a generator makes of the document in AFTER.
    pub page_after: Option<&'c AbsoluteUrl>,
    /// A function that returns the target that AFTER should have for a target of BEFORE.
    pub follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// True if `follow` and `follow_base` return every URL unchanged.
    pub keeps_urls: bool,
    /// A function that returns the base URL that AFTER should have for a base URL of BEFORE, if AFTER has one.
    pub follow_base: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// The base URL that the user asked for (`--base-element URL`), which every document of AFTER may have.
    pub base: Option<&'c AbsoluteUrl>,
    /// A function that returns true if the target in AFTER (second) is equivalent to the expected target
    /// (first).
    pub same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
    /// The site, if AFTER is opened from disk, where relative links to targets outside AFTER do not work.
    pub on_disk: Option<&'c ExpectedTargets<'c>>,
    /// A function that returns true if a target of BEFORE is in the site, but is not a file. A reference in
    /// Markdown with such a target stays as written. If the second argument is true, the target may also be a
    /// directory, whose name a label may have.
    pub has_no_file: &'c dyn Fn(&AbsoluteUrl, bool) -> bool,
    /// A function that returns true if a path of BEFORE (first) and a path of AFTER lead from a root of the
    /// content to the same file.
    pub same_from_root: &'c dyn Fn(&str, &str) -> Option<bool>,
    /// The path of the site's URL in BEFORE.
    pub site_path: &'c str,
    /// A function that returns true if a path of AFTER (second) is the expected one for a path of BEFORE
    /// (first), both from the root of the site, perhaps with a slash.
    pub same_source_path: &'c dyn Fn(&str, [&str; 2]) -> bool,
    /// A function that returns true if a wiki link of BEFORE (first) and one of AFTER lead to the same file, in
    /// documents at these URLs.
    pub same_wiki: &'c dyn Fn([&str; 2], [&AbsoluteUrl; 2]) -> bool,
    /// The digests of the files that the documents load.
    pub digests: FileDigests<'c>,
    /// True if servers send the document in AFTER for URLs at any depth.
    pub is_served_anywhere: bool,
    /// The maximum number of differences to list; all differences are counted.
    pub limit: usize,
}

impl<'a> ComparisonOptions<'a> {
    /// Creates options for documents at `urls`, before and after a run that moved no file.
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
