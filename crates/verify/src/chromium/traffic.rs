//! The requests of a page with their outcomes.

use super::protocol::{
    LoadingFailed, RequestWillBeSent, Response, ResponseReceived, SocketCreated,
};

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
    /// The use that the page has for it: `Stylesheet`, `Image`, `Script`.
    pub kind: String,
    /// A `link` element asks for it in advance, whether the page uses it or not.
    pub is_preload: bool,
    /// The outcome, when the page was complete.
    pub outcome: Outcome,
    /// The URLs of the scripts that make it, else of the document or style sheet.
    pub sources: Vec<String>,
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

    /// Whether the page waits for a request. Sockets stay open.
    pub(super) fn is_pending(&self) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|(_, it)| it.outcome == Outcome::Pending && it.kind != SOCKET)
    }

    /// A socket is opened. Without a network it fails; its URL is what counts.
    pub(super) fn socket(&mut self, session: &str, event: SocketCreated) {
        let request = ResourceRequest {
            url: event.url,
            kind: SOCKET.to_owned(),
            is_preload: false,
            outcome: Outcome::Pending,
            sources: event.initiator.sources(),
        };
        let id = (session.to_owned(), event.request_id);
        self.requests.push((id, request));
    }

    /// The requests of `session` that are pending, or only the one with this number, get an `outcome`.
    pub(super) fn ended(&mut self, session: &str, number: Option<&str>, outcome: &Outcome) {
        for ((of, own), request) in &mut self.requests {
            let is_meant = of == session && number.is_none_or(|number| own == number);
            if is_meant && request.outcome == Outcome::Pending {
                request.outcome = outcome.clone();
            }
        }
    }

    /// A request starts. If it has the number of an earlier one, that one was redirected here.
    pub(super) fn will_be_sent(&mut self, session: &str, event: RequestWillBeSent) {
        if let Some(earlier) = self.last(session, &event.request_id) {
            earlier.outcome = Outcome::Loaded;
        }
        let request = ResourceRequest {
            url: event.request.url,
            kind: event.kind,
            is_preload: event.request.is_link_preload,
            outcome: Outcome::Pending,
            sources: event.initiator.sources(),
        };
        // Nobody answers these; they never finish.
        let is_network =
            ["http:", "https:", "file:"].iter().any(|scheme| request.url.starts_with(scheme));
        if is_network {
            let id = (session.to_owned(), event.request_id);
            self.requests.push((id, request));
        }
    }

    pub(super) fn response(&mut self, session: &str, event: &ResponseReceived) {
        let Response { status, status_text } = &event.response;
        if *status >= 400
            && let Some(request) = self.last(session, &event.request_id)
        {
            request.outcome = Outcome::Failed(format!("{status} {status_text}").trim().to_owned());
        }
    }

    pub(super) fn finished(&mut self, session: &str, request_id: &str) {
        if let Some(request) = self.last(session, request_id)
            && request.outcome == Outcome::Pending
        {
            request.outcome = Outcome::Loaded;
        }
    }

    pub(super) fn failed(&mut self, session: &str, event: LoadingFailed) {
        let Some(request) = self.last(session, &event.request_id) else {
            return;
        };
        // Of a "not found" whose content is not wanted, only the first reason counts.
        if request.outcome != Outcome::Pending {
            return;
        }
        let is_blocked = event.blocked_reason.is_some() || event.cors_error_status.is_some();
        let cors = event.cors_error_status.map(|status| status.cors_error);
        request.outcome = match event.blocked_reason.or(cors) {
            Some(reason) => Outcome::Failed(format!("blocked: {reason}")),
            None if event.canceled && !is_blocked => Outcome::Canceled,
            None => Outcome::Failed(event.error_text),
        };
    }

    /// The last request of `session` with this number.
    fn last(&mut self, session: &str, request_id: &str) -> Option<&mut ResourceRequest> {
        let mut requests = self.requests.iter_mut().rev();
        let found = requests
            .find(|((of, number), _)| of.as_str() == session && number.as_str() == request_id);
        found.map(|(_, request)| request)
    }
}
