//! The report as a page of HTML, on the findings of the other formats.

use super::audit_reports::{finding, findings, html_options, summary};
use crate::finding::ReportedFile;
use crate::report::{HtmlOptions, html};
use crate::{Check, Finding};

/// The value of the page's data.
fn data_of(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(start).unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    assert!(!data.contains('<'), "no end tag, no comment");
    serde_json::from_str(data).unwrap()
}

/// The name of an element and its attributes.
type Element = (String, Vec<(String, String)>);

/// The page as a browser parses it: its elements with their attributes, and its text outside of
/// scripts and styles.
fn parsed(page: &str) -> (Vec<Element>, String) {
    let (mut elements, mut text) = (Vec::new(), String::new());
    let mut raw = false;
    let mut emitter = html5gum::DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for Ok(token) in html5gum::Tokenizer::new_with_emitter(page, emitter) {
        match token {
            html5gum::Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                raw = matches!(name.as_str(), "script" | "style");
                let attributes = tag.attributes.iter().map(|(name, value)| {
                    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                    (text(name), text(&value.value))
                });
                elements.push((name, attributes.collect()));
            }
            html5gum::Token::EndTag(_) => raw = false,
            html5gum::Token::String(string) if !raw => {
                text.push_str(&String::from_utf8_lossy(&string));
            }
            html5gum::Token::Error(error) => panic!("{error:?}"),
            _ => {}
        }
    }
    (elements, text)
}

