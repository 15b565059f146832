//! Checks fragments. The first pass does if the anchors of the target are already known; the second
//! pass locates the broken fragments.

use memchr::memmem;

use super::auditor::DocumentAuditor;
use crate::anchors::{AnchorHomes, FragmentStatus, PendingFragment};
use crate::checks::Check;
use crate::context::FragmentMode;
use crate::files::FileNumber;
use crate::finding::{Confidence, ReferenceFinding};
use crate::fragment_shapes::{FragmentShapes, other_spelling, with_fragment};
use crate::site_index::ResolvedReference;
use crate::suggest::AnchorSuggestions;
use crate::target_place::TargetPlace;
use crate::targets::reference_to;
use rehref_document::DocumentKind;
use rehref_document::container::{ContainerKind, Syntax};
use rehref_document::metadata::Anchors;
use rehref_document::metadata::fragment::{candidates, is_top};
use rehref_document::reference::BaseOf;
use rehref_site::{Response, Severity};

/// Fragments by which style sheets of GitHub and MkDocs Material show an image in one color scheme only.
const COLOR_SCHEMES: [&str; 4] =
    ["only-light", "only-dark", "gh-light-mode-only", "gh-dark-mode-only"];

/// The attribute that names a `map` element.
const MAP: &str = "usemap";

impl<'e> DocumentAuditor<'e> {
    /// Checks a fragment that means a place in this document whatever the base URL is.
    pub(super) fn same_document(&mut self, resolved: &ResolvedReference<'_>) {
        let container = self.document.container_of(resolved.reference);
        let Some(container) = container else { return };
        let names_an_anchor = match &container.kind {
            ContainerKind::Attribute { .. } | ContainerKind::Markup(_) => true,
            // A fragment in a style sheet is in the pages that use it.
            ContainerKind::Piece => self.kind() != DocumentKind::Css,
            _ => false,
        };
        let text = resolved.text.trim_matches(|c: char| c <= ' ');
        let Some(fragment) = text.strip_prefix('#') else { return };
        // Old browsers have built-in behaviors: `behavior: url(#default#VML)`.
        let is_built_in = container.kind == ContainerKind::Piece
            && fragment.to_ascii_lowercase().starts_with("default#");
        if names_an_anchor && !is_built_in && self.is_own(resolved) {
            self.check_own_fragment(resolved, fragment);
        }
    }

    /// Returns true if the reference names a `map` element, not an anchor.
    pub(super) fn is_map(&self, resolved: &ResolvedReference<'_>) -> bool {
        let container = self.document.container_of(resolved.reference);
        container.is_some_and(
            |it| matches!(&it.kind, ContainerKind::Attribute { row, .. } if row.attribute == MAP),
        )
    }

    /// Checks whether the document has the `map` that the reference names after its first `#`, whatever is before it
    /// (HTML Standard, "rules for parsing a hash-name reference").
    pub(super) fn map(&mut self, resolved: &ResolvedReference<'_>) {
        let is_checked = self.kind() == DocumentKind::Html
            && self.context.fragments != FragmentMode::Off
            && self.is_own(resolved);
        if !is_checked {
            return;
        }
        let text = resolved.text;
        let has = |name: &str| {
            let maps = &self.metadata.maps;
            maps.iter().any(|map| map == name) || self.metadata.anchors.contains(name)
        };
        let found = match text.split_once('#') {
            Some((_, name)) if name.is_empty() || has(name) => return,
            Some((_, name)) => {
                let same = |map: &&String| map.to_lowercase() == name.to_lowercase();
                let nearest = self.metadata.maps.iter().find(same).map(|map| format!("#{map}"));
                let message = format!("no map element of this document has the name `{name}`");
                ReferenceFinding::new(Check::BrokenFragment, message).suggest(nearest)
            }
            None => {
                let suggestion = has(text).then(|| format!("#{text}"));
                let message = "browsers find a map only by # and its name";
                ReferenceFinding::new(Check::BrokenFragment, message).suggest(suggestion)
            }
        };
        self.report(resolved, found);
    }

    /// Returns true if the reference is in the document itself or a part of it, not in a document inside it
    /// (`srcdoc`). A custom property that no `var()` of the document uses may be used anywhere.
    fn is_own(&self, resolved: &ResolvedReference<'_>) -> bool {
        scope_of(resolved).is_some_and(|scope| scope == 0 || self.part_of_scope(scope).is_some())
    }

    /// The number of the part of the message whose document has this scope.
    fn part_of_scope(&self, scope: usize) -> Option<usize> {
        let parts = self.parts.get_or_init(|| {
            let parts = self.document.parts.iter().enumerate();
            let documents = parts.filter_map(|(number, part)| Some((part.document?, number)));
            documents.collect()
        });
        parts.get(&scope).copied()
    }

