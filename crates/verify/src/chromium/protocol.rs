//! The commands and events of the DevTools protocol that are used here, as types.
//!
//! Each command is a line of the table below. Commands and fields are described in the protocol's
//! documentation (<https://chromedevtools.github.io/devtools-protocol/>), there in camel case.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A command and the type of its answer.
pub(super) trait Command: Serialize {
    /// The name: `Page.navigate`.
    const METHOD: &'static str;
    /// The result.
    type Answer: DeserializeOwned;
}

/// The answer of a command that returns nothing of interest.
#[derive(Debug, Deserialize)]
pub(super) struct Done {}

macro_rules! commands {
    ($($method:literal $name:ident { $($field:ident: $type:ty),* } -> $answer:ty;)*) => {$(
        #[doc = concat!("The command `", $method, "`.")]
        #[derive(Debug, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name {
            $(pub(super) $field: $type,)*
        }

        impl Command for $name {
            const METHOD: &'static str = $method;
            type Answer = $answer;
        }
    )*};
}

commands! {
    "Browser.getVersion" GetVersion {} -> Version;
    "Browser.close" CloseBrowser {} -> Done;
    "Target.createBrowserContext" CreateContext { dispose_on_detach: bool } -> Context;
    "Target.disposeBrowserContext" DisposeContext { browser_context_id: String } -> Done;
    "Target.createTarget" CreateTarget { url: &'static str, browser_context_id: String } -> Target;
    "Target.attachToTarget" AttachToTarget { target_id: String, flatten: bool } -> Session;
    "Target.setAutoAttach" AutoAttach {
        auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool
    } -> Done;
    "Runtime.enable" EnableRuntime {} -> Done;
    "Runtime.runIfWaitingForDebugger" Continue {} -> Done;
    "Network.enable" EnableNetwork {} -> Done;
    "Network.setBypassServiceWorker" BypassServiceWorker { bypass: bool } -> Done;
    "Log.enable" EnableLog {} -> Done;
    "Fetch.enable" EnableFetch { patterns: Vec<UrlPattern> } -> Done;
    "Fetch.fulfillRequest" FulfillRequest {
        request_id: String, response_code: u16, response_headers: Vec<Header>, body: String
    } -> Done;
    "Fetch.failRequest" FailRequest { request_id: String, error_reason: &'static str } -> Done;
    "Emulation.setDeviceMetricsOverride" SetMetrics {
        width: u32, height: u32, device_scale_factor: f64, mobile: bool
    } -> Done;
    "Emulation.setEmulatedMedia" SetMedia { features: Vec<MediaFeature> } -> Done;
    "Page.enable" EnablePage {} -> Done;
    "Page.addScriptToEvaluateOnNewDocument" AddScript { source: &'static str } -> ScriptAdded;
    "Page.createIsolatedWorld" CreateIsolatedWorld { frame_id: String, world_name: &'static str } -> World;
    "Page.navigate" Navigate { url: String } -> Done;
    "Page.handleJavaScriptDialog" HandleDialog { accept: bool } -> Done;
    "Page.getFrameTree" GetFrameTree {} -> FrameTreeAnswer;
    "Page.getLayoutMetrics" GetLayoutMetrics {} -> LayoutMetrics;
    "Page.captureScreenshot" CaptureScreenshot {
        format: &'static str, capture_beyond_viewport: bool, clip: Clip
    } -> Screenshot;
}

/// The command `Runtime.evaluate`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluate {
    pub(super) expression: String,
    /// The document to evaluate in; `None` for the page's own. The browser refuses `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_id: Option<u64>,
    pub(super) return_by_value: bool,
    pub(super) await_promise: bool,
}

impl Command for Evaluate {
    const METHOD: &'static str = "Runtime.evaluate";
    type Answer = Evaluated;
}

#[derive(Debug, Deserialize)]
pub(super) struct Version {
    pub(super) product: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context {
    pub(super) browser_context_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Target {
    pub(super) target_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    pub(super) session_id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ScriptAdded {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct World {
    pub(super) execution_context_id: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluated {
    pub(super) result: RemoteObject,
    pub(super) exception_details: Option<ExceptionDetails>,
}

/// A value of a script.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RemoteObject {
    pub(super) value: Option<serde_json::Value>,
    pub(super) description: Option<String>,
}

impl RemoteObject {
    /// The value as a console shows it.
    pub(super) fn shown(&self) -> String {
        match (&self.value, &self.description) {
            (Some(serde_json::Value::String(text)), _) => text.clone(),
            (_, Some(description)) => description.clone(),
            (Some(value), None) => value.to_string(),
            (None, None) => "undefined".to_owned(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExceptionDetails {
    pub(super) text: String,
    pub(super) exception: Option<RemoteObject>,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) stack_trace: StackTrace,
}

impl ExceptionDetails {
    /// The message, without the stack, whose places change with the length of a URL.
    pub(super) fn shown(&self) -> String {
        let exception = self.exception.as_ref().map(RemoteObject::shown);
        let message = exception.unwrap_or_default();
        let first = message.lines().next().unwrap_or_default();
        format!("{} {first}", self.text).trim().to_owned()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UrlPattern {
    pub(super) url_pattern: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Header {
    pub(super) name: &'static str,
    pub(super) value: String,
}

#[derive(Debug, Serialize)]
pub(super) struct MediaFeature {
    pub(super) name: &'static str,
    pub(super) value: &'static str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTreeAnswer {
    pub(super) frame_tree: FrameTree,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTree {
    pub(super) frame: Frame,
    #[serde(default)]
    pub(super) child_frames: Vec<FrameTree>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Frame {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayoutMetrics {
    pub(super) css_content_size: Size,
}

#[derive(Debug, Deserialize)]
pub(super) struct Size {
    pub(super) height: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Clip {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) scale: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Screenshot {
    pub(super) data: String,
}

// Events: the parts of their parameters that are read.

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestPaused {
    pub(super) request_id: String,
    pub(super) request: Request,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) url: String,
    #[serde(default)]
    pub(super) is_link_preload: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestWillBeSent {
    pub(super) request_id: String,
    pub(super) request: Request,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) initiator: Initiator,
}

/// The maker of a request: the parser, at a place in a document or style sheet, or a script.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Initiator {
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) stack: StackTrace,
}

impl Initiator {
    /// The URLs of the scripts that make a request, else of the document or style sheet.
    pub(super) fn sources(self) -> Vec<String> {
        let mut sources = Vec::new();
        self.stack.add_to(&mut sources);
        add_source(&mut sources, self.url);
        sources
    }
}

/// The calls that led to an event, the innermost first.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTrace {
    #[serde(default)]
    pub(super) call_frames: Vec<CallFrame>,
    /// The calls that started a task, whose end led to these.
    pub(super) parent: Option<Box<StackTrace>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CallFrame {
    #[serde(default)]
    pub(super) url: String,
}

impl StackTrace {
    /// Adds the URLs of the calling scripts to `sources`: each once, in the order of the calls.
    pub(super) fn add_to(self, sources: &mut Vec<String>) {
        for frame in self.call_frames {
            add_source(sources, frame.url);
        }
        if let Some(parent) = self.parent {
            parent.add_to(sources);
        }
    }
}

/// Adds `url` to `sources` if it is new, and that of a file: some scripts have no URL, and a preloading
/// parser has `about:client`.
pub(super) fn add_source(sources: &mut Vec<String>, url: String) {
    let is_file = !url.is_empty() && !url.starts_with("about:");
    if is_file && !sources.contains(&url) {
        sources.push(url);
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseReceived {
    pub(super) request_id: String,
    pub(super) response: Response,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    pub(super) status: u16,
    #[serde(default)]
    pub(super) status_text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadingFinished {
    pub(super) request_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadingFailed {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) error_text: String,
    #[serde(default)]
    pub(super) canceled: bool,
    pub(super) blocked_reason: Option<String>,
    pub(super) cors_error_status: Option<CorsErrorStatus>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SocketCreated {
    pub(super) request_id: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) initiator: Initiator,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SocketError {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) error_message: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CorsErrorStatus {
    pub(super) cors_error: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ContextCreated {
    pub(super) context: ExecutionContext,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExecutionContext {
    pub(super) id: u64,
    #[serde(default)]
    pub(super) aux_data: ContextOwner,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextOwner {
    #[serde(default)]
    pub(super) is_default: bool,
    #[serde(default)]
    pub(super) frame_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextDestroyed {
    pub(super) execution_context_id: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExceptionThrown {
    pub(super) exception_details: ExceptionDetails,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleCalled {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) args: Vec<RemoteObject>,
    #[serde(default)]
    pub(super) stack_trace: StackTrace,
}

#[derive(Debug, Deserialize)]
pub(super) struct EntryAdded {
    pub(super) entry: LogEntry,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogEntry {
    pub(super) source: String,
    pub(super) level: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) stack_trace: StackTrace,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttachedToTarget {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetachedFromTarget {
    pub(super) session_id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct TargetInfo {
    #[serde(rename = "type")]
    pub(super) kind: String,
}
