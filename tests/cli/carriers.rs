//! Every carrier as a folder: `in/` goes in, `cmd` is run, `out/` must come out, and running it on
//! that changes nothing more. `INSTA_UPDATE=always` writes `out/`. The fuzzers start from these files, too.

use std::fs;

use crate::support::{TestDir, assert_same_trees, copy_tree, root, updates};

#[test]
fn folders() {
    let folders = fs::read_dir(root().join("tests/carriers")).unwrap();
    for folder in folders.map(|entry| entry.unwrap().path()) {
        let (dir, expected) = (TestDir::new(), folder.join("out"));
        copy_tree(&folder.join("in"), &dir.path("in"));
        let command = fs::read_to_string(folder.join("cmd")).unwrap();
        let arguments: Vec<&str> = command.split_whitespace().collect();
        dir.rehref(&arguments).status(0);
        if updates() {
            let _ = fs::remove_dir_all(&expected);
            copy_tree(&dir.path("out"), &expected);
        }
        assert_same_trees(&dir.path("out"), &expected);
        // A second run changes nothing.
        fs::remove_dir_all(dir.path("in")).unwrap();
        fs::rename(dir.path("out"), dir.path("in")).unwrap();
        dir.rehref(&arguments).status(0);
        assert_same_trees(&dir.path("out"), &expected);
    }
}
