//! Selectors of elements whose links stay as written (`--keep-links`): each is a compound selector of CSS without
//! pseudo-classes.

use std::str::FromStr;

/// A selector of elements by name, class, id and attributes: `link[rel=canonical]`, `a.external`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSelector {
    /// `None` for any element.
    element: Option<String>,
    conditions: Vec<Condition>,
}

/// A condition on an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    /// In lower case.
    attribute: String,
    operator: Operator,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Exists,
    Equals,
    HasWord,
    HasPrefix,
    StartsWith,
    EndsWith,
    Contains,
}

/// The operators in brackets; the first that fits counts.
const OPERATORS: &[(&str, Operator)] = &[
    ("~=", Operator::HasWord),
    ("|=", Operator::HasPrefix),
    ("^=", Operator::StartsWith),
    ("$=", Operator::EndsWith),
    ("*=", Operator::Contains),
    ("=", Operator::Equals),
];

/// Attributes with values in any letter case (HTML Standard, "case-sensitivity of selectors"), without the obsolete ones.
const ANY_CASE: &[&str] = &[
    "charset", "hreflang", "http-equiv", "lang", "media", "method", "rel", "rev", "target", "type",
];

/// The error of a text that is not a selector of elements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a selector of one element; write it like link[rel=canonical], a.external or [data-keep], without \
     spaces, commas and pseudo-classes"
)]
pub struct BadSelector(String);

impl FromStr for ElementSelector {
    type Err = BadSelector;

    fn from_str(given: &str) -> Result<ElementSelector, BadSelector> {
        parsed(given).ok_or_else(|| BadSelector(given.to_owned()))
    }
}

fn parsed(given: &str) -> Option<ElementSelector> {
    let (element, mut rest) = match given.strip_prefix('*') {
        Some(rest) => ("", rest),
        None => given.split_at(name_length(given)),
    };
    let mut conditions = Vec::new();
    while let Some(sign) = rest.chars().next() {
        let inner = rest.get(1..)?;
        let (condition, after) = match sign {
            '[' => in_brackets(inner)?,
            '.' | '#' => {
                let (name, after) = inner.split_at(name_length(inner));
                let (attribute, operator) = match sign {
                    '.' => ("class", Operator::HasWord),
                    _ => ("id", Operator::Equals),
                };
                let attribute = attribute.to_owned();
                let value = Some(name.to_owned()).filter(|it| !it.is_empty())?;
                (Condition { attribute, operator, value }, after)
            }
            _ => return None,
        };
        conditions.push(condition);
        rest = after;
    }
    let element = Some(element.to_owned()).filter(|it| !it.is_empty());
    (!given.is_empty()).then_some(ElementSelector { element, conditions })
}

/// The condition at the start of `text`, which follows a bracket, and the text after the other bracket.
fn in_brackets(text: &str) -> Option<(Condition, &str)> {
    let (attribute, rest) = text.split_at(name_length(text));
    let attribute = Some(attribute.to_ascii_lowercase()).filter(|it| !it.is_empty())?;
    if let Some(after) = rest.strip_prefix(']') {
        return Some((
            Condition { attribute, operator: Operator::Exists, value: String::new() },
            after,
        ));
    }
    let mut operators = OPERATORS.iter();
    let (rest, operator) =
        operators.find_map(|(sign, operator)| Some((rest.strip_prefix(sign)?, *operator)))?;
    let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''));
    let (value, after) = match quote {
        Some(quote) => {
            let (value, after) = rest.get(1..)?.split_once(quote)?;
            (value, after.strip_prefix(']')?)
        }
        None => rest.split_once(']')?,
    };
    Some((Condition { attribute, operator, value: value.to_owned() }, after))
}

/// The length of the name that `text` begins with.
fn name_length(text: &str) -> usize {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    text.find(|c| !in_name(c)).unwrap_or(text.len())
}

/// The elements of a run whose links stay as written. The selectors live as long as the program, since the options of
/// every document have them.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptElements(&'static [ElementSelector]);

impl KeptElements {
    /// No element.
    #[cfg(any(test, fuzzing))]
    pub(crate) const NONE: KeptElements = KeptElements(&[]);

    pub fn new(selectors: &[ElementSelector]) -> KeptElements {
        if selectors.is_empty() {
            KeptElements::default()
        } else {
            KeptElements(selectors.to_vec().leak())
        }
    }

    /// Returns true if no element is selected.
    pub fn are_none(self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a selector selects the element with this name. `value` returns the value of an attribute by its
    /// name in lower case.
    pub(crate) fn have<V: AsRef<str>>(
        self,
        element: &str,
        value: impl Fn(&str) -> Option<V>,
    ) -> bool {
        self.0.iter().any(|it| {
            let mut conditions = it.conditions.iter();
            it.element.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(element))
                && conditions
                    .all(|it| value(&it.attribute).is_some_and(|own| it.is_met(own.as_ref())))
        })
    }
}

impl Condition {
    fn is_met(&self, value: &str) -> bool {
        if ANY_CASE.contains(&&*self.attribute) {
            self.is_met_by(&value.to_ascii_lowercase(), &self.value.to_ascii_lowercase())
        } else {
            self.is_met_by(value, &self.value)
        }
    }

    fn is_met_by(&self, value: &str, wanted: &str) -> bool {
        // An empty part selects nothing (Selectors 4, section 6.2).
        match self.operator {
            Operator::Exists => true,
            Operator::Equals => value == wanted,
            Operator::HasPrefix => {
                value.strip_prefix(wanted).is_some_and(|it| it.is_empty() || it.starts_with('-'))
            }
            _ if wanted.is_empty() => false,
            Operator::HasWord => value.split_ascii_whitespace().any(|word| word == wanted),
            Operator::StartsWith => value.starts_with(wanted),
            Operator::EndsWith => value.ends_with(wanted),
            Operator::Contains => value.contains(wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_has_a_name_and_conditions() {
        let element = |name: &str, attributes: &[(&str, &str)], selector: &str| {
            let kept = KeptElements::new(&[selector.parse().unwrap()]);
            kept.have(name, |wanted| {
                attributes.iter().find(|(own, _)| *own == wanted).map(|(_, value)| *value)
            })
        };
        for (selector, expected) in [
            ("a", true),
            ("A", true),
            ("*", true),
            ("abbr", false),
            ("a.external", true),
            ("a.External", false),
            ("a.ext", false),
            (".external.now", true),
            ("#x", true),
            ("a#x.now[href]", true),
            ("*[hreflang]", false),
            ("[rel=NoFollow]", true),
            ("[rel='nofollow']", true),
            ("[HREF^=\"https://h/\"]", true),
            ("[href$=']']", true),
            ("[href*=D]", false),
            ("[href*='']", false),
            ("[class~=now]", true),
            ("[class='external now']", true),
            ("[lang|=de]", true),
            ("[lang|=d]", false),
        ] {
            let attributes = [
                ("class", "external now"),
                ("id", "x"),
                ("href", "https://h/d[1]"),
                ("rel", "noFollow"),
                ("lang", "de-AT"),
            ];
            assert_eq!(element("a", &attributes, selector), expected, "{selector}");
        }
    }

    #[test]
    fn what_is_not_one_element_is_refused() {
        for given in [
            "", "a b", "a,b", "a>b", "a:hover", "a.", "#", "[", "[]", "[=x]", "[a", "[a='x]",
            "a[b]c", "**", "a*",
        ] {
            assert_eq!(
                given.parse::<ElementSelector>(),
                Err(BadSelector(given.to_owned())),
                "{given}"
            );
        }
    }
}
