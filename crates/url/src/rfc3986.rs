//! Resolution under RFC 3986 (2005), section 5.2, strict.

use super::components::Components;
use super::error::ResolveError;
use super::segment::directory;
use super::standard::Standard;
use super::steps::Steps;

/// Resolves `reference` against `base` (section 5.2.2), byte for byte: nothing is validated or
/// normalized except dot segments.
pub(super) fn resolve(
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let joined = |target: Components<'_>, path: &str| Ok(Components { path, ..target }.recompose());
    let mut target = Components::split_rfc3986(reference);
    if target.scheme.is_some() {
        steps.note("5.2.2", "the reference has a scheme: it is absolute");
        return joined(target, &remove_dot_segments(target.path));
    }
    let base = Components::split_rfc3986(base);
    if base.scheme.is_none() {
        return Err(ResolveError::RelativeBase);
    }
    if !(target.path.is_empty() && target.authority.or(target.query).is_none()) {
        base.check_base(Standard::Rfc3986)?;
    }
    target.scheme = base.scheme;
    if target.authority.is_some() {
        let path = remove_dot_segments(target.path);
        steps.note(
            "5.2.2",
            format_args!("the reference has an authority, which stays; its path becomes {path:?}"),
        );
        return joined(target, &path);
    }
    target.authority = base.authority;
    if target.path.is_empty() {
        steps.note("5.2.2", "the path is empty: inherit the path of the base");
        target.query = target.query.or(base.query);
        return joined(target, base.path);
    }
    let merged = if target.path.starts_with('/') {
        target.path.to_owned()
    } else {
        merge(&base, target.path)
    };
    steps.note("5.2.3", format_args!("merge the paths: {merged:?}"));
    let path = remove_dot_segments(&merged);
    steps.note("5.2.4", format_args!("remove dot segments: {path:?}"));
    joined(target, &path)
}

/// Merges the paths (section 5.2.3).
fn merge(base: &Components<'_>, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    format!("{}{path}", directory(base.path))
}

/// `input` after its first `count` bytes, before the next slash; a slash if nothing follows.
fn after_dots(input: &str, count: usize) -> &str {
    input.get(count..).filter(|rest| !rest.is_empty()).unwrap_or("/")
}

/// Removes dot segments (section 5.2.4, with the numbers of its steps).
fn remove_dot_segments(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut input = path;
    while !matches!(input, "" | "." | "..") {
        let dots = input.strip_prefix("../");
        if let Some(rest) = dots.or_else(|| input.strip_prefix("./")) {
            // 2A
            input = rest;
        } else if input == "/." || input.starts_with("/./") {
            // 2B
            input = after_dots(input, 2);
        } else if input == "/.." || input.starts_with("/../") {
            // 2C
            out.truncate(out.rfind('/').unwrap_or(0));
            input = after_dots(input, 3);
        } else {
            // 2E: the first segment, with the slash before it.
            let slash = input.bytes().skip(1).position(|byte| byte == b'/');
            let end = slash.map_or(input.len(), |slash| slash + 1);
            let (segment, rest) = input.split_at_checked(end).unwrap_or((input, ""));
            out.push_str(segment);
            input = rest;
        }
    }
    // 2D
    out
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
