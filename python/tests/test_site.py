"""Sites on disk, and the command."""

import subprocess
import sys
from pathlib import Path

import pytest

import rehref

SAMPLE = Path(__file__).parents[2] / "sample-site"
URL = "https://example.org/docs/"


def test_the_audit_of_a_site():
    site = rehref.Site(SAMPLE, URL)
    assert site.root == SAMPLE
    assert Path("visit/index.html") in site.files()
    assert site.url_of("visit/index.html") == URL + "visit/"
    findings = site.audit()
    broken = [finding for finding in findings if finding.check == "broken-target"]
    assert ("index.html", "visit/guide.html") in [(f.document, f.reference) for f in broken]
    assert all(finding.level == "error" for finding in broken)


def test_a_directory_that_does_not_exist(tmp_path):
    with pytest.raises(OSError, match="missing"):
        rehref.Site(tmp_path / "missing", URL)
    with pytest.raises(rehref.UrlError):
        rehref.Site(tmp_path, "docs/")


def test_a_move_and_its_verification(tmp_path):
    site = rehref.Site(SAMPLE, URL)
    assert site.url == URL
    out, moves = tmp_path / "out", {"visit": "plan/visit"}
    report = site.move(moves, out)
    assert (out / "plan/visit/index.html").exists()
    assert report.documents == len(report.changed) > 1 and report.links >= report.documents
    assert report.json["format"] == "rehref-rewrite"
    verified = site.verify(out, moves=moves)
    assert verified.is_proven and verified.links > 100
    different = site.verify(out)
    assert not different.is_proven and different.different
    with pytest.raises(rehref.RehrefError, match="missing.html") as raised:
        site.move({"missing.html": "x.html"}, tmp_path / "other")
    assert "/tmp" not in str(raised.value) and "map" not in str(raised.value)
    assert not (tmp_path / "other").exists()
    pairs = site.move(iter(moves.items()), tmp_path / "pairs")
    assert pairs.changed == report.changed and site.verify(tmp_path / "pairs", moves=moves.items()).is_proven
    with pytest.raises(rehref.RehrefError, match="not empty"):
        site.move(moves, out)
    with pytest.raises(rehref.RehrefError, match="absent"):
        site.verify(tmp_path / "absent")


def run(*words, **options):
    command = [sys.executable, "-m", "rehref", *words]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_the_command(tmp_path):
    (tmp_path / "a.html").write_text("<a href=b.html>")
    (tmp_path / "b.html").write_text("<p>")
    run_of_all = run("absolute", ".", "-o", "../out", "--url", URL, cwd=tmp_path)
    assert run_of_all.returncode == 0, run_of_all.stderr
    assert (tmp_path.parent / "out/a.html").read_text() == f"<a href={URL}b.html>"
    (tmp_path / "b.html").unlink()
    assert run("audit", ".", cwd=tmp_path).returncode == 1
    assert run("--version").stdout.split()[:2] == ["rehref", rehref.__version__]
    wrong = run("rewrite", "a", "b")
    assert wrong.returncode == 2 and "move" in wrong.stderr
    report = run("audit", ".", "--format", "html", cwd=tmp_path).stdout
    assert "rehref audit . --format html" in report
