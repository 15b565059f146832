//! The basic URL parser (URL Standard, section 4.4), without the state override of the setters.
//!
//! The state machine of the standard reads code point by code point. This parser splits the input at
//! the delimiters of each state, which gives the same result, and writes the serialization as it goes.
//! Each method has the name of the state or states that it implements.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::components::split_before;
use super::error::ParseError;
use super::ordinary::path_end;
use super::percent::{self, EncodeSet};
use super::record::{Offsets, Url};
use super::segment::{
    DotSegment, dot_segment, drive_prefix, is_drive_letter, starts_with_drive_letter,
};
use super::{host, scheme};

impl Url {
    /// Parses an absolute URL (URL Standard, section 4.4, without a base URL).
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn parse(input: &str) -> Result<Self, ParseError> {
        parse(input, None, UTF_8)
    }

    /// Resolves `reference` against this URL (URL Standard, section 4.4, with a base URL).
    /// `query_encoding` is the encoding of the document that holds the reference; it matters only
    /// to queries of special URLs other than `ws:` and `wss:`.
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn resolve(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<Self, ParseError> {
        parse(reference, Some(self), query_encoding)
    }

    /// Returns true if `reference` resolves to `target` against this URL.
    pub fn resolves_to(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
        target: &Self,
    ) -> bool {
        parse(reference, Some(self), query_encoding).is_ok_and(|url| url == *target)
    }
}

/// Parses `input` against `base`, encoding the query with `encoding`.
pub(super) fn parse(
    input: &str,
    base: Option<&Url>,
    encoding: &'static Encoding,
) -> Result<Url, ParseError> {
    let input = input.trim_matches(|c: char| c <= ' ');
    let cleaned = without_tabs_and_newlines(input);
    // A guess at the length, so that the string is nearly always allocated once.
    let room = cleaned.len() + base.map_or(0, |base| base.path_range().end) + 8;
    let mut parser = Parser {
        out: String::with_capacity(room),
        at: Offsets::default(),
        is_special: false,
        is_file: false,
        encoding,
    };
    parser.scheme_start(&cleaned, base)?;
    if parser.out.len() > MAX_LENGTH {
        return Err(ParseError::TooLong);
    }
    Ok(Url { serialization: parser.out, at: parser.at })
}

/// The longest serialization that [`Offsets`] can describe, in bytes.
const MAX_LENGTH: usize = u32::MAX as usize;

fn without_tabs_and_newlines(input: &str) -> Cow<'_, str> {
    match memchr::memchr3(b'\t', b'\n', b'\r', input.as_bytes()) {
        Some(_) => Cow::Owned(input.replace(['\t', '\n', '\r'], "")),
        None => Cow::Borrowed(input),
    }
}

struct Parser {
    /// The serialization written so far.
    out: String,
    /// The offsets of what is written.
    at: Offsets,
    is_special: bool,
    is_file: bool,
    encoding: &'static Encoding,
}

impl Parser {
    fn scheme_start(&mut self, input: &str, base: Option<&Url>) -> Result<(), ParseError> {
        let Some((name, rest)) = scheme::split(input) else {
            return self.no_scheme(input, base.ok_or(ParseError::RelativeWithoutBase)?);
        };
        self.out.push_str(name);
        self.out.make_ascii_lowercase();
        self.end_scheme();
        let base = base.filter(|base| base.scheme() == self.scheme());
        if self.is_file {
            return self.file(rest, base);
        }
        match base {
            Some(base) if self.is_special && !rest.starts_with("//") => self.relative(rest, base),
            _ if self.is_special => self.authority(rest),
            _ => match (rest.strip_prefix("//"), rest.strip_prefix('/')) {
                (Some(authority), _) => self.authority(authority),
                // The path or authority state: there is no authority.
                (None, Some(path)) => self.path(path),
                (None, None) => self.opaque_path(rest),
            },
        }
    }

