//! Relativizing: the shortest reference that resolves to a target.
//!
//! The components of base and target give candidates. Each candidate is resolved under the standard,
//! shortest first, and the first one that resolves to the target is the answer. So no reference is
//! written that was not resolved back.

use encoding_rs::UTF_8;

use super::components::Components;
use super::form::{RelativeForm, RelativizeOptions};
use super::record::Url;
use super::segment::{drive_prefix, starts_with_drive_letter};
use super::standard::Standard;
use super::{rfc1630, scheme, segment};

impl Url {
    /// Returns the shortest reference that resolves to `target` against this URL under the URL Standard, in the form
    /// that `wanted` asks for, whatever the encoding of the document. `None` if no such reference exists; under
    /// [`RelativeForm::Shortest`] the target itself always is one.
    ///
    /// References that are validation errors (`http:x`, backslashes, `//C:/`) are never candidates,
    /// even where they would be shorter.
    pub fn relativize(
        &self,
        target: &Self,
        wanted: impl Into<RelativizeOptions>,
    ) -> Option<String> {
        let mut candidates = Candidates::new(wanted.into());
        candidates.push(RelativeForm::Shortest, 0, "", target.as_str(), "");
        let tail = target.slice_from(target.path_range().end);
        if self.scheme() == target.scheme() {
            candidates.whatwg(self, target, tail);
        }
        candidates.shortest(|reference| self.resolves_to(reference, UTF_8, target))
    }
}

impl Standard {
    /// Returns the shortest reference that resolves to `target` against `base` under this standard, in the form that
    /// `wanted` asks for. The comparison is byte for byte; under the URL Standard, `target` is parsed first. `None` if
    /// no such reference exists, or if `base` or `target` is not absolute.
    #[doc(hidden)]
    pub fn relativize(
        self,
        base: &str,
        target: &str,
        wanted: impl Into<RelativizeOptions>,
    ) -> Option<String> {
        if self == Self::Whatwg {
            return Url::parse(base).ok()?.relativize(&Url::parse(target).ok()?, wanted);
        }
        let from = Components::split(self, base);
        let to = Components::split(self, target);
        let mut candidates = Candidates::new(wanted.into());
        // Every reference, relative or not, resolves to itself against an empty base.
        if from.scheme.is_none() || to.scheme.is_none() {
            return None;
        }
        candidates.push(RelativeForm::Shortest, 0, "", target, "");
        // The directory of the base without its dot segments, which each standard removes differently.
        let directory = self.resolve(base, "./", UTF_8).unwrap_or_default();
        let directory = Components::split(self, &directory);
        if from.scheme == to.scheme {
            candidates.generic(self, &from, &to, target, directory.path);
        }
        candidates.shortest(|reference| {
            self.resolve(base, reference, UTF_8).is_ok_and(|resolved| resolved == target)
        })
    }
}

/// A reference in pieces: `parents` times `../`, then the other fields in order.
#[derive(Debug, Clone, Copy)]
struct Candidate<'a> {
    form: RelativeForm,
    parents: usize,
    prefix: &'static str,
    body: &'a str,
    tail: &'a str,
}

impl Candidate<'_> {
    fn len(&self) -> usize {
        3 * self.parents + self.prefix.len() + self.body.len() + self.tail.len()
    }

    /// Returns true if two slashes follow a `..`, which people and tools read as an accident.
    fn is_awkward(&self) -> bool {
        self.parents > 0 && self.body.starts_with('/')
    }

    fn render(&self) -> String {
        let mut out = String::with_capacity(self.len());
        for _ in 0..self.parents {
            out.push_str("../");
        }
        out.push_str(self.prefix);
        out.push_str(self.body);
        out.push_str(self.tail);
        out
    }
}

struct Candidates<'a> {
    wanted: RelativizeOptions,
    found: Vec<Candidate<'a>>,
}

impl<'a> Candidates<'a> {
    fn new(wanted: RelativizeOptions) -> Self {
        Self { wanted, found: Vec::with_capacity(8) }
    }

