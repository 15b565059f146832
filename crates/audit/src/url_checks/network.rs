//! local-leak, odd-port, password-in-url and mixed-content: checks of the host of a reference.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::ReferenceContext;
use super::lookalike;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use rehref_document::html::Usage;
use rehref_site::Severity;
use rehref_url::{AbsoluteUrl, Components, Standard, scheme};

/// Ports that browsers refuse (Fetch Standard, "bad port").
const BAD_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

/// The begin of the reason for a host that is the reader's own machine.
const OWN_MACHINE: &str = "is each visitor's own machine";

/// Domains that exist only on one machine or in one network, with the reason.
#[rustfmt::skip]
const LOCAL_DOMAINS: &[(&str, &str)] = &[
    ("localhost", "is each visitor's own machine: the link works only on yours (RFC 6761)"),
    ("local", "is a name in each visitor's own network: the link works only in yours (RFC 6762)"),
    ("internal", "is in a private network, so visitors cannot reach it (ICANN reserves .internal for private networks)"),
    ("home.arpa", "is in a home network: visitors cannot reach it (RFC 8375)"),
    ("test", "is a name reserved for tests: visitors cannot reach it (RFC 6761)"),
];

/// Scheme, host and port of an absolute URL.
struct Origin<'u> {
    scheme: &'u str,
    host: &'u str,
    port: Option<u16>,
}

impl<'u> Origin<'u> {
    fn of(url: &'u AbsoluteUrl) -> Option<Origin<'u>> {
        let parts = Components::split(Standard::Rfc3986, url.as_str());
        let origin = parts.host_and_port()?;
        let (host, port) = match origin.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()),
            _ => (origin, None),
        };
        Some(Origin { scheme: parts.scheme?, host, port })
    }
}

/// Appends the findings about the host of the target to `out`.
pub(super) fn findings(subject: &ReferenceContext<'_>, out: &mut Vec<ReferenceFinding>) {
    let Ok(target) = subject.target else { return };
    if subject.is_published
        && subject.own.scheme() != "file"
        && !subject.target_exists
        && lookalike::is_path_of_machine(subject.reference)
    {
        let message = "the link is a path on a private Windows machine or network";
        return out.push(ReferenceFinding::new(Check::LocalLeak, message));
    }
    let Some(origin) = Origin::of(target) else { return };
    out.extend(mixed(subject, &origin));
    // A host that comes from the base is reported at the base.
    let text = subject.reference.replace('\\', "/");
    let has_host = Components::split(Standard::Rfc3986, &text).authority.is_some();
    let is_on_disk = subject.base.is_some_and(|base| base.scheme() == "file");
    if !has_host && origin.scheme != "file"
        || is_on_disk && scheme::split(subject.reference).is_none()
    {
        return;
    }
    out.extend(local(subject, &origin));
    out.extend(port(subject, &origin));
    out.extend(password(subject, target));
}

/// The origin of the document, if it is published.
fn published_origin<'r>(subject: &ReferenceContext<'r>) -> Option<Origin<'r>> {
    let own = subject.is_published.then_some(subject.own)?;
    Origin::of(own)
}

/// The message about a `file:` URL.
const FILE: &str = "the link leads to a file on a private machine: visitors cannot open it";

fn local(subject: &ReferenceContext<'_>, origin: &Origin<'_>) -> Option<ReferenceFinding> {
    if origin.scheme == "file" && !subject.is_published && subject.own.scheme() != "file" {
        return Some(ReferenceFinding::new(Check::LocalLeak, FILE).at_most(Severity::Warning));
    }
    let own = published_origin(subject)?;
    // For a test site or an intranet such a host is right.
    if own.scheme == "file" || where_local(own.host).is_some() {
        return None;
    }
    if origin.scheme == "file" {
        return Some(ReferenceFinding::new(Check::LocalLeak, FILE));
    }
    let message = format!("`{}` {}", origin.host, where_local(origin.host)?);
    let finding = ReferenceFinding::new(Check::LocalLeak, message);
    // Documentation tells readers to open what runs on their own machine.
    Some(match (subject.usage)() {
        Usage::Link => finding.at_most(Severity::Warning),
        _ => finding,
    })
}

/// Returns true if the domain may be private. Compares only its end.
pub(super) fn may_be_local(domain: &str) -> bool {
    LOCAL_DOMAINS.iter().any(|(local, _)| domain.ends_with(local))
}

