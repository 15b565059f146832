//! The functions of the crate for one document, for JavaScript: bytes in, bytes out. `engine.js` of the npm package is
//! the other side.
//!
//! The two sides share slots, which are buffers in the memory of the module. A call: JavaScript fills [`Slot::Document`]
//! and [`Slot::Request`] (JSON), calls [`call`], and reads [`Slot::Result`], which the returned [`Outcome`] explains.
//! [`choose`] is the one import, so a runtime needs no other support, and no pointer is followed in Rust.

use std::borrow::Cow;
use std::cell::RefCell;

use rehref::{
    DocumentKind, Error, Link, Page, PageOptions, Position, RelativeForm, Standard, Url, absolute,
    anchors, relative,
};
use serde::{Deserialize, Serialize};

/// A buffer that both sides read and write.
#[derive(Clone, Copy)]
enum Slot {
    Document,
    Request,
    Result,
    /// Little-endian numbers of four bytes.
    Numbers,
}

thread_local! {
    static SLOTS: RefCell<[Vec<u8>; 4]> = const { RefCell::new([const { Vec::new() }; 4]) };
}

/// What is in [`Slot::Result`] after a call.
#[derive(Clone, Copy)]
enum Outcome {
    /// Nothing: the document stays as it is.
    Unchanged,
    /// The changed document.
    Document,
    /// JSON.
    Value,
    /// The text of [`Links`].
    Links,
    /// The message of an error.
    Error,
}

#[link(wasm_import_module = "rehref")]
unsafe extern "C" {
    /// Reads the [`Links`] of a document, and fills [`Slot::Request`] with an answer for each, with NUL between them:
    /// `=` and the replacement, or nothing to keep the link. One call for all links, and the document is parsed once.
    /// May call [`call`].
    safe fn choose();
}

fn take(slot: Slot) -> Vec<u8> {
    SLOTS.with_borrow_mut(|slots| std::mem::take(&mut slots[slot as usize]))
}

fn fill(slot: Slot, bytes: Vec<u8>) {
    SLOTS.with_borrow_mut(|slots| slots[slot as usize] = bytes);
}

/// Gives a slot this length, and returns its address. The bytes that it had stay.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(slot: usize, length: usize) -> *mut u8 {
    SLOTS.with_borrow_mut(|slots| match slots.get_mut(slot) {
        Some(buffer) => {
            buffer.resize(length, 0);
            buffer.as_mut_ptr()
        }
        None => std::ptr::null_mut(),
    })
}

/// The address of the bytes of a slot.
#[unsafe(no_mangle)]
pub extern "C" fn address(slot: usize) -> *const u8 {
    SLOTS.with_borrow(|slots| slots.get(slot).map_or(std::ptr::null(), |buffer| buffer.as_ptr()))
}

/// The number of bytes in a slot.
#[unsafe(no_mangle)]
pub extern "C" fn length(slot: usize) -> usize {
    SLOTS.with_borrow(|slots| slots.get(slot).map_or(0, Vec::len))
}

/// Does what [`Slot::Request`] says with [`Slot::Document`].
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    let (document, request) = (take(Slot::Document), take(Slot::Request));
    let result = serde_json::from_slice(&request)
        .map_err(|error| error.to_string())
        .and_then(|request: Request| request.run(&document));
    let (outcome, bytes) = result.unwrap_or_else(|message| (Outcome::Error, message.into_bytes()));
    fill(Slot::Result, bytes);
    // Their memory is that of the next call.
    fill(Slot::Document, document);
    fill(Slot::Request, request);
    outcome as u32
}

/// The functions, by their names in JavaScript.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Function {
    Absolute,
    Relative,
    Rewrite,
    Links,
    Anchors,
    BaseUrl,
    Resolve,
    Relativize,
}

/// A call of a function. Its URL is that of the document, or the base URL.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    function: Function,
    url: String,
    kind: Option<String>,
    charset: Option<String>,
    standard: Option<String>,
    form: Option<String>,
    site: Option<String>,
    reference: Option<String>,
    #[serde(default)]
    attributes: Vec<String>,
    #[serde(default)]
    json_ld: bool,
    #[serde(default)]
    rdfa: bool,
}