    /// The anchors that a fragment may name: those of the reference's own part of a message if the
    /// reference is only a fragment, else those of the document.
    fn anchors_for(&self, resolved: &ResolvedReference<'_>) -> &'e Anchors {
        let part = scope_of(resolved).and_then(|scope| self.part_of_scope(scope));
        let part = part.filter(|_| is_fragment_only(resolved));
        let metadata = self.metadata;
        let anchors = part.and_then(|part| metadata.parts.get(part));
        anchors.unwrap_or(&metadata.anchors)
    }

    /// Checks a reference to a part of the same message. `part` is its number, `None` if no part
    /// has that `Content-ID`.
    pub(super) fn check_part(
        &mut self,
        resolved: &ResolvedReference<'_>,
        part: Option<usize>,
        fragment: Option<&str>,
    ) {
        let Some(number) = part else {
            let message =
                format!("no part of this message has the Content-ID of `{}`", resolved.text);
            let found = ReferenceFinding::new(Check::BrokenTarget, message);
            return self.report(resolved, found);
        };
        let part = self.document.parts.get(number);
        let kind = part.and_then(|part| part.media_type.document_kind());
        let metadata = self.metadata;
        let (Some(fragment), Some(anchors)) = (fragment, metadata.parts.get(number)) else {
            return;
        };
        if matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
            && self.context.fragments != FragmentMode::Off
            && !anchors.indicates(fragment)
        {
            let place = format!("part {} of this message", number + 1);
            self.missing_fragment(resolved, fragment, anchors, &place);
        }
    }

    pub(super) fn check_fragment(&mut self, resolved: &ResolvedReference<'_>) {
        let Some((number, fragment)) = self.fragment_to_check(resolved) else { return };
        // Labels count in a document that includes others, too.
        if number == self.number && self.is_label(resolved, fragment) {
            return;
        }
        let is_own = number == self.number && self.included.is_empty();
        if is_own && !self.context.site.files.has_anchors_of_project() {
            return self.check_own_fragment(resolved, fragment);
        }
        match self.homes {
            Some(homes) => self.locate(resolved, number, fragment, homes),
            None => {
                let document = self.document;
                let at = || document.span_of(resolved.reference).start;
                self.check_fragment_of(number, fragment, at);
            }
        }
    }

    /// Checks a fragment of another document. Returns whether it is one that the second pass has to locate. `at` gives
    /// the byte of the document at which the reference starts.
    pub(super) fn check_fragment_of(
        &mut self,
        number: FileNumber,
        fragment: &str,
        at: impl FnOnce() -> usize,
    ) -> bool {
        let anchors = &self.context.anchors;
        let quick = PendingFragment::new(number, fragment, FragmentShapes::NONE);
        let known = anchors.find(&quick);
        if known == FragmentStatus::Anchor || self.homes.is_some() {
            let is_known = known == FragmentStatus::Anchor;
            return !is_known && (known != FragmentStatus::Unknown || self.counts_unread());
        }
        // The second pass counts the ignored fragments.
        let shapes = if self.metadata.ignores(at(), Check::ScriptFragment.id()) {
            FragmentShapes::NONE
        } else {
            self.shapes(fragment)
        };
        let mut wanted = quick;
        wanted.shapes = shapes;
        let status = match known {
            FragmentStatus::Unknown => FragmentStatus::Unknown,
            _ => anchors.find(&wanted),
        };
        match status {
            FragmentStatus::Anchor => {}
            FragmentStatus::Scripted(shape) => self.add_scripted(shape),
            FragmentStatus::Missing | FragmentStatus::Unknown => self.out.pending.push(wanted),
        }
        false
    }

    /// The second pass over a fragment of another document. `homes` are those of the missing fragments.
    fn locate(
        &mut self,
        resolved: &ResolvedReference<'_>,
        number: FileNumber,
        fragment: &str,
        homes: &AnchorHomes,
    ) {
        let wanted = PendingFragment::new(number, fragment, self.shapes(fragment));
        match self.context.anchors.find(&wanted) {
            FragmentStatus::Unknown if self.counts_unread() => {
                self.locate_scripted(resolved, FragmentShapes::UNREAD)
            }
            FragmentStatus::Anchor | FragmentStatus::Unknown => {}
            FragmentStatus::Scripted(_)
                if self.is_ignored(resolved.reference, Check::ScriptFragment) =>
            {
                self.out.ignored += 1
            }
            FragmentStatus::Scripted(shape) => self.locate_scripted(resolved, shape),
            FragmentStatus::Missing if self.is_elsewhere(&wanted, fragment, homes) => {}
            FragmentStatus::Missing => {
                let found = self.broken_fragment(resolved, &wanted, fragment, homes);
                match self.finding(resolved, found) {
                    Some(finding) => self.out.broken.push((number, finding)),
                    None => self.out.ignored += 1,
                }
            }
        }
    }

    /// Returns true if the generator finds a fragment in another document than the target.
    fn is_elsewhere(&self, wanted: &PendingFragment, fragment: &str, homes: &AnchorHomes) -> bool {
        let files = &self.context.site.files;
        files.has_anchors_of_project() && (homes.has(wanted) || files.labeled(fragment).is_some())
    }

    /// Returns true if fragments of files that are not read are counted: a generator may make pages of these.
    fn counts_unread(&self) -> bool {
        self.site.files.reads_sources()
    }

    /// Adds the reference if it is the first for its row of the table of fragment shapes.
    fn locate_scripted(&mut self, resolved: &ResolvedReference<'_>, shape: FragmentShapes) {
        if !self.out.first_scripted.contains_key(&shape) {
            let found = ReferenceFinding::new(Check::ScriptFragment, "");
            let finding = self.finding(resolved, found);
            self.out.first_scripted.extend(finding.map(|it| (shape, it)));
        }
    }

    /// Returns the page to which the document immediately redirects, keeping the fragment. A refresh alone loses the
    /// fragment; a script has to append it.
    pub(super) fn carries_fragments_to(&self) -> Option<FileNumber> {
        if self.context.fragments == FragmentMode::Strict {
            return None;
        }
        let (number, _) = self.out.redirects_to.as_ref()?;
        let bytes = self.document.working_bytes();
        memmem::find(bytes, b"location.hash").map(|_| *number)
    }

    fn add_scripted(&mut self, shape: FragmentShapes) {
        *self.out.scripted.entry(shape).or_default() += 1;
    }

    /// Returns the shapes of a fragment, if scripts may handle fragments at all.
    pub(super) fn shapes(&self, fragment: &str) -> FragmentShapes {
        match self.context.fragments {
            FragmentMode::Known => FragmentShapes::of_fragment(fragment),
            FragmentMode::Strict | FragmentMode::Off => FragmentShapes::NONE,
        }
    }

    /// Returns the file and the fragment in it that the reference needs; `None` if it needs none, or if the fragment
    /// is not checked.
    pub(super) fn fragment_to_check<'r>(
        &self,
        resolved: &'r ResolvedReference<'_>,
    ) -> Option<(FileNumber, &'r str)> {
        let fragment = resolved.place.fragment()?;
        // The target has a finding, and what some servers send for it is not the target.
        if !resolved.place.exists() && !self.names_this_page(resolved) {
            return None;
        }
        let number = self.context.files.number(resolved.place.file()?)?;
        // The fragment of a redirect counts in place of that of the link (Fetch Standard, "location URL").
        if let TargetPlace::Internal { path, response: Some(Response::ByRule(_)), .. } =
            &resolved.place
            && self.site.files.rule_for(path).is_some_and(|rule| rule.to.contains('#'))
        {
            return None;
        }
        self.needs_anchor(resolved, fragment).then_some((number, fragment))
    }

