//! The engines for HTML: the scanner finds what the authority finds, and the authority what html5ever's own
//! parse has.

use std::sync::LazyLock;

use crate::element_selector::KeptElements;
use crate::html::FurtherAttributes;
use crate::html::authority::{self, witness};
use crate::html::raw::Wanted;
use crate::html::scanner::{self, DeclineReason};

/// All engines agree on a document.
pub(super) fn all_agree(data: &[u8]) {
    if let Err(difference) = compare(data) {
        panic!("{difference}");
    }
    let html = String::from_utf8_lossy(data);
    assert_eq!(witness::compare(&html).err(), None, "{}", html.escape_debug());
    // The witness puts in ignore marks of its own.
    if !html.contains("rehref-ignore") {
        let difference = witness::compare_metadata(&html).err();
        assert_eq!(difference, None, "{}", html.escape_debug());
    }
}

/// Both engines on the same bytes, with metadata and without. The reason where the scanner declines,
/// or how the two differ.
pub(crate) fn compare(html: &[u8]) -> Result<Option<DeclineReason>, String> {
    let start = if html.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut declined = None;
    static FURTHER: LazyLock<FurtherAttributes> = LazyLock::new(|| {
        let given = [
            "*@id", "a@b", "a@id=urls", "img@name", "li@class", "*@value", "td@name=srcset",
            "tr@style",
        ];
        let given: Vec<_> = given.iter().filter_map(|it| it.parse().ok()).collect();
        FurtherAttributes::new(&given, &[]).unwrap_or_default()
    });
    static KEPT: LazyLock<KeptElements> = LazyLock::new(|| {
        let given = ["[class]", "#x", "[title^=a]", "image", "path", "[xlink:href]"];
        KeptElements::new(&given.iter().filter_map(|it| it.parse().ok()).collect::<Vec<_>>())
    });
    let further = Wanted { further: *FURTHER, kept: *KEPT, ..Wanted::METADATA };
    for wanted in [further, Wanted::VALUES, Wanted::METADATA] {
        let found = match scanner::find_values(html, start, wanted) {
            Ok(found) => found,
            Err(reason) => {
                declined = Some(reason);
                continue;
            }
        };
        let Ok(expected) = authority::find_values(html, start, wanted) else { continue };
        if found != expected {
            let (found, expected) = (format!("{found:#?}"), format!("{expected:#?}"));
            let lines = found.lines().zip(expected.lines());
            let differing = lines.enumerate().find(|(_, (found, expected))| found != expected);
            return Err(format!(
                "{wanted:?}, first difference: {differing:?}\n{}",
                String::from_utf8_lossy(html.get(..2000).unwrap_or(html)).escape_debug()
            ));
        }
    }
    Ok(declined)
}
