//! Relativizing: the shortest reference that resolves to a target.
//!
//! Candidates are built from the components of base and target, and the shortest of them is
//! taken that really resolves to the target under the standard. Nothing is written that has not
//! been resolved back.

use encoding_rs::UTF_8;

use super::components::Components;
use super::record::Url;
use super::segment::{drive_prefix, starts_with_drive_letter};
use super::standard::Standard;
use super::style::{Relativize, Style};
use super::{rfc1630, scheme};

impl Url {
    /// The shortest reference in the style `wanted` that resolves to `target` against this URL
    /// under the URL Standard, whatever the encoding of the document. `None` if there is none;
    /// with [`Style::Shortest`] there always is one, if only the target itself.
    ///
    /// No reference is written that the parser merely recovers from (`http:x`, backslashes,
    /// `//C:/`), even where it would be shorter.
    pub fn relativize(&self, target: &Self, wanted: impl Into<Relativize>) -> Option<String> {
        let mut candidates = Candidates::new(wanted.into());
        candidates.push(Style::Shortest, 0, "", target.as_str(), "");
        let tail = target.slice_from(target.path_range().end);
        if self.scheme() == target.scheme() {
            candidates.whatwg(self, target, tail);
        }
        candidates.shortest(|reference| self.leads_to(reference, UTF_8, target))
    }
}

impl Standard {
    /// The shortest reference in the style `wanted` that resolves to `target` against `base`
    /// under this standard: byte for byte, or under the URL Standard to the URL that `target`
    /// parses as. `None` if there is none, or if `base` or `target` is not absolute.
    pub fn relativize(
        self,
        base: &str,
        target: &str,
        wanted: impl Into<Relativize>,
    ) -> Option<String> {
        if self == Self::Whatwg {
            return Url::parse(base)
                .ok()?
                .relativize(&Url::parse(target).ok()?, wanted);
        }
        let from = Components::split(self, base);
        let to = Components::split(self, target);
        let mut candidates = Candidates::new(wanted.into());
        // With an empty base every reference resolves to itself, relative or not.
        if from.scheme.is_none() || to.scheme.is_none() {
            return None;
        }
        candidates.push(Style::Shortest, 0, "", target, "");
        // The directory as the standard has it, dot segments removed.
        let directory = self.resolve(base, "./", UTF_8).unwrap_or_default();
        let directory = Components::split(self, &directory);
        if from.scheme == to.scheme {
            candidates.generic(self, &from, &to, target, directory.path);
        }
        candidates.shortest(|reference| {
            self.resolve(base, reference, UTF_8)
                .is_ok_and(|resolved| resolved == target)
        })
    }
}

/// A reference in pieces: `ups` times `../`, then the rest.
#[derive(Debug, Clone, Copy)]
struct Candidate<'a> {
    style: Style,
    ups: usize,
    lead: &'static str,
    body: &'a str,
    tail: &'a str,
}

impl Candidate<'_> {
    fn len(&self) -> usize {
        3 * self.ups + self.lead.len() + self.body.len() + self.tail.len()
    }

    /// Whether two slashes follow a `..`, which looks like an accident to people and tools.
    fn is_awkward(&self) -> bool {
        self.ups > 0 && self.body.starts_with('/')
    }

    fn render(&self) -> String {
        let mut out = String::with_capacity(self.len());
        for _ in 0..self.ups {
            out.push_str("../");
        }
        out.push_str(self.lead);
        out.push_str(self.body);
        out.push_str(self.tail);
        out
    }
}

struct Candidates<'a> {
    wanted: Relativize,
    found: Vec<Candidate<'a>>,
}

impl<'a> Candidates<'a> {
    fn new(wanted: Relativize) -> Self {
        Self {
            wanted,
            found: Vec::with_capacity(8),
        }
    }

    fn wants(&self, style: Style) -> bool {
        self.wanted.style == style || self.wanted.style == Style::Shortest
    }

    fn push(&mut self, style: Style, ups: usize, lead: &'static str, body: &'a str, tail: &'a str) {
        let candidate = Candidate {
            style,
            ups,
            lead,
            body,
            tail,
        };
        let is_allowed = match candidate.len() {
            0 => self.wanted.allow_empty,
            length => {
                let is_tail = length == tail.len();
                !(self.wanted.more_than_fragment && is_tail && tail.starts_with('#'))
            }
        };
        if self.wants(style) && is_allowed {
            self.found.push(candidate);
        }
    }

    /// The shortest candidate that `leads_there`; among equals a path comes before the others.
    fn shortest(mut self, leads_there: impl Fn(&str) -> bool) -> Option<String> {
        self.found
            .sort_by_key(|candidate| (candidate.len(), candidate.is_awkward(), candidate.style));
        self.found
            .iter()
            .map(Candidate::render)
            .find(|reference| leads_there(reference))
    }

