//! The policies: what becomes of a reference.
//!
//! One rule for all of them. A reference leads to a target; where that has its place afterwards is
//! [`Targets`]' to say; the reference is written so that it leads there from the base URL that
//! holds afterwards, in the form that is asked for.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::decision::{Decision, Skip};
use super::mendings::Mendings;
use super::targets::{MappedTarget, Targets};
use crate::document::json;
use crate::document::reference::Class;
use crate::document::{Demands, SkipReason, TextEdit};
use crate::url::plain::{Folders, Plain};
use crate::url::traversal::{ParentTraversal, depth};
use crate::url::{AbsoluteUrl, ReferenceForm, RelativeForm, RelativizeOptions};

/// What a run wants done with references.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The form of the references.
    pub form: Form,
    /// What becomes of the base URLs that documents set.
    pub base: BasePolicy,
    /// Which targets are the site's, and where they lead afterwards.
    pub targets: Targets,
    /// Where this is given, only these references change, and the rest of the policy is not asked.
    pub mendings: Option<Mendings>,
}

impl Policy {
    /// Every reference becomes absolute and leads where it led.
    pub fn absolute() -> Policy {
        Policy {
            form: Form::Absolute,
            base: BasePolicy::Keep,
            targets: Targets::unmoved(),
            mendings: None,
        }
    }

    /// Only these references are written anew.
    pub fn mend(mendings: Mendings) -> Policy {
        Policy {
            form: Form::AsWritten,
            mendings: Some(mendings),
            ..Policy::absolute()
        }
    }
}

/// The form that references are to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Absolute, all of them.
    Absolute,
    /// References into the site in this style, the others as they are.
    Relative(RelativeForm),
    /// What the author chose: relative stays relative, absolute absolute.
    AsWritten,
}

/// What becomes of the `href` of `base` elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BasePolicy {
    /// It stays, and leads where it should as every reference does.
    Keep,
    /// It goes; all is relative to the document's own URL.
    Drop,
    /// Every HTML document has one, with this URL.
    Set(AbsoluteUrl),
}

/// A reference as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'r> {
    /// The reference as the author wrote it, decoded.
    pub reference: &'r str,
    /// What it is before it is resolved.
    pub class: Class,
    /// What it must be where it stands.
    pub demands: Demands,
    /// What it is relative to, where that is known.
    pub base: Option<&'r AbsoluteUrl>,
    /// What it will be relative to.
    pub base_after: Option<&'r AbsoluteUrl>,
    /// Whether it is the `href` of a `base` element.
    pub is_base: bool,
    /// The document's own URL.
    pub own: &'r AbsoluteUrl,
    /// The encoding of its query.
    pub encoding: &'static Encoding,
}

impl Policy {
    /// Decides on a reference.
    pub fn decide(&self, subject: &Subject<'_>) -> Decision {
        match self.plainly(subject) {
            Some(decision) => decision,
            None => self.at_length(subject),
        }
    }

    /// The decision on a plain reference that is to become absolute: what is before it.
    fn plainly(&self, subject: &Subject<'_>) -> Option<Decision> {
        if self.form != Form::Absolute
            || self.targets.site().is_some()
            || subject.class != Class::Ordinary
            || subject.base != subject.base_after
        {
            return None;
        }
        let base = subject.base?;
        let Some(Plain::Path(path)) = Plain::of(subject.reference) else {
            return None;
        };
        let folder = Folders::of(base)?.above(path.steps)?;
        Some(Decision::Change(TextEdit::new(
            0..path.steps_length(),
            folder,
        )))
    }

