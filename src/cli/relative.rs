//! `rehref relative`: make the links within a site relative.

use std::path::PathBuf;

use clap::Args;

use super::advice::Advice;
use super::arguments::SiteArguments;
use super::command_line::quoted;
use super::exit::{CliError, Exit, usage_error};
use super::kind::KindArguments;
use super::options::{self, SiteKind};
use super::output::OutputArguments;
use super::rewriting::{filter, filter_url, refuse_below, rewrite};
use super::site_url::{self, MissingUrl};
use super::stdin::Stdin;
use super::values::{BASE_CHOICES, Choice, FORMS, Form, one_of};
use super::{extract, markdown, place, terminal};
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::{Archives, Mode};
use rehref_corpus::{SitePlace, container_format};
use rehref_rewrite::{
    BaseElements, IndexNames, Policy, PrettyUrls, SiteMapping, SitePolicy, TrailingSlash,
};
use rehref_site::{FileIndex, IndexFiles, SiteUrl};
use rehref_url::RelativeForm;

/// Make the links within a site relative
///
/// Links into the site become relative, in the form that --form selects; all other links stay unchanged. Every link keeps its
/// target. relative removes the href of base elements, or the whole element if it has no other attribute, and makes
/// the links of the document relative to the document's own URL. Documents with scripts keep their base elements,
/// since scripts may create links that resolve against them. Only links and base elements change: all other bytes stay
/// unchanged.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(value_name = "SITE", help = place::help(", or - to rewrite a document or an archive from stdin to stdout"))]
    place: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// Form of relative links into the site
    #[arg(long, alias = "style", value_name = "FORM", default_value = "path", help_heading = "Links", value_parser = one_of(FORMS))]
    form: Form,
    /// Keep, update or remove base elements
    #[arg(long, alias = "base", value_name = "WHAT", default_value = "auto", help_heading = "Links",
        value_parser = one_of(BASE_CHOICES))]
    base_element: BaseElements,
    /// Write links that work when pages are opened from disk
    ///
    /// A link to a directory becomes a link to its index file. A link without an extension, or with a query, becomes
    /// a link to the file that a server would serve.
    #[arg(long, alias = "convert-links", short_alias = 'k', help_heading = "Links", conflicts_with_all = ["directory_links", "trailing_slash"])]
    offline: bool,
    /// Extract archived pages to a directory you can browse offline
    ///
    /// Each URL with content becomes a file, named as by wget --adjust-extension --restrict-file-names=windows. A URL
    /// that redirects to a page becomes a page that redirects. Links between these files become relative, all other
    /// links absolute. All archives in SITE are one crawl.
    #[arg(long, help_heading = "Links", requires = "out")]
    extract: bool,
    /// Spelling of links to index files that exist: news/index.html or news/
    #[arg(long, help_heading = "Links", value_name = "WHAT", default_value = "keep", value_parser = one_of(DIRECTORY_LINKS))]
    directory_links: IndexNames,
    /// Add or remove the trailing slash of links to directories
    #[arg(long, help_heading = "Links", value_name = "WHAT", default_value = "keep", value_parser = one_of(SLASH_CHOICES))]
    trailing_slash: TrailingSlash,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    kind: KindArguments,
}

#[rustfmt::skip]
const DIRECTORY_LINKS: [Choice<IndexNames>; 3] = [
    ("keep", "As written", IndexNames::Keep),
    ("strip", "Write a/index.html as a/", IndexNames::Strip),
    ("add", "Write a/ as a/index.html", IndexNames::Add),
];

#[rustfmt::skip]
const SLASH_CHOICES: [Choice<TrailingSlash>; 3] = [
    ("keep", "As written", TrailingSlash::Keep),
    ("add", "Write news as news/ if the directory news exists", TrailingSlash::Add),
    ("remove", "Write news/ as news if news has an index file, or news.html exists", TrailingSlash::Remove),
];

pub(super) fn run(mut arguments: Arguments) -> Result<Exit, CliError> {
    site_url::refuse_none("relative", arguments.site.url.as_deref())?;
    let check = || filter_url(&arguments.site, URL_HINT);
    match Stdin::of(&arguments.place, arguments.kind.kind, check)? {
        Stdin::Unread => run_on_site(&mut arguments),
        Stdin::Archive(archive) => {
            archive.path().clone_into(&mut arguments.place);
            arguments.output.destination.for_stdin()?;
            run_on_site(&mut arguments)
        }
        Stdin::Document(bytes) => filter_document(&arguments, bytes),
    }
}

