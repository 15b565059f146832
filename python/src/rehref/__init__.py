"""Rewrites the links of HTML documents, and nothing else in them.

Functions for one document: `absolute`, `relative`, `rewrite`, `links`, `base_url`; for many: `absolute_many`;
for URLs: `resolve`, `relativize`; for a tree of files: `Site`. The engine is that of the command rehref; other
Python threads run while it works.
"""

from ._rehref import (
    DocumentError,
    Finding,
    Link,
    RehrefError,
    Site,
    UrlError,
    __version__,
    absolute,
    absolute_many,
    base_url,
    links,
    relative,
    relativize,
    resolve,
    rewrite,
)

__all__ = [
    "DocumentError",
    "Finding",
    "Link",
    "RehrefError",
    "Site",
    "UrlError",
    "__version__",
    "absolute",
    "absolute_many",
    "base_url",
    "links",
    "relative",
    "relativize",
    "resolve",
    "rewrite",
]