    /// Candidates under the URL Standard, for two URLs of the same scheme.
    fn whatwg(&mut self, base: &Url, target: &'a Url, tail: &'a str) {
        if base.without_fragment() == target.without_fragment() {
            let fragment = target.slice_from(target.without_fragment().len());
            self.push(Style::Path, 0, "", "", fragment);
        }
        if target.is_opaque() || base.is_opaque() {
            return;
        }
        let path = target.path();
        if self.wants(Style::Scheme) && target.has_authority() {
            let body = target.slice(target.at.scheme_end + 1, target.at.authority_end);
            let whole = target.slice_from(target.at.scheme_end as usize + 1);
            self.push(Style::Scheme, 0, "", whole, "");
            if path == "/" {
                self.push(Style::Scheme, 0, "", body, tail);
            }
        }
        if base.slice(0, base.at.authority_end) != target.slice(0, target.at.authority_end) {
            return;
        }
        let file = base.scheme() == "file";
        if self.wants(Style::Root) {
            self.root(path, tail);
            if file && let Some(drive) = drive_prefix(base.path()) {
                let rest = path
                    .strip_prefix(drive)
                    .filter(|rest| rest.starts_with('/'))
                    .unwrap_or_default();
                self.root(rest, tail);
                if drive_prefix(rest).is_some() {
                    self.push(Style::Root, 0, "/.", rest, tail);
                }
            }
        }
        if self.wants(Style::Path) {
            if path == base.path() {
                self.push(Style::Path, 0, "", "", tail);
            }
            let base_path = base.path();
            let directory = match base_path.rfind('/') {
                // A drive letter is not shortened away: it is its own directory.
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

    /// Candidates under the other standards, for two URLs of the same scheme.
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
            for (style, count) in [(Style::Root, 1), (Style::Scheme, 2)] {
                let end = rfc1630::place(base.path, count);
                let end = end.and_then(|end| rest.get(end..)).unwrap_or_default();
                if end.bytes().take_while(|&byte| byte == b'/').count() == count {
                    self.push(style, 0, "", end, "");
                }
            }
        }
        let authority = target.authority.map_or(0, |authority| authority.len() + 2);
        if target.authority.is_some() {
            self.push(Style::Scheme, 0, "", rest, "");
        }
        // To the 1990s "http://a" and "?b" make "http://a?b", which reads as another authority.
        if let Some(authority) = base.authority
            && base.path.is_empty()
            && let Some(rest) = rest.strip_prefix("//")
            && let Some(rest) = rest.strip_prefix(authority)
            && rest.starts_with([';', '?'])
        {
            self.push(Style::Path, 0, "", rest, "");
        }
        if base.authority != target.authority {
            return;
        }
        let directory = match base.authority {
            Some(_) if directory.is_empty() => {
                self.push(
                    Style::Path,
                    0,
                    "./",
                    rest.get(authority..).unwrap_or_default(),
                    "",
                );
                "/"
            }
            _ => directory,
        };
        let tail = rest
            .get(authority + target.path.len()..)
            .unwrap_or_default();
        self.root(target.path, tail);
        // Each component can be left out together with those before it that are the base's.
        if target.path == base.path {
            // To RFC 1808 nothing is the base with its fragment, "#" the base without it.
            self.push(Style::Path, 0, "", "", "");
            self.push(Style::Path, 0, "#", "", "");
            let params = target.params.map_or(0, |params| params.len() + 1);
            let query = target.query.map_or(0, |query| query.len() + 1);
            for start in [0, params, params + query] {
                self.push(
                    Style::Path,
                    0,
                    "",
                    "",
                    tail.get(start..).unwrap_or_default(),
                );
            }
        }
        if standard == Standard::Rfc1630 {
            // Here "." is the directory without its slash, and nothing is the directory.
            let mut ancestor = directory;
            let mut ups = 0;
            while let Some(parent) = ancestor.strip_suffix('/') {
                if parent == target.path {
                    self.push(Style::Path, ups, ".", "", tail);
                }
                ancestor = parent
                    .rfind('/')
                    .and_then(|slash| parent.get(..=slash))
                    .unwrap_or_default();
                ups += 1;
            }
            if directory == target.path {
                self.push(Style::Path, 0, "", "", tail);
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
            self.push(Style::Root, 0, "/.", path, tail);
        } else if path.starts_with('/') {
            self.push(Style::Root, 0, "", path, tail);
        }
    }

    /// The way from `directory`, which ends with a slash if it is not empty, to `path`. `hazard`
    /// says whether a reference that starts like this would be read as something else.
    fn path(
        &mut self,
        directory: &str,
        path: &'a str,
        tail: &'a str,
        hazard: impl Fn(&str) -> bool,
    ) {
        let same = directory
            .bytes()
            .zip(path.bytes())
            .take_while(|(one, other)| one == other)
            .count();
        let common = path.as_bytes().get(..same).unwrap_or_default();
        let common = common
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |slash| slash + 1);
        let above = directory.get(common..).unwrap_or_default();
        let ups = above.bytes().filter(|&byte| byte == b'/').count();
        let body = path.get(common..).unwrap_or_default();
        match (ups, body.is_empty()) {
            (0, true) => {
                self.push(Style::Path, 0, ".", "", tail);
                self.push(Style::Path, 0, "./", "", tail);
            }
            (_, true) => {
                self.push(Style::Path, ups - 1, "..", "", tail);
                self.push(Style::Path, ups, "", "", tail);
            }
            (0, false) => {
                if !body.starts_with('/') && !hazard(body) {
                    self.push(Style::Path, 0, "", body, tail);
                }
                self.push(Style::Path, 0, "./", body, tail);
            }
            (_, false) => self.push(Style::Path, ups, "", body, tail),
        }
    }
}
