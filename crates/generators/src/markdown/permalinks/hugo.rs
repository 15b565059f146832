//! The URLs of Hugo's pages: `permalinks` in its configuration. Written after Hugo's `permalinks.go` and `path.go`.

use rustc_hash::FxHashMap;

use super::date::Date;
use super::template::{encoded, expanded};
use crate::data::Step;
use crate::markdown::published::{PageUrl, UrlKey};
use crate::markdown::settings::Settings;
use crate::markdown::slug::unicode::{is_digit, is_letter, is_mark, lowercase_simple};
use crate::markdown::stated_url::StatedUrl;

/// The settings of Hugo that determine the URLs of its pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HugoPermalinks {
    rules: Vec<Rule>,
    /// The sections whose pages have the URL of a file, as the setting `uglyURLs` says of each.
    ugly: Vec<String>,
    /// The directories in others, and whether they have a page of their own: without, they are no sections.
    folders: FxHashMap<String, bool>,
}

/// A template of the pages of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    kind: Kind,
    /// The path of the section, in lower case and without slashes at its ends; empty for pages in no section.
    section: String,
    template: String,
}

/// The kind of pages that have a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Page,
    Section,
    /// Lists of terms, which no document need make.
    Other,
}

/// A document, as far as its URL depends on it. Paths are not encoded.
struct Source<'s> {
    /// The names of the directories that are its sections.
    sections: Vec<&'s str>,
    /// The name without the extension.
    stem: &'s str,
    /// The name of its directory.
    folder: &'s str,
    stated: Option<&'s StatedUrl>,
}

/// The placeholders of dates, each with that of [`Date`].
const DATES: &[(&str, &str)] = &[
    ("year", "year"),
    ("month", "month"),
    ("monthname", "long_month"),
    ("day", "day"),
    ("weekday", "w_day"),
    ("weekdayname", "long_day"),
    ("yearday", "y_day"),
];

/// The start of placeholders that stand for all sections, or some.
const SECTIONS: &str = ":sections";

/// The rules in `settings`, and whether each gives the URLs of documents.
fn rules(settings: &Settings) -> Vec<(Rule, bool)> {
    let rule = |(path, template): (&[Step], &str)| {
        let mut names = path.iter().map(Step::name);
        if !names.next()??.eq_ignore_ascii_case("permalinks") {
            return None;
        }
        let names: Vec<&str> = names.collect::<Option<_>>().unwrap_or_default();
        let (kind, section) = match names.as_slice() {
            [section] => (Kind::Page, *section),
            ["page", section] => (Kind::Page, *section),
            ["section", section] => (Kind::Section, *section),
            _ => (Kind::Other, ""),
        };
        let section = section.trim_matches(['/', ' ']).to_lowercase();
        // Of the form in which rules are a list.
        let is_template = template.contains([':', '/']);
        is_template.then(|| Rule { kind, section, template: template.to_owned() })
    };
    let is_taxonomy = |name: &str| {
        let mut own = settings.all("taxonomies.*").chain(["tags", "categories"]);
        own.any(|it| it.eq_ignore_ascii_case(name))
    };
    let has_own_dates = settings.has("frontmatter");
    let is_known = |rule: &Rule| {
        let value = |name: &str| {
            let is_date = DATES.iter().any(|(known, _)| *known == name);
            (!is_date || !has_own_dates).then(|| Source::EXAMPLE.value(name))?
        };
        rule.kind == Kind::Page && expanded(&rule.template, value).is_some()
    };
    let rules = settings.values().filter_map(rule).map(|mut rule| {
        if is_taxonomy(&rule.section) {
            rule.kind = Kind::Other;
        }
        let is_known = is_known(&rule);
        (rule, is_known)
    });
    rules.collect()
}

/// Returns the templates in `settings` that rehref does not read, or that are for pages without a document.
pub fn unread(settings: &Settings) -> Vec<String> {
    let unread = rules(settings).into_iter().filter(|(_, is_known)| !is_known);
    unread.map(|(rule, _)| rule.template).collect()
}

