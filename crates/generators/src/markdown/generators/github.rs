//! GitHub, GitLab and other hosts of repositories.

use super::plain::*;

impl MarkdownDialect {
    /// GitHub, GitLab and other hosts of repositories.
    pub const GITHUB: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "github",
        program: "GitHub",
        help: "GitHub and other hosts of repositories",
        bare_urls: true,
        ..PLAIN
    });
}
