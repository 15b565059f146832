"""Arrow arrays as the buffers that `_rehref` reads and writes. pyarrow is imported only here, and only when needed."""

from __future__ import annotations

import sys
from typing import Any, Protocol, TypeAlias

from ._rehref import RehrefError


class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


# An array of pyarrow, polars, …; a chunked array.
Arrow: TypeAlias = _ArrowArray | _ArrowStream
# Of pyarrow, which has no types for mypy.
Array: TypeAlias = Any
Buffers: TypeAlias = tuple[int, bytes, bytes, bytes]
Column: TypeAlias = tuple[Any, ...]


def is_arrow(values: object) -> bool:
    """Whether `values` is an array or a chunked array: of pyarrow, or of another library by Arrow's interface."""
    return hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__")


def _whole(values: Any) -> Array:
    import pyarrow as pa

    if not isinstance(values, (pa.Array, pa.ChunkedArray)):
        is_stream = hasattr(values, "__arrow_c_stream__")
        values = pa.chunked_array(values) if is_stream else pa.array(values)
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = pa.concat_arrays(values.chunks)
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.dictionary_decode()
    elif kind == pa.string_view():
        values = values.cast(pa.large_string())
    elif kind == pa.binary_view():
        values = values.cast(pa.large_binary())
    elif pa.types.is_null(kind):
        values = values.cast(pa.string())
    return values


def normal(values: Any, what: str) -> Array:
    """`values` as an array of binary, large_binary, string or large_string."""
    import pyarrow as pa

    array = _whole(values)
    usual = (pa.binary(), pa.large_binary(), pa.string(), pa.large_string())
    if array.type not in usual:
        raise TypeError(f"{what}: an array of binary or string, not of {array.type}")
    return array


def is_text(array: Array) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(array.type) or pa.types.is_large_string(array.type))


def buffers(array: Array) -> Buffers:
    """The buffers of an array from `normal`: one copy of its part of them, whatever it is a slice of."""
    import pyarrow as pa

    is_large = array.type in (pa.large_binary(), pa.large_string())
    width = 8 if is_large else 4
    if len(array) == 0:
        return width, bytes(width), b"", b""
    _, all_offsets, all_data = array.buffers()
    offsets = all_offsets.slice(array.offset * width, (len(array) + 1) * width).to_pybytes()
    first = int.from_bytes(offsets[:width], sys.byteorder)
    last = int.from_bytes(offsets[-width:], sys.byteorder)
    data = all_data.slice(first, last - first).to_pybytes() if last > first else b""
    valid = b""
    if array.null_count:
        valid = array.is_valid().cast(pa.uint8()).buffers()[1].to_pybytes()[: len(array)]
    return width, offsets, data, valid


def array(kind: Any, column: Column) -> Array:
    """The array of a column that `_rehref` wrote."""
    import pyarrow as pa

    length, nulls, *parts = column
    views = [None if part is None else pa.py_buffer(part) for part in parts]
    return pa.Array.from_buffers(kind, length, views, nulls)


def setting(value: Any, what: str) -> Any:
    """A text or None as it is, an array as buffers."""
    return buffers(normal(value, what)) if is_arrow(value) else value


def documents_of(documents: Any, charset: Any) -> tuple[Array, Any]:
    """The documents as an array, and their charset: text is UTF-8, whatever it declares."""
    values = normal(documents, "documents")
    if not is_text(values):
        return values, setting(charset, "charset")
    if charset is not None:
        raise RehrefError("charset: strings are decoded already; pass binary, or remove charset")
    return values, "utf-8"
