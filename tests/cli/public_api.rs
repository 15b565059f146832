//! The public API of the library: what `src/lib.rs` re-exports, its signatures and public fields. A change of it is seen
//! in the snapshot, which `INSTA_UPDATE=always` writes; rustfmt's layout of the source is what makes it readable here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use walkdir::WalkDir;

#[test]
fn the_public_api_is_that_of_the_snapshot() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let exports = Regex::new(r"(?m)((?:^#\[.*\]\n)*)^pub use ((?s).*?);\n").unwrap();
    let (mut api, mut sources) = (BTreeMap::new(), BTreeMap::new());
    for found in exports.captures_iter(&library) {
        let (attributes, path) = (&found[1], found[2].split_whitespace().collect::<String>());
        if attributes.contains("doc(hidden)") {
            continue;
        }
        let (module, names) =
            path.rsplit_once("::").filter(|_| !path.contains('{')).unwrap_or_else(|| {
                path.split_once("::{")
                    .map(|(module, names)| (module, names.trim_end_matches('}')))
                    .unwrap()
            });
        let crate_name = module.split("::").next().unwrap();
        let folder = match crate_name.strip_prefix("rehref_") {
            Some(name) => root.join("crates").join(name).join("src"),
            None => root.join("src").join(crate_name),
        };
        for name in names.split(',').filter(|name| !name.is_empty()) {
            let sources = sources.entry(folder.clone()).or_insert_with(|| files(&folder));
            // Regular expressions are slow in a build for tests.
            let defines = |text: &&str| {
                text.lines().any(|line| {
                    line.contains(name) && (line.starts_with("pub ") || line.starts_with("impl"))
                })
            };
            let sources: Vec<&str> = sources.iter().map(|it| &**it).filter(defines).collect();
            let text = item(&sources, name) + &implementations(&sources, name);
            api.insert(name.to_owned(), format!("{}\n", attributes.to_owned() + &text));
        }
    }
    assert!(api.len() > 50, "{:?}", api.keys());
    insta::assert_snapshot!("public_api", api.into_values().collect::<String>());
}

/// The source files below `folder`, without those of tests and without comments.
fn files(folder: &Path) -> Vec<String> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    let is_test = |path: &PathBuf| {
        path.components().any(|it| {
            let name = it.as_os_str().to_string_lossy();
            name == "tests" || name == "tests.rs" || name.starts_with("fuzzing")
        })
    };
    let files =
        files.filter(move |path| path.extension().is_some_and(|it| it == "rs") && !is_test(path));
    files.map(|path| without_comments(&fs::read_to_string(path).unwrap())).collect()
}

/// The definition of the only public item with this name at the top of a file, without what is private in it.
fn item(sources: &[&str], name: &str) -> String {
    let start = format!(
        r"(?m)((?:^#\[[^\]]*\]\n)*)^pub (?:fn {name}[<(](?s:.*?) \{{|(?:enum|trait) {name}\b(?s:.*?)\n\}}|(struct) {name}\b(?s:.*?)(?:;|\n\}}|\{{\}}))$"
    );
    let start = Regex::new(&start).unwrap();
    let found: Vec<String> = sources
        .iter()
        .flat_map(|text| {
            start.captures_iter(text).map(|it| {
                let is_struct = it.get(2).is_some();
                let lines = it[0].lines().filter(|line| {
                    !is_struct || !line.starts_with("    ") || line.trim_start().starts_with("pub ")
                });
                lines.collect::<Vec<_>>().join("\n") + "\n"
            })
        })
        .collect();
    // A macro makes it of the table of checks.
    assert_eq!(found.len(), usize::from(name != "Check"), "{name}: {found:?}");
    found.into_iter().collect()
}

/// The headers of the implementations for this name, and of its own ones the public functions and constants, but for those
/// that only the crates of the house call (`doc(hidden)`).
fn implementations(sources: &[&str], name: &str) -> String {
    let block = format!(
        r"(?m)^(?:#\[.*\]\n)*impl(?:<[^\n]*?>)? (?:[^\n{{]* for )?&?(?:'a )?{name}\b(?s:[^{{]*?)\{{(?:\}}|\n(?s:.*?)\n\}})$"
    );
    let block = Regex::new(&block).unwrap();
    let function =
        r"(?m)((?:^    #\[.*\]\n)*)(^    pub (?:(?:const )?fn (?s:.*?) \{$|const \w+: \w+ =))";
    let function = Regex::new(function).unwrap();
    let mut found = String::new();
    for text in sources {
        for it in block.find_iter(text) {
            let (header, body) = it.as_str().split_once('{').unwrap();
            let public = function.captures_iter(body).filter(|it| !it[1].contains("doc(hidden)"));
            let public: Vec<String> = public
                .map(|it| it[2].trim_end_matches([' ', '{', '=']).to_owned() + "\n")
                .collect();
            if header.contains(" for ") || !public.is_empty() {
                found += &format!("{}\n{}", header.trim_end(), public.concat());
            }
        }
    }
    found
}

/// The source without comments and without attributes that make texts.
fn without_comments(text: &str) -> String {
    let mut is_text = false;
    let lines = text.lines().filter(|line| {
        let line = line.trim_start();
        let texts = ["#[error(", "#[source", "#[serde(", "#[must_use"];
        let starts = texts.iter().any(|it| line.starts_with(it));
        let was_text = is_text || starts;
        is_text = was_text && !line.ends_with(']');
        !was_text && !line.starts_with("//")
    });
    lines.map(|line| format!("{line}\n")).collect()
}
