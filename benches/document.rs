//! One thread, in memory: the documents of a tree made absolute, beside what peers need for less.

#![allow(missing_docs)]

use std::hint::black_box;
use std::path::Path;

use html5ever::tendril::TendrilSink;
use rehref::{DocumentKind, MarkdownDialect, Page, PageOptions, Url};
use rehref_benches::Group;

/// As many documents as give a run of about a tenth of a second.
const BYTES: usize = 8 << 20;

/// The first documents of a tree that have this extension.
fn documents(tree: &Path, extension: &str) -> Vec<Vec<u8>> {
    let mut size = 0;
    walkdir::WalkDir::new(tree)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| {
            let is_one = |path: &Path| path.extension().is_some_and(|e| e == extension);
            entry.file_type().is_file() && is_one(entry.path())
        })
        .map(|entry| std::fs::read(entry.path()).unwrap())
        .take_while(|bytes| {
            size += bytes.len();
            size < BYTES
        })
        .collect()
}

fn bench() {
    for tree in rehref_benches::trees() {
        bench_tree(&tree);
        bench_markdown(&tree);
    }
}

/// The Markdown of a tree, beside the parser that decides what is a link.
fn bench_markdown(tree: &Path) {
    let documents = documents(tree, "md");
    if documents.is_empty() {
        return;
    }
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    let group = Group::new(format!("markdown, {name}"), 10).with_work(bytes, "bytes");
    let url: Url = "https://example.org/docs/page.md".parse().unwrap();
    let options = PageOptions::from(DocumentKind::Markdown(MarkdownDialect::GITHUB));
    group.measure("absolute", || {
        for document in &documents {
            black_box(rehref::absolute(document, &url, &options).unwrap());
        }
    });
    group.measure("parse", || {
        for document in &documents {
            black_box(Page::parse(document, &url, &options).unwrap());
        }
    });
    let extensions = pulldown_cmark::Options::ENABLE_TABLES
        | pulldown_cmark::Options::ENABLE_FOOTNOTES
        | pulldown_cmark::Options::ENABLE_STRIKETHROUGH
        | pulldown_cmark::Options::ENABLE_TASKLISTS;
    group.measure("peer: pulldown-cmark, events only", || {
        for document in &documents {
            let text = String::from_utf8_lossy(document);
            let events = pulldown_cmark::Parser::new_ext(&text, extensions);
            black_box(events.into_offset_iter().count());
        }
    });
}

fn bench_tree(tree: &Path) {
    let documents = documents(tree, "html");
    if documents.is_empty() {
        return;
    }
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    let group = Group::new(format!("document, {name}"), 10).with_work(bytes, "bytes");
    let url: Url = "https://example.org/docs/page.html".parse().unwrap();
    let options = PageOptions::default();
    group.measure("absolute", || {
        for document in &documents {
            black_box(rehref::absolute(document, &url, &options).unwrap());
        }
    });
    group.measure("parse", || {
        for document in &documents {
            black_box(Page::parse(document, &url, &options).unwrap());
        }
    });
    group.measure("peer: html5ever and RcDom, parse only", || {
        for document in &documents {
            let dom = markup5ever_rcdom::RcDom::default();
            let html = String::from_utf8_lossy(document);
            black_box(html5ever::parse_document(dom, Default::default()).one(&*html));
        }
    });
}

/// Twice the work has to take twice as long, not four times: references are found by their place in
/// the line and by the name of their part.
fn bench_messages() {
    let url: Url = "https://example.org/docs/a.mht".parse().unwrap();
    let options = PageOptions::from(DocumentKind::Message);
    for links in [5_000, 10_000, 20_000] {
        let line = "<a href=3D\"x\">y</a>".repeat(links);
        let space = " ".repeat(20 * links);
        let long_line = format!(
            "MIME-Version: 1.0\nContent-Type: text/html\n\
             Content-Transfer-Encoding: quoted-printable\n\n{line}{space}{line}"
        );
        let references: String = (0..links).map(|n| format!("<img src=p/{n}.png>")).collect();
        let parts: String = (0..links)
            .map(|n| format!("--b\nContent-Type: image/png\nContent-Location: p/{n}.png\n\nx\n"))
            .collect();
        let many_parts = format!(
            "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n\
             --b\nContent-Type: text/html\n\n{references}\n{parts}--b--\n"
        );
        let group = Group::new(format!("message with {links} references"), 5);
        for (name, message) in [("on a long line", long_line), ("into many parts", many_parts)] {
            group.measure(name, || rehref::absolute(message.as_bytes(), &url, &options).unwrap());
        }
    }
}

fn main() {
    bench();
    bench_messages();
}
