//! The functions of the crate for one document, for JavaScript: bytes in, bytes out. `engine.js` of the npm package is
//! the other side.
//!
//! The two sides share slots, which are buffers in the memory of the module. A call: JavaScript fills [`Slot::Document`]
//! and [`Slot::Request`] (JSON), calls [`call`], and reads [`Slot::Result`], which the returned [`Outcome`] explains.
//! Nothing is imported, so a runtime needs no other support, and no pointer is followed in Rust.

use std::borrow::Cow;
use std::cell::RefCell;

use rehref::{
    DocumentKind, Error, Link, Page, PageOptions, RelativeForm, Standard, Url, absolute, anchors,
    relative, rewrite,
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
    replacements: Vec<Option<String>>,
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
                // One for each link, in their order.
                let mut replacements = self.replacements.iter();
                let replacement = |_: &Link<'_>| replacements.next().cloned().flatten();
                let rewritten = rewrite(document, &url, &options, replacement);
                let rewritten = rewritten.map_err(|it| message(it.into()))?;
                rewritten.complete().map_err(|it| message(it.into()))?
            }
            Function::Links => {
                let page =
                    Page::parse(document, &url, &options).map_err(|it| message(it.into()))?;
                let links: Vec<_> = page.links().collect();
                return value(&links.iter().map(LinkRow::of).collect::<Vec<_>>());
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
    let json = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    Ok((Outcome::Value, json))
}

/// A link as JavaScript sees it.
#[derive(Serialize)]
struct LinkRow<'a> {
    line: usize,
    column: usize,
    element: &'a str,
    attribute: &'a str,
    reference: &'a str,
    target: Option<&'a str>,
    reason: Option<&'a str>,
    span: [usize; 2],
}

impl<'a> LinkRow<'a> {
    fn of(link: &'a Link<'_>) -> LinkRow<'a> {
        LinkRow {
            line: link.position.line,
            column: link.position.column,
            element: &link.element,
            attribute: &link.attribute,
            reference: link.reference,
            target: link.target.as_ref().ok().map(Url::as_str),
            reason: link.target.as_ref().err().map(|it| it.kind()),
            span: [link.span.start, link.span.end],
        }
    }
}
