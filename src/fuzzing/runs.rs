//! Properties of whole runs over small trees: nothing is lost, and what is written leads where it led.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use encoding_rs::{SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::documents::{is_named, is_reported};
use super::input::Input;
use crate::moves::{Request, plan};
use rehref_corpus::output::Destination;
use rehref_corpus::run::plan::{Archives, Mode};
use rehref_corpus::run::{Plan, Report, run};
use rehref_corpus::warc::gzip;
use rehref_corpus::{Corpus, Observer, SiteDigests};
use rehref_document::ParseOptions;
use rehref_rewrite::SiteMapping;
use rehref_rewrite::{BaseElements, InPageLinks, Policy, SitePolicy};
use rehref_site::{Diagnostic, diagnostic::SKIPPED_DOCUMENT};
use rehref_site::{MovedUrls, Moves, Projects};
use rehref_site::{Server, SiteUrl, canonical, walk};
use rehref_url::{AbsoluteUrl, RelativeForm, Standard, Url};
use rehref_verify::expected_targets::{ExpectedTargets, SiteFiles};
use rehref_verify::{TreePlan, verify_tree};

/// The files of the tree, in the order of their contents in the input.
const FILES: &[&str] = &[
    "index.html", "d/index.html", "d/s.css", "a b.html", "d/p.svg", "feed.xml", "d/e/x.xhtml",
    "mail.mht", "d/app.webmanifest", "_redirects", "z.html.gz", "robots.txt", "crawl.warc",
];

const SITE: &str = "https://h/d/";

/// Moves, each as arguments; the first moves nothing.
const MOVES: &[&[&str]] = &[
    &[],
    &["d=n/m"],
    &["index.html=d/e/home.html"],
    &["d/index.html=index.html", "index.html=d/index.html"],
    &["a b.html=d/b.html", "d/s.css=s t.css"],
];

struct Silent;

impl Observer for Silent {}

/// A rewriting of a site.
#[derive(Debug)]
enum Rewriting {
    Absolute(Option<AbsoluteUrl>),
    Relative(RelativeForm, BaseElements),
    Move(BaseElements, &'static [&'static str]),
}

/// How all trees of an input are read.
struct Reading {
    standard: Standard,
    options: ParseOptions,
}

impl Reading {
    fn corpus(&self, root: &Path) -> Corpus {
        let site_url = SiteUrl::parse(SITE).expect("the URL of a site").0;
        let mut corpus = Corpus {
            options: self.options,
            standard: self.standard,
            threads: 1,
            ..Corpus::new(root.to_owned(), walk(root), site_url, Server::default())
        };
        corpus.selection.compressed = true;
        corpus
    }
}

/// A rewriting and a second one of its output keep what [`Reading::rewritten`] checks.
pub(super) fn all(data: &[u8]) {
    let mut input = Input::new(data);
    let standards: Vec<Standard> = Standard::all().collect();
    let reading = Reading {
        standard: input.pick(&standards),
        options: ParseOptions {
            charset: input.pick(&[None, None, Some(UTF_8), Some(WINDOWS_1252), Some(SHIFT_JIS)]),
            ..ParseOptions::default()
        },
    };
    let rewritings =
        [rewriting(&mut input, reading.standard), rewriting(&mut input, reading.standard)];
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let damages = [(); 3].map(|()| input.pick(&bytes));
    let mut builder = tempfile::Builder::new();
    builder.prefix("rehref-fuzz-");
    // In memory if possible: five times as many inputs a second.
    let folder = builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir());
    let folder = folder.expect("a directory");
    let root = canonical(folder.path()).expect("it exists");
    let site = root.join("0");
    write_files(&site, input.bytes());
    let mut before = site;
    for (number, rewriting) in rewritings.iter().enumerate() {
        let after = root.join(format!("{}", number + 1));
        let (plan, first) = reading.rewritten(&before, &after, rewriting);
        if first.diagnostics.iter().next().is_none() && first.errors.is_empty() {
            reading.notices_damage(&plan, &after, damages);
        }
        if !matches!(rewriting, Rewriting::Move(..)) {
            let again = root.join("again");
            let (_, report) = reading.run(&after, &again, rewriting);
            if !report.diagnostics.iter().chain(first.diagnostics.iter()).any(|it| is_named(&it)) {
                assert_eq!(printed(&after), printed(&again));
            }
            fs::remove_dir_all(&again).expect("it was written");
        }
        before = after;
    }
}

