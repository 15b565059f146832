"""rehref in Spark: a cluster of two executors on this machine."""

import os
import shutil
import zipfile

import pytest

import cluster
import crawl
import rehref

pytest.importorskip("pyspark", reason="pyspark is not installed (REHREF_SPARK=1 .ci/run installs it)")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("pandas", reason="pandas is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Java is not installed", allow_module_level=True)

from rehref import spark as rs  # noqa: E402
from rehref import warc  # noqa: E402
from test_warc import in_duckdb  # noqa: E402

SITE = "https://example.org/"


@pytest.fixture(scope="module")
def session():
    session = cluster.start(os.environ.get("REHREF_SPARK_MASTER", cluster.MASTER))
    yield session
    session.stop()


def test_a_page_that_fails_is_a_row(session):
    rows = [
        (1, "https://example.org/a/", b"<a href=b>", "html", "old"),
        (2, "nowhere", b"<a href=b>", "html", None),
        (3, "https://example.org/a/", b"\x89PNG<a href=b>", None, None),
        (4, "https://example.org/a/", None, "html", None),
        (5, "https://example.org/a/", b"<a>", "xml", None),
        (6, "https://example.org/a/", b"<a href=b>", "html", None),
    ]
    schema = "id int, url string, content binary, kind string, error string"
    df = session.createDataFrame(rows, schema)
    changed = {row.id: row for row in rs.rewrite(df, "absolute", kind="kind").collect()}
    assert changed[1].content == b"<a href=https://example.org/a/b>" and changed[1].error == "old"
    assert changed[2].content is None and changed[2].error.startswith('"nowhere"')
    assert changed[3].content == rows[2][2] and changed[3].error is None
    assert changed[4].content is None and changed[4].error is None
    assert changed[5].content is None and changed[5].error
    links = {row.id: row for row in rs.links(df, kind="kind", keep=["id"]).collect()}
    assert links[1].target == "https://example.org/a/b" and links[1].start == 8
    assert links[2].error and links[5].error and 3 not in links
    text = df.where("id = 1").selectExpr("url", "cast(content AS string) content")
    assert rs.rewrite(text, "absolute").first().content == "<a href=https://example.org/a/b>"
    (row,) = rs.rewrite(df.where("id = 6"), "relative", site=SITE).collect()
    assert row.content == b"<a href=b>"


def test_options_are_refused_before_the_job(session):
    df = session.createDataFrame([("https://example.org/", b"")], "url string, content binary")
    with pytest.raises(rehref.RehrefError, match="offline needs the whole tree"):
        rs.rewrite(df, "relative", site=SITE, offline=True)
    with pytest.raises(rehref.RehrefError, match="only with relative"):
        rs.rewrite(df, "absolute", site=SITE)
    with pytest.raises(rehref.RehrefError, match="pass absolute or relative"):
        rs.rewrite(df, "move")
    with pytest.raises(TypeError, match="unexpected keyword"):
        rs.rewrite(df, "absolute", contents="x")
    with pytest.raises(FileNotFoundError):
        rs.read_warc(session, [])


def test_an_archive_is_read_and_written(session, tmp_path):
    (tmp_path / "in").mkdir()
    paths, _ = crawl.plant(tmp_path / "in")
    records = rs.read_warc(session, tmp_path / "in")
    assert records.rdd.getNumPartitions() == len(paths)
    expected = [row for path in paths for batch in warc.records(path) for row in batch.to_pylist()]
    got = sorted((row.asDict() for row in records.collect()), key=lambda it: (it["file"], it["number"]))
    assert [{**row, "content": row["content"] and bytes(row["content"])} for row in got] == expected
    changed = rs.rewrite(records, "absolute", url="base_url", kind="kind", charset="charset")
    written = rs.write_warc(changed, tmp_path / "out")
    assert len(written) == len(paths)
    assert sorted(os.listdir(tmp_path / "out")) == [os.path.basename(path) for path in written]
    after = [row for path in written for batch in warc.records(path) for row in batch.to_pylist()]
    assert len(after) == len(expected)
    for old, new in zip(expected, after, strict=True):
        assert (old["url"], old["type"], old["status"]) == (new["url"], new["type"], new["status"])
        content = old["content"]
        if content is not None:
            content = rehref.absolute(content, old["base_url"], kind=old["kind"], charset=old["charset"])
        assert new["content"] == content
    with pytest.raises(FileExistsError):
        rs.write_warc(changed, tmp_path / "out")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_file_is_read_and_written_to_archives(session, tmp_path, method):
    (tmp_path / "in").mkdir()
    paths, planted = crawl.plant(tmp_path, files=3)
    crawl.pack(tmp_path / "in/crawl.wacz", paths, method)
    records = rs.read_warc(session, tmp_path / "in")
    changed = rs.rewrite(records, "absolute", url="base_url", kind="kind", charset="charset")
    (written,) = rs.write_warc(changed, tmp_path / "out")
    plain = rs.read_warc(session, paths)
    changed = rs.rewrite(plain, "absolute", url="base_url", kind="kind", charset="charset")
    expected = rs.write_warc(changed, tmp_path / "expected")
    whole = b"".join(open(path, "rb").read() for path in expected)
    assert open(written, "rb").read() == whole
    # Of archives, the column may be missing.
    rs.write_warc(plain.drop("archive").coalesce(1), tmp_path / "copied")
    assert (tmp_path / "copied/part-00000.warc.gz").read_bytes() == b"".join(it.read_bytes() for it in paths)
    folder = str(tmp_path / "tables")
    rs.audit_tables(session, tmp_path / "in", folder)
    assert set(crawl.found_by(row.asDict() for row in rs.audit(session, folder).collect())) == planted


def test_the_audit_is_the_same_in_spark_and_in_duckdb(session, tmp_path):
    (tmp_path / "in").mkdir()
    paths, planted = crawl.plant(tmp_path / "in", pages=60)
    (tmp_path / "in/damaged.warc.gz").write_bytes(paths[0].read_bytes()[:100])
    folder = str(tmp_path / "tables")
    rs.audit_tables(session, tmp_path / "in", folder)
    rows = [row.asDict() for row in rs.audit(session, folder).collect()]
    assert set(crawl.found_by(rows)) == planted
    assert in_duckdb(folder) == rows
    errors = session.sql("SELECT file FROM pages WHERE error IS NOT NULL").collect()
    assert [os.path.basename(row.file) for row in errors] == ["damaged.warc.gz"]
