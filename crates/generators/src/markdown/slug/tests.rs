use proptest::prelude::*;
use pulldown_cmark::{Options, Parser};

use super::style::STYLES;
use super::{AnchorReader, HeadingAnchors, SlugOptions, SlugStyle, Spanned};

fn events(source: &str) -> Vec<Spanned<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST;
    Parser::new_ext(source, options).into_offset_iter().collect()
}

/// The options under which the expectations were collected.
fn options(style: SlugStyle) -> SlugOptions {
    SlugOptions {
        attributes: true,
        footnotes: style != SlugStyle::VitePress,
        ..SlugOptions::new(style)
    }
}

fn heading_anchors(
    source: &str,
    events: &[Spanned<'_>],
    options: SlugOptions,
) -> Vec<HeadingAnchors> {
    let mut reader = AnchorReader::new(source, options);
    for (event, range) in events.iter().cloned() {
        reader.read(event, range);
    }
    reader.finish()
}

fn anchors(source: &str, options: SlugOptions) -> Vec<HeadingAnchors> {
    heading_anchors(source, &events(source), options)
}

/// All ids of each heading, with spaces between.
fn ids(source: &str, style: SlugStyle) -> Vec<String> {
    let anchors = anchors(source, options(style)).into_iter();
    anchors.map(|anchors| anchors.ids.join(" ")).collect()
}

#[test]
fn each_style_has_its_row() {
    for row in STYLES {
        assert_eq!(row.style.row().name, row.name);
    }
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
                let row = STYLES.iter().find(|row| row.name == name).unwrap();
                let found = anchors(&source, options(row.style));
                let id = found[0].ids.first().map_or("(none)", String::as_str);
                count += 1;
                if id != expected {
                    wrong.push(format!("{source}: {name}: {id} is not {expected}"));
                }
            }
        }
    }
    assert!(count > 800, "{count} expectations");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn repeated_headings_are_numbered_as_the_generator_does() {
    use SlugStyle::*;
    let headings =
        ["Foo", "Foo", "Foo 1", "Foo-1", "foo", "Foo_1", "Foo_1", "", "!!!", "!!!", "你好"];
    let source = headings.map(|heading| format!("## {heading}\n")).concat();
    for (styles, expected) in [
        (
            &[GitHub, Docusaurus, MdBook][..],
            "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo_1|foo_1-1||-1|-2|你好",
        ),
        (&[PythonMarkdown], "foo|foo_1|foo-1|foo-1_1|foo_2|foo_3|foo_4|_1|_2|_3|_4"),
        (
            &[PythonMarkdownUnicode, Pymdownx],
            "foo|foo_1|foo-1|foo-1_1|foo_2|foo_3|foo_4|_1|_2|_3|你好",
        ),
        (&[Hugo], "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo_1|foo_1-1||heading|heading-1|你好"),
        (
            &[HugoAscii],
            "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo_1|foo_1-1||heading|heading-1|heading-2",
        ),
        (
            &[HugoBlackfriday],
            "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo-1-3|foo-1-4||heading|heading-1|你好",
        ),
        (&[VitePress], "foo|foo-1|foo-1-1|foo-1-2|foo-2|foo-1-3|foo-1-4||-1|-2|你好"),
        (&[Myst], "foo|id1|foo-1|id2|id3|id4|id5|id6|id7|id8|id9"),
        (&[Kramdown], "foo|foo-1|foo-1|foo-1-1|foo-2|foo1|foo1-1||section|section-1|section-2"),
        (&[KramdownGfm], "foo|foo-1|foo-1|foo-1-1|foo-2|foo_1|foo_1-1|||-1|你好"),
    ] {
        for &style in styles {
            assert_eq!(ids(&source, style).join("|"), expected, "{style:?}");
        }
    }
}

