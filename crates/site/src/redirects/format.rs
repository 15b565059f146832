//! The formats of redirects, one row of a table each, and the writing of a whole file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::page::{self, PageRedirect};
use super::redirect::{HEADER, Redirect, RedirectText, UnsupportedRedirect};
use super::{apache, json, netlify, nginx};
use rehref_document::redirects::RedirectSyntax;
use rehref_generators::markdown::MarkdownDialect;
use rehref_url::Url;

/// A format of redirects.
#[derive(Debug)]
pub struct RedirectFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help: the servers that read the format, and where rehref writes it.
    pub help: &'static str,
    /// The file in the site's root directory that servers read.
    pub file: Option<&'static str>,
    /// Whether servers read this file only at the root of a host.
    pub is_of_host: bool,
    /// The number of rules above which the documentation of the format's server advises against a
    /// single list.
    pub advised_rules: Option<usize>,
    /// Whether servers ignore a slash at the end of the old path, so that one rule is for both URLs of a folder.
    pub ignores_slash: bool,
    /// Whether servers do not start when two rules have the same old path.
    pub refuses_duplicates: bool,
    /// The generator that reads the format; `None` if a server does.
    pub generator: Option<MarkdownDialect>,
    /// The syntax in which the rules are read again; `None` for formats of generators, and pages.
    pub syntax: Option<RedirectSyntax>,
    /// Writes redirects.
    pub writer: RedirectWriter,
}

