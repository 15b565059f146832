//! Makers of pages and anchors that the sources do not have: plugins, components, themes. A link to one of these is not
//! surely broken.

use std::path::Path;

use super::front_matter::block;
use super::known;
use super::lines::lines_outside_code;
use super::prepared::UnreadLink;
use super::project::Project;
use memchr::memmem;
use rehref_url::scheme;

/// A maker: a plugin, component, setting or module that may make pages or anchors which the sources do not
/// have.
#[derive(Debug, PartialEq, Eq)]
pub struct Maker {
    /// The name of the maker in messages; for a component, its kind.
    pub name: &'static str,
    /// The sign of the maker in a project; `None` if every project may have the maker.
    pub project: Option<ProjectSign>,
    /// The sign of the maker in a page; `None` for a maker of pages, or of anchors on all pages.
    pub page: Option<PageSign>,
    /// What the maker may make: for example pages, files or anchors.
    pub makes: Makes,
}

/// The sign by which rehref recognizes a maker in a project.
#[derive(Debug, PartialEq, Eq)]
pub enum ProjectSign {
    /// The configuration has this word.
    Setting(&'static str),
    /// The project has a file or folder at this path.
    File(&'static str),
    /// A file at this path, or in this directory, has this text.
    FileWith(&'static str, &'static str),
    /// A program that this setting names has one of these words, or is not read.
    Program(&'static str, &'static [&'static str]),
    /// The setting at this path, in which letter case does not count, has another value than these.
    OtherThan(&'static str, &'static [&'static str]),
    /// A word of the configuration, but not with rules that are read.
    Computed(&'static str),
    /// A key of a program whose value is not read: the program computes it.
    NotLiteral(&'static str),
    /// The setting at this path, or the whole configuration if it is empty, has a name that is none of these; those are
    /// read, or have no influence.
    Besides(&'static str, &'static [&'static str]),
    /// A line of the file at this path, or of the configuration if it is empty, has a name after one of these starts that is
    /// none of the last.
    LineBesides(&'static str, &'static [&'static str], &'static [&'static str]),
    /// The configuration, a program, imports a module that is none of these, or one of the project that changes pages.
    ModuleBesides(&'static [&'static str]),
    /// The configuration, a program, imports a module of the project, besides these, that makes pages or files.
    WritingModule(&'static [&'static str]),
    /// The configuration, a program in Python, starts another program with other words than these, or one that rehref cannot
    /// name.
    CommandBesides(&'static [&'static str]),
}

/// The sign by which rehref recognizes that a maker makes something in a page.
#[derive(Debug, PartialEq, Eq)]
pub enum PageSign {
    /// A line outside of code has this text.
    Text(&'static str),
    /// The page has an element whose name begins with a capital letter; those with these names make no anchors.
    ComponentBesides(&'static [&'static str]),
    /// The page has markup with this opener, whose first word is none of these.
    MarkupBesides(&'static str, &'static [&'static str]),
    /// An element has an id with one of these openers of markup.
    IdWith(&'static [&'static str]),
    /// The page has no text of its own: front matter and comments at most.
    NoText,
}

/// What a maker may make: for example pages, files or anchors.
#[derive(Debug, PartialEq, Eq)]
pub enum Makes {
    /// Anchors.
    Anchors,
    /// Text of files that rehref does not read, with anchors, and with links that resolve against the page.
    Text,
    /// Other ids of headings, with the letters and digits of these.
    HeadingIds,
    /// Labels of this form, by which links find places of other pages and projects.
    Labels(LabelForm),
    /// Pages and files whose paths in the site begin with one of these; an empty one stands for any. After a slash, it may
    /// be below any directory.
    Pages(&'static [&'static str]),
    /// The same of pages only: no other files, and no documents but those of a program (reStructuredText).
    Routes(&'static [&'static str]),
    /// Files whose paths end with one of these.
    Endings(&'static [&'static str]),
    /// All of these: rehref does not read it. It may make pages and change links, but no document beside another one with
    /// a similar name.
    Anything,
}

/// The form of the labels that a maker may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelForm {
    /// Any name.
    Any,
    /// The name of an object in Python.
    Python,
    /// The name of another project, a colon and a name.
    OfProject,
}

impl LabelForm {
    /// Returns true if a label can be `name`.
    fn has(self, name: &str) -> bool {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        match self {
            LabelForm::Any => true,
            LabelForm::Python => {
                name.split('.').all(|it| !it.is_empty() && it.chars().all(is_word))
            }
            LabelForm::OfProject => {
                let parts = name.split_once(':');
                parts.is_some_and(|(project, rest)| !project.is_empty() && !rest.is_empty())
            }
        }
    }
}

/// A text that takes the place of markup, and is not read.
pub(super) static INCLUDED: Maker = Maker::of("an included text", Makes::Anchors);

/// A directive of a domain or an extension.
pub(super) static DIRECTIVE: Maker = Maker::of("a directive", Makes::Anchors);

impl Maker {
    /// Returns a maker that every project may have.
    pub(super) const fn of(name: &'static str, makes: Makes) -> Maker {
        Maker { name, project: None, page: None, makes }
    }

    /// Returns a plugin that is configured by its name.
    pub(super) const fn plugin(name: &'static str, makes: Makes) -> Maker {
        Maker::of(name, makes).in_projects(ProjectSign::Setting(name))
    }

    /// Returns the same with another name in messages.
    pub(super) const fn called(self, name: &'static str) -> Maker {
        Maker { name, ..self }
    }

    /// Returns the same in projects with this sign.
    pub(super) const fn in_projects(self, sign: ProjectSign) -> Maker {
        Maker { project: Some(sign), ..self }
    }

    /// Returns the same on pages with this sign.
    pub(super) const fn on_pages(self, sign: PageSign) -> Maker {
        Maker { page: Some(sign), ..self }
    }

    /// Returns the same on pages that have this `text`.
    pub(super) const fn on_pages_with(self, text: &'static str) -> Maker {
        self.on_pages(PageSign::Text(text))
    }

    /// Returns the name of the maker in messages, if the project uses the maker.
    pub fn found_in(&self, project: &Project<'_>) -> Option<String> {
        let is_in = match self.project {
            Some(ProjectSign::Setting(word)) => has_word(project.configuration, word),
            Some(ProjectSign::File(path)) => (project.has)(Path::new(path)),
            Some(ProjectSign::FileWith(path, text)) => {
                (project.read)(path).is_some_and(|it| it.contains(text))
            }
            Some(ProjectSign::Program(key, words)) => {
                project.settings.all(key).any(|path| match (project.read)(path) {
                    Some(text) => words.iter().any(|it| has_word(&text, it)),
                    None => true,
                })
            }
            Some(ProjectSign::OtherThan(key, value)) => {
                project.settings.at(key).is_some_and(|it| !value.contains(&it))
            }
            Some(ProjectSign::Computed(word)) => is_computed(project, word),
            Some(ProjectSign::NotLiteral(key)) => {
                let patterns = [format!("**.{key}"), format!("**.{key}.**")];
                let mut patterns = patterns.iter();
                has_word(project.configuration, key)
                    && !patterns.any(|it| project.settings.all(it).next().is_some())
            }
            Some(ProjectSign::Besides(at, names)) => {
                return self.named(known::other_setting(project.settings, at, names)?);
            }
            Some(ProjectSign::LineBesides(path, starts, names)) => {
                let text = match path {
                    "" => project.configuration.to_owned(),
                    _ => (project.read)(path)?,
                };
                return self.named(known::other_line(&text, starts, names)?);
            }
            Some(ProjectSign::ModuleBesides(names)) => {
                return self.named(known::other_module(project, names, false)?);
            }
            Some(ProjectSign::WritingModule(names)) => {
                return Some(format!(
                    "{} `{}`",
                    self.name,
                    known::other_module(project, names, true)?
                ));
            }
            Some(ProjectSign::CommandBesides(names)) => {
                known::other_command(project.configuration, names).is_some()
            }
            None => true,
        };
        is_in.then(|| self.name.to_owned())
    }

    /// The name of what is not read, and called `own`.
    fn named(&self, own: String) -> Option<String> {
        Some(format!("{} `{own}`, which rehref does not read,", self.name))
    }

    /// Returns true if the maker may make the page or file at `path`, from the root of the site.
    pub fn makes_page(&self, path: &str) -> bool {
        let is_file = || {
            let extension = Path::new(path).extension().and_then(|it| it.to_str());
            let is_other = |it: &str| {
                !["html", "rst"].contains(&it) && it.contains(|c: char| c.is_alphabetic())
            };
            extension.is_some_and(is_other) && !path.ends_with('/')
        };
        let starts = match self.makes {
            Makes::Pages(starts) => starts,
            Makes::Routes(starts) if !is_file() => starts,
            Makes::Endings(ends) => return ends.iter().any(|end| path.ends_with(end)),
            _ => return false,
        };
        starts.iter().any(|start| {
            path.starts_with(start.trim_start_matches('/'))
                || start.starts_with('/') && path.contains(start)
        })
    }

    /// Returns true if rehref does not know the maker, which may therefore make pages and change links.
    pub fn is_unread(&self) -> bool {
        self.makes == Makes::Anything
    }

    /// Returns true if the maker may make the label `name`.
    pub fn makes_label(&self, name: &str) -> bool {
        match self.makes {
            Makes::Labels(form) => form.has(name),
            Makes::Anything => true,
            _ => false,
        }
    }

    /// Returns true if the maker may make anchors on all pages.
    pub fn makes_anchors_everywhere(&self) -> bool {
        self.page.is_none() && matches!(self.makes, Makes::Anchors | Makes::Anything)
    }

    /// Returns the names of the objects whose text the maker shows in a page with the text `source`; see [`Makes::Text`].
    pub fn shown_in<'s>(&self, source: &'s str) -> impl Iterator<Item = &'s str> {
        let sign = match (&self.makes, &self.page) {
            (Makes::Text, Some(PageSign::Text(sign))) => Some(*sign),
            _ => None,
        };
        sign.into_iter().flat_map(move |sign| {
            lines_outside_code(source, 0).filter_map(move |it| it.trimmed().strip_prefix(sign))
        })
    }
}

/// Returns true if the configuration has `word`, and not only rules in an object that are all read.
fn is_computed(project: &Project<'_>, word: &str) -> bool {
    let text = project.configuration;
    let uses = text.match_indices(word).filter_map(|(at, _)| text.get(at + word.len()..));
    let mut objects = uses.map(|rest| {
        let rest = rest.trim_start().trim_start_matches([':', '=']).trim_start();
        rest.strip_prefix('{').and_then(|it| it.split_once('}')).map(|(inner, _)| inner)
    });
    let is_literal = |inner: Option<&str>| {
        let is_plain = |it: &str| !it.contains("...") && !it.contains(['`', '[']);
        inner.is_some_and(|it| {
            is_plain(it) && !it.split(['\'', '"']).step_by(2).any(|it| it.contains('('))
        })
    };
    has_word(text, word)
        && (!objects.any(is_literal) || project.settings.rewrites().any(|it| it.is_none()))
}

/// Returns true if `text` has `word` in a line that is not a comment.
pub fn has_word(text: &str, word: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_whole = |line: &str, at: usize| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|it| it.chars().next());
        !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    };
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
    lines.any(|line| line.match_indices(word).any(|(at, _)| is_whole(line, at)))
}

/// The start of an attribute with an id.
const ID: &str = " id=";

/// Returns the `makers` that may make anchors on the page with the text `source`, each with its name in messages.
pub(super) fn makers_of_page(
    source: &str,
    makers: &'static [Maker],
) -> Vec<(&'static Maker, String)> {
    let documents = imported_documents(source);
    let of_pages = makers.iter().filter_map(|it| Some((it, it.page.as_ref()?)));
    let found = of_pages.filter_map(|(maker, sign)| {
        let text = match sign {
            PageSign::Text(text) => text,
            PageSign::ComponentBesides(_) => "<",
            PageSign::MarkupBesides(opener, _) => opener,
            PageSign::IdWith(_) => ID,
            PageSign::NoText => {
                return is_without_text(source).then(|| (maker, maker.name.to_owned()));
            }
        };
        memmem::find(source.as_bytes(), text.as_bytes())?;
        let mut lines = lines_outside_code(source, 0);
        let name = lines.find_map(|line| match sign {
            PageSign::Text(text) => line.text.contains(text).then(|| maker.name.to_owned()),
            PageSign::ComponentBesides(known) => {
                let is_known = |it: &str| known.contains(&it) || documents.contains(&it);
                let component = components(line.text).find(|it| !is_known(it))?;
                Some(format!("<{component}>"))
            }
            PageSign::MarkupBesides(opener, known) => {
                let word = words_after(line.text, opener).find(|it| !known.contains(it))?;
                Some(format!("{} {word}", maker.name))
            }
            PageSign::IdWith(openers) => {
                let mut ids = line.text.split(ID).skip(1);
                let is_made = ids.any(|rest| {
                    let quoted = rest.strip_prefix(['"', '\'']).unwrap_or_default();
                    let id = quoted.split(['"', '\'', '>']).next().unwrap_or_default();
                    openers.iter().any(|opener| id.contains(opener))
                });
                is_made.then(|| maker.name.to_owned())
            }
            PageSign::NoText => None,
        })?;
        Some((maker, name))
    });
    found.collect()
}

/// Returns true if `source` has nothing but front matter and comments.
fn is_without_text(source: &str) -> bool {
    let mut rest =
        block::find(source).map_or(source, |it| source.get(it.whole.end..).unwrap_or_default());
    while let Some((before, comment)) = rest.split_once("<!--") {
        if !before.trim().is_empty() {
            return false;
        }
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    rest.trim().is_empty()
}

/// The first words of the markup with this `opener` in `line`, but for closing tags and comments.
fn words_after<'l>(line: &'l str, opener: &'l str) -> impl Iterator<Item = &'l str> {
    let markup = line.split(opener).skip(1);
    markup.filter_map(|markup| {
        let markup = markup.trim_start_matches('-').trim_start();
        let end = markup.find(|c: char| !c.is_alphanumeric() && !"_-./".contains(c));
        let word = markup.get(..end.unwrap_or(markup.len()))?;
        (!word.is_empty() && !word.starts_with('/')).then_some(word)
    })
}

/// The names of the components in `source` that are imported documents, which are read as parts of the page.
fn imported_documents(source: &str) -> Vec<&str> {
    let imports = source.lines().filter_map(|line| line.strip_prefix("import "));
    let documents = imports.filter_map(|import| {
        let (name, path) = import.split_once(" from ")?;
        let path = path.trim().trim_end_matches(';').trim_matches(['"', '\'']);
        (path.ends_with(".md") || path.ends_with(".mdx")).then(|| name.trim())
    });
    documents.collect()
}

/// The names of the components whose start tags are in `line`, outside of code.
fn components(line: &str) -> impl Iterator<Item = &str> {
    let is_tag = |at: usize| {
        let before = line.get(..at).unwrap_or_default();
        let is_escaped = before.ends_with('\\');
        // A backtick without a partner opens no code.
        let is_code = before.matches('`').count() % 2 == 1
            && line.get(at..).is_some_and(|rest| rest.contains('`'));
        !is_escaped && !is_code
    };
    let tags = line.match_indices('<').filter(move |(at, _)| is_tag(*at));
    tags.filter_map(|(at, _)| {
        let tag = line.get(at + 1..)?;
        let (name, rest) = match tag.find(|c: char| !c.is_alphanumeric() && c != '.') {
            Some(end) => tag.split_at(end),
            None => (tag, ""),
        };
        let is_tag = rest.is_empty() || rest.starts_with([' ', '\t', '/', '>']);
        (is_tag && name.starts_with(|c: char| c.is_ascii_uppercase())).then_some(name)
    })
}

/// Returns the values in `source` that may be paths and that only a component can read: those without a slash or dots
/// at their start, in attributes that usually hold a link.
pub(super) fn unread_attributes(source: &str) -> Vec<UnreadLink> {
    const NAMES: &[&str] = &["link", "href", "to", "path", "url"];
    let mut unread = Vec::new();
    if memmem::find(source.as_bytes(), b"=\"").is_none() {
        return unread;
    }
    for line in lines_outside_code(source, 0) {
        for component in components(line.text) {
            let at = line.text.find(&format!("<{component}")).unwrap_or_default();
            let tag = line.text.get(at..).unwrap_or_default();
            let tag = tag.get(..tag.find('>').unwrap_or(tag.len())).unwrap_or_default();
            let is_path = |value: &str| {
                value.starts_with(|c: char| c.is_alphanumeric())
                    && value.contains('/')
                    && !value.contains([' ', '{'])
                    && scheme::split(value).is_none()
            };
            let is_unread = tag.split_whitespace().skip(1).any(|attribute| {
                let (name, value) = attribute.split_once("=\"").unwrap_or_default();
                NAMES.contains(&name) && is_path(value.split('"').next().unwrap_or_default())
            });
            if is_unread {
                unread.push(UnreadLink::Parameter(format!("<{component}>")));
            }
        }
    }
    unread
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::settings::Settings;

    #[test]
    fn a_word_of_a_setting_is_whole_and_in_no_comment() {
        for (text, expected) in [
            ("plugins:\n  - gen-files:\n", true),
            ("plugins: [search, gen-files]", true),
            ("plugins:\n  # - gen-files\n", false),
            ("plugins: [my-gen-files]", false),
            ("", false),
        ] {
            assert_eq!(has_word(text, "gen-files"), expected, "{text}");
        }
    }

    #[test]
    fn components_have_names_with_a_capital_letter() {
        let line = "{{< a/b c >}} {{</* d */>}} {{< /a >}} {{<e>}}";
        assert_eq!(words_after(line, "{{<").collect::<Vec<_>>(), ["a/b", "e"]);
        let line = "a <Api.Table x={1}/> <b> </C> <Tabs><D>";
        assert_eq!(components(line).collect::<Vec<_>>(), ["Api.Table", "Tabs", "D"]);
        let line = "`a <B>` \\<C> <D> A<F<G, H>> ` <E>";
        assert_eq!(components(line).collect::<Vec<_>>(), ["D", "E"]);
    }

    #[test]
    fn ids_with_markup_are_not_known() {
        const MAKERS: &[Maker] =
            &[Maker::of("x", Makes::Anchors).on_pages(PageSign::IdWith(&["{{", "{%"]))];
        for (source, expected) in [
            ("<p id=\"{{ x | slugify }}\">", true),
            ("    <p class=\"a\" id='a-{% b %}'>", true),
            ("<p id=\"a\">{{ x }}", false),
            ("<p id=a>{{ x }} <b class=\"{{ y }}\">", false),
            ("```\n<p id=\"{{ x }}\">\n```", false),
        ] {
            let found = makers_of_page(source, MAKERS);
            assert_eq!(!found.is_empty(), expected, "{source}");
        }
    }

    #[test]
    fn attributes_of_components_may_be_paths() {
        let source = "<Link link=\"a/b#c\" /> <Link link=\"/a/b\"/> `<L link=\"a/b\">`\n\n```\n<M to=\"a/b\">\n```\n\n<N to=\"a b/c\" x=\"d/e\">\n";
        let found = [UnreadLink::Parameter("<Link>".to_owned())];
        assert_eq!(unread_attributes(source)[..1], found);
        assert!(unread_attributes("<N to=\"a b/c\" x=\"d/e\">").is_empty());
    }

    #[test]
    fn labels_have_forms() {
        for (name, forms) in [
            ("pkg.mod.f", "ap"),
            ("install_--pre", "a"),
            ("Wheel", "ap"),
            ("pypug:x y", "ao"),
            ("--log", "a"),
        ] {
            let all =
                [(LabelForm::Any, 'a'), (LabelForm::Python, 'p'), (LabelForm::OfProject, 'o')];
            let found: String = all.iter().filter(|it| it.0.has(name)).map(|it| it.1).collect();
            assert_eq!(found, forms, "{name}");
        }
    }

    #[test]
    fn rules_in_an_object_are_not_computed() {
        use crate::data::DataLanguage;
        for (text, expected) in [
            ("export default {rewrites: {'a/:b': ':b', \"c/(.*)\": 'd/(.*)'}}", false),
            ("export default {rewrites: {'a/:b': ':b', ...others}}", true),
            ("export default {rewrites: {'a/:b(x|y)': ':b'}}", true),
            ("export default {rewrites(id) { return id }}", true),
            ("export default {rewrites: rules}", true),
            ("export default {rewrites: Object.fromEntries([])}", true),
            ("export default {}", false),
        ] {
            let settings = Settings::read(text, Some(DataLanguage::JavaScript));
            let project = Project {
                configuration: text,
                settings: &settings,
                has: &|_| false,
                read: &|_| None,
                module: &|_, _| None,
            };
            assert_eq!(is_computed(&project, "rewrites"), expected, "{text}");
        }
    }
}
