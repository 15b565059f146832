//! All findings as compact JSON: each text once, the findings as numbers that refer to texts.

use std::collections::HashMap;

use super::super::super::checks::CHECKS;
use super::super::super::finding::Finding;
use super::super::escape::visible;
use super::super::json::object;
use super::super::summary::carrier;
use super::causes::Causes;
use super::folders::Folders;
use super::source_url::SourceUrl;
use rehref_site::{Location, Severity};

/// The number of fields of a finding: severity, check, document, line, column, carrier, reference,
/// target, message, suggestion, cause, source. Line and column are those of the source if there is one.
const FIELDS: usize = 12;

/// The texts of the data, each with its number.
#[derive(Default)]
struct Texts<'a> {
    known: HashMap<&'a str, usize>,
    /// By extension, element and attribute, which decide their words.
    carriers: HashMap<[&'a str; 3], usize>,
    list: Vec<String>,
}

impl<'a> Texts<'a> {
    /// The number of `text`.
    fn of(&mut self, text: &'a str) -> usize {
        let list = &mut self.list;
        *self.known.entry(text).or_insert_with(|| {
            list.push(visible(text).into_owned());
            list.len() - 1
        })
    }

    /// The number of the text of a carrier.
    fn carrier(&mut self, location: &'a Location) -> usize {
        let list = &mut self.list;
        let (_, extension) = location.path.rsplit_once('.').unwrap_or_default();
        let names = [extension, &*location.element, &*location.attribute];
        *self.carriers.entry(names).or_insert_with(|| {
            list.push(carrier(location));
            list.len() - 1
        })
    }
}

/// Returns the data of the report, as JSON that is safe in a script element.
pub(super) fn data(
    findings: &[Finding],
    folders: &Folders<'_>,
    causes: &Causes<'_>,
    source_url: Option<&SourceUrl>,
) -> String {
    let numbers: HashMap<&str, usize> =
        folders.worst.iter().enumerate().map(|(number, folder)| (folder.path, number)).collect();
    let mut rows = Vec::with_capacity(findings.len() * FIELDS);
    let mut folder = Vec::new();
    let documents = findings.chunk_by(|a, b| a.location.path == b.location.path);
    let mut texts = Texts::default();
    texts.of("");
    for same in documents {
        let Some(first) = same.first() else { continue };
        let document = texts.of(&first.location.path);
        let number = numbers.get(folders.of(&first.location.path));
        folder.push((document, number.copied().unwrap_or(0)));
        for finding in same {
            let position = finding.reported().position;
            let source = finding.source.as_ref();
            let reference = finding.reference.as_deref();
            let row: [usize; FIELDS] = [
                Severity::Error as usize - finding.severity as usize,
                finding.check as usize,
                document,
                position.map_or(0, |position| position.line),
                position.map_or(0, |position| position.column),
                texts.carrier(&finding.location),
                reference.map_or(0, |text| texts.of(text) + 1),
                texts.of(finding.target.as_deref().unwrap_or_default()),
                texts.of(&finding.message),
                texts.of(finding.suggestion.as_deref().unwrap_or_default()),
                causes.number_of(finding),
                source.map_or(0, |source| texts.of(&source.path)),
            ];
            rows.extend(row);
        }
    }
    let data = object! {
        // The stable names of the checks.
        checks: CHECKS.iter().map(|row| row.id).collect::<Vec<_>>(),
        // All texts. The first is empty: number 0 means no text, except for references.
        texts: texts.list,
        // The start of all documents' names that is not shown.
        common: visible(folders.common),
        // The folders, the worst first.
        folders: folders.worst.iter().map(|folder| folder.label).collect::<Vec<_>>(),
        // For each document with findings, the number of its text and of its folder.
        folder: folder,
        fields: FIELDS,
        // The ids of the causes in the page. Findings of others have the next number.
        causes: &causes.ids,
        // The URL of a document's source, with `{path}` and `{line}`.
        source: source_url.map(|url| &url.template),
        // Whether that is the URL of the file that a document was built from.
        of_sources: source_url.is_some_and(|url| url.is_of_sources),
        // The findings, `FIELDS` numbers each. A reference is the number of its text plus 1, 0 for
        // none.
        findings: rows
    };
    let json = serde_json::to_string(&data).unwrap_or_default();
    // JSON has `<` only in strings. Escaped, it cannot start an end tag or a comment.
    json.replace('<', "\\u003c")
}
