//! bad-address: links to mail addresses (RFC 6068) and phone numbers (RFC 3966).

use super::ReferenceContext;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use rehref_url::{percent, scheme};

pub(super) fn finding(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let (name, rest) = scheme::split(subject.reference)?;
    let (value, has_fields) = match rest.split_once('?') {
        Some((value, _)) => (value, true),
        None => (rest, false),
    };
    let message = if name.eq_ignore_ascii_case("mailto") {
        mail(value.trim_ascii(), has_fields).or_else(|| escapes(rest))
    } else if name.eq_ignore_ascii_case("tel") {
        phone(value.trim_ascii()).or_else(|| escapes(rest))
    } else {
        None
    };
    Some(ReferenceFinding::new(Check::BadAddress, message?))
}

fn mail(addresses: &str, has_fields: bool) -> Option<String> {
    if addresses.is_empty() {
        return (!has_fields).then(|| "the mailto: link has no address".to_owned());
    }
    let is_address = |address: &&str| {
        let address = String::from_utf8_lossy(&percent::decode(address)).into_owned();
        let parts = address.trim().rsplit_once('@');
        parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty())
    };
    let wrong = addresses.split(',').find(|address| !is_address(address))?;
    Some(match wrong.trim_ascii() {
        "" => "the mailto: link has a comma with no address beside it".to_owned(),
        wrong if wrong.contains('@') => format!("`{wrong}` is only a part of a mail address"),
        wrong => format!("`{wrong}` is not a mail address: it has no @"),
    })
}

fn phone(number: &str) -> Option<String> {
    match number {
        "" => Some("the tel: link has no number".to_owned()),
        _ if !number.bytes().any(|byte| byte.is_ascii_digit()) => {
            Some(format!("`{number}` is not a phone number: it has no digit"))
        }
        _ => None,
    }
}

/// A percent sign that begins no escape.
fn escapes(text: &str) -> Option<String> {
    let is_escape = |rest: &str| match rest.as_bytes() {
        [high, low, ..] => percent::escaped_byte(*high, *low).is_some(),
        _ => false,
    };
    let is_wrong = text.split('%').skip(1).any(|rest| !is_escape(rest));
    is_wrong.then(|| {
        "the link has a percent sign that begins no escape (%25 is a percent sign)".to_owned()
    })
}
