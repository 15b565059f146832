#!/usr/bin/env python3
"""Shows the files of the working directory as GitHub shows those of the branch `main` of the repository `o/r`.

usage: github.py OUT      (needs the package cmarkgfm: GitHub's own parser, cmark-gfm)

No program of GitHub can be run, so this one follows what it documents, each rule with its source:

1. Markdown: GitHub Flavored Markdown (github.github.com/gfm), by its parser with its extensions and footnotes.
2. Ids of headings, in Markdown and in HTML (html-pipeline, toc_filter.rb): the text in lower case, without what is neither a
   word character, hyphen nor space, spaces as hyphens, `-1`, `-2` where the id is taken.
3. `id` and `name` begin with `user-content-` in the page (html-pipeline, sanitization_filter.rb; github/markup, README); the
   script of the page finds a fragment without it, in lower case at last.
4. A relative URL counts from the file, one with a slash at its start from the root of the repository (docs.github.com,
   "About the repository README file", relative links and image paths), for links below `blob`, for images below `raw`.
5. A directory shows its README, else the list of its files; `#readme` is the README (docs.github.com, the same).
6. `#L7` is a line of a file, with `?plain=1` of the source of a rendered one (docs.github.com, "Creating a permanent link to a
   code snippet").
7. Beside the files, a repository has the pages below (docs.github.com, REST and "Accessing a repository").
"""

import re
import sys
import unicodedata
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urlsplit

import cmarkgfm
from cmarkgfm.cmark import Options

BLOB, RAW = "/o/r/blob/main/", "/o/r/raw/main/"
PAGES = ["issues", "pulls", "wiki", "wiki/X", "releases", "releases/latest", "actions", "discussions", "commits", "projects"]
URLS = {"href": BLOB, "src": RAW}
HEADING = re.compile(r"h[1-6]$")


def is_word(character):
    """Whether a character is one of Ruby's `\\p{Word}`."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Pc")


class Filter(HTMLParser):
    """Rules 2 to 4 over the HTML of a document at `path`."""

    def __init__(self, html, path):
        super().__init__(convert_charrefs=False)
        self.path, self.out, self.ids, self.taken, self.heading = path, [], [], {}, None
        self.feed(html)
        self.close()

    def url(self, value, root):
        value = value.strip()
        if not value or value.startswith(("#", "//")) or urlsplit(value).scheme:
            return value
        parts = urlsplit(value)
        rest = value[len(parts.path):]
        if parts.path.startswith("/"):
            path = root + parts.path[1:]
        else:
            path = root + (self.path.rsplit("/", 1)[0] + "/" if "/" in self.path else "") + parts.path
        slash = "/" if path.endswith("/") else ""
        return normpath(path).rstrip("/") + slash + rest

    def handle_starttag(self, tag, attributes):
        if HEADING.match(tag):
            self.heading = ""
        text = ""
        for name, value in attributes:
            value = value or ""
            if name in ("id", "name"):
                self.ids.append(value)
                continue
            if name in URLS:
                value = self.url(value, URLS[name])
            text += f' {name}="{escape(value)}"'
        self.out.append(f"<{tag}{text}>")

    def handle_endtag(self, tag):
        if HEADING.match(tag) and self.heading is not None:
            text = unescape(self.heading).lower()
            slug = "".join(it for it in text if it in "- " or is_word(it)).replace(" ", "-")
            count = self.taken.get(slug, 0)
            self.taken[slug] = count + 1
            self.ids.append(f"{slug}-{count}" if count else slug)
            self.heading = None
        self.out.append(f"</{tag}>")

    def handle_data(self, data):
        if self.heading is not None:
            self.heading += data
        self.out.append(data)

    def handle_entityref(self, name):
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        self.handle_data(f"&#{name};")


def shown(path, text):
    """The page of a document, and its ids."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    page = Filter(cmarkgfm.github_flavored_markdown_to_html(text, options), path)
    lines = [f"L{number}" for number in range(1, text.count("\n") + 2)]
    return "".join(page.out), page.ids, lines


def main(out):
    files = {it.relative_to(".").as_posix(): it for it in sorted(Path(".").rglob("*")) if it.is_file()}
    pages = {path: shown(path, file.read_text()) for path, file in files.items() if path.endswith(".md")}
    # Rule 3: the fragments that the script finds in lower case.
    fragments = {it for html, _, _ in pages.values() for it in re.findall(r'href="[^"]*#([^"]+)"', html)}

    def write(path, html):
        file = out / path.strip("/") / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html)

    def whole(html, ids, lines=()):
        known = {it.lower() for it in ids}
        ids = set(ids) | {f"user-content-{it}" for it in ids} | {"readme", *lines}
        ids |= {it for it in map(unquote, fragments) if it.lower() in known}
        return html + "".join(f'<i id="{escape(it)}"></i>' for it in sorted(ids - {""}))

    for path, file in files.items():
        if path in pages:
            write(BLOB + path, whole(*pages[path]))
        for root in [RAW] if path in pages else [BLOB, RAW]:
            copy = out / (root + path).strip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    for folder in {parent for path in files for parent in Path(path).parents}:
        name = "" if folder.as_posix() == "." else folder.as_posix() + "/"
        readme = next((name + it for it in ("README.md", "readme.md") if name + it in pages), None)
        if readme:
            write(BLOB + name, whole(*pages[readme][:2]))
        else:
            names = sorted({it[len(name):].split("/")[0] for it in files if it.startswith(name)})
            write(BLOB + name, f"<h1>Files: {', '.join(names)}</h1>")
    for name in PAGES:
        write("o/r/" + name, f"<h1>The page {name} of the repository</h1>")
    write("o/other", "<h1>Another repository</h1>")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