    fn wants(&self, form: RelativeForm) -> bool {
        self.wanted.form == form || self.wanted.form == RelativeForm::Shortest
    }

    fn push(
        &mut self,
        form: RelativeForm,
        parents: usize,
        prefix: &'static str,
        body: &'a str,
        tail: &'a str,
    ) {
        let candidate = Candidate { form, parents, prefix, body, tail };
        let is_allowed = match candidate.len() {
            0 => self.wanted.allow_empty,
            _ if !self.wanted.more_than_fragment => true,
            length => !(length == tail.len() && tail.starts_with('#')),
        };
        if self.wants(form) && is_allowed {
            self.found.push(candidate);
        }
    }

    /// The shortest candidate that `resolves_back`; among candidates of one length, a path first.
    fn shortest(mut self, resolves_back: impl Fn(&str) -> bool) -> Option<String> {
        self.found
            .sort_by_key(|candidate| (candidate.len(), candidate.is_awkward(), candidate.form));
        self.found.iter().map(Candidate::render).find(|reference| resolves_back(reference))
    }

    /// Adds the candidates under the URL Standard, for two URLs of the same scheme.
    fn whatwg(&mut self, base: &Url, target: &'a Url, tail: &'a str) {
        if base.without_fragment() == target.without_fragment() {
            let fragment = target.slice_from(target.without_fragment().len());
            self.push(RelativeForm::Path, 0, "", "", fragment);
        }
        if target.is_opaque() || base.is_opaque() {
            return;
        }
        let path = target.path();
        if self.wants(RelativeForm::Scheme) && target.has_authority() {
            let body = target.slice(target.at.scheme_end + 1, target.at.authority_end);
            let whole = target.slice_from(target.at.scheme_end as usize + 1);
            self.push(RelativeForm::Scheme, 0, "", whole, "");
            if path == "/" {
                self.push(RelativeForm::Scheme, 0, "", body, tail);
            }
        }
        if base.slice(0, base.at.authority_end) != target.slice(0, target.at.authority_end) {
            return;
        }
        let file = base.scheme() == "file";
        if self.wants(RelativeForm::Root) {
            self.root(path, tail);
            if file && let Some(drive) = drive_prefix(base.path()) {
                let rest = path
                    .strip_prefix(drive)
                    .filter(|rest| rest.starts_with('/'))
                    .unwrap_or_default();
                self.root(rest, tail);
                if drive_prefix(rest).is_some() {
                    self.push(RelativeForm::Root, 0, "/.", rest, tail);
                }
            }
        }
        if self.wants(RelativeForm::Path) {
            if path == base.path() {
                self.push(RelativeForm::Path, 0, "", "", tail);
            }
            let base_path = base.path();
            let directory = match base_path.rfind('/') {
                // Shortening a path keeps a drive letter, which therefore is its own directory.
                Some(0) if file && drive_prefix(base_path).is_some() => path
                    .get(..base_path.len() + 1)
                    .filter(|start| start.strip_suffix('/') == Some(base_path))
                    .unwrap_or("/"),
                Some(slash) => base_path.get(..=slash).unwrap_or("/"),
                None => "/",
            };
            let hazard = |body: &str| {
                scheme::split(body).is_some() || (file && starts_with_drive_letter(body))
            };
            self.path(directory, path, tail, hazard);
        }
    }

