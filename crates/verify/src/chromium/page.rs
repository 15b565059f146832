//! Loads one page, and examines it when it is complete.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::connection::{Answer, Message, part};
use super::error::BrowserError;
use super::launch::Browser;
use super::traffic::{Outcome, ResourceRequest, Traffic, sources};
use super::{HttpResponse, Respond};

/// The width of the window, in pixels of CSS.
const WIDTH: u32 = 1280;
/// The height of the window, in pixels of CSS.
const HEIGHT: u32 = 1024;
/// The height that a picture has at most.
const LARGEST_PICTURE: f64 = 8000.0;

/// How often a document that is examined, or a page that is not silent in time, may be replaced by another.
const REPLACED: usize = 3;

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

/// Answers when the page has nothing to do, which silence alone does not say on a busy machine, and no script changes a
/// style any more: a fade of jQuery is examined at its end. A page that is always in motion is not waited for.
const IDLE: &str = "new Promise(f => { \
    const rest = () => { observer.disconnect(); requestIdleCallback(f, { timeout: 1000 }) }; \
    let timer = setTimeout(rest, 100); const limit = setTimeout(rest, 1000); \
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(rest, 100) }); \
    observer.observe(document, { subtree: true, attributeFilter: ['style'] }) })";

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

const TREE: &str = "Page.getFrameTree";
const EVALUATE: &str = "Runtime.evaluate";

/// The world of scripts in which pages are examined: it has the page's document, and functions of its own, so that
/// nothing that the page's scripts replaced (`JSON.stringify`, `Array.prototype.toJSON`) is called.
const WORLD: &str = "rehref";

/// A request to load a page.
pub struct PageRequest<'r> {
    /// The URL to load.
    pub url: &'r str,
    /// A script to evaluate in the document of every frame when the page is complete. Its value must be a
    /// string.
    pub collect: &'r str,
    /// The maximum numbers of links and of toggles to click when the page is complete.
    pub clicks: usize,
    /// True to take a screenshot.
    pub picture: bool,
    /// The time limit for loading the page.
    pub timeout: Duration,
    /// Set to cancel the load.
    pub cancel: &'r AtomicBool,
}

/// A page that was loaded.
#[derive(Clone, Debug)]
pub struct LoadedPage {
    /// The requests of the page, in order.
    pub requests: Vec<ResourceRequest>,
    /// The errors on the console, except those about the network, which are in `requests`.
    pub messages: Vec<ConsoleError>,
    /// The documents of the page: first the page itself and its frames, then the page itself after each click.
    pub frames: Vec<LoadedFrame>,
    /// The screenshot (PNG), if requested.
    pub picture: Option<Vec<u8>>,
    /// The label of the step that did not end in time: empty for the load itself, else the click. The other
    /// fields then describe the page at that time.
    pub unended: Option<String>,
}

/// An error on the console.
#[derive(Clone, Debug)]
pub struct ConsoleError {
    /// The message, without positions in scripts.
    pub text: String,
    /// The URLs of the scripts that caused the error, the innermost call first.
    pub sources: Vec<String>,
}

/// A document of a loaded page.
#[derive(Clone, Debug)]
pub struct LoadedFrame {
    /// The place of the document: `frame 1.2` for a frame, the clicks for a page after clicks, or empty for the
    /// page itself.
    pub label: String,
    /// The value of the script [`PageRequest::collect`].
    pub collected: String,
}

impl Browser {
    /// Loads a page in a profile of its own. `respond` answers its requests for `http:` and `https:`
    /// URLs.
    ///
    /// # Errors
    /// Returns an error if the browser fails; see [`BrowserError::ends_browser`]. A page that does not load in time is
    /// not an error: see [`LoadedPage::unended`].
    pub fn load(
        &mut self,
        request: &PageRequest<'_>,
        respond: &Respond<'_>,
    ) -> Result<LoadedPage, BrowserError> {
        self.in_new_context(|browser, context| browser.load_in(context, request, respond))
    }

    /// Calls `work` with a new profile, which ends with it.
    fn in_new_context<T>(
        &mut self,
        work: impl FnOnce(&mut Browser, &str) -> Result<T, BrowserError>,
    ) -> Result<T, BrowserError> {
        let create = json!({ "disposeOnDetach": true });
        let context = self.connection.call(None, "Target.createBrowserContext", create)?;
        let context: String = context.part("/browserContextId")?;
        let result = work(self, &context);
        let dispose = json!({ "browserContextId": context });
        let disposed = self.connection.call(None, "Target.disposeBrowserContext", dispose);
        let result = result?;
        disposed?;
        Ok(result)
    }

