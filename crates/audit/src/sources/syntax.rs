//! The files that pages are built from, and those that are pages: by their suffixes.

/// How a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Pages and templates.
    Html,
    Markdown,
    /// reStructuredText, where backticks hold links, and indentation ends a block.
    Rst,
    /// AsciiDoc, Org, Textile and others.
    Other,
}

/// The suffixes of the files that sites are built from.
#[rustfmt::skip]
const SUFFIXES: &[(&str, Syntax)] = &[
    ("md", Syntax::Markdown), ("markdown", Syntax::Markdown), ("mdx", Syntax::Markdown),
    ("mdown", Syntax::Markdown), ("mkd", Syntax::Markdown), ("qmd", Syntax::Markdown), ("rmd", Syntax::Markdown),
    ("rst", Syntax::Rst), ("rest", Syntax::Rst),
    ("adoc", Syntax::Other), ("asciidoc", Syntax::Other), ("asc", Syntax::Other), ("org", Syntax::Other),
    ("textile", Syntax::Other), ("txt", Syntax::Other), ("wiki", Syntax::Other),
    ("html", Syntax::Html), ("htm", Syntax::Html), ("xhtml", Syntax::Html), ("njk", Syntax::Html),
    ("liquid", Syntax::Html), ("jinja", Syntax::Html), ("j2", Syntax::Html), ("hbs", Syntax::Html),
    ("ejs", Syntax::Html), ("erb", Syntax::Html), ("twig", Syntax::Html), ("tmpl", Syntax::Html),
    ("astro", Syntax::Html), ("vue", Syntax::Html), ("svelte", Syntax::Html), ("php", Syntax::Html),
    ("asp", Syntax::Html), ("aspx", Syntax::Html), ("jsp", Syntax::Html),
];

impl Syntax {
    /// Returns the syntax of a file by its name; `None` if it holds no text of pages.
    pub(super) fn of(name: &str) -> Option<Syntax> {
        let (_, suffix) = name.rsplit_once('.')?;
        Syntax::of_suffix(suffix)
    }

    fn of_suffix(suffix: &str) -> Option<Syntax> {
        let mut rows = SUFFIXES.iter();
        let row = rows.find(|(known, _)| suffix.eq_ignore_ascii_case(known));
        row.map(|(_, syntax)| *syntax)
    }
}

/// Returns true if a file with this suffix is a page, or the source of one that has another suffix. Links to texts such
/// as `robots.txt` lead to these themselves.
pub(super) fn is_page(suffix: &str) -> bool {
    Syntax::of_suffix(suffix).is_some() && !suffix.eq_ignore_ascii_case("txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sources_but_plain_texts_are_pages() {
        for (suffix, syntax, page) in [
            ("MD", Some(Syntax::Markdown), true),
            ("njk", Some(Syntax::Html), true),
            ("php", Some(Syntax::Html), true),
            ("txt", Some(Syntax::Other), false),
            ("png", None, false),
        ] {
            assert_eq!(Syntax::of(&format!("a.{suffix}")), syntax, "{suffix}");
            assert_eq!(is_page(suffix), page, "{suffix}");
        }
    }
}
