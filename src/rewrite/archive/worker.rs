//! One part of an archive after the other, on several threads.

use std::borrow::Cow;

use super::{Archives, End, Job, Output, Told, Worked, record_name};
use crate::corpus::catch_panic;
use crate::document::{DocumentKind, ParseOptions};
use crate::parallel::QueueItem;
use crate::rewrite::bases::DocumentUrls;
use crate::rewrite::document::rewrite_document;
use crate::rewrite::plan::Plan;
use crate::rewrite::policy::{Policy, SitePolicy};
use crate::rewrite::report::References;
use crate::rewrite::targets::SiteMapping;
use crate::site::{FileIndex, SiteUrl};
use crate::url::{AbsoluteUrl, Url};
use crate::warc::document::Archived;
use crate::warc::record::{Format, Record};
use crate::warc::{ArchiveError, Trouble};

/// What works on the parts.
pub(super) struct Worker<'w> {
    pub(super) plan: &'w Plan,
    pub(super) archive: &'w str,
    pub(super) format: Format,
    pub(super) needs_bytes: bool,
}

impl Worker<'_> {
    pub(super) fn work(&self, job: Job) -> QueueItem<Worked> {
        let nothing_told = |output| Worked { output, told: None };
        let value = match job {
            Job::Copy(range) => nothing_told(Ok(Output::Copy(range))),
            Job::Write(bytes) => nothing_told(Ok(Output::Write(bytes))),
            Job::Failed(error) => nothing_told(Err(error)),
            Job::Document(record) => self.record(record),
        };
        let bytes = match &value.output {
            Ok(Output::Write(bytes)) => bytes.len(),
            _ => 0,
        };
        QueueItem { value, bytes }
    }

    fn record(&self, mut record: Record) -> Worked {
        let uri = record.head.target_uri().unwrap_or_default();
        let mut told = Told {
            name: record_name(self.archive, &uri),
            end: End::NoDocument,
            references: References::default(),
            diagnostics: Vec::new(),
            wrong_digests: Vec::new(),
        };
        let rewritten = catch_panic(|| self.document(&record, &mut told));
        let (number, place) = (record.number, record.place.clone());
        told.end = match rewritten.unwrap_or_else(|panicked| Err(panicked.to_string())) {
            Ok(None) => told.end,
            Ok(Some(new)) => {
                match new
                    .of
                    .replace(&record, new.headers.as_deref(), new.content.as_deref())
                {
                    Ok(changed) => {
                        record = changed.record;
                        told.wrong_digests = changed.wrong_digests;
                        End::Rewritten
                    }
                    Err(error) => End::Skipped(error.to_string()),
                }
            }
            Err(message) => End::Skipped(message),
        };
        if let End::Skipped(_) = told.end {
            told.references = References::default();
            told.diagnostics.clear();
        }
        let output = match (place, &told.end) {
            (Some(place), End::NoDocument | End::Unchanged | End::Skipped(_)) => {
                Ok(Output::Copy(place))
            }
            _ if !self.needs_bytes => Ok(Output::Write(Vec::new())),
            (place, _) => record
                .write(self.format)
                .map(Output::Write)
                .map_err(|error| ArchiveError {
                    record: number,
                    offset: place.map_or(0, |place| place.start),
                    trouble: Trouble::Read(error),
                }),
        };
        Worked {
            output,
            told: Some(told),
        }
    }

    /// What is new in `record`, where anything is.
    fn document(&self, record: &Record, told: &mut Told) -> Result<Option<New>, String> {
        let plan = self.plan;
        let archived = Archived::of(record).map_err(|error| error.to_string())?;
        let Some(archived) = archived else {
            return Ok(None);
        };
        let policy = policy_for(plan, &archived.url);
        let mut rewrite = |bytes: &[u8], own: &AbsoluteUrl, policy: &Policy, options| {
            let result = rewrite_document(bytes, DocumentUrls::unmoved(own), policy, &options)
                .map_err(|error| error.to_string())?;
            told.references += &result.references;
            told.diagnostics.extend(result.diagnostics);
            Ok::<_, String>(result.bytes)
        };
        let headers = match archived.headers(record) {
            None => None,
            Some(headers) => {
                let own = AbsoluteUrl::new(plan.standard, archived.url.clone());
                let options = ParseOptions {
                    kind: DocumentKind::Message,
                    ..plan.options
                };
                // No element can be put into headers.
                let policy = match &*policy {
                    Policy::Absolute { base: Some(_) } => &Policy::Absolute { base: None },
                    policy => policy,
                };
                rewrite(headers, &own, policy, options)?
            }
        };
        let content = match archived.kind {
            None => None,
            Some(kind) => {
                let own = archived.own(record, plan.standard);
                let options = ParseOptions {
                    kind,
                    charset: plan.options.charset.or(archived.charset),
                    ..plan.options
                };
                rewrite(archived.bytes(), &own, &policy, options)?
            }
        };
        told.end = End::Unchanged;
        let is_new = headers.is_some() || content.is_some();
        Ok(is_new.then_some(New {
            of: archived,
            headers,
            content,
        }))
    }
}

/// What is new in a record.
struct New {
    of: Archived,
    headers: Option<Vec<u8>>,
    content: Option<Vec<u8>>,
}

/// The policy for a document that was got from `url`. What the files of the tree prove says nothing
/// of it.
fn policy_for<'p>(plan: &'p Plan, url: &Url) -> Cow<'p, Policy> {
    let Policy::Site(policy) = &plan.policy else {
        return Cow::Borrowed(&plan.policy);
    };
    let mapping = &policy.mapping;
    let server = || {
        let root = url.resolve("/", encoding_rs::UTF_8).ok()?;
        Some(SiteUrl::parse(root.as_str()).ok()?.0)
    };
    let site_url = match plan.archives {
        Archives::RewrittenByServer => server(),
        Archives::Rewritten | Archives::Copied => None,
    };
    let site_url = site_url.unwrap_or_else(|| mapping.before.clone());
    Cow::Owned(Policy::site(SitePolicy {
        form: policy.form,
        drop_base: policy.drop_base,
        mapping: SiteMapping {
            before: site_url.clone(),
            also: mapping.also.clone(),
            after: site_url,
            files: FileIndex::default(),
            moved: Default::default(),
            pretty: Default::default(),
        },
    }))
}
