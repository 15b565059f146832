from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, final

_Document = TypeVar("_Document", bytes, str)
_Kind = Literal["html", "xhtml", "xml", "css", "message", "manifest", "robots", "markdown"]
_Form = Literal["path", "root", "scheme"]
_Standard = Literal["whatwg", "rfc3986", "rfc1808", "rfc1630"]

__all__ = [
    "DocumentError",
    "Finding",
    "Link",
    "RehrefError",
    "Site",
    "UrlError",
    "WarcBytes",
    "__version__",
    "absolute",
    "anchors",
    "anchors_many",
    "base_url",
    "has_archive_name",
    "links",
    "links_many",
    "relative",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_many",
    "refuse_option",
    "run_command",
    "warc_batches",
    "warc_with_content",
]

__version__: str

class RehrefError(ValueError): ...
class UrlError(RehrefError): ...
class DocumentError(RehrefError): ...

@final
class Link:
    def __new__(
        cls,
        element: str,
        attribute: str,
        reference: str,
        target: str | None,
        span: tuple[int, int],
        line: int,
        column: int,
    ) -> Link: ...
    @property
    def element(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def reference(self) -> str: ...
    @property
    def target(self) -> str | None: ...
    @property
    def span(self) -> tuple[int, int]: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class Finding:
    @property
    def check(self) -> str: ...
    @property
    def level(self) -> Literal["error", "warning", "note"]: ...
    @property
    def document(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def element(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def reference(self) -> str | None: ...
    @property
    def target(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def suggestion(self) -> str | None: ...

class Site:
    def __new__(cls, root: str | PathLike[str], url: str) -> Site: ...
    @property
    def root(self) -> Path: ...
    def files(self) -> list[Path]: ...
    def url_of(self, path: str | PathLike[str]) -> str | None: ...
    def audit(self) -> list[Finding]: ...

def absolute(
    document: _Document,
    url: str,
    *,
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> _Document: ...
def relative(
    document: _Document,
    url: str,
    *,
    site: str,
    form: _Form = "path",
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> _Document: ...
def rewrite(
    document: _Document,
    url: str,
    function: Callable[[Link], str | None],
    *,
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> _Document: ...
def links(
    document: bytes | str,
    url: str,
    *,
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> list[Link]: ...
def anchors(
    document: bytes | str,
    *,
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> list[str]: ...
def base_url(
    document: bytes | str,
    url: str,
    *,
    kind: _Kind = "html",
    charset: str | None = None,
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> str | None: ...
def resolve(reference: str, base: str, *, standard: _Standard = "whatwg") -> str: ...
def relativize(target: str, base: str, *, form: _Form = "path") -> str | None: ...

# The parts of `_many.py` that are in Rust; an array is `_arrow.Buffers`.
_Shared = tuple[Sequence[str], bool, bool]

def rewrite_many(
    documents: Any, urls: Any, kind: Any, charset: Any, shared: _Shared, site: str | None, form: str
) -> Any: ...
def links_many(documents: Any, urls: Any, kind: Any, charset: Any, shared: _Shared) -> Any: ...
def anchors_many(documents: Any, kind: Any, charset: Any) -> Any: ...
def refuse_option(function: str, name: str) -> None: ...
def warc_batches(path: str, *, tables: bool) -> Iterator[tuple[Any, ...]]: ...
def has_archive_name(path: str | PathLike[str]) -> bool: ...

@final
class WarcBytes:
    def __new__(cls, path: str | PathLike[str], archive: str | None) -> WarcBytes: ...
    def read(self, offset: int, length: int) -> bytes: ...

def warc_with_content(record: bytes, content: bytes) -> bytes: ...
def run_command(words: Sequence[str]) -> int: ...
