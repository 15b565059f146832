//! Fragments that are valid without an anchor: scripts handle them, or the format of the target
//! defines them.

use rehref_document::DocumentKind;
use rehref_document::metadata::fragment::without_directive;
use rehref_url::percent::EncodeSet;

/// The kind of document that a fragment is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FragmentTarget {
    /// HTML, XHTML.
    Html,
    /// SVG.
    Svg,
    /// Anything else; the meaning of fragments is unknown.
    Other,
}

/// A row of the table: a shape of fragments, and the program or standard that handles it.
#[derive(Debug)]
pub struct FragmentShape {
    /// The generator of the target (the first word of its `meta name=generator`, in lower case);
    /// `None` for any.
    pub generator: Option<&'static str>,
    /// The kinds of documents to which the shape applies; empty for all.
    pub targets: &'static [FragmentTarget],
    /// A function that returns true if a fragment, without its `#` and not decoded, has the shape.
    pub shape: fn(&str) -> bool,
    /// One line that describes the fragments, and the program that handles them.
    pub why: &'static str,
}

impl FragmentTarget {
    /// Returns the kind of a document that has this name or URL.
    pub fn of(kind: DocumentKind, name: &str) -> FragmentTarget {
        match kind {
            DocumentKind::Html
            | DocumentKind::Xhtml
            | DocumentKind::Message
            | DocumentKind::Markdown(_) => FragmentTarget::Html,
            DocumentKind::Xml if is_svg(name) => FragmentTarget::Svg,
            _ => FragmentTarget::Other,
        }
    }
}

fn is_svg(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("svg"))
}

/// Returns `reference` with its fragment replaced by one for the anchor `name`.
pub fn with_fragment(reference: &str, name: &str) -> Option<String> {
    let start = reference.find('#')?;
    let mut changed = reference.get(..=start)?.to_owned();
    for c in name.chars() {
        match u8::try_from(c) {
            Ok(b @ 0..=0x7F) if b"%#".contains(&b) || EncodeSet::FRAGMENT.contains(b) => {
                changed.push_str(&format!("%{b:02X}"));
            }
            _ => changed.push(c),
        }
    }
    Some(changed)
}

use FragmentTarget::{Html, Svg};

impl FragmentShape {
    const fn of(
        targets: &'static [FragmentTarget],
        shape: fn(&str) -> bool,
        why: &'static str,
    ) -> FragmentShape {
        FragmentShape { generator: None, targets, shape, why }
    }

    /// The same for pages of a generator.
    const fn by(self, generator: &'static str) -> FragmentShape {
        FragmentShape { generator: Some(generator), ..self }
    }
}

/// The table of fragment shapes. The first row that matches a fragment and its target applies.
#[rustfmt::skip]
pub const FRAGMENTS: &[FragmentShape] = &[
    FragmentShape::of(&[Html], |f| without_directive(f) != f,
        "text fragments, which browsers search for in the text (URL Fragment Text Directives)"),
    FragmentShape::of(&[Html], |f| f.starts_with(['!', '/', '?']) || f.starts_with("../"),
        "routes, which the script of the page handles"),
    // A single line has an id; without the id the fragment is broken.
    FragmentShape::of(&[Html], |f| f.contains('-') && lines(f, ""),
        "line ranges, which rustdoc's script highlights").by("rustdoc"),
    FragmentShape::of(&[Html], |f| f.contains('-') && lines(f, "L"),
        "line ranges, which the script of the source view highlights"),
    FragmentShape::of(&[Html], is_scaladoc, "Scala classes and members, which scaladoc's index page loads"),
    FragmentShape::of(&[Svg], |f| ["svgView(", "xywh=", "t="].iter().any(|start| f.starts_with(start)),
        "views of an SVG image (SVG 2, linking)"),
    FragmentShape::of(&[Html], |f| ["epubcfi(", "xywh=", "xyn="].iter().any(|start| f.starts_with(start)),
        "places in a page of a book, which reading systems find (EPUB CFI, Media Fragments)"),
    FragmentShape::of(&[Html], |f| lines(f, "L"),
        "lines (#L7), which the host resolves where it shows the source of the file").by("github"),
    // The anchors of the target decide, too.
    FragmentShape::of(&[Html], has_other_spelling,
        "in another letter case or with user-content-, which only the script of the host finds").by("github"),
    // The kind of the target decides, not the shape.
    FragmentShape::of(&[], |_| false, "anchors of files that rehref does not read"),
    // The anchors of the redirect's target decide, not the shape.
    FragmentShape::of(&[], |_| false, "fragments carried through an instant-redirect page"),
];

