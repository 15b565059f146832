//! Public functions that change the links of one document, and nothing else.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use super::Url;
use super::options::PageOptions;
use super::page::{Link, Page};
use super::source::{Source, SourceForm};
use rehref_document::{DocumentError, Fix, Fixes, ParseOptions, Position, SkipReason};
use rehref_rewrite::{DocumentUrls, Policy, SitePolicy, rewrite_document, rewrite_parsed};
use rehref_url::RelativeForm;

/// The error returned by [`relative`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelativeError {
    /// The document cannot be parsed.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A site cannot have this URL. The text gives the reason.
    #[error("{0}")]
    SiteUrl(String),
}

/// A link that [`rewrite`] keeps, because its place cannot hold the replacement, even escaped: for example a
/// space in a `srcset`, or a letter that the charset of the document lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {message}", position.line, position.column)]
#[non_exhaustive]
pub struct RefusedLink {
    /// The line and column of the link in the old document, both from 1.
    pub position: Position,
    /// The reference that the link keeps, as the author wrote it, decoded.
    pub reference: String,
    /// A message with the replacement and the reason why it does not fit.
    pub message: String,
}

/// The result of [`rewrite`]: the new document, and the links that could not be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten<'a, F: SourceForm + ?Sized> {
    /// The document with all replacements that fit; borrowed if nothing changed.
    pub document: Cow<'a, F>,
    /// The links that stayed unchanged, because their replacements did not fit, in document order.
    pub refused: Vec<RefusedLink>,
}

impl<'a, F: SourceForm + ?Sized> Rewritten<'a, F> {
    /// Returns the new document, if all replacements fit.
    ///
    /// # Errors
    /// Returns the first link whose replacement did not fit.
    pub fn complete(self) -> Result<Cow<'a, F>, RefusedLink> {
        match self.refused.into_iter().next() {
            Some(refused) => Err(refused),
            None => Ok(self.document),
        }
    }
}

/// Makes every link of the document `source` absolute. `url` is the document's own URL. No byte outside of
/// links changes.
///
/// ```
/// let url = "https://example.org/docs/".parse()?;
/// let html = "<p><a href='guide.html'>Guide</a>";
/// let absolute = rehref::absolute(html, &url, &Default::default())?;
/// assert_eq!(absolute, "<p><a href='https://example.org/docs/guide.html'>Guide</a>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Page::parse`].
pub fn absolute<'a, S: Source<'a>>(
    source: S,
    url: &Url,
    options: &PageOptions,
) -> Result<Cow<'a, S::Form>, DocumentError> {
    apply(source.whole(), url, &Policy::absolute(), options)
}

/// Makes the links of the document `source` to its own site relative. `url` is the document's own URL, and
/// `site` the URL of the directory at which the site is published. Removes the `href` of a `base` element.
///
/// ```
/// use rehref::RelativeForm;
///
/// let url = "https://example.org/docs/a.html".parse()?;
/// let site = "https://example.org/".parse()?;
/// let html = "<a href='https://example.org/b.html'>";
/// let relative = rehref::relative(html, &url, &Default::default(), &site, RelativeForm::Path)?;
/// assert_eq!(relative, "<a href='../b.html'>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Page::parse`], and an error if `site` cannot be the URL of a site, such as a `mailto:` URL.
pub fn relative<'a, S: Source<'a>>(
    source: S,
    url: &Url,
    options: &PageOptions,
    site: &Url,
    form: RelativeForm,
) -> Result<Cow<'a, S::Form>, RelativeError> {
    Ok(apply(source.whole(), url, &relative_policy(site, form)?, options)?)
}

