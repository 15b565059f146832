//! Follows the move of a file that a link to a viewer names in its query.

use encoding_rs::UTF_8;

use super::Policy;
use super::subject::Subject;
use crate::decision::Decision;
use rehref_document::{viewed_file, viewed_file_url, with_viewed_file};
use rehref_url::{ReferenceForm, TextEdit, percent_decoded};

impl Policy {
    /// Returns the decision on `subject` with the URL of the file in its query after the run, where `decision` is the
    /// one on the link itself.
    pub(super) fn with_viewed_file(&self, subject: &Subject<'_>, decision: Decision) -> Decision {
        if viewed_file(subject.reference).is_none() {
            return decision;
        }
        self.following_file(subject, &decision).unwrap_or(decision)
    }

    fn following_file(&self, subject: &Subject<'_>, decision: &Decision) -> Option<Decision> {
        let link = match decision {
            Decision::Change(edit) => edit.apply(subject.reference),
            Decision::AlreadyCorrect => subject.reference.to_owned(),
            Decision::Skip { .. } => return None,
        };
        let viewer = subject.base?.resolve(subject.reference, subject.encoding).ok()?;
        let viewer_after = subject.base_after?.resolve(&link, subject.encoding).ok()?;
        let expected = self.target_after(&viewed_file_url(&viewer)?, false).into_owned();
        if viewed_file_url(&viewer_after)? == expected {
            return None;
        }
        let value = percent_decoded(viewed_file(&link)?.of_str(&link));
        let form = ReferenceForm::of(str::from_utf8(&value).ok()?).relative();
        let file = form.and_then(|form| viewer_after.relativize(&expected, form));
        let file = file.unwrap_or_else(|| expected.to_string());
        // As people write it, if that has the same target.
        let decoded = String::from_utf8(percent_decoded(&file)).ok();
        let leads_there =
            |file: &str| viewer_after.resolve(file, UTF_8).ok().as_ref() == Some(&expected);
        let file = decoded.filter(|it| leads_there(it)).unwrap_or(file);
        let changed = with_viewed_file(&link, &file)?;
        Some(Decision::Change(TextEdit::new(0..subject.reference.len(), changed)))
    }
}
