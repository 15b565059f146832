//! The front matter of a document that decides the URL of its page.

use std::borrow::Cow;

use super::dialect::DialectRow;
use super::front_matter::{self, keys};
use super::published::{PageNames, UrlKey};
use crate::data::{self, DataLanguage, Step};

/// The values in the front matter of a document that determine the URL of its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedUrl {
    /// The values of keys, those that count first before others.
    pub(super) values: Vec<(UrlKey, String)>,
}

impl StatedUrl {
    /// Reads the values in the front matter of `source`; `None` if `source` has no front matter.
    pub fn of(source: &str, row: &DialectRow) -> Option<StatedUrl> {
        StatedUrl::read(source, row, |add| keys::read(source, add))
    }

    /// Reads the values in `source`, the settings of a directory.
    pub fn of_category(source: &str, row: &DialectRow) -> Option<StatedUrl> {
        // The generator reports the error.
        StatedUrl::read(source, row, |add| _ = data::read(source, DataLanguage::Yaml, add))
    }

    /// The values that `read` finds in `source`.
    fn read(
        source: &str,
        row: &DialectRow,
        read: impl FnOnce(&mut dyn FnMut(&[Step], &str)),
    ) -> Option<StatedUrl> {
        if row.url_keys.is_empty() {
            return None;
        }
        let mut found: Vec<(usize, UrlKey, String)> = Vec::new();
        read(&mut |path: &[Step], value: &str| {
            let key = url_key(row, path).filter(|_| !value.is_empty());
            found.extend(key.map(|(key, order)| (order, key, value.to_owned())));
        });
        found.sort_by_key(|(order, ..)| *order);
        let values = found.into_iter().map(|(_, key, value)| (key, value));
        let stated = StatedUrl { values: values.collect() };
        // Also one that says nothing makes a page.
        let may_be_page = row.needs_front_matter || row.page_names == PageNames::Jekyll;
        let is_page = may_be_page && front_matter::find(source).is_some();
        (is_page || !stated.values.is_empty()).then_some(stated)
    }

    /// Returns the last segment of the URL, which is also the end of the document's id in Docusaurus.
    pub fn name(&self) -> Option<&str> {
        self.get(UrlKey::Name)
    }

    /// Returns the value for a document of which the generator makes no page.
    pub fn unpublished() -> StatedUrl {
        StatedUrl { values: vec![(UrlKey::Published, "false".to_owned())] }
    }

    /// Returns true if the generator makes no page of the document.
    pub fn is_unpublished(&self) -> bool {
        self.get(UrlKey::Published) == Some("false")
    }

    /// Returns the value of `key`.
    pub(super) fn get(&self, key: UrlKey) -> Option<&str> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == key).then_some(value.as_str()))
    }

    /// Returns the values of [`UrlKey::Categories`]: items of lists, and words.
    pub(super) fn categories(&self) -> impl Iterator<Item = &str> {
        let values = self.values.iter();
        let values = values.filter(|(key, _)| *key == UrlKey::Categories);
        values.flat_map(|(_, value)| value.split_whitespace())
    }

    /// Returns the values of [`UrlKey::Alias`], and the values of [`UrlKey::Term`] with their taxonomies: the
    /// further pages that the document makes.
    pub fn made_pages(&self) -> impl Iterator<Item = (Option<&'static str>, &str)> {
        self.values.iter().filter_map(|(key, value)| match key {
            UrlKey::Alias => Some((None, value.as_str())),
            UrlKey::Term(taxonomy) => Some((Some(*taxonomy), value.as_str())),
            _ => None,
        })
    }

    /// Returns true if it says that there is no page.
    pub(super) fn has_no_page(&self) -> bool {
        let is =
            |key: UrlKey, values: &[&str]| self.get(key).is_some_and(|it| values.contains(&it));
        is(UrlKey::Draft, &["true"])
            || is(UrlKey::Render, &["never", "false"])
            || self.is_unpublished()
    }

    /// Adds a value.
    pub(super) fn push(&mut self, key: UrlKey, value: &str) {
        self.values.push((key, value.to_owned()));
    }

    /// Fills the keys that have no value from `others`.
    pub(super) fn over(&self, others: &StatedUrl) -> StatedUrl {
        let mut values = self.values.clone();
        let is_missing = |key: UrlKey| self.get(key).is_none();
        let missing = others.values.iter().filter(|(key, _)| is_missing(*key));
        values.extend(missing.cloned());
        StatedUrl { values }
    }
}

/// Returns the key of front matter that the value at `path` belongs to, and its place in the table of `row`.
pub(super) fn url_key(row: &DialectRow, path: &[Step]) -> Option<(UrlKey, usize)> {
    let (name, is_item): (Cow<'_, str>, _) = match path {
        [Step::Member(name)] => ((**name).into(), false),
        [Step::Member(name), Step::Item(_)] => ((**name).into(), true),
        [Step::Member(group), Step::Member(name)] => (format!("{group}.{name}").into(), false),
        _ => return None,
    };
    let mut keys = row.url_keys.iter().enumerate();
    let (order, (_, key)) = keys.find(|(_, (known, _))| **known == *name)?;
    let has_items = matches!(key, UrlKey::Categories | UrlKey::Alias | UrlKey::Term(_));
    (!is_item || has_items).then_some((*key, order))
}