    fn at_length(&self, subject: &Subject<'_>) -> Decision {
        match subject.class.skip_reason() {
            Some(reason @ SkipReason::TemplateMarkup) => {
                return Skip::reported(reason, "holds template markup").into();
            }
            Some(reason) => return Skip::silent(reason).into(),
            None if subject
                .own
                .standard()
                .is_current_document(subject.reference) =>
            {
                return Skip::silent(SkipReason::SameDocument).into();
            }
            None => {}
        }
        // Where the base is not known, only what needs none can be told.
        let assumed = subject.base.unwrap_or(subject.own);
        let target = match assumed.resolve(subject.reference, subject.encoding) {
            Ok(target) => target,
            Err(error) if error.is_of_base() => {
                let message = format!("nothing can be relative to the base URL {assumed}");
                return Skip::reported(SkipReason::OpaqueBase, message).into();
            }
            Err(error) => {
                let message = format!("not a URL: {error}");
                return Skip::reported(SkipReason::BadUrl, message).into();
            }
        };
        let is_absolute = assumed.is_absolute_form(subject.reference, &target, subject.encoding);
        if is_absolute && !target.is_hierarchical() {
            return Skip::silent(SkipReason::NotHierarchical).into();
        }
        if !is_absolute && subject.base.is_none() {
            return Skip::reported(SkipReason::UnknownBase, "its base URL is not known").into();
        }
        let shape = ReferenceForm::of(subject.reference);
        let is_fragment = shape == ReferenceForm::Document && !subject.reference.contains('?');
        // A place in the very document is reached without loading it again, however its URL is to
        // be written.
        if matches!(self.form, Form::Relative(_))
            && is_fragment
            && subject.base == Some(subject.own)
            && subject.base_after == subject.base
        {
            return Decision::AlreadyCorrect;
        }
        let lead = match subject.is_base {
            true => self.targets.map_base(&target),
            false => self.targets.map(&target),
        };
        let authors = shape.relative();
        let (wanted, is_free) = match self.form {
            Form::Absolute => (None, false),
            Form::Relative(_) if subject.demands.absolute && is_absolute => (None, false),
            Form::Relative(style) if lead != MappedTarget::External => (Some(style), false),
            Form::Relative(_) | Form::AsWritten => (authors, true),
        };
        let has_form = is_free
            || match wanted {
                None => is_absolute,
                // A place in the document itself has no style.
                Some(_) => !is_absolute && (authors == wanted || is_fragment),
            };
        let moved = match lead {
            MappedTarget::Moved(url) => Some(AbsoluteUrl::new(target.standard(), url)),
            // `https:x` says it all below an `http:` base, not below an `https:` one.
            MappedTarget::External | MappedTarget::Unmoved
                if has_form
                    && is_absolute
                    && (subject.base == subject.base_after
                        || subject.base_after.is_none_or(|base| {
                            base.resolves_to(subject.reference, subject.encoding, &target)
                        })) =>
            {
                return Decision::AlreadyCorrect;
            }
            MappedTarget::External | MappedTarget::Unmoved => None,
        };
        write(subject, moved.as_ref().unwrap_or(&target), wanted, has_form)
    }
}

/// Writes the reference so that it leads to `target` in the style `wanted`, or absolute. One that
/// `has_form` already stays if it leads there.
fn write(
    subject: &Subject<'_>,
    target: &AbsoluteUrl,
    wanted: Option<RelativeForm>,
    has_form: bool,
) -> Decision {
    let Subject {
        reference,
        encoding,
        ..
    } = *subject;
    let Some(base) = subject.base_after else {
        // Absolute, since any other reference has been skipped.
        return if subject.own.resolves_to(reference, encoding, target) {
            Decision::AlreadyCorrect
        } else {
            Decision::Change(subject.own.respell(reference, target.as_str(), encoding))
        };
    };
    // Servers cut off what climbs above the root, but on disk, or below another path, it leads out
    // of the site: it has to go on doing so, as far as before, and nothing else may begin to.
    let climbed = subject.base.map_or(0, |base| climb(base, reference));
    if has_form
        && climb(base, reference) == climbed
        && base.resolves_to(reference, encoding, target)
    {
        return Decision::AlreadyCorrect;
    }
    let wanted = wanted
        .and_then(|style| relative(base, target, style, subject.demands))
        .map_or(Cow::Borrowed(target.as_str()), Cow::Owned);
    let wanted = match climbing(base, target, &wanted, climbed) {
        Some(longer) => Cow::Owned(longer),
        None => wanted,
    };
    let respelling = base.respell(reference, &wanted, encoding);
    let changed = respelling.apply(reference);
    let is_as_wanted = (!subject.demands.url_like || json::is_url_like(&changed))
        && climb(base, &changed) == climb(base, &wanted);
    if !is_as_wanted {
        return Decision::Change(TextEdit::new(0..reference.len(), wanted));
    }
    if changed == reference {
        return Decision::AlreadyCorrect;
    }
    Decision::Change(respelling)
}

/// How many steps the path-relative `reference` goes above the root of `base`.
fn climb(base: &AbsoluteUrl, reference: &str) -> usize {
    // Most have no such step, and no way is to be followed.
    if !reference.contains("..") || ReferenceForm::of(reference) != ReferenceForm::Path {
        return 0;
    }
    ParentTraversal::of(base, reference).map_or(0, |climb| climb.above_root)
}

/// The path-relative reference that leads from `base` to `target` by a way that goes so many steps
/// above the root; `None` where `wanted` is right.
fn climbing(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    wanted: &str,
    steps: usize,
) -> Option<String> {
    if steps == 0
        || !matches!(
            ReferenceForm::of(wanted),
            ReferenceForm::Path | ReferenceForm::Document
        )
    {
        return None;
    }
    let (_, rest) = target.as_str().split_once("://")?;
    let rest = rest.get(rest.find('/')? + 1..)?;
    let longer = "../".repeat(depth(base) + steps) + rest;
    base.resolves_to(&longer, encoding_rs::UTF_8, target)
        .then_some(longer)
}

/// The reference in a style that leads from `base` to `target`; `None` where there is none that
/// meets the demands.
fn relative(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    style: RelativeForm,
    demands: Demands,
) -> Option<String> {
    let mut wanted = RelativizeOptions::from(style);
    wanted.more_than_fragment = demands.more_than_fragment || demands.url_like;
    let reference = base.relativize(target, wanted)?;
    if !demands.url_like {
        return Some(reference);
    }
    json::url_like(&reference).map(Cow::into_owned)
}
