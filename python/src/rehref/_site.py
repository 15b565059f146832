"""A site on disk: the audit in process, moves and verification by the command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import _rehref
from ._rehref import RehrefError

_Path = str | os.PathLike[str]
# `dict(moves)` takes both.
_Moves = Mapping[str, str] | Iterable[tuple[str, str]]
_MoveForm = Literal["keep", "path", "root", "scheme"]


@dataclass(frozen=True)
class MoveReport:
    """What `Site.move` did.

    `documents` and `links`: how many were rewritten. `changed`: the paths of the rewritten documents in the old tree.
    `json`: the whole report of `rehref move --format json`, with the diagnostics.
    """

    documents: int
    links: int
    changed: list[str]
    json: dict[str, Any]


@dataclass(frozen=True)
class VerifyReport:
    """What `Site.verify` found.

    `links`: how many links were compared. `different`: the differences, and `not_proven`: the links that cannot be
    compared, each with its place and a message; the whole report of `rehref verify --format json` is in `json`.
    """

    links: int
    different: list[dict[str, Any]]
    not_proven: list[dict[str, Any]]
    json: dict[str, Any]

    @property
    def is_proven(self) -> bool:
        """Whether every link has the expected target, and no other byte changed."""
        return not self.different and not self.not_proven


class Site(_rehref.Site):
    """A site on disk: `root`, the directory of its files, and `url`, the URL that the directory is published at.

    Raises OSError if the directory cannot be read, UrlError if `url` is not an absolute URL.
    """

    url: str

    def __init__(self, root: _Path, url: str) -> None:
        self.url = url

    def move(
        self,
        moves: _Moves,
        out: _Path,
        *,
        form: _MoveForm = "keep",
        new_url: str | None = None,
        options: Sequence[str] = (),
    ) -> MoveReport:
        """Writes the site to the directory `out` with files and directories at new paths, and every link from and to
        them updated. `out` must not exist, or be empty.

        `moves` has a new path for each old path, both below the root: a dict, or pairs. `form` is that of updated links. `new_url` is the
        URL of the root afterwards. `options` are more words for `rehref move`, which runs in a process of its own.

        Raises RehrefError, with its message, if the moves are impossible; nothing is written then.
        """
        words = ["move", os.fspath(self.root), "--url", self.url, "-o", os.fspath(out), "--form", form]
        if new_url is not None:
            words += ["--new-url", new_url]
        report = _report([*words, *options], {0}, moves)
        changed = [it["path"] for it in report["changed"]]
        return MoveReport(report["documents"]["rewritten"], report["references"]["rewritten"], changed, report)

    def verify(
        self,
        other: _Path,
        *,
        moves: _Moves | None = None,
        new_url: str | None = None,
        options: Sequence[str] = (),
    ) -> VerifyReport:
        """Compares the site with the rewritten one in the directory `other`: every link must have the same target,
        after the `moves`, and every other byte must be equal.

        `options` are more words for `rehref verify`, which runs in a process of its own. Raises RehrefError if a tree
        cannot be read; differences are not an exception.
        """
        words = ["verify", os.fspath(self.root), os.fspath(other), "--url", self.url]
        if new_url is not None:
            words += ["--new-url", new_url]
        report = _report([*words, *options], {0, 1, 2}, moves or {})
        links = report["references"]["compared"]
        return VerifyReport(links, report["different"], report["not_proven"], report)


def _report(words: list[str], statuses: set[int], moves: _Moves) -> dict[str, Any]:
    """Runs the command with a list of moves, and returns its report."""
    lines = [f"{old}\t{new}\n" for old, new in dict(moves).items()]
    if any(line.count("\t") > 1 or line.count("\n") > 1 for line in lines):
        raise RehrefError("moves: a path with a tab or a line end cannot be moved")
    if lines:
        words = [*words, "--map=-"]
    # The command has the whole process: it takes signals, and reads its settings once.
    command = [sys.executable, "-m", "rehref", *words, "--no-config", "--quiet", "--format=json"]
    run = subprocess.run(command, input="".join(lines).encode(), capture_output=True, check=False)
    report = json.loads(run.stdout) if run.stdout else {}
    if run.returncode not in statuses or not report or report["errors"]:
        message = run.stderr.decode(errors="replace").strip().removeprefix("error: ")
        raise RehrefError(message or f"status {run.returncode}")
    return dict(report)