#[test]
fn ids_that_authors_chose_are_taken_where_the_generator_takes_them() {
    use SlugStyle::*;
    let source = "## Bar {#foo}\n\n## Foo\n\n## Baz {#bar}\n\n## Bar\n";
    for (style, expected) in [
        (GitHub, "bar-foo|foo|baz-bar|bar"),
        (PythonMarkdown, "foo|foo_1|bar|bar_1"),
        (Hugo, "foo|foo-1|bar|bar-1"),
        (VitePress, "foo|foo-1|bar|bar-1"),
        (MdBook, "foo|foo|bar|bar"),
        (Docusaurus, "foo|foo|bar|bar"),
        (KramdownGfm, "foo|foo|bar|bar"),
    ] {
        assert_eq!(ids(source, style).join("|"), expected, "{style:?}");
    }
    // Python-Markdown knows the id of a later heading too.
    let source = "## Bar\n\n## Foo {#bar}\n";
    assert_eq!(ids(source, PythonMarkdown), ["bar_1", "bar"]);
    assert_eq!(ids(source, Hugo), ["bar", "bar"]);
}

#[test]
fn long_headings_take_no_quadratic_time() {
    for part in [
        "\\\\",
        "*a",
        "{a=\"",
        ":a",
        "[",
        "**a *b ",
        "![a",
        "<a",
        "&a",
        "`",
        "{: #a}",
        "(a)=",
        "}`x`",
        ":a{:a{",
        "[^",
        "[^a [^",
        "`x`{a}{b}",
        "`x`{:a:",
    ] {
        let source = format!("## {}\n", part.repeat(50_000 / part.len()));
        let events = events(&source);
        for row in STYLES {
            let start = std::time::Instant::now();
            heading_anchors(&source, &events, options(row.style));
            let seconds = start.elapsed().as_secs();
            assert!(seconds < 4, "{part} {}: {seconds} s", row.name);
        }
    }
}

/// A number that is taken is tried once, whatever asks for it.
#[test]
fn very_many_headings_get_numbers() {
    let count = 5_000;
    let one: String = (1..=count).map(|at| format!("# a_{at}\n")).collect();
    let source = one.repeat(2);
    let found = heading_anchors(&source, &events(&source), options(SlugStyle::PythonMarkdown));
    let ids: Vec<&String> = found.iter().flat_map(|it| &it.ids).collect();
    assert_eq!(ids.len(), 2 * count);
    assert_eq!(ids[count], &format!("a_{}", count + 1));
    assert_eq!(ids[2 * count - 1], &format!("a_{}", 2 * count));
}

#[test]
fn very_many_labels_are_names_of_a_heading() {
    let labels = "(a)=\n".repeat(5_000);
    for source in [format!("{labels}x\n===\n"), format!("{labels}# x\n")] {
        let found = heading_anchors(&source, &events(&source), options(SlugStyle::Myst));
        assert_eq!(found[0].names.len(), 5_000);
    }
}

#[test]
fn attribute_lists_are_text_where_the_configuration_does_not_read_them() {
    for style in [SlugStyle::PythonMarkdown, SlugStyle::Hugo, SlugStyle::Docusaurus] {
        let options = SlugOptions { attributes: false, ..SlugOptions::new(style) };
        let found = anchors("## Title {#own}\n", options);
        assert_eq!(found[0].ids, ["title-own"], "{style:?}");
    }
}

#[test]
fn headings_in_containers_and_with_underlines_have_anchors() {
    use SlugStyle::*;
    let source = "# Title\n\n> ## Quoted\n\n- ## Item {#own}\n\n1. text\n\n   ## In item\n\nTwo\nlines\n===\n\n\
                  One\n---\n";
    for (style, expected) in [
        (GitHub, "title|quoted|item-own|in-item|twolines|one"),
        (Hugo, "title|quoted|own|in-item|lines|one"),
        (MdBook, "title|quoted|own|in-item|two-lines|one"),
        // The id is that of the list item.
        (VitePress, "title|quoted|item own|in-item|twolines|one"),
        // The theme writes no id for headings of the first level.
        (Docusaurus, "|quoted|own|in-item||one"),
        (Myst, "title|quoted|item-own|in-item|two-lines|one"),
    ] {
        assert_eq!(ids(source, style).join("|"), expected, "{style:?}");
    }
}

