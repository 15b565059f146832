//! Arguments for the output of a rewriting.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use super::browser::BrowserArguments;
use super::command_line::{WORDS, command_name};
use super::exit::{CliError, usage_error};
use super::place::is_packed;
use super::reports::{Requested, formats, refuse_conflicts};
use super::values::{Choice, REPORT_FORMATS, ReportFormat, one_of};
use super::work_tree::refuse_uncommitted;
use rehref_corpus::SitePlace;
use rehref_corpus::output::{Destination, OutputFile};
use rehref_corpus::run::plan::Mode;
use rehref_corpus::warc::gzip;
use rehref_site::canonical;
use rehref_site::diagnostic::display_path;
use rehref_verify::browser::BrowserOptions;

/// The destination of a rewritten site.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct DestinationArguments {
    /// Write the new site to this directory: rewritten documents, and copies of all other files
    ///
    /// If SITE is a document or an archive, DIR is the file to write (- for stdout).
    #[arg(short, long, aliases = ["output", "output-dir", "dest", "destination", "dir"], short_aliases = ['O', 'P'],
        value_name = "DIR", conflicts_with = "in_place")]
    pub(super) out: Option<PathBuf>,
    /// Write into an output directory that is not empty, and replace files of the same name
    ///
    /// rehref does not write files that already have the same bytes, so these keep their times.
    // clap does not miss a required option that another one excludes.
    #[arg(long, requires = "out", conflicts_with = "in_place")]
    pub(super) force: bool,
    /// Write unchanged files as hard links to the files of SITE instead of copies, if the file system supports hard
    /// links
    ///
    /// A program that writes into such a file, instead of replacing the file, changes the file in both trees. rehref
    /// always replaces files.
    #[arg(long, requires = "out", conflicts_with = "in_place")]
    pub(super) link_unchanged: bool,
    /// Change SITE itself: replace changed documents one by one (move: replace the whole tree in one step)
    #[arg(long)]
    pub(super) in_place: bool,
    /// Change SITE in place even if SITE has uncommitted changes in git
    #[arg(long, requires = "in_place")]
    allow_dirty: bool,
    /// List the documents that would change, and change nothing
    #[arg(short = 'n', long, alias = "preview")]
    pub(super) dry_run: bool,
    /// Print the changes as a unified diff, and change nothing
    #[arg(long, alias = "patch")]
    pub(super) diff: bool,
    /// Exit with status 1 if a document would change, and change nothing
    #[arg(long)]
    pub(super) check: bool,
}

/// The output of `absolute`, `relative` and `move`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArguments {
    #[command(flatten)]
    pub(super) destination: DestinationArguments,
    /// Read the output again, and prove that every link has the expected target and no other byte changed
    ///
    /// --verify=browser also loads pages of SITE and of the output in headless Chromium; see --browser.
    #[arg(long, value_name = "HOW", require_equals = true, num_args = 0..=1,
        default_missing_value = "files", value_parser = one_of(VERIFICATIONS))]
    pub(super) verify: Option<Verification>,
    /// Format of the report, on stdout or in FILE; repeatable
    ///
    /// rehref prints the summary on stderr. With --dry-run, json on stdout replaces the list of documents.
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(REPORT_FORMATS))]
    pub(super) format: Vec<Requested<ReportFormat>>,
    #[command(flatten)]
    pub(super) browser: BrowserArguments,
}

/// How an output is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verification {
    Files,
    Browser,
}

#[rustfmt::skip]
const VERIFICATIONS: [Choice<Verification>; 2] = [
    ("files", "Compare the files", Verification::Files),
    ("browser", "Compare the files, then the pages in headless Chromium", Verification::Browser),
];

impl OutputArguments {
    /// Returns the reports to write. Refuses two for one place; the patch of `--diff` takes stdout.
    pub(super) fn reports(&self) -> Result<&[Requested<ReportFormat>], CliError> {
        refuse_conflicts(&self.format)?;
        for report in self.format.iter().filter(|it| it.file.is_none()) {
            let printer = if self.destination.is_stdout() {
                "--out -"
            } else if self.destination.diff && report.format != ReportFormat::Text {
                "--diff"
            } else {
                continue;
            };
            return usage_error(format!(
                "{printer} and --format both print to stdout\nhelp: write the report to a file: --format {}=FILE",
                report.name
            ));
        }
        Ok(&self.format)
    }

    /// Returns true if to verify the output.
    pub(super) fn verifies(&self) -> bool {
        self.verify.is_some() || self.browser.browser.is_some()
    }