fn rewriting(input: &mut Input<'_>, standard: Standard) -> Rewriting {
    let bases = [BaseElements::Keep, BaseElements::Drop, BaseElements::DropWithoutScripts];
    let base_elements = input.pick(&bases);
    match input.pick(&[0, 1, 2, 2, 3, 3, 3]) {
        0 => {
            let url = input.pick(&[SITE, "https://g/x/"]);
            let url = Url::parse(url).expect("a URL");
            Rewriting::Absolute(Some(AbsoluteUrl::new(standard, url)))
        }
        1 => Rewriting::Absolute(None),
        2 => {
            let forms: Vec<RelativeForm> = RelativeForm::all().collect();
            Rewriting::Relative(input.pick(&forms), base_elements)
        }
        _ => Rewriting::Move(base_elements, input.pick(MOVES)),
    }
}

/// Writes the contents, which `\x1E` divides.
fn write_files(site: &Path, contents: &[u8]) {
    let contents = contents.split(|byte| *byte == b'\x1E').chain([&b""[..]]);
    for (name, content) in FILES.iter().zip(contents) {
        let path = site.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
        let content = if name.ends_with(".gz") {
            gzip::member(&[content]).expect("memory")
        } else {
            content.to_vec()
        };
        fs::write(path, content).expect("a new file");
    }
}

impl Reading {
    /// Writes the tree at `before`, rewritten, to `after`. `verify` finds no difference, and what it cannot
    /// prove is a document that the rewriting has reported.
    fn rewritten(&self, before: &Path, after: &Path, rewriting: &Rewriting) -> (Plan, Report) {
        let (plan, report) = self.run(before, after, rewriting);
        let verified = self.verify(&plan, after);
        let standard = self.standard;
        let shown = || {
            let (before, after) = (printed(before), printed(after));
            format!("{rewriting:?} by {standard}\n{before}\n{after}")
        };
        let diagnostics: Vec<Diagnostic> = report.diagnostics.iter().map(Cow::into_owned).collect();
        let named = |it: &&rehref_verify::Difference| !is_reported(it, &diagnostics);
        // What cannot be written is an error of the run.
        let is_skipped = |path: &str| {
            let mut errors = diagnostics.iter();
            errors.any(|it| it.code == SKIPPED_DOCUMENT && *it.location.path == *path)
        };
        let different = verified.different.iter();
        let different: Vec<_> = different
            .filter(|file| {
                file.count > file.differences.len() || file.differences.iter().any(|it| named(&it))
            })
            .filter(|file| !is_skipped(file.path_before.as_ref().unwrap_or(&file.path)))
            .collect();
        assert!(different.is_empty(), "{different:?}\n{}", shown());
        assert_eq!(verified.errors, [], "{}", shown());
        let malformed = verified.unproven.len() + verified.malformed.len();
        assert!(malformed <= report.documents.skipped, "{}", shown());
        (plan, report)
    }

