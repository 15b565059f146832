"""Rewrites the links of HTML documents, and nothing else in them.

Functions for one document: `absolute`, `relative`, `rewrite`, `links`, `anchors`, `base_url`; for many, in lists or Arrow
arrays: `absolute_many`, `relative_many`, `links_many`, `anchors_many`; for URLs: `resolve`, `relativize`; for a tree of
files: `Site`. `rehref.warc` reads crawls, `rehref.spark` does all of it in Apache Spark. The engine is that of the command rehref; other
Python threads run while it works.
"""

from ._many import absolute_many, anchors_many, links_many, relative_many
from ._rehref import (
    DocumentError,
    Finding,
    Link,
    RehrefError,
    UrlError,
    __version__,
    absolute,
    anchors,
    base_url,
    links,
    relative,
    relativize,
    resolve,
    rewrite,
)
from ._site import MoveReport, Site, VerifyReport

__all__ = [
    "DocumentError",
    "Finding",
    "Link",
    "MoveReport",
    "RehrefError",
    "Site",
    "UrlError",
    "VerifyReport",
    "__version__",
    "absolute",
    "absolute_many",
    "anchors",
    "anchors_many",
    "base_url",
    "links",
    "links_many",
    "relative",
    "relative_many",
    "relativize",
    "resolve",
    "rewrite",
]