    /// Returns true if the `fragment` of a reference, whose target exists, needs an anchor there.
    pub(super) fn needs_anchor(&self, resolved: &ResolvedReference<'_>, fragment: &str) -> bool {
        if self.context.fragments == FragmentMode::Off || self.is_data(resolved.reference) {
            return false;
        }
        // In a `srcdoc` document `#x` is in that document.
        let is_inner = is_fragment_only(resolved) && !self.is_own(resolved);
        !is_inner && !is_top(fragment) && !COLOR_SCHEMES.contains(&fragment)
    }

    /// Returns the `fragment` of a reference to `file`, a path percent-encoded as in URLs; `None` if it needs no
    /// anchor there.
    pub(super) fn fragment_in(&self, file: &str, fragment: &str) -> Option<PendingFragment> {
        let number = self.context.files.number(file)?;
        let needs_anchor = self.context.fragments != FragmentMode::Off && !is_top(fragment);
        needs_anchor.then(|| PendingFragment::new(number, fragment, self.shapes(fragment)))
    }

    /// Checks a fragment of this document, whose anchors are already known.
    pub(super) fn check_own_fragment(&mut self, resolved: &ResolvedReference<'_>, fragment: &str) {
        if self.context.fragments == FragmentMode::Off || !self.has_anchors() {
            return;
        }
        let anchors = self.anchors_for(resolved);
        if !anchors.indicates(fragment) && !self.is_label(resolved, fragment) {
            self.missing_fragment(resolved, fragment, anchors, "this document");
        }
    }

    /// Returns true if a document has `fragment`, all of a link, as a label, or may have it.
    fn is_label(&self, resolved: &ResolvedReference<'_>, fragment: &str) -> bool {
        let files = &self.site.files;
        resolved.reference.constraints.is_name()
            && is_fragment_only(resolved)
            && (files.labeled(fragment).is_some() || !files.knows_labels())
    }

