//! Index pages: visitors read them at the URLs of their folders.

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

#[test]
fn a_compressed_index_page_has_the_url_of_its_folder() {
    let dir = TestDir::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, b"<a href=#top>").unwrap();
    dir.write("site/index.html.gz", &gzip.finish().unwrap());
    let run = dir.rehref(&["links", "site", "--url", URL, "--compressed"]);
    let run = run.status(0).stdout();
    assert!(run.contains(r#""target":"https://example.org/docs/#top""#), "{run}");
}