    /// `verify` finds that a letter of a file in the tree at `after` was replaced by another letter. `at` chooses the file
    /// and the letter.
    fn notices_damage(&self, plan: &Plan, after: &Path, at: [u8; 3]) {
        let files: Vec<PathBuf> = walkdir::WalkDir::new(after)
            .sort_by_file_name()
            .into_iter()
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| entry.into_path())
            .collect();
        let [file, high, low] = at.map(usize::from);
        let Some(path) = files.get(file % files.len().max(1)) else { return };
        let bytes = fs::read(path).expect("a file");
        let letters = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_alphabetic());
        let letters: Vec<usize> = letters.collect();
        let Some(at) = letters.get((256 * high + low) % letters.len().max(1)) else { return };
        let mut damaged = bytes.clone();
        damaged[*at] = match bytes[*at] {
            b'z' => b'a',
            b'Z' => b'A',
            letter => letter + 1,
        };
        // `x/..` is nothing, whatever `x` is.
        let steps = |bytes: &[u8]| {
            bytes.windows(2).any(|it| it == b"..")
                || bytes.windows(3).any(|it| it.eq_ignore_ascii_case(b"%2e"))
        };
        if steps(&damaged) {
            return;
        }
        fs::write(path, &damaged).expect("a file");
        let found = self.verify(plan, after);
        fs::write(path, &bytes).expect("a file");
        let is_noticed = !found.different.is_empty()
            || found.errors.len() + found.unproven.len() + found.malformed.len() > 0;
        assert!(
            is_noticed,
            "byte {at} of {path:?}:\n{}\n{}",
            bytes.escape_ascii(),
            damaged.escape_ascii()
        );
    }

    fn run(&self, before: &Path, after: &Path, rewriting: &Rewriting) -> (Plan, Report) {
        let corpus = self.corpus(before);
        let mut moves = Moves::default();
        let site = |form, base_elements, mapping| {
            Policy::site(SitePolicy { form, base_elements, mapping })
        };
        let policy = match rewriting {
            Rewriting::Absolute(base) => Policy::Absolute {
                base: base.clone(),
                repository: None,
                in_page_links: InPageLinks::default(),
            },
            Rewriting::Relative(form, base_elements) => {
                let mapping = SiteMapping::unmoved(corpus.site_url.clone());
                site(Some(*form), *base_elements, mapping)
            }
            Rewriting::Move(base_elements, requests) => {
                let entries = &corpus.walk.entries;
                let requests = requests.iter().map(|it| Request::argument(OsStr::new(it)));
                let requests: Vec<Request> = requests.map(|it| it.expect("a request")).collect();
                // After another move the files may be elsewhere.
                moves = plan(entries, &requests, false).unwrap_or_default();
                let files = corpus.file_index();
                let mapping = SiteMapping {
                    moved: MovedUrls::of(&moves, entries, &files).into(),
                    files,
                    ..SiteMapping::unmoved(corpus.site_url.clone())
                };
                site(None, *base_elements, mapping)
            }
        };
        let destination = Destination::check(before, after, false).expect("a new directory");
        let plan = Plan {
            policies: Projects::default(),
            origins: None,
            new_index_files: corpus.index_files_at(|path| moves.new_path(path).unwrap_or(path)),
            mode: Mode::Copy(destination),
            archives: match rewriting {
                Rewriting::Absolute(_) => Archives::Rewritten,
                _ => Archives::Copied,
            },
            moves,
            policy,
            corpus,
        };
        let report = run(&plan, &Silent).expect("nothing interrupts it");
        // An archive that is no archive cannot be read.
        let errors = report.errors.iter().filter(|it| !it.location.path.ends_with(".warc"));
        assert_eq!(errors.count(), 0, "{:?}", report.errors);
        (plan, report)
    }

    fn verify(&self, plan: &Plan, after: &Path) -> rehref_verify::Report {
        let after = self.corpus(after);
        let before = &plan.corpus;
        let files = || SiteFiles::new(before.file_index(), after.file_index(), &plan.moves);
        let same_file = !plan.moves.is_empty();
        let tree_plan = TreePlan {
            before,
            after: &after,
            moves: &plan.moves,
            file_after: None,
            base: plan.policy.base_url(),
            repository: plan.policy.repository(),
            targets: ExpectedTargets {
                before: &before.site_url,
                also: &[],
                after: &after.site_url,
                files: same_file.then(files),
                same_file,
            },
            digests_before: SiteDigests::new(before),
            digests_after: SiteDigests::new(&after),
            offline: false,
            may_be_extra: false,
            added: Default::default(),
            limit: usize::MAX,
        };
        verify_tree(&tree_plan, &Silent).expect("nothing interrupts it")
    }
}

/// The files of a tree, printable.
fn printed(root: &Path) -> String {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root).into_iter().flatten() {
        if entry.file_type().is_file() {
            let content = fs::read(entry.path()).expect("a file");
            let path = entry.path().strip_prefix(root).expect("below it");
            files.insert(path.to_owned(), content.escape_ascii().to_string());
        }
    }
    format!("{files:#?}")
}
