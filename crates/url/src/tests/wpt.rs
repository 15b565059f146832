//! The URL parser against the Web Platform Tests (`url/resources`), and Ada's additions to them.

use crate::test_data::conformance;
use crate::{Components, Standard, Url};
use serde_json::Value;

/// Cases that are known to fail: file, input, reason. A case in here that passes fails the test.
const EXPECTED_FAILURES: &[(&str, &str, &str)] = &[
    (
        "IdnaTestV2.json",
        "\u{3e8ac}。ܩ。쯙5",
        "the Unicode data of idna 1.1 lets the unassigned U+3E8AC pass",
    ),
    (
        "IdnaTestV2.json",
        "\u{3e8ac}。ܩ。\u{110d}\u{1173}\u{11ac}5",
        "the Unicode data of idna 1.1 lets the unassigned U+3E8AC pass",
    ),
];

/// The cases of one file of the shared conformance data, or nothing when it is not there.
fn cases(name: &str) -> Vec<Value> {
    let Some(text) = conformance(&format!("wpt/url/{name}")) else { return Vec::new() };
    let values: Vec<Value> =
        serde_json::from_str(&without_lone_surrogates(&text)).expect("JSON test data");
    values.into_iter().filter(Value::is_object).collect()
}

/// JavaScript strings may hold lone surrogates, which the parser sees as U+FFFD.
fn without_lone_surrogates(json: &str) -> String {
    let unit = |at: usize| -> Option<u32> {
        let escape = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(escape, 16).ok()
    };
    let mut out = String::with_capacity(json.len());
    let mut at = 0;
    while at < json.len() {
        let rest = &json[at..];
        if rest.starts_with("\\\\") {
            out.push_str("\\\\");
            at += 2;
            continue;
        }
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                out.push_str(&rest[..12]);
                at += 12;
            }
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                at += 6;
            }
            _ => {
                let c = rest.chars().next().expect("not at the end");
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    out
}

/// Says what is wrong with one case, if anything is.
fn check(case: &Value) -> Result<(), String> {
    let text = |key: &str| case.get(key).and_then(Value::as_str);
    let input = text("input").expect("an input");
    let parsed = match text("base") {
        Some(base) => match Url::parse(base) {
            Ok(base) => base.resolve(input, encoding_rs::UTF_8),
            Err(error) => Err(error),
        },
        None => Url::parse(input),
    };
    let url = match (parsed, case.get("failure").is_some()) {
        (Err(_), true) => return Ok(()),
        (Ok(url), true) => return Err(format!("expected failure, got {url}")),
        (Err(error), false) => return Err(format!("expected {:?}, got: {error}", text("href"))),
        (Ok(url), false) => url,
    };
    let parts = Components::split(Standard::Whatwg, url.as_str());
    let (username, password) = parts.userinfo();
    let host = parts.host_and_port().unwrap_or_default();
    let bracket = host.find(']').unwrap_or(0);
    let colon = host[bracket..].find(':').map(|colon| bracket + colon);
    let (hostname, port) = match colon {
        Some(colon) => (&host[..colon], &host[colon + 1..]),
        None => (host, ""),
    };
    let after = |mark: &str, part: Option<&str>| match part {
        None | Some("") => String::new(),
        Some(part) => format!("{mark}{part}"),
    };
    let fields = [
        ("href", url.as_str().to_owned()),
        ("protocol", format!("{}:", url.scheme())),
        ("username", username.unwrap_or_default().to_owned()),
        ("password", password.unwrap_or_default().to_owned()),
        ("host", host.to_owned()),
        ("hostname", hostname.to_owned()),
        ("port", port.to_owned()),
        ("pathname", url.path().to_owned()),
        ("search", after("?", url.query())),
        ("hash", after("#", url.fragment())),
    ];
    for (key, actual) in fields {
        if let Some(expected) = text(key)
            && expected != actual
        {
            return Err(format!("{key}: expected {expected:?}, got {actual:?}"));
        }
    }
    let again = Url::parse(url.as_str()).map_err(|error| format!("not idempotent: {error}"))?;
    if again != url || format!("{again:?}") != format!("{url:?}") {
        return Err(format!("not idempotent: {url:?} becomes {again:?}"));
    }
    Ok(())
}

