"""The functions for one document and for many."""

import copy
import doctest
import inspect
import pickle
import sys
import threading
import time
from pathlib import Path

import pytest

import rehref

URL = "https://example.org/docs/a.html"


def test_the_result_has_the_type_of_the_document():
    assert rehref.absolute("<a href=b>", URL) == "<a href=https://example.org/docs/b>"
    assert rehref.absolute(b"<a href=b>", URL) == b"<a href=https://example.org/docs/b>"
    with pytest.raises(TypeError, match="bytes or str, not int"):
        rehref.absolute(1, URL)


def test_a_document_without_changes_is_returned_itself():
    for document in ["<p>none", b"<p>none"]:
        assert rehref.absolute(document, URL) is document
        assert rehref.relative(document, URL, site="https://example.org/") is document
        assert rehref.rewrite(document, URL, lambda link: None) is document


def test_a_str_is_decoded_already():
    page = "<meta charset=windows-1252><a href='é?ü'>é</a>"
    assert rehref.absolute(page, URL) == (
        "<meta charset=windows-1252><a href='https://example.org/docs/é?ü'>é</a>"
    )
    assert rehref.links(page, URL)[0].target.endswith("%C3%A9?%C3%BC")
    latin = page.encode("cp1252")
    assert rehref.links(latin, URL)[0].target.endswith("%C3%A9?%FC")
    assert rehref.absolute(latin, URL).startswith(b"<meta charset=windows-1252>")
    with pytest.raises(rehref.RehrefError, match="decoded already"):
        rehref.links(page, URL, charset="utf-8")
    with pytest.raises(UnicodeEncodeError):
        rehref.links("\ud800", URL)


def test_links_say_where_they_are():
    page = b"<p>\n<img srcset='\xc3\xa9.png 1x, b.png 2x'>"
    first, second = rehref.links(page, URL)
    assert (first.element, first.attribute, first.reference) == ("img", "srcset", "\u00e9.png")
    assert page[slice(*second.span)] == b"b.png"
    assert (second.line, second.column) == (2, 24)
    assert first != second
    assert "b.png" in repr(second)
    with pytest.raises(AttributeError):
        first.reference = "x"


def test_a_function_replaces_links():
    seen = []

    def replacement(link):
        seen.append(link.reference)
        return "x\"&'" if link.reference == "b" else None

    page = "<a href='b'></a><a href='c'></a>"
    assert rehref.rewrite(page, URL, replacement) == "<a href='x\"&amp;&#39;'></a><a href='c'></a>"
    assert seen == ["b", "c"]


def test_a_replacement_that_its_place_cannot_have_is_an_error():
    with pytest.raises(rehref.DocumentError, match="line 2, column 14: a b cannot be written in this place"):
        rehref.rewrite("<p>\n<img srcset='c 2x'>", URL, lambda link: "a b")


def test_an_exception_of_the_function_is_raised():
    def fails(link):
        raise KeyError(link.reference)

    with pytest.raises(KeyError, match="b"):
        rehref.rewrite("<a href=b><a href=c>", URL, fails)
    with pytest.raises(TypeError, match=r"^line 2, column 9, b: the function returned int, not a str; None keeps the link$"):
        rehref.rewrite("<p>\n<a href=b>", URL, lambda link: 1)


def test_kinds_of_documents():
    css = "a{background:url(b.png)}"
    assert "example.org/docs/b.png" in rehref.absolute(css, URL, kind="css")
    with pytest.raises(rehref.RehrefError, match="one of html, xhtml"):
        rehref.absolute(css, URL, kind="CSS")
    with pytest.raises(rehref.DocumentError):
        rehref.absolute("<rss><a></rss>", URL, kind="xml")


def test_markdown_and_other_attributes():
    assert rehref.absolute("[b](b)", URL, kind="markdown") == "[b](https://example.org/docs/b)"
    page = '<img data-src=b><script type=application/ld+json>{"@context":"https://schema.org","url":"c"}</script>'
    expected = page.replace("=b", "=https://example.org/docs/b").replace('"c"', '"https://example.org/docs/c"')
    options = {"attributes": ["img@data-src"], "json_ld": True}
    assert rehref.absolute(page, URL, **options) == expected
    assert rehref.absolute_many([page.encode()], [URL], **options) == [expected.encode()]
    assert [link.reference for link in rehref.links(page, URL, **options)] == ["b", "c"]
    assert [link.reference for link in rehref.links_many([page.encode()], [URL], **options)[0]] == ["b", "c"]
    with pytest.raises(rehref.RehrefError, match="^attributes: "):
        rehref.absolute(page, URL, attributes=["data-src"])


