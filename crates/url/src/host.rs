//! The host parser and serializer (URL Standard, sections 3.5 and 3.6).

use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::error::HostError;
use super::ordinary::is_simple_host;
use super::percent::{self, EncodeSet};

/// Forbidden host code points (URL Standard, section 3.1).
fn is_forbidden_host(byte: u8) -> bool {
    b"\0\t\n\r #/:<>?@[\\]^|".contains(&byte)
}

/// Forbidden domain code points (URL Standard, section 3.1).
fn is_forbidden_domain(byte: u8) -> bool {
    is_forbidden_host(byte) || byte.is_ascii_control() || byte == b'%'
}

/// Parses `input`, which is not empty, as a host and appends its serialization to `out`. `special`:
/// whether the scheme is special, and therefore the host a domain or an IP address.
///
/// # Errors
/// See [`HostError`]. After an error, `out` may hold a part of the host.
pub(crate) fn parse(out: &mut String, input: &str, special: bool) -> Result<(), HostError> {
    if let Some(open) = input.strip_prefix('[') {
        let inner = open.strip_suffix(']').ok_or(HostError::UnclosedBracket)?;
        let address: Ipv6Addr = inner.parse().map_err(|_| HostError::Ipv6)?;
        // Writing to a String cannot fail.
        let _ = match address.segments() {
            // The standard library writes dotted decimals here, which the URL Standard never does.
            [0, 0, 0, 0, 0, 0xFFFF, high, low] => write!(out, "[::ffff:{high:x}:{low:x}]"),
            _ => write!(out, "[{address}]"),
        };
        return Ok(());
    }
    if !special {
        forbid(input, is_forbidden_host)?;
        percent::encode(out, input, EncodeSet::C0_CONTROL);
        return Ok(());
    }
    let start = out.len();
    if is_simple_host(input) {
        out.push_str(input);
    } else {
        let decoded = percent::decode(input);
        domain_to_ascii(out, &String::from_utf8_lossy(&decoded))?;
        forbid(out.get(start..).unwrap_or_default(), is_forbidden_domain)?;
    }
    let domain = out.get(start..).unwrap_or_default();
    if ends_in_a_number(domain) {
        let address = parse_ipv4(domain).ok_or(HostError::Ipv4)?;
        out.truncate(start);
        // Writing to a String cannot fail.
        let _ = write!(out, "{address}");
    }
    Ok(())
}

/// Splits `host:port` at the first colon outside brackets.
pub(crate) fn split_port(input: &str) -> (&str, Option<&str>) {
    let mut in_brackets = false;
    for (at, byte) in input.bytes().enumerate() {
        match byte {
            b'[' => in_brackets = true,
            b']' => in_brackets = false,
            b':' if !in_brackets => {
                return (input.get(..at).unwrap_or_default(), input.get(at + 1..));
            }
            _ => {}
        }
    }
    (input, None)
}

fn forbid(input: &str, forbidden: impl Fn(u8) -> bool) -> Result<(), HostError> {
    match input.bytes().find(|&byte| forbidden(byte)) {
        Some(byte) => Err(HostError::ForbiddenCodePoint(char::from(byte))),
        None => Ok(()),
    }
}

/// Domain to ASCII with beStrict false (URL Standard, section 3.3). A domain that is ASCII already is
/// only lowercased, even if an `xn--` label is invalid: browsers look up such names, too.
fn domain_to_ascii(out: &mut String, domain: &str) -> Result<(), HostError> {
    if domain.is_ascii() {
        out.push_str(&domain.to_ascii_lowercase());
        return Ok(());
    }
    // `parse` checks for forbidden code points afterwards, because normalization can add and remove
    // them.
    let ascii = Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .map_err(|_| HostError::Idna)?;
    if ascii.is_empty() {
        return Err(HostError::Idna);
    }
    out.push_str(&ascii);
    Ok(())
}

/// The ends-in-a-number checker (URL Standard, section 3.5).
fn ends_in_a_number(domain: &str) -> bool {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let dot = domain.bytes().rposition(|byte| byte == b'.');
    let last = dot.map_or(domain, |dot| domain.get(dot + 1..).unwrap_or_default());
    if !last.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    last.bytes().all(|byte| byte.is_ascii_digit()) || ipv4_number(last).is_some()
}

/// The IPv4 parser (URL Standard, section 3.5): up to four numbers, of which the last fills the bytes
/// that the others leave.
fn parse_ipv4(domain: &str) -> Option<Ipv4Addr> {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let numbers: Option<Vec<u64>> = domain.split('.').map(ipv4_number).collect();
    let numbers = numbers?;
    let (last, others) = numbers.split_last()?;
    let room = [32, 24, 16, 8].get(others.len())?;
    if others.iter().any(|&number| number > 255) || *last >= 1 << room {
        return None;
    }
    let shifted = others.iter().zip([24, 16, 8]).map(|(number, by)| number << by);
    u32::try_from(last + shifted.sum::<u64>()).ok().map(Ipv4Addr::from)
}

/// The IPv4 number parser (URL Standard, section 3.5): decimal, `0` octal, `0x` hexadecimal. A value
/// that overflows gives `u64::MAX`, which is too large for every part of an address.
fn ipv4_number(input: &str) -> Option<u64> {
    let (digits, radix) = match input.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (input.get(2..)?, 16),
        [b'0', _, ..] => (input.get(1..)?, 8),
        _ => (input, 10),
    };
    digits.chars().try_fold(0u64, |value, digit| {
        let digit = digit.to_digit(radix)?;
        Some(value.saturating_mul(radix.into()).saturating_add(digit.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (input, special, expected) in [
            ("EXAMPLE.com", true, Ok("example.com")),
            ("%65xample.com", true, Ok("example.com")),
            ("bücher.de", true, Ok("xn--bcher-kva.de")),
            ("XN--a", true, Ok("xn--a")),
            ("0x7f.1", true, Ok("127.0.0.1")),
            ("1.2.3.4.", true, Ok("1.2.3.4")),
            ("4294967295", true, Ok("255.255.255.255")),
            ("4294967296", true, Err(HostError::Ipv4)),
            ("1.2.3.255", true, Ok("1.2.3.255")),
            ("1.2.3.256", true, Err(HostError::Ipv4)),
            ("1.2.65536", true, Err(HostError::Ipv4)),
            ("256.2.3.4", true, Err(HostError::Ipv4)),
            ("1.2.3.4.5", true, Err(HostError::Ipv4)),
            ("a.09", true, Err(HostError::Ipv4)),
            ("a..b", true, Ok("a..b")),
            ("a b", true, Err(HostError::ForbiddenCodePoint(' '))),
            ("a%b", false, Ok("a%b")),
            ("ä", false, Ok("%C3%A4")),
            ("a^b", false, Err(HostError::ForbiddenCodePoint('^'))),
            ("[::1]", false, Ok("[::1]")),
            ("[1:0:0:2:0:0:0:3]", true, Ok("[1:0:0:2::3]")),
            ("[::ffff:1.2.3.4]", true, Ok("[::ffff:102:304]")),
            ("[1:0:1:1:1:1:1:1]", true, Ok("[1:0:1:1:1:1:1:1]")),
            ("[::1", true, Err(HostError::UnclosedBracket)),
            ("[::1%25eth0]", true, Err(HostError::Ipv6)),
            ("\u{AD}", true, Err(HostError::Idna)),
        ] {
            let mut out = String::new();
            let result = parse(&mut out, input, special).map(|()| out.as_str());
            assert_eq!(result, expected, "{input}");
        }
    }
}
