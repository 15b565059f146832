//! The use that a page makes of the target of a reference.

use super::container::{Container, Syntax};
use super::value_rules::{Timing, Usage};
use super::{Document, Reference, Rel};

/// The use that browsers make of the `href` of a `link` with this link type in its `rel`, and the time at which they
/// resolve it: the icon and the manifest once the page is loaded. The first row that matches counts.
const LINK_TYPES: &[(Rel, Usage, Timing)] = &[
    (Rel::STYLESHEET, Usage::Resource, Timing::AtOnce),
    (Rel::PRELOAD, Usage::Resource, Timing::AtOnce),
    (Rel::MODULEPRELOAD, Usage::Resource, Timing::AtOnce),
    (Rel::MANIFEST, Usage::Resource, Timing::Later),
    (Rel::ICON, Usage::Image, Timing::Later),
    (Rel::PREFETCH.with(Rel::NEXT), Usage::Link, Timing::AtOnce),
    (Rel::NEXT, Usage::Link, Timing::Later),
    (Rel::PREV, Usage::Link, Timing::Later),
    (Rel::PREFETCH, Usage::Other, Timing::AtOnce),
];

impl Document<'_> {
    /// Returns the use that a page makes of the target of `reference`, by the table of URL attributes. JSON, headers
    /// and `robots.txt` are for other programs.
    pub fn usage_of(&self, reference: &Reference) -> Usage {
        let Some(container) = self.container_of(reference) else { return Usage::Other };
        match (container.syntax, container.kind.rules()) {
            (Syntax::Css(_), _) => Usage::Style,
            (_, Some(rules)) => rules.usage.unwrap_or_else(|| of_link(reference.rel).0),
            (_, None) => Usage::Other,
        }
    }

    /// Returns the time at which browsers resolve `reference`, by the tables of attributes and of link types.
    pub fn timing_of(&self, reference: &Reference) -> Timing {
        timing_in(&self.containers, reference)
    }
}

/// As [`Document::timing_of`], in a document with these containers.
pub(super) fn timing_in(containers: &[Container], reference: &Reference) -> Timing {
    let parent = |it: &&Container| containers.get(it.parent?);
    let mut around = std::iter::successors(containers.get(reference.container), parent);
    match around.find_map(|container| container.kind.rules()) {
        Some(rules) if rules.usage.is_none() => of_link(reference.rel).1,
        rules => rules.map_or(Timing::Later, |rules| rules.timing),
    }
}

fn of_link(rel: Rel) -> (Usage, Timing) {
    let row = LINK_TYPES.iter().find(|(link_type, ..)| rel.has(*link_type));
    row.map_or((Usage::Other, Timing::Later), |(_, usage, timing)| (*usage, *timing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentKind, ParseOptions};

    fn usages(kind: DocumentKind, source: &str) -> Vec<Usage> {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let references = document.references.iter();
        references.map(|reference| document.usage_of(reference)).collect()
    }

    #[test]
    fn the_attribute_decides_in_html_and_in_xhtml() {
        const XHTML: &str = "<html xmlns='http://www.w3.org/1999/xhtml' \
            xmlns:xlink='http://www.w3.org/1999/xlink'><head/><body>";
        for (element, expected) in [
            ("<a href='x'/>", Usage::Link),
            ("<form action='x'/>", Usage::Link),
            ("<img src='x'/>", Usage::Image),
            ("<img srcset='x'/>", Usage::Resource),
            ("<script src='x'></script>", Usage::Resource),
            ("<p style='background: url(x)'/>", Usage::Style),
            ("<style>p { background: url(x) }</style>", Usage::Style),
            ("<blockquote cite='x'/>", Usage::Other),
            ("<meta property='og:url' content='x'/>", Usage::Other),
            ("<link href='x'/>", Usage::Other),
            ("<link href='x' rel='alternate StyleSheet'/>", Usage::Resource),
            ("<link href='x' rel='shortcut icon'/>", Usage::Image),
            ("<link href='x' rel='dns-prefetch'/>", Usage::Other),
            ("<link href='x' rel='canonical'/>", Usage::Other),
            ("<link href='x' rel='next'/>", Usage::Link),
            ("<link imagesrcset='x' rel='next'/>", Usage::Resource),
        ] {
            assert_eq!(usages(DocumentKind::Html, element), [expected], "{element}");
            let xhtml = format!("{XHTML}{element}</body></html>");
            assert_eq!(usages(DocumentKind::Xhtml, &xhtml), [expected], "{xhtml}");
        }
    }

    #[test]
    fn the_innermost_carrier_decides() {
        for (source, expected) in [
            ("<iframe srcdoc='<img src=x>'>", Usage::Image),
            ("<!--[if IE]><script src=x></script><![endif]-->", Usage::Resource),
            ("<svg><a xlink:href=x>", Usage::Link),
            ("<svg><image href=x>", Usage::Image),
            ("<svg><use xlink:href=x>", Usage::Resource),
            ("<svg><pattern xlink:href=x>", Usage::Other),
            ("<svg><g fill='url(x)'>", Usage::Style),
            ("<math><mi href=x>", Usage::Link),
        ] {
            assert_eq!(usages(DocumentKind::Html, source), [expected], "{source}");
        }
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' \
            xmlns:l='http://www.w3.org/1999/xlink'><image l:href='x'/></svg>";
        assert_eq!(usages(DocumentKind::Xml, svg), [Usage::Image]);
    }

    #[test]
    fn files_that_are_not_pages_hold_data_and_styles() {
        use crate::lines::LineSyntax;
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='next' href='x'/></feed>";
        for (kind, source, expected) in [
            (DocumentKind::Css, "p { background: url(x) }", Usage::Style),
            (DocumentKind::Lines(LineSyntax::Robots), "Sitemap: x", Usage::Other),
            (DocumentKind::Xml, atom, Usage::Other),
        ] {
            assert_eq!(usages(kind, source), [expected], "{source}");
        }
    }
}
