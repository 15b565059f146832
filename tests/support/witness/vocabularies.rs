//! Which text is a language of its own, and the links of XML vocabularies other than XHTML, SVG
//! and MathML.

use html5ever::QualName;
use markup5ever_rcdom::{Handle, NodeData};

use super::comparison::Element;
use super::json::Vocabulary;
use super::nodes::{parent_of, text_of};
use super::rules::Rule;
use super::{HTML_NAMESPACE, Options, SVG_NAMESPACE, XLINK_NAMESPACE};

const ATOM_NAMESPACE: &str = "http://www.w3.org/2005/Atom";
const RDF_NAMESPACE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const CONTENT_NAMESPACE: &str = "http://purl.org/rss/1.0/modules/content/";
const SITEMAP_NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// How the text of an element is to be read.
pub(super) enum TextKind {
    Css,
    Json(Vocabulary),
    Url(Rule),
    /// An HTML document, its markup escaped. `demanded`: its links have to be made absolute.
    Html {
        demanded: bool,
    },
}

/// How the text of this element is to be read, where it is not just text.
pub(super) fn text_kind(element: &Element, options: Options) -> Option<TextKind> {
    let (namespace, tag) = (&*element.name.ns, &*element.name.local);
    let kind = element.attribute("type").unwrap_or_default();
    match (namespace, tag) {
        (HTML_NAMESPACE | SVG_NAMESPACE, "style") => {
            (kind.is_empty() || kind.eq_ignore_ascii_case("text/css")).then_some(TextKind::Css)
        }
        (HTML_NAMESPACE | SVG_NAMESPACE, "script") => {
            let kind = kind.trim_ascii().to_ascii_lowercase();
            let vocabulary = match kind.as_str() {
                "importmap" => Vocabulary::ImportMap,
                "speculationrules" => Vocabulary::SpeculationRules,
                "application/ld+json" if options.json_ld => Vocabulary::JsonLd,
                _ => return None,
            };
            Some(TextKind::Json(vocabulary))
        }
        (ATOM_NAMESPACE, "content" | "summary" | "title" | "subtitle" | "rights") => {
            (kind == "html" || kind == "text/html").then_some(TextKind::Html { demanded: true })
        }
        (ATOM_NAMESPACE, "icon" | "logo") => Some(TextKind::Url(Rule::SINGLE)),
        (ATOM_NAMESPACE, "uri" | "id") => Some(TextKind::Url(Rule::OPTIONAL)),
        ("", "description") if is_in(element, &["channel", "item"]) => {
            Some(TextKind::Html { demanded: false })
        }
        (CONTENT_NAMESPACE, "encoded") => Some(TextKind::Html { demanded: false }),
        ("", "link") if is_in(element, &["channel", "item", "image"]) => {
            Some(TextKind::Url(Rule::SINGLE))
        }
        (SITEMAP_NAMESPACE, "loc") => Some(TextKind::Url(Rule::SINGLE)),
        ("", "guid") => element
            .attribute("isPermaLink")
            .is_none_or(|value| value != "false")
            .then_some(TextKind::Url(Rule::OPTIONAL)),
        (HTML_NAMESPACE, "noembed" | "noframes") => Some(TextKind::Html { demanded: false }),
        (HTML_NAMESPACE | SVG_NAMESPACE, _) => None,
        _ => XML_TEXTS.contains(&tag).then_some(TextKind::Url(Rule::OPTIONAL)),
    }
}

/// Whether it stands right in one of these elements.
fn is_in(element: &Element, names: &[&str]) -> bool {
    parent_of(element.node).is_some_and(|node| match &node.data {
        NodeData::Element { name, .. } => names.contains(&&*name.local),
        _ => false,
    })
}

/// The link of the RSS item whose content is this element. Readers resolve the content against it.
pub(super) fn link_of_item_of_content(content: &Handle) -> Option<String> {
    let name_of = |node: &Handle| match &node.data {
        NodeData::Element { name, .. } => name.local.to_string(),
        _ => String::new(),
    };
    if !["description", "encoded", "body"].contains(&&*name_of(content)) {
        return None;
    }
    let item = parent_of(content).filter(|it| name_of(it) == "item")?;
    let children = item.children.borrow();
    let is_permanent = |node: &&Handle| match &node.data {
        NodeData::Element { attrs, .. } => {
            attrs.borrow().iter().any(|it| &*it.name.local == "isPermaLink" && &*it.value == "true")
        }
        _ => false,
    };
    // Not an `atom:link`, which is empty.
    let is_link = |node: &&Handle| name_of(node) == "link" && !text_of(node).is_empty();
    let link = children.iter().find(is_link).or_else(|| children.iter().find(is_permanent))?;
    Some(text_of(link).trim().to_owned())
}

/// Elements of any vocabulary whose text a tool may know to be a URL.
const XML_TEXTS: &[&str] = &[
    "Image", "SearchForm", "comments", "content_loc", "docs", "icon", "license", "link", "loc",
    "logo", "player_loc", "thumbnail_loc", "uri", "url",
];

/// Attributes of any vocabulary that a tool may know to hold a URL.
const XML_ATTRIBUTES: &[&str] =
    &["feedUrl", "fileref", "href", "htmlUrl", "img", "src", "template", "uri", "url", "xmlUrl"];

/// The links in attributes of vocabularies that `attributes` does not know.
pub(super) fn xml_rule_for(element: &Element, name: &QualName) -> Option<Rule> {
    let (namespace, attribute) = (&*name.ns, &*name.local);
    match (&*element.name.ns, &*element.name.local, attribute) {
        _ if namespace == XLINK_NAMESPACE => (attribute == "href").then_some(Rule::OPTIONAL),
        _ if namespace == RDF_NAMESPACE => {
            matches!(attribute, "about" | "resource").then_some(Rule::OPTIONAL)
        }
        _ if !namespace.is_empty() => None,
        (ATOM_NAMESPACE, "link", "href") | (ATOM_NAMESPACE, "content", "src") => Some(Rule::SINGLE),
        ("", "enclosure", "url") if is_in(element, &["item"]) => Some(Rule::SINGLE),
        _ => XML_ATTRIBUTES.contains(&attribute).then_some(Rule::OPTIONAL),
    }
}
