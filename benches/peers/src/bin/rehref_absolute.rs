//! rehref's library doing all that `rehref absolute` does to a document, measured as the peers are.

use std::process::ExitCode;

use rehref::document::ParseOptions;
use rehref::rewrite::{DocumentUrls, Policy, rewrite_document};
use rehref::url::{AbsoluteUrl, Standard, Url};
use rehref_peers::Failure;

fn main() -> ExitCode {
    rehref_peers::run(absolute)
}

fn absolute(html: &[u8], own: &str) -> Result<Vec<u8>, Failure> {
    let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse(own)?);
    let rewritten = rewrite_document(
        html,
        DocumentUrls::unmoved(&own),
        &Policy::absolute(),
        &ParseOptions::default(),
    )?;
    Ok(rewritten.bytes.unwrap_or_else(|| html.to_vec()))
}
