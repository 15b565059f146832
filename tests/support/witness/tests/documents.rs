//! Documents: elements, attributes, encodings.

use encoding_rs::{UTF_8, UTF_16LE, WINDOWS_1252};

use super::*;

#[test]
fn counts_what_it_compares() {
    let input = "<title>t</title><a href=x ping='u v'>x</a><img srcset='a 1x, b 2x' alt=n>";
    let output = "<title>t</title><a href=https://example.org/docs/a/x \
        ping='https://example.org/docs/a/u https://example.org/docs/a/v'>x</a><img \
        srcset='https://example.org/docs/a/a 1x, https://example.org/docs/a/b 2x' alt=n>";
    let stats = compare(input, output, true).unwrap();
    let expected = Stats { elements: 6, url_attributes: 3, urls: 5, changed: 3, embedded: 0 };
    assert_eq!(stats, expected);
}

#[test]
fn sees_what_is_not_a_link() {
    let input = "<!DOCTYPE html><p class=a id=b>text<!--c--></p><a href='/x' title=t>x</a>";
    let good = "<!DOCTYPE html><p class=a id=b>text<!--c--></p>\
        <a href='https://example.org/x' title=t>x</a>";
    accepts(input, good);
    let spoiled = [
        ("class=a", "class=A", "class="),
        ("title=t", "title='t '", "title="),
        ("text<", "test<", "the text differs"),
        ("text<", "<", "children became"),
        ("<!--c-->", "<!--C-->", "the comment differs"),
        ("<!DOCTYPE html>", "<!DOCTYPE htm>", "the doctype differs"),
        ("<!DOCTYPE html>", "", "quirks mode"),
        (" id=b", "", "the attributes [class id] became [class]"),
        ("class=a id=b", "id=b class=a", "became [id class]"),
        (" title=t", " title=t rel=x", "the attributes"),
        ("<p ", "<pre ", "became"),
        (" href='https://example.org/x'", "", "the attributes"),
        ("</a>", "</a><br>", "children became"),
    ];
    for (from, to, message) in spoiled {
        assert!(good.contains(from), "{from}");
        rejects(input, &good.replacen(from, to, 1), message);
    }
}

#[test]
fn sees_what_scripts_styles_and_templates_hold() {
    for html in [
        "<script>a='x'</script>",
        "<style>x{background:red}</style>",
        "<template><p title=x>x</template>",
        "<noscript><p title=x>x</noscript>",
        "<textarea>x</textarea>",
        "<svg><title>x</title></svg>",
        "<iframe srcdoc=x></iframe>",
    ] {
        accepts(html, html);
        rejects(html, &html.replace('x', "y"), "");
    }
    rejects("<template><a href=x>", "<template><a href=x>", "absolute");
}

#[test]
fn sees_a_changed_target() {
    accepts("<a href=x>", "<a href=https://example.org/docs/a/x>");
    accepts("<a href=x>", "<a href=HTTPS://EXAMPLE.org:443/docs/./a/x>");
    accepts("<a href=x?ä>", "<a href=https://example.org/docs/a/x?%C3%A4>");
    accepts("<a href='\n x\n '>", "<a href=https://example.org/docs/a/x>");
    rejects("<a href=x>", "<a href=https://example.org/docs/x>", "led to");
    rejects("<a href=x>", "<a href=https://example.org/docs/a/x/>", "led to");
    rejects("<a href=x#y>", "<a href=https://example.org/docs/a/x>", "led to");
    rejects("<a href=x>", "<a href=https://[>", "does not parse");
    rejects("<a href=x>", "<a href=x>", "not an absolute URL");
    rejects("<a href=x>", "<a href=https:x>", "not an absolute URL");
    rejects("<a href=x>", "<a href=//example.org/docs/a/x>", "not an absolute");
    rejects("<a href='#x'>", "<a href='#x'>", "not an absolute URL");
    assert!(compare("<a href=x>", "<a href=/docs/a/x>", false).is_ok());
    assert!(compare("<a href=x>", "<a href=/docs/x>", false).is_err());
}

