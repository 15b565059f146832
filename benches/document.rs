//! One thread, in memory: the documents of a tree made absolute, beside what peers need for less.

#![allow(missing_docs)]

mod support;

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use html5ever::tendril::TendrilSink;
use rehref::document::html::{authority, scanner};
use rehref::document::{Document, ParseOptions};
use rehref::rewrite::{DocumentUrls, Policy, rewrite_document};
use rehref::url::{AbsoluteUrl, Standard, Url};

/// As many documents as give a run of about a tenth of a second.
const BYTES: usize = 8 << 20;

/// The first documents of a tree.
fn documents(tree: &Path) -> Vec<Vec<u8>> {
    let mut size = 0;
    walkdir::WalkDir::new(tree)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| {
            let is_html = |path: &Path| path.extension().is_some_and(|e| e == "html");
            entry.file_type().is_file() && is_html(entry.path())
        })
        .map(|entry| std::fs::read(entry.path()).unwrap())
        .take_while(|bytes| {
            size += bytes.len();
            size < BYTES
        })
        .collect()
}

/// What a script with lol-html and the `url` crate does: `href` and `src`, entities ignored.
fn lol_html_absolute(html: &[u8], base: &url::Url) -> Vec<u8> {
    let mut output = Vec::with_capacity(html.len());
    let absolute = |element: &mut lol_html::html_content::Element<'_, '_>| {
        for name in ["href", "src"] {
            if let Some(target) = element
                .get_attribute(name)
                .and_then(|reference| base.join(&reference).ok())
            {
                element.set_attribute(name, target.as_str())?;
            }
        }
        Ok(())
    };
    let mut rewriter = lol_html::HtmlRewriter::new(
        lol_html::Settings::new()
            .append_element_content_handler(lol_html::element!("*[href],*[src]", absolute)),
        |chunk: &[u8]| output.extend_from_slice(chunk),
    );
    rewriter.write(html).unwrap();
    rewriter.end().unwrap();
    output
}

fn bench(criterion: &mut Criterion) {
    let documents = documents(&support::tree());
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let mut group = criterion.benchmark_group("document");
    group
        .throughput(Throughput::Bytes(bytes as u64))
        .sample_size(10);
    let url = Url::parse("https://example.org/docs/page.html").unwrap();
    let url = AbsoluteUrl::new(Standard::Whatwg, url);
    let options = ParseOptions::default();
    group.bench_function("rewrite", |bencher| {
        bencher.iter(|| {
            for document in &documents {
                black_box(
                    rewrite_document(
                        document,
                        DocumentUrls::unmoved(&url),
                        &Policy::absolute(),
                        &options,
                    )
                    .unwrap(),
                );
            }
        });
    });
    group.bench_function("extract", |bencher| {
        bencher.iter(|| {
            for document in &documents {
                black_box(Document::parse(document, &options).unwrap());
            }
        });
    });
    group.bench_function("peer: html5ever and RcDom, parse only", |bencher| {
        bencher.iter(|| {
            for document in &documents {
                let dom = markup5ever_rcdom::RcDom::default();
                let html = String::from_utf8_lossy(document);
                black_box(html5ever::parse_document(dom, Default::default()).one(&*html));
            }
        });
    });
    let base = url::Url::parse(url.as_str()).unwrap();
    group.bench_function("peer: lol-html and url, href and src only", |bencher| {
        bencher.iter(|| {
            for document in &documents {
                black_box(lol_html_absolute(document, &base));
            }
        });
    });
    group.finish();
}

/// What is found before anything is decoded or resolved.
fn bench_engines(criterion: &mut Criterion) {
    for tree in support::trees() {
        let documents = documents(&tree);
        let bytes: usize = documents.iter().map(Vec::len).sum();
        let name = tree.file_name().unwrap_or_default().to_string_lossy();
        let mut group = criterion.benchmark_group(format!("find values, {name}"));
        group
            .throughput(Throughput::Bytes(bytes as u64))
            .sample_size(10);
        for metadata in [false, true] {
            let with = if metadata { ", with metadata" } else { "" };
            group.bench_function(format!("scanner{with}"), |bencher| {
                bencher.iter(|| {
                    for document in &documents {
                        let _ = black_box(scanner::find_values(document, 0, metadata));
                    }
                });
            });
            group.bench_function(format!("authority{with}"), |bencher| {
                bencher.iter(|| {
                    for document in &documents {
                        let _ = black_box(authority::find_values(document, 0, metadata));
                    }
                });
            });
        }
        group.bench_function("peer: lol-html, href and src only", |bencher| {
            bencher.iter(|| {
                for document in &documents {
                    black_box(lol_html_values(document));
                }
            });
        });
        group.finish();
    }
}

/// How many bytes of `href` and `src` lol-html finds.
fn lol_html_values(html: &[u8]) -> usize {
    let mut found = 0;
    let count = |element: &mut lol_html::html_content::Element<'_, '_>| {
        for name in ["href", "src"] {
            found += element.get_attribute(name).map_or(0, |value| value.len());
        }
        Ok(())
    };
    let mut rewriter = lol_html::HtmlRewriter::new(
        lol_html::Settings::new()
            .append_element_content_handler(lol_html::element!("*[href],*[src]", count)),
        |_: &[u8]| {},
    );
    rewriter.write(html).unwrap();
    rewriter.end().unwrap();
    found
}

criterion_group!(benches, bench, bench_engines);
criterion_main!(benches);
