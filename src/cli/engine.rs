//! The share of each HTML engine in the documents of a site: the scanner, and the slower authority with
//! the reasons for it.

use std::collections::BTreeMap;

use super::exit::{CliError, Exit};
use super::opened::OpenedSite;
use super::progress::Listing;
use super::terminal;
use rehref_audit::site_index::SiteIndex;
use rehref_corpus::SourceDocument;
use rehref_document::html::scanner::{DECLINE_REASONS, DeclineReason};
use rehref_document::{DocumentKind, explain_engine};

/// A number of documents, and the sum of their sizes.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    documents: usize,
    bytes: usize,
}

/// Prints how many documents and bytes each engine reads, and for which reasons.
pub(super) fn explain(site: OpenedSite) -> Result<Exit, CliError> {
    let mut shares: BTreeMap<Option<DeclineReason>, Share> = BTreeMap::new();
    let explain = |_: &SiteIndex, document: &SourceDocument<'_>| {
        let is_html = document.options.kind == DocumentKind::Html;
        let reason = is_html.then(|| explain_engine(document.bytes, &document.options));
        let reason = reason.transpose()?;
        Ok(reason.map(|reason| (reason, document.bytes.len())))
    };
    let exit = site.each_document(Listing::Nothing, explain, |explained| {
        if let Some((reason, bytes)) = explained {
            let share = shares.entry(reason).or_default();
            share.documents += 1;
            share.bytes += bytes;
        }
        Ok(())
    })?;
    terminal::print(table(&shares))?;
    Ok(exit)
}

/// Formats `shares` as a table. The keys are reasons for the authority; `None` is the scanner's share.
fn table(shares: &BTreeMap<Option<DeclineReason>, Share>) -> String {
    let all = Share {
        documents: shares.values().map(|share| share.documents).sum(),
        bytes: shares.values().map(|share| share.bytes).sum(),
    };
    let line = |share: Share, what: &str| {
        let percent = 100.0 * share.bytes as f64 / all.bytes.max(1) as f64;
        let Share { documents, bytes } = share;
        format!("{documents:>9} {bytes:>14} {percent:>8.3} %  {what}\n")
    };
    let mut text = format!("{:>9} {:>14} {:>10}\n", "documents", "bytes", "of bytes");
    text += &line(all, "HTML");
    let scanned = shares.get(&None).copied();
    text += &line(scanned.unwrap_or_default(), "read by the scanner");
    for (reason, what, clause) in DECLINE_REASONS {
        if let Some(share) = shares.get(&Some(*reason)) {
            let what = match *clause {
                "" => format!("not: {what}"),
                clause => format!("not: {what} (HTML Standard {clause})"),
            };
            text += &line(*share, &what);
        }
    }
    text
}
