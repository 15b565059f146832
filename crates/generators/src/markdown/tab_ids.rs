//! The ids of content tabs (`=== "Title"`), as the extension `tabbed` of PyMdown Extensions makes them.

use pulldown_cmark::{Event, Parser};

use super::lines::lines_outside_code;
use super::slug::{Ids, Numbering, algorithm};
use rehref_url::Span;

/// How the ids of tabs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TabIds {
    /// There are no tabs.
    None,
    /// Of the numbers of the set and of the tab in it.
    Numbers,
    /// Of the title.
    Titles,
    /// Of the id of the heading above and the title.
    HeadingAndTitle,
}

/// Returns the ids of the tabs of `source`, each with the line of its title. `anchors`: those of the headings, with
/// their places.
pub(super) fn tab_ids(
    source: &str,
    anchors: &[(String, Span)],
    ids: TabIds,
) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    let mut used = Ids::default();
    anchors.iter().for_each(|(id, _)| used.reserve(id));
    // Each with its indent: the sets that are open, with their numbers and the numbers of tabs so far, and the headings
    // above.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut above: Vec<(usize, &str)> = Vec::new();
    let (mut sets, mut next) = (0, 0);
    for line in lines_outside_code(source, 0) {
        if line.trimmed().is_empty() {
            continue;
        }
        let indent = line.indent();
        above.retain(|(it, _)| *it <= indent);
        while let Some((id, span)) = anchors.get(next)
            && span.start < line.start + line.text.len()
        {
            above.retain(|(it, _)| *it < indent);
            above.push((indent, id));
            next += 1;
        }
        let tab = title(line.trimmed());
        let is_open = |it: &(usize, usize, usize)| it.0 < indent || it.0 == indent && tab.is_some();
        open.retain(is_open);
        let Some((title, is_new)) = tab else { continue };
        match open.last_mut().filter(|it| it.0 == indent && !is_new) {
            Some((_, _, number)) => *number += 1,
            None => {
                open.retain(|it| it.0 < indent);
                sets += 1;
                open.push((indent, sets, 1));
            }
        }
        let (_, set, number) = open.last().copied().unwrap_or_default();
        let heading = above.last().filter(|_| ids == TabIds::HeadingAndTitle);
        let id = match (ids, heading) {
            (TabIds::None, _) => continue,
            (TabIds::Numbers, _) => format!("__tabbed_{set}_{number}"),
            (_, Some((_, heading))) => format!("{heading}-{}", slug(title)),
            (_, None) => slug(title),
        };
        let id = used.take(id, Numbering::Underscore);
        found.push((id, Span::from(line.range())));
    }
    found
}

/// The title of the tab that a line begins, and whether it begins a new set.
fn title(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix("===")?;
    let marks = rest.trim_start_matches(['!', '+']);
    let is_new = rest.get(..rest.len() - marks.len())?.contains('!');
    let title = marks.trim().strip_prefix('"')?.strip_suffix('"')?;
    marks.starts_with(' ').then_some((title, is_new))
}

/// The slug of `title`, which is Markdown: in lower case, which most projects choose.
fn slug(title: &str) -> String {
    let texts = Parser::new(title).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.into_string()),
        _ => None,
    });
    algorithm::myst(&texts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_have_ids_of_numbers_or_titles() {
        let source = "## A\n\n=== \"One `x`\"\n    a\n\n=== \"Two\"\n\n    === \"One\"\n        b\n\n    ## B\n\n    === \"C\"\n\ntext\n\n=== \"Two\"\n    d\n===! \"E\"\n\n```\n=== \"no\"\n```\n";
        let at = |text: &str| source.find(text).unwrap();
        let heading = |id: &str, at: usize| (id.to_owned(), Span::from(at..at + 4));
        let anchors = [heading("a", at("## A")), heading("b", at("## B"))];
        for (ids, expected) in [
            (TabIds::None, ""),
            (
                TabIds::Numbers,
                "__tabbed_1_1 __tabbed_1_2 __tabbed_2_1 __tabbed_3_1 __tabbed_4_1 __tabbed_5_1",
            ),
            (TabIds::Titles, "one-x two one c two_1 e"),
            (TabIds::HeadingAndTitle, "a-one-x a-two a-one b-c a-two_1 a-e"),
        ] {
            let found = tab_ids(source, &anchors, ids);
            let found: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
            assert_eq!(found.join(" "), expected, "{ids:?}");
        }
    }
}
