//! Finds and starts the program.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::connection::Connection;
use super::error::BrowserError;
use super::protocol::{CloseBrowser, GetVersion};

/// Names of the program, in the order in which they are looked for in `PATH`.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome.exe",
];

/// Places outside of `PATH` where installers put the program.
const PLACES: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];

/// How long the program may take to open its DevTools port.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How long it may take to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The file of a profile that names the DevTools port, and the path of the browser's WebSocket.
const PORT_FILE: &str = "DevToolsActivePort";

/// Arguments for every start: no window, no network, no errands of its own, and the same pictures on
/// every machine.
#[rustfmt::skip]
const ARGUMENTS: &[&str] = &[
    "--headless",
    "--remote-debugging-port=0",
    // Requests that nobody answers for the network, if there are any, find no host.
    "--host-resolver-rules=MAP * ~NOTFOUND",
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
const NO_SANDBOX: &[&str] = &[
    "no-sandbox",
    "sandbox_host",
    "No usable sandbox",
    "zygote_host",
];

/// A running browser. The process ends when the last connection to it is dropped.
pub struct Browser {
    pub(super) connection: Connection,
    process: Arc<Process>,
    version: String,
}

/// The process of a browser.
struct Process {
    child: Mutex<Child>,
    /// The DevTools port, and the path of the browser's WebSocket.
    address: (u16, String),
    /// Holds the profile; removed after the process.
    _profile: TempDir,
}

impl Browser {
    /// Finds the program: `given`, a path or a name in `PATH`, or else the first known name.
    ///
    /// # Errors
    /// When none is installed.
    pub fn find(given: Option<&Path>) -> Result<PathBuf, BrowserError> {
        if let Some(given) = given {
            return Ok(in_path(given).unwrap_or_else(|| given.to_owned()));
        }
        let names = NAMES.iter().filter_map(|name| in_path(Path::new(name)));
        let places = PLACES.iter().map(PathBuf::from).filter(|it| it.is_file());
        names.chain(places).next().ok_or(BrowserError::NotFound {
            names: NAMES.to_vec(),
        })
    }

    /// Starts `program`. Where its sandbox is not available (as root, in containers), it runs without:
    /// it loads the user's own pages, and nothing from the network.
    ///
    /// # Errors
    /// When it cannot be started, or is not a Chromium.
    pub fn start(program: &Path) -> Result<Browser, BrowserError> {
        match start(program, &[]) {
            Err(BrowserError::NotReady { output, .. })
                if NO_SANDBOX.iter().any(|text| output.contains(text)) =>
            {
                start(program, &["--no-sandbox"])
            }
            started => started,
        }
    }

    /// Another connection to the same process, for another thread.
    ///
    /// # Errors
    /// When the process has ended.
    pub fn connect_again(&self) -> Result<Browser, BrowserError> {
        let (port, path) = &self.process.address;
        Ok(Browser {
            connection: Connection::open(*port, path)?,
            process: Arc::clone(&self.process),
            version: self.version.clone(),
        })
    }

    /// The name and version: `Chrome/140.0.7339.80`.
    pub fn version(&self) -> &str {
        &self.version
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if Arc::strong_count(&self.process) == 1 {
            let _ = self.connection.send(None, &CloseBrowser {});
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + CLOSE_TIMEOUT;
        while Instant::now() < deadline {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// The executable `name` of `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() != 1 {
        return None;
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn start(program: &Path, more: &[&str]) -> Result<Browser, BrowserError> {
    let profile = tempfile::Builder::new()
        .prefix("rehref-browser-")
        .tempdir()
        .map_err(BrowserError::Profile)?;
    let log = profile.path().join("output.log");
    let output = fs::File::create(&log).map_err(BrowserError::Profile)?;
    let mut process = Command::new(program)
        .args(ARGUMENTS)
        .args(more)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("about:blank")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(output)
        .spawn()
        .map_err(|source| BrowserError::Start {
            program: program.to_owned(),
            source,
        })?;
    match connect(&mut process, profile.path()) {
        Ok((connection, address, version)) => Ok(Browser {
            connection,
            process: Arc::new(Process {
                child: Mutex::new(process),
                address,
                _profile: profile,
            }),
            version,
        }),
        Err(Unready::Connection(error)) => {
            let _ = process.kill();
            let _ = process.wait();
            Err(error)
        }
        Err(Unready::Process(what)) => {
            let _ = process.kill();
            let _ = process.wait();
            Err(BrowserError::NotReady {
                program: program.to_owned(),
                what,
                output: last_lines(&fs::read(&log).unwrap_or_default()),
            })
        }
    }
}

/// Why a started process cannot be used.
enum Unready {
    /// It ended, or opened no port.
    Process(String),
    /// The connection to it failed.
    Connection(BrowserError),
}

/// The connection to a process that was just started, its address, and the version of the browser.
type Connected = (Connection, (u16, String), String);

fn connect(process: &mut Child, profile: &Path) -> Result<Connected, Unready> {
    let deadline = Instant::now() + START_TIMEOUT;
    let (port, path) = loop {
        if let Some(address) = address(profile) {
            break address;
        }
        match process.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => return Err(Unready::Process(format!("ended ({status})"))),
            Err(error) => return Err(Unready::Process(format!("is gone ({error})"))),
        }
        if Instant::now() > deadline {
            let seconds = START_TIMEOUT.as_secs();
            return Err(Unready::Process(format!(
                "opened no DevTools port in {seconds} s"
            )));
        }
        thread::sleep(Duration::from_millis(10));
    };
    let mut connection = Connection::open(port, &path).map_err(Unready::Connection)?;
    let version = connection.call(None, &GetVersion {});
    let version = version.map_err(Unready::Connection)?.product;
    Ok((connection, (port, path), version))
}

/// The port and path in the profile's port file, once it is complete.
fn address(profile: &Path) -> Option<(u16, String)> {
    let text = fs::read_to_string(profile.join(PORT_FILE)).ok()?;
    let (port, path) = text.split_once('\n')?;
    let path = path.trim_end();
    (!path.is_empty()).then_some(())?;
    Some((port.trim().parse().ok()?, path.to_owned()))
}

/// The last lines of what the program printed, without the noise of its services.
fn last_lines(output: &[u8]) -> String {
    const LINES: usize = 5;
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("dbus/"))
        .collect();
    let start = lines.len().saturating_sub(LINES);
    lines.get(start..).unwrap_or_default().join("\n")
}
