//! Resolving and relativizing the references of a real tree, against the `url` crate.

#![allow(missing_docs)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use rehref::{RelativeForm, Url};
use rehref_benches::Group;

/// A document: its URL in both representations, and its references.
struct Document {
    ours: Url,
    theirs: url::Url,
    references: Vec<String>,
}

fn tree() -> PathBuf {
    let home = std::env::var_os("HOME").unwrap_or_default();
    PathBuf::from(home).join(".cache/rehref-corpora/python3.11-doc")
}

fn html_files(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            html_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
}

/// What stands between the quotes of `href="..."` and `src="..."`.
fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in [" href=\"", " src=\""] {
        let ends = html.split(mark).skip(1);
        let values = ends.filter_map(|rest| rest.split_once('"'));
        found.extend(values.map(|(value, _)| value.replace("&amp;", "&")));
    }
    found
}

fn documents() -> Vec<Document> {
    let root = tree();
    let mut files = Vec::new();
    html_files(&root, &mut files);
    files.sort();
    let document = |path: &PathBuf| {
        let place = path.strip_prefix(&root).ok()?.to_str()?;
        let at = format!("https://docs.example.org/3/{place}");
        Some(Document {
            ours: at.parse().ok()?,
            theirs: url::Url::parse(&at).ok()?,
            references: references(&String::from_utf8_lossy(&fs::read(path).ok()?)),
        })
    };
    files.iter().filter_map(document).collect()
}

fn main() {
    let documents = documents();
    let count: usize = documents.iter().map(|document| document.references.len()).sum();
    if count == 0 {
        println!("skipped: no HTML in {}", tree().display());
        return;
    }
    let mut differ = 0;
    for document in &documents {
        for reference in &document.references {
            let ours = document.ours.resolve(reference);
            let theirs = document.theirs.join(reference);
            if ours.as_ref().map(Url::as_str).ok() != theirs.as_ref().map(url::Url::as_str).ok() {
                differ += 1;
            }
        }
    }
    println!(
        "{} documents, {count} references, {differ} of them resolved differently by the url crate",
        documents.len()
    );

    let group = Group::new("resolve", 20).with_work(count, "references");
    let every = |each: &dyn Fn(&Document, &str) -> usize| -> usize {
        documents
            .iter()
            .flat_map(|document| document.references.iter().map(move |text| (document, text)))
            .map(|(document, text)| each(document, black_box(text)))
            .sum()
    };
    group.measure("rehref", || {
        every(&|document, text| {
            let url = document.ours.resolve(text);
            url.map_or(0, |url| url.as_str().len())
        })
    });
    group.measure("url crate", || {
        every(&|document, text| {
            let url = document.theirs.join(text);
            url.map_or(0, |url| url.as_str().len())
        })
    });

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for document in &documents {
        for text in &document.references {
            let Ok(target) = document.ours.resolve(text) else { continue };
            let target_of_peer = url::Url::parse(target.as_str()).unwrap();
            if target_of_peer.host_str() == document.theirs.host_str() {
                ours.push((&document.ours, target));
                theirs.push((&document.theirs, target_of_peer));
            }
        }
    }
    let group = Group::new("relativize", 20).with_work(ours.len(), "references");
    for style in [RelativeForm::Path, RelativeForm::Shortest] {
        group.measure(format!("rehref, style {style}"), || {
            ours.iter()
                .map(|(base, target)| base.relativize(black_box(target), style))
                .map(|reference| reference.map_or(0, |reference| reference.len()))
                .sum::<usize>()
        });
    }
    group.measure("url crate, not verified", || {
        theirs
            .iter()
            .map(|(base, target)| base.make_relative(black_box(target)))
            .map(|reference| reference.map_or(0, |reference| reference.len()))
            .sum::<usize>()
    });
}
