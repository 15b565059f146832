//! Resolves references to the files of the site, and says where the targets are.

use std::borrow::Cow;

use super::message_parts::PartIndex;
use super::target_place::{TargetPlace, without_fragment};
use encoding_rs::UTF_8;
use rehref_document::container::{Container, ContainerKind, span_in};
use rehref_document::reference::{BaseOf, Class, PageLink};
use rehref_document::{BaseUrl, Document, Positions, Reference};
use rehref_generators::markdown::{Lookup, label_id, names_source};
use rehref_site::{
    CaptureIndex, CaptureTarget, FileIndex, Location, PLACEHOLDER_URL, Projects, Response, SiteUrl,
    SiteUrlError, renamed,
};
use rehref_url::traversal::{ParentTraversal, may_go_up};
use rehref_url::{AbsoluteUrl, ReferenceForm, ResolveError, Span, scheme};

/// An index of the URLs and files of a site.
#[derive(Debug)]
pub struct SiteIndex {
    /// The URL at which the site is published.
    pub site_url: SiteUrl,
    /// Other URLs at which the site is published (`--also`).
    pub also: Vec<SiteUrl>,
    /// The site's files; empty for archives.
    pub files: FileIndex,
    /// The captures in the archives, if the site is stored in archives. They then decide what is part of the
    /// site, instead of `site_url` and `also`.
    pub archive: Option<CaptureIndex>,
    /// The URLs of other sites, which may be below those of this one.
    others: Vec<SiteUrl>,
    /// The same site as the projects of generators below it see it.
    projects: Projects<SiteIndex>,
}

/// A target, and its place.
type Placed<'i> = (AbsoluteUrl, TargetPlace<'i>);

/// A reference, together with its base URL and its target.
#[derive(Debug)]
pub struct ResolvedReference<'d> {
    /// The reference in the document.
    pub reference: &'d Reference,
    /// The reference as the author wrote it, decoded.
    pub text: &'d str,
    /// The base URL against which the reference resolves; `None` if it is unknown.
    pub base: Option<Cow<'d, AbsoluteUrl>>,
    /// The absolute URL that the reference resolves to, or the error. `None` if references of its class are not
    /// resolved, or if its base URL is unknown.
    pub target: Option<Result<AbsoluteUrl, ResolveError>>,
    /// The place of the target: for example a file of the site, or outside the site.
    pub place: TargetPlace<'d>,
    /// The file that the reference names although the generator does not publish it at that URL.
    pub unpublished: Option<&'d str>,
}

impl<'d> ResolvedReference<'d> {
    /// The same with another target; `None`: the generator publishes nothing at the URL.
    fn found(self, target: Option<Placed<'d>>) -> ResolvedReference<'d> {
        match target {
            Some((target, place)) => ResolvedReference { target: Some(Ok(target)), place, ..self },
            None => self.unpublished(),
        }
    }

    /// The same, where the generator publishes nothing at the URL.
    fn unpublished(self) -> ResolvedReference<'d> {
        let unpublished = self.place.file();
        ResolvedReference { place: self.place.without_response(), unpublished, ..self }
    }

    /// Returns true if the reference in `container` is the path of a file that a generator reads, and that is outside the
    /// site: it has more `..` segments than there are directories of the site above the document.
    pub(super) fn is_file_outside(&self, container: Option<&Container>) -> bool {
        let kind = container.map(|it| &it.kind);
        let is_of_file = matches!(kind, Some(ContainerKind::Markdown(row)) if row.is_of_file());
        let base = self.base.as_deref().filter(|_| is_of_file && may_go_up(self.text));
        let traversal = base.and_then(|base| ParentTraversal::of(base, self.text));
        traversal.is_some_and(|it| it.above_root > 0)
    }

    /// Returns the absolute URL, if there is one.
    pub(super) fn url(&self) -> Option<&AbsoluteUrl> {
        self.target.as_ref()?.as_ref().ok()
    }
}

