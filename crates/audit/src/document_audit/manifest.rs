//! Checks the package documents of unpacked books (EPUB): their manifests list all files.

use std::collections::HashSet;

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::Finding;
use crate::message_parts::PartIndex;
use crate::suggest::readable;
use rehref_document::container::ContainerKind;
use rehref_document::html::Namespace;
use rehref_document::{BaseUrl, Reference};

impl DocumentAuditor<'_> {
    /// Reports the files of the book that the document, its only package document, does not list.
    pub(super) fn unlisted_files(&mut self, bases: &[BaseUrl], parts: &PartIndex) {
        let (document, context) = (self.document, self.context);
        let is_of_package = |reference: &&Reference| {
            document.container_of(reference).is_some_and(|container| match &container.kind {
                ContainerKind::Markup(markup) => markup.element.namespace == Namespace::Package,
                _ => false,
            })
        };
        let items: Vec<&Reference> = document.references.iter().filter(is_of_package).collect();
        if items.is_empty() || context.is_single {
            return;
        }
        let own = context.files.path(self.number);
        let folders = own.rmatch_indices('/').filter_map(|(at, _)| own.get(..=at)).chain([""]);
        let is_root =
            |root: &&str| context.files.number(&format!("{root}META-INF/container.xml")).is_some();
        let Some(root) = folders.into_iter().find(is_root) else { return };
        let mut listed: HashSet<&str> = HashSet::from([own]);
        for item in items {
            let resolved = self.site.resolve(document, bases, parts, self.own(), item);
            let number = resolved.place.file().and_then(|file| context.files.number(file));
            listed.extend(number.map(|number| context.files.path(number)));
        }
        let all = context.files.all().into_iter().map(|number| context.files.path(number));
        let in_book: Vec<&str> = all.filter(|path| path.starts_with(root)).collect();
        let is_other_package = |path: &&str| path.ends_with(".opf") && *path != own;
        if in_book.iter().any(is_other_package) {
            return;
        }
        for path in in_book {
            let below = path.strip_prefix(root).unwrap_or(path);
            if !below.starts_with("META-INF/") && below != "mimetype" && !listed.contains(path) {
                let message = format!("the manifest of the book ({own}) does not list this file");
                self.push(Finding::of_file(Check::NotInManifest, readable(path), message));
            }
        }
    }
}
