//! Fast path for simple references to existing files, which are most references of a site.

use super::auditor::{DocumentAuditor, NOT_LINKS};
use crate::context::FragmentMode;
use crate::files::FileNumber;
use crate::url_checks;
use rehref_document::container::ContainerKind;
use rehref_document::html::ValueKind;
use rehref_document::metadata::fragment::is_top;
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{Reference, SimpleReference};
use rehref_generators::markdown::Lookup;
use rehref_url::simple::{Folders, SimpleShape};

/// The target of a simple reference.
#[derive(Clone, Copy)]
struct SimpleTarget<'r> {
    file: FileNumber,
    /// The fragment without its `#`.
    fragment: Option<&'r str>,
}

impl DocumentAuditor<'_> {
    /// Checks a value of the document, whose base URL is its own URL. Returns whether nothing is wrong with
    /// it. `folders` are the folders of that URL.
    pub(super) fn simple_value(&mut self, folders: Folders<'_>, value: &SimpleReference) -> bool {
        let at = value.span().start;
        let text = self.document.text_of_simple(value);
        let is_link = !NOT_LINKS.contains(&value.attribute()) && !value.rel().is_hint();
        is_link && self.check_simple(folders, true, text, value.shape, || at)
    }

    /// Checks the reference if it is simple. Returns whether it is, and nothing is wrong with it.
    /// `is_own`: the base is the document's own URL.
    pub(super) fn simple_reference(
        &mut self,
        folders: Folders<'_>,
        is_own: bool,
        reference: &Reference,
    ) -> bool {
        let document = self.document;
        // `simple_value` did not handle it.
        let was_value = || {
            let kind = document.container_of(reference).map(|it| &it.kind);
            let Some(ContainerKind::Attribute { row, .. }) = kind else { return false };
            is_own && row.rules.kind == ValueKind::Url
        };
        let is_ordinary = reference.class == Class::Ordinary
            && reference.base == BaseOf::Scope(0)
            && !reference.rel.is_hint()
            && matches!(reference.constraints.lookup, Lookup::None | Lookup::Link)
            && reference.constraints.page_link.is_none()
            && !was_value();
        let text = document.text_of(reference);
        let Some(shape) = is_ordinary.then(|| SimpleShape::of(text)).flatten() else {
            return false;
        };
        let at = || document.span_of(reference).start;
        self.is_link(reference)
            && !self.is_refresh(reference)
            && !self.is_data(reference)
            && self.check_simple(folders, is_own, text, shape, at)
    }

    /// Checks the simple reference `text` of this shape, as [`Self::simple_reference`] does. `at`
    /// gives the byte of the document at which it starts.
    fn check_simple(
        &mut self,
        folders: Folders<'_>,
        is_own: bool,
        text: &str,
        shape: SimpleShape,
        at: impl Fn() -> usize,
    ) -> bool {
        if let SimpleShape::Absolute = shape {
            let is_fine = url_checks::is_plain_url(text) && self.site.is_outside(text);
            self.out.references += usize::from(is_fine);
            self.out.external += usize::from(is_fine);
            if is_fine {
                self.add_sibling(text);
            }
            return is_fine;
        }
        let target = self.simple_target(folders, is_own, text, shape);
        let Some(target) = target else { return false };
        let is_own_fragment = target.file == self.number;
        let fragment = target.fragment;
        if is_own_fragment && fragment.is_some_and(|it| !self.metadata.anchors.indicates(it)) {
            return false;
        }
        self.out.references += 1;
        if self.context.needs_targets {
            self.out.targets.push(target.file);
        }
        if let Some(fragment) = fragment
            && !is_own_fragment
            && self.context.fragments != FragmentMode::Off
            && !is_top(fragment)
        {
            return !self.check_fragment_of(target.file, fragment, at);
        }
        true
    }

    /// The file that the simple reference `text` of this shape leads to; `None` if the general path has
    /// to find it.
    fn simple_target<'r>(
        &mut self,
        folders: Folders<'_>,
        is_own: bool,
        text: &'r str,
        shape: SimpleShape,
    ) -> Option<SimpleTarget<'r>> {
        let (file, tail) = match shape {
            SimpleShape::Absolute => return None,
            SimpleShape::Fragment => (is_own.then_some(self.number)?, text),
            SimpleShape::Path(path) => {
                let (down, tail) = path.parts(text).filter(|(_, tail)| !tail.starts_with('?'))?;
                let (parents, latest, file) = &mut self.latest;
                if *parents != path.parents || latest != down {
                    (*parents, *file) = (path.parents, None);
                    down.clone_into(latest);
                    let folder = folders.above(path.parents)?;
                    let folder = folder.strip_prefix(self.site_url.as_str())?;
                    *file = self.context.paths.get(&[folder, down].concat()).copied();
                }
                ((*file)?, tail)
            }
        };
        Some(SimpleTarget { file, fragment: tail.strip_prefix('#') })
    }
}