impl SiteIndex {
    /// Returns the index of the site at `site_url`, and at the URLs of `also`, with these files.
    pub fn of_files(files: FileIndex, site_url: SiteUrl, also: Vec<SiteUrl>) -> SiteIndex {
        let projects = files
            .projects()
            .map(|files| SiteIndex::of_files(files.clone(), site_url.clone(), also.clone()));
        let others = Vec::new();
        SiteIndex { projects, files, site_url, also, archive: None, others }
    }

    /// Sets the URLs of other sites. Targets below these URLs are not part of this site.
    pub fn set_others(&mut self, others: &[SiteUrl]) {
        self.projects.iter_mut().for_each(|it| it.set_others(others));
        self.others = others.to_vec();
    }

    /// Returns the index that applies to links in the document at `path`.
    pub fn of_document(&self, path: &str) -> &SiteIndex {
        self.projects.innermost(path).unwrap_or(self)
    }

    /// Returns the index of archives with these captures.
    ///
    /// # Errors
    /// None is known: the placeholder is a URL.
    pub fn of_captures(captures: CaptureIndex) -> Result<SiteIndex, SiteUrlError> {
        Ok(SiteIndex {
            site_url: SiteUrl::parse(PLACEHOLDER_URL)?.0,
            also: Vec::new(),
            files: FileIndex::default(),
            archive: Some(captures),
            others: Vec::new(),
            projects: Projects::default(),
        })
    }

    /// Returns the URLs whose content the archives of the site have.
    pub fn captured(&self) -> impl Iterator<Item = &str> {
        let captures = self.archive.iter();
        captures.flat_map(|it| it.contents().map(|number| it.url(number)))
    }

