//! `rehref base`: the base URL of a document, and its source.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use encoding_rs::Encoding;
use serde_json::json;

use super::exit::{CliError, Exit, usage_error};
use super::kind::{kind, not_a_document};
use super::move_slips::is_url;
use super::place::nearest_name;
use super::reports::{self, Requested, formats, refuse_files_of, requested};
use super::summary::line;
use super::values::{
    self, CHARSET_HELP, LIST_FORMATS, MAX_SIZE_HELP, MAX_SIZE_LONG_HELP, ReportFormat,
    STANDARD_HELP,
};
use super::{files, site_url, terminal};
use rehref_corpus::SingleDocument;
use rehref_document::{BaseUrl, BaseUrlSource, Document, DocumentKind, ParseOptions};
use rehref_site::{Diagnostic, hierarchical_url};
use rehref_url::{AbsoluteUrl, Standard};

/// Print the base URL of a document, and the source of this URL
///
/// The innermost source wins: the base element, then the headers of the document (Content-Base,
/// Content-Location, and the old Base and Base-URL), then the headers of the enclosing parts and messages,
/// then the URL of the document. Headers of an HTTP response count in the older standards only. For a message
/// (mail, MHTML, or a file saved with its HTTP headers), prints one line for each part that is a document or
/// has parts.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status:
  0  done
  2  wrong usage, or the document could not be read")]
pub(super) struct Arguments {
    /// Document to read, or - for stdin
    file: PathBuf,
    /// URL of the document; none: unknown [default: the file: URL of FILE]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = values::standard(), help = STANDARD_HELP)]
    standard: Standard,
    /// Format of the result, on stdout or in FILE; repeatable
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(LIST_FORMATS))]
    format: Vec<Requested<ReportFormat>>,
    /// Kind of the document [default: from the file name, or else from the first bytes]
    #[arg(long, value_name = "KIND", value_parser = kind())]
    kind: Option<DocumentKind>,
    /// Treat a document that begins with headers as a message, whatever the headers are
    #[arg(long)]
    message: bool,
    #[arg(long, value_name = "LABEL", value_parser = values::charset, help = CHARSET_HELP)]
    charset: Option<&'static Encoding>,
    #[arg(long, value_name = "SIZE", value_parser = values::size, help = MAX_SIZE_HELP, long_help = MAX_SIZE_LONG_HELP)]
    max_document_size: Option<u64>,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let reports = requested(&arguments.format, &LIST_FORMATS)?;
    refuse_files_of(&arguments.file, &arguments.format)?;
    let no_url = site_url::is_none(arguments.url.as_deref());
    let given = match arguments.url.as_deref() {
        // Nothing resolves against it.
        Some(_) if no_url => Some(site_url::placeholder()?.url().clone()),
        url => url.map(hierarchical_url).transpose()?,
    };
    let name = arguments.file.display().to_string();
    if arguments.file.is_dir() {
        let name = name.trim_end_matches('/');
        return usage_error(format!(
            "{name} is a directory\nhelp: pass a document in it, like {name}/index.html\nhelp: for the URL that they say the site has: rehref audit {name}"
        ));
    }
    if arguments.file != Path::new("-") && !arguments.file.exists() {
        let advice = if is_url(&name) {
            format!(
                "rehref fetches nothing\nhelp: pipe the document: curl {name} | rehref base - --url {name}"
            )
        } else if let Some(nearest) = nearest_name(&arguments.file) {
            format!("the file does not exist\nhelp: did you mean {nearest}?")
        } else {
            "no such file".to_owned()
        };
        return usage_error(format!("{name}: {advice}"));
    }
    let source = if arguments.file == Path::new("-") {
        let Some(url) = given else {
            return usage_error("stdin has no URL\nhelp: add --url with the URL of the document");
        };
        let bytes = files::read_or_stdin("FILE", &arguments.file)?;
        SingleDocument::of_stdin(bytes, url, arguments.kind).or_else(not_a_document("stdin"))?
    } else {
        let source = SingleDocument::of_file(
            &arguments.file,
            given,
            arguments.kind,
            arguments.max_document_size,
        );
        source.or_else(not_a_document(&name))?
    };
    let options = ParseOptions {
        no_url,
        kind: source.kind,
        message: arguments.message,
        charset: arguments.charset,
        max_size: arguments.max_document_size,
        ..ParseOptions::default()
    };
    let document = Document::parse(&source.bytes, &options)
        .or_else(|error| usage_error(line(&Diagnostic::of_document(&*name, &error))))?;
    let bases = document.base_urls(&AbsoluteUrl::new(arguments.standard, source.url));
    let parts = part_bases(&document, &bases);
    for Requested { format, file, .. } in reports {
        let text: String = match format {
            ReportFormat::Text => {
                let rows: Vec<_> = parts.iter().map(PartBase::cells).collect();
                terminal::columns(&rows)
            }
            ReportFormat::Json => parts.iter().map(|part| part.as_json(&name)).collect(),
        };
        reports::write(file.as_deref(), text)?;
    }
    Ok(Exit::Done)
}

/// The base URL of a document, or of a part of a message, and the source of that URL.
struct PartBase {
    number: String,
    media_type: Option<String>,
    base: Option<String>,
    origin: BaseUrlSource,
}

fn part_bases(document: &Document<'_>, bases: &[BaseUrl]) -> Vec<PartBase> {
    let of_scope = |scope: usize, number: &str, media_type: Option<String>| PartBase {
        number: number.to_owned(),
        media_type,
        base: bases.get(scope).and_then(|base| Some(base.url.as_ref()?.to_string())),
        origin: document.source_of_base(scope, number, bases),
    };
    if document.parts.is_empty() {
        return vec![of_scope(0, "", None)];
    }
    let parents: HashSet<Option<usize>> = document.parts.iter().map(|part| part.parent).collect();
    let has_parts = |at: usize| parents.contains(&Some(at));
    let parts = document.parts.iter().enumerate();
    parts
        .filter(|(at, part)| part.number.is_empty() || part.document.is_some() || has_parts(*at))
        .map(|(_, part)| {
            let scope = part.document.unwrap_or(part.scope);
            of_scope(scope, &part.number, Some(part.media_type.essence.clone()))
        })
        .collect()
}

impl PartBase {
    fn cells(&self) -> Vec<String> {
        let part = match (self.number.as_str(), &self.media_type) {
            ("", None) => "document".to_owned(),
            ("", Some(_)) => "message".to_owned(),
            (number, _) => format!("part {number}"),
        };
        let base = self.base.as_deref().unwrap_or("(none)");
        vec![part, base.to_owned(), self.origin.to_string()]
    }

    fn as_json(&self, file: &str) -> String {
        let (level, header, header_part) = match &self.origin {
            BaseUrlSource::Embedded | BaseUrlSource::XmlBase => ("embedded", None, None),
            BaseUrlSource::Header(name) => ("header", Some(name), None),
            BaseUrlSource::Enclosing(part, name) => ("enclosing", Some(name), Some(part)),
            BaseUrlSource::Retrieval => ("retrieval", None, None),
            BaseUrlSource::None => ("none", None, None),
        };
        let object = json!({
            "file": file,
            "part": self.number,
            "type": self.media_type,
            "base": self.base,
            "level": level,
            "header": header,
            "header_of": header_part,
        });
        format!("{object}\n")
    }
}
