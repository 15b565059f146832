//! Commands to the browser, and its answers and events, over two pipes.
//!
//! Chromium ends at the end of the pipe of its commands (`--remote-debugging-pipe`): it does not outlive
//! this process, however that ends.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::error::BrowserError;

/// The byte after each message.
const END: u8 = 0;

/// How long a command may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a receiver waits before its caller looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// The most bytes of events that wait for a connection. A page that writes to its console without end loses what is
/// more.
const MOST_WAITING: usize = 64 << 20;

/// A message of the browser: an event, or the answer to a command.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Message {
    /// The number of the command; `None` for an event.
    pub(super) id: Option<u64>,
    /// The name of the event: `Network.requestWillBeSent`.
    pub(super) method: String,
    /// The data of the event.
    pub(super) params: Value,
    /// The data of the answer.
    pub(super) result: Value,
    error: Option<Value>,
    /// The session (page or worker); empty for the browser itself.
    #[serde(rename = "sessionId")]
    pub(super) session: String,
    /// The length of the message, in bytes.
    #[serde(skip)]
    size: usize,
}

impl Message {
    /// See [`part`].
    pub(super) fn part<T: DeserializeOwned>(&self, pointer: &str) -> Result<T, BrowserError> {
        part("an event", &self.params, pointer)
    }

    /// Returns the text at `pointer`; empty if there is none.
    pub(super) fn text(&self, pointer: &str) -> String {
        self.part(pointer).unwrap_or_default()
    }
}

/// The answer to a command.
pub(super) struct Answer {
    method: &'static str,
    result: Value,
}

impl Answer {
    /// See [`part`].
    pub(super) fn part<T: DeserializeOwned>(&self, pointer: &str) -> Result<T, BrowserError> {
        part(self.method, &self.result, pointer)
    }
}

/// Returns the part at `pointer` (RFC 6901) of what the browser says of `method`; a missing part is read as `null`.
pub(super) fn part<T: DeserializeOwned>(
    method: &'static str,
    value: &Value,
    pointer: &str,
) -> Result<T, BrowserError> {
    T::deserialize(value.pointer(pointer).unwrap_or(&Value::Null))
        .map_err(|source| BrowserError::Malformed { method, source })
}

/// The pipes of a browser, which all connections to it share.
struct Pipes {
    commands: Mutex<Box<dyn Write + Send>>,
    last_id: AtomicU64,
    listeners: Arc<Listeners>,
}

/// The connections that receive the messages of a browser: each receives all, and ignores those about
/// pages and commands of others. `None` after the last message.
type Listeners = Mutex<Option<Vec<Listener>>>;

struct Listener {
    sender: Sender<Message>,
    /// The bytes of the events that wait.
    waiting: Arc<AtomicUsize>,
}

/// A connection to a browser.
pub(super) struct Connection {
    pipes: Arc<Pipes>,
    received: Receiver<Message>,
    waiting: Arc<AtomicUsize>,
    queue: VecDeque<Message>,
}

impl Connection {
    /// Returns the first connection to a browser that reads commands from one pipe and writes to the other.
    pub(super) fn new(
        commands: impl Write + Send + 'static,
        messages: impl Read + Send + 'static,
    ) -> Connection {
        let listeners = Arc::new(Mutex::new(Some(Vec::new())));
        let pipes = Arc::new(Pipes {
            commands: Mutex::new(Box::new(commands)),
            last_id: AtomicU64::new(0),
            listeners: Arc::clone(&listeners),
        });
        let connection = Connection::on(&pipes);
        // Ends with the browser.
        thread::spawn(move || read_messages(messages, &listeners));
        connection
    }

    /// Returns another connection to the same browser, for another thread.
    pub(super) fn another(&self) -> Connection {
        Connection::on(&self.pipes)
    }

