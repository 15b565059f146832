//! A page on every check, for `--explain`.

use super::checks::Check;

/// The page on a check: what it finds, why that matters, an example, how to fix it and how to
/// ignore it. Plain text in the manner of Markdown, lines of up to 80 characters.
pub fn explain(check: Check) -> &'static str {
    match check {
        Check::BrokenTarget => include_str!("explain/broken-target.md"),
        Check::BrokenFragment => include_str!("explain/broken-fragment.md"),
        Check::WrongCase => include_str!("explain/wrong-case.md"),
        Check::DirectoryWithoutIndex => include_str!("explain/directory-without-index.md"),
        Check::MissingTrailingSlash => include_str!("explain/missing-trailing-slash.md"),
        Check::EscapesRoot => include_str!("explain/escapes-root.md"),
        Check::AbsoluteSelfLink => include_str!("explain/absolute-self-link.md"),
        Check::LocalLeak => include_str!("explain/local-leak.md"),
        Check::BadUrl => include_str!("explain/bad-url.md"),
        Check::NotInGrammar => include_str!("explain/not-in-grammar.md"),
        Check::SchemeLookalike => include_str!("explain/scheme-lookalike.md"),
        Check::EmptyReference => include_str!("explain/empty-reference.md"),
        Check::PasswordInUrl => include_str!("explain/password-in-url.md"),
        Check::OddPort => include_str!("explain/odd-port.md"),
        Check::MixedContent => include_str!("explain/mixed-content.md"),
        Check::BaseRelative => include_str!("explain/base-relative.md"),
        Check::BaseMultiple => include_str!("explain/base-multiple.md"),
        Check::BaseLate => include_str!("explain/base-late.md"),
        Check::BaseOpaque => include_str!("explain/base-opaque.md"),
        Check::BaseUnused => include_str!("explain/base-unused.md"),
        Check::DuplicateId => include_str!("explain/duplicate-id.md"),
        Check::MetaRefreshLoop => include_str!("explain/meta-refresh-loop.md"),
        Check::Orphan => include_str!("explain/orphan.md"),
        Check::WrongCharset => include_str!("explain/wrong-charset.md"),
        Check::TemplateMarkup => include_str!("explain/template-markup.md"),
        Check::DanglingSymlink => include_str!("explain/dangling-symlink.md"),
        Check::ScriptFragment => include_str!("explain/script-fragment.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::checks::CHECKS;

    #[test]
    fn every_check_has_a_page_that_fits_a_terminal() {
        for row in CHECKS {
            let page = explain(row.check);
            let id = row.id;
            assert!(page.starts_with(&format!("# {id}: ")), "{id}: title");
            let lines = page.lines().count();
            assert!((10..=27).contains(&lines), "{id}: {lines} lines");
            for line in page.lines() {
                assert!(line.chars().count() <= 80, "{id}: {line}");
            }
            for part in ["Fix:", "Ignore:", &format!("--ignore {id}")] {
                assert!(page.contains(part), "{id}: {part}");
            }
        }
    }
}
