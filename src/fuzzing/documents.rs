//! Properties of one document that is parsed, rewritten, and compared with what it was.

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

use super::input::Input;
use DocumentKind::{Css, Html, JsonFeed, Lines, Redirects, WebManifest, Xhtml, Xml};
use rehref_document::container::{Container, ContainerKind};
use rehref_document::html::attributes::Condition;
use rehref_document::lines::LineSyntax;
use rehref_document::redirects::RedirectSyntax;
use rehref_document::{
    Constraints, Document, DocumentKind, Fix, Fixes, ParseOptions, TemplateDialects,
};
use rehref_generators::markdown::DIALECTS;
use rehref_rewrite::{BaseElements, DocumentUrls, InPageLinks, KEPT_BASE, Policy, SitePolicy};
use rehref_rewrite::{Rewritten, in_both_ways};
use rehref_site::Diagnostic;
use rehref_url::{AbsoluteUrl, Edit, RelativeForm, Spliced, Standard, Url, splice};
use rehref_verify::Difference;
use rehref_verify::document::{ComparisonOptions, verify_document};

/// The extensions of documents.
pub(super) const SEEDS: &[&str] =
    &["html", "htm", "xhtml", "css", "svg", "xml", "webmanifest", "json"];

#[rustfmt::skip]
const KINDS: &[DocumentKind] = &[
    Html, Html, Html, Css, Xml, Xhtml, WebManifest, JsonFeed, Lines(LineSyntax::Playlist), Lines(LineSyntax::Robots),
    Lines(LineSyntax::Headers), Lines(LineSyntax::Urls), Redirects(RedirectSyntax::Netlify),
    Redirects(RedirectSyntax::Apache), Redirects(RedirectSyntax::Nginx), Redirects(RedirectSyntax::Json),
];

#[rustfmt::skip]
const CHARSETS: &[Option<&Encoding>] = &[
    None, None, Some(UTF_8), Some(WINDOWS_1252), Some(SHIFT_JIS), Some(EUC_JP), Some(ISO_2022_JP), Some(UTF_16LE),
];

/// The site of all documents.
const SITE: &str = "https://h/d/";

/// URLs that a document has itself.
const OWN: &[&str] = &[
    "https://h/d/e/p.html?q", "https://h/d/", "https://h/p.html", "https://h/d//p.html",
    "file:///d/e/p.html", "foo:/a/b",
];

/// URLs that every document gets as its base URL.
const BASES: &[&str] = &["https://h/d/", "https://g/x/y?z", "https://h/d/%C3%A4/"];

/// Checks the references and `base` elements of a document that `relative` rewrote.
const RELATIVE: &[(RelativeForm, BaseElements)] = &[
    (RelativeForm::Path, BaseElements::DropWithoutScripts),
    (RelativeForm::Path, BaseElements::Drop),
    (RelativeForm::Path, BaseElements::Keep),
    (RelativeForm::Root, BaseElements::Drop),
    (RelativeForm::Scheme, BaseElements::DropWithoutScripts),
    (RelativeForm::Shortest, BaseElements::Drop),
];

/// A document's surroundings: how it is parsed, its own URL.
pub(crate) struct Surroundings {
    parse: ParseOptions,
    own: AbsoluteUrl,
}

fn absolute_url(standard: Standard, url: &str) -> AbsoluteUrl {
    AbsoluteUrl::new(standard, Url::parse(url).expect("a URL"))
}

impl Surroundings {
    /// A document of this kind, read by the WHATWG standard.
    pub(crate) fn new(kind: DocumentKind, own: &str) -> Surroundings {
        Surroundings {
            parse: ParseOptions { kind, ..ParseOptions::default() },
            own: absolute_url(Standard::Whatwg, own),
        }
    }

    fn picked(input: &mut Input<'_>, kinds: &[DocumentKind]) -> Surroundings {
        let standards: Vec<Standard> = Standard::all().collect();
        let extras = input.pick(&[0, 1, 2, 3]);
        Surroundings {
            parse: ParseOptions {
                kind: input.pick(kinds),
                charset: input.pick(CHARSETS),
                json_ld: extras == 1,
                rdfa: extras == 1,
                server_includes: extras == 2,
                metadata: extras == 3,
                message: extras == 3,
                templates: TemplateDialects::default(),
                ..ParseOptions::default()
            },
            own: absolute_url(input.pick(&standards), input.pick(OWN)),
        }
    }
}

/// A policy, without moves.
fn policy(input: &mut Input<'_>, standard: Standard) -> Policy {
    match input.pick(&[0, 1, 1, 1, 2]) {
        0 => Policy::absolute(),
        1 => {
            let (form, base_elements) = input.pick(RELATIVE);
            let site = SitePolicy::relative(SITE, form).expect("the URL of a site");
            Policy::site(SitePolicy { base_elements, ..site })
        }
        _ => Policy::Absolute {
            base: Some(absolute_url(standard, input.pick(BASES))),
            repository: None,
            in_page_links: InPageLinks::default(),
        },
    }
}

