//! Rules for the values and contents of elements, and of headers: what they hold, and the meaning of special values.

use super::json::JsonKind;

/// The language of a value or content, such as a URL, a list of URLs or CSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// One URL, potentially surrounded by spaces.
    Url,
    /// Image candidates (`srcset`).
    Srcset,
    /// URLs separated by white space (`ping`).
    SpaceSeparated,
    /// URLs separated by commas (applet `archive`).
    CommaSeparated,
    /// URLs separated by semicolons (SVG animation `values`).
    SemicolonSeparated,
    /// Pairs of names and values, separated by semicolons; the values of `…-uri` are URLs (`msapplication-task`).
    Pairs,
    /// A number and perhaps a URL (`meta http-equiv=refresh`).
    Refresh,
    /// CSS: a style sheet, a list of declarations (`style`) or a property's value (SVG `fill`).
    Css,
    /// A whole HTML document (`srcdoc`).
    Html,
    /// A piece of HTML that has no base URL of its own: the content of a feed.
    HtmlFragment,
    /// A piece of HTML in base64.
    Base64Html,
    /// JSON that holds URLs.
    Json(JsonKind),
    /// How browsers load the file that another attribute of the element names.
    FetchOption(FetchOptionKind),
    /// A Content Security Policy, which may list digests of inline styles and scripts.
    Policy,
    /// A template of a URL (XSLT): the URLs it makes are unknown.
    Template,
}

/// The kind of a fetch option: digests, or a CORS mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchOptionKind {
    /// Digests of the file (Subresource Integrity).
    Integrity,
    /// The CORS mode.
    Cors,
}

/// The use of a reference's target by the page. Browsers treat resources that they load differently
/// from links that a user follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Usage {
    /// A link or a form, which a user follows.
    Link,
    /// An image, sound or film that the page loads.
    Image,
    /// Any other resource that the page loads: a script, a style sheet, a frame.
    Resource,
    /// A URL in CSS: mostly an image, but also a style sheet or a font.
    Style,
    /// Data for other programs, and any unknown use.
    Other,
}

/// The time at which browsers resolve a URL, which decides whether a later `base` element applies to it (as in
/// Chromium).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// When the parser inserts the element.
    AtOnce,
    /// When the parser pauses: a `base` element counts that follows closely; after a frame or much text it may not.
    Delayed,
    /// When a user or a program asks for the target.
    Later,
}

/// The URL against which the references of a value resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueBase {
    /// The document base URL.
    Document,
    /// The fallback base URL: for the `href` of `base`, which sets the base URL.
    Fallback,
    /// The fallback base URL: for attributes that browsers read before any `base`.
    BeforeBase,
    /// The directory around that of the document: the root of a container of EPUB for the files in its `META-INF`,
    /// which take only paths below it.
    Parent,
    /// The element's `codebase` if it has one, else the document base URL.
    Codebase,
}

/// The kind of a value, and the meaning of special values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueRules {
    pub kind: ValueKind,
    /// The base URL of the references in such a value.
    pub base: ValueBase,
    /// True if an empty value is a reference (to the base URL). In other attributes the HTML Standard makes an empty
    /// value an error, or gives it a meaning of its own (`form action`: the document's URL).
    pub empty_resolves: bool,
    /// True if a value that is only a fragment means a place in this document, whatever the base URL is.
    pub fragment_is_local: bool,
    /// True if the value cannot be absolute (applet `code` is a name below the code base).
    pub relative_only: bool,
    /// True if scripts append a path to the URL; see [`Constraints::prefix`](super::Constraints::prefix).
    pub prefix: bool,
    /// True if the value contains a URL only if the caller enables RDFa. A value that begins with a bracket is
    /// then a name, not a URL (RDFa Core 1.1 section 7.4).
    pub rdfa: bool,
    /// Another attribute of the element on which the value depends: the `codebase` against which its references
    /// resolve, or the URL of the file to which its digests belong.
    pub beside: Option<&'static str>,
    /// True if the URL may have placeholders; see [`super::placeholders`].
    pub placeholders: bool,
    /// The use of the targets by the page; `None` if the `rel` of the element decides.
    pub usage: Option<Usage>,
    /// The time at which browsers resolve the URLs; for a `link`, the `rel` decides.
    pub timing: Timing,
}

impl ValueRules {
    /// Returns the rules of a value without special cases.
    pub(super) const fn of(kind: ValueKind) -> ValueRules {
        ValueRules {
            kind,
            base: ValueBase::Document,
            empty_resolves: false,
            fragment_is_local: false,
            relative_only: false,
            prefix: false,
            rdfa: false,
            beside: None,
            placeholders: false,
            usage: Some(match kind {
                ValueKind::Css => Usage::Style,
                _ => Usage::Other,
            }),
            timing: match kind {
                ValueKind::Css | ValueKind::Refresh => Timing::AtOnce,
                ValueKind::Json(JsonKind::ImportMap | JsonKind::SpeculationRules) => Timing::AtOnce,
                _ => Timing::Later,
            },
        }
    }

    pub(super) const fn empty_resolves(self) -> ValueRules {
        ValueRules { empty_resolves: true, ..self }
    }

    pub(super) const fn usage(self, usage: Usage) -> ValueRules {
        let timing = match usage {
            Usage::Image | Usage::Resource => Timing::AtOnce,
            _ => self.timing,
        };
        ValueRules { usage: Some(usage), timing, ..self }
    }

    pub(super) const fn timing(self, timing: Timing) -> ValueRules {
        ValueRules { timing, ..self }
    }

    pub(super) const fn placeholders(self) -> ValueRules {
        ValueRules { placeholders: true, ..self }
    }

    pub(super) const fn fragment_is_local(self) -> ValueRules {
        ValueRules { fragment_is_local: true, ..self }
    }

    pub(super) const fn prefix(self) -> ValueRules {
        ValueRules { prefix: true, ..self }
    }

    pub(super) const fn relative_to(self, base: ValueBase) -> ValueRules {
        ValueRules { base, ..self }
    }

    /// Relative to the `codebase` of the element.
    pub(super) const fn in_codebase(self) -> ValueRules {
        self.relative_to(ValueBase::Codebase).beside("codebase")
    }

    pub(super) const fn beside(self, attribute: &'static str) -> ValueRules {
        ValueRules { beside: Some(attribute), ..self }
    }
}
