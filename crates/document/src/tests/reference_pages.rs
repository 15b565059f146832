//! The pages of the reference that are made from tables which only the crate sees.
//! `INSTA_UPDATE=always` writes them.

use std::fmt::Write;
use std::fs;

use crate::html::attributes::{
    Condition, PAIRED_METADATA, URL_ATTRIBUTES, URL_ITEM_PROPERTIES, URL_METADATA,
    URL_METADATA_IF_LIKE_ONE,
};
use crate::html::{AttributeRow, Namespace, ValueBase, ValueKind};
use crate::value_rules::FetchOptionKind;
use crate::xml::{ROWS, When};

fn value(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Url => "URL",
        ValueKind::Srcset => "image candidates",
        ValueKind::SpaceSeparated => "URLs, separated by spaces",
        ValueKind::CommaSeparated => "URLs, separated by commas",
        ValueKind::SemicolonSeparated => "URLs, separated by semicolons",
        ValueKind::Pairs => "`name=value` pairs, separated by semicolons",
        ValueKind::Refresh => "`N; url=URL`",
        ValueKind::Css => "CSS",
        ValueKind::Html => "an HTML document",
        ValueKind::HtmlFragment => "HTML, escaped",
        ValueKind::Base64Html => "HTML, in base64",
        ValueKind::Json(_) => "JSON",
        ValueKind::Template => "a template",
        ValueKind::FetchOption(FetchOptionKind::Integrity) => "digests of a file",
        ValueKind::FetchOption(FetchOptionKind::Cors) => "how browsers fetch a file",
        ValueKind::Policy => "a Content Security Policy",
    }
}

