//! Arguments for comparing pages in a browser.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::command_line::is_given;
use super::exit::{CliError, usage_error};
use rehref_verify::browser::BrowserOptions;
use rehref_verify::chromium::Browser;

/// The browser, and the pages to open in it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Browser")]
pub(super) struct BrowserArguments {
    /// Also load pages of both trees in headless Chromium, and compare what visitors see
    ///
    /// Opens each page at its URL, answers requests from the files of its tree, and blocks all access to the
    /// network. Reports what fails only in the new tree: pages that do not load in time, missing or blocked files,
    /// errors on the console, style sheets that do not apply, changed computed styles, images that do not appear,
    /// and links, forms and frames of the live page with a different target. PATH is the Chromium or Chrome binary
    /// [default: the first installed one].
    #[arg(long, value_name = "PATH", require_equals = true)]
    pub(super) browser: Option<Option<PathBuf>>,
    /// Load the pages even where the browser has no sandbox: as root, or in a container
    ///
    /// Without the sandbox, a page that exploits the browser runs with your permissions. Do not use this option for
    /// pages that you do not trust.
    #[arg(long)]
    no_sandbox: bool,
    /// Number of pages to open, spread over all types of pages; all: every page [default: 50]
    #[arg(long, value_name = "N", value_parser = pages)]
    pages: Option<PageLimit>,
    /// Number of toggles (such as menu buttons) to click on each page, and of links that scripts handle; 0: none [default: 2]
    ///
    /// rehref clicks in both trees, and compares the page after each click. If the first link opens another page, rehref also clicks a link there,
    /// compares again, goes back, and compares again. rehref does not click links that no script handles: it opens their pages separately.
    #[arg(long, value_name = "N")]
    clicks: Option<usize>,
    /// Also compare screenshots of the pages, and write the screenshots to DIR
    #[arg(long, value_name = "DIR")]
    screenshots: Option<PathBuf>,
    /// Time limit for loading a page [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    page_timeout: Option<NonZeroUsize>,
}

fn seconds(given: &str) -> Result<NonZeroUsize, &'static str> {
    let seconds = given.trim_end_matches('s').parse();
    seconds.map_err(|_| "pass a number of seconds, 1 or more")
}

/// The number of pages to open; `None` for all. The alias hides the `Option` from clap.
type PageLimit = Option<NonZeroUsize>;

fn pages(given: &str) -> Result<PageLimit, &'static str> {
    match given {
        "all" => Ok(None),
        count => count.parse().map(Some).map_err(|_| "pass all, or a number of at least 1"),
    }
}

impl BrowserArguments {
    /// Returns the options for a browser that opens the pages; `None` if no browser is wanted. `is_wanted`: another
    /// option asks for it.
    pub(super) fn options(&self, is_wanted: bool) -> Result<Option<BrowserOptions>, CliError> {
        const DEFAULT_PAGES: usize = 50;
        const DEFAULT_CLICKS: usize = 2;
        const DEFAULT_TIMEOUT: usize = 30;
        if self.browser.is_none() && !is_wanted {
            let options = ["no-sandbox", "pages", "clicks", "screenshots", "page-timeout"];
            return options.iter().find(|name| is_given(name)).map_or(Ok(None), |name| {
                usage_error(format!("--{name} needs --browser, which compares pages"))
            });
        }
        let program = self.browser.clone().flatten();
        // Before anything is written: whether it starts, too, which may lack a sandbox.
        let found = Browser::find(program.as_deref());
        let started = found.and_then(|it| {
            if is_wanted { Browser::start(&it, self.no_sandbox).map(drop) } else { Ok(()) }
        });
        started.map_err(|error| CliError::Pages(error.into()))?;
        let seconds = self.page_timeout.map_or(DEFAULT_TIMEOUT, usize::from);
        Ok(Some(BrowserOptions {
            program,
            may_lack_sandbox: self.no_sandbox,
            pages: self.pages.map_or(Some(DEFAULT_PAGES), |limit| limit.map(usize::from)),
            clicks: self.clicks.unwrap_or(DEFAULT_CLICKS),
            screenshots: self.screenshots.clone(),
            from_disk: false,
            timeout: Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX)),
        }))
    }
}
