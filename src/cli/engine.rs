//! Which HTML engine reads the documents of a site: the scanner, or the slower authority, and why.

use std::collections::BTreeMap;

use super::exit::{CliError, Exit};
use super::opened::{OpenedSite, report_error};
use super::progress::{Listing, Progress};
use super::terminal;
use crate::corpus::Observer;
use crate::corpus::SourceDocument;
use crate::document::html::scanner::{DECLINE_REASONS, DeclineReason};
use crate::document::{DocumentKind, explain_engine};

/// The number of documents, and their size.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    documents: usize,
    bytes: usize,
}

impl Share {
    fn add(&mut self, bytes: usize) {
        self.documents += 1;
        self.bytes += bytes;
    }
}

/// Prints how many documents and bytes each engine reads, and for which reasons.
pub(super) fn explain(mut site: OpenedSite) -> Result<Exit, CliError> {
    let mut all = Share::default();
    let mut declined: BTreeMap<DeclineReason, Share> = BTreeMap::new();
    let mut failed = false;
    let progress = Progress::new(Listing::Nothing);
    progress.start(site.corpus.files().count());
    site.for_each_collection(|collection, _| {
        let explain = |document: &SourceDocument<'_>| {
            let is_html = document.options.kind == DocumentKind::Html;
            let reason = || explain_engine(document.bytes, &document.options);
            is_html.then(|| reason().map(|reason| (reason, document.bytes.len())))
        };
        let mut fail = |name: &str, error: &dyn std::fmt::Display| {
            failed = true;
            report_error(&name, error);
        };
        collection.each_document(
            explain,
            || progress.progress(),
            |name, result| {
                match result {
                    Ok(None) => {}
                    Ok(Some(Ok((reason, bytes)))) => {
                        all.add(bytes);
                        if let Some(reason) = reason {
                            declined.entry(reason).or_default().add(bytes);
                        }
                    }
                    Ok(Some(Err(error))) => fail(name, &error),
                    Err(error) => fail(name, &error),
                }
                Ok(())
            },
        )?;
        Ok(())
    })?;
    progress.finish();
    terminal::print(table(all, &declined))?;
    let failed = failed || site.failed;
    Ok(if failed { Exit::Error } else { Exit::Done })
}

fn table(all: Share, declined: &BTreeMap<DeclineReason, Share>) -> String {
    let sum = declined
        .values()
        .fold(Share::default(), |sum, share| Share {
            documents: sum.documents + share.documents,
            bytes: sum.bytes + share.bytes,
        });
    let line = |share: Share, what: &str| {
        let percent = 100.0 * share.bytes as f64 / all.bytes.max(1) as f64;
        format!(
            "{:>9} {:>14} {percent:>8.3} %  {what}\n",
            share.documents, share.bytes
        )
    };
    let mut text = format!("{:>9} {:>14} {:>10}\n", "documents", "bytes", "of bytes");
    text += &line(all, "HTML");
    let scanned = Share {
        documents: all.documents - sum.documents,
        bytes: all.bytes - sum.bytes,
    };
    text += &line(scanned, "read by the scanner");
    for row in DECLINE_REASONS {
        if let Some(share) = declined.get(&row.reason) {
            let clause = match row.clause {
                "" => String::new(),
                clause => format!(" (HTML Standard {clause})"),
            };
            text += &line(*share, &format!("not: {}{clause}", row.text));
        }
    }
    text
}
