//! `absolute` on the documents of real trees: outside the edited spans, input and output are the same
//! bytes. Skipped where the trees do not exist.

use std::fs;
use std::path::Path;

use crate::fuzzing::documents::undo;
use rehref_document::{DocumentKind, FileKind, ParseOptions, file_kind, sniff_html};
use rehref_rewrite::{DocumentUrls, Policy, rewrite_document};
use rehref_site::SiteUrl;
use rehref_url::{AbsoluteUrl, Standard, splice};

use crate::test_data::{corpus, root};

fn document_kind(path: &Path, bytes: &[u8]) -> Option<DocumentKind> {
    match file_kind(path.file_name().unwrap()) {
        FileKind::Document(kind) => Some(kind),
        FileKind::Other => None,
        FileKind::Unknown => sniff_html(bytes).then_some(DocumentKind::Html),
    }
}

fn check(site: &Path) {
    let site_url = SiteUrl::parse("https://example.org/docs/").unwrap().0;
    let mut documents = 0;
    for entry in walkdir::WalkDir::new(site) {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let before = fs::read(entry.path()).unwrap();
        let path = entry.path().strip_prefix(site).unwrap();
        let Some(kind) = document_kind(path, &before) else { continue };
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document_url = site_url.file_url(path).unwrap();
        let document_url = AbsoluteUrl::new(Standard::Whatwg, document_url);
        let urls = DocumentUrls::unmoved(&document_url);
        let Ok(result) = rewrite_document(&before, urls, &Policy::absolute(), &options) else {
            continue;
        };
        documents += 1;
        if result.transcoded.is_none() {
            let edits = result.edits.clone();
            let after = result.into_bytes(&before);
            let after = after.as_deref().unwrap_or(&before);
            let path = path.display();
            assert_eq!(splice(&before, &edits), after, "{path}");
            assert_eq!(undo(&before, &edits, after), before, "{path}");
        }
    }
    println!("{}: {documents} documents", site.display());
    assert!(documents > 0);
}

#[test]
fn sample_site() {
    check(&root().join("sample-site"));
}

macro_rules! corpora {
    ($($name:ident = $package:literal;)*) => {$(
        #[test]
        fn $name() {
            if let Some(site) = corpus($package) {
                check(&site);
            }
        }
    )*};
}

corpora! {
    python = "python3.11-doc";
    apache = "apache2-doc";
    boost = "libboost1.74-doc";
    erlang = "erlang-doc";
    git = "git-doc";
}
