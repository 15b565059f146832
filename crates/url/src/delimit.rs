//! References cut out of running text (draft-fielding-uri-url-00, appendix B; also the wrapper
//! of draft-ietf-uri-relative-url-05 and RFC 1738's appendix).

/// Removes the wrapper `<URL:...>` or `<...>` of `text` and all white space, which is never part of a
/// URL.
///
/// Returns one reference; or two if a line ends with a hyphen, which the line break may have added:
/// first the one with the hyphen.
pub fn undelimit(text: &str) -> Vec<String> {
    let text = text.trim();
    let inner =
        text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text).trim_start();
    let reference = match inner.split_at_checked(4) {
        Some((prefix, reference)) if prefix.eq_ignore_ascii_case("URL:") => reference,
        _ => inner,
    };
    let mut kept = String::with_capacity(reference.len());
    let mut dropped = String::with_capacity(reference.len());
    let mut lines = reference.lines().peekable();
    while let Some(line) = lines.next() {
        let start = dropped.len();
        let solid = line.chars().filter(|c| !c.is_whitespace());
        kept.extend(solid.clone());
        dropped.extend(solid);
        if lines.peek().is_some() && dropped.len() > start && dropped.ends_with('-') {
            dropped.pop();
        }
    }
    if kept == dropped { vec![kept] } else { vec![kept, dropped] }
}

/// Finds the references in angle brackets in `text`, in order, each as [`undelimit`] returns it.
pub fn delimited(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((inner, after)) = after.split_once('>') else { break };
        found.push(undelimit(inner));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_in_running_text() {
        let text = "Yes, Jim, I found it under <ftp://info.cern.ch/pub/www/doc;\n      type=d> but \
                    you can probably pick it up from <ftp://ds.in\n      ternic.net/rfc>.  Note \
                    the warning in <http://ds.internic.\n      net/instructions/overview.html#WARNING>.";
        let found: Vec<String> = delimited(text).into_iter().flatten().collect();
        assert_eq!(
            found,
            [
                "ftp://info.cern.ch/pub/www/doc;type=d",
                "ftp://ds.internic.net/rfc",
                "http://ds.internic.net/instructions/overview.html#WARNING",
            ]
        );
    }

    #[test]
    fn wrappers_and_white_space() {
        for (text, expected) in [
            ("<URL:http://h/a>", &["http://h/a"][..]),
            ("<url:http://h/a>", &["http://h/a"]),
            ("URL:http://h/a", &["http://h/a"]),
            ("<http://h/\r\n  a/b>", &["http://h/a/b"]),
            ("  ../a b ", &["../ab"]),
            ("<http://h/a-\n  b>", &["http://h/a-b", "http://h/ab"]),
            ("<http://h/a- b>", &["http://h/a-b"]),
            ("a--\n \nb", &["a--b", "a-b"]),
            ("", &[""]),
            (
                "<URL:ftp://ds.internic.net/internet-drafts/\ndraft-ietf-uri-irl-fun-req-03.txt>",
                &["ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-03.txt"],
            ),
        ] {
            assert_eq!(undelimit(text), expected, "{text:?}");
        }
    }
}
