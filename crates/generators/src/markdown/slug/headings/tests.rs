use proptest::prelude::*;
use pulldown_cmark::{Options, Parser};

use super::*;
use crate::markdown::MarkdownDialect;

const GITHUB: &Style = &MarkdownDialect::GITHUB.row().slugs;
const PYTHON_MARKDOWN: &Style = &MarkdownDialect::MKDOCS.row().slugs;
const PYMDOWN: &Style = &Style { text: text::with_icons, ..*PYTHON_MARKDOWN };
const HUGO: &Style = &MarkdownDialect::HUGO.row().slugs;
const MDBOOK: &Style = &MarkdownDialect::MDBOOK.row().slugs;
const VITEPRESS: &Style = &MarkdownDialect::VITEPRESS.row().slugs;
const DOCUSAURUS: &Style = &MarkdownDialect::DOCUSAURUS.row().slugs;
const MYST: &Style = &MarkdownDialect::SPHINX.row().slugs;
const KRAMDOWN_GFM: &Style = &MarkdownDialect::JEKYLL.row().slugs;

const STYLES: &[(&str, &Style)] = &[
    ("github", GITHUB),
    ("python-markdown", PYTHON_MARKDOWN),
    ("pymdown", PYMDOWN),
    ("hugo", HUGO),
    ("mdbook", MDBOOK),
    ("vitepress", VITEPRESS),
    ("docusaurus", DOCUSAURUS),
    ("myst", MYST),
    ("kramdown-gfm", KRAMDOWN_GFM),
];

fn events(source: &str) -> Vec<Spanned<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST;
    Parser::new_ext(source, options).into_offset_iter().collect()
}

