//! Rules of Apache's mod_alias: `RedirectMatch`, because `Redirect` takes a path for a prefix.

use super::escape;
use super::{Obstacle, Redirect, STATUS, old_path_as_compared};
use crate::url::percent_decoded;

/// A substitution takes `$1` for a group, older ones `&` for the match, and `${NAME}` in a
/// configuration is a variable; within double quotes of a line a backslash guards only itself and
/// the quote, so that the four of `\` are one at the end.
const SUBSTITUTION: [(u8, &str); 5] = [
    (b'$', r"\$"),
    (b'&', r"\&"),
    (b'{', r"\{"),
    (b'\\', r"\\\\"),
    (b'"', r#"\""#),
];

/// A redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, Obstacle> {
    let old = old_path_as_compared(&redirect.from)?;
    // Requests for it are rejected.
    if old.contains(&0) {
        return Err(Obstacle::OldControl);
    }
    let pattern = escape::pattern(&old);
    let mut line = format!("RedirectMatch {STATUS} \"{pattern}\" \"").into_bytes();
    push_target(&mut line, redirect)?;
    line.push(b'"');
    Ok(line)
}

/// Apache escapes all before the query, so that what is escaped already would be escaped twice.
fn push_target(line: &mut Vec<u8>, redirect: &Redirect) -> Result<(), Obstacle> {
    let target = redirect.target();
    let is_lost = |byte: u8| matches!(byte, b'/' | b'?' | b'#') || byte.is_ascii_control();
    if escape::escaped(target.path).any(is_lost) {
        return Err(Obstacle::NewPath);
    }
    // Brackets would be escaped, a password crossed out.
    if target.before_path.contains(['[', '@']) {
        return Err(Obstacle::NewAuthority);
    }
    for part in [
        target.before_path.as_bytes(),
        &percent_decoded(target.path),
        target.after_path.as_bytes(),
    ] {
        escape::push(line, part, &SUBSTITUTION);
    }
    Ok(())
}