    /// Returns the options for comparing pages in a browser, if wanted.
    pub(super) fn browser_options(&self) -> Result<Option<BrowserOptions>, CliError> {
        self.browser.options(self.verify == Some(Verification::Browser))
    }
}

/// Refuses a change of the site at `root` in place while the shell writes stdout to a file there.
fn refuse_stdout_in(root: &Path) -> Result<(), CliError> {
    // Where the system has no such link, the change of the file during the run is found.
    let stdout = canonical(Path::new("/dev/stdout")).ok().filter(|it| it.is_file());
    let root = canonical(root).ok();
    let Some((file, root)) = stdout.zip(root).filter(|(file, root)| file.starts_with(root)) else {
        return Ok(());
    };
    let name = file.strip_prefix(root).unwrap_or(&file).display();
    usage_error(format!(
        "stdout is {name}, a file in the site, which the shell has made or emptied\nhelp: write the output to a file outside the site, and remove {name}, or restore it"
    ))
}

impl DestinationArguments {
    /// Returns the mode of a run over `place`. Checks that the destination can be written, for a dry run too: it tells
    /// what the same command without it would do.
    pub(super) fn mode(&self, place: &SitePlace) -> Result<Mode, CliError> {
        self.mode_of(place, self.allow_dirty)
    }

    /// Returns the same; `is_dirty`: SITE may have uncommitted changes.
    pub(super) fn mode_of(&self, place: &SitePlace, is_dirty: bool) -> Result<Mode, CliError> {
        // The parser treats it as -o ut.
        let words = WORDS.get().into_iter().flatten();
        if self.out.as_deref() == Some(Path::new("ut")) && words.clone().any(|word| word == "-out")
        {
            return usage_error(
                "-out means -o with the directory `ut`\nhelp: did you mean `--out`?",
            );
        }
        if let Some(out) = self.out.as_ref().map(|it| it.to_string_lossy())
            && out.starts_with(['~', '$', '%'])
            && !Path::new(out.split('/').next().unwrap_or_default()).exists()
        {
            return usage_error(format!(
                "--out {out}: the shell did not expand the path\nhelp: write `--out ~/DIR` with a space and without quotes; for a directory of this name, write ./{out}"
            ));
        }
        if self.allow_dirty && !self.in_place {
            return usage_error("--allow-dirty is for --in-place\nhelp: remove --allow-dirty");
        }
        let mode = match (&self.out, place) {
            (Some(_), SitePlace::Archive(path) | SitePlace::Document(path)) if self.is_stdout() => {
                Mode::File(OutputFile::temporary(path)?)
            }
            (Some(_), SitePlace::Directory(_)) if self.is_stdout() => {
                return usage_error(
                    "--out - writes one document or archive to stdout, but the site is a directory\nhelp: pass a directory",
                );
            }
            (Some(out), SitePlace::Archive(path) | SitePlace::Document(path)) => {
                let is_archive = matches!(place, SitePlace::Archive(_));
                // Only relative has the option.
                let extract = match is_archive && command_name() == "relative" {
                    true => "\nhelp: to write a directory of pages, add --extract",
                    false => "",
                };
                if out.to_string_lossy().ends_with('/') || !extract.is_empty() && out.is_dir() {
                    return usage_error(format!(
                        "--out {}: this is the name of a directory, but the output is one file\nhelp: pass a file{extract}",
                        out.display()
                    ));
                }
                if is_archive {
                    refuse_false_extension(path, out)?;
                }
                Mode::File(OutputFile::check(path, out, self.force)?)
            }
            (Some(out), SitePlace::Directory(root)) => {
                refuse_elsewhere(out)?;
                refuse_drive(out)?;
                let mut destination = Destination::check(root, out, self.force)?;
                destination.links = self.link_unchanged;
                Mode::Copy(destination)
            }
            (None, _) if self.in_place => {
                refuse_stdout_in(&place.root())?;
                if !is_dirty && !self.allow_dirty && !self.is_dry() {
                    refuse_uncommitted(&place.root(), place.document_name())?;
                }
                Mode::InPlace
            }
            (None, _) if self.is_dry() => Mode::DryRun,
            (None, _) => {
                let out = match place {
                    SitePlace::Directory(_) => "DIR",
                    SitePlace::Archive(_) | SitePlace::Document(_) => "FILE (- for stdout)",
                };
                return usage_error(format!(
                    "no output: add --out {out}, --in-place, --dry-run, --diff or --check"
                ));
            }
        };
        Ok(if self.diff {
            Mode::Diff
        } else if self.is_dry() {
            Mode::DryRun
        } else {
            mode
        })
    }

