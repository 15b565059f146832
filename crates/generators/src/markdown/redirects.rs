//! The formats of redirects that generators read: columns of the table of dialects.

/// A format of redirects that a generator reads, as in `--write-redirects`.
#[derive(Debug)]
pub struct RedirectRow {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// One line of help for the format.
    pub help: &'static str,
    /// The place where the generator reads the redirects.
    pub place: GeneratorRedirects,
}

/// The place in which a generator reads redirects.
#[derive(Clone, Copy, Debug)]
pub enum GeneratorRedirects {
    /// Lines of its configuration, between two texts.
    Lines { start: &'static str, line: RedirectLine, end: &'static str },
    /// A list in JSON.
    Json(RedirectLine),
    /// A list in the front matter of each moved document.
    FrontMatter(FrontMatterList),
}

/// A template of a redirect in a configuration: the texts before, between and after the names of the old and
/// the new page, and the forms of these names.
#[derive(Clone, Copy, Debug)]
pub struct RedirectLine(pub [&'static str; 3], pub RedirectName, pub RedirectName);

/// The form in which a configuration names a page.
#[derive(Clone, Copy, Debug)]
pub enum RedirectName {
    /// The path of the document.
    File,
    /// The name of a document of Sphinx.
    DocumentName,
    /// The URL from the root of the generator's site, not encoded.
    RootUrl,
    /// The URL, relative to the old page.
    FromOld,
}

/// A list in front matter, to which old URLs are added.
#[derive(Clone, Copy, Debug)]
pub struct FrontMatterList {
    /// The key of the list.
    pub key: &'static str,
    /// The plugin that reads the list, which the generator does not have by itself, and the files that name plugins.
    pub plugin: Option<(&'static str, &'static [&'static str])>,
    /// True if rehref adds front matter to a document that has none.
    pub creates: bool,
}
