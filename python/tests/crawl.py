"""A crawl with planted breaks, as WARC archives or as a WACZ file of them."""

import base64
import gzip
import hashlib
import random
import zipfile

HOST = "http://crawl.example"


def record(kind, url, block, date="2026-10-01T00:00:00Z"):
    digest = hashlib.sha1(block).digest()
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        f"WARC-Date: {date}",
        f"WARC-Block-Digest: sha1:{base64.b32encode(digest).decode()}",
        f"Content-Length: {len(block)}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + block + b"\r\n\r\n"


def response(url, body=b"", status="200 OK", headers=("Content-Type: text/html",)):
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
    return record("response", url, "\r\n".join(lines).encode() + body)


def write(path, records):
    with open(path, "wb") as file:
        for one in records:
            is_gzip = str(path).endswith(".gz")
            file.write(gzip.compress(one, mtime=0) if is_gzip else one)


def pack(path, archives, compression=zipfile.ZIP_STORED):
    """Writes a WACZ file of these archives."""
    with zipfile.ZipFile(path, "w", compression) as wacz:
        wacz.writestr("pages/pages.jsonl", "{}\n")
        for archive in archives:
            wacz.write(archive, f"archive/{archive.name}")


def plant(folder, pages=40, files=4, seed=1):
    """Writes archives to `folder`; returns what is planted: (URL of the page, reference, finding, reason)."""
    chance = random.Random(seed)
    planted = set()
    archives = [[] for _ in range(files)]
    urls = [f"{HOST}/d{n % 5}/p{n}.html" for n in range(pages)]
    for n, url in enumerate(urls):
        links = []

        def add(reference, finding=None, reason=None, attribute="href", element="a"):
            links.append(f"<{element} {attribute}='{reference}'>x</{element}>")
            if finding:
                planted.add((url, reference, finding, reason))

        for _ in range(8):
            to = chance.randrange(pages)
            add(f"../d{to % 5}/p{to}.html")
            add(f"/d{to % 5}/p{to}.html#s{to}")
        add("https://elsewhere.example/x#y")
        add("mailto:me@crawl.example")
        add("#own")
        add("#")
        add("#top")
        add("/gone.html#s", "broken-target", "404")
        if chance.random() < 0.5:
            add(f"missing{n}.html", "not-archived", None)
        if chance.random() < 0.5:
            to = chance.randrange(pages)
            add(f"/d{to % 5}/p{to}.html#no{n}", "broken-fragment")
        if chance.random() < 0.3:
            add(f"#nowhere{n}", "broken-fragment")
        if chance.random() < 0.3:
            add("/moved#s0")
            add("/moved#bad", "broken-fragment")
            add("/loop", "broken-target", "redirect-loop")
            add("/into#x", "broken-target", "redirect-loop")
            add("/out#x")
        if chance.random() < 0.3:
            add("/D0/p0.html", "not-archived", None)
            add("https://crawl.example/d0/p0.html#s0")
            add("https://crawl.example/D0/p0.html", "not-archived", None)
            add("/img/missing.png", "not-archived", None, "src", "img")
            add("/img/logo.png#view", attribute="src", element="img")
        if chance.random() < 0.3:
            add("/route.html#!/anything")
            add("/forward.html#s0")
            add("/forward.html#bad", "broken-fragment")
        body = f"<title>{n}</title><p id=s{n}><a name=own></a>" + "\n".join(links)
        charset = ["utf-8", "windows-1252", "shift_jis", "iso-8859-15"][n % 4]
        head = f"<meta charset={charset}><p>ä".encode(charset, "ignore")
        archives[n % files].append(
            response(url, head + body.encode(charset), headers=("Content-Type: text/html",))
        )
    last = archives[-1]
    last.append(response(f"{HOST}/gone.html", b"<p id=s>", "404 Not Found"))
    last.append(response(f"{HOST}/moved", b"", "301 Moved", ("Location: /moved2",)))
    last.append(response(f"{HOST}/moved2", b"", "302 Found", ("Location: /d0/p0.html#x",)))
    planted.add((f"{HOST}/moved2", "/d0/p0.html#x", "broken-fragment", None))
    last.append(response(f"{HOST}/loop", b"", "302 Found", ("Location: /loop",)))
    planted.add((f"{HOST}/loop", "/loop", "broken-target", "redirect-loop"))
    for at, to in [("into", "ping"), ("ping", "pong"), ("pong", "ping")]:
        last.append(response(f"{HOST}/{at}", b"", "302 Found", (f"Location: /{to}",)))
        planted.add((f"{HOST}/{at}", f"/{to}", "broken-target", "redirect-loop"))
    last.append(response(f"{HOST}/out", b"", "302 Found", ("Location: https://elsewhere.example/",)))
    last.append(response(f"{HOST}/img/logo.png", b"\x89PNG", headers=("Content-Type: image/png",)))
    last.append(response(f"{HOST}/route.html", b"<p>"))
    refresh = b"<meta http-equiv=refresh content='0; url=/d0/p0.html'><script>location.hash</script>"
    last.append(response(f"{HOST}/forward.html", refresh))
    last.append(record("request", f"{HOST}/asked.html", b"GET / HTTP/1.1\r\n\r\n"))
    paths = []
    for n, records in enumerate(archives):
        path = folder / f"crawl-{n}.warc.gz"
        write(path, records)
        paths.append(path)
    return paths, planted


def found_by(rows):
    """The same of the rows of the audit's query."""
    return sorted((r["url"], r["reference"], r["finding"], r["reason"]) for r in rows)
