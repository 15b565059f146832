//! Checks of a document as a whole: its charset, its ids, its base elements.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memmem;

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::Finding;
use crate::target_place::TargetPlace;
use rehref_document::container::span_in;
use rehref_document::html::ValueKind;
use rehref_document::metadata::Bases;
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{BaseElement, BaseUrl, Reference, refresh};
use rehref_site::{Diagnostic, Location, Severity};
use rehref_url::{Span, scheme};

impl<'e> DocumentAuditor<'e> {
    /// Checks the document as a whole. `bases` are the base URLs of its scopes.
    pub(super) fn whole_document(&mut self, bases: &[BaseUrl]) {
        if let Some(at) = self.metadata.malformed_at {
            let charset = self.document.charset.encoding.name();
            let given = match self.source.options.charset {
                Some(_) => ", which --charset or a header names",
                None => "",
            };
            let message = format!("the document has bytes that are not valid in {charset}{given}");
            self.report_at(at, finding(Check::WrongCharset, "", "", None, message));
        }
        for duplicate in &self.metadata.duplicate_ids {
            let first = self.positions.of(duplicate.first.start);
            let message =
                format!("the element on line {} already has the id `{}`", first.line, duplicate.id);
            let found = finding(Check::DuplicateId, "", "id", Some(&duplicate.id), message);
            self.report_at(duplicate.span.start, found);
        }
        if !self.metadata.bases.is_empty() {
            let document = self.document;
            let in_effect = document.base_references();
            let is_needed = self.scopes_with_relative_links();
            for of_scope in &self.metadata.bases {
                let scope = of_scope.scope;
                if let Some(reference) = in_effect.get(&scope) {
                    let is_needed = is_needed.get(scope) == Some(&true);
                    self.bases(of_scope, reference, bases, is_needed);
                }
            }
        }
        self.markup();
        self.refreshes(bases);
        self.labels();
        self.ignore_marks();
        for ignored in &self.metadata.ignored_xml_bases {
            let value = ignored.of(self.document.working_bytes());
            let value = String::from_utf8_lossy(value);
            let message = "browsers ignore xml:base in XHTML, SVG and MathML";
            let found = finding(Check::BaseUnused, "", "xml:base", Some(&value), message);
            self.report_at(ignored.start, found);
        }
    }

    /// Checks tags for what browsers drop.
    fn markup(&mut self) {
        let metadata = self.metadata;
        for &at in &metadata.without_url {
            let source = self.document.working_bytes().get(at..).unwrap_or_default();
            // An expression may give it: `src={a}`, `{...a}`.
            if source.split(|it| *it == b'>').next().is_some_and(|tag| tag.contains(&b'{')) {
                continue;
            }
            let is_img = source.get(1..4).is_some_and(|name| name.eq_ignore_ascii_case(b"img"));
            let (element, attribute, message) = if is_img {
                ("img", "src", "the image has neither src nor srcset: browsers show nothing")
            } else {
                ("link", "href", "the link element has no href: browsers ignore the element")
            };
            let found = finding(Check::MissingUrl, element, attribute, None, message);
            self.report_at(at, found);
        }
        if let Some(at) = metadata.unclosed_quote {
            let message = "this quote never ends: browsers drop the rest of the page, and links in it are not checked";
            self.report_at(at, finding(Check::UnclosedQuote, "", "", None, message));
        }
    }

    /// Reports the refreshes that browsers do not read, with the state of their targets.
    fn refreshes(&mut self, bases: &[BaseUrl]) {
        let document = self.document;
        for (number, container) in document.containers.iter().enumerate() {
            let is_refresh = container.kind.rules().is_some_and(|it| it.kind == ValueKind::Refresh);
            let text = container.text.as_str();
            let Some(url) = refresh::unread_url(text).filter(|_| is_refresh) else { continue };
            let url = url.of_str(text);
            let seconds = refresh::seconds(text).unwrap_or_default();
            let base = bases.first().and_then(|base| base.url.as_ref()).unwrap_or(self.own());
            let target = base.resolve(url, encoding_rs::UTF_8).ok();
            let place = target.map(|target| self.site.place(&target));
            let is_missing = matches!(place, Some(TargetPlace::Internal { response: None, .. }));
            let state =
                if is_missing { format!(", and `{url}` does not exist") } else { String::new() };
            let message =
                format!("browsers do not read this refresh: visitors stay on this page{state}");
            let mut found = finding(Check::UnreadRefresh, "meta", "content", Some(text), message);
            found.suggestion = Some(format!("{seconds}; url={url}").into());
            let at = span_in(&document.containers, number, Span::from(0..0)).start;
            self.report_at(at, found);
        }
    }

