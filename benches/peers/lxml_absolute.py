#!/usr/bin/env python3
"""lxml's make_links_absolute over the documents of a tree, in one process.

    lxml_absolute.py tree SITE OUT URL
    lxml_absolute.py memory SITE URL [--limit BYTES] [--rounds N]

The modes are those of the Rust programs beside it. Prints a line and ends with status 0 where lxml
(pip install lxml) is not there.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import sys
import time
import urllib.parse

try:
    import lxml.etree
    import lxml.html
except ImportError:
    print("skipped: lxml is not installed (pip install lxml)")
    sys.exit(0)


def absolute(html, own):
    document = lxml.html.document_fromstring(html, base_url=own)
    document.make_links_absolute(handle_failures="ignore")
    return lxml.html.tostring(document.getroottree(), encoding="utf-8")


def documents_of(site):
    for folder, folders, files in os.walk(site):
        folders.sort()
        yield from (path for name in sorted(files) if is_html(path := pathlib.Path(folder, name)))


def is_html(path):
    return path.suffix in (".html", ".htm") and not path.is_symlink()


def url_of(path, site, url):
    return url.rstrip("/") + "/" + urllib.parse.quote(path.relative_to(site).as_posix())


def tree(arguments):
    def write(path, to):
        path = pathlib.Path(path)
        if not is_html(path):
            return shutil.copy2(path, to)
        html = path.read_bytes()
        try:
            html = absolute(html, url_of(path, arguments.site, arguments.url))
        except (lxml.etree.LxmlError, ValueError) as error:
            print(f"{path}: left as it is: {error}", file=sys.stderr)
        return pathlib.Path(to).write_bytes(html)

    shutil.copytree(arguments.site, arguments.out, symlinks=True, copy_function=write)


def memory(arguments):
    documents, size = [], 0
    for path in documents_of(arguments.site):
        if size >= arguments.limit:
            break
        html = path.read_bytes()
        size += len(html)
        documents.append((html, url_of(path, arguments.site, arguments.url)))
    speeds = []
    for _ in range(arguments.rounds):
        failed = 0
        start = time.process_time()
        for html, own in documents:
            try:
                absolute(html, own)
            except (lxml.etree.LxmlError, ValueError):
                failed += 1
        speeds.append(size / 1e6 / (time.process_time() - start))
    print(
        f"{statistics.median(speeds):.1f} MB/s (median of {len(speeds)} rounds over {size / 1e6:.1f} MB"
        f" in {len(documents)} documents, {failed} of which failed)"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    modes = parser.add_subparsers(required=True)
    mode = modes.add_parser("tree")
    mode.set_defaults(run=tree)
    mode.add_argument("site", type=pathlib.Path)
    mode.add_argument("out", type=pathlib.Path)
    mode.add_argument("url")
    mode = modes.add_parser("memory")
    mode.set_defaults(run=memory)
    mode.add_argument("site", type=pathlib.Path)
    mode.add_argument("url")
    mode.add_argument("--limit", type=int, default=sys.maxsize, metavar="BYTES")
    mode.add_argument("--rounds", type=int, default=3, metavar="N")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
