//! Rules of Apache's mod_alias: `RedirectMatch`, because `Redirect` matches every path that begins
//! with the old one.

use super::redirect::{OLD_CONTROL, Redirect, STATUS};
use rehref_document::redirects::escape::{SUBSTITUTION, escaped_bytes, push_escaped};
use rehref_url::percent_decoded;

/// Writes a redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, &'static str> {
    let old = redirect.decoded_old_path()?;
    // Apache rejects requests for such a path.
    if old.contains(&0) {
        return Err(OLD_CONTROL);
    }
    let pattern = redirect.pattern(&old);
    let mut line = format!("RedirectMatch {STATUS} \"{pattern}\" \"").into_bytes();
    push_new_url(&mut line, redirect)?;
    line.extend_from_slice(if redirect.is_of_folder { b"$1\"" } else { b"\"" });
    Ok(line)
}

/// Appends the new URL with its path decoded: Apache percent-encodes everything before the query,
/// and would encode what is already encoded a second time.
fn push_new_url(line: &mut Vec<u8>, redirect: &Redirect) -> Result<(), &'static str> {
    let to = redirect.new_url();
    let changes_meaning = |byte: u8| matches!(byte, b'/' | b'?' | b'#') || byte.is_ascii_control();
    if escaped_bytes(to.path).any(changes_meaning) {
        return Err(
            "the new path has %2F, %3F, %23 or a control character, which Apache cannot express",
        );
    }
    // Apache would percent-encode brackets and replace a password with asterisks.
    if to.origin.contains(['[', '@']) {
        return Err("the new URL has a user name or an IPv6 address, which Apache would change");
    }
    for part in [to.origin.as_bytes(), &percent_decoded(to.path), to.query_and_fragment.as_bytes()]
    {
        push_escaped(line, part, &SUBSTITUTION);
    }
    Ok(())
}