/// A set of rows of the table of fragment shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FragmentShapes(u16);

impl FragmentShapes {
    /// The empty set.
    pub const NONE: FragmentShapes = FragmentShapes(0);
    /// The set with the last row: pages that redirect immediately.
    pub const REDIRECT: FragmentShapes = FragmentShapes(1 << (FRAGMENTS.len() - 1));
    /// The set with the last row but one: files whose anchors rehref does not read.
    pub const UNREAD: FragmentShapes = FragmentShapes(1 << (FRAGMENTS.len() - 2));
    /// The set with the last row but two: names that code hosts find in another spelling; see
    /// [`other_spelling`].
    pub const SPELLING: FragmentShapes = FragmentShapes(1 << (FRAGMENTS.len() - 3));

    fn matching(fits: impl Fn(&FragmentShape) -> bool) -> FragmentShapes {
        let rows = FRAGMENTS.iter().enumerate();
        let fitting = rows.filter(|(_, row)| fits(row));
        FragmentShapes(fitting.fold(0, |set, (at, _)| set | 1 << at))
    }

    /// Returns the rows whose shape matches a fragment, which is given without its `#` and not decoded.
    pub fn of_fragment(fragment: &str) -> FragmentShapes {
        if is_plain(fragment) {
            return FragmentShapes::NONE;
        }
        FragmentShapes::matching(|row| (row.shape)(fragment))
    }

    /// Returns the rows that apply to a target of this kind. `generators` are the contents of its
    /// `meta name=generator`.
    pub fn of_target<'g>(
        target: FragmentTarget,
        generators: impl IntoIterator<Item = &'g str>,
    ) -> FragmentShapes {
        let programs: Vec<&str> = generators.into_iter().map(program).collect();
        let made_by =
            |wanted: &str| programs.iter().any(|program| program.eq_ignore_ascii_case(wanted));
        FragmentShapes::matching(|row| {
            (row.targets.is_empty() || row.targets.contains(&target))
                && row.generator.is_none_or(made_by)
        })
    }

    /// Returns the set as bits, one for each row of the table.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Returns the first row that is in both sets, as a set.
    pub fn first_of_both(self, other: FragmentShapes) -> Option<FragmentShapes> {
        let both = self.0 & other.0;
        (both != 0).then(|| FragmentShapes(both & both.wrapping_neg()))
    }

    /// Returns the first row of the set; `None` if the set is empty.
    pub fn first(self) -> Option<&'static FragmentShape> {
        let at = usize::try_from(self.0.trailing_zeros()).ok()?;
        FRAGMENTS.get(at)
    }
}

/// Returns true if a fragment, as nearly all are, has none of the characters by which the shapes of the table
/// are told.
fn is_plain(fragment: &str) -> bool {
    let may_be_lines = matches!(fragment.as_bytes().first(), Some(b'0'..=b'9'));
    // Without a branch for each byte.
    let others = fragment.bytes().fold(fragment.starts_with(PREFIX), |others, byte| {
        let is_lower = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_plain = is_lower || matches!(byte, b'_' | b'.');
        others | !(is_plain || byte == b'-' && !may_be_lines)
    });
    !others
}

/// The start of the ids that GitHub writes into pages; its script finds them without it.
const PREFIX: &str = "user-content-";

/// Returns true if [`other_spelling`] is another.
fn has_other_spelling(fragment: &str) -> bool {
    fragment.starts_with(PREFIX) || fragment.chars().any(char::is_uppercase)
}

/// Returns the other spelling of the anchor `fragment`, decoded, that the script of a code host looks for last.
pub fn other_spelling(fragment: &str) -> String {
    fragment.strip_prefix(PREFIX).unwrap_or(fragment).to_lowercase()
}

/// The first word of a generator's name.
fn program(generator: &str) -> &str {
    let end = generator.find(|c: char| !c.is_alphanumeric() && c != '-');
    generator.get(..end.unwrap_or(generator.len())).unwrap_or_default()
}

