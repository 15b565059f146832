//! Commands to the browser, and its answers and events, over a WebSocket.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use super::error::BrowserError;
use super::protocol::Command;

/// How long a command may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a read waits before it gives the caller a chance to look at the clock.
const TICK: Duration = Duration::from_millis(20);

/// A message of the browser that no `call` waits for.
#[derive(Debug)]
pub(super) enum Incoming {
    /// Something happened.
    Event(Event),
    /// The answer to a command that was sent without waiting, by its number.
    Answer(u64),
}

/// An event of the browser.
#[derive(Debug)]
pub(super) struct Event {
    /// The session (page or worker); empty for the browser itself.
    pub(super) session: String,
    /// The name: `Network.requestWillBeSent`.
    pub(super) method: String,
    /// The data.
    pub(super) params: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, C> {
    id: u64,
    method: &'static str,
    params: &'a C,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    id: Option<u64>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    result: Option<Value>,
    error: Option<Refusal>,
    #[serde(default)]
    session_id: String,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    message: String,
}

/// The connection to a browser.
pub(super) struct Connection {
    socket: WebSocket<TcpStream>,
    last_id: u64,
    queue: VecDeque<Incoming>,
}

impl Connection {
    /// Connects to the DevTools `port` of this machine; `path` names the browser.
    pub(super) fn open(port: u16, path: &str) -> Result<Connection, BrowserError> {
        let failed = |error: &dyn std::fmt::Display| BrowserError::Disconnected(error.to_string());
        let stream =
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(|error| failed(&error))?;
        let _ = stream.set_nodelay(true);
        // Pictures and large files do not fit into the default limits.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(config))
            .map_err(|error| failed(&error))?;
        let stream = socket.get_ref();
        stream
            .set_read_timeout(Some(TICK))
            .map_err(|error| failed(&error))?;
        Ok(Connection {
            socket,
            last_id: 0,
            queue: VecDeque::new(),
        })
    }

    /// Sends a command to `session` (`None`: the browser) and returns its number.
    pub(super) fn send<C: Command>(
        &mut self,
        session: Option<&str>,
        command: &C,
    ) -> Result<u64, BrowserError> {
        self.last_id += 1;
        let envelope = Envelope {
            id: self.last_id,
            method: C::METHOD,
            params: command,
            session_id: session,
        };
        let text = serde_json::to_string(&envelope).map_err(|source| BrowserError::Malformed {
            method: C::METHOD,
            source,
        })?;
        match self.socket.send(Message::text(text)) {
            Ok(()) => Ok(self.last_id),
            Err(error) => Err(BrowserError::Disconnected(error.to_string())),
        }
    }

    /// Sends a command and waits for its answer. What else arrives is kept for
    /// [`Connection::next`].
    pub(super) fn call<C: Command>(
        &mut self,
        session: Option<&str>,
        command: &C,
    ) -> Result<C::Answer, BrowserError> {
        let method = C::METHOD;
        let id = self.send(session, command)?;
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        loop {
            match self.receive()? {
                Some(received) if received.id == Some(id) => {
                    if let Some(Refusal { message }) = received.error {
                        return Err(BrowserError::Refused { method, message });
                    }
                    let result = received.result.unwrap_or_default();
                    return serde_json::from_value(result)
                        .map_err(|source| BrowserError::Malformed { method, source });
                }
                Some(received) => self.queue.extend(incoming(received)),
                None if Instant::now() > deadline => {
                    let seconds = ANSWER_TIMEOUT.as_secs();
                    return Err(BrowserError::NoAnswer { method, seconds });
                }
                None => {}
            }
        }
    }

    /// The next event or answer; `None` if there is none at the moment.
    pub(super) fn next(&mut self) -> Result<Option<Incoming>, BrowserError> {
        if let Some(first) = self.queue.pop_front() {
            return Ok(Some(first));
        }
        Ok(self.receive()?.and_then(incoming))
    }

    fn receive(&mut self) -> Result<Option<Received>, BrowserError> {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let parsed = serde_json::from_str(&text);
                parsed.map(Some).map_err(|source| BrowserError::Malformed {
                    method: "a command",
                    source,
                })
            }
            Ok(_) => Ok(None),
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                Ok(None)
            }
            Err(error) => Err(BrowserError::Disconnected(error.to_string())),
        }
    }
}

fn incoming(received: Received) -> Option<Incoming> {
    match (received.method, received.id) {
        (Some(method), _) => Some(Incoming::Event(Event {
            session: received.session_id,
            method,
            params: received.params,
        })),
        (None, Some(id)) => Some(Incoming::Answer(id)),
        (None, None) => None,
    }
}
