//! Loads one page, and examines it when it is complete.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::connection::{Event, Incoming};
use super::error::BrowserError;
use super::launch::Browser;
use super::protocol::*;
use super::traffic::{Outcome, ResourceRequest, Traffic};
use super::{HttpResponse, Responder};

/// The width of the window, in pixels of CSS.
const WIDTH: u32 = 1280;
/// The height of the window, in pixels of CSS.
const HEIGHT: u32 = 1024;
/// The height that a picture has at most.
const LARGEST_PICTURE: f64 = 8000.0;

/// How long a page with no request under way must be silent to count as complete.
const QUIET: Duration = Duration::from_millis(400);

/// How long a page that still waits for a request (a stream) must be silent.
const STALLED: Duration = Duration::from_secs(3);

/// The most errors on the console that are kept, and the most characters of each.
const MOST_MESSAGES: usize = 1000;
const LONGEST_MESSAGE: usize = 2000;

/// How much longer than its time limit a page may take to be examined.
const EXAMINATION: Duration = Duration::from_secs(5);

/// Runs before the scripts of every document: random numbers are the same in every load.
const PREPARE: &str = "(() => { let seed = 42; \
    Math.random = () => (seed = seed * 16807 % 2147483647) / 2147483647; })()";

/// Scrolls to the end and back, for content that scripts load when it comes into view.
const SCROLL: &str = "(async () => { \
    const step = innerHeight / 2, end = Math.min(document.documentElement.scrollHeight, 20000); \
    for (let y = step; y < end; y += step) { scrollTo(0, y); await new Promise(f => setTimeout(f, 20)) } \
    scrollTo(0, 0) })()";

/// Counts the pixels in which two pictures differ.
const COMPARE_PICTURES: &str = "(async (...urls) => { \
    const [a, b] = await Promise.all(urls.map(async url => { \
        const image = new Image(); image.src = url; await image.decode(); \
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight), \
            context = canvas.getContext('2d'); \
        context.drawImage(image, 0, 0); \
        return context.getImageData(0, 0, canvas.width, canvas.height) })); \
    if (a.width !== b.width) return a.width * a.height; \
    let count = Math.abs(a.height - b.height) * a.width; \
    for (let i = 0; i < Math.min(a.data.length, b.data.length); i += 4) \
        for (let j = 0; j < 3; j++) if (Math.abs(a.data[i + j] - b.data[i + j]) > 8) { count++; break } \
    return count })";

/// The world of scripts in which pages are examined: it has the page's document, and functions of its own, so that
/// nothing that the page's scripts replaced (`JSON.stringify`, `Array.prototype.toJSON`) is called.
const WORLD: &str = "rehref";

/// The load of a page.
pub struct PageRequest<'r> {
    /// The URL to load.
    pub url: &'r str,
    /// A script that is evaluated in the document of every frame when the page is complete. Its value is
    /// a string.
    pub collect: &'r str,
    /// Whether to take a picture.
    pub picture: bool,
    /// How long the page may take to load.
    pub timeout: Duration,
    /// Once set, the load ends.
    pub cancel: &'r AtomicBool,
}

/// A page that was loaded.
#[derive(Clone, Debug)]
pub struct LoadedPage {
    /// The requests, in their order.
    pub requests: Vec<ResourceRequest>,
    /// Errors on the console, without those about the network, which `requests` has.
    pub messages: Vec<ConsoleError>,
    /// The documents, the page's own first.
    pub frames: Vec<LoadedFrame>,
    /// The picture (PNG).
    pub picture: Option<Vec<u8>>,
}

/// An error on the console.
#[derive(Clone, Debug)]
pub struct ConsoleError {
    /// The message, without the places in scripts.
    pub text: String,
    /// The URLs of the scripts it comes from, the innermost call first.
    pub sources: Vec<String>,
}

impl ConsoleError {
    fn new(text: String, stack: StackTrace, url: String) -> ConsoleError {
        let mut sources = Vec::new();
        stack.add_to(&mut sources);
        add_source(&mut sources, url);
        let text = match text.char_indices().nth(LONGEST_MESSAGE) {
            Some((end, _)) => text.get(..end).unwrap_or_default().to_owned(),
            None => text,
        };
        ConsoleError { text, sources }
    }
}

/// A document of a loaded page.
#[derive(Clone, Debug)]
pub struct LoadedFrame {
    /// The position in the tree of frames: empty for the page itself, `1`, `1.2`.
    pub label: String,
    /// The value of [`PageRequest::collect`].
    pub collected: String,
}

impl Browser {
    /// Loads a page in a profile of its own. `responder` answers its requests for `http:` and `https:`
    /// URLs.
    ///
    /// # Errors
    /// When the page does not load in time, or the browser fails; see
    /// [`BrowserError::ends_browser`].
    pub fn load(
        &mut self,
        request: &PageRequest<'_>,
        responder: &dyn Responder,
    ) -> Result<LoadedPage, BrowserError> {
        self.in_new_context(|browser, context| browser.load_in(context, request, responder))
    }

