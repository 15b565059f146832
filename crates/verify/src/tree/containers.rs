//! Compares two containers of documents, item by item.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::comparison::FileComparison;
use super::plan::TreePlan;
use super::revisits::Revisits;
use crate::report::{Difference, DifferenceKind, within};
use rehref_corpus::{
    CompareError, ContainerFormat, ItemComparer, RevisitDigests, SourceDocument, catch_panic,
    compare_containers,
};
use rehref_site::{Diagnostic, Entry, diagnostic::display_path};

/// Compares two containers, item by item.
pub(super) fn containers(
    plan: &TreePlan<'_>,
    revisits: &Revisits<'_>,
    entry: &Entry,
    counterpart: &Path,
    format: ContainerFormat,
) -> Result<FileComparison, CompareError> {
    let mut comparison = ContainerComparison {
        plan,
        revisits,
        name: display_path(&entry.path),
        result: FileComparison::default(),
    };
    let path = plan.before.root.join(&entry.path);
    let file = plan.before.container_file(&path, "");
    let path_after = plan.after.root.join(counterpart);
    catch_panic(|| compare_containers(format, file, &path_after, &mut comparison))
        .map_err(|panicked| CompareError::Before(panicked.into()))??;
    comparison.result.may_be_cut = comparison.is_cancelled();
    Ok(comparison.result)
}

/// Collects the differences between two containers.
struct ContainerComparison<'p> {
    plan: &'p TreePlan<'p>,
    revisits: &'p Revisits<'p>,
    /// The name of the container in BEFORE.
    name: String,
    result: FileComparison,
}

impl ItemComparer for ContainerComparison<'_> {
    fn is_cancelled(&self) -> bool {
        self.plan.before.cancel.load(Ordering::Relaxed)
    }

    fn item(&mut self) {
        self.result.report.documents += 1;
    }

    fn revisit_digests(&self) -> &RevisitDigests {
        self.revisits.digests()
    }

    fn warn(&mut self, warning: Diagnostic) {
        self.result.report.warnings.push(warning.at_path(&self.name));
    }

    fn envelope_differs(&mut self, item: &str, message: &str) {
        let found = &mut self.result.found;
        found.count += 1;
        if found.differences.len() < self.plan.limit {
            let difference = Difference::of_file(DifferenceKind::Bytes, message.to_owned());
            found.differences.push(difference.within(item));
        }
    }

    fn documents(&mut self, item: &str, before: &SourceDocument<'_>, after: &SourceDocument<'_>) {
        match self.plan.documents(before, after) {
            Ok(found) => {
                let result = &mut self.result.found;
                result.references += found.references;
                let named = |mut warning: Diagnostic| {
                    let location = &mut warning.location;
                    location.element = within(item, &location.place()).into();
                    location.attribute = "".into();
                    warning
                };
                let warnings = found.not_proven.into_iter().map(named);
                result.not_proven.extend(warnings);
                result.count += found.count;
                let room = self.plan.limit - result.differences.len();
                let differences = found.differences.into_iter().take(room);
                result.differences.extend(differences.map(|difference| difference.within(item)));
            }
            Err(error) if before.bytes != after.bytes => {
                let message = format!(
                    "the file changed, although rehref cannot read it in the old tree: {error}"
                );
                self.envelope_differs(item, &message);
            }
            Err(error) => {
                let is_same_place = before.fallback_base == after.fallback_base;
                let is_proven = self.plan.proves_unread(is_same_place);
                let name = format!("{}: {item}", self.name);
                let diagnostic = Diagnostic::of_document(name, &error);
                self.result.add_unread(diagnostic, is_proven);
            }
        }
    }
}
