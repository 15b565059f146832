//! The requests of a page with their outcomes.

use serde_json::Value;

use super::connection::Message;
use super::error::BrowserError;

/// The kind of a request that opens a WebSocket.
pub const SOCKET: &str = "WebSocket";

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There was no answer when the page was complete: a stream, or a request of a script that waits.
    Pending,
    /// The content arrived.
    Loaded,
    /// There is no content, or the page may not use it; the reason is that of the browser.
    Failed(String),
    /// The page gave it up by itself: it went on to another page.
    Canceled,
}

/// A request of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRequest {
    /// The URL, without a fragment.
    pub url: String,
    /// The kind of the resource: `Stylesheet`, `Image`, `Script` and others.
    pub kind: String,
    /// True if a `link` element requests the resource in advance (preload), whether the page uses it or not.
    pub is_preload: bool,
    /// The outcome of the request at the time when the page was complete.
    pub outcome: Outcome,
    /// The URLs of the scripts that made the request; if none did, the URL of the document or style sheet.
    pub sources: Vec<String>,
}

impl ResourceRequest {
    /// Returns true if the request has no content, or the browser does not let the page use the content.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// Records requests.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    requests: Vec<(RequestId, ResourceRequest)>,
}

/// Session and number of a request: workers count for themselves.
type RequestId = (String, String);

impl Traffic {
    pub(super) fn into_requests(self) -> Vec<ResourceRequest> {
        self.requests.into_iter().map(|(_, it)| it).collect()
    }

    /// Returns true if the page waits for a request. Sockets stay open.
    pub(super) fn is_pending(&self) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|(_, it)| it.outcome == Outcome::Pending && it.kind != SOCKET)
    }

    /// Adds the request of a page that opens a socket. It fails without a network, so only its URL is compared.
    pub(super) fn socket(&mut self, event: &Message) -> Result<(), BrowserError> {
        self.add(event, event.part("/url")?, SOCKET.to_owned())
    }

    fn add(&mut self, event: &Message, url: String, kind: String) -> Result<(), BrowserError> {
        let request = ResourceRequest {
            url,
            kind,
            is_preload: event.part("/request/isLinkPreload").unwrap_or_default(),
            outcome: Outcome::Pending,
            sources: sources(event, "/initiator/stack", "/initiator/url"),
        };
        let id = (event.session.clone(), event.part("/requestId")?);
        self.requests.push((id, request));
        Ok(())
    }

    /// Nothing answers the pending requests of `session` any more.
    pub(super) fn canceled(&mut self, session: &str) {
        for ((of, _), request) in &mut self.requests {
            if of == session && request.outcome == Outcome::Pending {
                request.outcome = Outcome::Canceled;
            }
        }
    }

    /// Returns a request starts. If it has the number of an earlier one, that one was redirected here.
    pub(super) fn will_be_sent(&mut self, event: &Message) -> Result<(), BrowserError> {
        if let Some(earlier) = self.last(event)? {
            earlier.outcome = Outcome::Loaded;
        }
        let url: String = event.part("/request/url")?;
        // Nobody answers others; they never finish.
        let is_network = ["http:", "https:", "file:"].iter().any(|scheme| url.starts_with(scheme));
        if is_network { self.add(event, url, event.text("/type")) } else { Ok(()) }
    }

    pub(super) fn response(&mut self, event: &Message) -> Result<(), BrowserError> {
        let status: u16 = event.part("/response/status")?;
        if let Some(request) = self.last(event)?.filter(|_| status >= 400) {
            let reason = format!("{status} {}", event.text("/response/statusText"));
            request.outcome = Outcome::Failed(reason.trim().to_owned());
        }
        Ok(())
    }

    /// Returns the request of `event` gets an `outcome`, unless it has one.
    pub(super) fn ended(&mut self, event: &Message, outcome: Outcome) -> Result<(), BrowserError> {
        if let Some(request) = self.last(event)?
            && request.outcome == Outcome::Pending
        {
            request.outcome = outcome;
        }
        Ok(())
    }

    /// Of a "not found" whose content is not wanted, only the first reason counts.
    pub(super) fn failed(&mut self, event: &Message) -> Result<(), BrowserError> {
        let blocked: Option<String> = event.part("/blockedReason")?;
        let cors: Option<String> = event.part("/corsErrorStatus/corsError")?;
        let outcome = match blocked.or(cors) {
            Some(reason) => Outcome::Failed(format!("blocked: {reason}")),
            None if event.part("/canceled").unwrap_or_default() => Outcome::Canceled,
            None => Outcome::Failed(event.text("/errorText")),
        };
        self.ended(event, outcome)
    }

    /// The last request with the number in `event`.
    fn last(&mut self, event: &Message) -> Result<Option<&mut ResourceRequest>, BrowserError> {
        let id = (event.session.clone(), event.part("/requestId")?);
        let found = self.requests.iter_mut().rfind(|(known, _)| *known == id);
        Ok(found.map(|(_, request)| request))
    }
}

/// Returns the URLs of the scripts whose calls led to an event, the innermost first, and the URL of its document or
/// style sheet: each once. `stack` and `url` are pointers to them in the event.
pub(super) fn sources(event: &Message, stack: &str, url: &str) -> Vec<String> {
    let mut urls = Vec::new();
    // The parent is the stack of the calls that started a task, whose end led to these.
    let stacks = std::iter::successors(event.params.pointer(stack), |stack| stack.get("parent"));
    for frames in stacks.filter_map(|stack| stack.get("callFrames")?.as_array()) {
        urls.extend(frames.iter().filter_map(|frame| frame.get("url")));
    }
    urls.extend(event.params.pointer(url));
    let mut sources: Vec<String> = Vec::new();
    for url in urls.into_iter().filter_map(Value::as_str) {
        // Some scripts have no URL, and a preloading parser has `about:client`.
        let is_file = !url.is_empty() && !url.starts_with("about:");
        if is_file && !sources.iter().any(|known| known == url) {
            sources.push(url.to_owned());
        }
    }
    sources
}