impl HugoPermalinks {
    /// Reads the settings of Hugo in `settings`; `None` if they set no URLs.
    pub fn of(settings: &Settings) -> Option<HugoPermalinks> {
        let rules = rules(settings).into_iter();
        let rules = rules.filter(|(rule, is_known)| *is_known || rule.kind == Kind::Section);
        let mut rules: Vec<Rule> = rules.map(|(rule, _)| rule).collect();
        // The path of a section is longer than that of one around it.
        rules.sort_by_key(|it| std::cmp::Reverse(it.section.len()));
        let ugly = settings.values().filter_map(|(path, value)| match path {
            [key, section] if value == "true" => {
                let is_ugly = key.name()?.eq_ignore_ascii_case("uglyURLs");
                is_ugly.then(|| section.name().map(str::to_owned))?
            }
            _ => None,
        });
        let ugly: Vec<String> = ugly.collect();
        let has_any = !rules.is_empty() || !ugly.is_empty();
        has_any.then(|| HugoPermalinks { rules, ugly, ..HugoPermalinks::default() })
    }

    /// Returns the URLs of the pages in the section of the document at `path`; `form`: those of others.
    pub(in crate::markdown) fn form(&self, form: PageUrl, path: &str) -> PageUrl {
        let section = path.split_once('/').map_or("", |(section, _)| section);
        let is_ugly = self.ugly.iter().any(|it| it.eq_ignore_ascii_case(section));
        if is_ugly { PageUrl::Html } else { form }
    }

    /// Returns true if the URLs of documents depend on which directories have pages.
    pub fn needs_sections(&self) -> bool {
        self.rules.iter().any(|it| it.template.contains(SECTIONS))
    }

    /// Adds directories, by their paths in the directory of the documents, each with true if it has a page.
    pub fn add_folders(&mut self, folders: impl Iterator<Item = (String, bool)>) {
        self.folders.extend(folders);
    }

    /// Returns the path of the page of the document at `path`, relative to the directory of the documents and not
    /// encoded; it is percent-encoded and has no slash at its start. `None` if no template says it, `Some(None)` if
    /// the path is not known, as it has the sections of directories that are not there yet. `stated`: what its front
    /// matter says.
    pub(in crate::markdown) fn page(
        &self,
        form: PageUrl,
        path: &str,
        stated: Option<&StatedUrl>,
    ) -> Option<Option<String>> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, _) = name.rsplit_once('.')?;
        let is_section = stem == "_index";
        let own = match stem {
            "index" | "_index" => folders.to_lowercase(),
            _ => path.strip_suffix(name).map(|it| format!("{it}{stem}").to_lowercase())?,
        };
        let rule = self.rules.iter().find(|rule| {
            let kind = if is_section { Kind::Section } else { Kind::Page };
            let is_in = match &*rule.section {
                "" => !own.contains('/') && !own.is_empty(),
                section => {
                    let rest = own.strip_prefix(section);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                }
            };
            rule.kind == kind && is_in
        })?;
        let mut sections = Vec::new();
        let mut end = 0;
        for folder in folders.split('/').filter(|it| !it.is_empty()) {
            end += folder.len() + usize::from(end > 0);
            let is_section = match folders.get(..end).and_then(|it| self.folders.get(it)) {
                Some(has_page) => *has_page,
                None if sections.is_empty() || !rule.template.contains(SECTIONS) => true,
                None => return Some(None),
            };
            sections.extend(is_section.then_some(folder));
        }
        let folder = folders.rsplit('/').next().unwrap_or_default();
        let url = Source { sections, stem, folder, stated }.expanded(&rule.template)?;
        let names: Vec<&str> = url.split('/').filter(|it| !it.is_empty()).collect();
        let path = encoded(&names.join("/"));
        Some(Some(form.path("", (!path.is_empty()).then_some(&path))))
    }
}

