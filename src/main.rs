//! The `rehref` command: the exit status, and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    rehref::run_command()
}
