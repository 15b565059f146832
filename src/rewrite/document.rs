//! One document: every reference decided on, the changes turned into edits.

use std::ops::Range;

use super::{Decision, Reason, References};
use crate::document::edit::edits_of_value;
use crate::document::html::{AttributeValue, BaseOf};
use crate::document::reference::references_in_text;
use crate::document::{
    BaseElement, BaseUrl, Document, DocumentError, Edit, ParseOptions, Position, Positions,
    Reference, template_markup,
};
use crate::rewrite::absolute;
use crate::url::AbsoluteUrl;

/// What became of a document.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The new bytes; `None` where nothing changes.
    pub bytes: Option<Vec<u8>>,
    /// The edits that make them, in order. They count in the source, or in `transcoded`.
    pub edits: Vec<Edit>,
    /// The UTF-8 form that was worked on, where the document is in UTF-16 or ISO-2022-JP.
    pub transcoded: Option<Vec<u8>>,
    /// What happened to the references.
    pub references: References,
    /// What the user should know, in document order.
    pub complaints: Vec<Complaint>,
}

/// Something about a place in a document that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Where.
    pub position: Position,
    /// A short stable name of what is wrong.
    pub id: &'static str,
    /// The element and attribute, as `a href`.
    pub place: String,
    /// The reference as the author wrote it, decoded.
    pub reference: String,
    /// What is wrong with it.
    pub message: String,
}

/// Makes the references of the document `bytes` absolute. `fallback` is its fallback base URL: its
/// own URL, unless something encloses it.
///
/// # Errors
/// When the document is in an encoding that it cannot be worked on in; it is best kept as it is.
pub fn rewrite_document(
    bytes: &[u8],
    fallback: &AbsoluteUrl,
    options: &ParseOptions,
) -> Result<Rewritten, DocumentError> {
    let document = Document::parse(bytes, options)?;
    let base = document.base_url(fallback);
    let mut rewriter = Rewriter {
        document: &document,
        fallback,
        base: base.url.as_ref(),
        positions: Positions::new(document.working_bytes()),
        result: Rewritten::default(),
    };
    let mut references = document.references.as_slice();
    for (index, value) in document.values.iter().enumerate() {
        let count = references
            .iter()
            .take_while(|reference| reference.value == index)
            .count();
        let (own, rest) = references.split_at(count);
        references = rest;
        if document.base == Some(index) {
            rewriter.complain_of_base(&base, own);
        }
        rewriter.value(value, own);
    }
    let mut result = rewriter.result;
    if !result.edits.is_empty() {
        result.bytes = Some(document.with_edits(&result.edits)?);
        result.transcoded = document.transcoded().map(<[u8]>::to_vec);
    }
    Ok(result)
}

struct Rewriter<'d> {
    document: &'d Document<'d>,
    fallback: &'d AbsoluteUrl,
    base: Option<&'d AbsoluteUrl>,
    positions: Positions<'d>,
    result: Rewritten,
}

