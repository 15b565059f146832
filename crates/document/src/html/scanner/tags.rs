//! The table of tags: what tree construction does with each, as far as that matters here.

use std::sync::LazyLock;

use super::names::{NameFilter, NameTable, SourceName};
use crate::html::attributes::URL_ATTRIBUTES;
use crate::html::content;
use crate::html::element::Namespace;

/// Tags that tree construction treats alike; [`KINDS`] lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// Has no rules that matter here.
    Other,
    /// Has no content.
    Void,
    /// Closes a `p`, and nests.
    Block,
    /// Is reconstructed where another end tag closes it.
    Formatting,
    /// Closes elements of its kind, so that it does not nest.
    Closing,
    Br,
    P,
    Html,
    Head,
    Body,
    Frameset,
    Frame,
    Base,
    /// Has the rules of [`TagKind::Base`], and is allowed in a `noscript` in the head.
    Metadata,
    Title,
    /// Has raw text as content, and is allowed in the head.
    HeadRawText,
    Script,
    /// Has raw text as content.
    RawText,
    Noscript,
    Template,
    Plaintext,
    Form,
    Select,
    Input,
    /// Limits "in scope".
    Scope,
    /// Inserts the root element of this namespace.
    Foreign(Namespace),
    Table,
    Caption,
    ColumnGroup,
    Column,
    Section,
    Row,
    Cell,
}

impl TagKind {
    /// Returns true if the start tag inserts an element, and does nothing else that matters here, in every mode
    /// in which tags without rules of their own insert elements.
    pub(super) fn is_always_inserted(self) -> bool {
        matches!(self, Other | Void | Block | Formatting | Closing | P)
    }

    /// Returns true if the start tag inserts an element in the head and leaves the head open.
    pub(super) fn is_for_head(self) -> bool {
        matches!(self, Base | Metadata | Title | HeadRawText | Script)
    }

    /// Returns true if the start tag ends a cell, a row, a section or a caption that is open. In a row and in
    /// a section the tags of their parts are processed before.
    pub(super) fn is_table_part(self) -> bool {
        matches!(self, Caption | Column | ColumnGroup | Section | Row | Cell)
    }
}

use TagKind::*;

/// The tags with rules of their own (HTML Standard section 13.2.6.4).
#[rustfmt::skip]
const KINDS: &[(TagKind, &[&str])] = &[
    (Void, &["area", "embed", "image", "img", "keygen", "param", "source", "track", "wbr"]),
    (Block, &[
        "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div",
        "dl", "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu",
        "nav", "ol", "pre", "listing", "search", "section", "summary", "ul",
    ]),
    (Formatting, &["a", "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"]),
    (Closing, &[
        "button", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "nobr", "optgroup",
        "option", "rb", "rp", "rt", "rtc", "selectedcontent",
    ]),
    (Br, &["br"]), (P, &["p"]),
    (Html, &["html"]), (Head, &["head"]), (Body, &["body"]),
    (Frameset, &["frameset"]), (Frame, &["frame"]),
    (Base, &["base"]), (Metadata, &["basefont", "bgsound", "link", "meta"]),
    (Title, &["title"]), (HeadRawText, &["noframes", "style"]), (Script, &["script"]),
    (RawText, &["iframe", "noembed", "textarea", "xmp"]),
    (Noscript, &["noscript"]), (Template, &["template"]), (Plaintext, &["plaintext"]),
    (Form, &["form"]), (Select, &["select"]), (Input, &["input"]),
    (Scope, &["applet", "marquee", "object"]),
    (Foreign(Namespace::Svg), &["svg"]), (Foreign(Namespace::MathMl), &["math"]),
    (Table, &["table"]), (Caption, &["caption"]),
    (ColumnGroup, &["colgroup"]), (Column, &["col"]),
    (Section, &["tbody", "tfoot", "thead"]), (Row, &["tr"]), (Cell, &["td", "th"]),
];

