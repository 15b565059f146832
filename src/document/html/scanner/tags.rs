//! Tags: what tree construction does with them, as far as that matters here.

use std::sync::LazyLock;

use super::names::Names;
use crate::document::html::attributes::{Namespace, URL_ATTRIBUTES};

/// What a tag is to tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that matters.
    Other,
    /// As others, but has no content.
    Void,
    /// Closes a `p` and stands in its own right.
    Block,
    /// Opened again where it is closed out of turn.
    Formatting,
    /// Closes others of its kind, so that it is not plainly nested.
    Closing,
    /// `br`
    Br,
    /// `p`
    P,
    /// `html`
    Html,
    /// `head`
    Head,
    /// `body`
    Body,
    /// `frameset`
    Frameset,
    /// `frame`
    Frame,
    /// `base`, `basefont`, `bgsound`
    Base,
    /// `link`, `meta`: as `base`, and allowed in a `noscript` in the head.
    Metadata,
    /// `title`
    Title,
    /// `style`, `noframes`
    HeadRawText,
    /// `script`
    Script,
    /// `textarea`, `xmp`, `iframe`, `noembed`
    RawText,
    /// `noscript`
    Noscript,
    /// `template`
    Template,
    /// `plaintext`
    Plaintext,
    /// `form`
    Form,
    /// `select`
    Select,
    /// `input`
    Input,
    /// `applet`, `marquee`, `object`: scopes of their own.
    Scope,
    /// `svg`, `math`
    Foreign(Namespace),
    /// `table`
    Table,
    /// `caption`
    Caption,
    /// `colgroup`
    ColumnGroup,
    /// `col`
    Column,
    /// `tbody`, `tfoot`, `thead`
    Section,
    /// `tr`
    Row,
    /// `td`, `th`
    Cell,
}

use Kind::{
    Base, Block, Body, Br, Caption, Cell, Closing, Column, ColumnGroup, Foreign, Form, Formatting,
    Frame, Frameset, Head, HeadRawText, Html, Input, Metadata, Noscript, Other, P, Plaintext,
    RawText, Row, Scope, Script, Section, Select, Table, Template, Title, Void,
};

/// The tags that tree construction knows, by what it does with them (HTML Standard section 13.2.6.4).
#[rustfmt::skip]
const KINDS: &[(Kind, &[&str])] = &[
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

/// The attributes with which `font` does.
pub(super) const BREAKOUT_ATTRIBUTES: &[&str] = &["color", "face", "size"];

/// Names of SVG elements that are not in lower case (same section).
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

/// The same in lower case.
#[rustfmt::skip]
const SVG_TAGS: &[&str] = &[
    "altglyph", "altglyphdef", "altglyphitem", "animatecolor", "animatemotion", "animatetransform",
    "clippath", "feblend", "fecolormatrix", "fecomponenttransfer", "fecomposite",
    "feconvolvematrix", "fediffuselighting", "fedisplacementmap", "fedistantlight", "fedropshadow",
    "feflood", "fefunca", "fefuncb", "fefuncg", "fefuncr", "fegaussianblur", "feimage", "femerge",
    "femergenode", "femorphology", "feoffset", "fepointlight", "fespecularlighting", "fespotlight",
    "fetile", "feturbulence", "foreignobject", "glyphref", "lineargradient", "radialgradient",
    "textpath",
];

/// What a foreign element lets be HTML in it (HTML Standard section 13.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// Nothing.
    None,
    /// A MathML text integration point.
    MathMlText,
    /// An HTML integration point.
    Html,
}

const POINTS: &[(Namespace, Point, &[&str])] = &[
    (
        Namespace::MathMl,
        Point::MathMlText,
        &["mi", "mn", "mo", "ms", "mtext"],
    ),
    (
        Namespace::Svg,
        Point::Html,
        &["desc", "foreignobject", "title"],
    ),
];

/// Elements that are MathML even in a text integration point.
const MATHML_ANYWAY: &[&str] = &["malignmark", "mglyph"];

/// Other names that need to be told from each other.
const FURTHER: &[&str] = &["annotation-xml"];

/// What is known of a tag's name.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) kind: Kind,
    /// The name of the HTML element; empty for none of the known.
    pub(super) html: &'static str,
    /// The name of the SVG element.
    pub(super) svg: &'static str,
    /// The name of the MathML element.
    pub(super) mathml: &'static str,
    pub(super) breaks_out: bool,
    pub(super) is_mathml_anyway: bool,
    pub(super) has_content: bool,
    svg_point: Point,
    mathml_point: Point,
}