#[test]
fn sees_what_should_have_been_left_alone() {
    for value in [
        "mailto:a@example.org", "tel:1", "javascript:x", " data:,x", "http://[::1",
        "{{ page.url }}", "x/${y}", "<% x %>", "unknown:x",
    ] {
        let input = format!("<a href='{value}'>");
        accepts(&input, &input);
        rejects(&input, "<a href='https://example.org/docs/a/x'>", "touched");
    }
    for input in ["<img src=''>", "<form action=''>", "<link href>"] {
        accepts(input, input);
        let output = input.replace("''", PAGE_URL).replace("href", "href=/");
        rejects(input, &output, "empty");
    }
    accepts("<a href=''>", "<a href=''>");
    accepts("<a href=''>", "<a href='https://example.org/docs/a/page.html'>");
    rejects("<a href=''>", "<a href='https://example.org/'>", "led to");
}

#[test]
fn finds_the_base() {
    let absolute = |base: &str| format!("{base}<a href=https://example.org/docs/x>");
    accepts(
        "<base target=y><base href=' ../ '><a href=x>",
        &absolute("<base target=y><base href=https://example.org/docs/>"),
    );
    rejects(
        "<base href=../><a href=x>",
        &absolute("<base href=https://example.org/>"),
        "base: href",
    );
    rejects("<base href=../>", "<base href=../>", "absolute");
    // Each of these does not count, and hides the one after it or leaves it in force.
    for (base, hides) in [
        ("<base href='data:/,x'>", true),
        ("<base href='javascript:x'>", true),
        ("<base href='//test:test'>", true),
        ("<template><base href=/y/></template>", false),
        ("<svg><base href='https://example.org/y/'/></svg>", false),
    ] {
        let base = base.replace("/y/", "https://example.org/y/");
        let second = "<base href=https://example.org/docs/>";
        let target = if hides { "a/x" } else { "x" };
        let input = format!("{base}{second}<a href=x>");
        let output = format!("{base}{second}<a href=https://example.org/docs/{target}>");
        accepts(&input, &output);
        let wrong = format!("{base}{second}<a href=https://example.org/docs/z/x>");
        rejects(&input, &wrong, "led to");
    }
    // The base may be taken away when the links do not need it any more.
    rejects("<base href=../><a href=x>", &absolute("<base>"), "the attributes");
}

#[test]
fn reads_lists() {
    let input = "<img srcset='a,b 1x, data:,c 2x,d (x, y) 3w ,, e'>";
    let good = "<img srcset='https://example.org/docs/a/a,b 1x, data:,c 2x,\
        https://example.org/docs/a/d (x, y) 3w ,, https://example.org/docs/a/e'>";
    accepts(input, good);
    rejects(input, &good.replace("1x", "1.0x"), "descriptors");
    rejects(input, &good.replace(" 2x", ""), "descriptors");
    rejects(input, &good.replace("(x, y)", "(x,y)"), "descriptors");
    rejects(input, &good.replace("a,b", "b,a"), "led to");
    rejects(input, &good.replace("data:,c", "data:,d"), "touched");
    rejects(input, &good.replace(", https://example.org/docs/a/e", ""), "");
    rejects(input, &good.replace("3w ,,", "3w,"), "around the URLs");
    let input = "<applet codebase=c archive='a.jar, b.jar' code=X.class></applet>";
    let good = "<applet codebase=https://example.org/docs/a/c archive='https://example.org/\
        docs/a/c/a.jar, https://example.org/docs/a/c/b.jar' code=X.class></applet>";
    accepts(input, good);
    rejects(input, &good.replace("c/b.jar", "b.jar"), "led to");
    rejects(input, &good.replace(", ", ","), "around the URLs");
    let input = "<object archive='a\nb'></object>";
    let good = "<object archive='https://example.org/docs/a/a\n\
        https://example.org/docs/a/b'></object>";
    accepts(input, good);
    rejects(input, &good.replace('\n', " "), "around the URLs");
}

#[test]
fn reads_refreshes_and_metas() {
    let refresh = |content: &str| format!("<meta http-equiv=Refresh content=\"{content}\">");
    let target = "https://example.org/docs/a/x";
    let refreshes = ["5; url=x", "5;URL='x'", "5, x", "5 'x' y", "5;url = 'x"];
    for content in refreshes {
        let good = refresh(&content.replace('x', target));
        accepts(&refresh(content), &good);
        rejects(&refresh(content), &good.replace("\"5", "\"6"), "time");
        rejects(&refresh(content), &good.replace("/x", "/z"), "led to");
        rejects(&refresh(content), &good.replace("\"5", "\"5 "), "around");
    }
    let good = refresh("5; url=https://example.org/docs/a/x");
    accepts(&refresh("5; url='x'"), &good);
    for content in ["5", "5;", "x", "", "5; url=javascript:x", "5x; url=y"] {
        accepts(&refresh(content), &refresh(content));
        rejects(&refresh(content), &good, "");
    }
    for name in ["property=og:image", "name=TWITTER:image"] {
        let meta = |content: &str| format!("<meta {name} content='{content}'>");
        accepts(&meta("x"), &meta("https://example.org/docs/a/x"));
        rejects(&meta("x"), &meta("x"), "absolute");
        rejects(&meta("x"), &meta("https://example.org/x"), "led to");
    }
    rejects(
        "<meta name=description content=x>",
        "<meta name=description content=https://example.org/docs/a/x>",
        "holds no link",
    );
}

