//! Signals end a run in order.

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

fn site_of(files: usize) -> TestDir {
    let dir = TestDir::new();
    for n in 0..files {
        dir.write(&format!("site/d/{n:04}.html"), b"<a href=../x.html>x</a>\n");
    }
    dir
}

#[test]
fn signals_end_a_run_in_order() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    let dir = site_of(1500);
    for signal in ["-INT", "-TERM"] {
        // The pipe is full and is not read, so the run waits for the signal.
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(["absolute", "site", "--diff", "--url", URL])
            .current_dir(dir.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        let start_up = started.elapsed();
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        // Enough for the process to notice the signal, however slow the machine.
        std::thread::sleep(start_up);
        std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(
            stderr.contains("interrupted after ")
                && stderr.contains(" of 1500 files: nothing was written"),
            "{stderr}"
        );
    }
}
