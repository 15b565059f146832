//! The values of the DevTools protocol that events of several kinds have
//! (<https://chromedevtools.github.io/devtools-protocol/>).

use serde_json::Value;

use super::connection::Message;

/// A value of a script, as a console shows it.
pub(super) fn shown(object: &Value) -> String {
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
pub(super) fn shown_exception(details: &Value) -> String {
    let text = details.get("text").and_then(Value::as_str).unwrap_or_default();
    let message = details.get("exception").map(shown).unwrap_or_default();
    let first = message.lines().next().unwrap_or_default();
    format!("{text} {first}").trim().to_owned()
}

/// The URLs of the scripts whose calls led to an event, the innermost first, and the URL of its document or style
/// sheet: each once. `stack` and `url` are pointers to them in the event.
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
