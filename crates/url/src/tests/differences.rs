//! The targets of the same references by five standards: 167 pairs, with the target under each.
//!
//! `=` is the same target as under the URL Standard, `fail` is no target.

use crate::{ResolveError, Standard};
use encoding_rs::UTF_8;

/// The columns: the URL Standard first.
const COLUMNS: [Standard; 5] = [
    Standard::Whatwg,
    Standard::Rfc3986,
    Standard::Rfc1808,
    Standard::UrlDraft1996,
    Standard::Rfc1630,
];

/// A base URL, and the targets of references under each standard.
type Rows = (&'static str, &'static [(&'static str, [&'static str; 5])]);

#[rustfmt::skip]
const PAIRS: &[Rows] = &[
    ("http://a/b/c/d;p?q", &[
        ("g:h", ["g:h", "=", "=", "=", "="]),
        ("g", ["http://a/b/c/g", "=", "=", "=", "="]),
        ("./g", ["http://a/b/c/g", "=", "=", "=", "="]),
        ("g/", ["http://a/b/c/g/", "=", "=", "=", "="]),
        ("/g", ["http://a/g", "=", "=", "=", "="]),
        ("//g", ["http://g/", "http://g", "http://g", "http://g", "http://g"]),
        ("?y", ["http://a/b/c/d;p?y", "=", "=", "=", "http://a/b/c/?y"]),
        ("g?y", ["http://a/b/c/g?y", "=", "=", "=", "="]),
        ("g?y/./x", ["http://a/b/c/g?y/./x", "=", "=", "=", "http://a/b/c/g?y/x"]),
        ("#s", ["http://a/b/c/d;p?q#s", "=", "=", "=", "http://a/b/c/#s"]),
        ("g#s", ["http://a/b/c/g#s", "=", "=", "=", "="]),
        ("g#s/./x", ["http://a/b/c/g#s/./x", "=", "=", "=", "="]),
        ("g?y#s", ["http://a/b/c/g?y#s", "=", "=", "=", "="]),
        (";x", ["http://a/b/c/;x", "=", "http://a/b/c/d;x", "http://a/b/c/d;x", "="]),
        ("g;x", ["http://a/b/c/g;x", "=", "=", "=", "="]),
        ("g;x?y#s", ["http://a/b/c/g;x?y#s", "=", "=", "=", "="]),
        (".", ["http://a/b/c/", "=", "=", "=", "http://a/b/c"]),
        ("./", ["http://a/b/c/", "=", "=", "=", "="]),
        ("..", ["http://a/b/", "=", "=", "=", "http://a/b/c/.."]),
        ("../", ["http://a/b/", "=", "=", "=", "="]),
        ("../g", ["http://a/b/g", "=", "=", "=", "="]),
        ("../..", ["http://a/", "=", "=", "=", "http://a/b/.."]),
        ("../../", ["http://a/", "=", "=", "=", "="]),
        ("../../g", ["http://a/g", "=", "=", "=", "="]),
        ("", ["http://a/b/c/d;p?q", "=", "=", "=", "http://a/b/c/"]),
        ("../../../g", ["http://a/g", "=", "http://a/../g", "http://a/../g", "http://g"]),
        ("../../../../g", ["http://a/g", "=", "=", "http://a/../../g", "http:/g"]),
        ("../../../../../g", ["http://a/g", "=", "http://a/../g", "http://a/../../../g", "http:g"]),
        ("/./g", ["http://a/g", "=", "http://a/./g", "http://a/./g", "http://a/./g"]),
        ("/../g", ["http://a/g", "=", "http://a/../g", "http://a/../g", "http://a/../g"]),
        ("g.", ["http://a/b/c/g.", "=", "=", "=", "="]),
        (".g", ["http://a/b/c/.g", "=", "=", "=", "="]),
        ("g..", ["http://a/b/c/g..", "=", "=", "=", "="]),
        ("..g", ["http://a/b/c/..g", "=", "=", "=", "="]),
        ("./../g", ["http://a/b/g", "=", "=", "=", "="]),
        ("./g/.", ["http://a/b/c/g/", "=", "=", "=", "http://a/b/c/g"]),
        ("g/./h", ["http://a/b/c/g/h", "=", "=", "=", "="]),
        ("g/../h", ["http://a/b/c/h", "=", "=", "=", "="]),
        ("http:g", ["http://a/b/c/g", "http:g", "http:g", "http:g", "http:g"]),
        ("http:", ["http://a/b/c/d;p?q", "http:", "http:", "http:", "http:"]),
        ("../../..", ["http://a/", "=", "http://a/..", "http://a/..", "http://a/.."]),
        ("../../../..", ["http://a/", "=", "=", "http://a/../..", "http://.."]),
        ("g/..", ["http://a/b/c/", "=", "=", "=", "http://a/b/c/g/.."]),
        ("g/.", ["http://a/b/c/g/", "=", "=", "=", "http://a/b/c/g"]),
        ("g//h", ["http://a/b/c/g//h", "=", "=", "=", "="]),
        ("g//../h", ["http://a/b/c/g/h", "=", "=", "=", "="]),
        ("../../c//../g", ["http://a/c/g", "=", "=", "=", "="]),
        ("?", ["http://a/b/c/d;p?", "=", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q", "http://a/b/c/?"]),
        ("#", ["http://a/b/c/d;p?q#", "=", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q", "http://a/b/c/#"]),
        ("g?", ["http://a/b/c/g?", "=", "http://a/b/c/g", "http://a/b/c/g", "="]),
        ("g#", ["http://a/b/c/g#", "=", "http://a/b/c/g", "http://a/b/c/g", "="]),
        ("g;", ["http://a/b/c/g;", "=", "http://a/b/c/g", "http://a/b/c/g", "="]),
        ("g?y/../x", ["http://a/b/c/g?y/../x", "=", "=", "=", "http://a/b/c/x"]),
        ("g;x=1/./y", ["http://a/b/c/g;x=1/y", "=", "http://a/b/c/g;x=1/./y", "http://a/b/c/g;x=1/./y", "="]),
        ("g;x=1/../y", ["http://a/b/c/y", "=", "http://a/b/c/g;x=1/../y", "http://a/b/c/g;x=1/../y", "="]),
        ("//", ["fail", "http://", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q", "http://"]),
        ("///g", ["http://g/", "http:///g", "http://a/g", "http://a/g", "fail"]),
        ("//g?y", ["http://g/?y", "http://g?y", "http://g?y", "http://g?y", "http://g?y"]),
        ("//g/../h", ["http://g/h", "=", "http://g/../h", "http://g/../h", "http://g/../h"]),
        ("////g", ["http://g/", "http:////g", "http://a//g", "http://a//g", "fail"]),
        ("1a:h", ["http://a/b/c/1a:h", "=", "1a:h", "1a:h", "1a:h"]),
        (":g", ["http://a/b/c/:g", "=", "=", "=", "="]),
        ("./this:that", ["http://a/b/c/this:that", "=", "=", "=", "="]),
        ("this:that", ["this:that", "=", "=", "=", "="]),
        ("this%3Athat", ["http://a/b/c/this%3Athat", "=", "=", "=", "="]),
        ("g/a:b", ["http://a/b/c/g/a:b", "=", "=", "=", "="]),
        ("g;x=1:2", ["http://a/b/c/g;x=1:2", "=", "=", "=", "g;x=1:2"]),
        ("%2e%2e/g", ["http://a/b/g", "http://a/b/c/%2e%2e/g", "http://a/b/c/%2e%2e/g", "http://a/b/c/%2e%2e/g", "http://a/b/c/%2e%2e/g"]),
        ("%2E/g", ["http://a/b/c/g", "http://a/b/c/%2E/g", "http://a/b/c/%2E/g", "http://a/b/c/%2E/g", "http://a/b/c/%2E/g"]),
        ("..\\g", ["http://a/b/g", "http://a/b/c/..\\g", "http://a/b/c/..\\g", "http://a/b/c/..\\g", "http://a/b/c/..\\g"]),
        ("\\g", ["http://a/g", "http://a/b/c/\\g", "http://a/b/c/\\g", "http://a/b/c/\\g", "http://a/b/c/\\g"]),
        ("\\\\g", ["http://g/", "http://a/b/c/\\\\g", "http://a/b/c/\\\\g", "http://a/b/c/\\\\g", "http://a/b/c/\\\\g"]),
        ("  g  ", ["http://a/b/c/g", "http://a/b/c/  g  ", "http://a/b/c/  g  ", "http://a/b/c/  g  ", "http://a/b/c/  g  "]),
        ("g\th", ["http://a/b/c/gh", "http://a/b/c/g\th", "http://a/b/c/g\th", "http://a/b/c/g\th", "http://a/b/c/g\th"]),
        ("g h", ["http://a/b/c/g%20h", "http://a/b/c/g h", "http://a/b/c/g h", "http://a/b/c/g h", "http://a/b/c/g h"]),
        ("HTTP:g", ["http://a/b/c/g", "HTTP:g", "HTTP:g", "HTTP:g", "HTTP:g"]),
        ("http:/g", ["http://a/g", "http:/g", "http:/g", "http:/g", "http:/g"]),
        ("http://a/b/c/d;p?q", ["http://a/b/c/d;p?q", "=", "=", "=", "="]),
        ("//A/g", ["http://a/g", "http://A/g", "http://A/g", "http://A/g", "http://A/g"]),
        ("//g:80/x", ["http://g/x", "http://g:80/x", "http://g:80/x", "http://g:80/x", "http://g:80/x"]),
        ("//u:p@g/x", ["http://u:p@g/x", "=", "=", "=", "="]),
        ("é", ["http://a/b/c/%C3%A9", "http://a/b/c/é", "http://a/b/c/é", "http://a/b/c/é", "http://a/b/c/é"]),
        ("g|h", ["http://a/b/c/g|h", "=", "=", "=", "="]),
        ("..;p/g", ["http://a/b/c/..;p/g", "=", "http://a/b/;p/g", "http://a/b/;p/g", "="]),
        (".;x", ["http://a/b/c/.;x", "=", "http://a/b/c/;x", "http://a/b/c/;x", "="]),
        ("..?y", ["http://a/b/?y", "=", "=", "=", "http://a/b/c/..?y"]),
        ("..#s", ["http://a/b/#s", "=", "=", "=", "http://a/b/c/..#s"]),
        ("?y/../z", ["http://a/b/c/d;p?y/../z", "=", "=", "=", "http://a/b/c/z"]),
        ("mailto:x@y", ["mailto:x@y", "=", "=", "=", "="]),
        ("javascript:g", ["javascript:g", "=", "=", "=", "="]),
        ("//g:99999/", ["fail", "http://g:99999/", "http://g:99999/", "http://g:99999/", "http://g:99999/"]),
        ("/%7Eg", ["http://a/%7Eg", "=", "=", "=", "="]),
        ("~g", ["http://a/b/c/~g", "=", "=", "=", "="]),
        ("g/%2F/../h", ["http://a/b/c/g/h", "=", "=", "=", "="]),
    ]),
    ("http://a/b;p1/c/d", &[
        ("g", ["http://a/b;p1/c/g", "=", "http://a/g", "http://a/g", "="]),
        ("../g", ["http://a/b;p1/g", "=", "http://a/../g", "http://a/../g", "="]),
    ]),
    ("http://a/b/c/d?x/y/z", &[
        ("g", ["http://a/b/c/g", "=", "=", "=", "http://a/b/c/d?x/y/g"]),
        ("../g", ["http://a/b/g", "=", "=", "=", "http://a/b/c/d?x/g"]),
    ]),
    ("http://a/b/c/d#x/y/z", &[
        ("g", ["http://a/b/c/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/c/", &[
        ("g", ["http://a/b/c/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/c", &[
        ("g", ["http://a/b/g", "=", "=", "=", "="]),
    ]),
    ("http://a", &[
        ("g", ["http://a/g", "=", "=", "=", "http://g"]),
        ("../g", ["http://a/g", "=", "http://a/../g", "http://a/../g", "http:/g"]),
    ]),
    ("http://a?q", &[
        ("g", ["http://a/g", "=", "http://a?q/g", "http://a?q/g", "http://g"]),
    ]),
    ("http://a/", &[
        ("..", ["http://a/", "=", "http://a/..", "http://a/..", "http://a/.."]),
    ]),
    ("http://a/b//c", &[
        ("g", ["http://a/b//g", "=", "=", "=", "="]),
        ("../g", ["http://a/b/g", "=", "=", "=", "="]),
        ("../../g", ["http://a/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b//", &[
        ("..", ["http://a/b/", "=", "=", "=", "http://a/b//.."]),
    ]),
    ("http://a//b/c", &[
        ("../../g", ["http://a/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/c//d", &[
        ("/g", ["http://a/g", "=", "=", "=", "fail"]),
        ("//g", ["http://g/", "http://g", "http://g", "http://g", "http://g"]),
    ]),
    ("magic://a/b/c//d/e/f", &[
        ("g", ["magic://a/b/c//d/e/g", "=", "=", "=", "="]),
        ("/g", ["magic://a/g", "=", "=", "=", "magic://a/b/c//d/g"]),
        ("//g", ["magic://g", "=", "=", "=", "="]),
        ("../g", ["magic://a/b/c//d/g", "=", "=", "=", "="]),
        ("../../g", ["magic://a/b/c//g", "=", "=", "=", "="]),
        ("../../../g", ["magic://a/b/c/g", "=", "=", "=", "="]),
        ("g:h", ["g:h", "=", "=", "=", "="]),
    ]),
    ("magic://a/b/c//d/e/", &[
        ("g", ["magic://a/b/c//d/e/g", "=", "=", "=", "="]),
        ("/g", ["magic://a/g", "=", "=", "=", "magic://a/b/c//d/g"]),
        ("../g", ["magic://a/b/c//d/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/../c/d", &[
        ("g", ["http://a/c/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/./c/d", &[
        ("g", ["http://a/b/c/g", "=", "=", "=", "="]),
    ]),
    ("http://a/b/../c/d", &[
        ("?y", ["http://a/c/d?y", "http://a/b/../c/d?y", "http://a/b/../c/d?y", "http://a/b/../c/d?y", "http://a/c/?y"]),
    ]),
    ("http://a/../b/c", &[
        ("g", ["http://a/b/g", "=", "http://a/../b/g", "http://a/../b/g", "http://b/g"]),
    ]),
    ("http://a/b/c/..", &[
        ("g", ["http://a/b/g", "http://a/b/c/g", "http://a/b/c/g", "http://a/b/c/g", "http://a/b/c/g"]),
    ]),
    ("ftp://h/d;type=d", &[
        ("g", ["ftp://h/g", "=", "=", "=", "="]),
    ]),
    ("ftp://h/d/;type=d", &[
        ("g", ["ftp://h/d/g", "=", "=", "=", "="]),
    ]),
    ("ftp://h/d/f;type=a", &[
        ("../g", ["ftp://h/g", "=", "=", "=", "="]),
    ]),
    ("file:///a/b", &[
        ("/g", ["file:///g", "=", "file:/g", "file:/g", "file:///a/g"]),
        ("//g", ["file://g/", "file://g", "file://g", "file://g", "fail"]),
    ]),
    ("file:///C:/a/b", &[
        ("/g", ["file:///C:/g", "file:///g", "file:/g", "file:/g", "="]),
        ("../../../g", ["file:///C:/g", "file:///g", "file:/../g", "file:/../g", "file://g"]),
    ]),
    ("file:///a/b", &[
        ("C:g", ["c:g", "C:g", "C:g", "C:g", "C:g"]),
    ]),
    ("file:/home/fred/bio.txt", &[
        ("x", ["file:///home/fred/x", "file:/home/fred/x", "file:/home/fred/x", "file:/home/fred/x", "file:/home/fred/x"]),
    ]),
    ("file://h/a", &[
        ("///g", ["file:///g", "=", "file://h/g", "file://h/g", "fail"]),
    ]),
    ("mailto:a@b", &[
        ("g", ["fail", "mailto:g", "mailto:g", "mailto:g", "="]),
        ("#s", ["mailto:a@b#s", "=", "=", "=", "fail"]),
    ]),
    ("news:comp.x", &[
        ("g", ["fail", "news:g", "news:g", "news:g", "="]),
        ("/g", ["fail", "news:/g", "news:/g", "news:/g", "="]),
    ]),
    ("gopher://h/00/a/b", &[
        ("c", ["gopher://h/00/a/c", "=", "=", "=", "="]),
        ("/11/a", ["gopher://h/11/a", "=", "=", "=", "="]),
    ]),
    ("urn:a:b", &[
        ("c", ["fail", "urn:c", "urn:c", "urn:c", "="]),
    ]),
    ("urn:a/b", &[
        ("c", ["fail", "urn:a/c", "urn:a/c", "urn:a/c", "urn:a/c"]),
    ]),
    ("data:,x", &[
        ("#y", ["data:,x#y", "=", "=", "=", "fail"]),
    ]),
    ("about:blank", &[
        ("g", ["fail", "about:g", "about:g", "about:g", "="]),
    ]),
    ("http://u:p@a/b", &[
        ("g", ["http://u:p@a/g", "=", "=", "=", "="]),
    ]),
    ("http://a:8080/b", &[
        ("//a/c", ["http://a/c", "=", "=", "=", "="]),
    ]),
    ("x:", &[
        ("g", ["fail", "x:g", "x:g", "x:g", "="]),
    ]),
    ("x:/", &[
        ("g", ["x:/g", "=", "=", "=", "="]),
    ]),
    ("x:a/b", &[
        ("../../g", ["fail", "x:/g", "x:../g", "x:../g", "x:../g"]),
    ]),
    ("x://h", &[
        ("g", ["x://h/g", "=", "=", "=", "x://g"]),
    ]),
    ("http://a/b/c/d;p?q#f", &[
        ("", ["http://a/b/c/d;p?q", "=", "http://a/b/c/d;p?q#f", "=", "http://a/b/c/"]),
        ("#", ["http://a/b/c/d;p?q#", "=", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q", "http://a/b/c/#"]),
        ("?y", ["http://a/b/c/d;p?y", "=", "=", "=", "http://a/b/c/?y"]),
        ("g", ["http://a/b/c/g", "=", "=", "=", "="]),
    ]),
    ("http://www.ics.uci.edu/Test/a/b/c", &[
        ("../x", ["http://www.ics.uci.edu/Test/a/x", "=", "=", "=", "="]),
    ]),
    ("HTTP://A/b", &[
        ("c", ["http://a/c", "HTTP://A/c", "HTTP://A/c", "HTTP://A/c", "HTTP://A/c"]),
    ]),
    ("http://a/b/%7e/c", &[
        ("../%7E/d", ["http://a/b/%7E/d", "=", "=", "=", "="]),
    ]),
    ("foo:a/b/c", &[
        ("d", ["fail", "foo:a/b/d", "foo:a/b/d", "foo:a/b/d", "foo:a/b/d"]),
        ("../../../d", ["fail", "foo:/d", "foo:../d", "foo:../d", "foo:../d"]),
    ]),
    ("foo:a", &[
        (".//b", ["fail", "foo:/b", "foo:/b", "foo:/b", "="]),
    ]),
    ("foo:/a", &[
        (".//b", ["foo:/.//b", "foo://b", "foo://b", "foo://b", "foo://b"]),
    ]),
    ("http://a/b?c", &[
        (".", ["http://a/", "=", "=", "=", "http://a"]),
    ]),
    ("http://[::1]/a", &[
        ("b", ["http://[::1]/b", "=", "=", "=", "="]),
    ]),
    ("http://a/b", &[
        ("//[::1]/c", ["http://[::1]/c", "=", "=", "=", "="]),
    ]),
];

/// Where a column of the table joins and we refuse, under every standard but the URL Standard.
///
/// None of these bases holds a slash, so there is no hierarchy for a reference to be relative to:
/// RFC 1808 section 2.3 ("mailto", "news", "telnet" never; the rest when the base fits the
/// generic syntax), the 1996 draft section 4.2 (relative URLs are not usable with an opaque
/// base), RFC 3986 section 4.2 (relative "to the name space of another hierarchical URI"). RFC
/// 1630 and the URL Standard fail on all of them in the table itself.
const REFUSED: &[(&str, &str)] = &[
    ("mailto:a@b", "g"),
    ("news:comp.x", "g"),
    ("news:comp.x", "/g"),
    ("urn:a:b", "c"),
    ("about:blank", "g"),
    ("x:", "g"),
    ("foo:a", ".//b"),
];

#[test]
fn every_pair_under_every_standard() {
    let (mut agreed, mut refused, mut wrong) = (0, 0, Vec::new());
    for (base, rows) in PAIRS {
        for (reference, targets) in *rows {
            for (standard, &target) in COLUMNS.iter().zip(targets) {
                let target = if target == "=" { targets[0] } else { target };
                let expected = (target != "fail").then_some(target);
                let actual = standard.resolve(base, reference, UTF_8);
                if actual.as_deref().ok() == expected {
                    agreed += 1;
                } else if REFUSED.contains(&(base, reference))
                    && matches!(actual, Err(ResolveError::OpaqueBase(_)))
                {
                    refused += 1;
                } else {
                    wrong.push(format!(
                        "{standard}: {base} + {reference:?} = {actual:?}, not {target}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((agreed, refused), (167 * 5 - 21, 21));
}
