//! The commands of the README do what it says.

use std::path::Path;
use std::process::Command;

use crate::support::{TestDir, without_times};

/// The console blocks of the README: a command and the output shown for it.
fn blocks(readme: &str) -> Vec<(&str, String)> {
    readme
        .split("```console\n")
        .skip(1)
        .map(|rest| {
            let block = rest.split("```").next().unwrap();
            let (command, output) = block.split_once('\n').unwrap();
            (command.strip_prefix("$ ").unwrap(), output.to_owned())
        })
        .collect()
}

#[test]
fn commands_print_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let dir = TestDir::new();
    for site in ["sample-site", "public"] {
        let copied = Command::new("cp")
            .arg("-r")
            .arg(root.join("sample-site"))
            .arg(dir.path(site))
            .status();
        assert!(copied.unwrap().success());
    }
    std::fs::create_dir(dir.path("target")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_rehref"));
    let path = std::env::join_paths(
        std::iter::once(binary.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut checked = 0;
    for (command, expected) in blocks(&readme) {
        let command = command.replace("cargo run --release -- ", "rehref ");
        if !command.contains("rehref ") {
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(dir.path(""))
            .env("PATH", path.as_ref().unwrap())
            .output()
            .unwrap();
        let shows_errors = expected.starts_with("error: ");
        assert_eq!(output.status.code() == Some(2), shows_errors, "{command}");
        if !expected.is_empty() {
            let found = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(
                without_times(found.trim_end()),
                without_times(expected.trim_end()),
                "{command}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 4);
}
