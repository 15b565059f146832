//! Rules for a `server` block of nginx.

use super::redirect::{OLD_CONTROL, Redirect, STATUS};
use rehref_document::redirects::escape::{QUOTED, QUOTED_WITH_VARIABLES, push_escaped};

/// The most bytes of a quoted string, quotes included: nginx reads its configuration through a
/// buffer of 4096 bytes that must hold the whole string.
const LONGEST_STRING: usize = 4095;

/// The most bytes of a `location`: nginx keeps its length in one byte, and one longer location
/// makes it miss others. A condition (`if`) has no such limit, but costs time on every request.
const LONGEST_LOCATION: usize = 255;

/// Writes a redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, &'static str> {
    let old = redirect.decoded_old_path()?;
    if old.iter().any(u8::is_ascii_control) {
        return Err(OLD_CONTROL);
    }
    let new = redirect.new_url().text();

    let mut line = Vec::new();
    if redirect.is_of_folder {
        if old.len() > LONGEST_LOCATION {
            return Err("the path of the folder is longer than nginx reads in a location");
        }
        // `^~`: a location for one URL (`=`) comes first, and a regular expression elsewhere does not.
        let old = [quoted(&old, &QUOTED)?, quoted(redirect.pattern(&old).as_bytes(), &[])?];
        let new = quoted((new + "$1").as_bytes(), &[])?;
        line.extend_from_slice(b"location ^~ ");
        line.extend_from_slice(&old.join(&b" { rewrite "[..]));
        line.push(b' ');
        line.extend_from_slice(&new);
        line.extend_from_slice(b" permanent; }");
        return Ok(line);
    }
    if old.len() > LONGEST_LOCATION {
        line.extend_from_slice(b"if ($uri ~ ");
        line.extend_from_slice(&quoted(redirect.pattern(&old).as_bytes(), &[])?);
        line.push(b')');
    } else {
        line.extend_from_slice(b"location = ");
        line.extend_from_slice(&quoted(&old, &QUOTED)?);
    }
    line.extend_from_slice(format!(" {{ return {STATUS} ").as_bytes());
    line.extend_from_slice(&quoted(new.as_bytes(), &QUOTED_WITH_VARIABLES)?);
    line.extend_from_slice(b"; }");
    Ok(line)
}

fn quoted(bytes: &[u8], table: &[(u8, &str)]) -> Result<Vec<u8>, &'static str> {
    let mut string = b"\"".to_vec();
    push_escaped(&mut string, bytes, table);
    string.push(b'"');
    if string.len() > LONGEST_STRING {
        return Err(
            "nginx reads at most 4,095 bytes of a path in its configuration; shorten the path, or redirect in another way",
        );
    }
    Ok(string)
}
