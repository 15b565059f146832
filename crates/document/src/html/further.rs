//! Attributes that hold URLs because the user says so (`--attr`): rows beside those of the table.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::attributes::{AttributeRow, Condition, row, rows_named};
use super::element::Namespace;
use super::scanner::attribute_table::AttributeTable;
use crate::value_rules::{ValueKind, ValueRules};

/// The attributes that `--attr` adds to the [table](super::attributes) of URL attributes. They live as long as
/// the program, since every document refers to them.
#[derive(Clone, Copy, Default)]
pub struct FurtherAttributes(Option<&'static FurtherTable>);

struct FurtherTable {
    rows: Vec<AttributeRow>,
    /// The names of further attributes that are ignore marks.
    ignore_marks: Vec<&'static str>,
    /// The table of the scanner, made for the first document.
    scanner: OnceLock<AttributeTable>,
}

/// A table that was made, and what of.
struct KnownTable {
    given: Vec<FurtherAttribute>,
    marks: Vec<String>,
    table: &'static FurtherTable,
}

/// An attribute that `--attr` adds, for some elements: `img@data-src`, `*@data-href`, `*-*@src`,
/// `a@data-list=urls`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FurtherAttribute {
    /// The local name of the elements, in lower case, or [`CUSTOM`]; `None` for any.
    element: Option<String>,
    /// In lower case.
    attribute: String,
    kind: ValueKind,
}

/// The name of all custom elements: those of HTML with a hyphen in their names.
const CUSTOM: &str = "*-*";

/// The syntaxes of values, by the names that users give them.
const KINDS: [(&str, ValueKind); 4] = [
    ("url", ValueKind::Url),
    ("srcset", ValueKind::Srcset),
    ("urls", ValueKind::SpaceSeparated),
    ("css", ValueKind::Css),
];

/// The maximum number of added attributes: the scanner numbers them together with those of the table, in 128
/// bits.
pub const MOST: usize = 24;

/// The error of a text that does not name an attribute to add.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAttribute {
    /// The text is not `ELEMENT@ATTRIBUTE`.
    #[error(
        "`{0}` is not ELEMENT@ATTRIBUTE; write it like img@data-src, *@data-href for any element, or *-*@src for custom elements"
    )]
    Form(String),
    /// This name contains characters that the names of tags and attributes cannot have.
    #[error("`{0}` cannot be the name of an element or attribute; write it like img@data-src")]
    Name(String),
    /// The kind is none.
    #[error(
        "`{0}` is not a kind of value; pass url, srcset, urls or css, like img@data-set=srcset"
    )]
    Kind(String),
    /// rehref reads URLs in this attribute already.
    #[error("rehref processes `{0}` without this option; remove the option")]
    Known(String),
    /// The list has more than [`MOST`] attributes.
    #[error("pass at most {MOST} attributes")]
    TooMany,
}

impl FromStr for FurtherAttribute {
    type Err = BadAttribute;

    fn from_str(given: &str) -> Result<FurtherAttribute, BadAttribute> {
        let (name, kind) = match given.split_once('=') {
            Some((name, kind)) => (name, Some(kind)),
            None => (given, None),
        };
        let (element, attribute) = match name.split_once('@') {
            Some((element, attribute)) if !element.is_empty() && !attribute.is_empty() => {
                (element.to_ascii_lowercase(), attribute.to_ascii_lowercase())
            }
            _ => return Err(BadAttribute::Form(given.to_owned())),
        };
        let is_name = |name: &str| {
            let in_tags = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>/=*@".contains(&byte);
            name.bytes().all(in_tags)
        };
        let element = Some(element).filter(|name| name != "*");
        let names = element.iter().filter(|it| *it != CUSTOM).chain([&attribute]);
        if let Some(name) = names.into_iter().find(|name| !is_name(name)) {
            return Err(BadAttribute::Name(name.clone()));
        }
        let kind = match kind {
            None if attribute.ends_with("srcset") => ValueKind::Srcset,
            None => ValueKind::Url,
            Some(kind) => {
                let known = KINDS.iter().find(|(name, _)| *name == kind);
                known.ok_or_else(|| BadAttribute::Kind(kind.to_owned()))?.1
            }
        };
        let is_for = |row: &&&AttributeRow| {
            let element = element.as_deref();
            row.namespace == Namespace::Html
                && row.when == Condition::Always
                && !row.rules.rdfa
                && (row.elements.is_empty() || element.is_some_and(|it| row.elements.contains(&it)))
        };
        match rows_named(&attribute).iter().find(is_for) {
            Some(_) => Err(BadAttribute::Known(name.to_owned())),
            None => Ok(FurtherAttribute { element, attribute, kind }),
        }
    }
}

impl FurtherAttributes {
    /// The empty list.
    #[cfg(any(test, fuzzing))]
    pub const NONE: FurtherAttributes = FurtherAttributes(None);

    /// Creates the list of the attributes `given` and of those with the names `ignore_marks`, each of which is
    /// an ignore mark for all checks.
    ///
    /// # Errors
    /// Returns an error if they are more than [`MOST`].
    pub fn new(
        given: &[FurtherAttribute],
        ignore_marks: &[String],
    ) -> Result<FurtherAttributes, BadAttribute> {
        if given.is_empty() && ignore_marks.is_empty() {
            return Ok(FurtherAttributes::default());
        }
        if given.len() + ignore_marks.len() > MOST {
            return Err(BadAttribute::TooMany);
        }
        // A program may give the same attributes for each document.
        static KNOWN: Mutex<Vec<KnownTable>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known.iter().find(|it| it.given == given && it.marks == ignore_marks) {
            return Ok(FurtherAttributes(Some(it.table)));
        }
        let table = FurtherAttributes::leaked(given, ignore_marks);
        let (given, marks) = (given.to_vec(), ignore_marks.to_vec());
        known.push(KnownTable { given, marks, table });
        Ok(FurtherAttributes(Some(table)))
    }