fn run(file: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let cases = cases(file);
    let mut wrong = Vec::new();
    for case in &cases {
        let input = case.get("input").and_then(Value::as_str).expect("input");
        let known = EXPECTED_FAILURES
            .iter()
            .any(|(failing, failure, _)| (*failing, *failure) == (file, input));
        match check(case) {
            Err(why) if !known => wrong.push(format!("{input:?} {:?}: {why}", case.get("base"))),
            Ok(()) if known => wrong.push(format!("{input:?}: passes, but is listed as failing")),
            _ => {}
        }
    }
    println!("{file}: {} of {} pass", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn urltestdata() {
    run("urltestdata.json", check);
}

#[test]
fn urltestdata_javascript_only() {
    run("urltestdata-javascript-only.json", check);
}

#[test]
fn ada_extra() {
    run("ada_extra_urltestdata.json", check);
}

#[test]
fn ada_long() {
    run("ada_long_urltestdata.json", check);
}

/// `toascii.json` and `IdnaTestV2.json`: the input as the host of a URL.
fn check_host(case: &Value) -> Result<(), String> {
    let input = case.get("input").and_then(Value::as_str).expect("input");
    let expected = case.get("output").and_then(Value::as_str);
    if input.is_empty() {
        // Between "https://" and "/x" it would not be a host.
        return Ok(());
    }
    let actual = Url::parse(&format!("https://{input}/x")).ok();
    match (&actual, expected) {
        (None, None) => Ok(()),
        (Some(url), Some(host)) if url.as_str() == format!("https://{host}/x") => Ok(()),
        _ => Err(format!("expected {expected:?}, got {actual:?}")),
    }
}

#[test]
fn to_ascii() {
    run("toascii.json", check_host);
}

#[test]
fn idna_test_v2() {
    run("IdnaTestV2.json", check_host);
}

#[test]
fn idna_test_v2_removed() {
    run("IdnaTestV2-removed.json", check_host);
}

#[test]
fn percent_encoding() {
    run("percent-encoding.json", |case| {
        let input = case.get("input").and_then(Value::as_str).expect("input");
        let output = case.get("output").and_then(Value::as_object).expect("output");
        let base = Url::parse("https://doc.example/").map_err(|error| error.to_string())?;
        for (label, expected) in output {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            let url = base
                .resolve(&format!("?{input}#{input}"), encoding)
                .map_err(|error| error.to_string())?;
            let expected = expected.as_str().expect("a string");
            if url.query() != Some(expected) {
                return Err(format!("{label}: expected {expected}, got {url}"));
            }
            let fragment = output.get("utf-8").and_then(Value::as_str);
            if url.fragment() != fragment {
                return Err(format!("the fragment is always UTF-8: {url}"));
            }
        }
        Ok(())
    });
}

/// The document's encoding counts in queries of special URLs only, and not in those of sockets.
#[test]
fn query_encoding() {
    let Some(text) = conformance("wpt/url/query-encoding-cases.json") else { return };
    let data: Value = serde_json::from_str(&text).expect("JSON test data");
    let cases = data.get("cases").and_then(Value::as_array).expect("cases");
    for case in cases {
        let text = |key: &str| case.get(key).and_then(Value::as_str).expect("a string");
        let point = u32::from_str_radix(text("char").trim_start_matches("U+"), 16);
        let input: String = point.ok().and_then(char::from_u32).into_iter().collect();
        let encoding = encoding_rs::Encoding::for_label(text("encoding").as_bytes());
        let mut utf8 = String::new();
        for byte in input.bytes() {
            utf8.push_str(&format!("%{byte:02X}"));
        }
        for (base, expected) in [
            ("http://h/", text("query")),
            ("file:///", text("query")),
            ("ws://h/", utf8.as_str()),
            ("wss://h/", utf8.as_str()),
            ("foo://h/", utf8.as_str()),
        ] {
            let base = Url::parse(base).expect("a URL");
            let url = base.resolve(&format!("{input}?{input}#{input}"), encoding.expect("known"));
            let url = url.expect("a URL");
            assert_eq!(url.query(), Some(expected), "{url} {case}");
            assert_eq!(url.path(), format!("/{utf8}"), "{url} {case}");
            assert_eq!(url.fragment(), Some(utf8.as_str()), "{url} {case}");
        }
    }
    assert_eq!(cases.len(), 8);
}