    fn on(pipes: &Arc<Pipes>) -> Connection {
        let (sender, received) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let listeners = &mut *pipes.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listeners) = listeners {
            let waiting = Arc::clone(&waiting);
            listeners.push(Listener { sender, waiting });
        }
        Connection { pipes: Arc::clone(pipes), received, waiting, queue: VecDeque::new() }
    }

    /// Sends a command to `session` (`None`: the browser) and returns its number.
    pub(super) fn send(
        &mut self,
        session: Option<&str>,
        method: &'static str,
        params: Value,
    ) -> Result<u64, BrowserError> {
        let id = self.pipes.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut envelope = json!({ "id": id, "method": method });
        // `json!` would copy it.
        envelope["params"] = params;
        if let Some(session) = session {
            envelope["sessionId"] = session.into();
        }
        let mut bytes = serde_json::to_vec(&envelope)
            .map_err(|source| BrowserError::Malformed { method, source })?;
        bytes.push(END);
        let commands = &self.pipes.commands;
        let mut commands = commands.lock().unwrap_or_else(PoisonError::into_inner);
        match commands.write_all(&bytes).and_then(|()| commands.flush()) {
            Ok(()) => Ok(id),
            Err(error) => Err(BrowserError::Disconnected(error.to_string())),
        }
    }

    /// Sends a command and waits for its answer. What else arrives is kept for
    /// [`Connection::next`].
    pub(super) fn call(
        &mut self,
        session: Option<&str>,
        method: &'static str,
        params: Value,
    ) -> Result<Answer, BrowserError> {
        self.call_within(ANSWER_TIMEOUT, session, method, params)
    }

    /// As [`Connection::call`], with another time limit.
    pub(super) fn call_within(
        &mut self,
        timeout: Duration,
        session: Option<&str>,
        method: &'static str,
        params: Value,
    ) -> Result<Answer, BrowserError> {
        let id = self.send(session, method, params)?;
        let deadline = Instant::now() + timeout;
        loop {
            match self.receive()? {
                Some(received) if received.id == Some(id) => {
                    if let Some(error) = &received.error {
                        let message = part(method, error, "/message").unwrap_or_default();
                        return Err(BrowserError::Refused { method, message });
                    }
                    return Ok(Answer { method, result: received.result });
                }
                Some(received) => self.queue.push_back(received),
                None if Instant::now() > deadline => {
                    let seconds = timeout.as_secs();
                    return Err(BrowserError::NoAnswer { method, seconds });
                }
                None => {}
            }
        }
    }

    /// Returns the next event or answer; `None` if there is none at the moment.
    pub(super) fn next(&mut self) -> Result<Option<Message>, BrowserError> {
        let next = match self.queue.pop_front() {
            None => self.receive()?,
            first => first,
        };
        if let Some(event) = next.as_ref().filter(|it| it.id.is_none()) {
            self.waiting.fetch_sub(event.size, Ordering::Relaxed);
        }
        Ok(next)
    }

    fn receive(&mut self) -> Result<Option<Message>, BrowserError> {
        match self.received.recv_timeout(TICK) {
            Ok(received) => Ok(Some(received)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "its DevTools pipe closed".to_owned();
                Err(BrowserError::Disconnected(reason))
            }
        }
    }
}

/// Passes messages on until the browser ends, or writes something else than messages.
fn read_messages(messages: impl Read, listeners: &Listeners) {
    let mut messages = BufReader::new(messages);
    let mut bytes = Vec::new();
    let lock = || listeners.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        bytes.clear();
        let has_message = matches!(messages.read_until(END, &mut bytes), Ok(1..));
        let text = bytes.strip_suffix(&[END]).filter(|_| has_message);
        let Some(Ok(mut received)) = text.map(serde_json::from_slice::<Message>) else {
            *lock() = None;
            return;
        };
        let is_event = received.id.is_none();
        received.size = bytes.len();
        if let Some(listeners) = &mut *lock() {
            listeners.retain(|Listener { sender, waiting }| {
                if is_event {
                    if waiting.load(Ordering::Relaxed) + bytes.len() > MOST_WAITING {
                        return true;
                    }
                    waiting.fetch_add(bytes.len(), Ordering::Relaxed);
                }
                sender.send(received.clone()).is_ok()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_reach_every_connection_and_the_end_of_the_pipe_is_an_error() {
        let (browser, messages) = std::io::pipe().unwrap();
        let (commands, mut sent) = std::io::pipe().map(|(read, write)| (write, read)).unwrap();
        let mut one = Connection::new(commands, browser);
        let mut other = one.another();
        let mut messages = messages;
        messages
            .write_all(
                b"{\"id\":2,\"result\":{\"product\":\"B/1\"}}\0{\"method\":\"E\",\"params\":{}}\0",
            )
            .unwrap();
        assert_eq!(one.send(None, "Browser.getVersion", json!({})).unwrap(), 1);
        let version = other.call(None, "Browser.getVersion", json!({})).unwrap();
        assert_eq!(version.part::<String>("/product").unwrap(), "B/1");
        for connection in [&mut one, &mut other] {
            let is_event = |it: Option<Message>| it.is_some_and(|it| it.method == "E");
            assert!((0..1000).any(|_| is_event(connection.next().unwrap())));
        }
        drop(messages);
        let ended = (0..1000).find_map(|_| one.next().err());
        assert!(matches!(ended, Some(BrowserError::Disconnected(_))));
        drop((one, other));
        let mut text = String::new();
        sent.read_to_string(&mut text).unwrap();
        assert_eq!(text.matches('\0').count(), 2, "{text}");
        assert!(text.starts_with("{\"id\":1,\"method\":\"Browser.getVersion\""), "{text}");
    }
}