/// Replaces each link of the document `source` with the reference that `replacement` returns for it; `None`
/// keeps the link. `url` is the document's own URL. The new reference is escaped for its place. The links of a
/// list, such as a `srcset`, are replaced together or not at all.
///
/// If the place of a link cannot hold the replacement, the link stays unchanged and is listed in
/// [`Rewritten::refused`]. Use the [document](Rewritten::document) anyway, or call [`Rewritten::complete`] to
/// get an error instead.
///
/// ```
/// let url = "https://example.org/".parse()?;
/// let html = "<img srcset='a.png 1x, b.png 2x'> <a href=c>C</a>";
/// let moved = rehref::rewrite(html, &url, &Default::default(), |link| {
///     Some(format!("/images/{}", link.reference))
/// })?;
/// assert_eq!(
///     moved.complete()?,
///     "<img srcset='/images/a.png 1x, /images/b.png 2x'> <a href=/images/c>C</a>"
/// );
///
/// let spaced = rehref::rewrite(html, &url, &Default::default(), |_| Some("a b".to_owned()))?;
/// assert_eq!(spaced.document, "<img srcset='a.png 1x, b.png 2x'> <a href=\"a b\">C</a>");
/// assert_eq!(spaced.refused[0].to_string(), "line 1, column 14: a b cannot be written in this place");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Page::parse`].
pub fn rewrite<'a, S: Source<'a>>(
    source: S,
    url: &Url,
    options: &PageOptions,
    mut replacement: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Rewritten<'a, S::Form>, DocumentError> {
    let source = source.whole();
    let page = Page::of(source.bytes(), url, options.parse_options::<S::Form>())?;
    let replacements = page.links().map(|link| replacement(&link)).collect();
    let Replaced { changed, refused } = page.replace(replacements)?;
    Ok(Rewritten { document: in_form(source, changed)?, refused })
}

/// The result of replacing the links of a page.
struct Replaced {
    /// The new bytes; `None` if nothing changes.
    changed: Option<Vec<u8>>,
    refused: Vec<RefusedLink>,
}

impl<'a> Page<'a> {
    /// Replaces the links of this page, as [`rewrite`] does, for programs that need all links before they
    /// choose the first replacement. `replacements` gives one replacement for each link, in the order of
    /// [`Page::links`]. `None` keeps the link, and so does an iterator that ends early.
    ///
    /// ```
    /// use rehref::Page;
    ///
    /// let url = "https://example.org/".parse()?;
    /// let page = Page::parse("<a href=a>A</a> <a href=b>B</a>", &url, &Default::default())?;
    /// let count = page.links().count();
    /// let replacements = page.links().map(|link| Some(format!("{}-of-{count}", link.reference)));
    /// let rewritten = page.rewrite(replacements)?;
    /// assert_eq!(rewritten.complete()?, &b"<a href=a-of-2>A</a> <a href=b-of-2>B</a>"[..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the new document cannot be written in its charset without loss.
    pub fn rewrite(
        &self,
        replacements: impl IntoIterator<Item = Option<String>>,
    ) -> Result<Rewritten<'a, [u8]>, DocumentError> {
        let Replaced { changed, refused } = self.replace(replacements.into_iter().collect())?;
        Ok(Rewritten { document: in_form(self.source, changed)?, refused })
    }

    fn replace(&self, replacements: Vec<Option<String>>) -> Result<Replaced, DocumentError> {
        let references = self.document.references.iter().zip(replacements);
        let fixes = references.filter_map(|(reference, replacement)| {
            let fix = Fix {
                span: self.document.span_of(reference),
                reference: self.document.text_of(reference).to_owned(),
                replacement: replacement?,
            };
            Some((self.url.as_str(), fix))
        });
        let policy = Policy::Fix(Fixes::new(fixes));
        let urls = DocumentUrls::unmoved(&self.url);
        let rewritten = rewrite_parsed(&self.document, urls, &policy, &self.options)?;
        let code = SkipReason::Inexpressible.code();
        let refused = rewritten.diagnostics.iter().filter(|it| it.code == code);
        let refused = refused.filter_map(|it| {
            Some(RefusedLink {
                position: it.location.position?,
                reference: it.reference.as_deref().unwrap_or_default().to_owned(),
                message: it.message.to_string(),
            })
        });
        Ok(Replaced { refused: refused.collect(), changed: rewritten.into_bytes(self.source) })
    }
}

/// A writer that receives a document in chunks, and writes it with new links to `W`.
///
/// The rewriter keeps the whole document, and writes nothing before [`Rewriter::finish`], because the end of a
/// document can change the meaning of its first links: a `base` element applies to links before it, a late
/// `meta` element changes the charset, an open quote makes the rest of the document its value, and XML with an
/// error at its end is not rewritten at all. The rewriter keeps one document and its new links in memory;
/// [`absolute`] and [`relative`] keep two documents.
///
/// ```
/// use std::io::Write;
///
/// use rehref::{PageOptions, Rewriter};
///
/// let url = "https://example.org/docs/".parse()?;
/// let mut rewriter = Rewriter::absolute(Vec::new(), &url, &PageOptions::default());
/// for chunk in ["<a hr", "ef=a>A</a> <base hre", "f=/>"] {
///     rewriter.write_all(chunk.as_bytes())?;
/// }
/// let out = rewriter.finish()?;
/// assert_eq!(out, b"<a href=https://example.org/a>A</a> <base href=https://example.org/>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W> {
    out: W,
    url: Url,
    policy: Policy,
    options: ParseOptions,
    document: Vec<u8>,
}

