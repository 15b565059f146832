//! The policies: what becomes of a reference.
//!
//! One rule for all of them. A reference leads to a target; where that has its place afterwards is
//! [`Targets`]' to say; the reference is written so that it leads there from the base URL that
//! holds afterwards, in the form that is asked for.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::targets::{Lead, Targets};
use super::{Decision, Reason};
use crate::document::Demands;
use crate::document::json;
use crate::document::reference::Class;
use crate::url::{AbsoluteUrl, Relativize, Respelling, Shape, Style};

/// What a run wants done with references.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The form of the references.
    pub form: Form,
    /// What becomes of the base URLs that documents set.
    pub base: BasePolicy,
    /// Which targets are the site's, and where they lead afterwards.
    pub targets: Targets,
}

impl Policy {
    /// Every reference becomes absolute and leads where it led.
    pub fn absolute() -> Policy {
        Policy {
            form: Form::Absolute,
            base: BasePolicy::Keep,
            targets: Targets::unmoved(),
        }
    }
}

/// The form that references are to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Absolute, all of them.
    Absolute,
    /// References into the site in this style, the others as they are.
    Relative(Style),
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
        match subject.class {
            Class::TemplateMarkup => return Decision::LeaveAlone(Reason::TemplateMarkup),
            Class::Empty => return Decision::LeaveAlone(Reason::Empty),
            Class::SameDocument => return Decision::LeaveAlone(Reason::SameDocument),
            Class::RelativeOnly => return Decision::LeaveAlone(Reason::RelativeOnly),
            Class::Ordinary
                if subject
                    .own
                    .standard()
                    .is_current_document(subject.reference) =>
            {
                return Decision::LeaveAlone(Reason::SameDocument);
            }
            Class::Ordinary => {}
        }
        // Where the base is not known, only what needs none can be told.
        let assumed = subject.base.unwrap_or(subject.own);
        let target = match assumed.resolve(subject.reference, subject.encoding) {
            Ok(target) => target,
            Err(error) if error.is_of_base() => {
                return Decision::LeaveAlone(Reason::OpaqueBase(assumed.to_string()));
            }
            Err(error) => return Decision::LeaveAlone(Reason::BadUrl(error.to_string())),
        };
        let is_absolute = assumed.is_absolute_form(subject.reference, &target, subject.encoding);
        if is_absolute && !target.is_hierarchical() {
            return Decision::LeaveAlone(Reason::NotHierarchical);
        }
        if !is_absolute && subject.base.is_none() {
            return Decision::LeaveAlone(Reason::UnknownBase);
        }
        let shape = Shape::of(subject.reference);
        let is_fragment = shape == Shape::Document && !subject.reference.contains('?');
        // A place in the very document is reached without loading it again, however its URL is to
        // be written.
        if matches!(self.form, Form::Relative(_))
            && is_fragment
            && subject.base == Some(subject.own)
            && subject.base_after == subject.base
        {
            return Decision::Keep;
        }
        let lead = match subject.is_base {
            true => self.targets.lead_of_base(&target),
            false => self.targets.lead(&target),
        };
        let authors = shape.style();
        let (wanted, is_free) = match self.form {
            Form::Absolute => (None, false),
            Form::Relative(_) if subject.demands.absolute && is_absolute => (None, false),
            Form::Relative(style) if lead != Lead::Outside => (Some(style), false),
            Form::Relative(_) | Form::AsWritten => (authors, true),
        };
        let has_form = is_free
            || match wanted {
                None => is_absolute,
                // A place in the document itself has no style.
                Some(_) => !is_absolute && (authors == wanted || is_fragment),
            };
        let moved = match lead {
            Lead::To(url) => Some(AbsoluteUrl::new(target.standard(), url)),
            // `https:x` says it all below an `http:` base, not below an `https:` one.
            Lead::Outside | Lead::Unmoved
                if has_form
                    && is_absolute
                    && (subject.base == subject.base_after
                        || subject.base_after.is_none_or(|base| {
                            base.leads_to(subject.reference, subject.encoding, &target)
                        })) =>
            {
                return Decision::Keep;
            }
            Lead::Outside | Lead::Unmoved => None,
        };
        write(subject, moved.as_ref().unwrap_or(&target), wanted, has_form)
    }
}

