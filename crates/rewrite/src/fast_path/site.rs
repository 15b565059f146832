//! Fast path of `relative` and `move`: a simple reference into the site is compared with the folder of
//! the document, path with path, and no URL is parsed.

use std::sync::Arc;

use super::shortcut::{Shortcut, is_expressible};
use crate::DocumentUrls;
use crate::SitePolicy;
use crate::simple_paths::NewPath;
use rehref_document::{Constraints, ScriptTraits, viewed_file};
use rehref_site::SiteUrl;
use rehref_url::simple::{Folders, SimplePath, SimpleShape, is_path, path_end};
use rehref_url::{AbsoluteUrl, RelativeForm};

/// A document of the site and the policy for its references.
pub(crate) struct SiteReferences<'u> {
    policy: &'u SitePolicy,
    /// The folder of the document before the run, its parent, and so on up to the site's root. All
    /// paths here are below the URL of the site; those of folders end with a slash.
    folders: Vec<&'u str>,
    /// The same after the run.
    folders_after: Vec<&'u str>,
    /// The path of the document after the run.
    own_after: &'u str,
    /// Any number of `../`, up to the site's root.
    parents: Vec<Arc<[u8]>>,
    /// The URL of the site after the run, without scheme and host for root-relative references.
    root: Arc<[u8]>,
}

