//! The page that stands at an old URL.

use super::escape;

const HTML: [(u8, &str); 5] = [
    (b'&', "&amp;"),
    (b'<', "&lt;"),
    (b'>', "&gt;"),
    (b'"', "&quot;"),
    (b'\'', "&#39;"),
];

/// A whole HTML page that leads to the URL `to`, absolute or relative to the page: at once in
/// browsers, as the canonical URL for search engines, and with a link for everybody else.
pub fn stub(to: &str) -> String {
    // In a refresh a quote in front is not part of the URL.
    let to = match to.split_at_checked(1) {
        Some(("'", rest)) => format!("%27{rest}"),
        Some(("\"", rest)) => format!("%22{rest}"),
        _ => to.to_owned(),
    };
    let mut url = Vec::new();
    escape::push(&mut url, to.as_bytes(), &HTML);
    let url = String::from_utf8_lossy(&url);
    format!(
        "<!DOCTYPE html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <title>This page has moved</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
         <link rel=\"canonical\" href=\"{url}\">\n\
         </head>\n\
         <body>\n\
         <p>This page has moved to <a href=\"{url}\">{url}</a>.</p>\n\
         </body>\n\
         </html>\n"
    )
}