    /// Calls `work` with a new profile, which ends with it.
    fn in_new_context<T>(
        &mut self,
        work: impl FnOnce(&mut Browser, &str) -> Result<T, BrowserError>,
    ) -> Result<T, BrowserError> {
        let create = CreateContext { dispose_on_detach: true };
        let browser_context_id = self.connection.call(None, &create)?.browser_context_id;
        let result = work(self, &browser_context_id);
        let dispose = DisposeContext { browser_context_id };
        let disposed = self.connection.call(None, &dispose);
        let result = result?;
        disposed?;
        Ok(result)
    }

    fn load_in(
        &mut self,
        context: &str,
        request: &PageRequest<'_>,
        responder: &dyn Responder,
    ) -> Result<LoadedPage, BrowserError> {
        let session = self.new_page(context)?;
        let mut load = Load {
            browser: self,
            responder,
            request,
            deadline: Instant::now() + request.timeout,
            last_activity: Instant::now(),
            is_loaded: false,
            answered: HashSet::new(),
            workers: HashSet::new(),
            scripted: HashMap::new(),
            traffic: Traffic::default(),
            messages: Vec::new(),
            session,
        };
        load.prepare()?;
        load.send(&Navigate { url: request.url.to_owned() })?;
        load.wait(None)?;
        let scroll = load.send(&evaluate(SCROLL, None))?;
        load.wait(Some(scroll))?;
        let frames = load.frames()?;
        let picture = request.picture.then(|| load.picture()).transpose()?;
        Ok(LoadedPage {
            frames,
            picture,
            requests: load.traffic.into_requests(),
            messages: load.messages,
        })
    }

    /// Opens an empty page and returns its session.
    fn new_page(&mut self, context: &str) -> Result<String, BrowserError> {
        let target = CreateTarget { url: "about:blank", browser_context_id: context.to_owned() };
        let target_id = self.connection.call(None, &target)?.target_id;
        let attach = AttachToTarget { target_id, flatten: true };
        Ok(self.connection.call(None, &attach)?.session_id)
    }

    /// The number of pixels in which two pictures (PNG) visibly differ.
    ///
    /// # Errors
    /// When the browser fails.
    pub fn different_pixels(&mut self, before: &[u8], after: &[u8]) -> Result<u64, BrowserError> {
        let url = |picture: &[u8]| format!("'data:image/png;base64,{}'", BASE64.encode(picture));
        let expression = format!("{COMPARE_PICTURES}({}, {})", url(before), url(after));
        let evaluated = self.in_new_context(|browser, context| {
            let session = browser.new_page(context)?;
            let script = evaluate(&expression, None);
            browser.connection.call(Some(&session), &script)
        })?;
        let count = value(evaluated)?;
        count
            .as_u64()
            .ok_or_else(|| BrowserError::Evaluation(format!("{count} is not a number of pixels")))
    }
}

fn evaluate(expression: &str, context_id: Option<u64>) -> Evaluate {
    Evaluate {
        expression: expression.to_owned(),
        context_id,
        return_by_value: true,
        await_promise: true,
    }
}

/// Requests for the network and for files wait for an answer of this program.
fn intercept() -> EnableFetch {
    let patterns =
        ["http://*", "https://*", "file://*"].map(|url_pattern| UrlPattern { url_pattern });
    EnableFetch { patterns: patterns.into() }
}

fn value(evaluated: Evaluated) -> Result<Value, BrowserError> {
    match evaluated.exception_details {
        Some(exception) => Err(BrowserError::Evaluation(exception.shown())),
        None => Ok(evaluated.result.value.unwrap_or_default()),
    }
}

/// A page that is being loaded.
struct Load<'l> {
    browser: &'l mut Browser,
    responder: &'l dyn Responder,
    request: &'l PageRequest<'l>,
    deadline: Instant,
    last_activity: Instant,
    is_loaded: bool,
    /// The commands that were sent without waiting, and are answered.
    answered: HashSet<u64>,
    /// The page's own session.
    session: String,
    /// The sessions of its workers.
    workers: HashSet<String>,
    /// The frames whose documents are this session's, with the contexts of their scripts.
    scripted: HashMap<String, u64>,
    traffic: Traffic,
    messages: Vec<ConsoleError>,
}

