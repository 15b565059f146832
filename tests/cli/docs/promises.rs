//! The table of what the documents promise and of the tests that hold it is complete.

use super::read;

/// The sentences of a text, without its headings, and without those that link to the tables.
fn sentences(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| line.trim_start_matches("- ").split_whitespace());
    let words: Vec<&str> = words.collect();
    let mut sentences = vec![String::new()];
    for (at, word) in words.iter().enumerate() {
        let sentence = sentences.last_mut().unwrap();
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let begins = |next: &&str| {
            let first = next.chars().next();
            *next == "rehref" || first.is_some_and(|c| c.is_uppercase() || matches!(c, '`' | '['))
        };
        if word.ends_with('.') && words.get(at + 1).is_some_and(begins) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.contains(".md)"));
    sentences
}

/// The section of the README on safety.
fn safe_to_run() -> Vec<String> {
    let readme = read("README.md");
    let section = readme.split("\n## Safe to run\n").nth(1).unwrap();
    let end = section.find("\n| exit status").or(section.find("\n## "));
    sentences(&section[..end.unwrap()])
}

/// The promises of the table, each with its tests, `path::name`; a case has its title.
fn rows(table: &str) -> Vec<(String, Vec<String>)> {
    let rows = table.lines().skip_while(|line| !line.starts_with("|---"));
    rows.skip(1)
        .map(|row| {
            let (promise, tests) = row.trim_matches('|').rsplit_once(" | ").unwrap();
            let tests = tests.split('`').skip(1).step_by(2);
            (promise.trim().to_owned(), tests.map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn each_promise_has_its_tests() {
    let rows = rows(&read("docs/internals/promises.md"));
    let promised: Vec<&str> = rows.iter().map(|(promise, _)| promise.as_str()).collect();
    assert_eq!(sentences(&read("docs/reference/safety.md")), promised);
    for sentence in safe_to_run() {
        assert!(promised.contains(&sentence.as_str()), "{sentence}");
    }
    for (promise, tests) in &rows {
        assert!(!tests.is_empty(), "{promise}");
        for test in tests {
            let (path, name) = test.split_once("::").unwrap();
            let source = read(path);
            if path.starts_with("tests/cases/") {
                let title = format!("==== {name}");
                let is_case = source.lines().any(|line| line.trim_end_matches(" [unix]") == title);
                assert!(is_case, "{test} is no case");
                continue;
            }
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
