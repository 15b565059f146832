//! Templates of the URLs of pages that a generator makes by its settings: of posts by their dates, of archives, of lists.

use super::permalinks::unread_of_hugo;
use super::settings::Settings;

/// A template of the URLs of pages, such as `/:year/:month/:slug/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageTemplate {
    /// The name in messages of the plugin or setting that makes the pages.
    pub maker: &'static str,
    /// The text of the template.
    pub template: String,
}

/// The placeholders that stand for digits alone.
const NUMBERS: &[&str] = &[
    "day", "hour", "i_day", "i_month", "minute", "month", "num", "second", "short_year", "y_day",
    "year", "yearday",
];

/// The placeholders that stand for any number of names.
const SEVERAL: &[&str] = &["categories", "path", "sections"];

impl PageTemplate {
    /// Returns true if the template may make the page at `path`, from the root of the site or in the directory
    /// of a language.
    pub fn makes(&self, path: &str) -> bool {
        let path = path.trim_matches('/');
        let path = path.strip_suffix("/index.html").or(path.strip_suffix(".html")).unwrap_or(path);
        let names: Vec<&str> = path.split('/').collect();
        let template: Vec<&str> = self.template.trim_matches('/').split('/').collect();
        let below = names.get(1..).unwrap_or_default();
        !path.is_empty() && (are_of(&template, &names) || are_of(&template, below))
    }
}

/// Returns true if `names` are those of a page with this template.
fn are_of(template: &[&str], names: &[&str]) -> bool {
    let Some((first, template)) = template.split_first() else { return names.is_empty() };
    let is_several = first.strip_prefix(':').is_some_and(|it| SEVERAL.contains(&it));
    if is_several {
        return (0..=names.len())
            .any(|count| are_of(template, names.get(count..).unwrap_or_default()));
    }
    names.split_first().is_some_and(|(name, names)| is_of(first, name) && are_of(template, names))
}

/// Returns true if the `name` in a path is one with this template: a text, then at most one placeholder, or several of
/// them.
fn is_of(template: &str, name: &str) -> bool {
    let template = template.strip_suffix(".html").unwrap_or(template);
    let Some((before, placeholder)) = template.split_once(':') else { return template == name };
    let value = name.strip_prefix(before);
    value.is_some_and(|value| {
        !value.is_empty()
            && (!NUMBERS.contains(&placeholder) || value.bytes().all(|it| it.is_ascii_digit()))
    })
}

/// Returns the templates in the setting `permalinks` of Hugo by which no URL of a document is known.
pub(super) fn of_hugo(settings: &Settings) -> Vec<PageTemplate> {
    let maker = "the setting permalinks";
    let templates = unread_of_hugo(settings).into_iter();
    templates.map(|template| PageTemplate { maker, template }).collect()
}

/// Returns the templates of Jekyll's plugins for archives and for pages of lists, with their defaults.
pub(super) fn of_jekyll(settings: &Settings) -> Vec<PageTemplate> {
    const ARCHIVES: &[(&str, &str)] = &[
        ("year", "/:year/"),
        ("month", "/:year/:month/"),
        ("day", "/:year/:month/:day/"),
        ("tag", "/tag/:name/"),
        ("category", "/category/:name/"),
    ];
    let archives = ARCHIVES.iter().filter(|_| settings.has_value("jekyll-archives"));
    let archives = archives.map(|(kind, usual)| {
        let set = settings.at(&format!("jekyll-archives.permalinks.{kind}"));
        PageTemplate { maker: "jekyll-archives", template: set.unwrap_or(usual).to_owned() }
    });
    let has_lists =
        settings.has_value("jekyll-paginate") || settings.has_value("jekyll-paginate-v2");
    let set = settings.at("paginate_path").or_else(|| settings.at("pagination.permalink"));
    let lists = has_lists.then(|| PageTemplate {
        maker: "jekyll-paginate",
        // The second version has its pages below that of a list.
        template: set.map_or("/:path/page:num".to_owned(), |it| {
            format!("/:path/{}", it.trim_start_matches('/'))
        }),
    });
    archives.chain(lists).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_make_the_pages_of_their_form() {
        for (template, path, expected) in [
            ("/:year/:month/:slug/", "2024/05/a-b/", true),
            ("/:year/:month/:slug/", "de/2024/05/a-b.html", true),
            ("/:year/:month/:slug/", "docs/05/a/", false),
            ("/:year/:month/:slug/", "2024/05/", false),
            ("blog/:sections/:slug", "blog/a/b/c/", true),
            ("blog/:sections/:slug", "docs/a/", false),
            ("/:path/page:num/", "blog/page2/", true),
            ("/:path/page:num/", "page2", true),
            ("/:path/page:num/", "blog/pages/", false),
            ("/tag/:name/", "tag/a", true),
            ("/tag/:name/", "", false),
        ] {
            let it = PageTemplate { maker: "x", template: template.to_owned() };
            assert_eq!(it.makes(path), expected, "{template} {path}");
        }
    }
}