/// The tags that end SVG and MathML (HTML Standard section 13.2.6.5); `font` only with some
/// attributes.
#[rustfmt::skip]
const BREAKOUT: &[&str] = &[
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
    "embed", "font", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing",
    "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike",
    "sub", "sup", "table", "tt", "u", "ul", "var",
];

/// The attributes with which `font` ends them.
pub(super) const BREAKOUT_ATTRIBUTES: &[&str] = &["color", "face", "size"];

/// Names of SVG elements that are not in lower case, as their tags are (same section).
#[rustfmt::skip]
const SVG_NAMES: &[&str] = &[
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
    "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
    "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight",
    "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient",
    "textPath",
];

/// The tags that are HTML in the content of a foreign element (HTML Standard section 13.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntegrationPoint {
    /// No tag: the element is not an integration point.
    None,
    /// All tags but [`STAYS_MATHML`]: a MathML text integration point.
    MathMlText,
    /// All tags: an HTML integration point.
    Html,
}

#[rustfmt::skip]
const POINTS: &[(Namespace, IntegrationPoint, &[&str])] = &[
    (Namespace::MathMl, IntegrationPoint::MathMlText, &["mi", "mn", "mo", "ms", "mtext"]),
    (Namespace::Svg, IntegrationPoint::Html, &["desc", "foreignobject", "title"]),
];

/// Tags that are MathML even in a text integration point.
const STAYS_MATHML: &[&str] = &["malignmark", "mglyph"];

/// Further names that the scanner compares, and that no other table has.
const FURTHER: &[&str] = &["annotation-xml"];

/// A row of the table of tags.
#[derive(Clone, Copy)]
pub(super) struct TagInfo {
    pub(super) kind: TagKind,
    /// The tag's name, and that of the MathML element that it inserts. This and the other names are
    /// empty where the table does not have the tag.
    pub(super) name: &'static str,
    /// The name of the HTML element that the tag inserts.
    pub(super) html_name: &'static str,
    /// The name of the SVG element that the tag inserts.
    svg_name: &'static str,
    /// True if the tag ends SVG and MathML.
    pub(super) breaks_out: bool,
    /// True if the tag is MathML in a text integration point.
    pub(super) stays_mathml: bool,
    /// True if the content of the element may be a carrier; see [`content::NAMES`].
    pub(super) has_content: bool,
    /// The kind of integration point that the element is in the one namespace in which it is one.
    point: Option<(Namespace, IntegrationPoint)>,
}

impl TagInfo {
    /// The row of the tag `name`; if that is empty, the row of all tags that the table does not have.
    fn new(name: &'static str) -> TagInfo {
        let kind = KINDS.iter().find(|(_, names)| names.contains(&name));
        let mut svg_names = SVG_NAMES.iter();
        let svg_name = svg_names.find(|known| known.eq_ignore_ascii_case(name));
        let point = POINTS.iter().find(|(.., names)| names.contains(&name));
        TagInfo {
            kind: kind.map_or(Other, |(kind, _)| *kind),
            name,
            html_name: if name == "image" { "img" } else { name },
            svg_name: svg_name.unwrap_or(&name),
            breaks_out: BREAKOUT.contains(&name),
            stays_mathml: STAYS_MATHML.contains(&name),
            has_content: content::NAMES.contains(&name),
            point: point.map(|(namespace, point, _)| (*namespace, *point)),
        }
    }

    /// Returns true if the HTML element is inserted again where text goes on after an element that it is open in
    /// ended (HTML Standard section 13.2.4.3).
    pub(super) fn is_formatting(&self) -> bool {
        self.kind == Formatting || self.html_name == "nobr"
    }

    /// Returns the name of the element that the tag inserts in a namespace; empty where the table does not have the
    /// tag.
    pub(super) fn name_in(&self, namespace: Namespace) -> &'static str {
        match namespace {
            Namespace::Html => self.html_name,
            Namespace::Svg => self.svg_name,
            _ => self.name,
        }
    }

    /// Returns the kind of integration point that the element is.
    pub(super) fn point_in(&self, namespace: Namespace) -> IntegrationPoint {
        match self.point {
            Some((of, point)) if of == namespace => point,
            _ => IntegrationPoint::None,
        }
    }
}

