//! The share of each HTML engine in the documents of a site: the scanner, and the slower authority with
//! the reasons for it.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::exit::{CliError, Exit};
use super::opened::OpenedSite;
use super::progress::Listing;
use super::terminal;
use rehref_audit::site_index::SiteIndex;
use rehref_corpus::{Corpus, SourceDocument};
use rehref_document::html::scanner::{DECLINE_REASONS, DeclineReason};
use rehref_document::{Document, DocumentKind, explain_engine};
use rehref_site::plural::{counted, number};

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

/// The number of documents that `--verbose` names.
const NAMED: usize = 20;

/// Notes which documents of `corpus` need the slower engine, why, and how long it takes to parse each. Reads
/// the documents once more: who asks for this has the time.
pub(super) fn note_slow(corpus: &Corpus) -> Result<(), CliError> {
    let (mut slow, mut seen) = (0, 0);
    let explain = |document: &SourceDocument<'_>| {
        let is_html = document.options.kind == DocumentKind::Html;
        let reason = is_html.then(|| explain_engine(document.bytes, &document.options));
        let reason = reason.transpose().ok().flatten().flatten()?;
        let started = Instant::now();
        let _ = Document::parse(document.bytes, &document.options);
        Some((reason, started.elapsed().as_secs_f64() * 1000.0))
    };
    for collection in corpus.collections() {
        let note = |name: &str, explained: Result<Option<(DeclineReason, f64)>, _>| {
            seen += 1;
            if let Ok(Some((reason, milliseconds))) = explained {
                slow += 1;
                if slow <= NAMED {
                    let row = DECLINE_REASONS.iter().find(|(known, ..)| *known == reason);
                    let why = row.map_or("", |(_, why, _)| why);
                    terminal::note(format!(
                        "{name}: parsed by the slower engine in {milliseconds:.1} ms: {why}"
                    ));
                }
            }
            Ok(())
        };
        // What cannot be read is an error of the run itself.
        let _ = collection.each_document(None, explain, || (), note);
    }
    if corpus.cancel.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted);
    }
    let documents = counted(seen, "document");
    let verb = if slow == 1 { "needs" } else { "need" };
    terminal::note(format!(
        "{} of {documents} {verb} the slower engine",
        number(slow)
    ));
    Ok(())
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
