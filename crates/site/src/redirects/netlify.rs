//! `_redirects` files, which Netlify, Cloudflare Pages and others read.

use super::redirect::{Redirect, STATUS};
use rehref_document::redirects::escape::push_escaped;

/// Netlify advises against longer lists: a deploy might fail.
pub(super) const ADVISED_RULES: usize = 10_000;

/// Characters with a meaning of their own: `*` matches the rest of a path, `:name` one segment, and a space,
/// which a URL without a host may have, ends a URL.
const SPECIAL: [(u8, &str); 3] = [(b'*', "%2A"), (b':', "%3A"), (b' ', "%20")];

/// Writes a redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, &'static str> {
    let from = redirect.from.path();
    if from.starts_with("/.netlify") {
        return Err("Netlify accepts no rules for paths that begin with /.netlify");
    }
    let to = redirect.new_url();
    let mut line = Vec::new();
    push_escaped(&mut line, from.as_bytes(), &SPECIAL);
    line.extend_from_slice(if redirect.is_of_folder { b"* " } else { b" " });
    line.extend_from_slice(to.origin.as_bytes());
    for part in [to.path, to.query_and_fragment] {
        push_escaped(&mut line, part.as_bytes(), &SPECIAL);
    }
    let rest = if redirect.is_of_folder { ":splat" } else { "" };
    line.extend_from_slice(format!("{rest} {STATUS}").as_bytes());
    Ok(line)
}
