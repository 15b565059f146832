#!/usr/bin/env python3
"""Makes the links of a tree's pages absolute with rehref and with what Python has, and prints MB/s.

    speed.py SITE [--limit BYTES] [--rounds N] [--crate PROGRAM]

CPU time of this process on one thread, over the first documents of SITE in memory, medians of interleaved rounds. The
slow peers get a tenth of the documents. --crate: the program `rehref_absolute` of benches/peers, which measures the
crate the same way. Peers: lxml's make_links_absolute with tostring, BeautifulSoup with urljoin (pip install lxml
beautifulsoup4), and a regular expression for href and src as in w3lib, which misses most kinds of links.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import time
from urllib.parse import urljoin

import rehref

URL = "https://example.org/docs/"
LINK = re.compile(rb"""(<[a-z][^>]*?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE | re.DOTALL)


def with_regex(html, url):
    def absolute(match):
        value = match[2]
        quote = value[:1] if value[:1] in (b'"', b"'") else b""
        text = value.strip(b"\"'").decode("utf-8", "replace")
        return match[1] + quote + urljoin(url, text).encode() + quote

    return LINK.sub(absolute, html)


def peers():
    found = {"rehref.absolute": (rehref.absolute, 1), "regex": (with_regex, 1)}
    try:
        import lxml.html

        def with_lxml(html, url):
            document = lxml.html.document_fromstring(html, base_url=url)
            document.make_links_absolute(handle_failures="ignore")
            return lxml.html.tostring(document.getroottree(), encoding="utf-8")

        found["lxml"] = (with_lxml, 1)
    except ImportError:
        print("skipped: lxml is not installed")
    try:
        import bs4

        def with_soup(html, url):
            soup = bs4.BeautifulSoup(html, "html.parser")
            for element in soup.find_all(True):
                for name in ("href", "src"):
                    if element.has_attr(name):
                        element[name] = urljoin(url, element[name])
            return soup.encode()

        found["BeautifulSoup"] = (with_soup, 10)
    except ImportError:
        print("skipped: beautifulsoup4 is not installed")
    return found


def pages_of(site, limit):
    pages, size = [], 0
    for path in sorted(site.rglob("*.html")):
        if size >= limit:
            break
        html = path.read_bytes()
        pages.append((html, URL + path.relative_to(site).as_posix()))
        size += len(html)
    return pages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--crate")
    arguments = parser.parse_args()
    pages = pages_of(arguments.site, arguments.limit)
    speeds, crate = {}, []
    for _ in range(arguments.rounds):
        for name, (absolute, part) in peers().items():
            some = pages[::part]
            start = time.process_time()
            for html, url in some:
                absolute(html, url)
            seconds = time.process_time() - start
            speeds.setdefault(name, []).append(sum(len(html) for html, _ in some) / 1e6 / seconds)
        if arguments.crate:
            command = [arguments.crate, "memory", arguments.site, URL, "--limit", str(arguments.limit), "--rounds", "1"]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            crate.append(float(run.stdout.split()[0]))
    if crate:
        speeds["the crate"] = crate
    own = statistics.median(speeds["rehref.absolute"])
    print(f"{len(pages)} documents, {sum(len(html) for html, _ in pages) / 1e6:.1f} MB, {arguments.rounds} rounds\n")
    print("| | MB/s | rehref.absolute is × as fast |\n|---|---:|---:|")
    for name, values in speeds.items():
        speed = statistics.median(values)
        print(f"| {name} | {speed:.1f} | {own / speed:.2f} |")


if __name__ == "__main__":
    main()
