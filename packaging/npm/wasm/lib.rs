//! The functions of the crate for one document, for JavaScript: bytes in, bytes out. `engine.js` of the npm package is
//! the other side.
//!
//! The two sides share slots, which are buffers in the memory of the module. A call: JavaScript fills [`Slot::Document`]
//! and [`Slot::Request`] (JSON), calls [`call`], and reads [`Slot::Result`], which the returned [`Outcome`] explains.
//! [`choose`] is the one import, so a runtime needs no other support, and no pointer is followed in Rust.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

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
}

thread_local! {
    static SLOTS: RefCell<[Vec<u8>; 3]> = const { RefCell::new([const { Vec::new() }; 3]) };
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
    /// The message of an error.
    Error,
}

#[link(wasm_import_module = "rehref")]
unsafe extern "C" {
    /// Reads the links of a document in [`Slot::Result`], and fills [`Slot::Request`] with their replacements, JSON both;
    /// null: keep the document. One call for all links, and the document is parsed once. May call [`call`].
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
                fill(Slot::Result, links(&page)?);
                choose();
                let replacements: Option<Vec<Option<String>>> =
                    serde_json::from_slice(&take(Slot::Request)).map_err(|it| it.to_string())?;
                let Some(replacements) = replacements else {
                    return Ok((Outcome::Unchanged, Vec::new()));
                };
                let rewritten = page.rewrite(replacements).map_err(|it| message(it.into()))?;
                rewritten.complete().map_err(|it| message(it.into()))?
            }
            Function::Links => {
                let page =
                    Page::parse(document, &url, &options).map_err(|it| message(it.into()))?;
                return Ok((Outcome::Value, links(&page)?));
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

fn links(page: &Page<'_>) -> Result<Vec<u8>, String> {
    let mut links = Links::default();
    page.links().for_each(|link| links.push(&link));
    json(&links)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}

/// The links of a page in a form that JavaScript reads fast: three JSON values, not nine for each link.
#[derive(Default, Serialize)]
struct Links {
    /// The elements, attributes and reasons, each once. The reason of a link with a target is empty.
    names: Vec<String>,
    #[serde(skip)]
    indexes: HashMap<String, usize>,
    /// Of each link: line, column, start and end of its span, the indexes of its element, attribute and reason, the
    /// lengths of its reference and its target in `text`, in UTF-16.
    numbers: Vec<usize>,
    /// The references, each with its target after it.
    text: String,
}

impl Links {
    fn push(&mut self, link: &Link<'_>) {
        let target = link.target.as_ref().map_or("", Url::as_str);
        let reason = link.target.as_ref().err().map_or("", |it| it.kind());
        let [reason, element, attribute] =
            [reason, &link.element, &link.attribute].map(|name| self.index_of(name));
        let [reference, target] = [link.reference, target].map(|text| {
            self.text += text;
            if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
        });
        let Position { line, column, .. } = link.position;
        let (start, end) = (link.span.start, link.span.end);
        self.numbers
            .extend([line, column, start, end, element, attribute, reason, reference, target]);
    }

    fn index_of(&mut self, name: &str) -> usize {
        if let Some(index) = self.indexes.get(name) {
            return *index;
        }
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.indexes.insert(name.to_owned(), index);
        index
    }
}
