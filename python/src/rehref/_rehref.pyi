from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, final

_Document = TypeVar("_Document", bytes, str)
_Kind = Literal["html", "xhtml", "xml", "css", "message", "manifest", "robots"]
_Form = Literal["path", "root", "scheme"]
_Standard = Literal["whatwg", "rfc3986", "rfc1808", "rfc1630"]

__all__ = [
    "DocumentError",
    "Finding",
    "Link",
    "RehrefError",
    "Site",
    "UrlError",
    "__version__",
    "absolute",
    "anchors",
    "anchors_many",
    "base_url",
    "links",
    "links_many",
    "relative",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_many",
    "run_command",
]

__version__: str

class RehrefError(ValueError): ...
class UrlError(RehrefError): ...
class DocumentError(RehrefError): ...

@final
class Link:
    @property
    def element(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def text(self) -> str: ...
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

@final
class Site:
    def __new__(cls, root: str | PathLike[str], url: str) -> Site: ...
    @property
    def root(self) -> Path: ...
    def files(self) -> list[Path]: ...
    def url_of(self, path: str | PathLike[str]) -> str | None: ...
    def audit(self) -> list[Finding]: ...

def absolute(
    document: _Document, url: str, *, kind: _Kind = "html", charset: str | None = None
) -> _Document: ...
def relative(
    document: _Document,
    url: str,
    *,
    site: str,
    form: _Form = "path",
    kind: _Kind = "html",
    charset: str | None = None,
) -> _Document: ...
def rewrite(
    document: _Document,
    url: str,
    function: Callable[[Link], str | None],
    *,
    kind: _Kind = "html",
    charset: str | None = None,
) -> _Document: ...
def links(
    document: bytes | str, url: str, *, kind: _Kind = "html", charset: str | None = None
) -> list[Link]: ...
def anchors(
    document: bytes | str, *, kind: _Kind = "html", charset: str | None = None
) -> list[str]: ...
def base_url(
    document: bytes | str, url: str, *, kind: _Kind = "html", charset: str | None = None
) -> str | None: ...
def resolve(reference: str, base: str, *, standard: _Standard = "whatwg") -> str: ...
def relativize(target: str, base: str, *, form: _Form = "path") -> str | None: ...

# The parts of `_many.py` that are in Rust; an array is `_arrow.Buffers`.
def rewrite_many(
    documents: Any, urls: Any, kind: Any, charset: Any, site: str | None, form: str
) -> Any: ...
def links_many(documents: Any, urls: Any, kind: Any, charset: Any) -> Any: ...
def anchors_many(documents: Any, kind: Any, charset: Any) -> Any: ...
def run_command(words: Sequence[str]) -> int: ...
