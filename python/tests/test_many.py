"""The functions for many documents: lists, and Arrow arrays."""

import pytest

import rehref

URL = "https://example.org/docs/a.html"
SITE = "https://example.org/"
PAGES = [b"<a href=b>", b"<p id=x>", b"<a href='/c#d'>"]


def test_lists():
    changed = rehref.absolute_many(PAGES, [URL, URL, "nowhere"])
    assert changed[:2] == [b"<a href=https://example.org/docs/b>", b"<p id=x>"]
    assert isinstance(changed[2], rehref.UrlError)
    assert changed[1] is PAGES[1]
    with pytest.raises(rehref.RehrefError, match="3 documents, but 1 URL"):
        rehref.absolute_many(PAGES, [URL])
    with pytest.raises(TypeError, match="not one str"):
        rehref.absolute_many(PAGES, URL)
    assert rehref.relative_many(PAGES[2:], [URL], site=SITE) == [b"<a href='../c#d'>"]
    links = rehref.links_many(PAGES, [URL, URL, "nowhere"])
    assert [link.target for link in links[0]] == ["https://example.org/docs/b"]
    assert links[1] == [] and isinstance(links[2], rehref.UrlError)
    assert rehref.anchors_many(PAGES) == [[], ["x"], []]
    assert rehref.anchors_many([b"<a>"], kind="xml")[0].args


@pytest.fixture
def pa():
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def test_an_array_gives_what_a_list_gives(pa):
    pages = PAGES * 30
    urls = [URL, "https://example.org/x/y/", "nowhere"] * 30
    for kind in [pa.binary(), pa.large_binary(), pa.string(), pa.large_string(), pa.binary_view()]:
        values = pa.array([page.decode() for page in pages]).cast(kind)
        for call, settings in [
            (rehref.absolute_many, {}),
            (rehref.relative_many, {"site": SITE, "form": "root"}),
        ]:
            expected = call(pages, urls, **settings)
            got = call(values, pa.array(urls), **settings)
            text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
            for row, wanted in zip(got.to_pylist(), expected, strict=True):
                if isinstance(wanted, bytes):
                    assert row == {"content": wanted.decode() if text else wanted, "error": None}
                else:
                    assert row == {"content": None, "error": str(wanted)}
            got.validate(full=True)


def test_slices_chunks_and_nulls(pa):
    pages = [b"<a href=0>", None, b"", b"<a href=3>", b"<a href=4>"]
    values = pa.array(pages, pa.binary())
    urls = pa.array([URL] * 5)
    whole = rehref.absolute_many(values, urls).to_pylist()
    assert whole[1] == {"content": None, "error": None}
    assert whole[2] == {"content": b"", "error": None}
    for start in range(5):
        for length in range(5 - start):
            part = rehref.absolute_many(values.slice(start, length), urls.slice(start, length))
            part.validate(full=True)
            assert part.to_pylist() == whole[start : start + length]
    chunks = pa.chunked_array([values.slice(0, 2), values.slice(2)])
    assert rehref.absolute_many(chunks, urls).to_pylist() == whole
    assert len(rehref.absolute_many(values.slice(0, 0), urls.slice(0, 0))) == 0
    with pytest.raises(rehref.RehrefError, match="5 documents, but 4 URLs"):
        rehref.absolute_many(values, urls.slice(1))
    with pytest.raises(TypeError, match="binary or string, not of int64"):
        rehref.absolute_many(pa.array([1]), urls)


def test_settings_of_each_document(pa):
    pages = pa.array([b"a{background:url(x)}", b"\x89PNG<a href=x>", b"<a href=x>", b"<a href='?\xe9'>"])
    urls = pa.array([URL] * 4)
    kinds = pa.array(["css", None, "odt", "html"])
    charsets = pa.array([None, None, None, "windows-1252"])
    rows = rehref.absolute_many(pages, urls, kind=kinds, charset=charsets).to_pylist()
    assert rows[0]["content"] == b"a{background:url(https://example.org/docs/x)}"
    assert rows[1]["content"] == pages[1].as_py()
    assert rows[2]["content"] is None and "one of html" in rows[2]["error"]
    assert rehref.links_many(pages, urls, kind=kinds, charset=charsets)["target"][-1].as_py().endswith("?%E9")
    with pytest.raises(rehref.RehrefError, match="decoded already"):
        rehref.absolute_many(pa.array(["x"]), [URL], charset="utf-8")
    with pytest.raises(rehref.RehrefError, match="one of html"):
        rehref.absolute_many(pages, urls, kind="HTML")


def test_tables_of_links_and_anchors(pa):
    pages = pa.array([*PAGES, b"<a href=x>"])
    urls = pa.array([URL, URL, URL, "nowhere"])
    table = rehref.links_many(pages, urls)
    table.validate(full=True)
    rows = table.to_pylist()
    assert [row["document"] for row in rows] == [0, 2, 3]
    assert rows[1]["target"] == "https://example.org/c#d"
    assert (rows[1]["element"], rows[1]["attribute"], rows[1]["reference"]) == ("a", "href", "/c#d")
    assert PAGES[2][rows[1]["start"] : rows[1]["end"]] == b"/c#d"
    assert (rows[1]["line"], rows[1]["column"]) == (1, 10)
    assert rows[2]["error"].startswith('"nowhere"') and rows[2]["reference"] is None
    anchors = rehref.anchors_many(pages)
    assert anchors.to_pylist() == [{"document": 1, "name": "x", "error": None}]