/// Writes the reference so that it leads to `target` in the style `wanted`, or absolute. One that
/// `has_form` already stays if it leads there.
fn write(
    subject: &Subject<'_>,
    target: &AbsoluteUrl,
    wanted: Option<Style>,
    has_form: bool,
) -> Decision {
    let Subject {
        reference,
        encoding,
        ..
    } = *subject;
    let Some(base) = subject.base_after else {
        // Absolute, since anything else has been left alone.
        return if subject.own.leads_to(reference, encoding, target) {
            Decision::Keep
        } else {
            Decision::Change(subject.own.respell(reference, target.as_str(), encoding))
        };
    };
    // Servers cut off what climbs above the root, but on disk, or below another path, it leads out
    // of the site: it has to go on doing so, as far as before, and nothing else may begin to.
    let climbed = subject.base.map_or(0, |base| climb(base, reference));
    if has_form && climb(base, reference) == climbed && base.leads_to(reference, encoding, target) {
        return Decision::Keep;
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
        return Decision::Change(Respelling {
            replace: 0..reference.len(),
            with: wanted.into_owned(),
        });
    }
    if changed == reference {
        return Decision::Keep;
    }
    Decision::Change(respelling)
}

/// How many steps the path-relative `reference` goes above the root of `base`.
fn climb(base: &AbsoluteUrl, reference: &str) -> usize {
    if !reference.contains("..") || Shape::of(reference) != Shape::Path {
        return 0;
    }
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let mut depth = depth(base);
    let mut climbed = 0;
    for segment in path.trim_matches(|c: char| c <= ' ').split('/') {
        match segment {
            ".." if depth == 0 => climbed += 1,
            ".." => depth -= 1,
            "." | "" => {}
            _ => depth += 1,
        }
    }
    climbed
}

/// How many folders the path of `url` goes through.
fn depth(url: &AbsoluteUrl) -> usize {
    let url = url.as_str();
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    path.matches('/').count().saturating_sub(1)
}

/// The path-relative reference that leads from `base` to `target` by a way that goes so many steps
/// above the root; `None` where `wanted` is right.
fn climbing(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    wanted: &str,
    steps: usize,
) -> Option<String> {
    if steps == 0 || !matches!(Shape::of(wanted), Shape::Path | Shape::Document) {
        return None;
    }
    let (_, rest) = target.as_str().split_once("://")?;
    let rest = rest.get(rest.find('/')? + 1..)?;
    let longer = "../".repeat(depth(base) + steps) + rest;
    base.leads_to(&longer, encoding_rs::UTF_8, target)
        .then_some(longer)
}

