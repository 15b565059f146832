//! The front matter of a document that decides the URL of its page.

use std::borrow::Cow;

use super::dialect::DialectRow;
use super::front_matter::{self, keys};
use super::permalinks::Date;
use super::published::{PageNames, UrlKey};
use crate::data::{self, DataLanguage, Step};

/// The values in the front matter of a document that determine the URL of its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedUrl {
    /// The values of keys, those that count first before others.
    pub(super) values: Vec<(UrlKey, String)>,
    /// Why a build leaves the page out.
    pub(super) absence: Option<Absence>,
}

/// The reason for which a build leaves out the page of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The document is a draft.
    Draft,
    /// This date, as the document has it, has not come.
    Until(String),
    /// This date is over.
    Since(String),
}

/// A day, after which a date is over in all time zones.
const DAY: i64 = 24 * 60;

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
        let stated = StatedUrl { values: values.collect(), absence: None };
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
        let values = vec![(UrlKey::Published, "false".to_owned())];
        StatedUrl { values, absence: None }
    }

    /// The same with what a build at the time `now`, in minutes since 1970, leaves out; `file`: the path of the document.
    #[must_use]
    pub fn built_at(mut self, now: i64, file: &str, row: &DialectRow) -> StatedUrl {
        let builds = &row.builds;
        if builds.unpublished {
            self.values.retain(|(key, _)| *key != UrlKey::Published);
        }
        let date = |key| Some((Date::parse(self.get(key)?)?, self.get(key)?));
        let start = date(UrlKey::PublishDate).or_else(|| date(UrlKey::Date));
        let start = match row.page_names {
            PageNames::Jekyll => {
                // Pages in no collection have no date.
                let split = file.rsplit_once('/');
                let split = split.filter(|it| it.0.split('/').any(|it| it.starts_with('_')));
                split.and_then(|(_, name)| start.or(Date::parse(name).zip(name.get(..10))))
            }
            _ => start,
        };
        let start = start.filter(|(date, _)| !builds.future && date.minutes() > now);
        let end = date(UrlKey::ExpiryDate);
        let end = end.filter(|(date, _)| !builds.expired && date.minutes() + DAY < now);
        let is_draft = !builds.drafts && self.get(UrlKey::Draft).is_some_and(is_true);
        self.absence = match (is_draft, start, end) {
            (true, ..) => Some(Absence::Draft),
            (_, _, Some((_, date))) => Some(Absence::Since(date.to_owned())),
            (_, Some((_, date)), _) => Some(Absence::Until(date.to_owned())),
            _ => None,
        };
        self
    }

    /// Returns true if a build leaves the page out, now and later.
    pub fn is_left_out(&self) -> bool {
        matches!(self.absence, Some(Absence::Draft | Absence::Since(_)))
    }

    /// The reason for which a build leaves the page out.
    pub fn absence(&self) -> Option<&Absence> {
        self.absence.as_ref()
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
        is(UrlKey::Render, &["link", "never", "false"])
            || self.get(UrlKey::Headless).is_some_and(is_true)
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
        StatedUrl { values, absence: self.absence.clone() }
    }
}

/// Returns true if a value of front matter means yes.
fn is_true(value: &str) -> bool {
    value.eq_ignore_ascii_case("true") || value == "1"
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
    // Hugo reads keys in any letter case.
    let is_named = |known: &str| match row.page_names {
        PageNames::Hugo => known.eq_ignore_ascii_case(&name),
        _ => *known == *name,
    };
    let (order, (_, key)) = keys.find(|(_, (known, _))| is_named(known))?;
    let has_items = matches!(key, UrlKey::Categories | UrlKey::Alias | UrlKey::Term(_));
    (!is_item || has_items).then_some((*key, order))
}
