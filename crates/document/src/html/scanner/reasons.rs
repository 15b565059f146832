//! Reasons why the scanner declines a document, which the authority then reads.

/// A reason why the scanner declines a document: markup whose meaning depends on the tree, with its clause of
/// the HTML Standard, or a limit of rehref.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeclineReason {
    /// A character reference or NUL before the body.
    /// (HTML Standard, 13.2.6.4.1 to 13.2.6.4.6, the insertion modes before "in body")
    TextBeforeBody,
    /// A frameset.
    /// (HTML Standard, 13.2.6.4.7, a start tag whose tag name is "frameset")
    Frameset,
    /// Attributes of a second `html` or `body`.
    /// (HTML Standard, 13.2.6.4.7, start tags whose tag names are "html" and "body")
    MergedAttributes,
    /// An element in a `select` that limits "in scope".
    /// (HTML Standard, 13.2.4.2, has an element in a particular scope)
    ScopeInSelect,
    /// An `input` with a `select` open directly in a table.
    /// (HTML Standard, 13.2.6.4.9, a start tag whose tag name is "input")
    SelectInTable,
    /// An end tag that closes nothing in SVG or MathML.
    /// (HTML Standard, 13.2.6.5, any other end tag)
    EndTagInForeign,
    /// HTML in SVG or MathML whose tags close other elements.
    /// (HTML Standard, 13.2.6, integration points)
    HtmlInForeign,
    /// `annotation-xml`.
    /// (HTML Standard, 13.2.6, HTML integration point)
    AnnotationXml,
    /// A tag name with NUL or not in ASCII.
    /// (HTML Standard, 13.2.5.8, tag name state)
    OddName,
    /// Several `base`, charset or generator elements outside the head. The first in tree order counts,
    /// which need not be the first in the source.
    /// (HTML Standard, 13.2.6.1, appropriate place for inserting a node)
    OrderOutsideHead,
    /// A formatting element with an anchor in a template, which may be inserted again after it.
    /// (HTML Standard, 13.2.4.3, the list of active formatting elements)
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

/// The result of the scanner, or the reason why it declines the document.
pub type Scan<T> = Result<T, DeclineReason>;