    fn no_scheme(&mut self, input: &str, base: &Url) -> Result<(), ParseError> {
        if base.is_opaque() {
            if !input.starts_with('#') {
                return Err(ParseError::OpaqueBase);
            }
            self.out.push_str(base.without_fragment());
            self.at = Offsets { fragment_start: None, ..base.at };
            self.fragment(input);
            return Ok(());
        }
        self.out.push_str(base.scheme());
        self.end_scheme();
        if self.is_file { self.file(input, Some(base)) } else { self.relative(input, base) }
    }

    fn end_scheme(&mut self) {
        self.at.scheme_end = self.end();
        let row = scheme::lookup(&self.out);
        self.is_special = row.is_some_and(|row| row.special);
        self.is_file = self.out == "file";
        self.out.push(':');
        self.end_authority();
    }

    fn scheme(&self) -> &str {
        self.out.get(..self.at.scheme_end as usize).unwrap_or_default()
    }

    /// The length of what is written. [`parse`] refuses a serialization that is longer than `u32::MAX`.
    fn end(&self) -> u32 {
        u32::try_from(self.out.len()).unwrap_or(u32::MAX)
    }

    /// The path written so far.
    fn written_path(&self) -> &str {
        self.out.get(self.at.path_start as usize..).unwrap_or_default()
    }

    /// Sets the offsets of the authority for one that is absent, or that has an empty host so far.
    fn end_authority(&mut self) {
        let end = self.end();
        self.at.authority_end = end;
        self.at.path_start = end;
    }

    fn is_slash(&self, byte: u8) -> bool {
        byte == b'/' || (self.is_special && byte == b'\\')
    }

    /// Returns true if `byte` ends a path segment or an authority.
    fn ends_segment(&self, byte: u8) -> bool {
        self.is_slash(byte) || matches!(byte, b'?' | b'#')
    }