/// The kind of a private host; `None` for a public one.
fn where_local(host: &str) -> Option<&'static str> {
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let address = literal.unwrap_or(host).parse::<IpAddr>();
    match address {
        Ok(IpAddr::V4(address)) => where_local_v4(address),
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => where_local_v4(address),
            None => where_local_v6(address),
        },
        Err(_) => {
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            LOCAL_DOMAINS.iter().find_map(|(domain, of)| {
                let before = host.strip_suffix(domain)?;
                // Without a name before it only `localhost` is special.
                let fits = before.ends_with('.') || before.is_empty() && *domain == "localhost";
                fits.then_some(*of)
            })
        }
    }
}

fn where_local_v4(address: Ipv4Addr) -> Option<&'static str> {
    match address.octets() {
        [127, ..] => {
            Some("is each visitor's own machine: the link works only on yours (127.0.0.0/8)")
        }
        [0, ..] => Some("is the address of no machine (0.0.0.0/8)"),
        [10, ..] => Some("is a private address: visitors cannot reach it (10.0.0.0/8)"),
        [172, 16..=31, ..] => {
            Some("is a private address: visitors cannot reach it (172.16.0.0/12)")
        }
        [192, 168, ..] => Some("is a private address: visitors cannot reach it (192.168.0.0/16)"),
        [169, 254, ..] => {
            Some("is a link-local address: visitors cannot reach it (169.254.0.0/16)")
        }
        _ => None,
    }
}

fn where_local_v6(address: Ipv6Addr) -> Option<&'static str> {
    if address.is_loopback() {
        Some("is each visitor's own machine: the link works only on yours (::1)")
    } else if address.is_unspecified() {
        Some("is the address of no machine (::)")
    } else if address.is_unique_local() {
        Some("is a private address: visitors cannot reach it (fc00::/7)")
    } else if address.is_unicast_link_local() {
        Some("is a link-local address: visitors cannot reach it (fe80::/10)")
    } else {
        None
    }
}

fn port(subject: &ReferenceContext<'_>, origin: &Origin<'_>) -> Option<ReferenceFinding> {
    let port = origin.port?;
    if !matches!(origin.scheme, "http" | "https" | "ws" | "wss") {
        return None;
    }
    let colon = subject.reference.find(&format!(":{port}"));
    let at = colon.map_or(0, |colon| colon + 1);
    if BAD_PORTS.contains(&port) {
        let message = format!("browsers refuse port {port} (Fetch Standard, \"bad port\")");
        return Some(ReferenceFinding::new(Check::OddPort, message).at(at));
    }
    // Only the usual port of the site's own host is known.
    let own = published_origin(subject)?;
    if own.host != origin.host || own.port == Some(port) {
        return None;
    }
    let message =
        format!("the link uses port {port} of the site's own host, but the site uses another port");
    let finding = ReferenceFinding::new(Check::OddPort, message).at(at);
    Some(finding.at_most(Severity::Note))
}

fn password(subject: &ReferenceContext<'_>, target: &AbsoluteUrl) -> Option<ReferenceFinding> {
    let parts = Components::split(Standard::Rfc3986, target.as_str());
    let (_, password) = parts.userinfo();
    if password?.is_empty() {
        return None;
    }
    let message = "the URL contains a password that every visitor can read";
    let finding = ReferenceFinding::new(Check::PasswordInUrl, message).help("remove the password");
    let here = Components::split(Standard::Rfc3986, subject.reference);
    let start = subject.reference.find("//").map(|at| at + 2);
    let length = here.authority.and_then(|it| it.rfind('@'));
    Some(match start.zip(length) {
        Some((start, length)) => {
            let suggestion = subject.replaced(start..start + length + 1, "");
            finding.at(start).suggest(suggestion)
        }
        None => finding,
    })
}

fn mixed(subject: &ReferenceContext<'_>, origin: &Origin<'_>) -> Option<ReferenceFinding> {
    if !subject.is_published || subject.own.scheme() != "https" {
        return None;
    }
    let secure = match origin.scheme {
        "http" => "https",
        "ws" => "wss",
        _ => return None,
    };
    let message = match (subject.usage)() {
        Usage::Image => "the https: page uses an http: image: browsers load it over https:",
        Usage::Resource => "the https: page uses an http: resource: browsers block the resource",
        Usage::Style => {
            "the https: page uses an http: URL in CSS: browsers request images over https: instead, and \
             block everything else"
        }
        Usage::Link | Usage::Other => return None,
    };
    // A reader's own machine counts as secure (Mixed Content, "potentially trustworthy").
    if where_local(origin.host).is_some_and(|of| of.starts_with(OWN_MACHINE)) {
        return None;
    }
    let end = origin.scheme.len();
    let scheme = subject.reference.get(..end);
    let is_written = scheme.is_some_and(|it| it.eq_ignore_ascii_case(origin.scheme));
    let suggestion = subject.replaced(0..end, secure).filter(|_| is_written);
    Some(ReferenceFinding::new(Check::MixedContent, message).suggest(suggestion))
}
