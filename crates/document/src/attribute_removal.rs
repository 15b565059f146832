//! The removal of an attribute from its tag.

use super::Document;
use super::container::{Container, Syntax};
use super::html::Quote;
use super::xml::XmlPlace;
use rehref_url::Span;

impl Document<'_> {
    /// Returns the span to delete, so that a tag loses the attribute whose value is the container at `index`.
    /// The span is in the parent's text, or in the working bytes for a container without a parent. Returns
    /// `None` if the container is not an attribute.
    pub fn attribute_removal(&self, index: usize) -> Option<Span> {
        let container = self.containers.get(index)?;
        removal(self.source_of(container)?, container)
    }
}

/// Returns the span of the attribute whose value is `container`, from its name on; `None` if it is not an attribute.
pub(super) fn attribute_span(source: &[u8], container: &Container) -> Option<Span> {
    let (_, name) = container.kind.attribute()?;
    let name = name?;
    let quotes = match container.syntax {
        Syntax::Attribute(Quote::Double | Quote::Single) | Syntax::Xml(XmlPlace::Attribute(_)) => 1,
        Syntax::Attribute(Quote::Unquoted | Quote::NoValue) => 0,
        _ => return None,
    };
    let mut before = source.get(..container.span.start.checked_sub(quotes)?)?;
    if container.syntax != Syntax::Attribute(Quote::NoValue) {
        before = before.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
    }
    let start = before.len().checked_sub(name.len())?;
    let span = Span::from(start..container.span.end + quotes);
    before.get(start..)?.eq_ignore_ascii_case(name.as_bytes()).then_some(span)
}

fn removal(source: &[u8], container: &Container) -> Option<Span> {
    let Span { start, end } = attribute_span(source, container)?;
    let next = *source.get(end)?;
    // What follows must not become a part of what comes before.
    let start = if next.is_ascii_whitespace() || next == b'>' {
        source.get(..start)?.trim_ascii_end().len()
    } else {
        start
    };
    Some(Span::from(start..end))
}

#[cfg(test)]
mod tests {
    use crate::{Document, ParseOptions};

    #[test]
    fn a_removed_attribute_leaves_all_others() {
        for (before, after) in [
            ("<script src=a integrity=x>", "<script src=a>"),
            ("<script integrity='x' src=a>", "<script src=a>"),
            ("<script\n INTEGRITY = \"x\"\n src=a>", "<script\n src=a>"),
            ("<script integrity='x'src=a>", "<script src=a>"),
            ("<script src=a crossorigin>", "<script src=a>"),
            ("<script crossorigin src=a>", "<script src=a>"),
            ("<script crossorigin=\"\" src=a>", "<script src=a>"),
            ("<link href=a crossorigin=x />", "<link href=a />"),
            ("<link href='a'integrity='x'/>", "<link href='a'/>"),
            ("<link href=a integrity='x'/>", "<link href=a />"),
        ] {
            let document = Document::parse(before.as_bytes(), &ParseOptions::default()).unwrap();
            let [option] = document.fetch_options.as_slice() else {
                panic!("{before}");
            };
            let span = document.attribute_removal(option.container).unwrap();
            let mut removed = before.to_owned();
            removed.replace_range(span.range(), "");
            assert_eq!(removed, after, "{before}");
        }
    }
}