    /// Warns of ignore marks that name no check or are misspelled, and so ignore nothing.
    fn ignore_marks(&mut self) {
        if self.homes.is_some() {
            return;
        }
        for (id, at) in self.metadata.ignored.checks() {
            if Check::named(id).is_some() {
                continue;
            }
            let advice = match Check::nearest(id) {
                Some(nearest) => format!("did you mean {nearest}?"),
                None => "rehref explain lists the checks".to_owned(),
            };
            let message =
                format!("the ignore mark has no effect: `{id}` is not the name of a check");
            self.unknown_mark(at, message, advice);
        }
        for (word, at) in misspelled_marks(self.document.working_bytes()) {
            let message = format!("the ignore mark has no effect: rehref does not know `{word}`");
            let advice = "write <!-- rehref-ignore --> before the element, or data-rehref-ignore in its tag or in that of an element around it";
            self.unknown_mark(at, message, advice.to_owned());
        }
        let marks = &mut self.out.unknown_marks;
        marks.sort_by(|a, b| {
            (a.location.position, &a.message).cmp(&(b.location.position, &b.message))
        });
    }

    fn unknown_mark(&mut self, at: usize, message: String, advice: String) {
        let place = Some(self.positions.of(at));
        let location = Location::new(self.source.name, place, "", "");
        let mut warning = Diagnostic::new(Severity::Warning, "unknown-check", location, message);
        warning.help = Some(advice.into());
        self.out.unknown_marks.push(warning);
    }

    /// Checks the labels of Markdown.
    fn labels(&mut self) {
        let metadata = self.metadata;
        self.out.unread.extend_from_slice(&metadata.unread);
        for (spans, check, element) in [
            (&metadata.undefined_references, Check::UndefinedReference, "link"),
            (&metadata.unused_definitions, Check::UnusedDefinition, "link definition"),
        ] {
            for span in spans {
                let text = String::from_utf8_lossy(span.of(self.document.working_bytes()));
                let text = text.lines().next().unwrap_or_default();
                let found = |message| finding(check, element, "", Some(text), message);
                let found = match check {
                    Check::UnusedDefinition => found(format!("no link uses the label `{text}`")),
                    _ => found(format!("this document has no definition of the label `{text}`"))
                        .with_help(format!("add a definition, like `[{text}]: URL`")),
                };
                self.report_at(span.start, found);
            }
        }
    }

    /// Checks the base elements of one scope, of which `in_effect` counts. `is_needed`: a link is relative
    /// to it.
    fn bases(
        &mut self,
        metadata: &Bases,
        in_effect: &Reference,
        bases: &[BaseUrl],
        is_needed: bool,
    ) {
        let (Some((first, others)), Some(base)) =
            (metadata.hrefs.split_first(), bases.get(metadata.scope))
        else {
            return;
        };
        let at = self.document.span_of(in_effect).start;
        let text = self.document.text_of(in_effect);
        for other in others.iter().chain([first]).filter(|other| **other != at) {
            let message = "browsers ignore this element: only the first base element counts";
            let text = self.text_at(*other);
            self.report_base(Check::BaseMultiple, *other, text, message);
        }
        match &base.element {
            BaseElement::ForbiddenScheme(scheme) => {
                let message = format!("browsers ignore a base URL with the scheme {scheme}:");
                return self.report_base(Check::BaseOpaque, at, Some(text), message);
            }
            BaseElement::Used if base.url.as_ref().is_some_and(|url| !url.is_hierarchical()) => {
                let message = format!("no link can resolve against the base URL `{text}`");
                return self.report_base(Check::BaseOpaque, at, Some(text), message);
            }
            BaseElement::Used => {}
            // The checks bad-url and template-markup report these.
            BaseElement::Absent | BaseElement::Bad(_) | BaseElement::Unknown => return,
        }
        if scheme::split(text.trim_ascii_start()).is_none() {
            let message = "the base URL is relative, which older programs do not understand";
            self.report_base(Check::BaseRelative, at, Some(text), message);
        }
        if let Some(early) = metadata.late_for {
            let early = self.positions.of(early);
            let message = format!(
                "this base element comes after the link on line {}; browsers use it for the links before \
                 it, but not for the style sheets, scripts and images before it",
                early.line
            );
            self.report_base(Check::BaseLate, at, Some(text), message);
        }
        if !is_needed {
            let message = "no link of this document needs the base URL";
            self.report_base(Check::BaseUnused, at, Some(text), message);
        }
    }