    /// Adds the candidates under the other standards, for two URLs of the same scheme.
    fn generic(
        &mut self,
        standard: Standard,
        base: &Components<'_>,
        target: &Components<'a>,
        whole: &'a str,
        directory: &str,
    ) {
        let scheme = target.scheme.map_or(0, |scheme| scheme.len() + 1);
        let rest = whole.get(scheme..).unwrap_or_default();
        if standard == Standard::Rfc1630 {
            for (form, count) in [(RelativeForm::Root, 1), (RelativeForm::Scheme, 2)] {
                let end = rfc1630::run_of_slashes(base.path, count);
                let end = end.and_then(|end| rest.get(end..)).unwrap_or_default();
                if end.bytes().take_while(|&byte| byte == b'/').count() == count {
                    self.push(form, 0, "", end, "");
                }
            }
        }
        let path_start = target.path_start();
        if target.authority.is_some() {
            self.push(RelativeForm::Scheme, 0, "", rest, "");
        }
        // Under the documents of the 1990s "http://a" and "?b" give "http://a?b", in which "a?b" is the
        // authority.
        if let Some(authority) = base.authority
            && base.path.is_empty()
            && let Some(rest) = rest.strip_prefix("//")
            && let Some(rest) = rest.strip_prefix(authority)
            && rest.starts_with([';', '?'])
        {
            self.push(RelativeForm::Path, 0, "", rest, "");
        }
        if base.authority != target.authority {
            return;
        }
        let directory = match base.authority {
            Some(_) if directory.is_empty() => {
                let path = whole.get(path_start..).unwrap_or_default();
                self.push(RelativeForm::Path, 0, "./", path, "");
                "/"
            }
            _ => directory,
        };
        let tail = whole.get(path_start + target.path.len()..).unwrap_or_default();
        self.root(target.path, tail);
        // A component that equals the base's can be left out if all components before it are, too.
        if target.path == base.path {
            // Under RFC 1808 the empty reference is the base with its fragment, "#" the base without it.
            self.push(RelativeForm::Path, 0, "", "", "");
            self.push(RelativeForm::Path, 0, "#", "", "");
            let params = target.params.map_or(0, |params| params.len() + 1);
            let query = target.query.map_or(0, |query| query.len() + 1);
            for start in [0, params, params + query] {
                let tail = tail.get(start..).unwrap_or_default();
                self.push(RelativeForm::Path, 0, "", "", tail);
            }
        }
        if standard == Standard::Rfc1630 {
            // Under RFC 1630 "." is the directory without its slash, and the empty reference the
            // directory.
            let mut ancestor = directory;
            let mut parents = 0;
            while let Some(parent) = ancestor.strip_suffix('/') {
                if parent == target.path {
                    self.push(RelativeForm::Path, parents, ".", "", tail);
                }
                ancestor = segment::directory(parent);
                parents += 1;
            }
            if directory == target.path {
                self.push(RelativeForm::Path, 0, "", "", tail);
            }
        }
        self.path(directory, target.path, tail, |body| {
            let first = body.split('/').next().unwrap_or_default();
            match standard {
                Standard::Rfc3986 => first.contains(':'),
                _ => Components::split(standard, body).scheme.is_some(),
            }
        });
    }

    fn root(&mut self, path: &'a str, tail: &'a str) {
        if path.starts_with("//") {
            self.push(RelativeForm::Root, 0, "/.", path, tail);
        } else if path.starts_with('/') {
            self.push(RelativeForm::Root, 0, "", path, tail);
        }
    }

    /// Adds the candidates from `directory`, which is empty or ends with a slash, to `path`. `hazard`:
    /// whether a parser treats the start of this reference as something other than a path.
    fn path(
        &mut self,
        directory: &str,
        path: &'a str,
        tail: &'a str,
        hazard: impl Fn(&str) -> bool,
    ) {
        let same =
            directory.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
        let common = path.as_bytes().get(..same).unwrap_or_default();
        let common = common.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let above = directory.get(common..).unwrap_or_default();
        let parents = above.bytes().filter(|&byte| byte == b'/').count();
        let body = path.get(common..).unwrap_or_default();
        match (parents, body.is_empty()) {
            (0, true) => {
                self.push(RelativeForm::Path, 0, ".", "", tail);
                self.push(RelativeForm::Path, 0, "./", "", tail);
            }
            (_, true) => {
                self.push(RelativeForm::Path, parents - 1, "..", "", tail);
                self.push(RelativeForm::Path, parents, "", "", tail);
            }
            (0, false) => {
                if !body.starts_with('/') && !hazard(body) {
                    self.push(RelativeForm::Path, 0, "", body, tail);
                }
                self.push(RelativeForm::Path, 0, "./", body, tail);
            }
            (_, false) => self.push(RelativeForm::Path, parents, "", body, tail),
        }
    }
}