impl<W: Write> Rewriter<W> {
    /// Creates a rewriter that makes links absolute, as [`absolute`] does, and writes to `out`.
    pub fn absolute(out: W, url: &Url, options: &PageOptions) -> Rewriter<W> {
        Rewriter::new(out, url, options, Policy::absolute())
    }

    /// Creates a rewriter that makes links relative, as [`relative`] does, and writes to `out`.
    ///
    /// # Errors
    /// Returns an error if `site` cannot be the URL of a site.
    pub fn relative(
        out: W,
        url: &Url,
        options: &PageOptions,
        site: &Url,
        form: RelativeForm,
    ) -> Result<Rewriter<W>, RelativeError> {
        Ok(Rewriter::new(out, url, options, relative_policy(site, form)?))
    }

    fn new(out: W, url: &Url, options: &PageOptions, policy: Policy) -> Rewriter<W> {
        let options = options.parse_options::<[u8]>();
        Rewriter { out, url: url.clone(), policy, options, document: Vec::new() }
    }

    /// Writes the document with its new links, and returns the writer `W`.
    ///
    /// # Errors
    /// Returns the errors of [`Page::parse`], without writing anything, and the errors of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        let urls = DocumentUrls::unmoved(&self.url.0);
        let rewritten = rewrite_document(&self.document, urls, &self.policy, &self.options);
        let rewritten = rewritten.map_err(io::Error::other)?;
        match rewritten.contents(&self.document) {
            Some(changed) => {
                // A piece is a new link, or what is between two.
                let mut out = BufWriter::new(&mut self.out);
                changed.pieces().try_for_each(|piece| out.write_all(piece))?;
                out.flush()?;
            }
            None => self.out.write_all(&self.document)?,
        }
        Ok(self.out)
    }
}

/// Adds chunks of the document, of any length.
impl<W> Write for Rewriter<W> {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        self.document.extend_from_slice(chunk);
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn relative_policy(site: &Url, form: RelativeForm) -> Result<Policy, RelativeError> {
    let policy = SitePolicy::relative(site.as_str(), form);
    let policy = policy.map_err(|error| RelativeError::SiteUrl(error.to_string()))?;
    Ok(Policy::site(policy))
}

fn apply<'a, F: SourceForm + ?Sized>(
    source: &'a F,
    url: &Url,
    policy: &Policy,
    options: &PageOptions,
) -> Result<Cow<'a, F>, DocumentError> {
    let urls = DocumentUrls::unmoved(&url.0);
    let bytes = source.bytes();
    let rewritten = rewrite_document(bytes, urls, policy, &options.parse_options::<F>())?;
    in_form(source, rewritten.into_bytes(bytes))
}

