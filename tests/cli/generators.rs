//! What the real generators made of the projects in `tests/generators` judges what rehref says of their sources: each
//! `record.json` was written by `tests/generators/record`, which runs the program; README.md there has the conventions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::{TestDir, copy_tree, tree};
use rehref_url::percent_decoded;

/// A project, and what its generator made of it.
struct Record {
    name: String,
    record: Value,
    project: PathBuf,
    /// The keys of links that rehref does not read, each with words with which it says so.
    unread: Vec<(String, String)>,
    key: Regex,
    /// The keys at whose lines the program warns.
    warned: BTreeSet<String>,
    faults: String,
}

impl Record {
    fn open(folder: &Path) -> Record {
        let read = |name: &str| fs::read_to_string(folder.join(name));
        let unread = read("unread").unwrap_or_default();
        let unread = unread.lines().filter_map(|line| line.split_once(' '));
        let mut record = Record {
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            record: serde_json::from_str(&read("record.json").unwrap()).unwrap(),
            project: folder.join("project"),
            unread: unread.map(|(key, words)| (key.to_owned(), words.to_owned())).collect(),
            key: Regex::new(r"\bk[0-9]+\b").unwrap(),
            warned: BTreeSet::new(),
            faults: String::new(),
        };
        let warning =
            Regex::new(r"^(?:PROJECT/)?(\S.*):([0-9]+): (?:WARNING|ERROR|CRITICAL)").unwrap();
        let warnings = record.record["warnings"].as_array().unwrap().iter();
        let keys = warnings.filter_map(|line| {
            let found = warning.captures(line.as_str()?)?;
            record.key_of(&found[1], found[2].parse().ok()?)
        });
        record.warned = keys.collect();
        record
    }

    fn fault(&mut self, text: &str) {
        writeln!(self.faults, "{}: {text}", self.name).unwrap();
    }

    /// The key of the link in this line of a source: the one in the line, else in the next lines of its paragraph, else
    /// in those before.
    fn key_of(&self, document: &str, line: usize) -> Option<String> {
        let text = fs::read_to_string(self.project.join(document)).ok()?;
        let lines: Vec<&str> = text.lines().collect();
        let key_in = |line: &&str| self.key.find(line).map(|found| found.as_str().to_owned());
        let is_text = |line: &&&str| !line.trim().is_empty();
        let (before, after) = lines.split_at_checked(line - 1)?;
        let below = after.iter().take_while(is_text).find_map(key_in);
        below.or_else(|| before.iter().rev().take_while(is_text).find_map(key_in))
    }

    /// What the program made of the link with this key, once for each page that has it differently.
    fn links(&self, key: &str) -> Vec<Value> {
        self.record["links"][key].as_array().cloned().unwrap_or_default()
    }

    fn is_broken(&self, key: &str) -> bool {
        let links = self.links(key);
        let is_dead = !links.is_empty() && links.iter().all(|link| link["ok"] == false);
        is_dead || self.warned.contains(key)
    }

    fn is_unread(&self, key: &str) -> bool {
        self.unread.iter().any(|(unread, _)| unread == key)
    }

    /// The path of the source, or of the file that was copied, that a link leads to.
    fn leads_to(&self, link: &Value) -> Vec<String> {
        let Some(to) = link["to"].as_str() else { return Vec::new() };
        if let Some(page) = self.record["pages"].get(to) {
            return page["source"].as_str().map(str::to_owned).into_iter().collect();
        }
        let files = tree(&self.project).into_iter().filter(|(_, bytes)| short_digest(bytes) == to);
        files.map(|(path, _)| path.to_string_lossy().into_owned()).collect()
    }

    /// Holds `links` against the record: each link of the program's pages is found, and leads where it leads there.
    fn check_links(&mut self, dir: &TestDir) {
        let run = dir.rehref(&["links", "project", "--format", "jsonl"]).status(0);
        let mut found = BTreeSet::new();
        for row in run.stdout().lines() {
            let row: Value = serde_json::from_str(row).unwrap();
            let place = format!("{}:{}", row["document"].as_str().unwrap(), row["line"]);
            let line = usize::try_from(row["line"].as_u64().unwrap()).unwrap();
            let Some(key) = self.key_of(row["document"].as_str().unwrap(), line) else { continue };
            found.insert(key.clone());
            let links = self.links(&key);
            let right: Vec<&Value> = links.iter().filter(|link| link["ok"] == true).collect();
            let Some(file) = row["file"].as_str() else { continue };
            let is_right = |link: &&Value| {
                let fragment = percent_decoded(row["fragment"].as_str().unwrap_or_default());
                let fragment = String::from_utf8_lossy(&fragment).into_owned();
                let ids = link["to"].as_str().map(|to| &self.record["pages"][to]["ids"]);
                let is_id = |ids: &Value| {
                    ids.as_array().is_some_and(|ids| ids.contains(&fragment.as_str().into()))
                };
                let is_same = link["fragment"].as_str().unwrap_or_default() == fragment
                    || ids.is_some_and(is_id);
                let places = self.leads_to(link);
                (is_same || row["kind"] != "internal")
                    && (places.is_empty() || places.iter().any(|it| it == file))
            };
            if !right.is_empty() && !right.iter().any(is_right) {
                self.fault(&format!("{place}: {key} leads to {file}, in the program {right:?}"));
            }
        }
        let keys: Vec<String> = self.record["links"].as_object().unwrap().keys().cloned().collect();
        for key in keys {
            if !found.contains(&key) && !self.is_unread(&key) {
                self.fault(&format!("{key} is not listed: in the program {:?}", self.links(&key)));
            }
        }
    }