impl Known {
    const NONE: Known = Known {
        kind: Other,
        html: "",
        svg: "",
        mathml: "",
        breaks_out: false,
        is_mathml_anyway: false,
        has_content: false,
        svg_point: Point::None,
        mathml_point: Point::None,
    };

    fn of(name: &'static str) -> Known {
        let kind = KINDS.iter().find(|(_, names)| names.contains(&name));
        let svg_name = SVG_TAGS.iter().position(|tag| *tag == name);
        let point = |namespace| {
            let row = POINTS
                .iter()
                .find(|(of, _, names)| *of == namespace && names.contains(&name));
            row.map_or(Point::None, |(_, point, _)| *point)
        };
        Known {
            kind: kind.map_or(Other, |(kind, _)| *kind),
            html: if name == "image" { "img" } else { name },
            svg: svg_name
                .and_then(|at| SVG_NAMES.get(at).copied())
                .unwrap_or(name),
            mathml: name,
            breaks_out: BREAKOUT.contains(&name),
            is_mathml_anyway: MATHML_ANYWAY.contains(&name),
            has_content: crate::document::html::content::NAMES.contains(&name),
            svg_point: point(Namespace::Svg),
            mathml_point: point(Namespace::MathMl),
        }
    }

    /// The name of the element that a tag makes in a namespace; empty for none of the known.
    pub(super) fn name_in(&self, namespace: Namespace) -> &'static str {
        match namespace {
            Namespace::Html => self.html,
            Namespace::Svg => self.svg,
            Namespace::MathMl => self.mathml,
        }
    }

    /// What the element lets be HTML in it.
    pub(super) fn point_in(&self, namespace: Namespace) -> Point {
        match namespace {
            Namespace::Html => Point::None,
            Namespace::Svg => self.svg_point,
            Namespace::MathMl => self.mathml_point,
        }
    }
}

/// The known tags.
pub(super) struct Tags {
    pub(super) names: Names,
    /// The number of `img`.
    pub(super) img: Option<usize>,
    /// The number of `tbody`.
    pub(super) tbody: Option<usize>,
    /// The number of `tfoot`.
    pub(super) tfoot: Option<usize>,
    known: Vec<Known>,
}

impl Tags {
    /// What is known of the tag of this number in `names`.
    pub(super) fn known(&self, number: Option<usize>) -> &Known {
        number
            .and_then(|number| self.known.get(number))
            .unwrap_or(&Known::NONE)
    }
}

/// The table of known tags. Elements that the table of URL attributes names come first.
pub(super) static TAGS: LazyLock<Tags> = LazyLock::new(|| {
    let of_rows = URL_ATTRIBUTES.iter().flat_map(|row| row.elements);
    let of_rows = of_rows.map(|name| {
        let svg = SVG_NAMES.iter().position(|known| known == name);
        svg.and_then(|at| SVG_TAGS.get(at).copied()).unwrap_or(name)
    });
    let kinds = KINDS.iter().flat_map(|(_, names)| *names).copied();
    let points = POINTS.iter().flat_map(|(_, _, names)| *names).copied();
    let others = [BREAKOUT, SVG_TAGS, MATHML_ANYWAY, FURTHER];
    let others = others.into_iter().flatten().copied();
    let names = Names::new(of_rows.chain(kinds).chain(points).chain(others));
    let known = (0..names.len())
        .filter_map(|number| names.name(number))
        .map(Known::of)
        .collect();
    Tags {
        img: names.number("img"),
        tbody: names.number("tbody"),
        tfoot: names.number("tfoot"),
        names,
        known,
    }
});

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
    fn svg_names_are_their_tags_in_another_case() {
        let lower: Vec<String> = SVG_NAMES.iter().map(|n| n.to_ascii_lowercase()).collect();
        assert_eq!(lower, SVG_TAGS);
    }

    #[test]
    fn the_names_of_the_rows_are_found() {
        for row in URL_ATTRIBUTES {
            for element in row.elements {
                let tag = element.to_ascii_lowercase();
                let known = TAGS.known(TAGS.names.number(&tag));
                assert_eq!(known.name_in(row.namespace), *element);
            }
        }
    }

    #[test]
    fn what_is_known() {
        let known = |name: &str| TAGS.known(TAGS.names.number(name));
        assert_eq!(known("image").name_in(Namespace::Html), "img");
        assert_eq!(known("image").name_in(Namespace::Svg), "image");
        assert_eq!(known("title").point_in(Namespace::Svg), Point::Html);
        assert_eq!(known("title").point_in(Namespace::MathMl), Point::None);
        assert_eq!(known("mi").point_in(Namespace::MathMl), Point::MathMlText);
        assert_eq!(known("unheard-of").kind, Kind::Other);
        assert!(known("style").has_content && !known("p").has_content);
    }
}
