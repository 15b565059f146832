//! All findings as compact JSON: each text once, the findings as numbers that refer to texts.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;

use super::super::super::checks::CHECKS;
use super::super::super::finding::Finding;
use super::super::escape::visible;
use super::super::json::serialized;
use super::folders::Folders;
use crate::diagnostic::Severity;

/// How many numbers a finding has: severity, check, document, line, column, carrier, reference,
/// target, message, suggestion.
const FIELDS: usize = 10;

#[derive(Serialize)]
struct Data<'a> {
    /// The stable names of the checks.
    checks: Vec<&'static str>,
    /// All texts. The first is empty: number 0 means no text, except for references.
    texts: Vec<String>,
    /// The folders, the worst first.
    folders: Vec<&'a str>,
    /// For each document with findings, the number of its text and of its folder.
    folder: Vec<(usize, usize)>,
    fields: usize,
    /// The findings, [`FIELDS`] numbers each. A reference is the number of its text plus 1, 0 for
    /// none.
    findings: Vec<usize>,
}

#[derive(Default)]
struct Texts<'a> {
    known: HashMap<&'a str, usize>,
    carriers: HashMap<(&'a str, &'a str), usize>,
    list: Vec<String>,
}

impl<'a> Texts<'a> {
    fn of(&mut self, text: &'a str) -> usize {
        let list = &mut self.list;
        *self.known.entry(text).or_insert_with(|| {
            list.push(visible(text).into_owned());
            list.len() - 1
        })
    }

    fn carrier(&mut self, element: &'a str, attribute: &'a str) -> usize {
        let list = &mut self.list;
        let pair = (element, attribute);
        *self.carriers.entry(pair).or_insert_with(|| {
            let element = visible(element);
            let mut text = match element.is_empty() {
                true => String::new(),
                false => format!("<{element}>"),
            };
            if !attribute.is_empty() {
                let space = if text.is_empty() { "" } else { " " };
                let _ = write!(text, "{space}{}", visible(attribute));
            }
            list.push(text);
            list.len() - 1
        })
    }
}

/// JSON that is safe in a script element.
pub(super) fn data(findings: &[Finding], folders: &Folders<'_>) -> String {
    let numbers: HashMap<&str, usize> = folders
        .worst
        .iter()
        .enumerate()
        .map(|(number, folder)| (folder.path, number))
        .collect();
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
            rows.push(match finding.severity {
                Severity::Error => 0,
                Severity::Warning => 1,
                Severity::Note => 2,
            });
            rows.push(finding.check as usize);
            rows.push(document);
            rows.push(finding.line().unwrap_or(0));
            rows.push(finding.column().unwrap_or(0));
            rows.push(texts.carrier(&finding.location.element, &finding.location.attribute));
            let reference = finding.reference.as_deref();
            rows.push(reference.map_or(0, |text| texts.of(text) + 1));
            for text in [
                finding.target.as_deref(),
                Some(finding.message.as_str()),
                finding.suggestion.as_deref(),
            ] {
                rows.push(texts.of(text.unwrap_or_default()));
            }
        }
    }
    let data = Data {
        checks: CHECKS.iter().map(|row| row.id).collect(),
        texts: texts.list,
        folders: folders.worst.iter().map(|folder| folder.label()).collect(),
        folder,
        fields: FIELDS,
        findings: rows,
    };
    let json = String::from_utf8(serialized(serde_json::to_vec(&data))).unwrap_or_default();
    // JSON has `<` only in strings. Escaped, it cannot start an end tag or a comment.
    json.replace('<', "\\u003c")
}