/// Rewriting a document keeps all of [`keeps_targets_and_bytes`]; then `absolute` and `relative` after it do,
/// too.
pub(super) fn rewritten(data: &[u8]) {
    let mut input = Input::new(data);
    let around = Surroundings::picked(&mut input, KINDS);
    check_policies(input, &around);
}

/// As [`rewritten`], for Markdown of all dialects.
pub(super) fn markdown(data: &[u8]) {
    let dialects = DIALECTS.iter();
    let kinds: Vec<DocumentKind> = dialects.map(|it| DocumentKind::Markdown(*it)).collect();
    let mut input = Input::new(data);
    let around = Surroundings::picked(&mut input, &kinds);
    check_policies(input, &around);
}

/// As [`rewritten`], for messages.
pub(super) fn messages(data: &[u8]) {
    let mut input = Input::new(data);
    let around = Surroundings::picked(&mut input, &[DocumentKind::Message]);
    check_policies(input, &around);
}

fn check_policies(mut input: Input<'_>, around: &Surroundings) {
    let standard = around.own.standard();
    let first = policy(&mut input, standard);
    let second = policy(&mut input, standard);
    let before = input.bytes();
    if let Some(after) = keeps_targets_and_bytes(before, around, &first) {
        keeps_targets_and_bytes(&after, around, &second);
    }
}

/// Rewrites the document `before` by `policy` and returns its new bytes; `None` if that is refused.
///
/// # Panics
/// When the fast path writes something else, the counts do not add up, a byte outside the edits changes,
/// `verify` finds a difference, or rewriting the result changes it again.
pub(crate) fn keeps_targets_and_bytes(
    before: &[u8],
    around: &Surroundings,
    policy: &Policy,
) -> Option<Vec<u8>> {
    let rewritten = rewrite(before, around, policy)?;
    let counts = &rewritten.references;
    let skipped: usize = counts.skipped.values().sum();
    assert_eq!(
        counts.seen,
        counts.rewritten + counts.already_correct + skipped,
        "{}",
        printed(before)
    );
    let edits = rewritten.edits.clone();
    let is_transcoded = rewritten.transcoded.is_some();
    let diagnostics = rewritten.diagnostics.clone();
    let after = bytes(rewritten, before);
    if !is_transcoded {
        assert_eq!(printed(&splice(before, &edits)), printed(&after));
        assert_eq!(printed(&undo(before, &edits, &after)), printed(before));
    }
    let own = &around.own;
    let options = ComparisonOptions {
        base: policy.base_url(),
        ..ComparisonOptions::unmoved(around.parse, [own, own])
    };
    let compared = verify_document(before, &after, &options);
    let general = ComparisonOptions { keeps_urls: false, ..options };
    assert_eq!(compared, verify_document(before, &after, &general));
    let compared = compared.expect("it was parsed before");
    let different = compared.differences.iter();
    let different: Vec<_> = different.filter(|it| !is_reported(it, &diagnostics)).collect();
    let shown = || format!("{}\n{}", printed(before), printed(&after));
    assert!(different.is_empty(), "{different:#?}\n{diagnostics:#?}\n{}", shown());
    if !diagnostics.iter().any(is_named) {
        let again = rewrite(&after, around, policy).map(|again| bytes(again, &after));
        assert_eq!(again.as_deref().map(printed), Some(printed(&after)), "{}", printed(before));
    }
    Some(after)
}

/// The codes of references that are skipped with a warning, since what they should be cannot be known or
/// written. Another base URL can change what they mean.
const SKIPPED: &[&str] = &["inexpressible", "bad-url", "opaque-base"];

/// Returns true if another run can change what the one with this diagnostic left: what kept a `base` element may be
/// gone, and what did not resolve may do so under another base URL.
pub(super) fn is_named(diagnostic: &Diagnostic) -> bool {
    [KEPT_BASE, "base"].contains(&diagnostic.code) || SKIPPED.contains(&diagnostic.code)
}

/// Returns true if the rewriting has reported the reference of a difference that `verify` found.
pub(super) fn is_reported(difference: &Difference, diagnostics: &[Diagnostic]) -> bool {
    let before = difference.before.as_deref();
    let mut skipped = diagnostics.iter().filter(|it| SKIPPED.contains(&it.code));
    before.is_some() && skipped.any(|it| it.reference.as_deref() == before)
}