fn run_on_site(arguments: &mut Arguments) -> Result<Exit, CliError> {
    if arguments.offline && arguments.form != Some(RelativeForm::Path) {
        return usage_error(
            "--offline needs --form path, since files on disk have no host\nhelp: remove --form",
        );
    }
    let place = arguments.kind.place(&arguments.place)?;
    if arguments.extract
        && let SitePlace::Document(file) = &place
    {
        let name = file.file_name().unwrap_or_default().display();
        return usage_error(format!(
            "{name}: --extract reads WARC and WACZ archives only, and this is one document\nhelp: to rewrite its links: rehref relative {} --out FILE; a browser opens it, and saves its files (\"complete page\")",
            quoted(file.display())
        ));
    }
    arguments.site.read_readme(&place);
    if arguments.extract {
        return extract::run(&place, &arguments.output, &arguments.site);
    }
    let mode = arguments.output.destination.mode(&place)?;
    let (mut corpus, likely_url) =
        arguments.site.open(&place, place.walk(), MissingUrl::Assumed)?;
    markdown::refuse_project("relative", &corpus)?;
    site_url::refuse_whole_site(&place, arguments.site.url.as_deref(), &arguments.place)?;
    refuse_below(&corpus, &arguments.output.destination)?;
    corpus.selection.set_kind(arguments.kind.kind);
    if arguments.offline && corpus.site_url.is_on_disk() {
        return usage_error(
            "--offline writes links that work wherever the files are, and --url names a place on disk\nhelp: remove --url, or pass the URL at which the site is published",
        );
    }
    // Without a URL, files show where `..` segments lead that escape the root.
    let needs_files = !arguments.pretty().is_plain() || corpus.site_url.is_placeholder();
    let files = if needs_files { corpus.file_index() } else { FileIndex::default() };
    let mut policy = policy(arguments, &corpus.site_url, files)?;
    policy.mapping.likely = likely_url.map(|it| it.url).into_iter().collect();
    policy.mapping.likely.extend(corpus.unknown_siblings());
    policy.mapping.also.clone_from(&corpus.also);
    let policy = Policy::site(policy);
    let mut plan = Plan::new(corpus, mode, policy);
    plan.archives = match arguments.site.url {
        Some(_) => Archives::Rewritten,
        None => Archives::RewrittenByServer,
    };
    if arguments.offline && plan.corpus.site_url.is_placeholder() {
        terminal::note(
            "without --url, links that leave the site, such as //host/x, stay relative, and have no target on disk",
        );
    }
    if arguments.offline {
        // Readers open the files themselves.
        plan.new_index_files = IndexFiles::default();
    }
    let is_for_server = !arguments.offline && arguments.pretty().is_plain();
    rewrite(plan, &arguments.output, "already relative or external", |plan, found| {
        let is_site = matches!(plan.mode, Mode::Copy(_)) && plan.corpus.selection.single.is_none();
        found.extend((is_for_server && is_site).then(|| {
            Advice::Note(
                "the links are for a web server\nhelp: for a copy to open without a server, add --offline"
                    .to_owned(),
            )
        }));
        // Others read it by its name.
        if let (Mode::File(file), None) = (&plan.mode, &plan.corpus.selection.single)
            && file.path().file_name().is_none_or(|it| container_format(it).is_none())
        {
            found.push(Advice::Note(
                "the output is an archive\nhelp: to write a directory of pages, add --extract"
                    .to_owned(),
            ));
        }
        Ok(())
    })
}

/// The end of the error of a document without a URL.
const URL_HINT: &str = "\nhelp: --also adds other URLs of the site";

/// Filters one document. Its site is its whole host.
fn filter_document(arguments: &Arguments, bytes: Vec<u8>) -> Result<Exit, CliError> {
    options::refuse(SiteKind::Stdin)?;
    let own = filter_url(&arguments.site, URL_HINT)?;
    let site = own.resolve("/", encoding_rs::UTF_8).or_else(|_| {
        usage_error(format!(
            "--url {own}: this URL has no host, so no relative link can resolve against it\nhelp: pass a URL like https://example.org/a.html"
        ))
    })?;
    let (site_url, _) = SiteUrl::parse(site.as_str())?;
    let policy = policy(arguments, &site_url, FileIndex::default())?;
    filter(bytes, own, &arguments.kind, &Policy::site(policy), &arguments.output, &arguments.site)
}

impl Arguments {
    fn pretty(&self) -> PrettyUrls {
        PrettyUrls {
            offline: self.offline,
            index: self.directory_links,
            trailing_slash: self.trailing_slash,
        }
    }
}

fn policy(
    arguments: &Arguments,
    site_url: &SiteUrl,
    files: FileIndex,
) -> Result<SitePolicy, CliError> {
    Ok(SitePolicy {
        form: arguments.form,
        base_elements: arguments.base_element,
        mapping: SiteMapping {
            also: arguments.site.aliases()?,
            files,
            pretty: arguments.pretty(),
            // On disk the directories of all hosts are one tree.
            after: if arguments.offline { site_url.without_mounts() } else { site_url.clone() },
            ..SiteMapping::unmoved(site_url.clone())
        },
    })
}
