//! Link types: the keywords of `rel`.

/// The set of link types of a `link` element that matter to its reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rel(u16);

const KEYWORDS: &[(&str, Rel)] = &[
    ("alternate", Rel::ALTERNATE),
    ("canonical", Rel::CANONICAL),
    ("dns-prefetch", Rel::DNS_PREFETCH),
    ("icon", Rel::ICON),
    ("manifest", Rel::MANIFEST),
    ("modulepreload", Rel::MODULEPRELOAD),
    ("next", Rel::NEXT),
    ("preconnect", Rel::PRECONNECT),
    ("prefetch", Rel::PREFETCH),
    ("preload", Rel::PRELOAD),
    ("prev", Rel::PREV),
    ("self", Rel::SELF),
    ("stylesheet", Rel::STYLESHEET),
];

impl Rel {
    /// The empty set: not a `link` element, or without any known keyword.
    pub const NONE: Rel = Rel(0);
    pub const ALTERNATE: Rel = Rel(1);
    pub const CANONICAL: Rel = Rel(1 << 1);
    pub const DNS_PREFETCH: Rel = Rel(1 << 2);
    pub const ICON: Rel = Rel(1 << 3);
    pub const MANIFEST: Rel = Rel(1 << 4);
    pub const MODULEPRELOAD: Rel = Rel(1 << 5);
    pub const NEXT: Rel = Rel(1 << 6);
    pub const PRECONNECT: Rel = Rel(1 << 7);
    pub const PREFETCH: Rel = Rel(1 << 8);
    pub const PRELOAD: Rel = Rel(1 << 9);
    pub const PREV: Rel = Rel(1 << 10);
    pub const SELF: Rel = Rel(1 << 11);
    pub const STYLESHEET: Rel = Rel(1 << 12);
    /// The element has an `hreflang` (not a keyword of `rel`).
    pub const HREFLANG: Rel = Rel(1 << 13);

    /// The links of the element, which may be any element, stay as written (not a keyword of `rel`).
    pub const KEPT: Rel = Rel(1 << 14);

    /// Returns the set for the values of the attributes `rel` and `hreflang`; `None` if the element lacks the
    /// attribute.
    pub fn of(rel: Option<&str>, hreflang: Option<&str>) -> Rel {
        let found = rel.unwrap_or("").split_ascii_whitespace().map(|token| {
            let mut rows = KEYWORDS.iter();
            let row = rows.find(|(keyword, _)| token.eq_ignore_ascii_case(keyword));
            row.map_or(Rel::NONE, |(_, rel)| *rel)
        });
        let own = hreflang.map_or(Rel::NONE, |_| Rel::HREFLANG);
        found.fold(own, Rel::with)
    }

    /// Returns true if the reference is a resource hint: browsers connect to its host, but request nothing.
    pub const fn is_hint(self) -> bool {
        self.has(Rel::PRECONNECT) || self.has(Rel::DNS_PREFETCH)
    }

    /// Returns true if the reference names its page for search engines: the page's own URL, or that of a translation.
    pub const fn names_page(self) -> bool {
        self.has(Rel::CANONICAL) || self.has(Rel::ALTERNATE.with(Rel::HREFLANG))
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn with(self, other: Rel) -> Rel {
        Rel(self.0 | other.0)
    }

    /// Returns true if this set contains all of `other`.
    pub const fn has(self, other: Rel) -> bool {
        self.0 & other.0 == other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_recognised() {
        for (rel, hreflang, expected) in [
            (None, None, Rel::NONE),
            (Some(""), None, Rel::NONE),
            (Some("nofollow"), None, Rel::NONE),
            (Some(" PreConnect\n"), None, Rel::PRECONNECT),
            (Some("alternate"), Some("de"), Rel::ALTERNATE.with(Rel::HREFLANG)),
            (Some("Alternate stylesheet alternate"), None, Rel::ALTERNATE.with(Rel::STYLESHEET)),
            (Some("dns-prefetchx"), None, Rel::NONE),
        ] {
            assert_eq!(Rel::of(rel, hreflang), expected, "{rel:?} {hreflang:?}");
        }
    }

    #[test]
    fn every_keyword_has_a_bit_of_its_own() {
        let mut seen = Rel::HREFLANG;
        for (keyword, rel) in KEYWORDS {
            assert!(!seen.has(*rel), "{keyword}");
            assert_eq!(*keyword, keyword.to_ascii_lowercase());
            seen = seen.with(*rel);
            assert!(seen.has(*rel), "{keyword}");
        }
    }
}
