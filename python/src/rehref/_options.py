"""The refusal of options that need a whole tree, by functions written in Python."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from . import _rehref

_P = ParamSpec("_P")
_R = TypeVar("_R")


def refusing(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, whose error for an unknown option says why it cannot have it."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def checked(*args: _P.args, **options: _P.kwargs) -> _R:
        for option in options:
            if option not in known:
                _rehref.refuse_option(function.__name__, option)
        return function(*args, **options)

    return checked