impl Source<'_> {
    /// One whose placeholders are all known.
    const EXAMPLE: Source<'static> =
        Source { sections: Vec::new(), stem: "a", folder: "a", stated: None };

    fn expanded(&self, template: &str) -> Option<String> {
        let url = expanded(template, |name| self.value(name))?;
        // Hugo decodes it as a query.
        Some(sanitized(&url.replace('+', " ")))
    }

    fn value(&self, placeholder: &str) -> Option<String> {
        let stated = |key: UrlKey| self.stated.and_then(|it| it.get(key));
        let title =
            || sanitized(&stated(UrlKey::Title).unwrap_or_default().replace(['/', '\\'], "-"));
        let slug = || stated(UrlKey::Name).map(sanitized);
        let base_name = || match self.stem {
            "index" | "_index" => sanitized(self.folder),
            stem => sanitized(stem),
        };
        let file_name = || if self.stem == "_index" { String::new() } else { base_name() };
        Some(match placeholder {
            "section" => self.sections.first().copied().map(sanitized).unwrap_or_default(),
            "sections" => sanitized(&self.sections.join("/")),
            "title" => title(),
            "slug" => slug().unwrap_or_else(title),
            "filename" => file_name(),
            "slugorfilename" => slug().unwrap_or_else(file_name),
            "contentbasename" => base_name(),
            "slugorcontentbasename" => slug().unwrap_or_else(base_name),
            _ => match placeholder.strip_prefix("sections[").and_then(|it| it.strip_suffix(']')) {
                Some(range) => sanitized(&part(&self.sections, range).join("/")),
                None => {
                    let (_, name) = DATES.iter().find(|(known, _)| *known == placeholder)?;
                    // The first day of all, without a date.
                    let date = stated(UrlKey::Date).or_else(|| stated(UrlKey::PublishDate));
                    let date = date.map_or(Some(Date::first_of(1)), Date::parse)?;
                    let value = date.placeholder(name)?;
                    match *name {
                        "year" | "y_day" => value.trim_start_matches('0').to_owned(),
                        // Sunday is the last day of [`Date`], and the first one here.
                        "w_day" if value == "7" => "0".to_owned(),
                        _ => value,
                    }
                }
            },
        })
    }
}