impl<'u> SiteReferences<'u> {
    /// Returns the document at `own`. `None` where its references may need more than a comparison of paths.
    pub(super) fn of(own: DocumentUrls<'u>, policy: &'u SitePolicy) -> Option<SiteReferences<'u>> {
        let mapping = &policy.mapping;
        let (before, after) = (mapping.before.url().as_str(), mapping.after.url().as_str());
        let form = policy.form;
        let is_written = matches!(form, None | Some(RelativeForm::Path | RelativeForm::Root));
        let host = origin(&mapping.before);
        let mut others = mapping.also.iter().chain(&mapping.likely);
        let is_only_name = others.all(|other| origin(other) != host);
        if mapping.captured.is_some()
            || mapping.before.has_mounts()
            || mapping.moved.has_anchors()
            || own.is_shown_elsewhere()
            || own.scripts.has(ScriptTraits::COMPARES_SRC)
            || !is_written
            || !is_only_name
            || !is_expressible(after)
        {
            return None;
        }
        let folders_after = folders(own.after, after)?;
        let root = match form {
            Some(_) => after.get(origin(&mapping.after).len()..)?,
            None => after,
        };
        // A path that begins with two slashes would be a host.
        if root.starts_with("//") {
            return None;
        }
        Some(SiteReferences {
            policy,
            folders: folders(own.before, before)?,
            parents: (0..folders_after.len())
                .map(|it| "../".repeat(it).into_bytes().into())
                .collect(),
            folders_after,
            own_after: own.after.as_str().strip_prefix(after)?,
            root: root.as_bytes().into(),
        })
    }

    /// Decides on the simple reference `text`. `path` is scratch space.
    pub(super) fn shortcut(
        &self,
        text: &str,
        shape: SimpleShape,
        constraints: Constraints,
        path: &mut String,
    ) -> Option<Shortcut> {
        match shape {
            // Browsers jump to a fragment of the document itself without loading it again.
            SimpleShape::Fragment => Some(Shortcut::AlreadyCorrect),
            SimpleShape::Path(simple) => self.relative(text, simple, constraints, path),
            SimpleShape::Absolute => self.absolute(text, constraints),
        }
    }

    fn relative(
        &self,
        text: &str,
        simple: SimplePath,
        constraints: Constraints,
        path: &mut String,
    ) -> Option<Shortcut> {
        let is_form = self.policy.form != Some(RelativeForm::Root);
        let folder = self.folders.get(simple.parents)?;
        if is_form
            && self.policy.mapping.keeps_paths()
            && self.folders.first() == self.folders_after.first()
        {
            return Some(Shortcut::AlreadyCorrect);
        }
        let (down, tail) = simple.parts(text)?;
        if self.follows_viewed_file(text, tail) {
            return None;
        }
        path.clear();
        path.push_str(folder);
        path.push_str(down);
        let NewPath { path: new, is_online } =
            self.policy.mapping.new_path(path, tail.starts_with('?'))?;
        let length = text.len() - tail.len();
        if is_online && self.policy.form.is_some() {
            return Some(self.write_absolute(length, &new));
        }
        let folder_after = self.folders_after.get(simple.parents);
        if is_form && folder_after.and_then(|it| new.strip_prefix(it)) == Some(down) {
            return Some(Shortcut::AlreadyCorrect);
        }
        self.write(text, length, &new, constraints)
    }

    /// Returns true if the query of `text`, the start of `tail`, names a file that may move.
    fn follows_viewed_file(&self, text: &str, tail: &str) -> bool {
        tail.starts_with('?') && self.policy.mapping.moves() && viewed_file(text).is_some()
    }

    fn absolute(&self, text: &str, constraints: Constraints) -> Option<Shortcut> {
        let mapping = &self.policy.mapping;
        if constraints.absolute && mapping.pretty.offline {
            return Some(Shortcut::AlreadyCorrect);
        }
        let site_urls = || std::iter::once(&mapping.before).chain(&mapping.also);
        let below = |site: &SiteUrl| text.strip_prefix(site.url().as_str());
        let Some((site, rest)) = site_urls().find_map(|site| Some((site, below(site)?))) else {
            let mut names = site_urls().chain(&mapping.likely).map(origin);
            let is_external = !names.any(|name| text.starts_with(name));
            return is_external.then_some(Shortcut::AlreadyCorrect);
        };
        let (path, tail) = rest.split_at_checked(path_end(rest.as_bytes())?)?;
        if self.follows_viewed_file(text, tail) {
            return None;
        }
        let NewPath { path: new, is_online } = mapping.new_path(path, tail.starts_with('?'))?;
        let length = text.len() - tail.len();
        if self.policy.form.is_some() && !constraints.absolute && !is_online {
            return self.write(text, length, &new, constraints);
        }
        if new == path && (*site == mapping.after || mapping.keeps(site)) {
            return Some(Shortcut::AlreadyCorrect);
        }
        Some(self.write_absolute(length, &new))
    }

    /// Writes the URL of `new` in place of the first `length` bytes of a reference.
    fn write_absolute(&self, length: usize, new: &str) -> Shortcut {
        let with = [self.policy.mapping.after.url().as_str(), new].concat();
        Shortcut::change(length, with.into_bytes())
    }

    /// Writes `new` in place of the first `length` bytes of `text`, which are the rest of its URL.
    fn write(
        &self,
        text: &str,
        length: usize,
        new: &str,
        constraints: Constraints,
    ) -> Option<Shortcut> {
        if self.policy.form == Some(RelativeForm::Root) {
            return Some(Shortcut::change(length, [&*self.root, new.as_bytes()].concat()));
        }
        if new == self.own_after {
            let tail = text.get(length..)?;
            let is_enough = match tail.as_bytes().first() {
                Some(b'#') => !constraints.more_than_fragment,
                first => first.is_some(),
            };
            if is_enough {
                return Some(Shortcut::change(length, Vec::new()));
            }
        }
        let mut folders = self.folders_after.iter().enumerate();
        let down = |(steps, folder): (usize, &&str)| Some((steps, new.strip_prefix(*folder)?));
        let (steps, down) = folders.find_map(down)?;
        let parents = self.parents.get(steps)?;
        if down.is_empty() {
            let steps = parents.get(..parents.len().saturating_sub(1)).filter(|it| !it.is_empty());
            return Some(Shortcut::change(length, steps.unwrap_or(b".")));
        }
        // Most often the reference ends as it did.
        let kept = text.get(..length)?.strip_suffix(down);
        Some(match kept {
            Some(before) => Shortcut::change(before.len(), Arc::clone(parents)),
            None => Shortcut::change(length, [&**parents, down.as_bytes()].concat()),
        })
    }
}

/// The scheme and the host of a site's URL.
fn origin(site: &SiteUrl) -> &str {
    site.url().before_path()
}

/// The folders from that of `url` up to the site's root, as paths below `site`; `None` if it is not
/// below `site`, or if its folder has other than ordinary names.
fn folders<'u>(url: &'u AbsoluteUrl, site: &str) -> Option<Vec<&'u str>> {
    let folders = Folders::of(url)?;
    let own = url.as_str();
    let last = folders.above(0)?;
    let path = last.strip_prefix(site)?;
    if !is_path(path) || memchr::memchr2(b'?', b'#', own.as_bytes()).is_some() {
        return None;
    }
    let upwards = folders.upwards();
    let upwards = upwards.map_while(|folder| folder.get(site.len()..));
    Some(upwards.collect())
}
