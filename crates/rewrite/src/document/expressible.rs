//! Finds the changes that cannot be written in a container: its changed text must still hold the same references.

use crate::decision::Decision;
use rehref_document::container::{Container, Syntax};
use rehref_document::reference::urls_of;
use rehref_document::{Reference, TemplateDialects};
use rehref_url::{ReferenceForm, Span, TextEdit};

/// The most references of a container that are tried one by one: each try reads the whole text.
const MOST_TRIED: usize = 64;

/// Returns the indexes in `decisions` of the changes that cannot be written in `container`. If changes
/// `may_be_dotted`, one that can be written only with `./` at its start gets it: `srcset` cuts off a comma at the
/// start of a URL, and a refresh the name `url=`.
pub(super) fn fit(
    container: &Container,
    references: &[Reference],
    decisions: &mut [Decision],
    templates: TemplateDialects,
    may_be_dotted: bool,
) -> Vec<usize> {
    let fits = |decisions: &[Decision]| is_expressible(container, references, decisions, templates);
    if fits(decisions) {
        return Vec::new();
    }
    let changes = decisions.iter().enumerate();
    let changes = changes.filter(|(_, it)| matches!(it, Decision::Change(_)));
    let changes: Vec<usize> = changes.map(|(at, _)| at).collect();
    if decisions.len() > MOST_TRIED {
        return changes;
    }
    let mut unfit = Vec::new();
    for &at in &changes {
        let (Some(decision), Some(reference)) = (decisions.get_mut(at), references.get(at)) else {
            continue;
        };
        let with_dot = dotted(decision, reference.span.of_str(container.text.as_str()));
        let mut alone = vec![Decision::AlreadyCorrect; references.len()];
        let mut fits_alone = |way: &Decision| {
            if let Some(it) = alone.get_mut(at) {
                it.clone_from(way);
            }
            fits(&alone)
        };
        if !fits_alone(decision) {
            match with_dot.filter(|way| may_be_dotted && fits_alone(way)) {
                Some(way) => *decision = way,
                None => unfit.push(at),
            }
        }
    }
    let is_unfit = |(at, decision): (usize, &Decision)| match unfit.contains(&at) {
        true => Decision::AlreadyCorrect,
        false => decision.clone(),
    };
    let together: Vec<Decision> = decisions.iter().enumerate().map(is_unfit).collect();
    if fits(&together) { unfit } else { changes }
}

/// The change with `./` before a path that begins with a name.
fn dotted(decision: &Decision, reference: &str) -> Option<Decision> {
    let Decision::Change(edit) = decision else { return None };
    let changed = edit.apply(reference);
    let is_name = ReferenceForm::of(&changed) == ReferenceForm::Path && !changed.starts_with('.');
    is_name.then(|| Decision::Change(TextEdit::new(0..reference.len(), format!("./{changed}"))))
}

/// Returns true if the changed text still holds the same references, each with its change. A comma in a new
/// URL may split a list, a quote may end a quoted refresh, and a brace before percent-encoded text
/// would be read as template markup.
fn is_expressible(
    container: &Container,
    references: &[Reference],
    decisions: &[Decision],
    templates: TemplateDialects,
) -> bool {
    let is_change = |decision: &Decision| matches!(decision, Decision::Change(_));
    if !decisions.iter().any(is_change) {
        return true;
    }
    let text = container.text.as_str();
    let mut changed = String::new();
    let mut expected = Vec::new();
    let mut copied = 0;
    for (reference, decision) in references.iter().zip(decisions) {
        let span = reference.span;
        changed.push_str(text.get(copied..span.start).unwrap_or(""));
        let start = changed.len();
        match decision {
            // It would end the header.
            Decision::Change(edit)
                if container.syntax == Syntax::Header
                    && edit.replacement.contains(['\r', '\n']) =>
            {
                return false;
            }
            Decision::Change(edit) if !container.can_hold(&edit.replacement) => return false,
            Decision::Change(edit) => changed.push_str(&edit.apply(span.of_str(text))),
            _ => changed.push_str(span.of_str(text)),
        }
        expected.push((Span::from(start..changed.len()), reference.class));
        copied = span.end;
    }
    changed.push_str(text.get(copied..).unwrap_or(""));
    let found = urls_of(container, &changed, templates);
    // Some URLs of the container may be no references, since shortcodes in them are.
    let is_among = |it| found.contains(it);
    found == expected
        || found.len() == urls_of(container, text, templates).len() && expected.iter().all(is_among)
}
