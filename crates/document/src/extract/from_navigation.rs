//! Extraction from the files of generators that name documents.

use std::sync::Arc;

use super::extractor::{Extractor, Place};
use crate::DocumentError;
use crate::container::{ContainerKind, Syntax};
use crate::reference::{BaseOf, Codebase, Constraints, PageLink, PathRule};
use rehref_generators::markdown::is_content_path;
use rehref_generators::markdown::{NameForm, NavigationKind};

impl Extractor {
    /// Adds the references of a file of this `kind`.
    pub(super) fn navigation(
        &mut self,
        place: Place<'_>,
        kind: NavigationKind,
    ) -> Result<(), DocumentError> {
        let error = |at: usize, message: String| {
            DocumentError::not_well_formed(kind.language().name(), place.source, at, message)
        };
        let text = std::str::from_utf8(place.source)
            .map_err(|it| error(it.valid_up_to(), "not UTF-8".to_owned()))?;
        let values = kind.values(text).map_err(|it| error(it.at, it.message))?;
        let folder = kind.documents_folder(text).map(|it| Arc::new(Codebase::from(it)));
        for (value, form, below) in values {
            let container_kind = ContainerKind::Markdown(value.row);
            let syntax = Syntax::Scalar(value.syntax);
            let container = self.container(place, value.span, syntax, container_kind);
            let is_content_path = is_content_path(&self.text_of(container));
            let page_link = match kind.may_name_source(&self.text_of(container)) {
                true => PageLink::Name,
                false => PageLink::Url,
            };
            let path = match form {
                NameForm::Document => PathRule::Below,
                NameForm::Id | NameForm::DocumentId | NameForm::Configuration => PathRule::UrlPath,
                NameForm::Url | NameForm::Redirect | NameForm::Page | NameForm::Based => {
                    PathRule::AsWritten
                }
            };
            let is_page = matches!(form, NameForm::Page | NameForm::Based);
            let may_be_name = form != NameForm::Document && !is_page;
            // A file of a directory names its documents from there, or from the root.
            let is_of_directory = folder.as_ref().is_some_and(|it| it.url.is_empty());
            let is_of_directory = is_of_directory && form == NameForm::Document;
            let constraints = Constraints {
                known_file: true,
                from_root: (may_be_name || is_of_directory) && is_content_path,
                roots_first: form == NameForm::DocumentId,
                // The front matter of a page may state its URL, and that of a document its id.
                unsure: may_be_name,
                page_link: is_page.then_some(page_link),
                base_path: kind.base_path(),
                source_path: path != PathRule::AsWritten,
                path,
                ..Constraints::default()
            };
            let base = match (&folder, form) {
                (_, NameForm::Id) if !below.is_empty() => {
                    BaseOf::Codebase(0, Arc::new(Codebase::from(below)))
                }
                (Some(folder), NameForm::Document | NameForm::Page | NameForm::Id) => {
                    BaseOf::Codebase(0, Arc::clone(folder))
                }
                (Some(folder), NameForm::Redirect) => {
                    let url = folder.url.clone();
                    BaseOf::Codebase(0, Arc::new(Codebase { url, below }))
                }
                (_, NameForm::Based) => {
                    let url = "/".to_owned();
                    BaseOf::Codebase(0, Arc::new(Codebase { url, below }))
                }
                _ => BaseOf::Scope(0),
            };
            self.refer(container, &base, constraints);
        }
        Ok(())
    }
}
