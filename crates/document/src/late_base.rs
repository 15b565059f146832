//! Late `base` elements: what browsers fetch at once resolves against the base URL that they know so far, what they follow later
//! from the final one.

use super::Document;
use super::container::span_in;
use super::reference::BaseOf;
use super::usage::timing_in;
use super::value_rules::Timing;
use rehref_url::Span;

impl Document<'_> {
    /// Counts the `base` elements, and makes what browsers resolve before they read one relative to the fallback base URL. The
    /// references are in the order of their places.
    pub(super) fn settle_bases(&mut self) {
        let Document { containers, scopes, references, fetch_options, .. } = self;
        for reference in references.iter() {
            if let BaseOf::Fallback(scope) = reference.base
                && containers.get(reference.container).is_some_and(|it| it.kind.is_base_element())
                && let Some(scope) = scopes.get_mut(scope)
            {
                scope.bases += 1;
            }
        }
        let start_of = |at: usize| span_in(containers, at, Span::at(0)).start;
        let starts = scopes.iter().map(|scope| {
            let is_element =
                |at: &usize| containers.get(*at).is_some_and(|it| it.kind.is_base_element());
            scope.base.filter(is_element).map(start_of)
        });
        let starts: Vec<Option<usize>> = starts.collect();
        let last = starts.iter().copied().flatten().max().unwrap_or_default();
        let is_before = |at: usize, scope: usize| {
            let start = starts.get(scope).copied().flatten();
            start.is_some_and(|start| start_of(at) < start)
        };
        let late = references
            .partition_point(|it| span_in(containers, it.container, it.span).start < last);
        for reference in references.iter_mut().take(late) {
            if let BaseOf::Scope(scope) = reference.base
                && timing_in(containers, reference) == Timing::AtOnce
                && is_before(reference.container, scope)
            {
                reference.base = BaseOf::Fallback(scope);
            }
        }
        for option in fetch_options {
            if let BaseOf::Scope(scope) = option.base
                && is_before(option.container, scope)
            {
                option.base = BaseOf::Fallback(scope);
            }
        }
        for scope in scopes {
            let place = scope.srcdoc.zip(scope.parent);
            scope.is_before_base = place.is_some_and(|(at, parent)| is_before(at, parent));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, DocumentKind, ParseOptions};
    use rehref_url::{AbsoluteUrl, Standard, Url};

    /// Values before a `base` element, and whether it counts for them. Chromium is the judge: `tests/browser/base`.
    const BEFORE: &[(&str, bool)] = &[
        ("<link rel='stylesheet' href='x'/>", false),
        ("<link rel='alternate stylesheet' href='x'/>", false),
        ("<link rel='preload' as='image' href='x'/>", false),
        ("<link rel='preload' as='image' imagesrcset='x'/>", false),
        ("<link rel='modulepreload' href='x'/>", false),
        ("<link rel='prefetch' href='x'/>", false),
        ("<link rel='next prefetch' href='x'/>", false),
        ("<link rel='icon' href='x'/>", true),
        ("<link rel='manifest' href='x'/>", true),
        ("<link rel='canonical' href='x'/>", true),
        ("<link rel='alternate' href='x'/>", true),
        ("<link rel='next' href='x'/>", true),
        ("<meta http-equiv='refresh' content='9;url=x'/>", false),
        ("<meta property='og:url' content='x'/>", true),
        ("<script src='x'></script>", false),
        ("<script type='importmap'>{\"imports\": {\"m\": \"./x\"}}</script>", false),
        ("<style>@import url(x);</style>", false),
        ("<style>p { background: url(x) }</style>", false),
        ("<p style='background: url(x)'></p>", false),
        ("<img src='x'/>", false),
        ("<img srcset='x 2x'/>", false),
        ("<picture><source srcset='x'/></picture>", false),
        ("<video src='x'></video>", true),
        ("<video poster='x'></video>", true),
        ("<audio><source src='x'/></audio>", true),
        ("<video><track src='x'/></video>", true),
        ("<iframe src='x'></iframe>", false),
        ("<iframe srcdoc='&lt;a href=x>'></iframe>", false),
        ("<input type='image' src='x'/>", true),
        ("<table background='x'></table>", true),
        ("<object data='x'></object>", true),
        ("<embed src='x'/>", true),
        ("<a href='x'></a>", true),
        ("<a ping='x'></a>", true),
        ("<map><area href='x'/></map>", true),
        ("<form action='x'></form>", true),
        ("<button formaction='x'></button>", true),
        ("<q cite='x'></q>", true),
        ("<p itemid='x'></p>", true),
        ("<svg xmlns='http://www.w3.org/2000/svg'><image href='x'/></svg>", false),
        ("<svg xmlns='http://www.w3.org/2000/svg'><use href='x#y'/></svg>", false),
        ("<svg xmlns='http://www.w3.org/2000/svg'><g fill='url(x)'/></svg>", true),
        ("<svg xmlns='http://www.w3.org/2000/svg'><script href='x'/></svg>", false),
        ("<svg xmlns='http://www.w3.org/2000/svg'><a href='x'/></svg>", true),
    ];

    fn targets(kind: DocumentKind, source: &str) -> Vec<String> {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("http://h/d/p").unwrap());
        let bases = document.base_urls(&own);
        let references = document.references.iter().filter(|it| !document.is_base_element(it));
        let target = |it| document.target_of(it, &bases, &own).unwrap().unwrap().to_string();
        references.map(target).collect()
    }

    #[test]
    fn what_browsers_fetch_at_once_counts_from_the_base_so_far() {
        for (element, is_final) in BEFORE {
            let early = if *is_final { "http://b/x" } else { "http://h/d/x" };
            for base in ["<base href='http://b/'/>", "<base href='http://b/'/><base href='/c/'/>"] {
                let page = |kind, start: &str, end: &str| {
                    let source = format!("{start}{element}{base}{element}{end}");
                    let found = targets(kind, &source);
                    let found: Vec<&str> =
                        found.iter().map(|it| it.trim_end_matches("#y")).collect();
                    assert_eq!(found, [early, "http://b/x"], "{source}");
                };
                page(DocumentKind::Html, "", "");
                let html = "<html xmlns='http://www.w3.org/1999/xhtml'><head>";
                page(DocumentKind::Xhtml, html, "</head></html>");
            }
        }
    }

    #[test]
    fn the_base_in_force_is_that_of_the_scope() {
        for (source, expected) in [
            // The base element does not count, so nothing comes before one that does.
            (
                "<img src=x><template><base href=http://b/></template><img src=x>",
                ["h/d/x", "h/d/x"],
            ),
            ("<base target=_top><img src=x><base href=http://b/><img src=x>", ["h/d/x", "b/x"]),
            (
                "<iframe srcdoc='<img src=x><base href=http://b/><img src=x>'></iframe>",
                ["h/d/x", "b/x"],
            ),
            (
                "<base href=http://b/><iframe srcdoc='<img src=x><base href=/c/><a href=x>'></iframe>",
                ["b/x", "b/c/x"],
            ),
            (
                "<iframe srcdoc='<a href=x>'></iframe><base href=http://b/><iframe srcdoc='<a href=x>'></iframe>",
                ["h/d/x", "b/x"],
            ),
            (
                "<!--[if IE]><script src=x></script><![endif]--><base href=http://b/><a href=x>",
                ["h/d/x", "b/x"],
            ),
        ] {
            let expected = expected.map(|it| format!("http://{it}"));
            assert_eq!(targets(DocumentKind::Html, source), expected, "{source}");
        }
    }
}