    fn load_in(
        &mut self,
        context: &str,
        request: &PageRequest<'_>,
        respond: &Respond<'_>,
    ) -> Result<LoadedPage, BrowserError> {
        let session = self.new_page(context)?;
        let mut load = Load {
            browser: self,
            respond,
            request,
            deadline: Instant::now() + request.timeout,
            last_activity: Instant::now(),
            is_loaded: false,
            documents: 0,
            answered: HashMap::new(),
            workers: HashSet::new(),
            scripted: HashMap::new(),
            traffic: Traffic::default(),
            messages: Vec::new(),
            session,
            step: String::new(),
            frames: Vec::new(),
            picture: None,
        };
        let unended = match load.examine() {
            Ok(()) => None,
            Err(BrowserError::PageTimeout(_)) => Some(load.step),
            Err(error) => return Err(error),
        };
        Ok(LoadedPage {
            frames: load.frames,
            picture: load.picture,
            requests: load.traffic.into_requests(),
            messages: load.messages,
            unended,
        })
    }

    /// Opens an empty page and returns its session.
    fn new_page(&mut self, context: &str) -> Result<String, BrowserError> {
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = self.connection.call(None, "Target.createTarget", target)?;
        let target: String = target.part("/targetId")?;
        let attach = json!({ "targetId": target, "flatten": true });
        self.connection.call(None, "Target.attachToTarget", attach)?.part("/sessionId")
    }

    /// Returns the number of pixels in which two pictures (PNG) visibly differ.
    ///
    /// # Errors
    /// Returns an error if the browser fails.
    pub fn different_pixels(&mut self, before: &[u8], after: &[u8]) -> Result<u64, BrowserError> {
        let url = |picture: &[u8]| format!("'data:image/png;base64,{}'", BASE64.encode(picture));
        let expression = format!("{COMPARE_PICTURES}({}, {})", url(before), url(after));
        let evaluated = self.in_new_context(|browser, context| {
            let session = browser.new_page(context)?;
            let script = evaluation(&expression);
            browser.connection.call(Some(&session), EVALUATE, script)
        })?;
        let count = value(|pointer| evaluated.part(pointer))?;
        count
            .as_u64()
            .ok_or_else(|| BrowserError::Evaluation(format!("{count} is not a number of pixels")))
    }
}

fn evaluation(expression: &str) -> Value {
    json!({ "expression": expression, "returnByValue": true, "awaitPromise": true })
}

/// Requests for the network and for files wait for an answer of this program.
fn intercept() -> Value {
    let patterns =
        ["http://*", "https://*", "file://*"].map(|pattern| json!({ "urlPattern": pattern }));
    json!({ "patterns": patterns })
}

/// The value of an expression.
fn value(part: impl Fn(&str) -> Result<Value, BrowserError>) -> Result<Value, BrowserError> {
    match part("/exceptionDetails")? {
        Value::Null => part("/result/value"),
        exception => Err(BrowserError::Evaluation(shown_exception(&exception))),
    }
}

/// A page that is being loaded.
pub(super) struct Load<'l> {
    browser: &'l mut Browser,
    respond: &'l Respond<'l>,
    pub(super) request: &'l PageRequest<'l>,
    pub(super) deadline: Instant,
    pub(super) last_activity: Instant,
    is_loaded: bool,
    /// The number of documents that this step showed one after the other.
    pub(super) documents: usize,
    /// The answers to commands that were sent without waiting.
    answered: HashMap<u64, Value>,
    /// The page's own session.
    session: String,
    /// The sessions of its workers.
    workers: HashSet<String>,
    /// The frames whose documents are this session's, with the contexts of their scripts.
    scripted: HashMap<String, u64>,
    traffic: Traffic,
    messages: Vec<ConsoleError>,
    /// See [`LoadedPage::unended`].
    pub(super) step: String,
    pub(super) frames: Vec<LoadedFrame>,
    picture: Option<Vec<u8>>,
}

