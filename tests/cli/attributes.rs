//! `--attr`: attributes that hold URLs because the user says so.

use crate::support::TestDir;

const URL: &str = "https://e.org/d/";

const PAGE: &str = "<img data-src=a.png data-srcset='b.png 1x, c.png 2x' alt=x>\n<div data-src=d.png data-href=e></div>\n\
    <svg><path data-href=f /></svg><x-y data-list=' g h '></x-y><a DATA-HREF='i&amp;j' title=k>\n\
    <template><img data-src=l></template><p data-css='a: url(m)'>";

fn rewritten(attributes: &str) -> String {
    let dir = TestDir::with_site(&[("page.html", PAGE)]);
    let run = dir
        .rehref(&["absolute", "site", "--url", URL, "-o", "out", "--verify", "--attr", attributes])
        .status(0);
    assert!(run.stderr().contains("all other bytes equal"), "{}", run.stderr());
    dir.read("out/page.html")
}

/// `PAGE` with these of its values absolute.
fn with_absolute(values: &[&str]) -> String {
    values.iter().fold(PAGE.to_owned(), |page, value| {
        assert!(page.contains(value), "{value}");
        let at = value.find(|c: char| "=' (".contains(c)).unwrap() + 1;
        let (before, url) = value.split_at(at);
        page.replace(value, &format!("{before}{URL}{url}"))
    })
}

#[test]
fn the_attributes_of_the_elements_are_processed() {
    assert_eq!(rewritten("img@data-src"), with_absolute(&["=a.png", "=l>"]));
    assert_eq!(rewritten("*@data-src"), with_absolute(&["=a.png", "=d.png", "=l>"]));
    assert_eq!(
        rewritten("img@data-srcset,*@data-href"),
        with_absolute(&["'b.png", " c.png", "=e>", "=f ", "'i&amp;"])
    );
    // An element that only the slower engine knows.
    assert_eq!(rewritten("x-y@data-list=urls"), with_absolute(&[" h '", " g "]));
    assert_eq!(rewritten("p@data-css=css"), with_absolute(&["(m)"]));
    assert_eq!(rewritten("table@x"), PAGE);
}

#[test]
fn every_command_and_every_kind_of_document_knows_them() {
    let dir = TestDir::with_site(&[
        ("a.html", "<img data-src=none.png>"),
        ("b.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><img data-src='none.png'/></html>"),
        ("c.svg", "<svg xmlns='http://www.w3.org/2000/svg'><image data-src='none.png'/></svg>"),
        ("d.html", "<iframe srcdoc='<img data-src=none.png>'></iframe>"),
    ]);
    let audit = ["audit", "site", "--only", "broken-target", "--format", "jsonl"];
    assert_eq!(dir.rehref(&audit).status(0).stdout(), "");
    let attr = ["--attr", "img@data-src", "--attr", "image@data-src"];
    let all = [&audit[..], &attr[..]].concat();
    assert_eq!(dir.rehref(&all).status(1).stdout().lines().count(), 4);
    let all = [&["links", "site", "--format", "csv", "-q"], &attr[..]].concat();
    let stdout = dir.rehref(&all).status(0).stdout();
    assert_eq!(stdout.matches(",data-src,").count(), 4, "{stdout}");
    // A move that does not know them leaves them alone, and the proof that knows them notices.
    dir.write("site/none.png", b"");
    dir.rehref(&["move", "site", "none.png=new.png", "-o", "old", "-q"]).status(0);
    let all = [&["verify", "site", "old", "none.png=new.png", "-q"], &attr[..]].concat();
    dir.rehref(&all).status(1);
    let all =
        [&["move", "site", "none.png=new.png", "-o", "new", "--verify", "-q"], &attr[..]].concat();
    dir.rehref(&all).status(0);
    assert_eq!(dir.read("new/a.html"), "<img data-src=new.png>");
}

#[test]
fn they_can_be_settings() {
    let dir = TestDir::with_site(&[("a.html", "<img data-src=x data-y=z>")]);
    dir.write("rehref.toml", b"attr = ['img@data-src']\n");
    let run = dir.rehref(&["links", "site", "--format", "csv", "-q", "--attr", "*@data-y"]);
    let stdout = run.status(0).stdout();
    assert!(stdout.contains(",data-src,") && stdout.contains(",data-y,"), "{stdout}");
}

#[test]
fn what_names_no_attribute_is_refused_with_an_example() {
    let dir = TestDir::with_site(&[("a.html", "")]);
    let many = (0..25).map(|at| format!("*@data-{at}")).collect::<Vec<_>>().join(",");
    for (given, said) in [
        (
            "img",
            "`img` is not ELEMENT@ATTRIBUTE; write it like img@data-src, or *@data-href for any element",
        ),
        ("@x", "`@x` is not ELEMENT@ATTRIBUTE"),
        ("img@", "`img@` is not ELEMENT@ATTRIBUTE"),
        ("img@data src", "cannot be the name of an element or attribute"),
        ("img@data-x=html", "`html` is not a kind of value; give url, srcset, urls or css"),
        ("img@src", "rehref processes `img@src` without this option; omit the option"),
        (&many, "give at most 24 attributes"),
    ] {
        let run = dir.rehref(&["links", "site", "--attr", given]).status(2);
        assert!(run.stderr().contains(said), "{given}: {}", run.stderr());
    }
}
