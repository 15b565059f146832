"""WARC archives, and the audit of a crawl as a query."""

import json
import shutil
import subprocess
import sys
import zipfile

import pytest

import crawl
import rehref

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
from rehref import warc  # noqa: E402


def rows_of(path):
    return [row for batch in warc.records(path) for row in batch.to_pylist()]


def native(path):
    """The findings of the command about an archive or a directory of archives, by line and column."""
    command = [sys.executable, "-m", "rehref", "audit", str(path), "--format", "jsonl"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    findings = map(json.loads, run.stdout.splitlines())
    checks = ("broken-target", "broken-fragment", "not-archived")
    return sorted(
        (f["document"].split(" > ")[1], f["line"], f["column"], f["reference"], f["check"])
        for f in findings
        if f["check"] in checks
    )


def in_duckdb(folder):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    for name in warc.AUDIT_TABLES:
        connection.sql(f"CREATE VIEW {name} AS FROM '{folder}/relation={name}/*.parquet'")
    result = connection.sql(warc.AUDIT_SQL)
    names = result.columns
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_records_have_places_and_decoded_documents(tmp_path):
    paths, _ = crawl.plant(tmp_path)
    rows = rows_of(paths[-1])
    page = rows[0]
    assert page["type"] == "response" and page["status"] == 200
    assert page["kind"] == "html" and page["media_type"] == "text/html"
    assert page["content"].startswith(b"<meta charset=")
    assert page["base_url"] == page["url"]
    by_url = {row["url"]: row for row in rows}
    assert by_url[f"{crawl.HOST}/img/logo.png"]["content"] is None
    assert by_url[f"{crawl.HOST}/asked.html"]["type"] == "request"
    assert by_url[f"{crawl.HOST}/gone.html"]["status"] == 404
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    offsets = [row["offset"] for row in rows]
    assert offsets == sorted(offsets)
    end = rows[-1]["offset"] + rows[-1]["length"]
    assert end == paths[-1].stat().st_size


def test_the_content_of_a_record_is_replaced(tmp_path):
    paths, _ = crawl.plant(tmp_path)
    row = rows_of(paths[0])[0]
    whole = paths[0].read_bytes()
    record = whole[row["offset"] : row["offset"] + row["length"]]
    assert warc.with_content(record, row["content"]) == record
    changed = warc.with_content(record, b"<p>new")
    (tmp_path / "new.warc.gz").write_bytes(changed)
    (again,) = rows_of(tmp_path / "new.warc.gz")
    assert again["content"] == b"<p>new" and again["url"] == row["url"]
    with pytest.raises(rehref.DocumentError):
        warc.with_content(b"nothing", b"")


def test_damage_is_an_error_row(tmp_path):
    paths, _ = crawl.plant(tmp_path)
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(paths[0].read_bytes()[:-40])
    rows = rows_of(cut)
    assert len(rows) == len(rows_of(paths[0]))
    assert rows[-1]["error"] and rows[-1]["url"] is None and rows[-1]["file"] == str(cut)
    (row,) = rows_of(tmp_path / "missing.warc")
    assert "missing.warc" in row["error"]
    coded = crawl.response(
        crawl.HOST, b"\x1f\x8bbroken", headers=("Content-Type: text/html", "Content-Encoding: gzip")
    )
    crawl.write(tmp_path / "coded.warc", [coded])
    (row,) = rows_of(tmp_path / "coded.warc")
    assert row["error"] and row["content"] is None


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]


@pytest.mark.parametrize("method", METHODS)
def test_a_wacz_file_has_the_records_of_its_archives(tmp_path, method):
    paths, planted = crawl.plant(tmp_path)
    wacz = tmp_path / "crawl.wacz"
    crawl.pack(wacz, paths, method)
    rows = rows_of(wacz)
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    expected = [
        {**row, "file": str(wacz), "archive": f"archive/{path.name}", "number": None}
        for path in paths
        for row in rows_of(path)
    ]
    assert [{**row, "number": None} for row in rows] == expected
    row = rows[-1]
    (path,) = (path for path in paths if row["archive"] == f"archive/{path.name}")
    bytes_of_archive = rehref._rehref.WarcBytes(wacz, row["archive"])
    record = bytes_of_archive.read(row["offset"], row["length"])
    assert path.read_bytes().endswith(record) and len(record) == row["length"]
    with pytest.raises(OSError, match="has no archive archive/x.warc"):
        rehref._rehref.WarcBytes(wacz, "archive/x.warc")
    warc.audit_tables([wacz], tmp_path / "tables")
    found = in_duckdb(tmp_path / "tables")
    assert set(crawl.found_by(found)) == planted
    got = sorted((r["url"], r["line"], r["column"], r["reference"], r["finding"]) for r in found)
    assert got == native(wacz)


def test_damage_in_a_wacz_file_is_an_error_row(tmp_path):
    paths, _ = crawl.plant(tmp_path, files=3)
    counts = [len(rows_of(path)) for path in paths]
    paths[1].write_bytes(paths[1].read_bytes()[:-40])
    wacz = tmp_path / "crawl.wacz"
    crawl.pack(wacz, paths, zipfile.ZIP_DEFLATED)
    rows = rows_of(wacz)
    assert len(rows) == sum(counts)
    (failed,) = (row for row in rows if row["error"])
    assert failed["error"].startswith(f"archive/{paths[1].name}: record ")
    assert failed["file"] == str(wacz) and failed["url"] is None
    assert rows[-1]["archive"] == f"archive/{paths[2].name}"
    wacz.write_bytes(b"nothing")
    (row,) = rows_of(wacz)
    assert row["error"].startswith(f"{wacz}: not a zip file")


def test_the_query_finds_what_is_planted(tmp_path):
    paths, planted = crawl.plant(tmp_path)
    warc.audit_tables(paths, tmp_path / "tables")
    assert set(crawl.found_by(in_duckdb(tmp_path / "tables"))) == planted


def test_the_query_finds_what_the_command_finds(tmp_path):
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        archives = folder / "archives"
        archives.mkdir()
        paths, planted = crawl.plant(archives, files=1 + seed, seed=seed)
        warc.audit_tables(paths, folder / "tables")
        rows = in_duckdb(folder / "tables")
        assert {(r["url"], r["reference"], r["finding"], r["reason"]) for r in rows} == planted
        got = sorted(
            (r["url"], r["line"], r["column"], r["reference"], r["finding"]) for r in rows
        )
        assert got == native(archives)
        shutil.rmtree(folder)
