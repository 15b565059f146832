//! Warnings of moves of anchors whose new page has no such anchor.

use std::fs;
use std::path::Path;

use super::terminal;
use rehref_corpus::run::Plan;
use rehref_document::metadata::Anchors;
use rehref_document::{Document, ParseOptions};
use rehref_site::AnchorMove;
use rehref_site::diagnostic::display_path;
use rehref_site::nearest::nearest;

/// Warns of the anchors that links get, and that their pages do not have.
pub(super) fn warn(plan: &Plan) {
    for AnchorMove { new_file, new, .. } in plan.moves.anchors() {
        let Some(anchors) = anchors(plan, new_file) else {
            continue;
        };
        // A program may make the anchors of such a document.
        if anchors.len() == 0 || anchors.contains(new) {
            continue;
        }
        let limit = 1 + new.chars().count() / 4;
        let similar = nearest(anchors.iter().map(|it| (it, it)), new, limit);
        let hint =
            similar.map_or(String::new(), |(_, name)| format!("; the nearest anchor is `{name}`"));
        let file = display_path(new_file);
        terminal::warning(format!("{file} has no anchor `{new}`{hint}"));
    }
}

/// The anchors of the document that is at `new_file` after the moves; `None` if it is none that can be read.
fn anchors(plan: &Plan, new_file: &Path) -> Option<Anchors> {
    let corpus = &plan.corpus;
    let mut files = corpus.files();
    let old = files.find(|old| plan.new_path(old) == new_file)?;
    let kind = corpus.selection.document_kind(&corpus.root, old).ok()??;
    let bytes = fs::read(corpus.root.join(old)).ok()?;
    let options = ParseOptions { kind, metadata: true, ..corpus.options };
    let document = Document::parse(&bytes, &options).ok()?;
    Some(document.metadata?.anchors)
}
