#!/usr/bin/env python3
"""Checks that the command, Python and Spark give the same bytes, and that the command, Spark and DuckDB find the same.

    identical.py SITE... [--kill] [--master local-cluster[2,1,1024]]

Each SITE is a directory; a generated site in legacy charsets and a generated crawl with planted breaks come on top.
With --kill, one executor is killed (kill -9) in each job. Prints a line per comparison; the status is 1 if one failed.
Needs pyspark, pandas<3, pyarrow, duckdb and Java.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import cluster  # noqa: E402
import crawl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from test_warc import in_duckdb  # noqa: E402

import rehref  # noqa: E402
from rehref import spark as rs  # noqa: E402
from rehref import warc  # noqa: E402

URL = "https://example.org/docs/"
CHARSETS = {
    "windows-1252": "café – €",
    "shift_jis": "日本語",
    "utf-16": "grüße",
    "iso-8859-15": "œuvre €",
    "utf-8": "grüße",
}
failures = []


def compare(what, one, other):
    same = one == other
    failures.extend([] if same else [what])
    print(f"{'same' if same else 'DIFFERENT'}: {what}: {len(one)}", flush=True)
    if not same:
        both = [set(map(repr, it.items() if isinstance(it, dict) else it)) for it in (one, other)]
        for left in (both[0] - both[1], both[1] - both[0]):
            print("   ", *(it[:300] for it in sorted(left)[:3]), sep="\n    ")


def legacy_site(root, pages=200):
    """A site in legacy charsets, with breaks."""
    chance = random.Random(7)
    for n in range(pages):
        charset, text = list(CHARSETS.items())[n % len(CHARSETS)]
        folder = root / f"d{n % 7}" / charset
        folder.mkdir(parents=True, exist_ok=True)
        links = [f"<base href='{URL}d1/'>" if n % 11 == 0 else ""]
        for _ in range(10):
            to = chance.randrange(pages)
            at = f"d{to % 7}/{list(CHARSETS)[to % len(CHARSETS)]}"
            links.append(f"<a href='../../{at}/p{to}.html?{text}#s{to}'>{text}</a>")
            links.append(f"<img srcset='/docs/{at}/i.png 1x, missing{to}.png 2x' alt='{text}'>")
            links.append(f"<a href=\"{URL}{at}/p{to}.html\" title=\"{text}\">x</a>")
        links.append("<a href='./'>up</a><a href='../'>up</a><a href=''>self</a><a href='#s'>s</a>")
        links.append("<style>a{background:url(x.png)}</style><p style='background:url(/docs/y.png)'>")
        declared = "" if charset == "utf-16" else f"<meta charset={charset}>"
        page = f"<!doctype html>{declared}<title>{text}</title><p id=s{n}>{text}" + "\n".join(links)
        name = "index.html" if n < 30 else f"p{n}.html"
        (folder / name).write_bytes(page.encode(charset))


def command(*words, statuses=(0, 1)):
    run = subprocess.run([sys.executable, "-m", "rehref", *map(str, words)], capture_output=True, text=True, check=False)
    if run.returncode not in statuses:
        raise SystemExit(f"{words}: {run.stderr}")
    return run.stdout


class Killer(threading.Thread):
    """Kills one executor of the application after a while."""

    def __init__(self, session, after):
        super().__init__(daemon=True)
        self.application, self.after, self.killed = session.sparkContext.applicationId, after, None

    def run(self):
        time.sleep(self.after)
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            is_executor = any(b"CoarseGrainedExecutorBackend" in word for word in words)
            if is_executor and self.application.encode() in words and words[0].endswith(b"java"):
                os.kill(int(folder.name), signal.SIGKILL)
                self.killed = int(folder.name)
                return


def job(session, kill, what, work):
    """Runs `work`, during which an executor is killed."""
    killer = Killer(session, 6) if kill else None
    if killer:
        killer.start()
    start = time.monotonic()
    work()
    seconds = time.monotonic() - start
    note = ""
    if killer:
        killer.join()
        note = f", executor {killer.killed} killed after {killer.after} s"
    print(f"{what}: {seconds:.1f} s{note}", flush=True)


def pages_of(session, root, site, slow):
    """The HTML documents of a directory as a DataFrame of path, url and content."""
    paths = [path for path in site.files() if path.suffix == ".html"]
    rows = [(str(path), site.url_of(path)) for path in paths]
    folder = str(root)

    def read(batches):
        for batch in batches:
            for path, url in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                time.sleep(slow)
                with open(os.path.join(folder, path), "rb") as file:
                    columns = [pa.array([path]), pa.array([url]), pa.array([file.read()], pa.binary())]
                yield pa.record_batch(columns, names=["path", "url", "content"])

    df = session.createDataFrame(rows, "path string, url string").repartition(8)
    return df.mapInArrow(read, "path string, url string, content binary")


def identical(session, root, work, kill):
    """The same bytes of absolute, and of relative on what absolute wrote."""
    name = root.name
    outs = {"absolute": work / "absolute", "relative": work / "relative"}
    roots = {"absolute": root, "relative": outs["absolute"]}
    command("absolute", root, "-o", outs["absolute"], "--url", URL)
    command("relative", outs["absolute"], "-o", outs["relative"], "--url", URL)
    for how, source in roots.items():
        site = rehref.Site(source, URL)
        options = {"site": URL} if how == "relative" else {}
        one = getattr(rehref, how)
        paths = [path for path in site.files() if path.suffix == ".html"]
        native = {str(path): (outs[how] / path).read_bytes() for path in paths}
        changed = sum(native[str(path)] != (source / path).read_bytes() for path in paths)
        print(f"{name}: {how} changes {changed} of {len(paths)} documents")
        python = {
            str(path): one((source / path).read_bytes(), site.url_of(path), **options) for path in paths
        }
        compare(f"{name}: {how}: command and Python", native, python)
        pages = pages_of(session, source, site, 0.1 if kill else 0)
        folder = work / f"spark-{how}"
        df = rs.rewrite(pages, how, **options)
        job(session, kill, f"{name}: {how} in Spark", lambda df=df, to=folder: df.write.parquet(str(to)))
        rows = pq.read_table(folder).to_pylist()
        compare(f"{name}: {how}: command and Spark", native, {row["path"]: row["content"] for row in rows})
        compare(f"{name}: {how}: errors in Spark", [row["error"] for row in rows if row["error"]], [])


def crawled(session, work, kill):
    """Links and broken links of a crawl."""
    (work / "in").mkdir(parents=True)
    paths, planted = crawl.plant(work / "in", pages=400, files=8)
    whole = work / "whole.warc.gz"
    with open(whole, "wb") as file:
        for path in paths:
            file.write(path.read_bytes())

    def native(*words):
        lines = command(*words, whole, "--format", "jsonl").splitlines()
        rows = map(json.loads, lines)
        return [{**row, "document": row["document"].split(" > ")[1]} for row in rows]

    tables = work / "tables"
    job(session, kill, "crawl: tables in Spark", lambda: rs.audit_tables(session, work / "in", str(tables)))
    found = [row.asDict() for row in rs.audit(session, str(tables)).collect()]
    checks = ("broken-target", "broken-fragment", "not-archived")
    keys = sorted(
        (f["document"], f["line"], f["column"], f["reference"], f["check"])
        for f in native("audit")
        if f["check"] in checks
    )
    got = sorted((r["url"], r["line"], r["column"], r["reference"], r["finding"]) for r in found)
    compare("crawl: findings of the command and of Spark", keys, got)
    compare("crawl: findings of Spark and of DuckDB", found, in_duckdb(str(tables)))
    compare("crawl: findings and what was planted", sorted({*crawl.found_by(found)}, key=repr), sorted(planted, key=repr))

    records = rs.read_warc(session, work / "in")
    links = rs.links(records, url="base_url", kind="kind", charset="charset")
    job(session, kill, "crawl: links in Spark", lambda: links.write.parquet(str(work / "links")))
    # Links in HTTP headers belong to no document in Spark.
    keys = sorted((f["document"], f["line"], f["reference"], f["target"] or "") for f in native("links") if f["carrier"] != "header")
    import duckdb

    rows = duckdb.sql(f"SELECT url, line, text, coalesce(target, '') FROM '{work}/links/*.parquet' WHERE error IS NULL").fetchall()
    compare("crawl: links of the command and of Spark, in DuckDB", keys, sorted(rows))

    changed = rs.rewrite(records, "absolute", url="base_url", kind="kind", charset="charset")
    job(session, kill, "crawl: absolute in Spark", lambda: rs.write_warc(changed, work / "out"))
    command("absolute", whole, "-o", work / "absolute.warc.gz")
    documents = lambda paths: sorted(  # noqa: E731
        (row["url"], row["status"], row["content"] or b"")
        for path in paths
        for batch in warc.records(path)
        for row in batch.to_pylist()
        if row["content"]
    )
    written = sorted((work / "out").iterdir())
    compare("crawl: documents of absolute, command and Spark", documents([work / "absolute.warc.gz"]), documents(written))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="*", type=pathlib.Path)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--master", default=cluster.MASTER)
    arguments = parser.parse_args()
    session = cluster.start(arguments.master, log_level="OFF")
    work = pathlib.Path(tempfile.mkdtemp(prefix="rehref-identical-"))
    try:
        legacy = work / "legacy"
        legacy_site(legacy)
        for root in [legacy, *arguments.sites]:
            identical(session, root, work / f"of-{root.name}", arguments.kill)
        crawled(session, work / "crawl", arguments.kill)
    finally:
        session.stop()
        shutil.rmtree(work, ignore_errors=True)
    print(f"{len(failures)} comparisons differ" if failures else "all comparisons are the same")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