fn heading_anchors(
    source: &str,
    events: &[Spanned<'_>],
    style: &'static Style,
) -> Vec<HeadingAnchors> {
    let mut reader = AnchorReader::new(source, style);
    for (event, range) in events.iter().cloned() {
        reader.read(event, range);
    }
    reader.finish()
}

fn anchors(source: &str, style: &'static Style) -> Vec<HeadingAnchors> {
    heading_anchors(source, &events(source), style)
}

/// All ids of each heading, with spaces between.
fn ids(source: &str, style: &'static Style) -> Vec<String> {
    let anchors = anchors(source, style).into_iter();
    anchors.map(|anchors| anchors.ids.join(" ")).collect()
}

#[test]
fn headings_get_the_anchors_that_generators_give_them() {
    let table = include_str!("tests/headings.txt");
    let (mut count, mut wrong) = (0, Vec::new());
    for block in table.split("\n\n").skip(1) {
        let mut lines = block.lines();
        let source = lines.next().unwrap().replacen('#', "##", 1);
        for (expected, names) in lines.filter_map(|line| line.split_once(" = ")) {
            for name in names.split(' ') {
                let (_, style) = STYLES.iter().find(|(it, _)| *it == name).unwrap();
                let found = anchors(&source, style);
                let id = found[0].ids.first().map_or("(none)", String::as_str);
                count += 1;
                if id != expected {
                    wrong.push(format!("{source}: {name}: {id} is not {expected}"));
                }
            }
        }
    }
    assert!(count > 500, "{count} expectations");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn repeated_headings_are_numbered_as_the_generator_does() {
    let headings =
        ["Foo", "Foo", "Foo 1", "Foo-1", "foo", "Foo_1", "Foo_1", "", "!!!", "!!!", "你好"];
    let source = headings.map(|heading| format!("## {heading}\n")).concat();
    for (styles, expected) in [
        (
            &[GITHUB, DOCUSAURUS, MDBOOK][..],
            "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo_1|foo_1-1||-1|-2|你好",
        ),
        (&[PYTHON_MARKDOWN], "foo|foo_1|foo-1|foo-1_1|foo_2|foo_3|foo_4|_1|_2|_3|_4"),
        (&[HUGO], "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo_1|foo_1-1||heading|heading-1|你好"),
        (&[VITEPRESS], "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo-1-3|foo-1-4||-1|-2|你好"),
        (
            &[MYST],
            "foo|id1|foo-1 foo-1-1|id2 foo-1-2|id3 foo-2|id4 foo_1|id5 foo_1-1|id6|id7|id8|id9 你好",
        ),
        (&[KRAMDOWN_GFM], "foo|foo-1|foo-1|foo-1-1|foo-2|foo_1|foo_1-1|||-1|你好"),
    ] {
        for &style in styles {
            assert_eq!(ids(&source, style).join("|"), expected, "{style:?}");
        }
    }
}

#[test]
fn ids_that_authors_chose_are_taken_where_the_generator_takes_them() {
    let source = "## Bar {#foo}\n\n## Foo\n\n## Baz {#bar}\n\n## Bar\n";
    for (style, expected) in [
        (GITHUB, "bar-foo|foo|baz-bar|bar"),
        (PYTHON_MARKDOWN, "foo|foo_1|bar|bar_1"),
        (HUGO, "foo|foo-1|bar|bar-1"),
        (VITEPRESS, "foo|foo-1|bar|bar-1"),
        (MDBOOK, "foo|foo|bar|bar"),
        (DOCUSAURUS, "foo|foo|bar|bar"),
        (KRAMDOWN_GFM, "foo|foo|bar|bar"),
    ] {
        assert_eq!(ids(source, style).join("|"), expected, "{style:?}");
    }
    // Python-Markdown knows the id of a later heading too.
    let source = "## Bar\n\n## Foo {#bar}\n";
    assert_eq!(ids(source, PYTHON_MARKDOWN), ["bar_1", "bar"]);
    assert_eq!(ids(source, HUGO), ["bar", "bar"]);
}

#[test]
fn long_headings_take_no_quadratic_time() {
    for part in [
        "\\\\", "*a", "{a=\"", ":a", "[", "**a *b ", "![a", "<a", "&a", "`", "{: #a}", "(a)=",
        "}`x`", ":a{:a{", "[^", "[^a [^", "`x`{a}{b}", "`x`{:a:",
    ] {
        let source = format!("## {}\n", part.repeat(50_000 / part.len()));
        let events = events(&source);
        for (name, style) in STYLES {
            let start = std::time::Instant::now();
            heading_anchors(&source, &events, style);
            let seconds = start.elapsed().as_secs();
            assert!(seconds < 4, "{part} {name}: {seconds} s");
        }
    }
}

/// A number that is taken is tried once, whatever asks for it.
#[test]
fn very_many_headings_get_numbers() {
    let count = 5_000;
    let one: String = (1..=count).map(|at| format!("# a_{at}\n")).collect();
    let source = one.repeat(2);
    let found = heading_anchors(&source, &events(&source), PYTHON_MARKDOWN);
    let ids: Vec<&String> = found.iter().flat_map(|it| &it.ids).collect();
    assert_eq!(ids.len(), 2 * count);
    assert_eq!(ids[count], &format!("a_{}", count + 1));
    assert_eq!(ids[2 * count - 1], &format!("a_{}", 2 * count));
}

#[test]
fn very_many_labels_are_names_of_a_heading() {
    let labels = "(a)=\n".repeat(5_000);
    for source in [format!("{labels}x\n===\n"), format!("{labels}# x\n")] {
        let found = heading_anchors(&source, &events(&source), MYST);
        assert_eq!(found[0].names.len(), 5_001);
    }
}

#[test]
fn headings_in_containers_and_with_underlines_have_anchors() {
    let source = "# Title\n\n> ## Quoted\n\n- ## Item {#own}\n\n1. text\n\n   ## In item\n\nTwo\nlines\n===\n\n\
                  One\n---\n";
    for (style, expected) in [
        (GITHUB, "title|quoted|item-own|in-item|twolines|one"),
        (HUGO, "title|quoted|own|in-item|lines|one"),
        (MDBOOK, "title|quoted|own|in-item|two-lines|one"),
        // The id is that of the list item.
        (VITEPRESS, "title|quoted|item own|in-item|twolines|one"),
        // The theme writes no id for headings of the first level.
        (DOCUSAURUS, "|quoted|own|in-item||one"),
        (MYST, "title|quoted|item-own|in-item|two-lines twolines|one"),
    ] {
        assert_eq!(ids(source, style).join("|"), expected, "{style:?}");
    }
}

#[test]
fn labels_and_slugs_of_myst_reach_headings() {
    let source = "(first)=\n(The_Second.label)=\n\n## Title\n\ntext[^n]\n\n## !!!\n\n(third)=\nUnder\n=====\n\n\
                  (title)=\n## Title\n\n[^n]: note\n";
    let found = anchors(source, MYST);
    let ids: Vec<_> = found.iter().map(|anchors| anchors.ids.join(" ")).collect();
    let names: Vec<_> = found.iter().map(|anchors| anchors.names.join(" ")).collect();
    assert_eq!(ids, ["the-second-label title first", "id2", "third under", "id3 id4 title-1"]);
    assert_eq!(names, ["The_Second.label first title", "", "third under", "title title-1"]);
    let source = "(label)=\n{#own .c}\n## Title\n";
    assert_eq!(anchors(source, MYST)[0].ids, ["label", "own", "title"]);
    let found = anchors("## Ä title\n", MYST);
    assert_eq!(found[0].ids, ["a-title", "ä-title"]);
    assert_eq!(found[0].names, ["ä-title"]);
}

#[test]
fn lines_of_attributes_give_headings_of_kramdown_their_ids() {
    let source = "## A\n{: #ial}\n\ntext\n\n{: .c #before}\n## B\n\n## C {#own}\n{: .c}\ntext\n\n## D\n{: #one}\n\
                  {: id=\"two\"}\n\ntext\n{: #of-text}\n## E\n\n> ## F\n> {:#quoted}\n";
    let expected = ["ial", "before", "own", "two", "e", "quoted"];
    assert_eq!(ids(source, KRAMDOWN_GFM), expected);
}

#[test]
fn terms_and_footnotes_count_in_mdbook() {
    let source =
        "Term\n: definition\n\n## Term\n\n## Note[^n] and [^m]\n\n[^n]: note\n[^m]: note\n";
    assert_eq!(ids(source, MDBOOK), ["term", "term-1", "note1-and-2"]);
    assert_eq!(ids(source, DOCUSAURUS), ["term", "note-and-"]);
    assert_eq!(ids(source, VITEPRESS), ["term", "note-n-and-m"]);
    assert_eq!(ids(source, PYTHON_MARKDOWN), ["term", "noten-and-m"]);
}

/// Headings of parts that mean something to a generator, and any text.
fn heading() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        " ", "a", "É", "你", "ß", "Σ", "\u{301}", "\u{a0}", "\u{2028}", "1", "-", "--", "_", "*",
        "**", "`", "~~", "[", "](x)", "![", "]", "{", "}", "{#i}", "{: #i}", "{.c}", "{#", "id=",
        "\"", "'", "\\", "<b>", "<!--", "-->", "&amp;", "&#65;", "&", ":smile:", ":a",
        "http://x.y", "a@b.c", "www.x.y", "#", "(l)=", "[^n]", "{/* #i */}", "…",
        "{a=[1,{b=\"c\"}]}", "{r}`x`",
    ];
    let part = prop_oneof![
        4 => prop::sample::select(PARTS).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..9).prop_map(|parts| parts.concat())
}

fn document() -> impl Strategy<Value = String> {
    let line = (0..8_usize, heading()).prop_map(|(kind, heading)| match kind {
        0 => format!("{heading}\n===\n"),
        1 => format!("> ## {heading}\n"),
        2 => format!("- ## {heading}\n"),
        3 => format!("{heading}\n\n"),
        4 => format!("{{: {heading}}}\n"),
        5 => format!("({heading})=\n"),
        _ => format!("## {heading}\n"),
    });
    prop::collection::vec(line, 0..7).prop_map(|lines| lines.concat() + "\n[^n]: note\n")
}

proptest! {
    #[test]
    fn any_document_gets_anchors(source in document()) {
        let events = events(&source);
        for (name, style) in STYLES {
            let found = heading_anchors(&source, &events, style);
            let mut ids: Vec<_> = found.iter().flat_map(|anchors| &anchors.ids).collect();
            prop_assert!(ids.iter().all(|id| !id.is_empty()));
            // Authors can choose the same id twice, and kramdown does not look whether a number is free.
            if !source.contains('{') && *name != "kramdown-gfm" {
                let count = ids.len();
                ids.sort();
                ids.dedup();
                prop_assert_eq!(ids.len(), count, "{}", name);
            }
        }
    }
}
