//! Finds and starts the program.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::connection::Connection;
use super::error::BrowserError;
use crate::process::{in_own_group, is_running, kill, kill_group};

/// Names of the program, in the order in which they are looked for in `PATH`.
const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Places outside of `PATH` where installers put the program.
const PLACES: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// How long the program may take to answer its first command.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How long it may take to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// A script for the shell: runs a program which has the shell's stdin and stdout as the descriptors 3
/// and 4, where Chromium reads commands and writes answers.
const WITH_PIPES: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// Arguments for every start: no window, no network, no errands of its own, and the same pictures on
/// every machine.
#[rustfmt::skip]
const ARGUMENTS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // What nobody answers for the network (sockets, connections made in advance) goes to a proxy that has no address;
    // what no proxy carries (the datagrams of WebRTC) is not sent.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://proxy.invalid", "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--disable-quic", "--no-first-run",
    "--no-default-browser-check", "--disable-breakpad", "--disable-domain-reliability",
    "--disable-client-side-phishing-detection", "--metrics-recording-only",
    "--password-store=basic", "--use-mock-keychain",
    // All frames of a page in one process, which one session sees.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,HttpsUpgrades,HttpsFirstBalancedMode,\
     HttpsFirstBalancedModeAutoEnable,Translate,OptimizationHints,MediaRouter,LazyImageLoading,\
     LazyFrameLoading,PaintHolding",
    "--blink-settings=lazyLoadEnabled=false",
    "--disable-gpu", "--mute-audio", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--force-color-profile=srgb", "--font-render-hinting=none", "--disable-lcd-text",
    "--window-size=1280,1024", "--autoplay-policy=no-user-gesture-required",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--disable-dev-shm-usage", "--lang=en-US",
];

/// Texts by which Chromium says that it cannot start with its sandbox: as root, and where the system
/// gives no name spaces.
const NO_SANDBOX: &[&str] = &["no-sandbox", "sandbox_host", "No usable sandbox", "zygote_host"];

/// A running browser. The process ends when the last connection to it is dropped.
pub struct Browser {
    pub(super) connection: Connection,
    process: Arc<Process>,
    /// The name and version: `Chrome/140.0.7339.80`.
    pub(crate) version: String,
    /// True if pages run in a sandbox.
    pub(crate) has_sandbox: bool,
}

/// The process of a browser.
struct Process {
    child: Mutex<Child>,
    /// The directory of the profile; removed after the process.
    profile: TempDir,
}

/// The ids of processes, with the directories of their profiles.
type Started = Vec<(u32, PathBuf)>;

/// All browsers that were started; `None` once no more may be started.
static STARTED: Mutex<Option<Started>> = Mutex::new(Some(Vec::new()));

/// Ends all browsers and removes their profiles. Call this before the process exits without dropping the
/// browsers, or while another thread still drops them.
pub fn end_all() {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    for (process, profile) in started.take().iter().flatten() {
        kill_group(*process);
        remove_profile(profile);
    }
}

/// How often the directory of a profile is looked for in vain before it counts as gone.
const ABSENCES: usize = 5;

