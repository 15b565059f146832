//! The pages of the reference that are made from tables which only the crate sees.
//! `INSTA_UPDATE=always` writes them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rehref::document::html::attributes::{AttributeBase, Condition, URL_ATTRIBUTES, URL_METADATA};
use rehref::document::html::{AttributeRow, Namespace, ValueKind};

fn value(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Url => "URL",
        ValueKind::Srcset => "image candidates",
        ValueKind::SpaceSeparated => "URLs, separated by spaces",
        ValueKind::CommaSeparated => "URLs, separated by commas",
        ValueKind::SemicolonSeparated => "URLs, separated by semicolons",
        ValueKind::Refresh => "`N; url=URL`",
        ValueKind::Css => "CSS",
        ValueKind::Html => "an HTML document",
        ValueKind::Integrity => "digests of a file",
        ValueKind::Cors => "how a file is fetched",
        ValueKind::Policy => "a Content Security Policy",
    }
}

fn notes(row: &AttributeRow) -> String {
    let condition = match row.when {
        Condition::Always => "",
        Condition::HttpEquivRefresh => "`http-equiv=refresh`",
        Condition::HttpEquivPolicy => "`http-equiv=content-security-policy`",
        Condition::UrlMetadata => "`property` or `name` is one of those below",
        Condition::ParameterUrl => "`valuetype=ref`, or a media file",
        Condition::AnimatesHref => "if it animates `href`",
    };
    let base = match row.base {
        AttributeBase::Document => "",
        AttributeBase::Fallback => "sets the base URL",
        AttributeBase::BeforeBase => "does not count from `base`",
        AttributeBase::Codebase => "counts from `codebase`",
    };
    let notes = [
        condition,
        base,
        if row.relative_only {
            "never rewritten"
        } else {
            ""
        },
        if row.fragment_is_local {
            "`#id` means this document"
        } else {
            ""
        },
        if row.rdfa { "with `--rdfa`" } else { "" },
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

fn page() -> String {
    let mut page =
        "# URL attributes\n\nThe attributes that every command reads, from the HTML Standard \
        and its obsolete features, HTML 4.01, browsers of the 1990s, SVG, MathML and RDFa. \
        `integrity`, `crossorigin` and policies hold no URL, but depend on one.\n"
            .to_owned();
    for (namespace, name) in [
        (Namespace::Html, "HTML"),
        (Namespace::Svg, "SVG"),
        (Namespace::MathMl, "MathML"),
    ] {
        write!(
            page,
            "\n## {name}\n\n| elements | attribute | value | |\n|---|---|---|---|\n"
        )
        .unwrap();
        for row in URL_ATTRIBUTES
            .iter()
            .filter(|row| row.namespace == namespace)
        {
            let elements: Vec<String> = row.elements.iter().map(|it| format!("`{it}`")).collect();
            let elements = match elements.is_empty() {
                true => "any".to_owned(),
                false => elements.join(", "),
            };
            let (attribute, value, notes) = (row.attribute, value(row.kind), notes(row));
            let cells = format!("| {elements} | `{attribute}` | {value} | {notes} |");
            writeln!(page, "{}", cells.replace("  ", " ")).unwrap();
        }
    }
    page += "\n## Metadata\n\nThe `content` of a `meta` element is a URL if its `property` or `name` is \
        one of these:\n\n";
    for name in URL_METADATA {
        writeln!(page, "- `{name}`").unwrap();
    }
    page
}

#[test]
fn the_page_of_the_attributes_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/attributes.md");
    let page = page();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::write(&path, &page).unwrap();
    }
    let is_current = fs::read_to_string(&path).is_ok_and(|current| current == page);
    assert!(is_current, "INSTA_UPDATE=always writes {}", path.display());
}