/// The way to write a format.
#[derive(Clone, Copy, Debug)]
pub enum RedirectWriter {
    /// One rule per line; the function writes one without its line end.
    Rules(fn(&Redirect) -> Result<Vec<u8>, &'static str>),
    /// One text for all redirects.
    List(fn(&[Redirect]) -> RedirectText<'_>),
    /// One HTML page at each old path: [`super::stub()`].
    Pages,
    /// One text for the configuration of a generator.
    Configuration(fn(&[PageRedirect<'_>]) -> Vec<u8>),
    /// The old URLs are added to a list in the front matter of each moved document.
    FrontMatter(FrontMatterList),
}

/// A list in front matter.
#[derive(Clone, Copy, Debug)]
pub struct FrontMatterList {
    /// The key of the list.
    pub key: &'static str,
    /// Whether a document without front matter gets one.
    pub creates: bool,
}

/// A row with what most formats have: no file and no advice.
const ROW: RedirectFormat = RedirectFormat {
    name: "",
    help: "",
    file: None,
    is_of_host: false,
    advised_rules: None,
    ignores_slash: false,
    refuses_duplicates: false,
    generator: None,
    syntax: None,
    writer: RedirectWriter::Pages,
};

/// All formats, in the order of the help.
pub static FORMATS: [RedirectFormat; 12] = [
    RedirectFormat {
        name: "netlify",
        help: "Rules for Netlify and compatible hosts, in _redirects",
        file: Some("_redirects"),
        is_of_host: true,
        advised_rules: Some(netlify::ADVISED_RULES),
        ignores_slash: true,
        syntax: Some(RedirectSyntax::Netlify),
        writer: RedirectWriter::Rules(netlify::rule),
        ..ROW
    },
    RedirectFormat {
        name: "apache",
        help: "Rules for Apache's mod_alias, in .htaccess",
        file: Some(".htaccess"),
        syntax: Some(RedirectSyntax::Apache),
        writer: RedirectWriter::Rules(apache::rule),
        ..ROW
    },
    RedirectFormat {
        name: "nginx",
        help: "Locations for a server block of nginx, on stdout",
        refuses_duplicates: true,
        syntax: Some(RedirectSyntax::Nginx),
        writer: RedirectWriter::Rules(nginx::rule),
        ..ROW
    },
    RedirectFormat {
        name: "html",
        help: "An HTML page at the old path of each HTML page; other files get no redirect",
        writer: RedirectWriter::Pages,
        ..ROW
    },
    RedirectFormat {
        name: "json",
        help: "A JSON list, on stdout",
        syntax: Some(RedirectSyntax::Json),
        writer: RedirectWriter::List(json::list),
        ..ROW
    },
    RedirectFormat {
        name: "mkdocs-redirects",
        help: "Settings of the plugin redirects of MkDocs, for mkdocs.yml, on stdout",
        generator: Some(MarkdownDialect::MkDocs),
        writer: RedirectWriter::Configuration(page::mkdocs),
        ..ROW
    },
    RedirectFormat {
        name: "docusaurus",
        help: "The redirects of Docusaurus's plugin client-redirects, in JSON, on stdout",
        generator: Some(MarkdownDialect::Docusaurus),
        writer: RedirectWriter::Configuration(page::docusaurus),
        ..ROW
    },
    RedirectFormat {
        name: "hugo",
        help: "Aliases in the front matter of moved pages, which Hugo makes redirects of",
        generator: Some(MarkdownDialect::Hugo),
        writer: RedirectWriter::FrontMatter(FrontMatterList { key: "aliases", creates: true }),
        ..ROW
    },
    RedirectFormat {
        name: "sphinx",
        help: "The setting of sphinx-reredirects, for conf.py, on stdout",
        generator: Some(MarkdownDialect::Sphinx),
        writer: RedirectWriter::Configuration(page::sphinx_reredirects),
        ..ROW
    },
    RedirectFormat {
        name: "rediraffe",
        help: "The setting of sphinxext-rediraffe, for conf.py, on stdout",
        generator: Some(MarkdownDialect::Sphinx),
        writer: RedirectWriter::Configuration(page::rediraffe),
        ..ROW
    },
    RedirectFormat {
        name: "mdbook",
        help: "The table output.html.redirect of mdBook, for book.toml, on stdout",
        generator: Some(MarkdownDialect::MdBook),
        writer: RedirectWriter::Configuration(page::mdbook),
        ..ROW
    },
    RedirectFormat {
        name: "jekyll",
        help: "redirect_from in the front matter of moved pages, which Jekyll can read",
        generator: Some(MarkdownDialect::Jekyll),
        writer: RedirectWriter::FrontMatter(FrontMatterList {
            key: "redirect_from",
            creates: false,
        }),
        ..ROW
    },
];

impl RedirectFormat {
    /// Writes `redirects` in this format. Of equal redirects, only the first is written. The text
    /// is empty for [`RedirectWriter::Pages`], which are not a single file, and for formats of generators, see
    /// [`RedirectFormat::write_pages`].
    pub fn write<'r>(&self, redirects: &'r [Redirect]) -> RedirectText<'r> {
        match self.writer {
            RedirectWriter::Rules(rule) => self.rules(redirects, rule),
            RedirectWriter::List(list) => list(redirects),
            _ => RedirectText::default(),
        }
    }

    /// Writes the redirects of `pages` in the format of a generator's configuration; the text is empty for others.
    pub fn write_pages(&self, pages: &[PageRedirect<'_>]) -> RedirectText<'static> {
        match self.writer {
            RedirectWriter::Configuration(write) => {
                RedirectText { text: write(pages), written: pages.len(), unsupported: Vec::new() }
            }
            _ => RedirectText::default(),
        }
    }

    /// The first format that the generator of `dialect` reads.
    pub fn of_generator(dialect: MarkdownDialect) -> Option<&'static RedirectFormat> {
        FORMATS.iter().find(|it| it.generator == Some(dialect))
    }

    /// The format whose rules have this syntax.
    pub fn of_syntax(syntax: RedirectSyntax) -> Option<&'static RedirectFormat> {
        FORMATS.iter().find(|it| it.syntax == Some(syntax))
    }

    /// Whether the format is a page at each old path instead of a file of rules.
    pub fn is_pages(&self) -> bool {
        matches!(self.writer, RedirectWriter::Pages)
    }

    /// Whether the redirects are in several files of the tree, not in one that can be named.
    pub fn is_of_many_files(&self) -> bool {
        matches!(self.writer, RedirectWriter::Pages | RedirectWriter::FrontMatter(_))
    }

    /// Whether the format is one text to which nothing can be added.
    pub fn is_whole(&self) -> bool {
        matches!(self.writer, RedirectWriter::List(_) | RedirectWriter::Configuration(_))
    }

    fn rules<'r>(
        &self,
        redirects: &'r [Redirect],
        rule: fn(&Redirect) -> Result<Vec<u8>, &'static str>,
    ) -> RedirectText<'r> {
        let mut result =
            RedirectText { text: HEADER.to_vec(), written: 0, unsupported: Vec::new() };
        let mut seen: HashMap<Vec<u8>, &Url> = HashMap::with_capacity(redirects.len());
        for redirect in redirects {
            let line = match seen.entry(self.key(&redirect.from)) {
                Entry::Occupied(first) if **first.get() == redirect.to => continue,
                Entry::Occupied(_) => {
                    Err("an earlier redirect from the same path has a different target")
                }
                Entry::Vacant(free) => {
                    redirect.check_old_url().and_then(|()| rule(redirect)).inspect(|_| {
                        free.insert(&redirect.to);
                    })
                }
            };
            match line {
                Ok(line) => {
                    result.text.extend_from_slice(&line);
                    result.text.push(b'\n');
                    result.written += 1;
                }
                Err(reason) => result.unsupported.push(UnsupportedRedirect { redirect, reason }),
            }
        }
        result
    }
}
