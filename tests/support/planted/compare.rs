//! Compares the planted defects with the findings.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Row, doubtful};

/// The objects of a JSONL text.
pub fn records(jsonl: &str) -> impl Iterator<Item = Value> {
    jsonl.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// The row of a finding, or of a reference as `links` has it.
pub fn row(check: &str, record: &Value) -> Row {
    let text = |name: &str| record[name].as_str().map(str::to_owned);
    let number = |name: &str| record[name].as_u64().map(|n| usize::try_from(n).unwrap());
    Row {
        check: check.to_owned(),
        document: text("document").unwrap_or_default(),
        line: number("line"),
        column: number("column"),
        element: text("element").unwrap_or_default(),
        attribute: text("attribute").unwrap_or_default(),
        reference: text("reference"),
    }
}

/// The findings that an audit printed as JSONL.
pub fn findings(jsonl: &str) -> Vec<Row> {
    records(jsonl).map(|record| row(record["check"].as_str().unwrap(), &record)).collect()
}

/// A line for each row that is not on both sides as often.
pub fn difference(
    planted: impl IntoIterator<Item = Row>,
    found: impl IntoIterator<Item = Row>,
) -> Vec<String> {
    let mut difference = counted(found);
    for (row, count) in counted(planted) {
        *difference.entry(row).or_default() -= count;
    }
    difference
        .iter()
        .filter(|(_, count)| **count != 0)
        .map(|(row, count)| line(row, *count))
        .collect()
}

fn counted(rows: impl IntoIterator<Item = Row>) -> BTreeMap<Row, i64> {
    let mut counts = BTreeMap::new();
    for row in rows.into_iter().filter_map(doubtful::compared) {
        *counts.entry(row).or_default() += 1;
    }
    counts
}

fn line(row: &Row, count: i64) -> String {
    let what = match count {
        ..0 => "missed",
        _ => "too much",
    };
    let number = |it: Option<usize>| it.map_or("-".to_owned(), |it| it.to_string());
    format!(
        "{what}: {}:{}:{}: {} [{} {}] {:?}",
        row.document,
        number(row.line),
        number(row.column),
        row.check,
        row.element,
        row.attribute,
        row.reference.as_deref().unwrap_or_default()
    )
}