    /// Holds `audit` against the record: an error is one in the program's pages, and what is broken there is a finding.
    fn check_audit(&mut self, dir: &TestDir) {
        let run = dir.rehref(&["audit", "project", "--format", "json"]);
        let report: Value = serde_json::from_str(&run.stdout()).unwrap();
        let mut found = BTreeSet::new();
        for finding in report["findings"].as_array().unwrap() {
            let document = finding["document"].as_str().unwrap_or_default();
            let line = usize::try_from(finding["line"].as_u64().unwrap_or(1)).unwrap();
            let key = self.key_of(document, line);
            let is_error = finding["level"] == "error";
            if is_error && !key.as_deref().is_some_and(|key| self.is_broken(key)) {
                let place = format!("{document}:{line}: {}", finding["message"]);
                self.fault(&format!("{place} ({key:?}): not an error of the program"));
            }
            found.extend(key);
        }
        let keys = self.record["links"].as_object().unwrap().keys();
        let keys: BTreeSet<String> = keys.chain(&self.warned).cloned().collect();
        for key in keys {
            if self.is_broken(&key) && !found.contains(&key) && !self.is_unread(&key) {
                self.fault(&format!("{key} is broken, and not a finding: {:?}", self.links(&key)));
            }
        }
        for (key, words) in &self.unread.clone() {
            if !run.stderr().contains(words) && !run.stdout().contains(words) {
                self.fault(&format!("no word of {key}, which is not read: {words}"));
            }
        }
    }

    /// Holds `move` against the record: it writes the sources of which the program made pages with the same links.
    fn check_moves(&mut self, dir: &TestDir) {
        for moved in self.record["moves"].as_array().unwrap().clone() {
            let arguments = moved["move"].as_str().unwrap();
            let out = dir.path("moved");
            let _ = fs::remove_dir_all(&out);
            let run = ["move", ".", "-o", "../moved"].into_iter().chain(arguments.split(' '));
            let run = dir.rehref_in("project", &run.collect::<Vec<_>>());
            if run.code() != Some(0) {
                self.fault(&format!("move {arguments}: {}", run.stderr()));
            } else if moved["sources"] != sources_digest(&out).as_str() {
                let text = "other bytes than those that the program built; record it again";
                self.fault(&format!("move {arguments}: {text}"));
            }
            for (key, leads) in moved["differs"].as_object().unwrap() {
                if !self.is_unread(key) {
                    self.fault(&format!("move {arguments}: {key} led elsewhere: {leads}"));
                }
            }
        }
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The start of the digest of a file, by which the record tells where a link to it leads.
fn short_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))[..16].to_owned()
}

/// The digest of all files, as `tests/generators/record` computes it.
fn sources_digest(folder: &Path) -> String {
    let mut digest = Sha256::new();
    let files = tree(folder).into_iter();
    let files: BTreeMap<_, _> =
        files.map(|(path, bytes)| (path.to_string_lossy().into_owned(), bytes)).collect();
    for (path, bytes) in files {
        digest.update(format!("{path}\0{}\0", bytes.len()));
        digest.update(bytes);
    }
    hex(&digest.finalize())
}

#[test]
fn the_generators_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators");
    let folders = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = folders.filter(|it| it.join("record.json").is_file()).collect();
    folders.sort();
    let mut faults = String::new();
    for folder in folders {
        let mut record = Record::open(&folder);
        let dir = TestDir::new();
        copy_tree(&record.project, &dir.path("project"));
        record.check_links(&dir);
        record.check_audit(&dir);
        record.check_moves(&dir);
        faults += &record.faults;
    }
    assert!(faults.is_empty(), "{faults}");
}