def test_a_text_that_is_no_url_is_named():
    with pytest.raises(rehref.UrlError, match='^"nope": not an absolute URL$'):
        rehref.absolute("", "nope")


def test_links_can_be_pickled_copied_and_put_into_sets():
    links = rehref.links("<a href=b><a href={{c}}>", URL)
    assert pickle.loads(pickle.dumps(links)) == copy.deepcopy(links) == links
    assert len({*links, *rehref.links("<a href=b>", URL)}) == 2


def test_help_shows_the_options():
    for function in [rehref.absolute, rehref.relative, rehref.rewrite, rehref.links, rehref.absolute_many, rehref.links_many]:
        parameters = inspect.signature(function).parameters
        assert {"kind", "charset", "attributes", "json_ld", "rdfa"} < set(parameters)
        assert not {"others", "keywords"} & set(parameters)


@pytest.mark.parametrize("option", ["offline", "index", "directory_links", "moves", "fragments", "verify"])
def test_options_that_need_the_whole_tree_are_refused(option):
    for call in [
        lambda **options: rehref.relative("", URL, site=URL, **options),
        lambda **options: rehref.absolute("", URL, **options),
        lambda **options: rehref.links("", URL, **options),
        lambda **options: rehref.rewrite("", URL, str, **options),
        lambda **options: rehref.absolute_many([], [], **options),
        lambda **options: rehref.relative_many([], [], site=URL, **options),
        lambda **options: rehref.links_many([], [], **options),
    ]:
        with pytest.raises(rehref.RehrefError, match=f"^{option} needs the whole tree, .*; use "):
            call(**{option: True})
        with pytest.raises(TypeError, match="unexpected keyword argument 'ofline'"):
            call(ofline=True)


def test_anchors():
    page = "<p id=b><a name=a><map name=m></map></a><p id=b>"
    assert rehref.anchors(page) == rehref.anchors(page.encode()) == ["a", "b"]
    with pytest.raises(rehref.DocumentError):
        rehref.anchors("<a>", kind="xml")


def test_many_documents():
    documents = [b"<a href=b>", b"<p>", b"<a href=c>"]
    changed = rehref.absolute_many(documents, [URL, URL, "nowhere"])
    assert changed[:2] == [b"<a href=https://example.org/docs/b>", b"<p>"]
    assert isinstance(changed[2], rehref.UrlError)
    with pytest.raises(rehref.RehrefError, match="3 documents, but 1 URL"):
        rehref.absolute_many(documents, [URL])


def test_other_threads_run_meanwhile():
    page = b"<a href=b>x</a>" * 200_000
    turns = []
    done = threading.Event()

    def count():
        while not done.is_set():
            turns.append(None)
            time.sleep(0)

    interval = sys.getswitchinterval()
    # From here on a thread runs only when another gives the lock away.
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=count)
    thread.start()
    try:
        during = 0
        for _ in range(100):
            before = len(turns)
            rehref.absolute(page, URL)
            during += len(turns) - before
            if during:
                break
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert during > 0


def test_urls():
    assert rehref.resolve("?q", URL) == URL + "?q"
    assert rehref.resolve("?q", URL, standard="rfc1808") == URL + "?q"
    assert rehref.relativize("https://example.org/", URL, form="root") == "/"
    assert rehref.relativize("https://example.com/", URL) is None
    with pytest.raises(rehref.UrlError, match='"a/b"'):
        rehref.resolve("x", "a/b")
    with pytest.raises(rehref.UrlError, match="one of whatwg"):
        rehref.resolve("x", URL, standard="rfc2396")
    assert issubclass(rehref.UrlError, ValueError)


@pytest.mark.parametrize("name", [n for n in rehref.__all__ if callable(getattr(rehref, n))])
def test_examples_of_docstrings(name):
    thing = getattr(rehref, name)
    assert thing.__doc__
    names = {n: getattr(rehref, n) for n in rehref.__all__}
    examples = doctest.DocTestParser().get_doctest(thing.__doc__, names, name, None, 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_examples_of_the_readme():
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    text = "\n".join("" if line.startswith("```") else line for line in readme.splitlines())
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, 0)
    assert len(examples.examples) > 3
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples).failed == 0