    /// Returns the destination for an archive from stdin: stdout, if no option says what to write.
    pub(super) fn for_stdin(&mut self) -> Result<(), CliError> {
        if self.in_place {
            return usage_error("--in-place does not apply to stdin\nhelp: remove --in-place");
        }
        if self.is_missing() {
            self.out = Some(PathBuf::from("-"));
        }
        Ok(())
    }

    /// Returns true if no option says what to write.
    pub(super) fn is_missing(&self) -> bool {
        self.out.is_none() && !self.in_place && !self.is_dry()
    }

    /// Returns true if the output goes to stdout.
    pub(super) fn is_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new("-"))
    }

    /// Returns true if nothing is written.
    pub(super) fn is_dry(&self) -> bool {
        self.dry_run || self.diff || self.check
    }

    /// Returns the last line of a run that has written everything: where the output is. `changes`: a document was
    /// rewritten, or a file moved.
    pub(super) fn closing(&self, changes: bool, has_failed: bool) -> String {
        match &self.out {
            _ if self.is_dry() && !changes => "nothing to change\n".to_owned(),
            _ if self.is_dry() => {
                "nothing was changed; to write the changes, remove --dry-run, --diff and --check\n"
                    .to_owned()
            }
            Some(_) if self.is_stdout() => "written to stdout\n".to_owned(),
            Some(out) if changes => format!("written to {}\n", display_path(out)),
            Some(out) if has_failed => format!(
                "not all of the site was written to {} (see the errors above)\n",
                display_path(out)
            ),
            Some(out) => {
                format!("no document changed; the site was copied to {}\n", display_path(out))
            }
            None if self.in_place && changes => "changed in place\n".to_owned(),
            None if has_failed => "nothing was changed (see the errors above)\n".to_owned(),
            None => "nothing to change\n".to_owned(),
        }
    }
}

/// Refuses an `out` that is meant as a URL, a place on another machine, an archive or a device, for a tree.
fn refuse_elsewhere(out: &Path) -> Result<(), CliError> {
    let name = out.to_string_lossy();
    let (host, path) = name.split_once(':').unwrap_or((&name, ""));
    let is_remote = host.len() > 1 && !host.contains('/') && host.contains('@') && !path.is_empty();
    let is_device = match out.metadata() {
        Ok(metadata) => !metadata.is_dir() && !metadata.is_file(),
        Err(_) => out.parent() == Some(Path::new("/dev")),
    };
    let advice = if out.is_dir() {
        return Ok(());
    } else if is_device {
        "this is a device or a pipe, but the output is a tree of files\nhelp: pass a directory"
    } else if name.contains("://") {
        "this is a URL\nhelp: pass a directory on this disk"
    } else if is_remote {
        "rehref writes only to this machine\nhelp: pass a directory, and copy it with rsync"
    } else if is_packed(out) {
        "rehref writes a directory, not an archive\nhelp: pass a directory, and pack it"
    } else {
        return Ok(());
    };
    usage_error(format!("--out {name}: {advice}"))
}

/// Refuses an `out` that ends in `.gz` when `archive` is not compressed.
fn refuse_false_extension(archive: &Path, out: &Path) -> Result<(), CliError> {
    let mut start = Vec::new();
    File::open(archive)
        .and_then(|file| file.take(2).read_to_end(&mut start))
        .map_err(CliError::io(archive.display()))?;
    let name = out.display();
    if start != gzip::MAGIC && name.to_string().to_ascii_lowercase().ends_with(".gz") {
        return usage_error(format!(
            "--out {name}: the output is not compressed, because the site is not\nhelp: pass a name without .gz"
        ));
    }
    Ok(())
}

/// Refuses a path of Windows on other systems, where it is the name of a directory beside the site.
fn refuse_drive(out: &Path) -> Result<(), CliError> {
    let text = out.to_string_lossy();
    match text.as_bytes() {
        [drive, b':', b'\\', ..] if !cfg!(windows) && drive.is_ascii_alphabetic() => {
            usage_error(format!(
                "--out {text}: this is a path of Windows\nhelp: in WSL, {}: is /mnt/{}",
                char::from(*drive),
                char::from(drive.to_ascii_lowercase())
            ))
        }
        _ => Ok(()),
    }
}
