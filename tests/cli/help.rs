//! The help, with its line breaks; `docs::reference` has its words for every command.

use crate::support::TestDir;

#[test]
fn help() {
    for command in ["", "absolute", "audit", "base", "links", "move", "relative", "resolve"] {
        let arguments = [command, "--help"];
        let arguments = if command.is_empty() { &arguments[1..] } else { &arguments };
        let help = TestDir::new().rehref(arguments).status(0).stdout();
        insta::assert_snapshot!(format!("help_{command}"), help);
    }
}
