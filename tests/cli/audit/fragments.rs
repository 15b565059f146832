//! Fragments: which are there, which scripts serve, which are broken.

use super::found;
use crate::support::TestDir;

#[test]
fn within_and_across_documents() {
    // Some are met before their target is read, some after.
    let dir = TestDir::with_site(&[
        (
            "a.html",
            "<p id=here><a name='a b'></a><a href='#here'><a href='#no'>\n\
             <a href=a.html#here><a href=a.html#no><a href='#a%20b'><a href='#HERE'>\n\
             <a href=z.html#there><a href=z.html#no><a href=z.html#%74here><a href=z.html#THERE>\n\
             <a href=d/#in><a href=d/#no><a href='?q#here'><a href='?q#no'>\n\
             <a href='#here:~:text=x'><a href='#:~:text=x'><a href='#no:~:text=x'>",
        ),
        ("d/index.html", "<p id=in><template><p id=dead></template><a href='#dead'>"),
        ("z.html", "<p id=there><a href=a.html#here><a href=a.html#no>"),
    ]);
    assert_eq!(
        found(&dir, &["--fragments", "strict"]),
        [
            "a.html:1:55 broken-fragment #no",
            "a.html:2:29 broken-fragment a.html#no",
            "a.html:2:65 broken-fragment #HERE -> #here",
            "a.html:3:30 broken-fragment z.html#no",
            "a.html:3:71 broken-fragment z.html#THERE -> z.html#there",
            "a.html:4:23 broken-fragment d/#no",
            "a.html:4:56 broken-fragment ?q#no",
            "a.html:5:56 broken-fragment #no:~:text=x",
            "d/index.html:1:51 broken-fragment #dead",
            "z.html:1:41 broken-fragment a.html#no",
        ]
    );
    assert_eq!(found(&dir, &["--fragments", "off"]), [""; 0]);
}

#[test]
fn of_documents_in_documents_and_other_formats() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<p id=outer><iframe srcdoc='<p id=inner><a href=\"#inner\"><a href=\"#outer\">\
             <a href=\"/index.html#outer\"><a href=\"/index.html#inner\">'></iframe>\n\
             <img src=pic.svg#shape><img src=pic.svg#none><img src='pic.svg#svgView(x)'>\n\
             <svg><use href='#outer'/><use href='#none'/></svg>\n\
             <a href=film.mp4#t=10><a href=doc.pdf#page=2><a href=s.css#x><a href=feed.xml#x>\n\
             <map name=m></map><img usemap='#m' src=pic.svg>",
        ),
        (
            "pic.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'><g id='shape'/><use href='#shape'/>\
             <use href='#gone'/></svg>",
        ),
        ("film.mp4", ""),
        ("doc.pdf", ""),
        ("s.css", "a { b: url(#nothing-known) }"),
        ("feed.xml", "<feed xmlns='http://www.w3.org/2005/Atom'/>"),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "index.html:1:112 broken-fragment /index.html#inner",
            "index.html:2:33 broken-fragment pic.svg#none",
            "index.html:2:56 script-fragment pic.svg#svgView(x)",
            "index.html:3:37 broken-fragment #none",
            "pic.svg:1:87 broken-fragment #gone",
        ]
    );
}

#[test]
fn behaviours_that_browsers_had_built_in() {
    let dir = TestDir::with_site(&[(
        "index.html",
        "<style>v\\:* { behavior: url(#default#VML) } a { filter: url(#gone) }</style>\
         <!--[if gte mso 9]><style>o\\:* { behavior: url(#default#VML) }</style><![endif]-->\
         <p style='behavior:url(#Default#userData)'>",
    )]);
    assert_eq!(found(&dir, &[]), ["index.html:1:61 broken-fragment #gone"]);
}

#[test]
fn that_scripts_serve() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href='#/route'><a href='#!/route'><a href=src.html#3-4><a href=src.html#5-6>\n\
             <a href=src.html#9><a href=stub.html#x><a href=stub.html#y><a href=lossy.html#x>",
        ),
        ("src.html", "<meta name=generator content=rustdoc><p id=3>"),
        (
            "stub.html",
            "<script>location = 'target.html' + location.hash</script>\
             <meta http-equiv=refresh content='0;url=target.html'>",
        ),
        ("lossy.html", "<meta http-equiv=refresh content='0;url=target.html'>"),
        ("target.html", "<p id=x>"),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "index.html:1:10 script-fragment #/route",
            "index.html:1:46 script-fragment src.html#3-4",
            "index.html:2:9 broken-fragment src.html#9",
            "index.html:2:28 script-fragment stub.html#x",
            "index.html:2:48 broken-fragment stub.html#y",
            "index.html:2:68 broken-fragment lossy.html#x -> target.html#x",
        ]
    );
    let strict = found(&dir, &["--fragments", "strict"]);
    let broken = strict.iter().filter(|it| it.contains("broken-fragment"));
    assert_eq!(broken.count(), 8, "{strict:#?}");
}

#[test]
fn of_references_that_are_read_otherwise_are_not_looked_for() {
    // The second pass, which the first reference asks for, tells no more than the first.
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=z.html#no><a href=../z.html#no>"),
        ("z.html", ""),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "a.html:1:9 broken-fragment z.html#no",
            "a.html:1:27 escapes-root ../z.html#no -> z.html#no",
        ]
    );
}

#[test]
fn numbers_are_no_slips_of_the_pen() {
    let dir = TestDir::with_site(&[(
        "a.html",
        "<p id=index-1><p id=A><p id=update_it><a href='#index-20'><a href='#B'><a href='#update-it'>\n\
         <p id='two words'><a href='#two_words'>\n\
         <p id=oneword><a href='#one%20word'>",
    )]);
    let found = found(&dir, &[]);
    let suggested: Vec<_> = found.iter().filter(|it| it.contains("->")).collect();
    assert_eq!(
        suggested,
        [
            "a.html:1:81 broken-fragment #update-it -> #update_it",
            "a.html:2:28 broken-fragment #two_words -> #two%20words",
            "a.html:3:24 broken-fragment #one%20word -> #oneword",
        ]
    );
}