/// The reference in a style that leads from `base` to `target`; `None` where there is none that
/// meets the demands.
fn relative(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    style: Style,
    demands: Demands,
) -> Option<String> {
    let mut wanted = Relativize::from(style);
    wanted.more_than_fragment = demands.more_than_fragment || demands.url_like;
    let reference = base.relativize(target, wanted)?;
    if !demands.url_like {
        return Some(reference);
    }
    json::url_like(&reference).map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::moved::MovedUrls;
    use crate::rewrite::pretty::Pretty;
    use crate::rewrite::targets::Site;
    use crate::site::{Entry, EntryKind, FileIndex, Location};
    use crate::url::{Standard, Url};
    use encoding_rs::UTF_8;

    fn decided(policy: &Policy, subject: &Subject<'_>) -> String {
        match policy.decide(subject) {
            Decision::Keep => "kept".to_owned(),
            Decision::LeaveAlone(reason) => reason.id().to_owned(),
            Decision::Change(respelling) => respelling.apply(subject.reference),
        }
    }

    fn subject<'r>(
        reference: &'r str,
        base: &'r AbsoluteUrl,
        after: &'r AbsoluteUrl,
    ) -> Subject<'r> {
        Subject {
            reference,
            class: Class::Ordinary,
            demands: Demands::default(),
            base: Some(base),
            base_after: Some(after),
            is_base: false,
            own: base,
            encoding: UTF_8,
        }
    }

    fn absolute_by(standard: Standard, base: &str, reference: &str) -> String {
        let base = AbsoluteUrl::new(standard, Url::parse(base).unwrap());
        decided(&Policy::absolute(), &subject(reference, &base, &base))
    }

    fn absolute(base: &str, reference: &str) -> String {
        absolute_by(Standard::Whatwg, base, reference)
    }

    #[test]
    fn absolute_references() {
        let base = "http://h/d/p.html";
        for (reference, expected) in [
            ("x", "http://h/d/x"),
            ("#f", "http://h/d/p.html#f"),
            ("", "http://h/d/p.html"),
            ("http://other", "kept"),
            ("HTTP://Other/a b", "kept"),
            (" https://other/ ", "kept"),
            ("ht\ntp://other", "kept"),
            ("http:x", "http://h/d/x"),
            ("https:x", "kept"),
            ("//other", "http://other"),
            ("mailto:a@b", "not-hierarchical"),
            ("javascript:void(0)", "not-hierarchical"),
            ("data:,x", "not-hierarchical"),
            ("tel:+1", "not-hierarchical"),
            ("C:\\x", "not-hierarchical"),
            ("http://[::1", "bad-url"),
            ("//a b", "bad-url"),
            ("./a:b", "http://h/d/a:b"),
            ("file:///x", "kept"),
        ] {
            assert_eq!(absolute(base, reference), expected, "{reference:?}");
        }
        for (standard, reference, expected) in [
            (Standard::Rfc1808, "../../g", "http://h/../g"),
            (Standard::Rfc3986, "../../../g", "http://h/g"),
            (Standard::UrlDraft1996, "#f", "same-document"),
            (Standard::UrlDraft1996, "", "same-document"),
            (Standard::Rfc1808, "http:x", "not-hierarchical"),
            (Standard::Rfc1808, "http://x", "kept"),
            (Standard::Rfc1808, "mailto:x", "not-hierarchical"),
            (Standard::Rfc1630, "///g", "opaque-base"),
        ] {
            assert_eq!(
                absolute_by(standard, base, reference),
                expected,
                "{standard} {reference}"
            );
        }
        assert_eq!(absolute("mailto:x", "y"), "opaque-base");
        assert_eq!(absolute("mailto:x", "#y"), "mailto:x#y");
    }

    fn location(url: &str) -> Location {
        Location::published_at(url).unwrap().0
    }

    /// The site https://h/d/ with a few files, some of which moved when it moved to `after`.
    fn site(form: Form, after: &str) -> Policy {
        let entries: Vec<Entry> = [
            "a.html",
            "lib",
            "lib/index.html",
            "lib/x y.html",
            "old.html",
        ]
        .into_iter()
        .map(|path| Entry {
            path: path.into(),
            kind: match path {
                "lib" => EntryKind::Directory,
                _ => EntryKind::File,
            },
        })
        .collect();
        let moved = |(old, new): (&str, &str)| (old.to_owned(), new.to_owned());
        let files = [
            ("lib/index.html", "new/lib/index.html"),
            ("lib/x%20y.html", "new/lib/x%20y.html"),
            ("old.html", "new/young.html"),
        ];
        let moves = form == Form::AsWritten;
        Policy {
            form,
            base: BasePolicy::Drop,
            targets: Targets::of(Site {
                before: location("https://h/d/"),
                also: vec![location("http://www.h/d/"), location("https://h/alias/")],
                after: location(after),
                files: FileIndex::new(std::path::Path::new("/nowhere"), &entries),
                moved: if moves {
                    MovedUrls::new(files.map(moved), [("lib", "new/lib")].map(moved))
                } else {
                    MovedUrls::default()
                },
                pretty: Pretty::default(),
            }),
        }
    }

    fn relative(style: Style, base: &str, own: &str, reference: &str) -> String {
        let [base, own] =
            [base, own].map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
        decided(
            &site(Form::Relative(style), "https://h/d/"),
            &subject(reference, &base, &own),
        )
    }

    #[test]
    fn relative_references() {
        let own = "https://h/d/p/q.html";
        for (base, style, reference, expected) in [
            (own, Style::Path, "https://h/d/a.html", "../a.html"),
            (own, Style::Path, "https://h/d/ä.html?x#y", "../ä.html?x#y"),
            (own, Style::Path, "http://www.h/d/a.html", "../a.html"),
            (own, Style::Path, "//h/alias/p/", "."),
            (own, Style::Path, "/d/a.html", "../a.html"),
            (own, Style::Path, "./../p/a.html", "kept"),
            (own, Style::Path, "#x", "kept"),
            (own, Style::Path, "", "kept"),
            (own, Style::Path, "https://h/d/p/q.html#x", "#x"),
            (own, Style::Path, "https://h/elsewhere", "kept"),
            (own, Style::Path, "/elsewhere", "kept"),
            (own, Style::Path, "../../../elsewhere", "kept"),
            (own, Style::Path, "//other/x", "kept"),
            (own, Style::Path, "mailto:x@h", "not-hierarchical"),
            (own, Style::Root, "#x", "kept"),
            (own, Style::Scheme, "", "kept"),
            (own, Style::Root, "?x", "/d/p/q.html?x"),
            (own, Style::Root, "../a.html", "/d/a.html"),
            (own, Style::Root, "https://h/d/a.html", "/d/a.html"),
            (own, Style::Root, "/d/a.html", "kept"),
            (own, Style::Scheme, "../a.html", "//h/d/a.html"),
            // Under a base, everything counts from it, and not from it afterwards.
            ("https://h/d/", Style::Path, "a.html", "../a.html"),
            ("https://h/d/", Style::Path, "#x", "..#x"),
            ("https://h/d/", Style::Path, "", ".."),
            ("https://h/d/", Style::Path, "?x", "..?x"),
            ("https://h/d/", Style::Path, "/x", "kept"),
            ("https://h/d/", Style::Path, "../x", "../../x"),
            ("https://cdn/d/", Style::Path, "x", "https://cdn/d/x"),
            ("https://cdn/d/", Style::Path, "/x", "https://cdn/x"),
            ("https://cdn/d/", Style::Path, "//h/d/p/x", "x"),
            ("https://cdn/d/", Style::Path, "#x", "https://cdn/d/#x"),
        ] {
            assert_eq!(
                relative(style, base, own, reference),
                expected,
                "{base} {reference}"
            );
        }
    }

    #[test]
    fn demands_are_met() {
        let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("https://h/d/p.css").unwrap());
        let policy = site(Form::Relative(Style::Path), "https://h/d/");
        let with = |reference: &str, demands: Demands| {
            decided(
                &policy,
                &Subject {
                    demands,
                    ..subject(reference, &own, &own)
                },
            )
        };
        let none = Demands::default();
        let local = Demands {
            more_than_fragment: true,
            ..none
        };
        let urls = Demands {
            url_like: true,
            ..none
        };
        let absolute = Demands {
            absolute: true,
            ..none
        };
        for (reference, demands, expected) in [
            ("https://h/d/p.css#i", none, "#i"),
            ("https://h/d/p.css#i", local, "p.css#i"),
            ("https://h/d/x.js", none, "x.js"),
            ("https://h/d/x.js", urls, "./x.js"),
            ("https://h/d/x/", urls, "./x/"),
            ("https://h/x.js", urls, "kept"),
            ("/d/x.js", urls, "./x.js"),
            ("https://h/d/x", absolute, "kept"),
            ("https://h/alias/x", absolute, "https://h/d/x"),
            ("x", absolute, "kept"),
        ] {
            assert_eq!(
                with(reference, demands),
                expected,
                "{reference} {demands:?}"
            );
        }
    }

    #[test]
    fn moved_targets_keep_their_authors_style() {
        let moved = |after: &str, base: &str, own: &str, reference: &str| {
            let [base, own] =
                [base, own].map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
            decided(
                &site(Form::AsWritten, after),
                &subject(reference, &base, &own),
            )
        };
        let (a, lib) = ("https://h/d/a.html", "https://h/d/lib/x%20y.html");
        let new_lib = "https://h/d/new/lib/x%20y.html";
        for (base, own, reference, expected) in [
            (a, a, "old.html?q#f", "new/young.html?q#f"),
            (a, a, "/d/old.html", "/d/new/young.html"),
            (a, a, "//h/d/old.html", "//h/d/new/young.html"),
            (a, a, "https://h/d/old.html", "https://h/d/new/young.html"),
            (
                a,
                a,
                "http://www.h/d/old.html",
                "https://h/d/new/young.html",
            ),
            (a, a, "./old", "new/young"),
            (a, a, "lib", "new/lib"),
            (a, a, "lib/", "new/lib/"),
            (a, a, "lib/?x", "new/lib/?x"),
            (a, a, "lib/x y.html", "new/lib/x y.html"),
            (a, a, "lib/missing.html", "new/lib/missing.html"),
            (a, a, "missing.html", "kept"),
            (a, a, "a.html", "kept"),
            (a, a, "http:old.html", "kept"),
            (a, a, "https:old.html", "https://h/d/new/young.html"),
            (a, a, "https:a.html", "kept"),
            (lib, new_lib, "x y.html", "kept"),
            (lib, new_lib, "#f", "kept"),
            (lib, new_lib, "../lib/", "kept"),
            (lib, new_lib, "missing.html", "kept"),
            (lib, new_lib, "../a.html", "../../a.html"),
            (lib, new_lib, "../old.html", "../young.html"),
            (lib, new_lib, "https://h/d/lib/", "https://h/d/new/lib/"),
        ] {
            assert_eq!(
                moved("https://h/d/", base, own, reference),
                expected,
                "{reference}"
            );
        }
        for (reference, expected) in [
            ("a.html", "kept"),
            ("/d/a.html", "/a.html"),
            ("https://h/d/a.html", "https://new/a.html"),
            ("/elsewhere", "https://h/elsewhere"),
            ("../elsewhere", "https://h/elsewhere"),
            ("/d/old.html", "/new/young.html"),
            ("https://h/d", "https://new/"),
        ] {
            assert_eq!(
                moved("https://new/", a, "https://new/a.html", reference),
                expected
            );
        }
    }

    #[test]
    fn what_climbs_above_the_root_goes_on_to() {
        let [high, deep] = ["http://h/p.html", "http://h/a/p.html"]
            .map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
        let policy = Policy {
            form: Form::AsWritten,
            base: BasePolicy::Keep,
            targets: Targets::unmoved(),
        };
        for (before, after, reference, expected) in [
            (&deep, &high, "../i/x", "i/x"),
            (&deep, &high, "../", "."),
            (&deep, &high, "x", "a/x"),
            (&deep, &high, "../../out?q", "../out?q"),
            (&deep, &high, "../../../out/", "../../out/"),
            (&high, &deep, "../out", "../../out"),
            (&high, &deep, "i/x", "../i/x"),
            (&high, &high, "../out", "kept"),
            (&deep, &deep, "../b/../../out", "kept"),
        ] {
            assert_eq!(
                decided(&policy, &subject(reference, before, after)),
                expected,
                "{reference}"
            );
        }
    }
}