impl Rewriter<'_> {
    fn value(&mut self, value: &AttributeValue, references: &[Reference]) {
        let base = self.base_for(value);
        let encoding = self.document.charset.encoding;
        let mut decisions: Vec<Decision> = references
            .iter()
            .map(|reference| {
                let text = self.document.text_of(reference);
                absolute::decide(
                    text,
                    reference.class,
                    base.as_ref(),
                    self.fallback,
                    encoding,
                )
            })
            .collect();
        if !is_expressible(value, references, &changes_of(references, &decisions)) {
            for (reference, decision) in references.iter().zip(&mut decisions) {
                if let Decision::Change(respelling) = decision {
                    let changed = respelling.apply(self.document.text_of(reference));
                    *decision = Decision::LeaveAlone(Reason::Inexpressible(changed));
                }
            }
        }
        self.result.references.seen += references.len();
        for (reference, decision) in references.iter().zip(&decisions) {
            match decision {
                Decision::Keep => self.result.references.kept += 1,
                Decision::Change(_) => self.result.references.rewritten += 1,
                Decision::LeaveAlone(reason) => self.leave_alone(value, reference, reason),
            }
        }
        let source = self.document.working_bytes();
        let changes = changes_of(references, &decisions);
        self.result
            .edits
            .extend(edits_of_value(source, value, &changes));
    }

    fn base_for(&self, value: &AttributeValue) -> Option<AbsoluteUrl> {
        match &value.base {
            BaseOf::Document => self.base.cloned(),
            BaseOf::Fallback => Some(self.fallback.clone()),
            BaseOf::Codebase(codebase) if template_markup::is_in(codebase) => None,
            BaseOf::Codebase(codebase) => {
                let base = self.base?;
                if codebase.trim_ascii().is_empty() {
                    return Some(base.clone());
                }
                let encoding = self.document.charset.encoding;
                // Applet viewers take the code base for a directory, slash or not.
                Some(base.resolve(codebase, encoding).ok()?.as_directory())
            }
        }
    }

    fn leave_alone(&mut self, value: &AttributeValue, reference: &Reference, reason: &Reason) {
        *self
            .result
            .references
            .left_alone
            .entry(reason.id())
            .or_default() += 1;
        if let Some(message) = reason.complaint() {
            self.complain(value, reference, reason.id(), message);
        }
    }

    fn complain(
        &mut self,
        value: &AttributeValue,
        reference: &Reference,
        id: &'static str,
        message: String,
    ) {
        let start = self.document.span_of(reference).start;
        self.result.complaints.push(Complaint {
            position: self.positions.of(start),
            id,
            place: format!("{} {}", value.element, value.attribute),
            reference: self.document.text_of(reference).to_owned(),
            message,
        });
    }

    fn complain_of_base(&mut self, base: &BaseUrl, references: &[Reference]) {
        let message = match &base.element {
            BaseElement::Used if self.document.base_in_noscript => {
                "counts only where scripts do not run, being inside noscript".to_owned()
            }
            BaseElement::Absent | BaseElement::Used => return,
            // Left alone as references too, which says why.
            BaseElement::Bad(_) | BaseElement::TemplateMarkup => return,
            BaseElement::ForbiddenScheme(scheme) => {
                format!("{scheme}: URLs are ignored in base; the document's own URL counts")
            }
        };
        for reference in references {
            if let Some(value) = self.document.value_of(reference) {
                self.complain(value, reference, "base", message.clone());
            }
        }
    }
}

/// The changes among `decisions`, as ranges of the value's text.
fn changes_of<'d>(
    references: &[Reference],
    decisions: &'d [Decision],
) -> Vec<(Range<usize>, &'d str)> {
    references
        .iter()
        .zip(decisions)
        .filter_map(|(reference, decision)| match decision {
            Decision::Change(respelling) => {
                let start = reference.range.start + respelling.replace.start;
                let end = reference.range.start + respelling.replace.end;
                Some((start..end, respelling.with.as_str()))
            }
            _ => None,
        })
        .collect()
}

/// Whether the changed value still holds the same number of references, each with its change: a
/// list may fall apart at a comma that a URL brings in, a quoted refresh at a quote.
fn is_expressible(
    value: &AttributeValue,
    references: &[Reference],
    changes: &[(Range<usize>, &str)],
) -> bool {
    if changes.is_empty() {
        return true;
    }
    let text = value.text.as_str();
    let mut changed = String::new();
    let mut expected = Vec::new();
    let mut copied = 0;
    let mut pending = changes.iter().peekable();
    for reference in references {
        changed.push_str(text.get(copied..reference.range.start).unwrap_or(""));
        copied = reference.range.start;
        let start = changed.len();
        while let Some((range, with)) =
            pending.next_if(|(range, _)| range.end <= reference.range.end)
        {
            changed.push_str(text.get(copied..range.start).unwrap_or(""));
            changed.push_str(with);
            copied = range.end;
        }
        changed.push_str(text.get(copied..reference.range.end).unwrap_or(""));
        copied = reference.range.end;
        expected.push(start..changed.len());
    }
    changed.push_str(text.get(copied..).unwrap_or(""));
    let found = references_in_text(&changed, value.row, 0);
    found
        .into_iter()
        .map(|reference| reference.range)
        .eq(expected)
}
