//! What may make pages and anchors that the sources do not have: plugins, components, themes. A link to one of these is not
//! surely broken.

use std::path::Path;

use super::lines::lines_outside_code;
use memchr::memmem;

/// Something that may make pages or anchors.
#[derive(Debug, PartialEq, Eq)]
pub struct Maker {
    /// Its name in messages; of a component, the kind.
    pub name: &'static str,
    /// How a project shows that it has it; `None` for what every project may have.
    pub project: Option<ProjectSign>,
    /// How a page shows that it makes something there; `None` for what makes pages, or anchors on all pages.
    pub page: Option<PageSign>,
    /// What it may make.
    pub makes: Makes,
}

/// How a project shows that it has a maker.
#[derive(Debug, PartialEq, Eq)]
pub enum ProjectSign {
    /// Its configuration has this word.
    Setting(&'static str),
    /// It has a file or folder at this path.
    File(&'static str),
}

/// How a page shows that a maker makes something there.
#[derive(Debug, PartialEq, Eq)]
pub enum PageSign {
    /// A line outside of code has this text.
    Text(&'static str),
    /// The page has an element whose name begins with a capital letter; those with these names make no anchors.
    ComponentBesides(&'static [&'static str]),
    /// The page has markup with this opener, whose first word is none of these.
    MarkupBesides(&'static str, &'static [&'static str]),
}

/// What a maker may make.
#[derive(Debug, PartialEq, Eq)]
pub enum Makes {
    /// Anchors.
    Anchors,
    /// Labels, by which links find places of other pages and projects.
    Labels,
    /// Pages and files whose paths in the site begin with one of these; an empty one stands for any.
    Pages(&'static [&'static str]),
}

/// A text that takes the place of markup, and is not read.
pub(super) static INCLUDED: Maker =
    Maker { name: "an included text", project: None, page: None, makes: Makes::Anchors };

/// A directive of a domain or an extension.
pub(super) static DIRECTIVE: Maker =
    Maker { name: "a directive", project: None, page: None, makes: Makes::Anchors };

impl Maker {
    /// A plugin that is configured by its name.
    pub(super) const fn plugin(name: &'static str, makes: Makes) -> Maker {
        Maker { name, project: Some(ProjectSign::Setting(name)), page: None, makes }
    }

    /// The same, on pages that have this `text`.
    pub(super) const fn on_pages_with(self, text: &'static str) -> Maker {
        Maker { page: Some(PageSign::Text(text)), ..self }
    }

    /// Whether a project has it. `configuration`: the text of the file that configures the generator. `has`: whether
    /// there is a file or folder at a path from the folder of the project.
    pub fn is_in(&self, configuration: &str, has: impl Fn(&Path) -> bool) -> bool {
        match self.project {
            Some(ProjectSign::Setting(word)) => has_word(configuration, word),
            Some(ProjectSign::File(path)) => has(Path::new(path)),
            None => true,
        }
    }

    /// Whether it may make the page or file at `path`, from the root of the site.
    pub fn makes_page(&self, path: &str) -> bool {
        match self.makes {
            Makes::Pages(starts) => starts.iter().any(|start| path.starts_with(start)),
            Makes::Anchors | Makes::Labels => false,
        }
    }

    /// Whether it may make anchors on all pages.
    pub fn makes_anchors_everywhere(&self) -> bool {
        self.page.is_none() && self.makes == Makes::Anchors
    }
}

/// Whether a line of `text`, which is no comment, has `word`.
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

/// Those of `makers` that may make anchors on the page with the text `source`, each with its name in messages.
pub(super) fn makers_of_page(
    source: &str,
    makers: &'static [Maker],
) -> Vec<(&'static Maker, String)> {
    let of_pages = makers.iter().filter_map(|it| Some((it, it.page.as_ref()?)));
    let found = of_pages.filter_map(|(maker, sign)| {
        let text = match sign {
            PageSign::Text(text) => text,
            PageSign::ComponentBesides(_) => "<",
            PageSign::MarkupBesides(opener, _) => opener,
        };
        memmem::find(source.as_bytes(), text.as_bytes())?;
        let mut lines = lines_outside_code(source, 0);
        let name = lines.find_map(|line| match sign {
            PageSign::Text(text) => line.text.contains(text).then(|| maker.name.to_owned()),
            PageSign::ComponentBesides(known) => {
                let component = components(line.text).find(|it| !known.contains(it))?;
                Some(format!("<{component}>"))
            }
            PageSign::MarkupBesides(opener, known) => {
                let word = words_after(line.text, opener).find(|it| !known.contains(it))?;
                Some(format!("{} {word}", maker.name))
            }
        })?;
        Some((maker, name))
    });
    found.collect()
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

/// The names of the components whose start tags are in `line`.
fn components(line: &str) -> impl Iterator<Item = &str> {
    let tags = line.split('<').skip(1);
    tags.filter_map(|tag| {
        let end = tag.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(tag.len());
        tag.get(..end).filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
