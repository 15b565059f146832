//! Resolution under RFC 3986 (2005), section 5.2, strict.

use super::components::Components;
use super::error::ResolveError;
use super::split::split_before;
use super::standard::Standard;
use super::steps::Steps;

/// Resolves `reference` against `base` (section 5.2.2), byte for byte: nothing is validated or
/// normalized except dot segments.
pub(super) fn resolve(
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let reference = Components::split_rfc3986(reference);
    if reference.scheme.is_some() {
        steps.note("5.2.2", || "the reference has a scheme: it is absolute");
        let path = remove_dot_segments(reference.path);
        return Ok(Components {
            path: &path,
            ..reference
        }
        .recompose());
    }
    let base = Components::split_rfc3986(base);
    if base.scheme.is_none() {
        return Err(ResolveError::RelativeBase);
    }
    if !(reference.path.is_empty() && reference.authority.or(reference.query).is_none()) {
        base.check_base(Standard::Rfc3986)?;
    }
    let scheme = base.scheme;
    if reference.authority.is_some() {
        let path = remove_dot_segments(reference.path);
        steps.note("5.2.2", || {
            format!("the reference has an authority: path {path:?}")
        });
        return Ok(Components {
            scheme,
            path: &path,
            ..reference
        }
        .recompose());
    }
    let authority = base.authority;
    if reference.path.is_empty() {
        steps.note(
            "5.2.2",
            || "the path is empty: inherit the path of the base",
        );
        let query = reference.query.or(base.query);
        return Ok(Components {
            scheme,
            authority,
            path: base.path,
            query,
            ..reference
        }
        .recompose());
    }
    let merged = if reference.path.starts_with('/') {
        reference.path.to_owned()
    } else {
        merge(&base, reference.path)
    };
    steps.note("5.2.3", || format!("merge the paths: {merged:?}"));
    let path = remove_dot_segments(&merged);
    steps.note("5.2.4", || format!("remove dot segments: {path:?}"));
    Ok(Components {
        scheme,
        authority,
        path: &path,
        ..reference
    }
    .recompose())
}

/// Section 5.2.3.
fn merge(base: &Components<'_>, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let directory = base
        .path
        .rfind('/')
        .and_then(|slash| base.path.get(..=slash));
    format!("{}{path}", directory.unwrap_or_default())
}

/// Section 5.2.4.
fn remove_dot_segments(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut input = path;
    // Where the slash of a removed "/./" or "/../" is still to be read again.
    let mut slash = false;
    loop {
        if !slash {
            // 2A and 2D
            if let Some(rest) = input
                .strip_prefix("../")
                .or_else(|| input.strip_prefix("./"))
            {
                input = rest;
                continue;
            }
            if matches!(input, "" | "." | "..") {
                return out;
            }
        }
        let segment_start = if slash {
            Some(input)
        } else {
            input.strip_prefix('/')
        };
        slash = false;
        let (prefix, rest) = match segment_start {
            Some(rest) => ("/", rest),
            None => ("", input),
        };
        let (segment, after) = split_before(rest, |byte| byte == b'/');
        match (prefix, segment) {
            // 2B and 2C: the rest begins with the slash of the next segment, or with one that replaces
            // the dots at the end.
            ("/", dots @ ("." | "..")) => {
                if dots == ".." {
                    out.truncate(out.rfind('/').unwrap_or(0));
                }
                slash = true;
                input = after.strip_prefix('/').unwrap_or_default();
            }
            // 2E
            _ => {
                out.push_str(prefix);
                out.push_str(segment);
                input = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments() {
        for (path, expected) in [
            ("/a/b/c/./../../g", "/a/g"),
            ("mid/content=5/../6", "mid/6"),
            ("/./g", "/g"),
            ("/..", "/"),
            ("/.", "/"),
            ("..", ""),
            ("a/..", "/"),
            ("a/../../g", "/g"),
            ("/a//../b", "/a/b"),
            ("./..//x", "/x"),
            ("/./../", "/"),
            ("/.//b", "//b"),
        ] {
            assert_eq!(remove_dot_segments(path), expected, "{path}");
        }
    }
}
