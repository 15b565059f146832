"""The programs of docs/guide/programs.md do what the page says, in fewer than thirty lines."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/programs.md"
PROGRAMS = {
    name: code
    for name, code in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
}


@pytest.fixture
def run(tmp_path):
    def run(name, *words, **files):
        for path, content in files.pop("files", {}).items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content, "utf-8")
        (tmp_path / name).write_text(PROGRAMS[name], "utf-8")
        command = [sys.executable, name, *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, **files)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_they_are_short():
    assert list(PROGRAMS) == ["feed.py", "cdn.py", "errors.py", "host.py"]
    assert all(code.count("\n") < 30 for code in PROGRAMS.values())


def test_feed(run):
    feed = run("feed.py", files={"posts/b.html": "<a href=a.html>A &amp; B</a>", "posts/a.html": "<img src=/x.png>"})
    assert "&lt;img src=https://example.org/x.png&gt;</content>" in feed
    assert "&lt;a href=https://example.org/posts/a.html&gt;A &amp;amp; B&lt;/a&gt;</content>" in feed
    assert feed.index("posts/a.html</id>") < feed.index("posts/b.html</id>")


def test_cdn(run):
    page = (
        "<img src=x.gif data-src='/a.png' data-srcset='/a.png 1x, /b.png 2x'><a href=https://shop.example/?id=1#top>"
        "<a href=b.html><img src=https://other.example/c.png>"
    )
    assert run("cdn.py", "docs/a.html", input=page) == (
        "<img src=https://cdn.example.net/docs/x.gif data-src='https://cdn.example.net/a.png' "
        "data-srcset='https://cdn.example.net/a.png 1x, https://cdn.example.net/b.png 2x'>"
        "<a href=https://shop.example/?id=1&amp;utm_source=site#top><a href=b.html><img src=https://other.example/c.png>"
    )


def test_errors(run):
    files = {"dist/a.html": "<a href=x>\n<a href=y>", "dist/b.html": "<a href=a.html><a href=z>"}
    lines = run("errors.py", "dist", files=files).splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["a.html: 2", "b.html: 1"]
    assert lines[1].startswith("  line 1: x: ") and lines[2].startswith("  line 2: y: ")


def test_host(run, tmp_path):
    old, new = "https://example.org/docs/", "https://docs.example.net/"
    page = (
        f"<meta property=og:url content='{old}a.html'><meta property=og:image content=a.png><link rel=canonical href={old}a.html>"
        f"<link rel=stylesheet href=a.css><script type=application/ld+json>{{\"@context\":\"https://schema.org\",\"url\":\"{old}a.html\"}}"
        f"</script><a href={old}>"
    )
    run("host.py", "docs", old, new, files={"docs/x/a.html": page})
    expected = page.replace(old, new).replace(f"<a href={new}>", f"<a href={old}>")
    assert (tmp_path / "docs/x/a.html").read_text("utf-8") == expected
