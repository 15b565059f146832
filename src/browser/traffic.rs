//! The requests of a page with their outcomes.

use super::protocol::{LoadingFailed, RequestWillBeSent, Response, ResponseReceived};

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
    /// The outcome, when the page was complete.
    pub outcome: Outcome,
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

    /// Whether the page waits for a request.
    pub(super) fn is_pending(&self) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|(_, request)| request.outcome == Outcome::Pending)
    }

    /// A request starts. If it has the number of an earlier one, that one was redirected here.
    pub(super) fn will_be_sent(&mut self, session: &str, event: RequestWillBeSent) {
        if let Some(earlier) = self.last(session, &event.request_id) {
            earlier.outcome = Outcome::Loaded;
        }
        let request = ResourceRequest {
            url: event.request.url,
            kind: event.kind,
            outcome: Outcome::Pending,
        };
        // Nobody answers these; they never finish.
        let is_network = ["http:", "https:", "file:"]
            .iter()
            .any(|scheme| request.url.starts_with(scheme));
        if is_network {
            let id = (session.to_owned(), event.request_id);
            self.requests.push((id, request));
        }
    }

    pub(super) fn response(&mut self, session: &str, event: &ResponseReceived) {
        let Response {
            status,
            status_text,
        } = &event.response;
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