#[test]
fn html_loads_nothing_and_is_whole() {
    let page = String::from_utf8(html(&summary(), &findings(), &html_options())).unwrap();
    let (elements, text) = parsed(&page);
    for (name, attributes) in &elements {
        assert!(!matches!(name.as_str(), "link" | "img" | "iframe" | "base"), "{name}");
        for (attribute, value) in attributes {
            // Links within the page, and the widths of bars.
            let is_place = name == "a" && attribute == "href" && value.starts_with('#');
            let width = value.strip_prefix("width:").and_then(|it| it.strip_suffix('%'));
            let is_width =
                attribute == "style" && width.is_some_and(|it| it.parse::<f32>().is_ok());
            if is_place || is_width {
                continue;
            }
            let loads = ["src", "href", "srcset", "data", "poster", "background", "style"];
            assert!(!loads.contains(&attribute.as_str()), "{name} {attribute}={value}");
            assert!(!attribute.starts_with("on"), "{name} {attribute}={value}");
        }
    }
    assert!(!page.contains("@import") && !page.contains("url(") && !page.contains("fetch("));
    // The page's own: one style, the data and the script.
    let count = |name: &str| elements.iter().filter(|(n, _)| n == name).count();
    assert_eq!((count("style"), count("script")), (1, 2));
    // What is in the findings is text, and shows.
    assert!(text.contains("no \"file\" <here> & 'there'\\u{0}"), "{text}");
    assert!(text.contains("hard/1% #?,:漢字 </script><!--.html:7:13"), "{text}");
    assert!(text.contains("a\\u{1b}[31m\\u{202e}gpj.html"), "{text}");
    assert!(text.contains("https://example.org/docs/?a=<b>&c"), "{text}");
    // Without scripts: totals, checks, folders, causes with their places.
    for part in [
        "Audit of ./pub lic/",
        "1,234 documents with 56,789 links",
        "7 findings are in the baseline and not shown",
        "Worst directories",
        "Most-wanted missing targets",
        "wrong-charset",
        "12×",
        "and 9 more; 12 documents in total",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn html_has_every_finding_as_data() {
    let findings = findings();
    let page = String::from_utf8(html(&summary(), &findings, &html_options())).unwrap();
    let data = data_of(&page);
    let fields = data["fields"].as_u64().unwrap() as usize;
    let rows: Vec<usize> =
        data["findings"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    assert_eq!(rows.len(), findings.len() * fields);
    let text = |at: usize| data["texts"][at].as_str().unwrap();
    for (row, finding) in rows.chunks(fields).zip(&findings) {
        assert_eq!(
            ["error", "warning", "note"][row[0]],
            format!("{:?}", finding.severity).to_lowercase()
        );
        assert_eq!(data["checks"][row[1]], finding.check.id());
        assert_eq!(text(row[2]), &*finding.location.path);
        assert_eq!((row[3], row[4]), (finding.line().unwrap_or(0), finding.column().unwrap_or(0)));
        if finding.check != Check::BrokenTarget {
            let reference = row[6].checked_sub(1).map(text);
            assert_eq!(reference, finding.reference.as_deref());
            assert_eq!(text(row[7]), finding.target.as_deref().unwrap_or_default());
            assert_eq!(text(row[8]), finding.message);
            assert_eq!(text(row[9]), finding.suggestion.as_deref().unwrap_or_default());
        }
    }
    let folders: Vec<&str> =
        data["folders"].as_array().unwrap().iter().map(|folder| folder.as_str().unwrap()).collect();
    assert!(folders.contains(&"pages/07/") && folders.contains(&"./"), "{folders:?}");
}

#[test]
fn html_shows_the_causes_with_their_sources() {
    let findings = findings();
    let source_url = "https://example.org/blob/{path}#L{line}".parse().unwrap();
    let options = HtmlOptions {
        source: &|document| {
            (document == ReportedFile::Document("a.html"))
                .then(|| "\n\n\t<p>漢字<a href=\"Guide.html\">".into())
        },
        source_url: Some(&source_url),
        date: Some("today"),
        command: Some("rehref audit 'a <b>'"),
    };
    let page = String::from_utf8(html(&summary(), &findings, &options)).unwrap();
    let (elements, text) = parsed(&page);
    assert!(text.contains("on today with rehref audit 'a <b>'"), "{text}");
    assert!(
        page.contains("<span>3</span>    &lt;p&gt;漢字&lt;a href=&quot;<mark>Guide.html</mark>"),
        "{page}"
    );
    let values = |wanted: &str| -> Vec<&str> {
        let attributes = elements.iter().flat_map(|(_, attributes)| attributes);
        let values = attributes.filter(|(name, _)| name == wanted);
        values.map(|(_, value)| value.as_str()).collect()
    };
    let links = values("href");
    assert!(links.contains(&"https://example.org/blob/a.html#L3"), "{links:?}");
    // Every link in the page leads somewhere, and the data knows the causes by the same ids.
    let (ids, data) = (values("id"), data_of(&page));
    for link in links.iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(ids.contains(&link), "{link}: {ids:?}");
    }
    let causes = data["causes"].as_array().unwrap();
    assert!(causes.len() > 5 && causes.iter().all(|id| ids.contains(&id.as_str().unwrap())));
    let fields = data["fields"].as_u64().unwrap() as usize;
    let rows = data["findings"].as_array().unwrap();
    let of = |at: usize| rows[at * fields + 10].as_u64().unwrap() as usize;
    let search: Vec<usize> = (0..findings.len())
        .filter(|&at| findings[at].reference.as_deref() == Some("../../search.html?a=1&b=2"))
        .map(of)
        .collect();
    assert!(search.len() > 5 && search.iter().all(|cause| *cause == search[0]), "{search:?}");
    assert!((0..findings.len()).all(|at| of(at) < causes.len()));
}

#[test]
fn html_without_findings_has_no_scripts() {
    let page = String::from_utf8(html(&summary(), &[], &html_options())).unwrap();
    let (elements, text) = parsed(&page);
    assert!(elements.iter().all(|(name, _)| name != "script"));
    assert!(text.contains("No findings."));
}

/// As many findings as a large site has, by a generator that repeats them; left at `rehref-audit-20000.html` in the
/// directory for temporary files, to be opened in a browser.
#[test]
fn html_of_many_findings_is_compact() {
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let names = ["core", "alloc", "std", "proc_macro", "test", "book", "reference", "cargo"];
    let mut findings: Vec<Finding> = (0..20_000)
        .map(|_| {
            let name = names[below(names.len() as u64).min(below(8)) as usize];
            let page = below(4000);
            let document = format!("{name}/arch/x{:02}/struct.Item{page}.html", page % 37);
            let place = Some((below(3000) as usize + 1, below(120) as usize + 1));
            let wanted = below(900).min(below(900)).min(below(900));
            match below(20) {
                0..=9 => finding(
                    Check::BrokenFragment,
                    &document,
                    place,
                    Some(&format!("../struct.Vec.html#method.from_{wanted}")),
                    Some(&format!("/{name}/struct.Vec.html#method.from_{wanted}")),
                    "the file has no such place",
                ),
                10..=14 => finding(
                    Check::BrokenTarget,
                    &document,
                    place,
                    Some(&format!("../../../implementors/trait.Thing{wanted}.html")),
                    Some(&format!("/implementors/trait.Thing{wanted}.html")),
                    "there is no such file",
                ),
                15..=16 => {
                    let mut found = finding(
                        Check::WrongCase,
                        &document,
                        place,
                        Some("../Index.html"),
                        Some(&format!("/{name}/arch/Index.html")),
                        "the file's name differs in letter case",
                    );
                    found.suggestion = Some("../index.html".into());
                    found
                }
                17 => finding(
                    Check::DuplicateId,
                    &document,
                    place,
                    None,
                    None,
                    &format!("the id `impl-{wanted}` is there twice"),
                ),
                18 => finding(
                    Check::EmptyReference,
                    &document,
                    place,
                    Some(""),
                    Some(&format!("/{document}")),
                    "an empty reference means this document",
                ),
                _ => finding(
                    Check::MissingTrailingSlash,
                    &document,
                    place,
                    Some(&format!("../{name}")),
                    Some(&format!("/{name}")),
                    "a directory URL without its trailing slash",
                ),
            }
        })
        .collect();
    findings.sort_by(|a, b| {
        (&a.location.path, a.line(), a.column()).cmp(&(&b.location.path, b.line(), b.column()))
    });
    let page = html(&summary(), &findings, &html_options());
    assert_eq!(page, html(&summary(), &findings, &html_options()));
    assert!(page.len() < 100 * findings.len(), "{} bytes", page.len());
    let path = std::env::temp_dir().join("rehref-audit-20000.html");
    std::fs::write(path, page).unwrap();
}