#[test]
fn labels_and_slugs_of_myst_reach_headings() {
    let source = "(first)=\n(The_Second.label)=\n\n## Title\n\ntext[^n]\n\n## !!!\n\n(third)=\nUnder\n=====\n\n\
                  (title)=\n## Title\n\n[^n]: note\n";
    let slugs = SlugOptions { myst_heading_anchors: 3, ..SlugOptions::new(SlugStyle::Myst) };
    let found = anchors(source, slugs);
    let ids: Vec<_> = found.iter().map(|anchors| anchors.ids.join(" ")).collect();
    let names: Vec<_> = found.iter().map(|anchors| anchors.names.join(" ")).collect();
    assert_eq!(ids, ["the-second-label title first", "id2", "third under", "id3 id4 title-1"]);
    assert_eq!(names, ["The_Second.label first title", "", "third under", "title title-1"]);
    let source = "(label)=\n{#own .c}\n## Title\n";
    assert_eq!(anchors(source, options(SlugStyle::Myst))[0].ids, ["label", "own"]);
    let found = anchors("## Ä title\n", SlugOptions::new(SlugStyle::Myst));
    assert_eq!(found[0].ids, ["a-title"]);
    assert!(found[0].names.is_empty());
}

#[test]
fn lines_of_attributes_give_headings_of_kramdown_their_ids() {
    let source = "## A\n{: #ial}\n\ntext\n\n{: .c #before}\n## B\n\n## C {#own}\n{: .c}\ntext\n\n## D\n{: #one}\n\
                  {: id=\"two\"}\n\ntext\n{: #of-text}\n## E\n\n> ## F\n> {:#quoted}\n";
    let expected = ["ial", "before", "own", "two", "e", "quoted"];
    assert_eq!(ids(source, SlugStyle::KramdownGfm), expected);
    assert_eq!(ids(source, SlugStyle::Kramdown), expected);
}

#[test]
fn terms_and_footnotes_count_in_mdbook() {
    let source =
        "Term\n: definition\n\n## Term\n\n## Note[^n] and [^m]\n\n[^n]: note\n[^m]: note\n";
    assert_eq!(ids(source, SlugStyle::MdBook), ["term", "term-1", "note1-and-2"]);
    assert_eq!(ids(source, SlugStyle::Docusaurus), ["term", "note-and-"]);
    assert_eq!(ids(source, SlugStyle::VitePress), ["term", "note-n-and-m"]);
    assert_eq!(ids(source, SlugStyle::PythonMarkdown), ["term", "note-and"]);
}

#[test]
fn icons_are_no_text_where_the_configuration_makes_them() {
    let icons = SlugOptions {
        emoji: true,
        attributes: true,
        ..SlugOptions::new(SlugStyle::PythonMarkdown)
    };
    let source = "## :material-check:{ .ok } Done :smile: :unknown:\n";
    assert_eq!(anchors(source, icons)[0].ids, ["done-unknown"]);
    let text = SlugOptions::new(SlugStyle::PythonMarkdown);
    assert_eq!(anchors("## Done :smile:\n", text)[0].ids, ["done-smile"]);
}

/// Headings of parts that mean something to a generator, and any text.
fn heading() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        " ",
        "a",
        "É",
        "你",
        "ß",
        "Σ",
        "\u{301}",
        "\u{a0}",
        "\u{2028}",
        "1",
        "-",
        "--",
        "_",
        "*",
        "**",
        "`",
        "~~",
        "[",
        "](x)",
        "![",
        "]",
        "{",
        "}",
        "{#i}",
        "{: #i}",
        "{.c}",
        "{#",
        "id=",
        "\"",
        "'",
        "\\",
        "<b>",
        "<!--",
        "-->",
        "&amp;",
        "&#65;",
        "&",
        ":smile:",
        ":a",
        "http://x.y",
        "a@b.c",
        "www.x.y",
        "#",
        "(l)=",
        "[^n]",
        "{/* #i */}",
        "…",
        "{a=[1,{b=\"c\"}]}",
        "{r}`x`",
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
        for row in STYLES {
            for attributes in [false, true] {
                let options = SlugOptions {
                    attributes,
                    emoji: attributes,
                    myst_heading_anchors: 6,
                    ..SlugOptions::new(row.style)
                };
                let found = heading_anchors(&source, &events, options);
                prop_assert!(found.iter().flat_map(|anchors| &anchors.ids).all(|id| !id.is_empty()));
                let mut ids: Vec<_> = found.iter().flat_map(|anchors| &anchors.ids).collect();
                let is_unique = !attributes
                    && !matches!(row.style, SlugStyle::Kramdown | SlugStyle::KramdownGfm);
                if is_unique {
                    let count = ids.len();
                    ids.sort();
                    ids.dedup();
                    prop_assert_eq!(ids.len(), count, "{}", row.name);
                }
            }
        }
    }
}
