//! Reasons why the scanner declines a document, which the authority then reads.

use std::fmt;

/// A reason why the scanner declines a document. [`DECLINE_REASONS`] explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeclineReason {
    /// A character reference or NUL before the body.
    TextBeforeBody,
    /// A frameset.
    Frameset,
    /// Attributes of a second `html` or `body`.
    MergedAttributes,
    /// An element in a `select` that limits "in scope".
    ScopeInSelect,
    /// An `input` with a `select` open directly in a table.
    SelectInTable,
    /// An end tag that closes nothing in SVG or MathML.
    EndTagInForeign,
    /// HTML in SVG or MathML whose tags close other elements.
    HtmlInForeign,
    /// `annotation-xml`.
    AnnotationXml,
    /// A tag name with NUL or not in ASCII.
    OddName,
    /// Several `base`, charset or generator elements outside the head. The first in tree order counts,
    /// which need not be the first in the source.
    OrderOutsideHead,
    /// A formatting element with an anchor in a template, which may be inserted again after it.
    AnchorInTemplate,
    /// An ignore mark.
    IgnoreMark,
    /// An attribute of `--attr` on an element without rules of its own.
    FurtherElement,
    /// Tables, templates, SVG or MathML nested hundreds deep.
    Depth,
    /// More values than the memory holds. The authority would need more.
    Memory,
}

/// All reasons, each with its explanation for the user, and the clause of the HTML Standard by which
/// the tree decides. The clause is empty for a limit of this program.
#[rustfmt::skip]
pub const DECLINE_REASONS: &[(DeclineReason, &str, &str)] = &[
    (DeclineReason::TextBeforeBody, "a character reference or NUL where text may start the body",
        "13.2.6.4.1 to 13.2.6.4.6, the insertion modes before \"in body\""),
    (DeclineReason::Frameset, "a frameset, which replaces the body or is dropped",
        "13.2.6.4.7, a start tag whose tag name is \"frameset\""),
    (DeclineReason::MergedAttributes, "a second html or body tag with attributes",
        "13.2.6.4.7, start tags whose tag names are \"html\" and \"body\""),
    (DeclineReason::ScopeInSelect, "an element in a select, which tags outside the select cannot close",
        "13.2.4.2, has an element in a particular scope"),
    (DeclineReason::SelectInTable, "an input after a select directly in a table",
        "13.2.6.4.9, a start tag whose tag name is \"input\""),
    (DeclineReason::EndTagInForeign, "an end tag in SVG or MathML that matches no element there",
        "13.2.6.5, any other end tag"),
    (DeclineReason::HtmlInForeign, "HTML in SVG or MathML with tags that close others",
        "13.2.6, integration points"),
    (DeclineReason::AnnotationXml, "annotation-xml, which may hold HTML",
        "13.2.6, HTML integration point"),
    (DeclineReason::OddName, "a tag name with NUL or with bytes that are not ASCII",
        "13.2.5.8, tag name state"),
    (DeclineReason::OrderOutsideHead, "several bases, charsets or generators outside of the head",
        "13.2.6.1, appropriate place for inserting a node"),
    (DeclineReason::AnchorInTemplate, "a formatting element with an id in a template",
        "13.2.4.3, the list of active formatting elements"),
    (DeclineReason::IgnoreMark, "an ignore mark, which covers its element",
        ""),
    (DeclineReason::FurtherElement, "an attribute of --attr on an element without rules of its own",
        ""),
    (DeclineReason::Depth, "tables, templates, SVG or MathML nested hundreds of levels deep",
        ""),
    (DeclineReason::Memory, "more links than fit into memory",
        ""),
];

impl fmt::Display for DeclineReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = DECLINE_REASONS.iter().find(|(reason, ..)| reason == self);
        f.write_str(row.map_or("", |(_, text, _)| text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_row() {
        for (at, (reason, text, _)) in DECLINE_REASONS.iter().enumerate() {
            assert_eq!(*reason as usize, at);
            assert_eq!(reason.to_string(), *text);
        }
        assert_eq!(DECLINE_REASONS.len(), DeclineReason::Memory as usize + 1);
    }
}
