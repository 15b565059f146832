//! The HTML page that stands at an old URL, for hosts that cannot be configured.

use rehref_document::redirects::escape::push_escaped;

const HTML_ESCAPES: [(u8, &str); 5] =
    [(b'&', "&amp;"), (b'<', "&lt;"), (b'>', "&gt;"), (b'"', "&quot;"), (b'\'', "&#39;")];

/// Takes the fragment along, which a refresh drops. Reads the URL from the canonical link, so that
/// programs that rewrite links need not understand scripts.
const SCRIPT: &str = "if (location.hash) {\n\
    var to = document.querySelector(\"link[rel=canonical]\").href.split(\"#\")[0];\n\
    location.replace(to + location.hash);\n}";

/// The start of every page.
const START: &str = "<!DOCTYPE html>\n\
    <html lang=\"en\">\n\
    <head>\n\
    <meta charset=\"utf-8\">\n\
    <title>This page has moved</title>\n";

/// The number of bytes that [`is_stub`] needs.
pub const STUB_LENGTH: usize = START.len();

/// Returns true if a page that starts with these bytes is a redirect page of [`stub`].
pub fn is_stub(start: &[u8]) -> bool {
    start.starts_with(START.as_bytes())
}

/// Returns an HTML page that redirects to the URL `to`, absolute or relative to the page: a script for URLs with a
/// fragment, a refresh for browsers, the canonical URL for search engines, and a link for all others.
pub fn stub(to: &str) -> String {
    // A quote at the start of a refresh's URL is not part of it (HTML, shared declarative refresh
    // steps).
    let to = match to.split_at_checked(1) {
        Some(("'", rest)) => format!("%27{rest}"),
        Some(("\"", rest)) => format!("%22{rest}"),
        _ => to.to_owned(),
    };
    let mut url = Vec::new();
    push_escaped(&mut url, to.as_bytes(), &HTML_ESCAPES);
    let url = String::from_utf8_lossy(&url);
    format!(
        "{START}\
         <link rel=\"canonical\" href=\"{url}\">\n\
         <script>\n{SCRIPT}\n</script>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
         </head>\n\
         <body>\n\
         <p>This page has moved to <a href=\"{url}\">{url}</a>.</p>\n\
         </body>\n\
         </html>\n"
    )
}