impl Load<'_> {
    /// Sends a command to the page, whose scripts may run without end.
    fn call<C: Command>(&mut self, command: &C) -> Result<C::Answer, BrowserError> {
        let left = self.deadline.saturating_duration_since(Instant::now()) + EXAMINATION;
        let connection = &mut self.browser.connection;
        let answer = connection.call_within(left, Some(&self.session), command);
        answer.map_err(|error| match error {
            BrowserError::NoAnswer { .. } => {
                BrowserError::PageTimeout(self.request.timeout.as_secs())
            }
            error => error,
        })
    }

    fn send<C: Command>(&mut self, command: &C) -> Result<u64, BrowserError> {
        self.browser.connection.send(Some(&self.session), command)
    }

    fn prepare(&mut self) -> Result<(), BrowserError> {
        self.call(&EnablePage {})?;
        self.call(&EnableNetwork {})?;
        self.call(&EnableRuntime {})?;
        self.call(&EnableLog {})?;
        // Answers from a worker's cache would hide what the page requests.
        self.call(&BypassServiceWorker { bypass: true })?;
        self.call(&intercept())?;
        self.call(&AutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
        })?;
        self.call(&SetMetrics {
            width: WIDTH,
            height: HEIGHT,
            device_scale_factor: 1.0,
            mobile: false,
        })?;
        self.call(&SetMedia {
            features: vec![MediaFeature { name: "prefers-reduced-motion", value: "reduce" }],
        })?;
        self.call(&AddScript { source: PREPARE })?;
        Ok(())
    }

    /// Waits until the page is complete: it has loaded, the command `until` is answered, and nothing
    /// happens any more.
    fn wait(&mut self, until: Option<u64>) -> Result<(), BrowserError> {
        loop {
            if self.request.cancel.load(Ordering::Relaxed) {
                return Err(BrowserError::Interrupted);
            }
            match self.browser.connection.next() {
                Ok(Some(Incoming::Event(event))) => self.event(event)?,
                Ok(Some(Incoming::Answer(id))) => {
                    self.answered.insert(id);
                }
                Ok(None) => {
                    let is_answered = until.is_none_or(|id| self.answered.contains(&id));
                    let silence = if self.traffic.is_pending() { STALLED } else { QUIET };
                    if self.is_loaded && is_answered && self.last_activity.elapsed() > silence {
                        return Ok(());
                    }
                }
                Err(BrowserError::Disconnected(_))
                    if self.request.cancel.load(Ordering::Relaxed) =>
                {
                    return Err(BrowserError::Interrupted);
                }
                Err(error) => return Err(error),
            }
            if Instant::now() > self.deadline {
                // A page that is never silent is as complete as it gets.
                return if self.is_loaded {
                    Ok(())
                } else {
                    Err(BrowserError::PageTimeout(self.request.timeout.as_secs()))
                };
            }
        }
    }

    fn event(&mut self, event: Event) -> Result<(), BrowserError> {
        let is_own = event.session == self.session;
        if !is_own && !self.workers.contains(&event.session) {
            return Ok(());
        }
        if event.method.starts_with("Network.") || event.method.starts_with("Page.") {
            self.last_activity = Instant::now();
        }
        let session = event.session.clone();
        match event.method.as_str() {
            "Fetch.requestPaused" => self.answer(&session, parse(event)?)?,
            "Network.requestWillBeSent" => self.traffic.will_be_sent(&session, parse(event)?),
            "Network.responseReceived" => self.traffic.response(&session, &parse(event)?),
            "Network.loadingFinished" => {
                let finished: LoadingFinished = parse(event)?;
                self.traffic.finished(&session, &finished.request_id);
            }
            "Network.loadingFailed" => self.traffic.failed(&session, parse(event)?),
            "Network.webSocketCreated" => self.traffic.socket(&session, parse(event)?),
            "Network.webSocketFrameError" => {
                let SocketError { request_id, error_message } = parse(event)?;
                let outcome = Outcome::Failed(error_message);
                self.traffic.ended(&session, Some(&request_id), &outcome);
            }
            "Runtime.exceptionThrown" => {
                let thrown: ExceptionThrown = parse(event)?;
                let details = thrown.exception_details;
                let text = details.shown();
                let error = ConsoleError::new(text, details.stack_trace, details.url);
                self.add_message(error);
            }
            "Runtime.consoleAPICalled" => {
                let called: ConsoleCalled = parse(event)?;
                if matches!(called.kind.as_str(), "error" | "assert") {
                    let arguments: Vec<String> =
                        called.args.iter().map(RemoteObject::shown).collect();
                    let text = arguments.join(" ");
                    let error = ConsoleError::new(text, called.stack_trace, String::new());
                    self.add_message(error);
                }
            }
            "Log.entryAdded" => {
                let EntryAdded { entry } = parse(event)?;
                if entry.level == "error" && entry.source != "network" {
                    let error = ConsoleError::new(entry.text, entry.stack_trace, entry.url);
                    self.add_message(error);
                }
            }
            "Target.attachedToTarget" => self.attached(parse(event)?)?,
            // A worker: nothing answers its requests any more.
            "Target.detachedFromTarget" => {
                let detached: DetachedFromTarget = parse(event)?;
                let session = &detached.session_id;
                self.traffic.ended(session, None, &Outcome::Canceled);
            }
            "Inspector.targetCrashed" if is_own => return Err(BrowserError::PageCrashed),
            "Page.loadEventFired" if is_own => self.is_loaded = true,
            "Page.javascriptDialogOpening" if is_own => {
                self.send(&HandleDialog { accept: true })?;
            }
            "Runtime.executionContextCreated" if is_own => {
                let ContextCreated { context } = parse(event)?;
                if context.aux_data.is_default {
                    self.scripted.insert(context.aux_data.frame_id, context.id);
                }
            }
            "Runtime.executionContextDestroyed" if is_own => {
                let destroyed: ContextDestroyed = parse(event)?;
                self.scripted.retain(|_, id| *id != destroyed.execution_context_id);
            }
            "Runtime.executionContextsCleared" if is_own => self.scripted.clear(),
            _ => {}
        }
        Ok(())
    }

    fn add_message(&mut self, error: ConsoleError) {
        if self.messages.len() < MOST_MESSAGES {
            self.messages.push(error);
        }
    }

    /// Answers a request as the site's server would, or as no network does.
    fn answer(&mut self, session: &str, paused: RequestPaused) -> Result<(), BrowserError> {
        let url = paused.request.url.split('#').next().unwrap_or_default();
        let connection = &mut self.browser.connection;
        match self.responder.respond(url) {
            Some(HttpResponse { status, headers, body }) => {
                let header = |(name, value)| Header { name, value };
                let fulfill = FulfillRequest {
                    request_id: paused.request_id,
                    response_code: status,
                    response_headers: headers.into_iter().map(header).collect(),
                    body: BASE64.encode(&body),
                };
                connection.send(Some(session), &fulfill)?;
            }
            None => {
                let fail = FailRequest {
                    request_id: paused.request_id,
                    error_reason: "InternetDisconnected",
                };
                connection.send(Some(session), &fail)?;
            }
        }
        Ok(())
    }

    /// A worker (or a page that is rendered in advance) has started and waits.
    fn attached(&mut self, attached: AttachedToTarget) -> Result<(), BrowserError> {
        let session = Some(attached.session_id.as_str());
        let connection = &mut self.browser.connection;
        let kind = attached.target_info.kind.as_str();
        if matches!(kind, "worker" | "shared_worker" | "service_worker") {
            connection.send(session, &EnableNetwork {})?;
            connection.send(session, &EnableRuntime {})?;
            // The page does not see the requests of workers that outlive it, not even for their script.
            if kind != "worker" {
                connection.send(session, &intercept())?;
            }
            self.workers.insert(attached.session_id.clone());
        }
        connection.send(session, &Continue {})?;
        Ok(())
    }

    /// Evaluates the script of the request in the document of every frame.
    fn frames(&mut self) -> Result<Vec<LoadedFrame>, BrowserError> {
        let tree = self.call(&GetFrameTree {})?.frame_tree;
        let mut pending = vec![(String::new(), tree)];
        let mut frames = Vec::new();
        while let Some((label, tree)) = pending.pop() {
            if self.scripted.contains_key(&tree.frame.id) {
                let world = self.call(&CreateIsolatedWorld {
                    frame_id: tree.frame.id.clone(),
                    world_name: WORLD,
                })?;
                let script = evaluate(self.request.collect, Some(world.execution_context_id));
                let collected = match value(self.call(&script)?)? {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                frames.push(LoadedFrame { label: label.clone(), collected });
            }
            let children = tree.child_frames.into_iter().enumerate();
            let labelled = children.map(|(at, child)| match label.as_str() {
                "" => (format!("{}", at + 1), child),
                label => (format!("{label}.{}", at + 1), child),
            });
            let mut labelled: Vec<_> = labelled.collect();
            labelled.reverse();
            pending.extend(labelled);
        }
        Ok(frames)
    }

    fn picture(&mut self) -> Result<Vec<u8>, BrowserError> {
        let size = self.call(&GetLayoutMetrics {})?.css_content_size;
        let picture = self.call(&CaptureScreenshot {
            format: "png",
            capture_beyond_viewport: true,
            clip: Clip {
                x: 0.0,
                y: 0.0,
                width: f64::from(WIDTH),
                height: size.height.clamp(f64::from(HEIGHT), LARGEST_PICTURE),
                scale: 1.0,
            },
        })?;
        BASE64
            .decode(picture.data.as_bytes())
            .map_err(|error| BrowserError::Evaluation(format!("the picture: {error}")))
    }
}

fn parse<T: DeserializeOwned>(event: Event) -> Result<T, BrowserError> {
    serde_json::from_value(event.params)
        .map_err(|source| BrowserError::Malformed { method: "an event", source })
}
