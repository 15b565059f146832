//! `rehref resolve`: resolve and relativize references of the command line or stdin.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use encoding_rs::{Encoding, UTF_8};
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal};
use std::path::Path;

use super::exit::{CliError, Exit, usage_error};
use super::reports::{self, Requested, formats, requested};
use super::site_url::{self, note_directory};
use super::values::{self, Choice, LIST_FORMATS, ReportFormat};
use super::{files, terminal};
use rehref_url::{
    Components, Explanation, RelativeForm, RelativizeOptions, ResolveError, Standard, delimit,
    scheme,
};

/// Print the target of each reference
///
/// Resolves references against a base URL under one standard or all standards, and prints one line for each
/// reference. Reads references from stdin, one per line, if the only REF is `-` or REF is missing. For a
/// reference without a target, prints an empty line and an error, and exits with status 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status:
  0  every reference has a target
  1  a reference has no target
  2  wrong usage, or stdin or stdout failed")]
pub(super) struct Arguments {
    /// References to resolve, relative or absolute; `-`: read them from stdin
    #[arg(value_name = "REF")]
    references: Vec<String>,
    /// Base URL of the references, such as the URL of their document; none: no base URL
    ///
    /// With none, resolve treats references as absolute (RFC 1808 section 3.4). A relative reference then has no
    /// target, except under standards that keep such a reference as written.
    #[arg(long, alias = "url", short_alias = 'b', value_name = "URL")]
    base: String,
    /// Standard that defines how references resolve; all: print the target under each standard
    #[arg(long, value_name = "NAME", default_value = "whatwg", value_parser = standards())]
    standard: Standards,
    /// Print the components of each reference and the steps of its resolution
    #[arg(long, conflicts_with = "relativize")]
    explain: bool,
    /// Treat the references as targets, and print a relative reference to each
    #[arg(long, alias = "relative")]
    relativize: bool,
    /// Form of the references that --relativize prints: path (../a/b.html), root (/docs/a/b.html), scheme
    /// (//example.org/docs/a/b.html), or the shortest of these
    #[arg(long, value_name = "FORM", requires = "relativize", default_value_t, value_parser = values::one_of(forms()))]
    form: RelativeForm,
    /// Remove <URL:...> wrappers, white space and line breaks from references
    #[arg(long)]
    delimited: bool,
    /// Charset of the document that contains the references; determines the encoding of queries
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    charset: Option<&'static Encoding>,
    /// Format of the result, on stdout or in FILE; repeatable
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(LIST_FORMATS))]
    format: Vec<Requested<ReportFormat>>,
}

/// `--standard`; `None` for all. The alias hides the `Option` from clap.
type Standards = Option<Standard>;

fn standards() -> impl TypedValueParser<Value = Standards> {
    let all = PossibleValue::new("all").help("Each of the five standards");
    let names = values::standard_names().chain([all]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "all" => Ok(None),
        name => name.parse().map(Some),
    })
}

/// `--form`.
fn forms() -> impl Iterator<Item = Choice<RelativeForm>> {
    RelativeForm::all().map(|form| (form.name(), "", form))
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let base = if arguments.delimited {
        delimit::undelimit(&arguments.base).into_iter().next()
    } else {
        Some(arguments.base.clone())
    };
    let base = base.filter(|base| !site_url::is_none(Some(base))).unwrap_or_default();
    if let [drive, b':', b'/' | b'\\', rest @ ..] = base.as_bytes()
        && drive.is_ascii_alphabetic()
        && !rest.starts_with(b"/")
    {
        let path = base.replace('\\', "/");
        return usage_error(format!(
            "--base {base}: this is a Windows path\nhelp: write file:///{path}"
        ));
    }
    if !base.is_empty() && scheme::split_1990s(base.trim()).is_none() {
        return usage_error(format!(
            "--base {base}: not an absolute URL\nhelp: write it like https://example.org/docs/"
        ));
    }
    note_directory("--base", base.trim());
    let is_all = arguments.standard.is_none();
    if is_all && (arguments.explain || arguments.relativize) {
        return usage_error(
            "--standard all prints targets\nhelp: pass one standard with --explain and --relativize",
        );
    }
    let reports = requested(&arguments.format, &LIST_FORMATS)?;
    if let [reference] = arguments.references.as_slice()
        && reference.ends_with(".txt")
        && Path::new(reference).is_file()
    {
        terminal::note(format!(
            "{reference} is also a file in the working directory\nhelp: to resolve each line of the file: rehref resolve --base {base} < {reference}"
        ));
    }
    let references = references(&arguments)?;
    if let [_, .., last] = references.as_slice()
        && Path::new(last).is_file()
    {
        terminal::note(format!(
            "{last} is also a file, but resolve reads no documents, and treats it as a reference\nhelp: in place of {base}, pass the URL of the document as --base, and only the other references"
        ));
    }
    let is_markup =
        |it: &&String| it.starts_with('<') && (it.contains("href") || it.contains("src"));
    if let Some(markup) = references.iter().find(is_markup).filter(|_| !arguments.delimited) {
        terminal::note(format!(
            "{}: this is markup, and resolve treats it as a path\nhelp: pass only the reference",
            quoted(markup)
        ));
    }
    let encoding = arguments.charset.unwrap_or(UTF_8);
    let mut has_errors = false;
    for (number, Requested { format, file, .. }) in reports.into_iter().enumerate() {
        let resolver = Resolver { encoding, base: &base, arguments: &arguments, format };
        let mut rows = Vec::with_capacity(references.len());
        for reference in &references {
            let (cells, error) = resolver.answer(reference);
            rows.push(cells);
            // All reports have the same errors.
            if let Some(error) = error.filter(|_| number == 0) {
                has_errors = true;
                terminal::error(format!("{}: {error}", quoted(reference)));
            }
        }
        let text = match format {
            ReportFormat::Text if is_all => table(rows),
            ReportFormat::Text if arguments.explain => rows.concat().join("\n"),
            _ => rows.concat().concat(),
        };
        reports::write(file.as_deref(), text)?;
    }
    Ok(Exit::of(false, has_errors))
}