/// The document `source` after it has `changed`.
fn in_form<F: SourceForm + ?Sized>(
    source: &F,
    changed: Option<Vec<u8>>,
) -> Result<Cow<'_, F>, DocumentError> {
    Ok(match changed {
        Some(changed) => Cow::Owned(F::changed(changed)?),
        None => Cow::Borrowed(source),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_document::DocumentKind;

    /// Replaces all links of the bytes `html` with `replacement`.
    fn replace<'a>(html: &'a str, replacement: &str) -> Result<Cow<'a, [u8]>, RefusedLink> {
        let url = "https://example.org/".parse().unwrap();
        let replacement = |_: &Link<'_>| Some(replacement.to_owned());
        let replaced = rewrite(html.as_bytes(), &url, &PageOptions::default(), replacement);
        replaced.unwrap().complete()
    }

    #[test]
    fn a_rewriter_writes_many_links_in_few_pieces() {
        struct Counter(usize);
        impl Write for Counter {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 += 1;
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let url = "https://example.org/".parse().unwrap();
        let mut rewriter = Rewriter::absolute(Counter(0), &url, &PageOptions::default());
        rewriter.write_all("<a href=b>".repeat(1000).as_bytes()).unwrap();
        let writes = rewriter.finish().unwrap().0;
        assert!(writes < 10, "{writes}");
    }

    #[test]
    fn a_link_in_a_header_never_ends_it() {
        let url = "https://example.org/".parse().unwrap();
        let message = b"Content-Type: text/html\nLink: <x>\n\n<p>";
        let options = PageOptions::from(DocumentKind::Message);
        for with in ["a\r\nX-Other: b", "\n"] {
            let replaced = rewrite(message, &url, &options, |_| Some(with.to_owned())).unwrap();
            assert!(replaced.complete().is_err(), "{with}");
        }
    }

    #[test]
    fn a_refused_link_keeps_the_others_of_the_document() {
        let url = "https://example.org/".parse().unwrap();
        let html = "<meta charset=windows-1252><a href=a>A</a>\n<img srcset='b, c'><a href=d>";
        let spaced = rewrite(html, &url, &PageOptions::default(), |link| {
            Some(format!("{} \u{4e2d}", link.reference))
        });
        let spaced = spaced.unwrap();
        let expected = "<meta charset=windows-1252><a href=\"a \u{4e2d}\">A</a>\n<img srcset='b, c'><a href=\"d \u{4e2d}\">";
        assert_eq!(spaced.document, expected);
        let refused = spaced.refused.iter().map(|it| (it.position.line, &*it.reference));
        assert_eq!(refused.collect::<Vec<_>>(), [(2, "b"), (2, "c")]);
    }

    #[test]
    fn text_is_utf_8_whatever_it_declares() {
        let url = "https://example.org/".parse().unwrap();
        let options = PageOptions::default().with_charset("utf-16le");
        for html in ["<meta charset=iso-2022-jp><a href=ü>", "\u{FEFF}<meta charset=gbk><a href=ü>"]
        {
            let expected = html.replace('ü', "https://example.org/ü");
            assert_eq!(absolute(html, &url, &options).unwrap(), expected);
        }
    }

    #[test]
    fn a_link_in_a_conditional_comment_never_ends_it() {
        for with in ["-->", "a--", "--!>x"] {
            let html = "<!--[if IE]><a href=x>y</a><![endif]-->";
            assert!(replace(html, with).is_err(), "{with}");
        }
    }

    /// Escaped where the syntax has escapes, refused with the place where it has none.
    #[test]
    fn a_replacement_is_the_new_link_or_an_error() {
        const PAGES: [&str; 9] = [
            "<img srcset='a.png 1x, b.png 2x'>",
            "<meta http-equiv=refresh content=\"0; url='a.html'\">",
            "<a href=x>y</a>",
            "<a href='x' ping='p q'>y</a>",
            "<style>a{background:url(x.png)}</style>",
            "<style>a{background:url('x.png')}</style>",
            "<meta charset=windows-1252><a href=x>y</a>",
            "<script type=importmap>{\"imports\":{\"a\":\"./x.js\"}}</script>",
            "<iframe srcdoc=\"<img srcset='a.png 1x'>\"></iframe>",
        ];
        const NEW: [&str; 16] = [
            "new", "./n", "a b", "a'b", "a\"b", "a,b", ",a", "ü", "\u{4e2d}", "a)b", "a\\b",
            "&amp;", "", " x ", "a\nb", "></style></script>",
        ];
        let url = "https://example.org/".parse().unwrap();
        let texts = |html: &[u8]| -> Vec<String> {
            let page = Page::parse(html, &url, &PageOptions::default()).unwrap();
            page.links().map(|link| link.reference.to_owned()).collect()
        };
        let mut refused = Vec::new();
        for html in PAGES {
            for new in NEW {
                match replace(html, new) {
                    Ok(changed) => {
                        let expected = vec![new.to_owned(); texts(html.as_bytes()).len()];
                        assert_eq!(texts(&changed), expected, "{html} {new:?}");
                    }
                    Err(error) => {
                        assert!(error.to_string().contains(new), "{error}");
                        refused.push((html, new));
                    }
                }
            }
        }
        assert!(refused.contains(&(PAGES[0], "a b")) && refused.contains(&(PAGES[6], "ü")));
        assert!(refused.contains(&(PAGES[7], "new")) && !refused.contains(&(PAGES[7], "./n")));
        assert!(refused.len() < PAGES.len() * NEW.len() / 2, "{refused:?}");
    }
}
