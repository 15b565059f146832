//! Lines of a `_redirects` file.

use super::escape;
use super::{Obstacle, Redirect, STATUS};

/// From this many rules on Netlify advises against a list: a deploy might fail.
pub const ADVISED_RULES: usize = 10_000;

/// `*` takes all that follows, `:name` a segment.
const WILDCARDS: [(u8, &str); 2] = [(b'*', "%2A"), (b':', "%3A")];

/// A redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, Obstacle> {
    let from = redirect.from.path();
    if from.starts_with("/.netlify") {
        return Err(Obstacle::Reserved);
    }
    let target = redirect.target();
    let mut line = Vec::new();
    escape::push(&mut line, from.as_bytes(), &WILDCARDS);
    line.push(b' ');
    line.extend_from_slice(target.before_path.as_bytes());
    for part in [target.path, target.after_path] {
        escape::push(&mut line, part.as_bytes(), &WILDCARDS);
    }
    line.extend_from_slice(format!(" {STATUS}").as_bytes());
    Ok(line)
}
