//! The table of elements whose content is a carrier: style sheets, scripts that are data, and markup that browsers read
//! as text.

use super::element::Namespace;
use crate::json::JsonKind;
use crate::value_rules::ValueKind;

/// The names of elements whose content may contain URLs: a filter before their attributes are known.
pub const NAMES: &[&str] = &["noembed", "noframes", "script", "style"];

/// Types of `script` elements that are data (HTML Standard section 4.12.1.1; JSON-LD 1.1 section 7).
const SCRIPT_TYPES: &[(&str, JsonKind)] = &[
    ("importmap", JsonKind::ImportMap),
    ("speculationrules", JsonKind::SpeculationRules),
    ("application/ld+json", JsonKind::JsonLd),
];

/// Returns the language of an element's content, from the element's `type`; `None` if the content contains no
/// URLs.
pub fn kind_of(namespace: Namespace, element: &str, type_: Option<&str>) -> Option<ValueKind> {
    match (namespace, element) {
        (Namespace::Html | Namespace::Svg, "style") => {
            // HTML Standard section 4.2.6, "update a style block".
            let is_css = type_
                .is_none_or(|type_| type_.is_empty() || type_.eq_ignore_ascii_case("text/css"));
            is_css.then_some(ValueKind::Css)
        }
        (Namespace::Html, "script") => {
            // Parameters of a media type (`;profile=...`) do not change the language.
            let type_ = type_?.split(';').next()?.trim_ascii();
            SCRIPT_TYPES
                .iter()
                .find(|(known, _)| type_.eq_ignore_ascii_case(known))
                .map(|(_, kind)| ValueKind::Json(*kind))
        }
        // For browsers without frames and plug-ins.
        (Namespace::Html, "noembed" | "noframes") => Some(ValueKind::HtmlFragment),
        _ => None,
    }
}

/// Returns true if an element is a script that browsers run, from the element's `type` (HTML Standard
/// section 4.12.1.1, "prepare the script element").
pub fn is_run(namespace: Namespace, element: &str, type_: Option<&str>) -> bool {
    let is_script = matches!(namespace, Namespace::Html | Namespace::Svg) && element == "script";
    is_script && type_.is_none_or(is_script_type)
}

fn is_script_type(type_: &str) -> bool {
    let essence = type_.split(';').next().unwrap_or_default().trim_ascii();
    let essence = essence.to_ascii_lowercase();
    let languages = ["javascript", "ecmascript", "jscript", "livescript"];
    matches!(&*essence, "" | "module") || languages.iter().any(|name| essence.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_decides_the_language_of_a_content() {
        for (element, type_, kind) in [
            ("style", None, Some(ValueKind::Css)),
            ("style", Some(""), Some(ValueKind::Css)),
            ("style", Some("TEXT/CSS"), Some(ValueKind::Css)),
            ("style", Some("text/less"), None),
            ("script", None, None),
            ("noframes", None, Some(ValueKind::HtmlFragment)),
            ("script", Some("module"), None),
            ("script", Some("ImportMap"), Some(ValueKind::Json(JsonKind::ImportMap))),
            (
                "script",
                Some("application/ld+json; charset=utf-8"),
                Some(ValueKind::Json(JsonKind::JsonLd)),
            ),
        ] {
            assert_eq!(kind_of(Namespace::Html, element, type_), kind);
        }
        assert_eq!(kind_of(Namespace::MathMl, "style", None), None);
    }

    #[test]
    fn the_type_decides_whether_a_script_is_run() {
        for (type_, expected) in [
            (None, true),
            (Some(""), true),
            (Some("module"), true),
            (Some(" Text/JavaScript; charset=utf-8"), true),
            (Some("text/javascript1.2"), true),
            (Some("application/ld+json"), false),
            (Some("importmap"), false),
            (Some("text/x-template"), false),
        ] {
            assert_eq!(is_run(Namespace::Html, "script", type_), expected, "{type_:?}");
        }
        assert!(is_run(Namespace::Svg, "script", None));
        assert!(!is_run(Namespace::MathMl, "script", None));
        assert!(!is_run(Namespace::Html, "style", None));
    }
}