/// The table of tags. Tags have the numbers of their names.
pub(super) struct TagTable {
    pub(super) names: NameTable,
    pub(super) img: Option<usize>,
    pub(super) tbody: Option<usize>,
    pub(super) tfoot: Option<usize>,
    infos: Vec<TagInfo>,
    unknown: TagInfo,
    /// The tags that are not [always inserted](TagKind::is_always_inserted).
    with_rules: NameFilter,
}

impl TagTable {
    /// Returns the row of the tag of this number.
    pub(super) fn info(&self, number: Option<usize>) -> &TagInfo {
        number.and_then(|number| self.infos.get(number)).unwrap_or(&self.unknown)
    }

    /// Returns true if the tag of this name is [always inserted](TagKind::is_always_inserted); `false` is not
    /// certain, and the answer costs less than that of [`TagTable::info`].
    #[inline]
    pub(super) fn is_always_inserted(&self, name: SourceName) -> bool {
        !self.with_rules.may_have(name)
    }
}

/// The elements of the table of URL attributes come first, so that their numbers
/// are small enough for the sets in [`super::attributes`].
pub(super) static TAGS: LazyLock<TagTable> = LazyLock::new(|| {
    let of_rows = URL_ATTRIBUTES.iter().flat_map(|row| row.elements);
    let kinds = KINDS.iter().flat_map(|(_, names)| *names);
    let points = POINTS.iter().flat_map(|(_, _, names)| *names);
    let others = [BREAKOUT, SVG_NAMES, STAYS_MATHML, FURTHER];
    let others = others.into_iter().flatten();
    let all = of_rows.chain(kinds).chain(points).chain(others);
    let names = NameTable::new(all.map(|name| tag_name(name)));
    let infos: Vec<TagInfo> = names.all().iter().copied().map(TagInfo::new).collect();
    let has_rules = |info: &TagInfo| !info.kind.is_always_inserted() || info.has_content;
    TagTable {
        with_rules: names.filter(|number| infos.get(number).is_some_and(has_rules)),
        infos,
        unknown: TagInfo::new(""),
        img: names.number("img"),
        tbody: names.number("tbody"),
        tfoot: names.number("tfoot"),
        names,
    }
});

/// The name of the tag that inserts an element of this name.
fn tag_name(element: &'static str) -> &'static str {
    match element.bytes().any(|byte| byte.is_ascii_uppercase()) {
        // Leaked once for the one table, which lives as long as the program.
        true => element.to_ascii_lowercase().leak(),
        false => element,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_of_one_kind() {
        for (at, (_, names)) in KINDS.iter().enumerate() {
            for name in *names {
                let first = KINDS.iter().position(|(_, names)| names.contains(name));
                assert_eq!(first, Some(at), "{name}");
            }
        }
    }

    #[test]
    fn every_element_with_a_url_attribute_is_in_the_table() {
        for row in URL_ATTRIBUTES {
            for element in row.elements {
                let tag = element.to_ascii_lowercase();
                let info = TAGS.info(TAGS.names.number(&tag));
                assert_eq!(info.name_in(row.namespace), *element);
            }
        }
    }

    #[test]
    fn a_tag_inserts_elements_of_different_names() {
        let info = |name: &str| TAGS.info(TAGS.names.number(name));
        assert_eq!(info("image").name_in(Namespace::Html), "img");
        assert_eq!(info("image").name_in(Namespace::Svg), "image");
        assert_eq!(info("feimage").name_in(Namespace::Svg), "feImage");
        assert_eq!(info("feimage").name_in(Namespace::Html), "feimage");
        assert_eq!(info("title").point_in(Namespace::Svg), IntegrationPoint::Html);
        assert_eq!(info("title").point_in(Namespace::MathMl), IntegrationPoint::None);
        assert_eq!(info("mi").point_in(Namespace::MathMl), IntegrationPoint::MathMlText);
        assert_eq!(info("unheard-of").kind, TagKind::Other);
        assert!(info("style").has_content && !info("p").has_content);
    }
}
