"""The functions for many documents: lists, or Arrow arrays without a Python object per document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from . import _arrow, _rehref
from ._arrow import Arrow
from ._options import refusing
from ._rehref import DocumentError, Link, UrlError

_Texts = Sequence[str] | Arrow
_OfEach = str | Arrow


_Shared = tuple[Sequence[str], bool, bool]


def _rewritten(
    documents: Any, urls: Any, kind: Any, charset: Any, shared: _Shared, site: str | None, form: str
) -> Any:
    if not _arrow.is_arrow(documents):
        return _rehref.rewrite_many(documents, _listed(urls), kind, charset, shared, site, form)
    import pyarrow as pa

    values, charset = _arrow.documents_of(documents, charset)
    columns = _rehref.rewrite_many(
        _arrow.buffers(values),
        _urls(urls),
        _arrow.setting(kind, "kind"),
        charset,
        shared,
        site,
        form,
    )
    content = _arrow.array(values.type, columns[0])
    error = _arrow.array(pa.string(), columns[1])
    return pa.StructArray.from_arrays([content, error], ["content", "error"])


def _listed(urls: Any) -> list[str]:
    if isinstance(urls, str):
        raise TypeError("urls: pass one URL for each document, not one str")
    return urls.to_pylist() if hasattr(urls, "to_pylist") else list(urls)


def _urls(urls: Any) -> Any:
    return _arrow.setting(urls, "urls") if _arrow.is_arrow(urls) else _listed(urls)


@overload
def absolute_many(
    documents: Sequence[bytes], urls: _Texts, *, kind: str = "html", charset: str | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...
) -> list[bytes | UrlError | DocumentError]: ...
@overload
def absolute_many(
    documents: Arrow, urls: _Texts, *, kind: _OfEach = "html", charset: _OfEach | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...
) -> Any: ...
@refusing
def absolute_many(
    documents: Any, urls: Any, *, kind: Any = "html", charset: Any = None,
    attributes: Sequence[str] = (), json_ld: bool = False, rdfa: bool = False
) -> Any:
    """Does as `absolute` for each of `documents`, with the URL at the same place in `urls`.

    Of a list of bytes, returns a list: bytes, or for a document that cannot be rewritten the exception, which is not
    raised. Of a pyarrow array (binary, large_binary, string or large_string; or one of another library, by Arrow's
    interface), returns a pyarrow StructArray of `content`, in the type of `documents`, and `error`, a string; no Python
    object is made per document. `kind` and `charset` may be arrays, too: a null `kind` is content that is not a document
    and stays as it is. Other Python threads run meanwhile.

    >>> absolute_many([b"<a href=a>", b"<a href=b>"], ["https://example.org/", "nowhere"])
    [b'<a href=https://example.org/a>', UrlError('"nowhere": not an absolute URL')]
    """
    return _rewritten(documents, urls, kind, charset, (attributes, json_ld, rdfa), None, "path")


@overload
def relative_many(
    documents: Sequence[bytes],
    urls: _Texts,
    *,
    site: str,
    form: str = "path",
    kind: str = "html",
    charset: str | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...,
) -> list[bytes | UrlError | DocumentError]: ...
@overload
def relative_many(
    documents: Arrow,
    urls: _Texts,
    *,
    site: str,
    form: str = "path",
    kind: _OfEach = "html",
    charset: _OfEach | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...,
) -> Any: ...
@refusing
def relative_many(
    documents: Any,
    urls: Any,
    *,
    site: str,
    form: str = "path",
    kind: Any = "html",
    charset: Any = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> Any:
    """Does as `relative` for each of `documents`, which all belong to one `site`. Otherwise as `absolute_many`.

    >>> relative_many([b"<a href=/b>"], ["https://example.org/docs/a"], site="https://example.org/")
    [b'<a href=../b>']
    """
    return _rewritten(documents, urls, kind, charset, (attributes, json_ld, rdfa), site, form)


_LINK_COLUMNS = ("element", "attribute", "reference", "target", "start", "end", "line", "column")


@overload
def links_many(
    documents: Sequence[bytes], urls: _Texts, *, kind: str = "html", charset: str | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...
) -> list[list[Link] | UrlError | DocumentError]: ...
@overload
def links_many(
    documents: Arrow, urls: _Texts, *, kind: _OfEach = "html", charset: _OfEach | None = None,
    attributes: Sequence[str] = ..., json_ld: bool = ..., rdfa: bool = ...
) -> Any: ...
@refusing
def links_many(
    documents: Any, urls: Any, *, kind: Any = "html", charset: Any = None,
    attributes: Sequence[str] = (), json_ld: bool = False, rdfa: bool = False
) -> Any:
    """Does as `links` for each of `documents`, with the URL at the same place in `urls`.

    Of a list, returns a list: a list of Link, or the exception. Of a pyarrow array, returns a pyarrow Table with a row
    per link: `document`, the place of its document in `documents`, from 0; `element`, `attribute`, `reference`, `target`,
    `start`, `end` (the span), `line`, `column`; and `error`, null. A document without result has one row with `error`.
    Otherwise as `absolute_many`.

    >>> [[link.target for link in page] for page in links_many([b"<a href=a>", b""], ["https://example.org/"] * 2)]
    [['https://example.org/a'], []]
    """
    shared = (attributes, json_ld, rdfa)
    if not _arrow.is_arrow(documents):
        return _rehref.links_many(documents, _listed(urls), kind, charset, shared)
    import pyarrow as pa

    values, charset = _arrow.documents_of(documents, charset)
    kinds = _arrow.setting(kind, "kind")
    columns = _rehref.links_many(_arrow.buffers(values), _urls(urls), kinds, charset, shared)
    numbers, texts, large = pa.int64(), pa.string(), pa.large_string()
    types = [numbers, texts, texts, large, large, *[numbers] * 4, texts]
    arrays = [_arrow.array(kind, column) for kind, column in zip(types, columns, strict=True)]
    return pa.table(arrays, names=["document", *_LINK_COLUMNS, "error"])


@overload
def anchors_many(
    documents: Sequence[bytes], *, kind: str = "html", charset: str | None = None
) -> list[list[str] | DocumentError]: ...
@overload
def anchors_many(
    documents: Arrow, *, kind: _OfEach = "html", charset: _OfEach | None = None
) -> Any: ...
def anchors_many(documents: Any, *, kind: Any = "html", charset: Any = None) -> Any:
    """Does as `anchors` for each of `documents`.

    Of a list, returns a list: a list of str, or the exception. Of a pyarrow array, returns a pyarrow Table with a row
    per anchor: `document`, `name` and `error`, as `links_many`.

    >>> anchors_many([b"<p id=a>", b"<p>"])
    [['a'], []]
    """
    if not _arrow.is_arrow(documents):
        return _rehref.anchors_many(documents, kind, charset)
    import pyarrow as pa

    values, charset = _arrow.documents_of(documents, charset)
    kinds = _arrow.setting(kind, "kind")
    columns = _rehref.anchors_many(_arrow.buffers(values), kinds, charset)
    types = [pa.int64(), pa.large_string(), pa.string()]
    arrays = [_arrow.array(kind, column) for kind, column in zip(types, columns, strict=True)]
    return pa.table(arrays, names=["document", "name", "error"])