impl Request {
    fn run(&self, document: &[u8]) -> Result<(Outcome, Vec<u8>), String> {
        let reference = self.reference.as_deref().unwrap_or_default();
        let (url, options) = (self.url(&self.url)?, self.options()?);
        let message = |error: Error| error.to_string();
        let changed = match self.function {
            Function::Absolute => {
                absolute(document, &url, &options).map_err(|it| message(it.into()))?
            }
            Function::Relative => {
                let site = self.url(self.site.as_deref().unwrap_or_default())?;
                let changed = relative(document, &url, &options, &site, self.form()?);
                changed.map_err(|it| message(it.into()))?
            }
            Function::Rewrite => {
                let page =
                    Page::parse(document, &url, &options).map_err(|it| message(it.into()))?;
                fill(Slot::Result, Links::of(&page));
                choose();
                let answers =
                    String::from_utf8(take(Slot::Request)).map_err(|it| it.to_string())?;
                let answers = answers.split('\0');
                let replacements = answers.map(|it| it.strip_prefix('=').map(str::to_owned));
                let rewritten = page.rewrite(replacements).map_err(|it| message(it.into()))?;
                rewritten.complete().map_err(|it| message(it.into()))?
            }
            Function::Links => {
                let page =
                    Page::parse(document, &url, &options).map_err(|it| message(it.into()))?;
                return Ok((Outcome::Links, Links::of(&page)));
            }
            Function::Anchors => {
                return value(&anchors(document, &options).map_err(|it| message(it.into()))?);
            }
            Function::BaseUrl => {
                let page =
                    Page::parse(document, &url, &options).map_err(|it| message(it.into()))?;
                return value(&page.base_url().as_ref().map(Url::as_str));
            }
            Function::Resolve => {
                let target = url.resolve(reference);
                let target = target.map_err(|error| format!("{reference:?}: {error}"))?;
                return value(&target.as_str());
            }
            Function::Relativize => {
                return value(&url.relativize(&self.url(reference)?, self.form()?));
            }
        };
        Ok(match changed {
            Cow::Borrowed(_) => (Outcome::Unchanged, Vec::new()),
            Cow::Owned(changed) => (Outcome::Document, changed),
        })
    }

    fn url(&self, text: &str) -> Result<Url, String> {
        let standard: Standard = match &self.standard {
            Some(name) => name.parse().map_err(|_| {
                let names: Vec<_> = Standard::all().map(Standard::name).collect();
                one_of("standard", name, &names)
            })?,
            None => Standard::default(),
        };
        Url::parse_with(text, standard).map_err(|error| format!("{text:?}: {error}"))
    }

    fn form(&self) -> Result<RelativeForm, String> {
        let Some(name) = &self.form else { return Ok(RelativeForm::Path) };
        let names = || RelativeForm::all().map(RelativeForm::name).collect::<Vec<_>>();
        name.parse().map_err(|_| one_of("form", name, &names()))
    }

    fn options(&self) -> Result<PageOptions, String> {
        let kind = match &self.kind {
            Some(name) => DocumentKind::of_name(name)?,
            // The URL has been parsed, and what is behind its path has no part in a file name.
            None => {
                let path = self.url.split(['?', '#']).next().unwrap_or_default();
                DocumentKind::of_path(path).unwrap_or_default()
            }
        };
        let options = PageOptions::from(kind).with_json_ld(self.json_ld).with_rdfa(self.rdfa);
        let options = match &self.charset {
            Some(label) => options.with_charset(label),
            None => options,
        };
        options.with_attributes(&self.attributes).map_err(|error| format!("attributes: {error}"))
    }
}

fn one_of(option: &str, given: &str, names: &[&str]) -> String {
    format!("{option} {given:?}: give one of {}", names.join(", "))
}

fn value(value: &impl Serialize) -> Result<(Outcome, Vec<u8>), String> {
    Ok((Outcome::Value, json(value)?))
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}

/// The links of a page in a form that JavaScript reads fast. Of each link, [`Slot::Numbers`] has line, column, element,
/// attribute, reference, target, reason, and start and end of the span. Of a text, that is its length in UTF-16. Element,
/// attribute and reason have 0 if they are those of the link before, or else 1 and their lengths. A missing target or
/// reason is empty.
#[derive(Default)]
struct Links {
    /// The element, attribute and reason of the link before.
    last: [String; 3],
    numbers: Vec<u8>,
    /// All texts, in the order of their lengths.
    text: String,
}

impl Links {
    /// Returns the text, and fills the slot of numbers.
    fn of(page: &Page<'_>) -> Vec<u8> {
        let mut links = Links::default();
        page.links().for_each(|link| links.push(&link));
        fill(Slot::Numbers, links.numbers);
        links.text.into_bytes()
    }

    fn push(&mut self, link: &Link<'_>) {
        let Link { position: Position { line, column, .. }, span, .. } = link;
        let reason = link.target.as_ref().err().map_or("", |it| it.kind());
        self.push_number(*line);
        self.push_number(*column);
        self.push_name(0, &link.element);
        self.push_name(1, &link.attribute);
        self.push_text(link.reference);
        self.push_text(link.target.as_ref().map_or("", Url::as_str));
        self.push_name(2, reason);
        self.push_number(span.start);
        self.push_number(span.end);
    }

    fn push_name(&mut self, field: usize, name: &str) {
        match self.last.get_mut(field) {
            Some(last) if last != name => {
                name.clone_into(last);
                self.push_number(1);
                self.push_text(name);
            }
            _ => self.push_number(0),
        }
    }

    fn push_text(&mut self, text: &str) {
        self.text += text;
        self.push_number(if text.is_ascii() { text.len() } else { text.encode_utf16().count() });
    }

    /// The memory of a module has at most 4 GiB.
    fn push_number(&mut self, number: usize) {
        self.numbers.extend_from_slice(&(number as u32).to_le_bytes());
    }
}