/// The references on the command line, or else on stdin.
fn references(arguments: &Arguments) -> Result<Vec<String>, CliError> {
    let is_stdin = matches!(&*arguments.references, [only] if only == "-");
    if !arguments.references.is_empty() && !is_stdin {
        if arguments.references.iter().any(|it| it == "-") {
            terminal::note(
                "`-` reads stdin only if it is the only REF; here, it is a reference to a file named -",
            );
        }
        let given = arguments.references.iter();
        return Ok(if arguments.delimited {
            given.flat_map(|text| delimit::undelimit(text)).collect()
        } else {
            given.cloned().collect()
        });
    }
    if io::stdin().is_terminal() {
        terminal::note("reading references from the terminal, one per line; Ctrl-D ends the input");
    }
    let bytes = files::read_or_stdin("REF", Path::new("-"))?;
    if bytes.is_empty() {
        terminal::note(
            "no reference to resolve: pass references as arguments, or one per line on stdin",
        );
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(if arguments.delimited {
        delimit::delimited(&text).into_iter().flatten().collect()
    } else {
        text.lines().map(str::to_owned).collect()
    })
}

/// The output for one reference: a row of the table of `--standard all`, or else one text with its line ends, and why the
/// reference has no target.
type Answer = (Vec<String>, Option<String>);

/// Answers for references against one base URL.
struct Resolver<'a> {
    base: &'a str,
    encoding: &'static Encoding,
    arguments: &'a Arguments,
    format: ReportFormat,
}

