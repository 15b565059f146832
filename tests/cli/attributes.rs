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
