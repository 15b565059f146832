//! GitHub, GitLab and other hosts of repositories.

use super::plain::*;

impl MarkdownDialect {
    /// The rules of GitHub, GitLab and other code hosts.
    pub const GITHUB: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "github",
        program: "GitHub",
        help: "GitHub and other hosts of repositories",
        index_names: &["README.md", "readme.md", "Readme.md", "README.markdown"],
        is_repository: true,
        slugs: Style { html: true, ..PLAIN.slugs },
        bare_urls: true,
        ..PLAIN
    });
}

/// The pages of a repository on its host, by the first names of their paths.
const PAGES: &[&str] = &[
    "actions", "activity", "archive", "blame", "blob", "branches", "commit", "commits", "compare",
    "contributors", "deployments", "discussions", "edit", "forks", "graphs", "issues", "labels",
    "milestone", "milestones", "network", "new", "packages", "projects", "pull", "pulls", "pulse",
    "raw", "releases", "security", "stargazers", "tags", "tree", "watchers", "wiki",
];

/// Returns true if a code host has a page of its own at `path`, which begins `levels` above the root of the
/// repository's files and has no slash at its start: a page of this repository or, since this cannot be
/// checked, of another one.
pub fn is_page_of_host(levels: usize, path: &str) -> bool {
    let name = path.split(['/', '?', '#']).next().unwrap_or_default();
    // The first two levels are `blob/main`.
    match levels {
        0 | 1 => false,
        2 => name.is_empty() || PAGES.contains(&name),
        _ => true,
    }
}