#[test]
fn knows_svg() {
    let input = "<svg><a xlink:href='#x'></a><use href='#x'/><use xlink:href='y#x'/></svg>";
    let output = "<svg><a xlink:href='https://example.org/docs/a/page.html#x'></a>\
        <use href='#x'/><use xlink:href='https://example.org/docs/a/y#x'/></svg>";
    accepts(input, output);
    rejects(input, &output.replace("/y#", "/z#"), "led to");
    rejects(input, &output.replace("href='#x'/", "href='#z'/"), "led to");
    rejects(input, input, "absolute");
}

#[test]
fn knows_encodings() {
    let url = Url::parse(PAGE_URL).unwrap();
    let both = |input: &[u8], output: &[u8]| compare_documents(input, output, &url, true);
    let page = |charset: &str, href: &[u8]| -> Vec<u8> {
        let start = format!("<meta charset={charset}><a href=\"");
        [start.as_bytes(), href, b"\">"].concat()
    };
    let absolute = |rest: &str| [b"https://example.org/docs/a/", rest.as_bytes()].concat();
    for (charset, rest) in [
        ("windows-1252", "%C3%A4?%E4"),
        ("windows-1251", "%D0%B4?%E4"),
        ("euc-kr", "%EF%BF%BD?%26%2365533%3B"),
    ] {
        let input = page(charset, b"\xE4?\xE4");
        assert!(both(&input, &page(charset, &absolute(rest))).is_ok());
        let wrong = page(charset, &absolute("%C3%A4?%C3%A4"));
        assert!(both(&input, &wrong).is_err());
    }
    // Far down, and behind a script that only talks of it.
    let far = format!("<script>{}'<meta charset=koi8-r>'</script>", " ".repeat(1100));
    let far = [far.as_bytes(), &page("windows-1252", b"")].concat();
    assert_eq!(sniff_encoding(&far).0, WINDOWS_1252);
    assert_eq!(sniff_encoding(b"<!--><meta charset=big5>").0.name(), "Big5");
    assert_eq!(sniff_encoding(b"\xE4").0, WINDOWS_1252);
    assert_eq!(sniff_encoding(b"\xC3\xA4").0, UTF_8);
    assert_eq!(sniff_encoding(b"\xFF\xFEx\0"), (UTF_16LE, 2));
    let old = b"<META HTTP-EQUIV=content-type CONTENT='text/html; charset=shift_jis'>";
    assert_eq!(sniff_encoding(old).0.name(), "Shift_JIS");

    let utf_16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xFF, 0xFE].into_iter().chain(units).collect()
    };
    let output = utf_16("<a href='https://example.org/docs/a/ä?ä'>");
    assert!(both(&utf_16("<a href='ä?ä'>"), &output).is_ok());
    assert!(both(&utf_16("<a href='ä?o'>"), &output).is_err());
    assert!(both(&utf_16("<a href='ä?ä'>"), &output[2..]).is_err());
}

#[test]
fn maps_files_to_urls() {
    let site = Url::parse("https://example.org/docs").unwrap();
    for (path, expected) in [
        ("index.html", "index.html"),
        ("a b/c%d.html", "a%20b/c%25d.html"),
        ("page.php?id=3", "page.php%3Fid=3"),
        ("c:d#e.html", "c:d%23e.html"),
        ("grüße.html", "gr%C3%BC%C3%9Fe.html"),
        ("(a)&'b'[c]+d~e,f.html", "(a)&'b'[c]+d~e,f.html"),
        ("%2e%2e/x", "%252e%252e/x"),
    ] {
        let url = document_url(&site, Path::new(path));
        assert_eq!(url.as_str(), format!("https://example.org/docs/{expected}"));
    }
}
