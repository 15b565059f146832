//! The formats of redirects, one row of a table each, and the writing of a whole file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

use super::page::PageRedirect;
use super::redirect::{HEADER, Redirect, RedirectText, UnsupportedRedirect};
use super::{apache, json, netlify, nginx};
use rehref_document::redirects::RedirectSyntax;
use rehref_generators::markdown::{DIALECTS, GeneratorRedirects, MarkdownDialect};
use rehref_url::Url;

/// A format of redirects, as in `--write-redirects`.
#[derive(Debug)]
pub struct RedirectFormat {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// One line of help: the servers that read the format, and where rehref writes it.
    pub help: &'static str,
    /// The file in the site's root directory that servers read; `None` if they read no such file.
    pub file: Option<&'static str>,
    /// True if servers read this file only at the root of a host.
    pub is_of_host: bool,
    /// The number of rules above which the documentation of the format's server advises against a
    /// single list.
    pub advised_rules: Option<usize>,
    /// True if servers ignore a slash at the end of the old path, so that one rule covers both URLs of a
    /// folder.
    pub ignores_slash: bool,
    /// True if servers do not start when two rules have the same old path.
    pub refuses_duplicates: bool,
    /// The generator that reads the format; `None` if a server does.
    pub generator: Option<MarkdownDialect>,
    /// The syntax in which rehref reads the rules; `None` for formats of generators, and for pages.
    pub syntax: Option<RedirectSyntax>,
    /// The function that writes redirects in this format.
    pub writer: RedirectWriter,
}

/// The way in which a format is written.
#[derive(Clone, Copy, Debug)]
pub enum RedirectWriter {
    /// One rule per line; the function writes one without its line end.
    Rules(fn(&Redirect) -> Result<Vec<u8>, &'static str>),
    /// One text for all redirects.
    List(fn(&[Redirect]) -> RedirectText<'_>),
    /// One HTML page at each old path: [`super::stub()`].
    Pages,
    /// The redirects that a generator reads.
    Generator(GeneratorRedirects),
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
pub static FORMATS: LazyLock<Vec<RedirectFormat>> = LazyLock::new(|| {
    let of_generators = DIALECTS.iter().flat_map(|dialect| {
        dialect.row().redirects.iter().map(|row| RedirectFormat {
            name: row.name,
            help: row.help,
            generator: Some(*dialect),
            writer: RedirectWriter::Generator(row.place),
            ..ROW
        })
    });
    SERVERS.into_iter().chain(of_generators).collect()
});

/// The formats that servers read, and pages.
const SERVERS: [RedirectFormat; 5] = [
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

    /// Writes the redirects of `pages` in the format of a generator's configuration. The text is empty for
    /// other formats.
    pub fn write_pages(&self, pages: &[PageRedirect<'_>]) -> RedirectText<'static> {
        let text = match self.writer {
            RedirectWriter::Generator(GeneratorRedirects::Json(line)) => {
                json::array(pages.iter().map(|page| page.line(line)))
            }
            RedirectWriter::Generator(GeneratorRedirects::Lines { start, line, end }) => {
                let lines: String = pages.iter().map(|page| page.line(line)).collect();
                [HEADER, start.as_bytes(), lines.as_bytes(), end.as_bytes()].concat()
            }
            _ => return RedirectText::default(),
        };
        RedirectText { text, written: pages.len(), unsupported: Vec::new() }
    }

    /// Returns the first format that the generator of `dialect` reads.
    pub fn of_generator(dialect: MarkdownDialect) -> Option<&'static RedirectFormat> {
        FORMATS.iter().find(|it| it.generator == Some(dialect))
    }

    /// Returns the format whose rules have this syntax.
    pub fn of_syntax(syntax: RedirectSyntax) -> Option<&'static RedirectFormat> {
        FORMATS.iter().find(|it| it.syntax == Some(syntax))
    }

    /// Returns true if the format is a list of rules, one of which can be `redirect`.
    pub(super) fn has_rule(&self, redirect: &Redirect) -> bool {
        match self.writer {
            RedirectWriter::Rules(rule) => {
                redirect.check_old_url().and_then(|()| rule(redirect)).is_ok()
            }
            _ => false,
        }
    }

    /// Returns true if the format is a page at each old path instead of a file of rules.
    pub fn is_pages(&self) -> bool {
        matches!(self.writer, RedirectWriter::Pages)
    }

    /// Returns true if the format spreads redirects over several files of the tree.
    pub fn is_of_many_files(&self) -> bool {
        let writer = self.writer;
        let is_front_matter =
            matches!(writer, RedirectWriter::Generator(GeneratorRedirects::FrontMatter(_)));
        is_front_matter || self.is_pages()
    }

    /// Returns true if the format is one text to which rules cannot be added.
    pub fn is_whole(&self) -> bool {
        let is_text = matches!(self.writer, RedirectWriter::List(_) | RedirectWriter::Generator(_));
        is_text && !self.is_of_many_files()
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
            let line = match seen.entry(self.key(redirect)) {
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
