//! URLs and addresses that goldmark makes links of without any markup.

/// Returns the length of the URL or address that `text` starts with.
pub(crate) fn goldmark(text: &str) -> Option<usize> {
    let matched = ["http://", "https://", "ftp://", "www."]
        .into_iter()
        .find_map(|start| text.strip_prefix(start).and_then(|rest| url(rest, start)));
    let length = match matched {
        Some(length) => without_closing(text, length),
        None => email(text)?,
    };
    let end = text[..length].trim_end_matches(['?', '!', '.', ',', ':', '*', '_', '~']);
    Some(end.len())
}

/// The length of `start` and of the host, port and path after it.
fn url(rest: &str, start: &str) -> Option<usize> {
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-@:%._+~#=".contains(byte);
    let host = rest.bytes().take(257).take_while(is_host).count();
    let bytes = rest.as_bytes();
    let dot = (1..host).rev().find(|&place| {
        bytes[place] == b'.' && bytes.get(place + 1).is_some_and(u8::is_ascii_lowercase)
    })?;
    let lowercase = |byte: &&u8| byte.is_ascii_lowercase();
    let mut end = dot + 1 + bytes[dot + 1..].iter().take_while(lowercase).count();
    if start != "www." && bytes.get(end) == Some(&b':') {
        let digits = bytes[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        end += if digits > 0 { 1 + digits } else { 0 };
    }
    if matches!(bytes.get(end), Some(b'/' | b'#' | b'?')) {
        const PATH: &[u8] = b"-@:%_+.~#$!?&/=();,'\">^{}[]`";
        let is_path = |byte: &&u8| byte.is_ascii_alphanumeric() || PATH.contains(byte);
        end += bytes[end..].iter().take_while(is_path).count();
    }
    Some(start.len() + end)
}

/// `length` without a full stop, closing parentheses that the URL does not open, or an entity at its end.
fn without_closing(text: &str, length: usize) -> usize {
    let url = &text[..length];
    if url.ends_with(')') {
        let closing = url.matches(')').count();
        return length - closing.saturating_sub(url.matches('(').count());
    }
    if let Some(entity) = url.strip_suffix(';')
        && let Some((before, name)) = entity.rsplit_once('&')
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        return before.len();
    }
    length - usize::from(url.ends_with('.'))
}

/// How long the part of an address before the `@` can be: goldmark has no limit, and takes quadratic time.
const MAX_LOCAL: usize = 1000;

/// The length of an address with a dot in its domain.
fn email(text: &str) -> Option<usize> {
    if text.starts_with(|first: char| first.is_ascii_punctuation()) {
        return None;
    }
    let is_local =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let local = text.bytes().take(MAX_LOCAL).take_while(|&byte| is_local(byte));
    let at = local.count();
    let domain = text.get(at..)?.strip_prefix('@').filter(|_| at > 0)?;
    let is_domain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let end = domain.bytes().take_while(is_domain).count();
    let domain = domain[..end].trim_end_matches(['.', '-']);
    if domain.len() < end && domain.len() + 1 < end || !domain.contains('.') {
        return None;
    }
    let next = text.as_bytes().get(at + 1 + domain.len());
    (!matches!(next, Some(b'-' | b'_'))).then_some(at + 1 + domain.len())
}