    /// The place of `target` if the site is stored in an archive. The path is the whole URL.
    fn place_in_archive<'i>(archive: &'i CaptureIndex, target: &str) -> TargetPlace<'i> {
        let (url, fragment) = without_fragment(target);
        if !archive.has_host_of(url) {
            return TargetPlace::External;
        }
        let response = match archive.target(url) {
            CaptureTarget::Content(found) if found == url => Some(Response::File(found)),
            CaptureTarget::Content(found) => Some(Response::ByRule(found)),
            CaptureTarget::External | CaptureTarget::Listed => Some(Response::Redirect),
            CaptureTarget::Unread => Some(Response::Unread),
            CaptureTarget::Error(_) | CaptureTarget::Loop | CaptureTarget::NotArchived => None,
        };
        TargetPlace::Internal {
            path: url.to_owned(),
            response,
            is_loop: false,
            fragment: fragment.map(str::to_owned),
        }
    }

    /// Returns all URLs of the site's root: `site_url`, then those of `also`.
    pub fn urls(&self) -> impl Iterator<Item = &SiteUrl> {
        std::iter::once(&self.site_url).chain(&self.also)
    }

    /// Returns the rest of `url` after the URL of the site's root; `None` if `url` is outside of the site, or
    /// in another site below it.
    pub fn below<'u>(&self, url: &'u str) -> Option<Cow<'u, str>> {
        let (site, rest) = SiteUrl::containing(self.urls().chain(&self.others), url)?;
        let is_other = self.others.iter().any(|it| std::ptr::eq(it, site));
        (!is_other).then_some(rest)
    }

    /// Returns true if a [simple](rehref_url::simple) absolute URL is certainly outside the site and the others. Cheap:
    /// parses no URL, and returns `false` in doubt.
    pub fn is_outside(&self, url: &str) -> bool {
        let mut site_urls = self.urls().chain(&self.others);
        // A URL with a path and without dot segments resolves to itself.
        let has_path = url.splitn(4, '/').nth(3).is_some();
        let has_dots = url.contains("/.") || url.contains('%');
        has_path
            && !has_dots
            && match &self.archive {
                Some(archive) => !archive.has_host_of(url),
                None => SiteUrl::containing(&mut site_urls, url).is_none(),
            }
    }

    /// Returns the place of `target`: for example a file of the site, or outside the site.
    pub fn place(&self, target: &AbsoluteUrl) -> TargetPlace<'_> {
        if !target.is_hierarchical() {
            return TargetPlace::Unknown;
        }
        if let Some(archive) = &self.archive {
            return Self::place_in_archive(archive, target.as_str());
        }
        let Some(rest) = self.below(target.as_str()) else { return TargetPlace::External };
        let (rest, fragment) = without_fragment(&rest);
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let (response, is_loop) = self.files.find_or_loop(path, query);
        TargetPlace::Internal {
            path: path.to_owned(),
            response,
            is_loop,
            fragment: fragment.map(str::to_owned),
        }
    }

    /// Resolves one reference of `document`. `bases` are the base URLs of its scopes, `parts` is the index of its parts,
    /// `own` is its URL.
    pub fn resolve<'d>(
        &'d self,
        document: &'d Document<'d>,
        bases: &'d [BaseUrl],
        parts: &PartIndex,
        own: &AbsoluteUrl,
        reference: &'d Reference,
    ) -> ResolvedReference<'d> {
        let text = document.text_of(reference);
        let base = document.base_of(reference, bases);
        // A path in sources resolves against the root of the site, whatever its URL is.
        let from_root = text.strip_prefix('/').filter(|it| !it.starts_with('/'));
        let from_root = from_root
            .filter(|_| reference.constraints.is_of_site(text, self.site_url.url().path()));
        let from_root = from_root.and_then(|path| self.site_url.url_below(path).ok());
        let target = match reference.class {
            Class::Ordinary if let Some(url) = from_root => {
                Some(Ok(AbsoluteUrl::new(own.standard(), url)))
            }
            Class::Ordinary => document.resolve(reference, base.as_deref(), own),
            Class::TemplateMarkup | Class::Empty | Class::SameDocument | Class::RelativeOnly => {
                None
            }
        };
        let place = match &target {
            Some(Ok(target)) => parts.place(target).unwrap_or_else(|| self.place(target)),
            _ => TargetPlace::Unknown,
        };
        let constraints = reference.constraints;
        let at_root = constraints.of_root.then(|| self.at_root(constraints.folder(), text, own));
        let at_root = at_root.flatten();
        let (target, place) = match at_root {
            Some((target, place)) => (Some(Ok(target)), place),
            None => (target, place),
        };
        let lookup = reference.constraints.lookup;
        if reference.constraints.is_wiki() {
            let file = self.files.wiki_file(text, self.place(own).file());
            let (target, place) = match file.and_then(|file| self.placed_below(file, own)) {
                Some((target, place)) => (Some(Ok(target)), place),
                None => (None, TargetPlace::missing(text)),
            };
            return ResolvedReference { reference, text, base, target, place, unpublished: None };
        }
        if lookup != Lookup::None {
            let (target, place) = self.look_up(document, lookup, text, own, (target, place));
            return ResolvedReference { reference, text, base, target, place, unpublished: None };
        }
        let is_missing = matches!(place, TargetPlace::Internal { response: None, .. });
        let form = ReferenceForm::of(text);
        let is_path = !matches!(form, ReferenceForm::Absolute | ReferenceForm::Scheme);
        let may_be = constraints.from_root && is_path && (is_missing || constraints.roots_first);
        let translated =
            (constraints.from_root && is_path).then(|| self.translation(&place, own)).flatten();
        let found = translated.or_else(|| may_be.then(|| self.in_content_roots(text, own))?);
        let is_found = found.is_some();
        let (target, place) = match found {
            Some((target, place)) => (Some(Ok(target)), place),
            None if may_be && self.is_source_path(text, own) => (target, place.without_response()),
            None => (target, place),
        };
        // The paths of snippets resolve against the project, which is above SITE.
        let is_above = constraints.from_root
            && is_missing
            && matches!(place, TargetPlace::Internal { response: None, .. })
            && self.files.pages().is_some_and(|pages| {
                let mut folders = pages.folders.iter();
                pages.dialect.row().has_theme_files && folders.any(|it| it.folder.is_empty())
            });
        let place = if is_above { TargetPlace::Unknown } else { place };
        let unpublished = None;
        let resolved = ResolvedReference { reference, text, base, target, place, unpublished };
        match reference.constraints.page_link {
            Some(PageLink::Renamed) => self.resolve_renamed(own, resolved),
            Some(link) if !is_found => self.resolve_page_link(document, bases, own, resolved, link),
            // Tries and roots are the generator's.
            _ if is_found => resolved,
            // A URL with a host is that of the page, wherever it stands.
            _ if matches!(resolved.place.response(), Some(Response::ByRule(_)))
                && ReferenceForm::of(text) != ReferenceForm::Absolute
                && !self.is_file(&resolved.place)
                && self.place(own).file().is_some_and(|it| self.files.is_outside_sources(it)) =>
            {
                resolved.unpublished()
            }
            _ => resolved,
        }
    }

    /// As `resolved`, but only a page at the URL with the extension of pages is the target, or another file there.
    fn resolve_renamed<'d>(
        &'d self,
        own: &AbsoluteUrl,
        resolved: ResolvedReference<'d>,
    ) -> ResolvedReference<'d> {
        let has_page = |file| self.files.is_published(file) && !self.files.is_unpublished(file);
        let is_page = self.place(own).file().is_some_and(has_page);
        let (true, Some(file), TargetPlace::Internal { path, .. }) =
            (is_page, resolved.place.file(), &resolved.place)
        else {
            return resolved;
        };
        let path = renamed(path);
        if self.files.is_published_at(file, &path, true) {
            return resolved;
        }
        ResolvedReference { place: resolved.place.without_response(), ..resolved }
    }

    /// As `resolved`, but what a generator does not publish at the URL is not the target.
    fn resolve_page_link<'d>(
        &'d self,
        document: &Document<'_>,
        bases: &'d [BaseUrl],
        own: &AbsoluteUrl,
        resolved: ResolvedReference<'d>,
        link: PageLink,
    ) -> ResolvedReference<'d> {
        let own_file = self.place(own).file();
        if self.is_file(&resolved.place)
            && own_file.is_some_and(|own| self.files.makes_no_page(own))
        {
            return resolved;
        }
        // MkDocs drops a slash after the path of a document.
        let (path, tail) =
            resolved.text.split_at(resolved.text.find(['?', '#']).unwrap_or(resolved.text.len()));
        if let Some(path) = path.strip_suffix('/').filter(|it| it.ends_with(".md"))
            && let Ok(target) = own.resolve(&format!("{path}{tail}"), UTF_8)
            && let placed = self.placed(target)
            && let Some(Response::File(file)) = placed.1.response()
            && self.files.is_published(file)
        {
            return resolved.found(Some(placed));
        }
        // Documents that are published elsewhere link from there, and are linked to there.
        if let Some(page) = own_file.and_then(|it| self.files.rewritten_page(it)) {
            let is_relative = !resolved.text.starts_with('/');
            let is_page =
                |file: &str, path: &str| self.files.is_published_at(file, path, is_relative);
            let base = self.site_url.url_below(&page).ok();
            let base = base.map(|url| AbsoluteUrl::new(own.standard(), url));
            let path = if names_source(path) && link != PageLink::Url {
                renamed(path)
            } else {
                path.into()
            };
            let target = base.and_then(|it| it.resolve(&format!("{path}{tail}"), UTF_8).ok());
            let found = target.map(|it| self.placed(it)).filter(|(_, place)| match place {
                TargetPlace::Internal { path, response: Some(_), .. } => {
                    place.file().is_none_or(|file| is_page(file, path))
                }
                _ => false,
            });
            return resolved.found(found);
        }
        let depth = match resolved.reference.base {
            // The navigation is no page.
            BaseOf::Codebase(..) => Some(0),
            _ => own_file.and_then(|it| self.files.published_depth(it)),
        };
        let (Some(depth), TargetPlace::Internal { .. }) = (depth, &resolved.place) else {
            return resolved;
        };
        let climb = resolved.text.split('/').take_while(|it| *it == "..").count();
        let is_relative = !resolved.text.starts_with('/');
        let is_at_page = |place: &TargetPlace<'_>| match (place.file(), place) {
            (Some(file), TargetPlace::Internal { path, .. }) => {
                self.files.is_published_at(file, path, is_relative)
                    || self.files.rule_for(path).is_some()
            }
            (None, place) => place.response().is_some(),
            _ => false,
        };
        let own_path = self.site_url.below(own.as_str()).unwrap_or_default();
        let is_document = match resolved.place.response() {
            Some(Response::File(file)) => {
                climb <= depth && self.files.leads_to_document(own_path, file)
            }
            // Below the directory of the documents.
            Some(Response::ByRule(file)) if names_source(resolved.text) => {
                let is_from_root = resolved.text.starts_with('/');
                is_from_root && names_source(file) && self.files.leads_to_document(own_path, file)
            }
            _ => false,
        };
        let is_found = match link {
            PageLink::File => is_document,
            PageLink::Name if resolved.reference.constraints.roots_first => {
                resolved.place.file().is_some_and(|it| self.files.is_asset(it))
                    || is_at_page(&resolved.place)
            }
            PageLink::Name => {
                let file = resolved.place.file();
                file.is_some_and(|it| self.files.is_published(it) || self.files.is_asset(it))
                    || is_at_page(&resolved.place)
            }
            PageLink::Url | PageLink::Renamed => is_at_page(&resolved.place),
        };
        if is_found {
            return resolved;
        }
        // The generator leaves it to browsers, which resolve against the page.
        let page = document.scopes.iter().position(|scope| scope.page.is_some());
        let page = page.filter(|_| link != PageLink::Url).and_then(|page| bases.get(page));
        let target = page.and_then(|page| page.url.as_ref()?.resolve(resolved.text, UTF_8).ok());
        resolved.found(target.map(|it| self.placed(it)).filter(|(_, place)| is_at_page(place)))
    }

    fn placed(&self, target: AbsoluteUrl) -> Placed<'_> {
        let place = self.place(&target);
        (target, place)
    }

    /// The target at `path` below the URL of the site, for the document at `own`.
    fn placed_below(&self, path: &str, own: &AbsoluteUrl) -> Option<Placed<'_>> {
        let target = self.site_url.url_below(path).ok()?;
        Some(self.placed(AbsoluteUrl::new(own.standard(), target)))
    }

    /// Returns true if a file of the tree has the path of `place`: it is read there where no generator makes pages.
    fn is_file(&self, place: &TargetPlace<'_>) -> bool {
        matches!(place, TargetPlace::Internal { path, .. } if self.files.file(path).is_some())
    }

    /// Returns true if the path `text` in the document at `own` is one of a document, as the generator reads it.
    fn is_source_path(&self, text: &str, own: &AbsoluteUrl) -> bool {
        let own = self.site_url.below(own.as_str());
        own.is_some_and(|own| self.files.is_source_path(text, own))
    }

    /// The target of the path `text` from `folder` in the root of the site, and its place; `None` if it is not a path.
    fn at_root(&self, folder: &str, text: &str, own: &AbsoluteUrl) -> Option<Placed<'_>> {
        let path = text.strip_prefix('/').unwrap_or(text);
        let is_path = !path.starts_with('/') && scheme::split(text).is_none();
        self.placed_below(&format!("{folder}{path}"), own).filter(|_| is_path)
    }

    /// The target, and its place, of the name `text` in `document`, which has this target as a path.
    fn look_up<'d>(
        &'d self,
        document: &Document<'_>,
        lookup: Lookup,
        text: &str,
        own: &AbsoluteUrl,
        (target, mut place): (Option<Result<AbsoluteUrl, ResolveError>>, TargetPlace<'d>),
    ) -> (Option<Result<AbsoluteUrl, ResolveError>>, TargetPlace<'d>) {
        let label = match lookup {
            Lookup::Link => text.strip_prefix('#'),
            _ => None,
        };
        if let Some(label) = label {
            let anchors = document.metadata.as_ref().map(|it| &it.anchors);
            let is_own = place.file().is_some() && self.files.labeled(label) == place.file();
            if !is_own && anchors.is_none_or(|it| it.indicates(label)) {
                return (target, place);
            }
        } else if let TargetPlace::Internal { path, response, .. } = &mut place {
            let is_document = |file: &str| self.files.is_document_name(path, file);
            let of_project = self.files.has_anchors_of_project();
            let is_found = match response {
                Some(Response::File(_)) => lookup == Lookup::Link || of_project,
                Some(Response::ByRule(file)) => {
                    is_document(file) && (of_project || !text.contains('#'))
                }
                _ => false,
            };
            if is_found {
                return (target, place);
            }
            // The name of a document may have a slash at its end.
            let name = path.strip_suffix('/').filter(|_| lookup == Lookup::Link);
            if let Some((target, place)) = name.and_then(|name| self.placed_below(name, own))
                && let Some(Response::ByRule(_)) = place.response()
            {
                return (Some(Ok(target)), place);
            }
            let from_root = text.starts_with('/').then(|| self.in_content_roots(text, own));
            if let Some(Some((target, place))) = from_root
                && lookup == Lookup::Link
                && place.file().is_some()
            {
                return (Some(Ok(target)), place);
            }
            *response = None;
        } else if lookup != Lookup::Label {
            return (target, place);
        }
        let label = label.unwrap_or(text);
        let labeled = self.files.labeled(label).filter(|_| lookup != Lookup::Document);
        let url = labeled.map(|file| format!("{file}#{}", label_id(label)));
        match (url.and_then(|url| self.placed_below(&url, own)), place) {
            (Some((target, place)), _) => (Some(Ok(target)), place),
            (None, TargetPlace::Unknown) => (target, TargetPlace::missing(text)),
            (None, place) => (target, place),
        }
    }

    /// The translation of the document at `place` in the language of the document at `own`, which the generator finds instead.
    fn translation(&self, place: &TargetPlace<'_>, own: &AbsoluteUrl) -> Option<Placed<'_>> {
        let TargetPlace::Internal { path, fragment, .. } = place else { return None };
        let document = self.site_url.below(own.as_str())?;
        let file = self.files.translation(place.file().unwrap_or(path), document)?;
        let fragment = fragment.as_ref().map_or(String::new(), |it| format!("#{it}"));
        self.placed_below(&format!("{file}{fragment}"), own)
    }

    /// The target of the path `text` from a root of the content, and its place; `None` if there is no such file, and the
    /// path may resolve against the document.
    fn in_content_roots(&self, text: &str, own: &AbsoluteUrl) -> Option<Placed<'_>> {
        let (path, tail) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
        let document = self.site_url.below(own.as_str())?;
        let found = self.files.in_content_roots(path, document);
        let found = found.map(|found| found.path);
        // Of languages, a path resolves against the directory of its own.
        let pages = self.files.pages();
        let has_languages = pages.is_some_and(|it| it.dialect.row().has_language_roots);
        let is_rooted = has_languages && path.starts_with('/') && !names_source(path);
        let name = match is_rooted {
            true => format!("{}.md", path.trim_end_matches('/')).into(),
            false => Cow::Borrowed(path),
        };
        let found = found.or_else(|| self.files.named(&name, document).map(str::to_owned));
        // Of MkDocs, only paths of snippets resolve against that directory.
        let is_strict = pages.is_some_and(|pages| {
            let row = pages.dialect.row();
            row.is_strict && row.root_alias.is_none()
        });
        let is_below = is_strict && !path.starts_with('.') && !has_languages;
        let below_root = || path.strip_prefix('/').unwrap_or(path).to_owned();
        let path = found.or_else(|| is_below.then(below_root))?;
        self.placed_below(&format!("{path}{tail}"), own)
    }
}

/// Returns the location of `reference` in `document`, without the path. The position is that of the URL, after white
/// space. `positions` are of the document's working bytes.
pub(super) fn location_of(
    document: &Document<'_>,
    reference: &Reference,
    positions: &mut Positions<'_>,
) -> Location {
    let text = document.text_of(reference);
    let space = text.len() - text.trim_start_matches(|c: char| c <= ' ').len();
    let url = Span { start: reference.span.start + space, ..reference.span };
    let start = span_in(&document.containers, reference.container, url).start;
    Location::of_reference(document, reference, Some(positions.of(start)))
}
