//! `rehref resolve`: resolves and relativizes references given by hand.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use encoding_rs::{Encoding, UTF_8};
use serde_json::json;
use std::io::{self, Read};

use super::arguments::{self, STANDARD_HELP};
use super::exit::{CliError, Exit};
use super::{style, terminal};
use crate::url::{Components, Explanation, RelativeForm, RelativizeOptions, Standard, delimit};

/// Print the target of each reference
///
/// Resolves references against a base URL under one standard or all of them, and prints one line for
/// each. Reads references from stdin, one per line, if the command line has none. A reference without
/// a target gives an empty line, a message on stderr and exit status 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status:
  0  every reference has a target
  1  a reference has no target
  2  wrong usage, or stdin or stdout failed")]
pub(super) struct Arguments {
    /// References to resolve
    #[arg(value_name = "REF")]
    references: Vec<String>,
    /// Base URL
    #[arg(long, value_name = "URL")]
    base: String,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = arguments::standard(), help = STANDARD_HELP)]
    standard: Standard,
    /// Print the targets under all standards side by side
    #[arg(long, conflicts_with_all = ["standard", "explain", "relativize"])]
    all: bool,
    /// Print the components of each reference and the steps of its resolution
    #[arg(long, conflicts_with = "relativize")]
    explain: bool,
    /// Treat the references as targets, and print the shortest reference to each
    #[arg(long)]
    relativize: bool,
    /// Spelling of relative references
    #[arg(long, value_name = "STYLE", requires = "relativize", default_value_t, value_parser = styles())]
    style: RelativeForm,
    /// Understand <URL:...> wrappers, white space and line breaks around and inside references
    #[arg(long)]
    delimited: bool,
    /// Charset of the document that holds the references (it encodes their queries)
    #[arg(long, value_name = "LABEL", value_parser = arguments::charset)]
    charset: Option<&'static Encoding>,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines or a table
    Text,
    /// One JSON object per line
    Json,
}

fn styles() -> impl TypedValueParser<Value = RelativeForm> {
    PossibleValuesParser::new(RelativeForm::all().map(RelativeForm::name))
        .try_map(|name| name.parse::<RelativeForm>())
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    style::choose(style::ColorChoice::Auto);
    let base = if arguments.delimited {
        let undelimited = delimit::undelimit(&arguments.base).into_iter().next();
        undelimited.unwrap_or_default()
    } else {
        arguments.base.clone()
    };
    let references = references(&arguments)?;
    let calculator = Calculator {
        encoding: arguments.charset.unwrap_or(UTF_8),
        base,
        arguments: &arguments,
    };
    let output = calculator.output(&references);
    for (reference, error) in &output.errors {
        terminal::error(format!("{}: {error}", quoted(reference)));
    }
    terminal::print(output.text)?;
    Ok(if output.errors.is_empty() {
        Exit::Done
    } else {
        Exit::Findings
    })
}

/// The references on the command line, or else on stdin.
fn references(arguments: &Arguments) -> Result<Vec<String>, CliError> {
    if !arguments.references.is_empty() {
        let given = arguments.references.iter();
        return Ok(if arguments.delimited {
            given.flat_map(|text| delimit::undelimit(text)).collect()
        } else {
            given.cloned().collect()
        });
    }
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(CliError::io("stdin"))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if arguments.delimited {
        delimit::delimited(&text).into_iter().flatten().collect()
    } else {
        text.lines().map(str::to_owned).collect()
    })
}

/// The text for stdout, and the references without a target.
#[derive(Default)]
struct Output {
    text: String,
    errors: Vec<(String, String)>,
}

impl Output {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

struct Calculator<'a> {
    base: String,
    encoding: &'static Encoding,
    arguments: &'a Arguments,
}