/// Removes the directory of a browser that has ended: a process of a page may have begun a write before it was killed.
fn remove_profile(profile: &Path) {
    let deadline = Instant::now() + CLOSE_TIMEOUT;
    let mut absences = 0;
    while absences < ABSENCES && Instant::now() < deadline {
        absences += 1;
        if profile.exists() {
            let _ = fs::remove_dir_all(profile);
            absences = 0;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

impl Process {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Browser {
    /// Finds the browser: `given`, a path or a name in `PATH`, or else the first known name that is installed.
    ///
    /// # Errors
    /// Returns an error if none is installed, `given` is not a program, or the system gives browsers no pipes.
    pub fn find(given: Option<&Path>) -> Result<PathBuf, BrowserError> {
        if cfg!(windows) {
            return Err(BrowserError::Unsupported);
        }
        if let Some(given) = given {
            let program = in_path(given).unwrap_or_else(|| given.to_owned());
            return match fs::metadata(&program) {
                Ok(_) => Ok(program),
                Err(source) => Err(BrowserError::Start { program, source }),
            };
        }
        let names = NAMES.iter().filter_map(|name| in_path(Path::new(name)));
        let places = PLACES.iter().map(PathBuf::from).filter(|it| it.is_file());
        names.chain(places).next().ok_or(BrowserError::NotFound { names: NAMES.to_vec() })
    }

    /// Starts the browser `program`. If its sandbox is not available (as root, in containers), starts it
    /// without the sandbox, but only if `may_lack_sandbox`: a malicious page may then get the rights of the
    /// user.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, or is not a Chromium.
    pub fn start(program: &Path, may_lack_sandbox: bool) -> Result<Browser, BrowserError> {
        match start(program, &[]) {
            Err(BrowserError::NotReady { output, .. })
                if NO_SANDBOX.iter().any(|text| output.contains(text)) =>
            {
                if !may_lack_sandbox {
                    return Err(BrowserError::NoSandbox(program.to_owned()));
                }
                let mut browser = start(program, &["--no-sandbox"])?;
                browser.has_sandbox = false;
                Ok(browser)
            }
            started => started,
        }
    }

    /// Returns another connection to the same process, for another thread.
    pub fn another(&self) -> Browser {
        Browser {
            connection: self.connection.another(),
            process: Arc::clone(&self.process),
            version: self.version.clone(),
            has_sandbox: self.has_sandbox,
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if Arc::strong_count(&self.process) == 1 {
            let _ = self.connection.send(None, "Browser.close", json!({}));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        end(child.unwrap_or_else(PoisonError::into_inner));
        remove_profile(self.profile.path());
    }
}

/// The executable `name` of `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() != 1 {
        return None;
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn start(program: &Path, more: &[&str]) -> Result<Browser, BrowserError> {
    let start_error = |source| BrowserError::Start { program: program.to_owned(), source };
    // The shell would say so in words of its own.
    fs::metadata(program).map_err(start_error)?;
    // Until the browser is in the list: one that is started now must not outlive `end_all`.
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(list) = &mut *started else { return Err(BrowserError::Interrupted) };
    let profile = tempfile::Builder::new()
        .prefix("rehref-browser-")
        .tempdir()
        .map_err(BrowserError::Profile)?;
    let log = profile.path().join("output.log");
    let output = fs::File::create(&log).map_err(BrowserError::Profile)?;
    let mut child = in_own_group(&mut Command::new("sh"))
        .args(["-c", WITH_PIPES, "sh"])
        .arg(program)
        .args(ARGUMENTS)
        .args(more)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("about:blank")
        // What it leaves when it is killed goes with the profile.
        .env("TMPDIR", profile.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(output)
        .spawn()
        .map_err(start_error)?;
    let (Some(commands), Some(messages)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(start_error(io::ErrorKind::BrokenPipe.into()));
    };
    let path = profile.path().to_owned();
    list.push((child.id(), path));
    let process = Arc::new(Process { child: Mutex::new(child), profile });
    drop(started);
    let mut connection = Connection::new(commands, messages);
    let answered = connection.call_within(START_TIMEOUT, None, "Browser.getVersion", json!({}));
    let answered = answered.and_then(|answer| answer.part("/product"));
    let what = match answered {
        Ok(version) => return Ok(Browser { connection, process, version, has_sandbox: true }),
        Err(BrowserError::Disconnected(_)) => match end(&mut process.child()) {
            Some(status) => format!("ended ({status})"),
            None => "closed its DevTools pipe".to_owned(),
        },
        Err(error) => {
            kill(&mut process.child());
            let BrowserError::NoAnswer { seconds, .. } = error else { return Err(error) };
            format!("did not answer within {seconds} s")
        }
    };
    Err(BrowserError::NotReady {
        program: program.to_owned(),
        what,
        output: last_lines(&fs::read(&log).unwrap_or_default()),
    })
}

/// Waits for the end of a browser that ends by itself, and ends it otherwise; returns its own status.
fn end(child: &mut Child) -> Option<ExitStatus> {
    let deadline = Instant::now() + CLOSE_TIMEOUT;
    while is_running(child) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    let ends_itself = !is_running(child);
    kill(child);
    child.wait().ok().filter(|_| ends_itself)
}

/// The last lines of what the program printed, without the noise of its services.
fn last_lines(output: &[u8]) -> String {
    const LINES: usize = 5;
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("dbus/")).collect();
    let start = lines.len().saturating_sub(LINES);
    lines.get(start..).unwrap_or_default().join("\n")
}
