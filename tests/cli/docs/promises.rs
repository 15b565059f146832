//! The table of what the README promises and of the tests that hold it is complete.

use super::read;

/// The sentences of the section "Safe to run", without the table of exit statuses and without the
/// sentence that links to the table of promises.
fn sentences(readme: &str) -> Vec<String> {
    let section = readme.split("\n## Safe to run\n").nth(1).unwrap();
    let section = section.split("\n| exit status").next().unwrap();
    let words: Vec<&str> = section.split_whitespace().collect();
    let mut sentences = vec![String::new()];
    for (at, word) in words.iter().enumerate() {
        let sentence = sentences.last_mut().unwrap();
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let next = words.get(at + 1).and_then(|next| next.chars().next());
        let begins = |c: char| c.is_uppercase() || matches!(c, '`' | '[');
        if word.ends_with('.') && next.is_some_and(begins) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.contains("promises.md"));
    sentences
}

/// The promises of the table, each with its tests, `path::name`.
fn rows(table: &str) -> Vec<(String, Vec<String>)> {
    let rows = table.lines().skip_while(|line| !line.starts_with("|---"));
    rows.skip(1)
        .map(|row| {
            let (promise, tests) = row.trim_matches('|').rsplit_once(" | ").unwrap();
            let tests = tests.split('`').skip(1).step_by(2);
            (
                promise.trim().to_owned(),
                tests.map(str::to_owned).collect(),
            )
        })
        .collect()
}

#[test]
fn each_promise_has_its_tests() {
    let rows = rows(&read("docs/internals/promises.md"));
    let promised: Vec<&str> = rows.iter().map(|(promise, _)| promise.as_str()).collect();
    assert_eq!(sentences(&read("README.md")), promised);
    for (promise, tests) in &rows {
        assert!(!tests.is_empty(), "{promise}");
        for test in tests {
            let (path, name) = test.split_once("::").unwrap();
            let source = read(path);
            let declaration = source.find(&format!("fn {name}()"));
            let before = declaration.map(|at| source[..at].trim_end());
            let is_test = before.is_some_and(|before| {
                let attributes = before.rsplit('}').next().unwrap_or_default();
                attributes.contains("#[test]")
            });
            assert!(is_test, "{test} is no test");
        }
    }
}