impl Load<'_> {
    /// Loads the page, collects its documents, and clicks.
    fn examine(&mut self) -> Result<(), BrowserError> {
        self.prepare()?;
        self.send("Page.navigate", json!({ "url": self.request.url }))?;
        self.wait(None)?;
        let scroll = self.send(EVALUATE, evaluation(SCROLL))?;
        let is_complete = self.wait(Some(scroll))?;
        self.collect_frames()?;
        if self.request.picture {
            self.picture = Some(self.take_picture()?);
        }
        // A page that is never silent would differ from click to click.
        if is_complete { self.clicks(self.request.clicks) } else { Ok(()) }
    }

    /// Sends a command to the page, whose scripts may run without end.
    fn call(&mut self, method: &'static str, params: Value) -> Result<Answer, BrowserError> {
        let left = self.deadline.saturating_duration_since(Instant::now()) + EXAMINATION;
        let connection = &mut self.browser.connection;
        let answer = connection.call_within(left, Some(&self.session), method, params);
        answer.map_err(|error| match error {
            BrowserError::NoAnswer { .. } => self.timeout(),
            error => error,
        })
    }

    fn send(&mut self, method: &'static str, params: Value) -> Result<u64, BrowserError> {
        self.browser.connection.send(Some(&self.session), method, params)
    }

    fn prepare(&mut self) -> Result<(), BrowserError> {
        let auto_attach =
            json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        let metrics =
            json!({ "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1.0, "mobile": false });
        let reduced_motion = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Network.enable", json!({})),
            ("Runtime.enable", json!({})),
            ("Log.enable", json!({})),
            // Answers from a worker's cache would hide what the page requests.
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            ("Fetch.enable", intercept()),
            ("Target.setAutoAttach", auto_attach),
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setEmulatedMedia", json!({ "features": reduced_motion })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PREPARE })),
        ] {
            self.call(method, params)?;
        }
        Ok(())
    }

    /// Waits until the page is complete: it has loaded, the command `until` is answered, nothing happens
    /// any more, and no script has anything to do. Returns whether it is, or the time is over.
    pub(super) fn wait(&mut self, until: Option<u64>) -> Result<bool, BrowserError> {
        let mut idle = None;
        loop {
            let is_quiet = !self.receive()?;
            let is_answered = until.is_none_or(|id| self.answered.contains_key(&id));
            let silence = if self.traffic.is_pending() { STALLED } else { QUIET };
            let is_silent = self.is_loaded && is_answered && self.last_activity.elapsed() > silence;
            if is_quiet && is_silent {
                match idle {
                    Some((id, since)) if since == self.last_activity => {
                        if self.answered.contains_key(&id) {
                            return Ok(true);
                        }
                    }
                    _ => {
                        let asked = self.send(EVALUATE, evaluation(IDLE))?;
                        idle = Some((asked, self.last_activity));
                    }
                }
            }
            if Instant::now() > self.deadline {
                // A page that is never silent is as complete as it gets, unless it loads itself again and again.
                let is_there = self.is_loaded && self.documents <= REPLACED;
                return if is_there { Ok(false) } else { Err(self.timeout()) };
            }
        }
    }

    /// Handles a message. Returns false if there is none for this page: the other side of the comparison shares the browser,
    /// and may never be silent.
    fn receive(&mut self) -> Result<bool, BrowserError> {
        let is_cancelled = || self.request.cancel.load(Ordering::Relaxed);
        if is_cancelled() {
            return Err(BrowserError::Interrupted);
        }
        match self.browser.connection.next() {
            Ok(Some(message))
                if message.session != self.session && !self.workers.contains(&message.session) =>
            {
                return Ok(false);
            }
            Ok(Some(Message { id: Some(id), result, .. })) => {
                self.answered.insert(id, result);
            }
            Ok(Some(message)) => self.event(&message)?,
            Ok(None) => return Ok(false),
            Err(BrowserError::Disconnected(_)) if is_cancelled() => {
                return Err(BrowserError::Interrupted);
            }
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn timeout(&self) -> BrowserError {
        BrowserError::PageTimeout(self.request.timeout.as_secs())
    }

    fn event(&mut self, event: &Message) -> Result<(), BrowserError> {
        let is_own = event.session == self.session;
        if event.method.starts_with("Network.") || event.method.starts_with("Page.") {
            self.last_activity = Instant::now();
        }
        match event.method.as_str() {
            "Fetch.requestPaused" => self.answer(event)?,
            "Network.requestWillBeSent" => self.traffic.will_be_sent(event)?,
            "Network.responseReceived" => self.traffic.response(event)?,
            "Network.loadingFinished" => self.traffic.ended(event, Outcome::Loaded)?,
            "Network.loadingFailed" => self.traffic.failed(event)?,
            "Network.webSocketCreated" => self.traffic.socket(event)?,
            "Network.webSocketFrameError" => {
                let outcome = Outcome::Failed(event.text("/errorMessage"));
                self.traffic.ended(event, outcome)?;
            }
            "Runtime.exceptionThrown" => {
                let text = shown_exception(&event.part("/exceptionDetails")?);
                self.add_message(event, &text, "/exceptionDetails");
            }
            "Runtime.consoleAPICalled" if matches!(&*event.text("/type"), "error" | "assert") => {
                let arguments: Vec<Value> = event.part("/args")?;
                let arguments: Vec<String> = arguments.iter().map(shown).collect();
                self.add_message(event, &arguments.join(" "), "");
            }
            "Log.entryAdded"
                if event.text("/entry/level") == "error"
                    && event.text("/entry/source") != "network" =>
            {
                self.add_message(event, &event.text("/entry/text"), "/entry");
            }
            "Target.attachedToTarget" => self.attached(event)?,
            // A worker: nothing answers its requests any more.
            "Target.detachedFromTarget" => {
                self.traffic.canceled(&event.part::<String>("/sessionId")?);
            }
            "Inspector.targetCrashed" if is_own => return Err(BrowserError::PageCrashed),
            "Page.frameNavigated" if is_own && event.text("/frame/parentId").is_empty() => {
                self.documents += 1;
            }
            "Page.loadEventFired" if is_own => self.is_loaded = true,
            "Page.javascriptDialogOpening" if is_own => {
                self.send("Page.handleJavaScriptDialog", json!({ "accept": true }))?;
            }
            "Runtime.executionContextCreated" if is_own => {
                let id = event.part("/context/id")?;
                if event.part("/context/auxData/isDefault").unwrap_or_default() {
                    self.scripted.insert(event.text("/context/auxData/frameId"), id);
                }
            }
            "Runtime.executionContextDestroyed" if is_own => {
                let destroyed: u64 = event.part("/executionContextId")?;
                self.scripted.retain(|_, id| *id != destroyed);
            }
            "Runtime.executionContextsCleared" if is_own => self.scripted.clear(),
            _ => {}
        }
        Ok(())
    }

    /// Keeps an error on the console. `details` is the pointer to its stack and URL in `event`.
    fn add_message(&mut self, event: &Message, text: &str, details: &str) {
        if self.messages.len() < MOST_MESSAGES {
            let text = text.chars().take(LONGEST_MESSAGE).collect();
            let stack = format!("{details}/stackTrace");
            let sources = sources(event, &stack, &format!("{details}/url"));
            self.messages.push(ConsoleError { text, sources });
        }
    }

    /// Answers a request as the site's server would, or as no network does.
    fn answer(&mut self, paused: &Message) -> Result<(), BrowserError> {
        let request_id: String = paused.part("/requestId")?;
        let url: String = paused.part("/request/url")?;
        let response = (self.respond)(url.split('#').next().unwrap_or_default());
        // Documents are sent, so that they are shown, whatever the browser makes of their names.
        let is_document = paused.text("/resourceType") == "Document";
        let (method, params) = match response {
            Some(HttpResponse { is_on_disk: true, .. }) if !is_document => {
                ("Fetch.continueRequest", json!({ "requestId": request_id }))
            }
            Some(HttpResponse { status, header: (name, value), body, .. }) => {
                let mut fulfill = json!({
                    "requestId": request_id,
                    "responseCode": status,
                    "responseHeaders": [{ "name": name, "value": value }],
                });
                // `json!` would copy it.
                fulfill["body"] = BASE64.encode(&body).into();
                ("Fetch.fulfillRequest", fulfill)
            }
            None => {
                let reason = "InternetDisconnected";
                let fail = json!({ "requestId": request_id, "errorReason": reason });
                ("Fetch.failRequest", fail)
            }
        };
        self.browser.connection.send(Some(&paused.session), method, params)?;
        Ok(())
    }

    /// A worker (or a page that is rendered in advance) has started and waits.
    fn attached(&mut self, event: &Message) -> Result<(), BrowserError> {
        let session: String = event.part("/sessionId")?;
        let kind: String = event.part("/targetInfo/type")?;
        let connection = &mut self.browser.connection;
        let mut send = |method, params| connection.send(Some(&session), method, params);
        if matches!(&*kind, "worker" | "shared_worker" | "service_worker") {
            send("Network.enable", json!({}))?;
            send("Runtime.enable", json!({}))?;
            // The page does not see the requests of workers that outlive it, not even for their script.
            if kind != "worker" {
                send("Fetch.enable", intercept())?;
            }
            self.workers.insert(session.clone());
        }
        send("Runtime.runIfWaitingForDebugger", json!({}))?;
        Ok(())
    }

    /// Evaluates the script of the request in the document of every frame.
    fn collect_frames(&mut self) -> Result<(), BrowserError> {
        let tree: Value = self.call(TREE, json!({}))?.part("/frameTree")?;
        let mut pending = vec![(String::new(), &tree)];
        while let Some((label, tree)) = pending.pop() {
            let frame: String = part(TREE, tree, "/frame/id")?;
            let children = tree.get("childFrames").and_then(Value::as_array);
            let dot = if label.is_empty() { "" } else { "." };
            let labelled = children.map_or(&[][..], Vec::as_slice).iter().enumerate().rev();
            pending.extend(labelled.map(|(at, child)| (format!("{label}{dot}{}", at + 1), child)));
            if self.scripted.contains_key(&frame) {
                let label = if label.is_empty() { label } else { format!("frame {label}") };
                self.collect(&frame, label)?;
            }
        }
        Ok(())
    }

    /// Returns the frame of the page itself, if it has a document with scripts.
    pub(super) fn main_frame(&mut self) -> Result<Option<String>, BrowserError> {
        let frame: String = self.call(TREE, json!({}))?.part("/frameTree/frame/id")?;
        Ok(self.scripted.contains_key(&frame).then_some(frame))
    }

    /// Evaluates the script of the request in the document of a frame.
    pub(super) fn collect(&mut self, frame: &str, label: String) -> Result<(), BrowserError> {
        let mut value = self.evaluate(frame, self.request.collect)?;
        // Another document took the place of this one meanwhile.
        for _ in 0..REPLACED {
            if !value.is_null() {
                break;
            }
            self.wait(None)?;
            value = self.evaluate(frame, self.request.collect)?;
        }
        let collected = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        self.frames.push(LoadedFrame { label, collected });
        Ok(())
    }

    /// Returns the value of a script in the document of a frame. Requests are answered meanwhile: the page may wait
    /// for one.
    pub(super) fn evaluate(&mut self, frame: &str, script: &str) -> Result<Value, BrowserError> {
        let world = json!({ "frameId": frame, "worldName": WORLD });
        let world = self.call("Page.createIsolatedWorld", world)?;
        let mut script = evaluation(script);
        script["contextId"] = world.part::<u64>("/executionContextId")?.into();
        let id = self.send(EVALUATE, script)?;
        while !self.answered.contains_key(&id) {
            self.receive()?;
            if Instant::now() > self.deadline + EXAMINATION {
                return Err(self.timeout());
            }
        }
        let result = self.answered.remove(&id).unwrap_or_default();
        value(|pointer| part(EVALUATE, &result, pointer))
    }

    fn take_picture(&mut self) -> Result<Vec<u8>, BrowserError> {
        let metrics = self.call("Page.getLayoutMetrics", json!({}))?;
        let height: f64 = metrics.part("/cssContentSize/height")?;
        let height = height.clamp(f64::from(HEIGHT), LARGEST_PICTURE);
        let clip = json!({ "x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1 });
        let capture = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let picture: String = self.call("Page.captureScreenshot", capture)?.part("/data")?;
        BASE64
            .decode(picture.as_bytes())
            .map_err(|error| BrowserError::Evaluation(format!("the picture: {error}")))
    }
}

/// A value of a script, as a console shows it.
fn shown(object: &Value) -> String {
    let value = object.get("value").filter(|value| !value.is_null());
    let description = object.get("description").and_then(Value::as_str);
    match (value, description) {
        (Some(Value::String(text)), _) => text.clone(),
        (_, Some(description)) => description.to_owned(),
        (Some(value), None) => value.to_string(),
        (None, None) => "undefined".to_owned(),
    }
}

/// The message of an exception, without the stack, whose places change with the length of a URL.
fn shown_exception(details: &Value) -> String {
    let text = details.get("text").and_then(Value::as_str).unwrap_or_default();
    let message = details.get("exception").map(shown).unwrap_or_default();
    let first = message.lines().next().unwrap_or_default();
    format!("{text} {first}").trim().to_owned()
}