fn notes(row: &AttributeRow) -> String {
    let condition = match row.when {
        Condition::Always => "",
        Condition::HttpEquivRefresh => "`http-equiv=refresh`",
        Condition::HttpEquivPolicy => "`http-equiv=content-security-policy`",
        Condition::UrlMetadata => "`property`, `name` or `itemprop` is one of those below",
        Condition::PairedMetadata => "`name` is one of those below",
        Condition::ParameterUrl => "`valuetype=ref`, or a media file",
        Condition::RustdocVars => "`name` or `id` is `rustdoc-vars`",
        Condition::AnimatesHref => "if it animates `href`",
    };
    let base = match row.rules.base {
        ValueBase::Document => "",
        ValueBase::Fallback => "sets the base URL",
        ValueBase::BeforeBase => "does not resolve against `base`",
        ValueBase::Codebase => "resolves against `codebase`",
        ValueBase::Parent => "resolves against the directory around that of the document",
    };
    let notes = [
        condition,
        base,
        if row.rules.relative_only { "never rewritten" } else { "" },
        if row.rules.prefix { "a directory, for scripts" } else { "" },
        if row.rules.fragment_is_local { "`#id` means this document" } else { "" },
        if row.rules.rdfa { "with `--rdfa`" } else { "" },
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

fn page() -> String {
    let mut page =
        "# URL attributes\n\nThese tables list the attributes in which every command reads URLs. They are from the \
         HTML Standard and its obsolete features, HTML 4.01, browsers of the 1990s, SVG, MathML and RDFa. The tables \
         include `integrity`, `crossorigin` and policies, which contain no URL, but depend on a URL.\n"
            .to_owned();
    for (namespace, name) in
        [(Namespace::Html, "HTML"), (Namespace::Svg, "SVG"), (Namespace::MathMl, "MathML")]
    {
        write!(page, "\n## {name}\n\n| elements | attribute | value | |\n|---|---|---|---|\n")
            .unwrap();
        for row in URL_ATTRIBUTES.iter().filter(|row| row.namespace == namespace) {
            let elements: Vec<String> = row.elements.iter().map(|it| format!("`{it}`")).collect();
            let elements = if elements.is_empty() { "any".to_owned() } else { elements.join(", ") };
            let (attribute, value, notes) = (row.attribute, value(row.rules.kind), notes(row));
            let cells = format!("| {elements} | `{attribute}` | {value} | {notes} |");
            writeln!(page, "{}", cells.replace("  ", " ")).unwrap();
        }
    }
    page += "\n## Metadata\n";
    for (introduction, names) in [
        (
            "The `content` of a `meta` element is a URL if its `property` or `name` is one of these:",
            URL_METADATA,
        ),
        (
            "It may be a URL or text if its `property` or `name` is one of these:",
            URL_METADATA_IF_LIKE_ONE,
        ),
        ("It is a URL if its `itemprop` has one of these, in any case:", URL_ITEM_PROPERTIES),
        (
            "It has URLs in pairs like `icon-uri=URL` if its `name` is one of these:",
            PAIRED_METADATA,
        ),
    ] {
        write!(page, "\n{introduction}\n\n").unwrap();
        for name in names {
            writeln!(page, "- `{name}`").unwrap();
        }
    }
    page
}

fn vocabulary(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::None => "no namespace",
        Namespace::Other => "other namespaces",
        Namespace::Html => "XHTML",
        Namespace::Svg => "SVG",
        Namespace::MathMl => "MathML",
        Namespace::XLink => "XLink",
        Namespace::Xml => "XML",
        Namespace::XInclude => "XInclude",
        Namespace::Xslt => "XSLT",
        Namespace::Atom => "Atom",
        Namespace::AtomPublishing => "Atom Publishing Protocol",
        Namespace::AtomThreading => "Atom Threading Extensions",
        Namespace::Rss => "RSS",
        Namespace::RssContent => "RSS content module",
        Namespace::CommentApi => "Comment API",
        Namespace::Media => "Media RSS",
        Namespace::Itunes => "Apple podcasts",
        Namespace::GooglePlay => "Google podcasts",
        Namespace::Podcast => "Podcasting 2.0",
        Namespace::FeedBurner => "FeedBurner",
        Namespace::Ocf => "EPUB container",
        Namespace::XmlEncryption => "EPUB encryption",
        Namespace::Package => "EPUB package",
        Namespace::Ncx => "EPUB 2 navigation",
        Namespace::Overlay => "EPUB media overlay",
        Namespace::Epub => "EPUB",
        Namespace::Sitemap => "sitemap",
        Namespace::SitemapImage => "image sitemap",
        Namespace::SitemapVideo => "video sitemap",
        Namespace::OpenSearch => "OpenSearch",
        Namespace::MozSearch => "Mozilla's OpenSearch",
        Namespace::Opml => "OPML",
        Namespace::BrowserConfig => "browser configuration",
    }
}

fn xml_condition(when: When) -> String {
    match when {
        When::Always => String::new(),
        When::TypeHtml => "`type` is HTML".to_owned(),
        When::Base64Html => "`type` is HTML, `mode` is base64".to_owned(),
        When::PermaLink => {
            "`isPermaLink` is written and true: other ids must not change".to_owned()
        }
        When::Parent(name) => format!("in `{name}`"),
    }
}

fn xml_page() -> String {
    let mut page = "# XML vocabularies\n\nThis table lists the attributes and texts of XML documents in which rehref reads links, \
                    by the namespace of their element. In XHTML, SVG and MathML, rehref reads the same [URL \
                    attributes](attributes.md), styles and scripts as in HTML. In every vocabulary, it reads \
                    `xlink:href`, `xml-stylesheet` and `xml:base` (see [the base URL](carriers.md#the-base-url)).\n\n| vocabulary \
                    | elements | attribute | value | |\n|---|---|---|---|---|\n"
        .to_owned();
    let code = |names: &[&str], none: &str| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        if names.is_empty() { none.to_owned() } else { names.join(", ") }
    };
    for (namespace, elements, attributes, rules, when) in ROWS {
        let (elements, attributes) = (code(elements, "any"), code(attributes, "(its text)"));
        let (value, mut condition) = (value(rules.kind), xml_condition(*when));
        if rules.base == ValueBase::Parent {
            condition = "resolves against the root of the book".to_owned();
        }
        let vocabulary = vocabulary(*namespace);
        let cells = format!("| {vocabulary} | {elements} | {attributes} | {value} | {condition} |");
        writeln!(page, "{}", cells.replace("  ", " ")).unwrap();
    }
    page
}

#[track_caller]
fn assert_page(path: &str, page: &str) {
    let path = crate::test_data::root().join(path);
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::write(&path, page).unwrap();
    }
    let is_current = fs::read_to_string(&path).is_ok_and(|current| current == page);
    assert!(is_current, "INSTA_UPDATE=always writes {}", path.display());
}

#[test]
fn the_page_of_the_attributes_is_the_table() {
    assert_page("docs/reference/attributes.md", &page());
}

#[test]
fn the_page_of_the_xml_vocabularies_is_the_table() {
    assert_page("docs/reference/xml.md", &xml_page());
}
