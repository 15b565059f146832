//! Errors of browsers.

use std::io;
use std::path::PathBuf;

/// The error of a browser that cannot load pages.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// Browsers get their commands over file descriptors that Windows has not.
    #[error("--browser does not work on Windows\nhelp: compare the pages on Linux or macOS")]
    Unsupported,
    /// No program of a known name is installed.
    #[error(
        "no browser found ({})\nhelp: install Chromium or Google Chrome (Debian: apt install chromium), or pass the program: --browser=PATH", .names.join(", ")
    )]
    NotFound {
        /// The names that were looked for.
        names: Vec<&'static str>,
    },
    /// The program cannot be started.
    #[error("cannot start the browser {}: {source}\nhelp: pass a Chromium or Chrome binary: --browser=PATH", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The program ended, or does not answer.
    #[error(
        "the browser {} {what}\nhelp: pass a Chromium or Chrome binary: --browser=PATH{}",
        .program.display(), said(.output)
    )]
    NotReady {
        /// The program.
        program: PathBuf,
        /// The event: `ended (exit status: 1)`.
        what: String,
        /// The end of what the program printed.
        output: String,
    },
    /// The sandbox that keeps pages from the rest of the system is not available.
    #[error(
        "the browser {} has no sandbox here: it has none for root, nor where the system does not allow user namespaces\nhelp: run rehref as another user, or, if you trust these pages, add --no-sandbox", .0.display()
    )]
    NoSandbox(PathBuf),
    /// A folder for the profile cannot be made.
    #[error("cannot create a directory for the browser's profile: {0}")]
    Profile(#[source] io::Error),
    /// The connection ended: the browser crashed, or somebody closed it.
    #[error(
        "the browser crashed or was closed ({0})\nhelp: run the command again, with fewer --pages if memory is short"
    )]
    Disconnected(String),
    /// The browser does not understand a command.
    #[error(
        "the browser refused {method}: {message}; rehref needs Chromium or Chrome 120 or later"
    )]
    Refused {
        /// The DevTools command.
        method: &'static str,
        /// The message of the browser.
        message: String,
    },
    /// A command had no answer in time.
    #[error(
        "the browser did not answer {method} within {seconds} s\nhelp: run the command again, with fewer --pages if memory is short"
    )]
    NoAnswer {
        /// The DevTools command.
        method: &'static str,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A message of the browser is not what the protocol promises.
    #[error(
        "cannot parse the browser's answer to {method}: {source}; rehref needs Chromium or Chrome 120 or later"
    )]
    Malformed {
        /// The DevTools command.
        method: &'static str,
        /// The error of the JSON parser.
        source: serde_json::Error,
    },
    /// A page did not finish loading.
    #[error("the page did not load within {0} s; for a longer limit, add --page-timeout SECONDS")]
    PageTimeout(u64),
    /// The process of a page crashed.
    #[error("the page crashed the browser")]
    PageCrashed,
    /// The page could not be examined.
    #[error("cannot examine the page: {0}")]
    Evaluation(String),
    /// A signal ended the run.
    #[error("interrupted")]
    Interrupted,
}

impl BrowserError {
    /// Returns true if this browser is no longer usable, so that another attempt needs a new browser.
    pub fn ends_browser(&self) -> bool {
        matches!(self, BrowserError::Disconnected(_) | BrowserError::NoAnswer { .. })
    }

    /// Returns true if the error is about one page, so that other pages can still be loaded.
    pub fn is_of_page(&self) -> bool {
        self.ends_browser()
            || matches!(
                self,
                BrowserError::PageTimeout(_)
                    | BrowserError::PageCrashed
                    | BrowserError::Evaluation(_)
            )
    }
}

/// The program's own output, to end a message.
fn said(output: &str) -> String {
    match output.trim() {
        "" => String::new(),
        output => format!("; it printed: {}", output.replace('\n', " / ")),
    }
}