    fn leaked(given: &[FurtherAttribute], ignore_marks: &[String]) -> &'static FurtherTable {
        let rows = given.iter().flat_map(|it| {
            let attribute: &'static str = it.attribute.clone().leak();
            let element = it.element.clone().map(|name| &*name.leak());
            let elements: &'static [&'static str] = Vec::from_iter(element).leak();
            let is_custom = elements.first() == Some(&CUSTOM);
            let namespaces = [Namespace::Html, Namespace::Svg, Namespace::MathMl];
            let namespaces = namespaces.into_iter().take(if is_custom { 1 } else { 3 });
            namespaces
                .map(move |namespace| row(namespace, elements, attribute, ValueRules::of(it.kind)))
        });
        Box::leak(Box::new(FurtherTable {
            rows: rows.collect(),
            ignore_marks: ignore_marks.iter().map(|it| &*it.to_ascii_lowercase().leak()).collect(),
            scanner: OnceLock::new(),
        }))
    }

    /// Returns the names of the attributes that are ignore marks besides `data-rehref-ignore`.
    pub(super) fn ignore_marks(self) -> &'static [&'static str] {
        self.0.map_or(&[], |table| &table.ignore_marks)
    }

    /// Returns the rows, which count after those of the table.
    pub(super) fn rows(self) -> &'static [AttributeRow] {
        self.0.map_or(&[], |table| &table.rows)
    }

    /// Returns the rows with this name.
    pub(super) fn rows_named(self, attribute: &str) -> impl Iterator<Item = &'static AttributeRow> {
        self.rows().iter().filter(move |row| row.attribute == attribute)
    }

    /// Returns the row of an attribute of an element that the table has no row for.
    pub(crate) fn find(
        self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
    ) -> Option<&'static AttributeRow> {
        self.rows_named(attribute).find(|row| {
            let is_element = |name: &&str| {
                name.eq_ignore_ascii_case(element) || *name == CUSTOM && element.contains('-')
            };
            row.namespace == namespace
                && (row.elements.is_empty() || row.elements.iter().any(is_element))
        })
    }

    /// Returns the table of the scanner, made by `make` once; `None` without further attributes.
    pub(super) fn scanner_table(
        self,
        make: fn(FurtherAttributes) -> AttributeTable,
    ) -> Option<&'static AttributeTable> {
        let table = self.0?;
        Some(table.scanner.get_or_init(|| make(self)))
    }
}

impl fmt::Debug for FurtherAttributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let html = self.rows().iter().filter(|row| row.namespace == Namespace::Html);
        let rows = html.map(|row| (row.elements, row.attribute, row.rules.kind));
        f.debug_list().entries(rows).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_has_an_element_and_a_kind() {
        for (given, expected) in [
            ("img@data-src", Ok((Some("img"), "data-src", ValueKind::Url))),
            ("*@Data-Href", Ok((None, "data-href", ValueKind::Url))),
            ("IMG@data-srcset", Ok((Some("img"), "data-srcset", ValueKind::Srcset))),
            ("img@data-srcset=url", Ok((Some("img"), "data-srcset", ValueKind::Url))),
            ("x-y@list=urls", Ok((Some("x-y"), "list", ValueKind::SpaceSeparated))),
            ("*@data-style=css", Ok((None, "data-style", ValueKind::Css))),
            ("*@href", Ok((None, "href", ValueKind::Url))),
            ("*@about", Ok((None, "about", ValueKind::Url))),
            ("*-*@src", Ok((Some("*-*"), "src", ValueKind::Url))),
            ("x-*@src", Err(BadAttribute::Name("x-*".to_owned()))),
            ("svg@xlink:href", Ok((Some("svg"), "xlink:href", ValueKind::Url))),
            ("img", Err(BadAttribute::Form("img".to_owned()))),
            ("@x", Err(BadAttribute::Form("@x".to_owned()))),
            ("img@", Err(BadAttribute::Form("img@".to_owned()))),
            ("img@@click", Err(BadAttribute::Name("@click".to_owned()))),
            ("img@a b", Err(BadAttribute::Name("a b".to_owned()))),
            ("im*@a", Err(BadAttribute::Name("im*".to_owned()))),
            ("img@a=html", Err(BadAttribute::Kind("html".to_owned()))),
            ("img@src", Err(BadAttribute::Known("img@src".to_owned()))),
            ("*@style", Err(BadAttribute::Known("*@style".to_owned()))),
        ] {
            let found: Result<FurtherAttribute, _> = given.parse();
            let found = found.as_ref().map(|it| (it.element.as_deref(), &*it.attribute, it.kind));
            assert_eq!(found, expected.as_ref().map(|it| *it), "{given}");
        }
    }

    #[test]
    fn the_numbers_of_most_attributes_fit_into_a_set() {
        let given: Vec<FurtherAttribute> =
            (0..=MOST).map(|at| format!("*@data-{at}").parse().unwrap()).collect();
        assert_eq!(FurtherAttributes::new(&given, &[]).err(), Some(BadAttribute::TooMany));
        let all = FurtherAttributes::new(&given[..MOST], &[]).unwrap();
        let table = all.scanner_table(AttributeTable::with).unwrap();
        assert!(table.names.all().len() <= 128);
    }
}
