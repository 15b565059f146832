"""rehref in Apache Spark: DataFrames of pages, rewritten and listed in the Python workers, without a process per page.

The functions run on `mapInArrow`, so that the pages go to the engine as Arrow batches. A page that cannot be processed
is a row with an `error`, never a failed job. Each worker needs this package and pyarrow; paths must mean the same file
on every machine.

    >>> from rehref import spark as rs                                            # doctest: +SKIP
    >>> pages = rs.read_warc(session, "/crawls/2026-10/")                         # doctest: +SKIP
    >>> changed = rs.rewrite(pages, "absolute", url="base_url", kind="kind", charset="charset")  # doctest: +SKIP
    >>> rs.write_warc(changed, "/crawls/absolute/")                               # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from . import _rehref, warc
from ._many import absolute_many, links_many, relative_many
from ._options import refusing
from ._rehref import RehrefError

__all__ = ["audit", "audit_tables", "links", "read_warc", "rewrite", "write_warc"]

_SQL = {"n": "bigint", "t": "string", "b": "binary"}
_LINK_COLUMNS = (
    "element string, attribute string, reference string, target string, "
    "start bigint, end bigint, line bigint, column bigint"
)


# Parts of a batch of about this size are in memory several times.
_BYTES = 64 << 20
# Links in a batch of results; their texts must stay below 2 GiB.
_LINKS = 100_000


def _parts(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches in parts of about `_BYTES`: Spark counts rows, whatever their size."""
    for batch in batches:
        rows = max(1, batch.num_rows * _BYTES // max(1, batch.nbytes))
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def _setting(batch: Any, column: str | None, default: str | None) -> Any:
    return default if column is None else batch.column(column)


def _shared(attributes: Sequence[str], json_ld: bool, rdfa: bool) -> dict[str, Any]:
    """The options of `absolute` that all documents have."""
    return {"attributes": tuple(attributes), "json_ld": json_ld, "rdfa": rdfa}


@refusing
def rewrite(
    df: Any,
    how: Literal["absolute", "relative"],
    *,
    content: str = "content",
    url: str = "url",
    kind: str | None = None,
    charset: str | None = None,
    site: str | None = None,
    form: Literal["path", "root", "scheme"] = "path",
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> Any:
    """Makes the links of the documents in the column `content`, binary or string, absolute or relative.

    Returns `df` with the new `content`, and with `error`: null, or why the row has no content. A row that had an error
    keeps it. `url` names the column of the documents' URLs. `kind` and `charset` name columns, too; without them a
    document is HTML in the charset that it declares. A row without a kind or without content is not a document, and
    stays as it is. `relative` needs `site`, the URL at which the pages' site is published, and takes a `form`.
    `attributes`, `json_ld` and `rdfa` are as in `rehref.absolute`.
    """
    if how not in ("absolute", "relative"):
        raise RehrefError(f"how {how!r}: pass absolute or relative")
    if (how == "relative") != (site is not None):
        raise RehrefError("site: pass it with relative, and only with relative")
    names = [name for name in df.columns if name != "error"]
    had_errors = "error" in df.columns
    types = {field.name: field.dataType.simpleString() for field in df.schema.fields}
    if types.get(content) not in ("binary", "string"):
        raise RehrefError(f"{content}: not a column of binary or string")

    shared = _shared(attributes, json_ld, rdfa)

    def changed(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in _parts(batches):
            documents, urls = batch.column(content), batch.column(url)
            settings = {
                "kind": _setting(batch, kind, "html"),
                "charset": _setting(batch, charset, None),
                **shared,
            }
            if site is None:
                result = absolute_many(documents, urls, **settings)
            else:
                result = relative_many(documents, urls, site=site, form=form, **settings)
            columns = {name: batch.column(name) for name in names}
            columns[content] = result.field("content")
            error = result.field("error")
            if had_errors:
                error = pc.coalesce(batch.column("error").cast(pa.string()), error)
            yield pa.RecordBatch.from_arrays([*columns.values(), error], [*columns, "error"])

    fields = ", ".join(f"`{name}` {types[name]}" for name in names)
    return df.mapInArrow(changed, f"{fields}, error string")


@refusing
def links(
    df: Any,
    *,
    content: str = "content",
    url: str = "url",
    kind: str | None = None,
    charset: str | None = None,
    keep: Sequence[str] = ("url",),
    attributes: Sequence[str] = (),
    json_ld: bool = False,
    rdfa: bool = False,
) -> Any:
    """Returns a row per link of the documents in the column `content`: the columns `keep` of its document, `element`,
    `attribute`, `reference`, `target`, `start`, `end`, `line`, `column` (see Link), and `error`.

    A document that cannot be processed has one row, with `error`. Otherwise as `rewrite`.
    """
    types = {field.name: field.dataType.simpleString() for field in df.schema.fields}

    shared = _shared(attributes, json_ld, rdfa)

    def listed(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in _parts(batches):
            table = links_many(
                batch.column(content),
                batch.column(url),
                kind=_setting(batch, kind, "html"),
                charset=_setting(batch, charset, None),
                **shared,
            )
            for start in range(0, table.num_rows, _LINKS):
                part = table.slice(start, _LINKS).combine_chunks()
                columns = {name: batch.column(name).take(part.column(0).chunk(0)) for name in keep}
                for name in part.column_names[1:]:
                    column = part.column(name).chunk(0)
                    is_large = pa.types.is_large_string(column.type)
                    columns[name] = column.cast(pa.string()) if is_large else column
                yield pa.RecordBatch.from_arrays(list(columns.values()), list(columns))

    fields = "".join(f"`{name}` {types[name]}, " for name in keep)
    return df.mapInArrow(listed, f"{fields}{_LINK_COLUMNS}, error string")


def _archives(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """The archives at `paths`; of a directory, those in it."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: list[str] = []
    for path in map(Path, given):
        if path.is_dir():
            in_it = [it for it in path.iterdir() if _rehref.has_archive_name(it)]
            found.extend(map(str, sorted(in_it)))
        else:
            found.append(str(path))
    if not found:
        raise FileNotFoundError(f"no .warc, .warc.gz or .wacz file: {', '.join(map(str, given))}")
    return found


def _of_files(spark: Any, files: list[str], batches: Any, schema: str) -> Any:
    """A DataFrame of what `batches` yields for each file: a partition, and so a task, for each."""

    def read(numbers: Iterable[Any]) -> Iterator[Any]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from batches(files[number])

    return spark.range(0, len(files), 1, len(files)).mapInArrow(read, schema)


def read_warc(spark: Any, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Any:
    """The records of WARC archives: files, or a directory of files named `.warc`, `.warc.gz` or `.wacz`.

    The columns are those of `rehref.warc.records`. There is a task per file, which reads it as a stream. An archive that
    is damaged or cannot be read ends with a row that has only `file` and `error`.
    """
    columns = {"file": "t", **warc.RECORD_COLUMNS}
    schema = ", ".join(f"`{name}` {_SQL[letter]}" for name, letter in columns.items())
    return _of_files(spark, _archives(paths), warc.records, schema)


def write_warc(
    df: Any,
    path: str | os.PathLike[str],
    *,
    content: str = "content",
    file: str = "file",
    archive: str = "archive",
    offset: str = "offset",
    length: str = "length",
) -> list[str]:
    """Writes the records of a DataFrame of `read_warc` to new archives in the directory `path`, with the `content` that
    the rows have now, and returns their paths: `part-00000.warc.gz`, one or two for each partition.

    The rest of a record is copied from the archive that it was read from, which must still exist; codings stay,
    lengths and digests follow. A row without content, such as that of a request, of an image or of an error, is copied
    whole: a revisit record keeps the digest of the capture that it refers to, also if that has other content now, which
    the command `rehref absolute` would update. A record that shares its gzip member with others has no offset, and is
    refused: the job fails. Records of WACZ files, which the column `archive` shows, are written to archives, too.
    """
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder}: not empty")
    target = str(folder)
    has_archives = archive in df.columns

    def written(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        partition, attempt = context.partitionId(), context.taskAttemptId()
        outputs: dict[str, tuple[Any, str, str]] = {}
        source, place = None, None
        for batch in batches:
            columns = [batch.column(it).to_pylist() for it in (file, offset, length, content)]
            entries = batch.column(archive).to_pylist() if has_archives else [None] * batch.num_rows
            for name, start, size, new, entry in zip(*columns, entries, strict=True):
                if name is None or start is None or size is None:
                    if name is not None and new is None and size is None:
                        continue
                    raise RehrefError(f"{name}: a record without an offset cannot be written")
                if source is None or place != (name, entry):
                    source, place = _rehref.WarcBytes(name, entry), (name, entry)
                record = source.read(start, size)
                if new is not None:
                    new = new.encode() if isinstance(new, str) else new
                    record = warc.with_content(record, new)
                suffix = ".warc.gz" if (entry or name).endswith(".gz") else ".warc"
                if suffix not in outputs:
                    final = os.path.join(target, f"part-{partition:05}{suffix}")
                    # Of several attempts at a task, the last one to end counts; all write the same.
                    temporary = os.path.join(target, f".part-{partition:05}-{attempt}{suffix}")
                    outputs[suffix] = (open(temporary, "wb"), temporary, final)
                outputs[suffix][0].write(record)
        for output, temporary, final in outputs.values():
            output.close()
            os.replace(temporary, final)
        paths = [final for _, _, final in outputs.values()]
        yield pa.record_batch([pa.array(paths, pa.string())], names=["path"])

    rows = df.mapInArrow(written, "path string").collect()
    # Of attempts that were killed.
    for left in folder.glob(".part-*"):
        left.unlink()
    return sorted(row.path for row in rows)


def audit_tables(
    spark: Any,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    folder: str,
) -> None:
    """Writes the tables `pages`, `links` and `anchors` of a crawl to `folder` as Parquet, in one pass over the archives.
    See `rehref.warc.audit_tables`, which writes the same on one machine."""
    columns: dict[str, str] = {"file": "t"}
    for table in warc.TABLE_COLUMNS.values():
        columns.update(table)

    def batches(path: str) -> Iterator[Any]:
        import pyarrow as pa

        types = {"n": pa.int64(), "t": pa.string(), "b": pa.binary()}
        for parts in warc.table_batches(path):
            for name, part in parts.items():
                size = part.num_rows
                arrays = [pa.array([name], pa.string()).take(pa.array([0] * size, pa.int8()))]
                for column, letter in columns.items():
                    has = column in part.schema.names
                    arrays.append(part.column(column) if has else pa.nulls(size, types[letter]))
                yield pa.RecordBatch.from_arrays(arrays, ["relation", *columns])

    fields = ", ".join(f"`{name}` {_SQL[letter]}" for name, letter in columns.items())
    rows = _of_files(spark, _archives(paths), batches, f"relation string, {fields}")
    rows.write.partitionBy("relation").parquet(folder)


def audit(spark: Any, folder: str) -> Any:
    """The broken links of the crawl whose tables are in `folder`: the result of `rehref.warc.AUDIT_SQL`.

    Replaces the temporary views `pages`, `links` and `anchors`.
    """
    rows = spark.read.parquet(folder)
    for name in warc.AUDIT_TABLES:
        rows.where(f"relation = '{name}'").createOrReplaceTempView(name)
    # Redirects are followed by recursion, whose rows Spark limits to a million.
    spark.conf.set("spark.sql.cteRecursionRowLimit", "-1")
    return spark.sql(warc.AUDIT_SQL)