    /// Returns true if the reference is in a rule of a style sheet in the document: maybe no element uses the rule.
    fn is_in_rule(&self, resolved: &ResolvedReference<'_>) -> bool {
        let Some(container) = self.document.container_of(resolved.reference) else { return false };
        let parent = container.parent.and_then(|parent| self.document.containers.get(parent));
        matches!(container.syntax, Syntax::Css(_))
            && !parent.is_some_and(|parent| match &parent.kind {
                ContainerKind::Attribute { .. } => true,
                ContainerKind::Markup(markup) => markup.attribute.is_some(),
                _ => false,
            })
    }

    /// Reports a fragment that is not one of `anchors`, those of `place`, or counts it if scripts handle it.
    fn missing_fragment(
        &mut self,
        resolved: &ResolvedReference<'_>,
        fragment: &str,
        anchors: &'e Anchors,
        place: &str,
    ) {
        let shapes = self.shapes_of_document();
        let shape = shapes.first_of_both(self.shapes(fragment));
        let has_spelling = || {
            let mut names = candidates(fragment);
            names.any(|name| anchors.contains(&other_spelling(&name)))
        };
        if let Some(shape) = shape.filter(|it| *it != FragmentShapes::SPELLING || has_spelling()) {
            let is_ignored = self.is_ignored(resolved.reference, Check::ScriptFragment);
            match (self.homes, is_ignored) {
                (None, true) => self.out.ignored += 1,
                (None, false) => self.add_scripted(shape),
                (Some(_), true) => {}
                (Some(_), false) => self.locate_scripted(resolved, shape),
            }
            return;
        }
        // The first pass has reported it.
        if self.homes.is_some() {
            return;
        }
        let nearest = if std::ptr::eq(anchors, &self.metadata.anchors) {
            self.ids.get_or_init(|| AnchorSuggestions::new(anchors)).nearest(fragment)
        } else {
            AnchorSuggestions::new(anchors).nearest(fragment)
        };
        let suggestion = nearest.and_then(|name| with_fragment(resolved.text, name));
        let message = no_anchor(fragment, place);
        let found = ReferenceFinding::new(Check::BrokenFragment, message).suggest(suggestion);
        let is_label = resolved.reference.constraints.is_name() && is_fragment_only(resolved);
        let files = &self.context.site.files;
        let maker_of_label = || files.maker_of_label(fragment).filter(|_| is_label);
        let maker = self.maker.as_ref().and_then(|it| it.makes(fragment));
        let found = found.unless_made(maker.or_else(maker_of_label));
        let most = if self.is_in_rule(resolved) { Severity::Warning } else { Severity::Error };
        self.report(resolved, found.at_most(most));
    }

    /// The finding about a fragment that its target lacks. Suggests the only file of `homes` that has it: the
    /// section may have gone there.
    fn broken_fragment(
        &self,
        resolved: &ResolvedReference<'_>,
        wanted: &PendingFragment,
        fragment: &str,
        homes: &AnchorHomes,
    ) -> ReferenceFinding {
        let message = no_anchor(fragment, &format!("`{}`", self.context.files.path(wanted.file)));
        let path = homes.only(wanted).map(|it| self.context.files.path(it));
        let moved = path.and_then(|path| {
            let reference = reference_to(self.site, resolved, path)?;
            let message = format!("{message}: only `{path}` has it");
            let found = ReferenceFinding::new(Check::BrokenFragment, message);
            Some(found.suggest(Some(reference)).confidence(Confidence::Moved))
        });
        let found = moved.unwrap_or_else(|| ReferenceFinding::new(Check::BrokenFragment, message));
        let maker = self.context.anchors.maker(wanted.file, fragment);
        let maker = maker.map(|(name, file)| match file == wanted.file {
            true => name.to_owned(),
            false => format!("{name} in {}", self.context.files.path(file)),
        });
        found.unless_made(maker.as_deref())
    }
}

/// Returns the fact that `place` has no anchor that `fragment` names, in words.
pub(super) fn no_anchor(fragment: &str, place: &str) -> String {
    format!("no anchor `#{fragment}` in {place}")
}

/// The scope whose base URL the reference is relative to, if it is known.
fn scope_of(resolved: &ResolvedReference<'_>) -> Option<usize> {
    match resolved.reference.base {
        BaseOf::Scope(scope) | BaseOf::Fallback(scope) | BaseOf::Codebase(scope, _) => Some(scope),
        BaseOf::Unknown => None,
    }
}

fn is_fragment_only(resolved: &ResolvedReference<'_>) -> bool {
    resolved.text.trim_ascii_start().starts_with('#')
}
