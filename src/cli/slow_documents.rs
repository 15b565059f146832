//! Notes the documents that the slower HTML engine parses.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::exit::CliError;
use super::terminal;
use rehref_corpus::{Corpus, SourceDocument};
use rehref_document::html::scanner::{DECLINE_REASONS, DeclineReason};
use rehref_document::{Document, DocumentKind, explain_engine};
use rehref_site::plural::{counted, number};

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
