//! A tree with very many projects of generators takes memory in proportion to its files.

use std::process::Command;

use crate::support::TestDir;

#[test]
#[cfg(target_os = "linux")]
fn memory_is_in_proportion_to_the_files() {
    let dir = TestDir::new();
    // Each with an index of the whole tree took 0.9 GB for the audit, and 2.7 GB for the move.
    for number in 0..1000 {
        let project = format!("site/p{number}");
        dir.write(&format!("{project}/mkdocs.yml"), b"site_name: x\n");
        dir.write(&format!("{project}/docs/index.md"), b"[a](a.md) [b](b.md)\n");
        dir.write(&format!("{project}/docs/a.md"), b"[a](index.md)\n");
    }
    for (arguments, expected) in [
        (["audit", "site", "--only", "broken", "-q"], "1,000 errors from 1 cause"),
        (["move", "site", "p5/docs/a.md=p5/docs/c.md", "-n", "-q"], "p5/docs/index.md: 1 link"),
    ] {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -v 500000; exec \"$0\" \"$@\" --jobs 2"]);
        limited.arg(env!("CARGO_BIN_EXE_rehref")).args(arguments).current_dir(dir.path(""));
        let output = limited.output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
}