    fn report_base(
        &mut self,
        check: Check,
        at: usize,
        reference: Option<&str>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.report_at(at, finding(check, "base", "href", reference, message));
    }

    /// Whether the target of a reference depends on the base URL of each scope.
    fn scopes_with_relative_links(&self) -> Vec<bool> {
        let scopes = &self.document.scopes;
        let mut has_links = vec![false; scopes.len()];
        let parent = |scope: usize| scopes.get(scope)?.parent;
        for reference in &self.document.references {
            let scope = match &reference.base {
                BaseOf::Scope(of) | BaseOf::Codebase(of, _) => Some(*of),
                BaseOf::Fallback(of) => parent(*of),
                BaseOf::Unknown => None,
            };
            let text = self.document.text_of(reference).trim_ascii_start();
            let is_relative = match reference.class {
                Class::Ordinary => scheme::split(text).is_none(),
                // Their URLs are unknown; assumed relative.
                Class::TemplateMarkup | Class::RelativeOnly => true,
                Class::SameDocument | Class::Empty => false,
            };
            let mut at = scope.filter(|_| is_relative);
            // The scopes around one that is known are known.
            while let Some(known) = at.and_then(|at| has_links.get_mut(at)).filter(|it| !**it) {
                *known = true;
                at = at.and_then(parent);
            }
        }
        has_links
    }

    /// The decoded text of the reference that starts at byte `at`.
    fn text_at(&self, at: usize) -> Option<&'e str> {
        let references = &self.document.references;
        let start = |reference: &Reference| self.document.span_of(reference).start;
        let found = references.get(references.partition_point(|it| start(it) < at))?;
        (start(found) == at).then(|| self.document.text_of(found))
    }
}

/// Returns the words at the start of comments and the names of attributes in `source` that look like ignore marks, such as
/// `rehref-disable`, but are none, each with the place of the first.
fn misspelled_marks(source: &[u8]) -> BTreeMap<String, usize> {
    let found = memmem::find_iter(source, "rehref").filter_map(|at| {
        let (before, rest) = source.split_at_checked(at)?;
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || b"-:".contains(b);
        let word = rest.get(..rest.iter().position(|b| !in_word(b))?)?;
        let word = str::from_utf8(word.strip_suffix(b"--").unwrap_or(word)).ok()?;
        let data = before.strip_suffix(b"data-");
        let is_attribute = data.is_some_and(|it| it.last().is_some_and(u8::is_ascii_whitespace));
        let is_mark = is_attribute || before.trim_ascii_end().ends_with(b"<!--");
        let is_known = ["rehref", "rehref-ignore"].contains(&word.trim_end_matches(':'));
        let name = if is_attribute { format!("data-{word}") } else { word.to_owned() };
        (is_mark && (!is_known || word == "rehref:")).then_some((name, at))
    });
    let mut marks = BTreeMap::new();
    found.for_each(|(name, at)| _ = marks.entry(name).or_insert(at));
    marks
}

/// A finding about an element or an attribute, without its position.
fn finding(
    check: Check,
    element: &'static str,
    attribute: &'static str,
    reference: Option<&str>,
    message: impl Into<Cow<'static, str>>,
) -> Finding {
    let mut finding = Finding::new(check, Location::new("", None, element, attribute), message);
    finding.reference = reference.map(Box::from);
    finding
}
