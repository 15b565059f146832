//! rehref's library doing all that `rehref absolute` does to a document, measured as the peers are.

use std::process::ExitCode;

use rehref::PageOptions;
use rehref_peers::Failure;

fn main() -> ExitCode {
    rehref_peers::run(absolute)
}

fn absolute(html: &[u8], own: &str) -> Result<Vec<u8>, Failure> {
    Ok(rehref::absolute(html, &own.parse()?, &PageOptions::default())?.into_owned())
}
