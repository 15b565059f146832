//! The `rehref` command: the exit status, and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rehref::run_command(std::env::args_os()))
}