/// The `names` that `range` has: `1`, `last`, `1:`, `:2`, `1:last`. One that is not there has none.
fn part<'n>(names: &'n [&'n str], range: &str) -> &'n [&'n str] {
    let number = |text: &str, other: usize| match text {
        "" => other,
        "last" => names.len().saturating_sub(1),
        _ => text.parse().unwrap_or_default(),
    };
    let (start, end) = match range.split_once(':') {
        Some((start, end)) => (number(start, 0), number(end, names.len()).min(names.len())),
        None => (number(range, 0), number(range, 0) + 1),
    };
    names.get(start..end).unwrap_or_default()
}

/// `text` as Hugo writes it in paths: in lower case, without the characters that it does not allow, and with a hyphen in
/// place of spaces.
pub(in crate::markdown) fn sanitized(text: &str) -> String {
    let is_kept = |c: char| is_letter(c) || is_mark(c) || is_digit(c) || "./\\_#+~-@".contains(c);
    let mut kept = String::with_capacity(text.len());
    let mut is_after_space = false;
    for character in text.chars() {
        if is_kept(character) {
            if is_after_space && character != '-' {
                kept.push('-');
            }
            is_after_space = false;
            kept.push(lowercase_simple(character));
        } else if character.is_whitespace() && !kept.is_empty() && !kept.ends_with('-') {
            is_after_space = true;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DataLanguage;

    #[test]
    fn the_templates_give_the_paths_that_hugo_gives() {
        let configuration = "permalinks:\n  blog: /b/:year/:month/:day/:monthname/:weekday/:weekdayname/:yearday/:slug/\n  tags: /t/:slug/\n  page:\n    notes: /n/:section/:sections/:title.html\n    art: /a/:filename/:contentbasename/:slugorfilename/:slugorcontentbasename\n    secs: /s/:sections[1:]/:sections[last]/:slug\n    '/': /root/:slug/\n    go: /:2006/\n  section:\n    blog: /articles/:slug/\n    secs: /ss/:sections/:contentbasename/\n";
        let settings = Settings::read(configuration, Some(DataLanguage::Yaml));
        let mut permalinks = HugoPermalinks::of(&settings).unwrap();
        assert!(permalinks.needs_sections());
        let folders = [("secs/in", true), ("secs/in/no", false)].into_iter();
        permalinks.add_folders(folders.map(|(path, has_page)| (path.to_owned(), has_page)));
        for (path, values, expected) in [
            (
                "blog/a.md",
                &[(UrlKey::Title, "A/B c"), (UrlKey::Date, "2020-12-01")][..],
                "b/2020/12/01/december/2/tuesday/336/a-b-c/",
            ),
            (
                "blog/b.md",
                &[(UrlKey::Name, "My Slug"), (UrlKey::Date, "2021-01-03T23:30:00-07:00")],
                "b/2021/01/03/january/0/sunday/3/my-slug/",
            ),
            ("blog/s/c.md", &[(UrlKey::Title, "ND")], "b/1/01/01/january/1/monday/1/nd/"),
            ("blog/c.md", &[(UrlKey::Date, "2019-02-03")], "b/2019/02/03/february/0/sunday/34/"),
            ("blog/_index.md", &[(UrlKey::Title, "The Blog")], "articles/the-blog/"),
            ("notes/N1.md", &[(UrlKey::Title, "Note + One")], "n/notes/notes/note--one.html/"),
            ("art/leaf/index.md", &[], "a/leaf/leaf/leaf/leaf/"),
            ("art/Two Words.md", &[], "a/two-words/two-words/two-words/two-words/"),
            ("secs/in/x.md", &[(UrlKey::Title, "X")], "s/in/in/x/"),
            ("secs/in/no/y.md", &[(UrlKey::Title, "Ä#")], "s/in/in/%C3%A4%23/"),
            ("secs/in/_index.md", &[], "ss/secs/in/in/"),
            ("secs/new/x.md", &[(UrlKey::Title, "X")], ""),
            ("blog/new/x.md", &[(UrlKey::Title, "X")], "b/1/01/01/january/1/monday/1/x/"),
            ("page.md", &[(UrlKey::Title, "Root")], "root/root/"),
            ("page/index.md", &[(UrlKey::Title, "Root")], "root/root/"),
            ("_index.md", &[(UrlKey::Title, "Home")], ""),
            ("go/x.md", &[], ""),
            ("tags/x.md", &[], ""),
        ] {
            let values = values.iter().map(|(key, value)| (*key, (*value).to_owned()));
            let stated = StatedUrl { values: values.collect(), ..StatedUrl::default() };
            let found = permalinks.page(PageUrl::Directory, path, Some(&stated));
            assert_eq!(found.flatten().unwrap_or_default(), expected, "{path}");
        }
        let unread = unread(&settings);
        assert_eq!(
            unread,
            ["/t/:slug/", "/:2006/", "/articles/:slug/", "/ss/:sections/:contentbasename/"]
        );
        let dated =
            "permalinks: {a: '/:year/:slug/', b: '/:slug/'}\nfrontmatter: {date: [':filename']}\n";
        let settings = Settings::read(dated, Some(DataLanguage::Yaml));
        assert_eq!(super::unread(&settings), ["/:year/:slug/"]);
        assert_eq!(HugoPermalinks::of(&Settings::default()), None);
    }

    #[test]
    fn lists_may_have_the_template_of_pages() {
        let same = "permalinks:\n  page: {posts: '/:slug/'}\n  section: {posts: '/:slug/'}\n  tags: '/:slug/'\n";
        let settings = Settings::read(same, Some(DataLanguage::Yaml));
        let permalinks = HugoPermalinks::of(&settings).unwrap();
        let values = vec![(UrlKey::Title, "X".to_owned())];
        let stated = StatedUrl { values, ..StatedUrl::default() };
        for path in ["posts/a.md", "posts/_index.md"] {
            let found = permalinks.page(PageUrl::Directory, path, Some(&stated));
            assert_eq!(found, Some(Some("x/".to_owned())), "{path}");
        }
        assert_eq!(super::unread(&settings), ["/:slug/", "/:slug/"]);
    }

    #[test]
    fn paths_have_the_characters_that_hugo_allows() {
        for (text, expected) in [
            ("a - b", "a-b"),
            ("a -- b", "a--b"),
            (" What? ", "what"),
            ("it's 100% x", "its-100-x"),
            ("... x 😀 y", "...-x-y"),
            ("-a-", "-a-"),
            ("a/ b", "a/-b"),
            ("#tag ?q=1&r", "#tag-q1r"),
            ("tab\tno\u{a0}br", "tab-no-br"),
            ("a_b~c@d", "a_b~c@d"),
            ("İI", "ii"),
        ] {
            assert_eq!(sanitized(text), expected, "{text}");
        }
    }

    #[test]
    fn sections_have_parts() {
        let names = ["a", "b", "c"];
        for (range, expected) in [
            ("0", "a"),
            ("last", "c"),
            ("1:", "b/c"),
            (":2", "a/b"),
            ("1:last", "b"),
            (":9", "a/b/c"),
            ("9", ""),
            ("9:", ""),
            ("2:1", ""),
        ] {
            assert_eq!(part(&names, range).join("/"), expected, "{range}");
        }
    }
}