    /// `input` without one leading slash; `None` if it does not start with a slash.
    fn strip_slash<'a>(&self, input: &'a str) -> Option<&'a str> {
        let first = input.bytes().next()?;
        self.is_slash(first).then(|| input.get(1..))?
    }

    /// The relative state and the relative slash state.
    fn relative(&mut self, input: &str, base: &Url) -> Result<(), ParseError> {
        if let Some(after) = self.strip_slash(input) {
            if let Some(authority) = self.strip_slash(after) {
                return self.authority(authority);
            }
            self.copy_authority(base);
            return self.path(after);
        }
        self.copy_authority(base);
        self.relative_path(input, base, true)
    }

    /// The common part of the relative state and the file state: a reference that does not start with a
    /// slash.
    fn relative_path(
        &mut self,
        input: &str,
        base: &Url,
        inherit_path: bool,
    ) -> Result<(), ParseError> {
        match input.bytes().next() {
            first @ (None | Some(b'?' | b'#')) => {
                self.copy_path(base);
                if first != Some(b'?') {
                    self.copy_query(base);
                }
                self.query_and_fragment(input);
                Ok(())
            }
            Some(_) => {
                if inherit_path {
                    self.at.path_start = self.end();
                    self.out.push_str(base.path());
                    self.shorten_path();
                }
                self.path(input)
            }
        }
    }

    fn copy_authority(&mut self, base: &Url) {
        self.out.clear();
        self.out.push_str(base.slice(0, base.at.authority_end));
        self.at = Offsets {
            path_start: base.at.authority_end,
            query_start: None,
            fragment_start: None,
            ..base.at
        };
    }

    fn copy_path(&mut self, base: &Url) {
        self.at.path_start = base.at.path_start;
        self.out.push_str(base.slice(base.at.authority_end, base.at.path_start));
        self.out.push_str(base.path());
    }

    fn copy_query(&mut self, base: &Url) {
        if let Some(query) = base.query() {
            self.at.query_start = Some(self.end());
            self.out.push('?');
            self.out.push_str(query);
        }
    }

    /// The authority state, the host state and the port state, for the `input` after `//`; before them,
    /// the special authority slashes state and the special authority ignore slashes state.
    fn authority(&mut self, input: &str) -> Result<(), ParseError> {
        let input = if self.is_special { input.trim_start_matches(['/', '\\']) } else { input };
        let (authority, rest) = split_before(input, |byte| self.ends_segment(byte));
        self.out.push_str("//");
        let host_and_port = match memchr::memrchr(b'@', authority.as_bytes()) {
            Some(at) => {
                self.userinfo(authority.get(..at).unwrap_or_default());
                authority.get(at + 1..).filter(|it| !it.is_empty()).ok_or(ParseError::EmptyHost)?
            }
            None => authority,
        };
        let (host, port) = host::split_port(host_and_port);
        if !host.is_empty() {
            host::parse(&mut self.out, host, self.is_special)?;
        } else if self.is_special || port.is_some() {
            return Err(ParseError::EmptyHost);
        }
        self.port(port.unwrap_or_default())?;
        self.at.authority_end = self.end();
        self.path_start_state(rest)
    }

    fn userinfo(&mut self, userinfo: &str) {
        let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        percent::encode(&mut self.out, username, EncodeSet::USERINFO);
        if !password.is_empty() {
            self.out.push(':');
            percent::encode(&mut self.out, password, EncodeSet::USERINFO);
        }
        if !username.is_empty() || !password.is_empty() {
            self.out.push('@');
        }
    }

    fn port(&mut self, digits: &str) -> Result<(), ParseError> {
        if digits.is_empty() {
            return Ok(());
        }
        let port = match digits.parse::<u16>() {
            Ok(port) if !digits.starts_with('+') => port,
            _ => return Err(ParseError::InvalidPort),
        };
        let default = scheme::lookup(self.scheme()).and_then(|row| row.default_port);
        if default != Some(port) {
            self.out.push(':');
            self.out.push_str(&port.to_string());
        }
        Ok(())
    }

    /// The file state and the file slash state; `base` only if it is a `file:` URL too.
    fn file(&mut self, input: &str, base: Option<&Url>) -> Result<(), ParseError> {
        if let Some(after) = self.strip_slash(input) {
            if let Some(host) = self.strip_slash(after) {
                return self.file_host(host);
            }
            self.file_authority(base);
            if let Some(base) = base
                && !starts_with_drive_letter(after)
                && let Some(drive) = drive_prefix(base.path())
            {
                self.out.push_str(drive);
            }
            return self.path(after);
        }
        self.file_authority(base);
        match base {
            Some(base) => self.relative_path(input, base, !starts_with_drive_letter(input)),
            None => self.path(input),
        }
    }

    /// The host of `base`, or an empty one.
    fn file_authority(&mut self, base: Option<&Url>) {
        match base {
            Some(base) => self.copy_authority(base),
            None => {
                self.out.push_str("//");
                self.end_authority();
            }
        }
    }

    fn file_host(&mut self, input: &str) -> Result<(), ParseError> {
        self.out.push_str("//");
        self.end_authority();
        let (host, rest) = split_before(input, |byte| self.ends_segment(byte));
        if is_drive_letter(host) {
            return self.path(input);
        }
        if !host.is_empty() {
            let start = self.out.len();
            host::parse(&mut self.out, host, true)?;
            if self.out.get(start..) == Some("localhost") {
                self.out.truncate(start);
            }
            self.at.authority_end = self.end();
        }
        self.path_start_state(rest)
    }

    fn path_start_state(&mut self, input: &str) -> Result<(), ParseError> {
        self.at.path_start = self.end();
        if let Some(after) = self.strip_slash(input) {
            self.path(after)
        } else if self.is_special {
            self.path(input)
        } else {
            self.query_and_fragment(input);
            Ok(())
        }
    }

    /// The path state: appends the segments of `input` to the path written so far.
    fn path(&mut self, input: &str) -> Result<(), ParseError> {
        let mut rest = input;
        let mut may_be_simple = true;
        let after = loop {
            // Most paths change in nothing but the `..` at their start.
            let simple_end = may_be_simple.then(|| path_end(rest.as_bytes())).flatten();
            if let Some((path, after)) = simple_end.and_then(|end| rest.split_at_checked(end)) {
                self.out.push('/');
                self.out.push_str(path);
                break after;
            }
            let (segment, after) = split_before(rest, |byte| self.ends_segment(byte));
            let next = self.strip_slash(after);
            let dots = dot_segment(segment);
            match dots {
                Some(dots) => {
                    if dots == DotSegment::Double {
                        self.shorten_path();
                    }
                    if next.is_none() {
                        self.out.push('/');
                    }
                }
                None => self.segment(segment),
            }
            may_be_simple = dots.is_some();
            match next {
                Some(next) => rest = next,
                None => break after,
            }
        };
        self.shield_path();
        self.query_and_fragment(after);
        Ok(())
    }

    fn segment(&mut self, segment: &str) {
        let is_first = self.written_path().is_empty();
        self.out.push('/');
        if self.is_file && is_first && is_drive_letter(segment) {
            self.out.push_str(segment.get(..1).unwrap_or_default());
            self.out.push(':');
        } else {
            percent::encode(&mut self.out, segment, EncodeSet::PATH);
        }
    }

    /// Shortens the path (URL Standard, section 4.4), but keeps the drive letter of a `file:` URL.
    fn shorten_path(&mut self) {
        let path = self.written_path();
        if self.is_file && drive_prefix(path) == Some(path) {
            return;
        }
        if let Some(slash) = memchr::memrchr(b'/', path.as_bytes()) {
            self.out.truncate(self.at.path_start as usize + slash);
        }
    }

    /// Keeps a path with two leading slashes from being read as an authority (URL Standard,
    /// section 4.5, the serializer).
    fn shield_path(&mut self) {
        let has_authority = self.at.authority_end > self.at.scheme_end + 1;
        let path = self.written_path();
        if !has_authority && path.starts_with("//") {
            self.out.insert_str(self.at.path_start as usize, "/.");
            self.at.path_start += 2;
        }
    }

    fn opaque_path(&mut self, input: &str) -> Result<(), ParseError> {
        let (path, rest) = split_before(input, |byte| matches!(byte, b'?' | b'#'));
        // A space before the query or the fragment is escaped: without them it would end the URL.
        let (path, space) = match path.strip_suffix(' ') {
            Some(path) if !rest.is_empty() => (path, "%20"),
            _ => (path, ""),
        };
        percent::encode(&mut self.out, path, EncodeSet::C0_CONTROL);
        self.out.push_str(space);
        self.query_and_fragment(rest);
        Ok(())
    }

    /// The query state and the fragment state: `input` is empty, or starts with `?` or `#`.
    fn query_and_fragment(&mut self, input: &str) {
        let (query, fragment) = split_before(input, |byte| byte == b'#');
        if let Some(query) = query.strip_prefix('?') {
            self.at.query_start = Some(self.end());
            self.out.push('?');
            let (set, encoding) = match (self.is_special, self.scheme()) {
                (true, "ws" | "wss") => (EncodeSet::SPECIAL_QUERY, UTF_8),
                (true, _) => (EncodeSet::SPECIAL_QUERY, self.encoding),
                (false, _) => (EncodeSet::QUERY, UTF_8),
            };
            percent::encode_with(&mut self.out, query, set, encoding);
        }
        self.fragment(fragment);
    }

    fn fragment(&mut self, input: &str) {
        if let Some(fragment) = input.strip_prefix('#') {
            self.at.fragment_start = Some(self.end());
            self.out.push('#');
            percent::encode(&mut self.out, fragment, EncodeSet::FRAGMENT);
        }
    }
}
