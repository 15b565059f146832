"""WARC archives as Arrow batches, and the audit of a crawl as a query. Needs pyarrow.

`records` reads the records of an archive (.warc, .warc.gz), or of all archives in a WACZ file (.wacz); `audit_tables` writes the links, anchors and pages of a crawl as Parquet
files, over which `AUDIT_SQL` runs in DuckDB, in Spark SQL, or in another engine. `rehref.spark` has the same for Spark.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from . import _arrow, _rehref

__all__ = ["AUDIT_SQL", "AUDIT_TABLES", "audit_tables", "records", "with_content"]

AUDIT_SQL: str = files("rehref").joinpath("audit.sql").read_text("utf-8")
"""The audit of a crawl as one SELECT, over the views `pages`, `links` and `anchors`."""

AUDIT_TABLES = ("pages", "links", "anchors")
"""The names of the tables."""

# The columns of each table, and whether they are numbers (n), texts (t) or bytes (b), in the order of `_rehref`.
RECORD_COLUMNS = {
    "archive": "t",
    "number": "n",
    "offset": "n",
    "length": "n",
    "type": "t",
    "url": "t",
    "base_url": "t",
    "status": "n",
    "media_type": "t",
    "charset": "t",
    "kind": "t",
    "content": "b",
    "error": "t",
}
TABLE_COLUMNS = {
    "pages": {
        "number": "n",
        "url": "t",
        "host": "t",
        "status": "n",
        "state": "t",
        "redirect": "t",
        "has_anchors": "n",
        "shapes": "n",
        "forwards_to": "t",
        "error": "t",
    },
    "links": {
        "number": "n",
        "url": "t",
        "element": "t",
        "attribute": "t",
        "reference": "t",
        "line": "n",
        "column": "n",
        "target": "t",
        "finding": "t",
        "target_url": "t",
        "target_host": "t",
        "reports_target": "n",
        "anchor1": "t",
        "anchor2": "t",
        "shapes": "n",
    },
    "anchors": {"number": "n", "url": "t", "name": "t"},
}


def _type(letter: str) -> Any:
    import pyarrow as pa

    return {"n": pa.int64(), "t": pa.string(), "b": pa.binary()}[letter]


def _batch(file: str, columns: dict[str, str], parts: Any) -> Any:
    import pyarrow as pa

    arrays = [
        _arrow.array(_type(letter), part)
        for letter, part in zip(columns.values(), parts, strict=True)
    ]
    length = len(arrays[0])
    names = pa.array([file], pa.string()).take(pa.array([0] * length, pa.int8()))
    return pa.record_batch([names, *arrays], names=["file", *columns])


def _schema(columns: dict[str, str]) -> Any:
    import pyarrow as pa

    fields = [(name, _type(letter)) for name, letter in columns.items()]
    return pa.schema([("file", pa.string()), *fields])


def _failed(file: str, columns: dict[str, str], error: object) -> Any:
    import pyarrow as pa

    row = {"file": file, "error": str(error)}
    return pa.RecordBatch.from_pylist([row], schema=_schema(columns))


def records(path: str | os.PathLike[str]) -> Iterator[Any]:
    """The records of the archive or WACZ file at `path`, as pyarrow record batches; memory holds one batch.

    Columns: `file`; `archive`, the name of the archive in a WACZ file, else null; `number`, the place in the file in
    records; `offset` and `length`, the place in the archive in bytes (null for a record that shares its gzip member with
    others); `type`, the WARC-Type; `url`; `base_url`, which the links of the document are resolved against unless it has
    a base element; `status`, of HTTP; `media_type`; `charset`, as the server sent it; `kind`, for the functions of rehref;
    `content`, the document without the codings of HTTP; `error`.
    `kind` and `content` are null for what is not a document, such as images and requests. A record that cannot be
    decoded has an `error`; an archive that is damaged or cannot be read ends with a row that has nothing else but `file`.
    """
    file = os.fspath(path)
    try:
        for (parts,) in _rehref.warc_batches(file, tables=False):
            yield _batch(file, RECORD_COLUMNS, parts)
    except OSError as error:
        yield _failed(file, RECORD_COLUMNS, error)


def table_batches(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """The rows that an archive or WACZ file gives to the tables of the audit: a record batch by the name of its table."""
    file = os.fspath(path)
    try:
        for parts in _rehref.warc_batches(file, tables=True):
            yield {
                name: _batch(file, TABLE_COLUMNS[name], columns)
                for name, columns in zip(AUDIT_TABLES, parts, strict=True)
            }
    except OSError as error:
        yield {"pages": _failed(file, TABLE_COLUMNS["pages"], error)}


def audit_tables(paths: Iterable[str | os.PathLike[str]], folder: str | os.PathLike[str]) -> None:
    """Writes the tables of the audit of a crawl, the archives and WACZ files at `paths`, to `folder`, which must not exist:
    `folder/relation=pages/*.parquet`, and the same for links and anchors.

    The audit is then a query. In DuckDB::

        for name in rehref.warc.AUDIT_TABLES:
            duckdb.sql(f"CREATE VIEW {name} AS FROM '{folder}/relation={name}/*.parquet'")
        duckdb.sql(rehref.warc.AUDIT_SQL)
    """
    import pyarrow.parquet as pq

    folder = Path(folder)
    folder.mkdir(parents=True)
    writers: dict[str, Any] = {}
    try:
        for name in AUDIT_TABLES:
            (folder / f"relation={name}").mkdir()
            file = folder / f"relation={name}" / "part-0.parquet"
            writers[name] = pq.ParquetWriter(file, _schema(TABLE_COLUMNS[name]), compression="zstd")
        for path in paths:
            for batches in table_batches(path):
                for name, batch in batches.items():
                    writers[name].write_batch(batch)
    finally:
        for writer in writers.values():
            writer.close()


def with_content(record: bytes, content: bytes) -> bytes:
    """A record with other content: `record` are the bytes of its archive at its `offset`, of its `length`. Codings stay, lengths and
    digests follow. Raises DocumentError if `record` is not one record with a document."""
    return _rehref.warc_with_content(record, content)