impl Calculator<'_> {
    fn output(&self, references: &[String]) -> Output {
        let mut output = Output::default();
        match (self.arguments.all, self.arguments.format) {
            (true, Format::Text) => self.table(references, &mut output),
            (true, Format::Json) => self.all_as_json(references, &mut output),
            (false, _) if self.arguments.explain => self.explain(references, &mut output),
            (false, format) => {
                for reference in references {
                    let result = self.result(reference);
                    self.print(reference, &result, format, &mut output);
                    if let Err(error) = result {
                        output.errors.push((reference.clone(), error));
                    }
                }
            }
        }
        output
    }

    /// The target of `reference`; with `--relativize`, the shortest reference to it.
    fn result(&self, reference: &str) -> Result<String, String> {
        let standard = self.arguments.standard;
        let target = standard
            .resolve(&self.base, reference, self.encoding)
            .map_err(|error| error.to_string())?;
        if !self.arguments.relativize {
            return Ok(target);
        }
        let style = self.arguments.style;
        standard
            .relativize(&self.base, &target, RelativizeOptions::from(style))
            .ok_or_else(|| {
                format!("no reference in the style {style} leads from this base to the target")
            })
    }

    fn print(
        &self,
        reference: &str,
        result: &Result<String, String>,
        format: Format,
        output: &mut Output,
    ) {
        match format {
            Format::Text => output.line(result.as_deref().unwrap_or("")),
            Format::Json => {
                let key = if self.arguments.relativize {
                    ("target", "reference")
                } else {
                    ("reference", "target")
                };
                let mut object = json!({
                    "base": self.base,
                    "standard": self.arguments.standard.name(),
                    key.0: reference,
                    key.1: result.as_deref().ok(),
                });
                if let Err(error) = result {
                    object["error"] = json!(error);
                }
                output.line(&object.to_string());
            }
        }
    }

    /// The target of `reference` under each standard, for the table.
    fn cells(&self, reference: &str) -> Vec<Result<String, String>> {
        Standard::all()
            .map(|standard| {
                if standard.is_current_document(reference) {
                    return Ok("(this document)".to_owned());
                }
                standard
                    .resolve(&self.base, reference, self.encoding)
                    .map_err(|error| error.to_string())
            })
            .collect()
    }

    fn table(&self, references: &[String], output: &mut Output) {
        let mut rows = vec![
            std::iter::once("reference")
                .chain(Standard::all().map(Standard::name))
                .map(str::to_owned)
                .collect::<Vec<String>>(),
        ];
        for reference in references {
            let cells = self.cells(reference);
            self.report_without_target(reference, &cells, output);
            let cells = cells.into_iter();
            let cells = cells.map(|cell| cell.unwrap_or_else(|_| "(none)".to_owned()));
            rows.push(std::iter::once(quoted(reference)).chain(cells).collect());
        }
        let columns = rows.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for (at, row) in rows.iter().enumerate() {
            let padded: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            output.line(padded.join("  ").trim_end());
            if at == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                output.line(&rules.join("  "));
            }
        }
    }

    /// Reports `reference` if no standard finds a target; a target under one is enough with `--all`.
    fn report_without_target(
        &self,
        reference: &str,
        cells: &[Result<String, String>],
        output: &mut Output,
    ) {
        if let (Some(Err(error)), true) = (cells.first(), cells.iter().all(Result::is_err)) {
            output.errors.push((reference.to_owned(), error.clone()));
        }
    }

    fn all_as_json(&self, references: &[String], output: &mut Output) {
        for reference in references {
            let mut targets = serde_json::Map::new();
            let mut errors = serde_json::Map::new();
            for standard in Standard::all() {
                match standard.resolve(&self.base, reference, self.encoding) {
                    Ok(target) => {
                        targets.insert(standard.name().to_owned(), json!(target));
                    }
                    Err(error) => {
                        errors.insert(standard.name().to_owned(), json!(error.to_string()));
                    }
                }
            }
            self.report_without_target(reference, &self.cells(reference), output);
            let object = json!({
                "base": self.base,
                "reference": reference,
                "targets": targets,
                "errors": errors,
            });
            output.line(&object.to_string());
        }
    }

    fn explain(&self, references: &[String], output: &mut Output) {
        let standard = self.arguments.standard;
        for (at, reference) in references.iter().enumerate() {
            let explanation = standard.explain(&self.base, reference, self.encoding);
            match self.arguments.format {
                Format::Json => output.line(&self.explanation_as_json(reference, &explanation)),
                Format::Text => {
                    if at > 0 {
                        output.line("");
                    }
                    self.explanation_as_text(reference, &explanation, output);
                }
            }
            if let Err(error) = &explanation.target {
                output.errors.push((reference.clone(), error.to_string()));
            }
        }
    }

    fn explanation_as_text(
        &self,
        reference: &str,
        explanation: &Explanation<'_>,
        output: &mut Output,
    ) {
        let standard = self.arguments.standard;
        output.line(&format!("base       {}", quoted(&self.base)));
        for (name, part) in parts(&explanation.base) {
            output.line(&format!("           {name:9} {part}"));
        }
        output.line(&format!("reference  {}", quoted(reference)));
        for (name, part) in parts(&explanation.reference) {
            output.line(&format!("           {name:9} {part}"));
        }
        output.line(&format!(
            "steps      by {standard}: {}",
            standard.description()
        ));
        for step in &explanation.steps {
            output.line(&format!("           {:9} {}", step.section, step.text));
        }
        let target = explanation.target.as_deref();
        output.line(&format!("target     {}", target.unwrap_or("(none)")));
    }

    fn explanation_as_json(&self, reference: &str, explanation: &Explanation<'_>) -> String {
        let steps: Vec<_> = explanation
            .steps
            .iter()
            .map(|step| json!({ "section": step.section, "text": step.text }))
            .collect();
        let components = |components: &Components<'_>| {
            let parts = parts(components).into_iter();
            parts
                .map(|(name, part)| (name.to_owned(), json!(part)))
                .collect::<serde_json::Map<_, _>>()
        };
        let mut object = json!({
            "base": self.base,
            "standard": self.arguments.standard.name(),
            "reference": reference,
            "base_components": components(&explanation.base),
            "reference_components": components(&explanation.reference),
            "steps": steps,
            "target": explanation.target.as_deref().ok(),
        });
        if let Err(error) = &explanation.target {
            object["error"] = json!(error.to_string());
        }
        object.to_string()
    }
}

/// The components that the URL has, with their names.
fn parts<'a>(components: &Components<'a>) -> Vec<(&'static str, &'a str)> {
    [
        ("scheme", components.scheme),
        ("authority", components.authority),
        (
            "path",
            Some(components.path).filter(|path| !path.is_empty()),
        ),
        ("params", components.params),
        ("query", components.query),
        ("fragment", components.fragment),
    ]
    .into_iter()
    .filter_map(|(name, part)| Some((name, part?)))
    .collect()
}

/// `reference` in quotes if it is empty or has white space.
fn quoted(reference: &str) -> String {
    if reference.is_empty() || reference.contains(|c: char| c.is_whitespace() || c.is_control()) {
        format!("'{}'", reference.escape_debug())
    } else {
        reference.to_owned()
    }
}
