//! Rules for a `server` block of nginx.

use super::escape;
use super::{Obstacle, Redirect, STATUS, old_path_as_compared};

/// Within double quotes of nginx's configuration.
const QUOTED: [(u8, &str); 2] = [(b'\\', r"\\"), (b'"', r#"\""#)];

/// As [`QUOTED`], where variables are looked for too; a dollar sign has no escape but the URL's.
const QUOTED_WITH_VARIABLES: [(u8, &str); 3] = [(b'\\', r"\\"), (b'"', r#"\""#), (b'$', "%24")];

/// nginx reads its configuration through a buffer of 4096 bytes that a word with its quotes has to
/// leave room in.
const LONGEST_WORD: usize = 4095;

/// nginx keeps the length of a location in one byte: with a single longer one it finds even others
/// no more. A condition has no such limit, but costs time on each request.
const LONGEST_LOCATION: usize = 255;

/// A redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, Obstacle> {
    let old = old_path_as_compared(&redirect.from)?;
    if old.iter().any(u8::is_ascii_control) {
        return Err(Obstacle::OldControl);
    }
    let target = redirect.target();
    let new = [target.before_path, target.path, target.after_path].concat();

    let mut line = Vec::new();
    if old.len() > LONGEST_LOCATION {
        line.extend_from_slice(b"if ($uri ~ ");
        line.extend_from_slice(&word(escape::pattern(&old).as_bytes(), &[])?);
        line.push(b')');
    } else {
        line.extend_from_slice(b"location = ");
        line.extend_from_slice(&word(&old, &QUOTED)?);
    }
    line.extend_from_slice(format!(" {{ return {STATUS} ").as_bytes());
    line.extend_from_slice(&word(new.as_bytes(), &QUOTED_WITH_VARIABLES)?);
    line.extend_from_slice(b"; }");
    Ok(line)
}

fn word(bytes: &[u8], table: &[(u8, &str)]) -> Result<Vec<u8>, Obstacle> {
    let mut word = b"\"".to_vec();
    escape::push(&mut word, bytes, table);
    word.push(b'"');
    if word.len() > LONGEST_WORD {
        return Err(Obstacle::TooLong);
    }
    Ok(word)
}
