//! The table of attributes that hold URLs.

use html5ever::QualName;
use markup5ever_rcdom::{NodeData, RcDom};

use super::comparison::{Element, Setting};
use super::rules::Rule;
use super::values::split_spaces;
use super::vocabularies::xml_rule_for;
use super::{
    HTML_NAMESPACE, MATHML_NAMESPACE, Options, SVG_NAMESPACE, XLINK_NAMESPACE, XML_NAMESPACE,
};

/// Attribute, the elements that have it (`*`: any), how it is read. HTML namespace only.
const HTML_ATTRIBUTES: &[(&str, &[&str], Rule)] = &[
    ("href", &["a", "area"], Rule::HYPERLINK),
    ("href", &["link"], Rule::SINGLE),
    ("href", &["base"], Rule::BASE),
    (
        "src",
        &[
            "audio", "bgsound", "embed", "frame", "iframe", "img", "input", "script", "source",
            "track", "video",
        ],
        Rule::SINGLE,
    ),
    ("srcset", &["img", "source"], Rule::SRCSET),
    ("imagesrcset", &["link"], Rule::SRCSET),
    ("poster", &["video"], Rule::SINGLE),
    ("data", &["object"], Rule::SINGLE),
    ("action", &["form"], Rule::SINGLE),
    ("formaction", &["button", "input"], Rule::SINGLE),
    ("cite", &["blockquote", "del", "ins", "q"], Rule::SINGLE),
    ("ping", &["a", "area"], Rule::SPACES),
    ("background", &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"], Rule::SINGLE),
    ("longdesc", &["frame", "iframe", "img"], Rule::SINGLE),
    ("lowsrc", &["img", "input"], Rule::SINGLE),
    ("dynsrc", &["img", "input"], Rule::SINGLE),
    ("manifest", &["html"], Rule::SINGLE),
    ("profile", &["head"], Rule::SPACES),
    ("codebase", &["applet", "object"], Rule::SINGLE),
    ("classid", &["object"], Rule::CLASSID),
    ("archive", &["object"], Rule::ARCHIVE_SPACES),
    ("archive", &["applet"], Rule::ARCHIVE_COMMAS),
    ("code", &["applet", "object"], Rule::CODE),
    ("usemap", &["img", "input", "object"], Rule::LOCAL),
    ("itemid", &["*"], Rule::SINGLE),
    // Old or rare ones: a tool may know them.
    ("action", &["isindex"], Rule::OPTIONAL),
    ("icon", &["command", "menuitem"], Rule::OPTIONAL),
    ("src", &["layer", "ilayer", "portal", "xml"], Rule::OPTIONAL),
    ("background", &["colgroup", "col", "layer", "ilayer"], Rule::OPTIONAL),
    (
        "src",
        &[
            "amp-anim", "amp-audio", "amp-iframe", "amp-img", "amp-list", "amp-state", "amp-video",
            "model", "v:fill", "v:image", "v:imagedata", "v:stroke",
        ],
        Rule::OPTIONAL,
    ),
    ("srcset", &["amp-anim", "amp-img"], Rule::SRCSET),
    ("poster", &["amp-video"], Rule::OPTIONAL),
    ("action-xhr", &["form"], Rule::OPTIONAL),
    ("href", &["v:image", "v:oval", "v:rect", "v:roundrect", "v:shape"], Rule::OPTIONAL),
    ("attributionsrc", &["a", "area", "img", "script"], Rule::SPACES),
    ("classid", &["applet"], Rule::CODE),
    ("object", &["applet"], Rule::CODE),
    // The root of a site of Sphinx and of rustdoc, for scripts.
    ("data-content_root", &["html"], Rule::OPTIONAL),
    ("data-url_root", &["script"], Rule::OPTIONAL),
    ("data-root-path", &["div", "meta"], Rule::OPTIONAL),
    ("data-static-root-path", &["div", "meta"], Rule::OPTIONAL),
];

/// SVG elements whose `href` (or `xlink:href`) has to be followed.
const SVG_ELEMENTS: &[&str] = &[
    "a", "animate", "animateMotion", "animateTransform", "feImage", "image", "linearGradient",
    "mpath", "pattern", "radialGradient", "script", "set", "textPath", "use",
];

/// Attributes of MathML and the rest that a tool may or may not know.
const MATHML_ATTRIBUTES: &[&str] = &["href", "src", "altimg", "definitionURL", "cdgroup"];

/// `meta` names and properties whose content has to be followed.
const META_NAMES: &[&str] = &[
    "og:url", "og:image", "og:image:url", "og:audio", "og:video", "twitter:image", "twitter:url",
    "msapplication-tileimage",
];

/// `meta` names and properties whose content a tool may know to be a URL.
const OPTIONAL_META_NAMES: &[&str] = &[
    "og:image:secure_url",
    "og:audio:url",
    "og:audio:secure_url",
    "og:video:url",
    "og:video:secure_url",
    "og:see_also",
    "al:web:url",
    "citation_abstract_html_url",
    "citation_fulltext_html_url",
    "citation_pdf_url",
    "contentUrl",
    "embedUrl",
    "image",
    "logo",
    "thumbnailUrl",
    "url",
    "article:author",
    "article:publisher",
    "thumbnail",
    "twitter:image0",
    "twitter:image1",
    "twitter:image2",
    "twitter:image3",
    "twitter:image:src",
    "twitter:player",
    "twitter:player:stream",
    "msapplication-config",
    "msapplication-square70x70logo",
    "msapplication-square150x150logo",
    "msapplication-square310x310logo",
    "msapplication-starturl",
    "msapplication-wide310x150logo",
];

/// Attributes of SVG elements that are CSS values.
const PRESENTATION_ATTRIBUTES: &[&str] = &[
    "clip-path", "color-profile", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid",
    "marker-start", "mask", "stroke",
];

pub(super) fn is_xml_base(name: &QualName) -> bool {
    &*name.ns == XML_NAMESPACE && &*name.local == "base"
}

/// How the attribute is to be read, if it holds URLs.
pub(super) fn rule_for(
    element: &Element,
    name: &QualName,
    value: &str,
    setting: Setting,
    options: Options,
) -> Option<Rule> {
    let namespace = &*element.name.ns;
    let (tag, attribute) = (&*element.name.local, &*name.local);
    if setting == Setting::Xml && is_xml_base(name) {
        return Some(Rule::XML_BASE);
    }
    let known = matches!(namespace, HTML_NAMESPACE | SVG_NAMESPACE | MATHML_NAMESPACE);
    if !known {
        return xml_rule_for(element, name);
    }
    let xlink = &*name.ns == XLINK_NAMESPACE;
    if !xlink && !name.ns.is_empty() {
        return None;
    }
    if !xlink {
        let css = attribute == "style"
            || namespace == SVG_NAMESPACE && PRESENTATION_ATTRIBUTES.contains(&attribute);
        if css {
            // All that holds a URL there is a function.
            return value.contains('(').then_some(Rule::CSS);
        }
        if options.rdfa && matches!(attribute, "about" | "resource") {
            return Some(Rule::OPTIONAL);
        }
    }
    match namespace {
        HTML_NAMESPACE if xlink => None,
        HTML_NAMESPACE if tag == "meta" && attribute == "content" => meta_rule(element),
        HTML_NAMESPACE if tag == "iframe" && attribute == "srcdoc" => Some(Rule::DOCUMENT),
        HTML_NAMESPACE if tag == "param" && attribute == "value" => {
            element.attribute("valuetype").map_or(Some(Rule::OPTIONAL), |value| {
                value.eq_ignore_ascii_case("ref").then_some(Rule::SINGLE)
            })
        }
        HTML_NAMESPACE if tag == "base" && setting == Setting::Fragment => {
            // It is not in force there.
            (attribute == "href").then_some(Rule::OPTIONAL)
        }
        HTML_NAMESPACE => HTML_ATTRIBUTES
            .iter()
            .find(|(name, elements, _)| {
                *name == attribute && (elements.contains(&tag) || *elements == ["*"])
            })
            .map(|(_, _, rule)| match attribute {
                // Without itemscope it identifies nothing.
                "itemid" if element.attribute("itemscope").is_none() => Rule::OPTIONAL,
                _ => *rule,
            }),
        SVG_NAMESPACE if tag == "a" && attribute == "ping" => Some(Rule::SPACES),
        SVG_NAMESPACE if attribute == "href" => {
            let shadowed = xlink && element.attribute("href").is_some();
            Some(match tag {
                _ if shadowed => Rule::OPTIONAL,
                "a" => Rule::HYPERLINK,
                _ if SVG_ELEMENTS.contains(&tag) => Rule::LOCAL,
                _ => Rule::OPTIONAL,
            })
        }
        SVG_NAMESPACE if matches!(attribute, "to" | "from") => element
            .attribute("attributeName")
            .is_some_and(|animated| matches!(animated, "href" | "xlink:href"))
            .then_some(Rule::OPTIONAL),
        MATHML_NAMESPACE if MATHML_ATTRIBUTES.contains(&attribute) => Some(Rule::OPTIONAL),
        _ => None,
    }
}

fn meta_rule(element: &Element) -> Option<Rule> {
    let http_equiv = element.attribute("http-equiv");
    if http_equiv.is_some_and(|value| value.eq_ignore_ascii_case("refresh")) {
        return Some(Rule::REFRESH);
    }
    let names = ["property", "name", "itemprop"].map(|name| element.attribute(name));
    let any_in = |list: &[&str], split: bool| {
        names.into_iter().flatten().any(|value| {
            let words = if split { split_spaces(value) } else { vec![value] };
            words.iter().any(|word| list.iter().any(|known| known.eq_ignore_ascii_case(word)))
        })
    };
    if any_in(META_NAMES, false) {
        Some(Rule::SINGLE)
    } else if any_in(META_NAMES, true) || any_in(OPTIONAL_META_NAMES, true) {
        Some(Rule::OPTIONAL)
    } else {
        None
    }
}

/// The `href` of the first `base` that has one, in tree order, outside of templates.
pub(super) fn first_base_href(dom: &RcDom) -> Option<String> {
    let mut waiting = vec![dom.document.clone()];
    while let Some(node) = waiting.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && &*name.local == "base"
            && &*name.ns == HTML_NAMESPACE
        {
            let attributes = attrs.borrow();
            let element = Element { node: &node, name, attributes: &attributes };
            if let Some(href) = element.attribute("href") {
                return Some(href.to_string());
            }
        }
        waiting.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}