impl Resolver<'_> {
    /// The reason a reference has no target. Each standard has its own words for a missing base URL.
    fn reason(&self, error: &ResolveError) -> String {
        if self.base.is_empty() && error.is_of_base() {
            "a relative reference needs a base URL".to_owned()
        } else {
            error.to_string()
        }
    }

    fn answer(&self, reference: &str) -> Answer {
        let (text, error) = match self.arguments.standard {
            None => return self.under_all_standards(reference),
            Some(standard) if self.arguments.explain => self.explain(standard, reference),
            Some(standard) => self.result(standard, reference),
        };
        (vec![text], error)
    }

    /// The line with the target of `reference`, or with `--relativize` the shortest reference to it;
    /// the reason if there is none.
    fn result(&self, standard: Standard, reference: &str) -> (String, Option<String>) {
        let Arguments { relativize, form, .. } = *self.arguments;
        let no_reference = || {
            format!(
                "with this base URL, no reference in the form {form} resolves to the target\nhelp: use the URL itself, or --form shortest"
            )
        };
        let shortest = |target: String| {
            let options = RelativizeOptions::from(form);
            let relative = standard.relativize(self.base, &target, options);
            relative.ok_or_else(no_reference)
        };
        let target = standard.resolve(self.base, reference, self.encoding);
        let target = target.map_err(|error| self.reason(&error));
        let result = if relativize { target.and_then(shortest) } else { target };
        let result_text = result.as_deref().ok();
        let text = match self.format {
            ReportFormat::Text => format!("{}\n", result_text.unwrap_or_default()),
            ReportFormat::Json => {
                let (given, found) =
                    if relativize { ("target", "reference") } else { ("reference", "target") };
                let object = json!({
                    "base": self.base,
                    "standard": standard.name(),
                    given: reference,
                    found: result_text,
                });
                json_line(object, result.as_ref().err())
            }
        };
        (text, result.err())
    }

    /// The targets of `reference` under each standard. It is an error if no standard has one.
    fn under_all_standards(&self, reference: &str) -> Answer {
        let targets: Vec<(Standard, Result<String, String>)> = Standard::all()
            .map(|standard| {
                let target = standard.resolve(self.base, reference, self.encoding);
                (standard, target.map_err(|error| self.reason(&error)))
            })
            .collect();
        let has_none = targets
            .iter()
            .all(|(standard, target)| target.is_err() && !standard.is_current_document(reference));
        let first = targets.first().filter(|_| has_none);
        let error = first.and_then(|(_, target)| target.clone().err());
        let cells = match self.format {
            ReportFormat::Json => {
                let (mut found, mut errors) = (Map::new(), Map::new());
                for (standard, target) in targets {
                    let _ = match target {
                        Ok(target) => found.insert(standard.name().to_owned(), json!(target)),
                        Err(error) => errors.insert(standard.name().to_owned(), json!(error)),
                    };
                }
                let object = json!({
                    "base": self.base,
                    "reference": reference,
                    "targets": found,
                    "errors": errors,
                });
                vec![json_line(object, None)]
            }
            ReportFormat::Text => {
                let cells = targets.into_iter().map(|(standard, target)| match target {
                    _ if standard.is_current_document(reference) => "(this document)".to_owned(),
                    Ok(target) => target,
                    Err(_) => "(none)".to_owned(),
                });
                std::iter::once(quoted(reference)).chain(cells).collect()
            }
        };
        (cells, error)
    }

    /// The steps of the resolution of `reference`; the reason if it has no target.
    fn explain(&self, standard: Standard, reference: &str) -> (String, Option<String>) {
        let Explanation { base, reference: parsed, steps, target } =
            standard.explain(self.base, reference, self.encoding);
        let error = target.as_ref().err().map(|error| self.reason(error));
        let (base, parsed) = (parts(&base), parts(&parsed));
        if let ReportFormat::Json = self.format {
            let steps = steps.iter();
            let steps = steps.map(|step| json!({ "section": step.section, "text": step.text }));
            let object = |parts: Vec<(&str, &str)>| {
                let parts = parts.into_iter().map(|(name, part)| (name.to_owned(), json!(part)));
                parts.collect::<Map<_, _>>()
            };
            let object = json!({
                "base": self.base,
                "standard": standard.name(),
                "reference": reference,
                "base_components": object(base),
                "reference_components": object(parsed),
                "steps": steps.collect::<Vec<_>>(),
                "target": target.as_deref().ok(),
            });
            return (json_line(object, error.as_ref()), error);
        }
        let row = |label: &str, text: &str| format!("{label:10} {text}\n");
        let in_columns = |(name, text): (&str, &str)| row("", &format!("{name:9} {text}"));
        let mut text = row("base", &quoted(self.base));
        text.extend(base.into_iter().map(in_columns));
        text += &row("reference", &quoted(reference));
        text.extend(parsed.into_iter().map(in_columns));
        text += &row("steps", &format!("by {standard}: {}", standard.description()));
        text.extend(steps.iter().map(|step| in_columns((&step.section, &step.text))));
        (text + &row("target", target.as_deref().unwrap_or("(none)")), error)
    }
}

/// Formats `object` as one line, with the reason if there is no target.
fn json_line(mut object: Value, error: Option<&String>) -> String {
    if let Some(error) = error {
        object["error"] = json!(error);
    }
    format!("{object}\n")
}

/// The table of `--standard all`: a header, a rule, and a row per reference.
fn table(references: Vec<Vec<String>>) -> String {
    let names = std::iter::once("reference").chain(Standard::all().map(Standard::name));
    let mut rows = vec![names.map(str::to_owned).collect()];
    rows.extend(references);
    let widths = terminal::widths(&rows);
    let rule = widths.iter().map(|&width| "-".repeat(width)).collect();
    rows.insert(1, rule);
    terminal::columns(&rows)
}

/// The components that the URL has, with their names.
fn parts<'a>(components: &Components<'a>) -> Vec<(&'static str, &'a str)> {
    let path = Some(components.path).filter(|path| !path.is_empty());
    [
        ("scheme", components.scheme),
        ("authority", components.authority),
        ("path", path),
        ("params", components.params),
        ("query", components.query),
        ("fragment", components.fragment),
    ]
    .into_iter()
    .filter_map(|(name, part)| Some((name, part?)))
    .collect()
}

/// Quotes `reference` if it is empty, or has white space or control characters.
fn quoted(reference: &str) -> String {
    if reference.is_empty() || reference.contains(|c: char| c.is_whitespace() || c.is_control()) {
        format!("'{}'", reference.escape_debug())
    } else {
        reference.to_owned()
    }
}
