//! Template markup and placeholders in references, the real binary on real directories.

use crate::support::TestDir;

const URL: &str = "https://example.org/";

/// A page in each dialect; none of the values may change.
const MARKUP: &[&str] = &[
    "{{ x }}/a", "{% url 'x' %}", "{$x}/a", "<%= x %>", "<?php echo 1 ?>",
    "<!--#echo var='x' -->/a", "<TMPL_VAR NAME=x>/a", "[% x %]/a", "${x}/a", "$(TOP)/a",
    "$relpath^a.css", "a?b=$(C)",
];

#[test]
fn markup_of_every_dialect_is_skipped_and_listed() {
    let dir = TestDir::new();
    for (number, value) in MARKUP.iter().enumerate() {
        let page = format!("<a href=\"{value}\">");
        dir.write(&format!("site/{number:02}.html"), page.as_bytes());
    }
    let arguments = ["absolute", "site", "-o", "out", "--url", URL, "--verify", "-v"];
    let arguments = [&arguments[..], &["--format", "json=report.json"]].concat();
    let run = dir.rehref(&arguments).status(0);
    let count = MARKUP.len();
    assert!(run.stderr().contains(&format!("{count}     template markup")), "{}", run.stderr());
    // One line for people; the report has all.
    let others = format!("like {} more links with template markup", count - 1);
    assert!(run.stderr().contains(&others), "{}", run.stderr());
    let report = dir.read("report.json");
    for number in 0..count {
        let path = format!("{number:02}.html");
        assert_eq!(dir.read(&format!("out/{path}")), dir.read(&format!("site/{path}")));
        assert!(report.contains(&path), "{path}: {report}");
    }
}
