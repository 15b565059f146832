//! What a page does with a reference.

/// What a page does with a reference; browsers treat what they load otherwise than links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Usage {
    /// A link or a form, which a user follows.
    Link,
    /// An image, sound or film that the page loads.
    Image,
    /// Anything else that the page loads: a script, a style sheet, a frame.
    Resource,
    /// A URL in CSS: an image mostly, but a style sheet or a font, too.
    Style,
    /// Data for other programs, and what is not known.
    Other,
}

/// Elements (comma-separated, `*` for any), attribute, and the usage; the first row that fits.
#[rustfmt::skip]
const USAGES: &[(&str, &str, Usage)] = &[
    ("a,area,svg:a,math:*", "href", Usage::Link),
    ("a,svg:a,math:*", "xlink:href", Usage::Link),
    ("form,isindex", "action", Usage::Link),
    ("button,input", "formaction", Usage::Link),
    // `http-equiv=refresh`, and metadata, which other programs load.
    ("meta", "content", Usage::Other),
    ("img,input,audio,video,bgsound", "src", Usage::Image),
    // In `picture` its attribute is `srcset`, which is never upgraded.
    ("source", "src", Usage::Image),
    ("img,source", "srcset", Usage::Resource),
    ("link", "imagesrcset", Usage::Resource),
    ("video", "poster", Usage::Image),
    ("img,input", "lowsrc", Usage::Image),
    ("img,input", "dynsrc", Usage::Image),
    ("body,table,tbody,td,tfoot,th,thead,tr", "background", Usage::Image),
    ("layer,ilayer", "background", Usage::Image),
    ("svg:image,svg:feImage,image,feImage", "href", Usage::Image),
    ("svg:image,svg:feImage,image,feImage", "xlink:href", Usage::Image),
    ("math:mglyph", "src", Usage::Image),
    ("embed,frame,iframe,layer,ilayer,script,track", "src", Usage::Resource),
    ("object", "data", Usage::Resource),
    ("object", "classid", Usage::Resource),
    ("object,applet", "archive", Usage::Resource),
    ("applet", "code", Usage::Resource),
    ("a,area", "ping", Usage::Resource),
    ("svg:script,svg:use,script,use", "href", Usage::Resource),
    ("svg:script,svg:use,script,use", "xlink:href", Usage::Resource),
    ("*", "style", Usage::Style),
    ("style,svg:style", "", Usage::Style),
    ("svg:*", "fill", Usage::Style),
    ("svg:*", "stroke", Usage::Style),
    ("svg:*", "filter", Usage::Style),
    ("svg:*", "clip-path", Usage::Style),
    ("svg:*", "mask", Usage::Style),
];

/// What the browser loads for a `link`, by a word of its `rel`.
const LOADED_RELS: &[(&str, Usage)] = &[
    ("stylesheet", Usage::Resource),
    ("preload", Usage::Resource),
    ("modulepreload", Usage::Resource),
    ("manifest", Usage::Resource),
    ("icon", Usage::Image),
    ("apple-touch-icon", Usage::Image),
    ("apple-touch-icon-precomposed", Usage::Image),
    ("mask-icon", Usage::Image),
];

/// The words of `rel` that make a `link` something to follow.
const LINK_RELS: &[&str] = &[
    "author", "contents", "help", "index", "license", "next", "prev",
];

/// What a page does with a reference, from the element and the attribute it stands in, both as a
/// finding has them (`svg:image`, `iframe srcdoc > img`; empty for a style sheet's own text), and
/// the element's `rel` where that is known.
pub fn usage(element: &str, attribute: &str, rel: Option<&str>) -> Usage {
    if element.ends_with("url()") {
        return Usage::Style;
    }
    let element = element.rsplit("> ").next().unwrap_or(element).trim();
    if element == "link" && attribute == "href" {
        return usage_of_link(rel.unwrap_or_default());
    }
    let fits = |names: &str| {
        names.split(',').any(|name| match name.strip_suffix('*') {
            Some(start) => element.starts_with(start),
            None => name == element,
        })
    };
    USAGES
        .iter()
        .find(|(elements, of, _)| *of == attribute && fits(elements))
        .map_or(Usage::Other, |row| row.2)
}

fn usage_of_link(rel: &str) -> Usage {
    let mut words = rel.split_ascii_whitespace();
    let has = |name: &&str| {
        rel.split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case(name))
    };
    if let Some((_, usage)) = LOADED_RELS.iter().find(|(name, _)| has(name)) {
        return *usage;
    }
    if words.any(|word| LINK_RELS.iter().any(|name| name.eq_ignore_ascii_case(word))) {
        return Usage::Link;
    }
    Usage::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usages() {
        for (element, attribute, rel, expected) in [
            ("a", "href", None, Usage::Link),
            ("svg:a", "xlink:href", None, Usage::Link),
            ("math:mi", "href", None, Usage::Link),
            ("form", "action", None, Usage::Link),
            ("iframe srcdoc > img", "src", None, Usage::Image),
            ("img", "srcset", None, Usage::Resource),
            ("script", "src", None, Usage::Resource),
            ("svg:image", "href", None, Usage::Image),
            ("p", "style", None, Usage::Style),
            ("style", "", None, Usage::Style),
            ("p style > url()", "", None, Usage::Style),
            ("url()", "", None, Usage::Style),
            ("blockquote", "cite", None, Usage::Other),
            ("meta", "content", None, Usage::Other),
            ("link", "href", None, Usage::Other),
            (
                "link",
                "href",
                Some("alternate StyleSheet"),
                Usage::Resource,
            ),
            ("link", "href", Some("shortcut icon"), Usage::Image),
            ("link", "href", Some("dns-prefetch"), Usage::Other),
            ("link", "href", Some("canonical"), Usage::Other),
            ("link", "href", Some("next"), Usage::Link),
        ] {
            assert_eq!(
                usage(element, attribute, rel),
                expected,
                "{element} {attribute} {rel:?}"
            );
        }
    }
}
