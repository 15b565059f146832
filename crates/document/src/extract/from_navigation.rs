//! Extraction from the files of generators that name documents.

use std::sync::Arc;

use encoding_rs::UTF_8;

use super::extraction::Extraction;
use super::extractor::{Extractor, Place};
use crate::container::{ContainerKind, Syntax};
use crate::html::raw::TooComplex;
use crate::options::ParseOptions;
use crate::reference::{BaseOf, Codebase, Constraints, PathRule};
use rehref_generators::data::NotData;
use rehref_generators::markdown::dialect::is_content_path;
use rehref_generators::markdown::{NameForm, NavigationKind};

/// Extracts the references of `text`, a file of this `kind`.
pub(crate) fn navigation(
    text: &str,
    kind: NavigationKind,
    options: &ParseOptions,
) -> Result<Result<Extraction, TooComplex>, NotData> {
    let values = kind.values(text)?;
    let mut extractor = Extractor::new(text.len(), options);
    let place = Place::of_document(text.as_bytes(), UTF_8, UTF_8);
    let folder = kind.documents_folder(text);
    let folder = folder.map(|it| Arc::new(Codebase::from(it)));
    for (value, form, below) in values {
        let container_kind = ContainerKind::Markdown(value.row);
        let syntax = Syntax::Scalar(value.syntax);
        let container = extractor.container(place, value.span, syntax, container_kind);
        let is_content_path = is_content_path(&extractor.text_of(container));
        let path = match form {
            NameForm::Document => PathRule::Below,
            NameForm::Id | NameForm::Configuration => PathRule::UrlPath,
            NameForm::Url | NameForm::Redirect => PathRule::AsWritten,
        };
        let constraints = Constraints {
            known_file: true,
            from_root: form != NameForm::Document && is_content_path,
            // The front matter of a page may state its URL, and that of a document its id.
            unsure: form != NameForm::Document,
            source_path: path != PathRule::AsWritten,
            path,
            ..Constraints::default()
        };
        let base = match (&folder, form) {
            (Some(folder), NameForm::Document | NameForm::Id) => {
                BaseOf::Codebase(0, Arc::clone(folder))
            }
            (Some(folder), NameForm::Redirect) => {
                let url = folder.url.clone();
                BaseOf::Codebase(0, Arc::new(Codebase { url, below }))
            }
            _ => BaseOf::Scope(0),
        };
        extractor.refer(container, &base, constraints);
    }
    Ok(extractor.in_order())
}
