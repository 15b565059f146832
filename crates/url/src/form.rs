//! The forms of references: what a reference is relative to.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::scheme;

/// The form of the reference that relativizing returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum RelativeForm {
    /// A path relative to the directory of the base URL, such as `../a.html`. It never starts with a slash.
    #[default]
    Path,
    /// A path relative to the root of the host, such as `/docs/a.html`. It starts with one slash.
    Root,
    /// A URL without its scheme, such as `//example.org/docs/a.html`. It starts with two slashes.
    Scheme,
    /// The shortest of the other forms; the absolute URL if no relative reference resolves to the target.
    Shortest,
}

const FORMS: [(RelativeForm, &str); 4] = [
    (RelativeForm::Path, "path"),
    (RelativeForm::Root, "root"),
    (RelativeForm::Scheme, "scheme"),
    (RelativeForm::Shortest, "shortest"),
];

/// The error of a string that is not the name of a [`RelativeForm`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown form {0:?}; the forms are {names}", names = FORMS.map(|row| row.1).join(", "))]
pub struct UnknownForm(String);

impl RelativeForm {
    /// Returns all forms, in the order in which the command lists them.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMS.iter().map(|(form, _)| *form)
    }

    /// Returns the name that `--form` accepts, such as `root`.
    pub fn name(self) -> &'static str {
        FORMS.iter().find(|(form, _)| *form == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for RelativeForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RelativeForm {
    type Err = UnknownForm;

    fn from_str(name: &str) -> Result<Self, UnknownForm> {
        Self::all()
            .find(|form| form.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownForm(name.to_owned()))
    }
}

/// The options of relativizing a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RelativizeOptions {
    /// The form of the reference.
    pub form: RelativeForm,
    /// True if the result may be the empty reference, if that resolves to the target. False by default, because
    /// an empty value is not a URL in many places of a document.
    pub allow_empty: bool,
    /// True if the result must not be only a fragment, because a fragment would mean a place in another
    /// document here.
    pub more_than_fragment: bool,
}

impl From<RelativeForm> for RelativizeOptions {
    fn from(form: RelativeForm) -> Self {
        Self { form, ..Self::default() }
    }
}

/// The form that a reference has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferenceForm {
    /// Absolute: the reference has a scheme. (The URL Standard still resolves `http:x` relative to an `http:`
    /// base.)
    Absolute,
    /// Relative to the scheme: the reference starts with two slashes.
    Scheme,
    /// Relative to the root: the reference starts with one slash.
    Root,
    /// Relative to the directory of the base URL.
    Path,
    /// Relative to the base URL itself: the reference is empty, a query or a fragment.
    Document,
}

impl ReferenceForm {
    /// Returns the form of `reference`. Ignores C0 controls and spaces around it.
    pub fn of(reference: &str) -> Self {
        let reference = reference.trim_matches(|c: char| c <= ' ');
        match reference.as_bytes() {
            _ if scheme::split_1990s(reference).is_some() => Self::Absolute,
            [b'/' | b'\\', b'/' | b'\\', ..] => Self::Scheme,
            [b'/' | b'\\', ..] => Self::Root,
            [] | [b'?' | b'#', ..] => Self::Document,
            _ => Self::Path,
        }
    }

    /// Returns the form with which relativizing keeps this form; `None` for an absolute reference.
    pub fn relative(self) -> Option<RelativeForm> {
        match self {
            Self::Absolute => None,
            Self::Scheme => Some(RelativeForm::Scheme),
            Self::Root => Some(RelativeForm::Root),
            Self::Path | Self::Document => Some(RelativeForm::Path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for form in RelativeForm::all() {
            assert_eq!(form.to_string().parse(), Ok(form));
        }
        for (reference, form) in [
            ("HTTP://h/", None),
            ("mailto:x", None),
            ("//h/x", Some(RelativeForm::Scheme)),
            (" /x", Some(RelativeForm::Root)),
            ("x", Some(RelativeForm::Path)),
            ("?x", Some(RelativeForm::Path)),
            ("", Some(RelativeForm::Path)),
        ] {
            assert_eq!(ReferenceForm::of(reference).relative(), form, "{reference:?}");
        }
        let error = "form".parse::<RelativeForm>().unwrap_err();
        assert!(error.to_string().ends_with("path, root, scheme, shortest"));
    }
}