fn rewrite(before: &[u8], around: &Surroundings, policy: &Policy) -> Option<Rewritten> {
    let own = DocumentUrls::unmoved(&around.own);
    let [fast, general] = in_both_ways(before, own, policy, &around.parse);
    // The edits may be cut in other ways.
    let results = [fast.as_ref(), general.as_ref()].map(|result| {
        let result = result.map_err(ToString::to_string)?;
        let counts = (&result.references, &result.diagnostics);
        Ok::<_, String>((bytes(result.clone(), before), counts))
    });
    let [one, other] = &results;
    assert_eq!(one, other, "{}", printed(before));
    fast.ok()
}

fn bytes(rewritten: Rewritten, source: &[u8]) -> Vec<u8> {
    rewritten.into_bytes(source).unwrap_or_else(|| source.to_vec())
}

fn printed(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// The document before the edits, from the one after them: nothing outside the spans may differ.
pub(crate) fn undo(before: &[u8], edits: &[Edit], after: &[u8]) -> Vec<u8> {
    let mut result = Vec::new();
    let (mut at_before, mut at_after) = (0, 0);
    for edit in edits {
        let same = edit.span.start - at_before;
        result.extend_from_slice(&after[at_after..at_after + same]);
        result.extend_from_slice(&before[edit.span.start..edit.span.end]);
        at_after += same + edit.replacement.len();
        at_before = edit.span.end;
    }
    result.extend_from_slice(&after[at_after..]);
    result
}

/// Kinds in which any text can be a reference: robots.txt and redirect rules want certain ones.
const EDITED_KINDS: &[DocumentKind] =
    &[Html, Html, Css, Xml, Xhtml, WebManifest, JsonFeed, DocumentKind::Message];

/// References that replace others: what is hard in one syntax or the other.
const REPLACEMENTS: &[&str] = &[
    "z", "../z?a=b&amp;c", "a b", "\"", "'", "a'b\"c", "<z>", "a)b(", "\\", "a\\62 c", "z,", ",z",
    "&lt;z", "&", "a;b", "]]>", "</style>", "-->", "\t\n", "{{z}}", "ä", "%E4", "=3D", "*/", "#",
    "//h/z", "x:y", "", "\r", "a\0b", "a\x01",
];

/// Replaced references are extracted again, in their places; a reference whose replacement cannot be written
/// stays, and is reported.
pub(super) fn edited(data: &[u8]) {
    let mut input = Input::new(data);
    let around = Surroundings::picked(&mut input, EDITED_KINDS);
    let with = input.pick(REPLACEMENTS);
    let [every, first] = [input.pick(&[1, 2, 3]), input.pick(&[0, 1, 2])];
    let before = input.bytes();
    let Ok(document) = Document::parse(before, &around.parse) else { return };
    check_spans(&document);
    let references = document.references.iter().enumerate();
    let fixes = references.filter(|(at, reference)| {
        let is_any_url = reference.constraints == Constraints::default()
            && document.container_of(reference).is_some_and(holds_any_url);
        at % every == first % every && is_any_url
    });
    let fixes = fixes.map(|(_, reference)| {
        let fix = Fix {
            span: document.span_of(reference),
            reference: document.text_of(reference).to_owned(),
            replacement: with.to_owned(),
        };
        (around.own.as_str(), fix)
    });
    let policy = Policy::Fix(Fixes::new(fixes));
    let Some(rewritten) = rewrite(before, &around, &policy) else { return };
    let (changed, source) = (rewritten.references.rewritten, bytes(rewritten, before));
    let after = Document::parse(&source, &around.parse).expect("it was parsed before");
    let texts = |document: &Document<'_>| -> Vec<String> {
        let references = document.references.iter();
        references.map(|it| document.text_of(it).to_owned()).collect()
    };
    let (old, new) = (texts(&document), texts(&after));
    let shown = || format!("{}\n{}", printed(before), printed(&source));
    assert_eq!(old.len(), new.len(), "{}", shown());
    let differing = old.iter().zip(&new).filter(|(old, new)| old != new);
    let differing: Vec<_> = differing.map(|(_, new)| new).collect();
    assert!(differing.len() <= changed, "{}", shown());
    assert!(differing.iter().all(|new| *new == with), "{differing:?} {}", shown());
}

/// Returns true if a text in the place of the references of `container` is always a reference. The name of a parameter
/// or the form of a media file's name can decide, too.
fn holds_any_url(container: &Container) -> bool {
    match &container.kind {
        ContainerKind::Attribute { row, .. } => row.when == Condition::Always,
        _ => true,
    }
}

/// The spans of references are within the document, and those of top-level containers do not overlap.
fn check_spans(document: &Document<'_>) {
    let length = document.working_bytes().len();
    for reference in &document.references {
        let span = document.span_of(reference);
        assert!(span.start <= span.end && span.end <= length);
    }
    let unedited = Spliced::new(document.working_bytes(), &[] as &[Edit]);
    assert_eq!(unedited.len(), length);
}