/// Returns true if `fragment` is `12` or `12-34`, with `prefix` before each number, which the second may
/// lack. Unless `prefix` is empty, a column `C5` may follow each number.
fn lines(fragment: &str, prefix: &str) -> bool {
    let number = |text: &str| {
        let number = text.strip_prefix(prefix);
        number.is_some_and(|number| match number.split_once('C') {
            Some((line, column)) if !prefix.is_empty() => is_number(column) && is_number(line),
            _ => is_number(number),
        })
    };
    match fragment.split_once('-') {
        Some((from, to)) => number(from) && (number(to) || is_number(to)),
        None => number(fragment),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if `fragment` is `pkg.Name@member(x:Int):Unit`: an entity of scaladoc 2.10 and 2.11, whose
/// `index.html` loads its page into a frame.
fn is_scaladoc(fragment: &str) -> bool {
    let Some((entity, _)) = fragment.split_once('@') else { return false };
    let mut names = entity.split('.');
    names.all(|name| {
        let mut letters = name.chars();
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_encoded_for_their_place() {
        for (name, expected) in [("a", "x#a"), ("a b", "x#a%20b"), ("a%#ü/?", "x#a%25%23ü/?")] {
            assert_eq!(with_fragment("x#y#z", name).as_deref(), Some(expected));
        }
        assert_eq!(with_fragment("x", "a"), None);
    }

    #[test]
    fn shapes_depend_on_target_and_generator() {
        for (generator, target, fragment, expected) in [
            (Some("rustdoc"), Html, "12-34", Some("rustdoc's script")),
            (Some("rustdoc 1.63"), Html, "12-3", Some("rustdoc's script")),
            (Some("rustdoc"), Html, "12", None),
            (Some("rustdocs"), Html, "12-34", None),
            (Some("rustdoc"), Html, "method.x", None),
            (Some("rustdoc"), Html, "12-", None),
            (None, Html, "12-34", None),
            (None, Html, "L12-L34", Some("source view")),
            (None, Html, "L12C3-L34C5", Some("source view")),
            (None, Html, "L12-34", Some("source view")),
            (None, Html, "L12", None),
            (Some("github"), Html, "L12", Some("lines")),
            (Some("github"), Html, "L12-L14", Some("source view")),
            (Some("github"), Html, "Set-up", Some("letter case")),
            (Some("github"), Html, "user-content-x", Some("letter case")),
            (Some("github"), Html, "set-up", None),
            (None, Html, "List-Links", None),
            (None, Html, "!/route", Some("routes")),
            (None, Html, "/route", Some("routes")),
            (None, Html, "!x", Some("routes")),
            (None, Html, "section-1", None),
            (None, Html, "scala.Option@map", Some("scaladoc's index")),
            (None, Html, "pkg@x", Some("scaladoc's index")),
            (None, Html, "a b@c", None),
            (None, Html, "@c", None),
            (None, Html, "x:~:text=a,b", Some("text fragments")),
            (None, Html, "t=10", None),
            (None, Svg, "svgView(viewBox(0,0,1,1))", Some("SVG image")),
            (None, Svg, "icon", None),
            (None, FragmentTarget::Other, "/x", None),
        ] {
            let rows = FragmentShapes::of_target(target, generator);
            let row = rows.first_of_both(FragmentShapes::of_fragment(fragment));
            let why = row.and_then(FragmentShapes::first).map(|row| row.why);
            match (why, expected) {
                (Some(why), Some(part)) => assert!(why.contains(part), "{fragment}: {why}"),
                (why, expected) => assert_eq!(why, expected, "{generator:?} {fragment}"),
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn plain_fragments_have_no_shape(
            fragment in "[!/?~:@.]?(user-content-|L?[0-9]{1,2}|t=|xywh=|svgView\\(|[a-z]{1,3})[-@C:~]{0,3}[L0-9.]{0,3}",
        ) {
            let all = FragmentShapes::matching(|row| (row.shape)(&fragment));
            proptest::prop_assert_eq!(FragmentShapes::of_fragment(&fragment), all);
        }
    }

    #[test]
    fn the_last_row_is_that_of_redirects() {
        assert_eq!(FragmentShapes::REDIRECT.first().unwrap().targets, []);
    }
}
