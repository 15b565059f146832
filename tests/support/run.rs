//! Runs of the binary.

#![allow(dead_code, unreachable_pub)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::support::TestDir;

impl TestDir {
    /// `rehref` with these arguments, run in the directory.
    pub fn rehref(&self, arguments: &[&str]) -> Run {
        self.rehref_in("", arguments)
    }

    /// `rehref` with these arguments, run in a folder of the directory.
    pub fn rehref_in(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.args(arguments).current_dir(self.path(folder));
        Run { output: command.stdin(Stdio::null()).output().unwrap() }
    }

    /// Runs git as its user does, in a folder of the directory; returns what it prints. `None` if there is no git.
    #[track_caller]
    pub fn git(&self, folder: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@e.org"])
            .args(arguments)
            .current_dir(self.path(folder))
            .env("GIT_CEILING_DIRECTORIES", self.path("..").canonicalize().unwrap())
            .output()
            .ok()?;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        Some(String::from_utf8(output.stdout).unwrap())
    }

    pub fn rehref_with_stdin(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(arguments)
            .current_dir(self.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A run may end before it has read all.
            scope.spawn(move || input.write_all(stdin));
            child.wait_with_output().unwrap()
        });
        Run { output }
    }
}

/// A finished run of the binary.
pub struct Run {
    output: Output,
}

impl Run {
    /// Asserts the exit status.
    #[track_caller]
    pub fn status(self, expected: i32) -> Run {
        assert_eq!(
            self.output.status.code(),
            Some(expected),
            "stdout:\n{}stderr:\n{}",
            self.stdout(),
            self.stderr()
        );
        self
    }

    /// The exit status.
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn stdout_bytes(&self) -> &[u8] {
        &self.output.stdout
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }
}
