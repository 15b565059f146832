"""The constructs: each makes the files of a site that holds it n times.

A construct is a function from n to the files, by their paths, with their bytes, or `Link` for a symbolic
link; and the arguments that some of the commands need besides the usual.
"""

import dataclasses
import gzip
import shutil
import subprocess
import zlib
from base64 import b64encode

URL = "https://site.test/docs/"
DOCTYPE = "<!DOCTYPE html>"
OTHER = "site/other.html"
OTHER_PAGE = DOCTYPE + "<title>other</title><p id=x0>"
XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
MIME = "MIME-Version: 1.0\r\n"
# More globs in a list are an error.
MOST_GLOBS = 4000


@dataclasses.dataclass
class Link:
    """A symbolic link to this text."""
    text: str


@dataclasses.dataclass
class Construct:
    """What is measured."""
    make: object
    # Arguments of all commands, and of single ones.
    extra: tuple = ()
    of_command: dict = dataclasses.field(default_factory=dict)
    # The commands, if not all.
    only: tuple = ()
    # Whether it is one page of HTML, which both engines read.
    is_page: bool = False


def repeat(pattern, before="", after="", between=""):
    """The text with `pattern` n times, `#N` being its number, `#M` the next one."""
    def make(n):
        pieces = (pattern.replace("#N", str(i)).replace("#M", str(i + 1)) for i in range(n)) if "#" in pattern \
            else [pattern] * n
        return before + between.join(pieces) + after
    return make


def file(name, make, **options):
    """A construct that is one file."""
    def files(n):
        made = make(n)
        return {f"site/{name}": made if isinstance(made, bytes) else made.encode(), OTHER: OTHER_PAGE.encode()}
    return Construct(files, **options)


def html(pattern, before="", after="", **options):
    return file("p.html", repeat(pattern, DOCTYPE + before, after), is_page=True, **options)


def nested(opening, closing, before="", after=""):
    return file("p.html", lambda n: DOCTYPE + before + opening * n + closing * n + after, is_page=True)


def markdown(pattern, before="", after="", dialect="github", between="", name="p.md"):
    """A document in Markdown, beside a page that moves."""
    return file(name, repeat(pattern, before, after, between), extra=("--markdown", dialect))


def front_matter(pattern, before="", after="", dialect="hugo", between="", mark="---"):
    return markdown(pattern, f"{mark}\n{before}", f"{after}\n{mark}\n[a](other.md)\n", dialect, between)


def settings(name, pattern, dialect, before="", after="", between=""):
    """The settings of a generator, beside a document."""
    made = repeat(pattern, before, after, between)
    return Construct(lambda n: {f"site/{name}": made(n).encode(), "site/p.md": b"[a](other.html)\n", OTHER: OTHER_PAGE.encode()},
                     extra=("--markdown", dialect))


def by_authority(construct):
    """The same page with a second `html` tag, which only the authority reads."""
    def files(n):
        made = construct.make(n)
        page = made["site/p.html"].decode()
        made["site/p.html"] = page.replace(DOCTYPE, DOCTYPE + "<html><html a>", 1).encode()
        return made
    return dataclasses.replace(construct, make=files)


def css(pattern, before="", after=""):
    return file("p.css", repeat(pattern, before, after))


def svg(pattern, before="", after=""):
    return file("p.svg", repeat(pattern, f"<svg {XMLNS}>{before}", f"{after}</svg>"))


def atom(pattern, before="", after=""):
    return file("p.xml", repeat(pattern, f'<feed xmlns="http://www.w3.org/2005/Atom">{before}', f"{after}</feed>"))


def script(media_type, pattern, before, after, between=","):
    return file("p.html", repeat(pattern, f'{DOCTYPE}<script type="{media_type}">{before}', f"{after}</script>", between))


def message(pattern, before="", kind="multipart/related"):
    head = f'{MIME}Content-Type: {kind}; boundary="b"\r\n\r\n'
    return file("p.mhtml", repeat(f"--b\r\n{pattern}\r\n", head + before, "--b--\r\n"))


def part(content_type, headers, body):
    return f"Content-Type: {content_type}\r\n{headers}\r\n{body}"


def nested_messages(n):
    """Multiparts in multiparts, each with a boundary of its own."""
    opened = "".join(f'Content-Type: multipart/mixed; boundary="b{i}"\r\n\r\n--b{i}\r\n' for i in range(n))
    closed = "".join(f"\r\n--b{i}--" for i in reversed(range(n)))
    return f"{MIME}{opened}Content-Type: text/html\r\n\r\n<a href=x>{closed}\r\n"


def record(uri, content_type, body):
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n{body}"
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{zlib.crc32(uri.encode()):08x}-0000-0000-0000-000000000000>\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n{block}\r\n\r\n")


def warc(make_records, packed=False):
    """An archive in SITE; `make_records` gives the records for n."""
    def files(n):
        records = make_records(n)
        archive = b"".join(gzip.compress(it.encode(), 6, mtime=0) for it in records) if packed \
            else "".join(records).encode()
        return {f"site/a.warc{'.gz' if packed else ''}": archive, OTHER: OTHER_PAGE.encode()}
    return Construct(files)


def packed(name, make, pack):
    """A compressed page. What counts is its size before."""
    return Construct(lambda n: {f"site/{name}": pack(make(n).encode()), OTHER: OTHER_PAGE.encode()}, extra=("--compressed",))


def zstd(data):
    return subprocess.run(("zstd", "-q", "-c"), input=data, capture_output=True, check=True).stdout


def tree(path, content=DOCTYPE + "<a href=x>", extra_files=lambda n: {}, **options):
    """A tree with a file for each number."""
    def files(n):
        made = {"site/" + path(i) if callable(path) else "site/" + path.replace("#N", str(i)): content.encode() for i in range(n)}
        return {**made, OTHER: OTHER_PAGE.encode(), **extra_files(n)}
    return Construct(files, **options)


def beside(name, make, commands, before=(), page=DOCTYPE + "<a href=other.html>"):
    """A file outside SITE that `commands` read with the arguments `before` and its path."""
    return Construct(
        lambda n: {name: make(n).encode(), "site/p.html": page.encode(), OTHER: OTHER_PAGE.encode()},
        of_command={command: (*before, name) for command in commands}, only=tuple(commands))


def deep(n):
    """A chain of folders with a page at each level, 100 levels at most, then another chain."""
    files = {OTHER: OTHER_PAGE.encode()}
    for i in range(n):
        chain, depth = divmod(i, 100)
        files[f"site/c{chain}/" + "d/" * depth + "p.html"] = (DOCTYPE + "<a href=../x>").encode()
    return files


def links_chain(n):
    files = {OTHER: OTHER_PAGE.encode(), "site/p.html": "".join(f"<a href=l{i}>" for i in range(n)).encode()}
    files.update({f"site/l{i}": Link(f"l{i + 1}") for i in range(n)})
    return files


def sources(make, page):
    """Sources beside a built page."""
    return Construct(lambda n: {**make(n), "site/p.html": (DOCTYPE + page(n)).encode(), OTHER: OTHER_PAGE.encode()},
                     of_command={"audit": ("--sources", "docs")}, only=("audit",))


def baseline(n):
    """A baseline as --update-baseline writes it, of findings that are gone."""
    entries = ",\n".join(f'{{"fingerprint":"{i:016x}","check":"broken-target","document":"gone{i}.html","reference":"x"}}' for i in range(n))
    return f'{{"format":"rehref-baseline","version":1,"findings":[\n{entries}\n]}}\n'


LINK = "<a href=x#N.html>"
DIALECTS = ("github", "mkdocs", "docusaurus", "hugo", "sphinx", "mdbook", "vitepress", "jekyll")
CONSTRUCTS = {
    # Links, values, attributes.
    "links": html(LINK),
    "short links": html("<a href=x>"),
    "links to one file": html("<a href=other.html>"),
    "bad URLs in one line": html('<a href="http://[bad">'),
    "bad URLs in lines": html('<a href="x y">\n'),
    "one long line of equal ids": html("<p id=a>"),
    "ids": html("<p id=a#N>"),
    "missing fragments": html("<a href=#x#N>"),
    "fragments of another page": html("<a href=other.html#x#N>"),
    "fragments that exist": html("<a href=#x#N id=x#N>"),
    "fragments with %": html("<a href=#%41%#N>"),
    "attributes of one element": html(" a#N=b", "<a href=x", ">"),
    "equal attributes": html(" href=b", "<a", ">"),
    "URL attributes of one element": html(" href#N=x src=y", "<img ", ">"),
    "one long value": html("x", '<a href="', '">'),
    "dot segments": html("../", '<a href="', '">'),
    "segments": html("a/", '<a href="', '">'),
    "percent-encoding": html("%41", '<a href="', '">'),
    "percent-encoding in links": html("<a href=%41%42%43#N>"),
    "host names": html("<a href=http://xn--#N.ä.example/>"),
    "tabs in a URL": html("\t\n", '<a href="x', '">'),
    "query": html("a=b&", '<a href="x?', '">'),
    "entities": html('<a href="x&amp;y&#x41;z">'),
    "one value of entities": html("&amp;", '<a href="', '">'),
    "half entities": html("&am", '<a href="', '">'),
    "long base URL": file("p.html", lambda n: f"{DOCTYPE}<base href='/{'x' * (n // 4)}/'>" + "<a href=y>" * (n // 20)),
    # Lists.
    "srcset": html(" a#N.png #Nw,", '<img srcset="', '">'),
    "srcset of commas": html(",", '<img srcset="', '">'),
    "srcset parentheses": html("(", '<img srcset="a ', '">'),
    "ping": html("x#N ", '<a href=x ping="', '">'),
    "archive list": html("a#N,", '<applet codebase=x archive="', '">'),
    "integrity": html("sha256-x#N ", '<script src=s.js integrity="', '"></script>'),
    "policies": html("'sha256-x#N' ", '<meta http-equiv=Content-Security-Policy content="style-src ', '">'),
    "policy of hosts": html("h#N.example ", '<meta http-equiv=Content-Security-Policy content="img-src ', '">'),
    "rel": html("a#N ", '<link href=x rel="', '">'),
    # Elements of the head.
    "base elements": html("<base href=/b#N/>"),
    "base and link": html("<base href=/b#N/><a href=x#N>"),
    "base in noscript": html("<noscript><base href=/b#N/></noscript>"),
    "refresh": html("<meta http-equiv=refresh content='0;url=x#N'>"),
    "canonical links": html("<link rel=canonical href=https://site.test/docs/x#N>"),
    "metadata": html('<meta property=og:url content="http://site.test/docs/x#N">'),
    "meta charset": html("<meta charset=x#N>"),
    # Documents in documents.
    "srcdoc": html('<iframe srcdoc="<a href=x#N>"></iframe>'),
    "srcdoc with base": html('<iframe srcdoc="<base href=/x/><a href=y>"></iframe>'),
    "srcdoc of bases": html("<base href=/x/><a href=y>", '<iframe srcdoc="', '">'),
    "srcdoc with script": html('<base href=/a/><iframe srcdoc="<script></script>"></iframe>'),
    "srcdoc with style": html('<iframe srcdoc="<style>a{b:url(c)}</style>"></iframe>'),
    "srcdoc with ids": html('<iframe srcdoc="<a href=#x id=x>"></iframe>'),
    "srcdoc in srcdoc": html('<iframe srcdoc="<iframe srcdoc=\'<a href=x>\'></iframe>"></iframe>'),
    "entities in srcdoc": html("&amp;lt;", '<iframe srcdoc="', '">'),
    "conditional comments": html("<!--[if IE]><a href=x><![endif]-->"),
    "open conditional comments": html("<!--[if IE]>"),
    "open comments": html("<!--"),
    "comments": html("<!-- x -->"),
    # Tree construction.
    "nested elements": html("<div>"),
    "nested and closed elements": nested("<div>", "</div>"),
    "nested links": html("<a href=x><div>"),
    "nested formatting": html("<b>"),
    "nested lists": html("<ul><li><a href=x>"),
    "formatting in paragraphs": html("<p><a href=x>", "<b><i><u><s>"),
    "misnested formatting": html("<b><p></b></p>"),
    "misnested links": html("<a href=x><p></a>"),
    "attributes of formatting": html("<p>", "<font a=1 b=2 c=3>" * 15),
    "fostered links": html("<a href=x>y", "<table>"),
    "fostered formatting": html("x<b>", "<table>"),
    "table cells": html("<td><a href=x>", "<table><tr>"),
    "nested tables": html("<table><tr><td>"),
    "select": html("<option><a href=x>", "<select>"),
    "templates": html("<template><a href=x></template>"),
    "nested templates": html("<template>"),
    "forms": html("<form action=x#N>"),
    "unclosed tags": html("<a href=x"),
    "unclosed quotes": html('<a href="'),
    "end tags": html("</p>"),
    "SVG in HTML": html('<use xlink:href="#a"/><image href=x#N />', "<svg>"),
    "nested SVG": html("<svg><foreignObject>"),
    "MathML": html("<mi xlink:href=x#N>a</mi>", "<math>"),
    "NUL and CR": html("<a href='x\0\r'>\r"),
    "UTF-16": file("p.html", lambda n: ("\ufeff" + DOCTYPE + LINK * n).encode("utf-16-le")),
    "ISO-2022-JP": file("p.html", lambda n: DOCTYPE + "<meta charset=iso-2022-jp>" + "<a href=x>\x1b$B$\"\x1b(B" * n),
    # Scripts and styles.
    "strings in scripts": html("'/docs/other.html',", "<script>x=[", "]</script>"),
    "quotes in scripts": html("'", "<script>", "</script>"),
    "scripts": html("<script>'/docs/other.html'</script>"),
    "event handlers": html("<p onclick=x()>"),
    "javascript: URLs": html("<a href=javascript:x()>", "<base href=/x/>"),
    "packed data in scripts": html(b64encode(zlib.compress(b"'/docs/other.html'," * 9)).decode() + "','", "<script>x=['", "']</script>"),
    "style elements": html("<style>a{b:url(c#N)}</style>"),
    "style attributes": html('<p style="background:url(x#N)">'),
    "custom properties": html('<p style="--x#N:url(x#N);color:var(--x#N)">'),
    "unused properties": html('<p style="--x#N:url(x#N)">'),
    "one custom property": html('<p style="--x:url(x#N);color:var(--x)">'),
    "selectors of links": html("a[href^=x]{}", "<style>", "</style><a href=x>"),
    "CSS url()": css("a{b:url(x#N)}"),
    "CSS @import": css('@import "x#N";'),
    "CSS image-set": css('"x#N" 1x,', "a{b:image-set(", ")}"),
    "CSS nested blocks": css("{"),
    "CSS nested functions": css("url(image-set("),
    "CSS escapes": css("\\41 ", "a{b:url(", ")}"),
    "CSS comments": css("/**/"),
    "CSS open strings": css("a{b:'\n"),
    # JSON and other files.
    "JSON-LD": Construct(script("application/ld+json", '{"@id":"x#N"}', "[", "]").make, extra=("--json-ld",)),
    "nested JSON-LD": Construct(script("application/ld+json", "[", "", "", "").make, extra=("--json-ld",)),
    "JSON-LD contexts": Construct(script("application/ld+json", '{"@context":{"a#N":{"@type":"@id"}},"a#N":"x"}', "[", "]").make, extra=("--json-ld",)),
    "import map": script("importmap", '"a#N":"./x#N.js"', '{"imports":{', "}}"),
    "import map scopes": script("importmap", '"/a#N/":{"b":"./x.js"}', '{"scopes":{', "}}"),
    "speculation rules": script("speculationrules", '"x#N"', '{"prefetch":[{"urls":[', "]}]}"),
    "short speculation rules": script("speculationrules", '"x"', '{"prefetch":[{"urls":[', "]}]}"),
    "short import map": script("importmap", '"a":"./x"', '{"imports":{', "}}"),
    "short CSS url()": css("url(x)", "a{b:", "}"),
    "short CSS image-set": css('"x"', "a{b:image-set(", ")}"),
    "manifest": file("manifest.webmanifest", repeat('{"src":"x#N"}', '{"icons":[', "]}", ",")),
    "escapes in JSON": file("manifest.webmanifest", repeat("\\u0041", '{"start_url":"', '"}')),
    "robots.txt": file("robots.txt", repeat("Sitemap: /docs/x#N.xml\n")),
    "server-side includes": file("p.shtml", repeat('<!--#include virtual="x#N" -->')),
    "template markup": html('<a href="{{x#N}}">'),
    "open template markup": html('<a href="{{x">'),
    "ignore marks": html("<!-- rehref-ignore --><a href=x>"),
    "nested ignore marks": html("<div data-rehref-ignore><a href=x>"),
    # XML.
    "XML": svg('<a xlink:href="x#N"/>'),
    "nested XML": file("p.svg", lambda n: f"<svg {XMLNS}>" + "<g>" * n + "</g>" * n + "</svg>"),
    "XML attributes": svg(' a#N="b"', "<a", "/>"),
    "XML namespaces": file("p.svg", lambda n: f"<svg {XMLNS}>" + "".join(f'<g xmlns:n{i}="u">' for i in range(n)) + "</g>" * n + "</svg>"),
    "XML namespaces of one element": svg(' xmlns:n#N="u"', "<g", "/>"),
    "XML entities": file("p.svg", repeat('<!ENTITY e#N "x">', "<!DOCTYPE svg [", f']><svg {XMLNS}><a xlink:href="&e1;"/></svg>')),
    "uses of an XML entity": file("p.svg", repeat('<a xlink:href="&e;"/>', '<!DOCTYPE svg [<!ENTITY e "' + "x" * 500 + f'">]><svg {XMLNS}>', "</svg>")),
    "entities of entities": file("p.svg", repeat('<!ENTITY e#M "&e#N;&e#N;">', '<!DOCTYPE svg [<!ENTITY e0 "x">', f']><svg {XMLNS}><a xlink:href="&e25;"/></svg>')),
    "XML doctype": file("p.svg", repeat("<!ELEMENT a#N ANY>", "<!DOCTYPE svg [", f"]><svg {XMLNS}/>")),
    "XML style": svg("<style>a{b:url(x#N)}</style>"),
    "CDATA": svg("<![CDATA[a{b:url(x#N)}]]>", "<style>", "</style>"),
    "processing instructions": file("p.svg", repeat('<?xml-stylesheet href="x#N"?>', "", f"<svg {XMLNS}/>")),
    "XHTML": file("p.xhtml", repeat('<a href="x#N">y</a>', '<html xmlns="http://www.w3.org/1999/xhtml"><body>', "</body></html>")),
    "xml:base": atom('<entry xml:base="/b#N/"><link href="x"/></entry>'),
    "nested xml:base": file("p.xml", lambda n: '<feed xmlns="http://www.w3.org/2005/Atom">' + '<entry xml:base="b/">' * (n // 20) + '<link href="x"/>' + "</entry>" * (n // 20) + "</feed>"),
    "content of feeds": atom('<entry><content type="html">&lt;a href="x#N"&gt;</content></entry>'),
    "long content of a feed": atom('&lt;a href="x#N"&gt;', '<entry><content type="html">', "</content></entry>"),
    "sitemap": file("sitemap.xml", repeat("<url><loc>https://site.test/docs/x#N</loc></url>", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', "</urlset>")),
    # Messages.
    "MIME parts": message(part("text/html", "Content-Location: http://h/#N\r\n", "<base href=/x/><a href=y><img src=cid:#N>")),
    "MIME parts by Content-ID": message(part("text/html", "Content-ID: <#N@h>\r\n", "<img src=cid:#M@h>")),
    "MIME parts with one link": message(part("text/html", "", "<a href=x>")),
    "empty MIME parts": message(""),
    "nested multiparts": file("p.mhtml", nested_messages),
    "message/rfc822": file("p.mhtml", lambda n: (MIME + "Content-Type: message/rfc822\r\n\r\n") * n + "Content-Type: text/html\r\n\r\n<a href=x>"),
    "quoted-printable": file("p.mhtml", repeat('<a href=3D"x">=\r\n', MIME + "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")),
    "base64": file("p.mhtml", lambda n: (MIME + "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n").encode() + b"\r\n".join(b64encode(b"<a href=x>" * n)[i:i + 76] for i in range(0, n * 14, 76))),
    "header lines": file("p.mhtml", repeat("X-#N: a\r\n b\r\n", MIME, "Content-Type: text/html\r\n\r\n<a href=x>")),
    "one long header": file("p.mhtml", repeat(" b\r\n", MIME + "Content-Base:\r\n", "Content-Type: text/html\r\n\r\n<a href=x>")),
    "Link header": file("p.html", repeat("<x#N>; rel=a, ", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: ", "\r\n\r\n<a href=x>")),
    "comments in headers": file("p.mhtml", repeat("(", MIME + "Content-Base: ", "\r\nContent-Type: text/html\r\n\r\n<a href=x>")),
    # Archives and compressions.
    "WARC records": warc(lambda n: [record(f"http://h.test/{i}", "text/html", "<a href=/0>") for i in range(n)]),
    "WARC records in gzip": warc(lambda n: [record(f"http://h.test/{i}", "text/html", "<a href=/0>") for i in range(n)], packed=True),
    "one WARC record": warc(lambda n: [record("http://h.test/", "text/html", "<a href=x>" * n)]),
    "captures of one URL": warc(lambda n: [record("http://h.test/", "text/html", f"<a href=/{i}>") for i in range(n)]),
    "WARC headers": warc(lambda n: [record("http://h.test/\r\n" + "".join(f"X-{i}: a\r\n" for i in range(n)) + "X: a", "text/html", "<a href=x>")]),
    "HTTP headers in a WARC": warc(lambda n: [record("http://h.test/", "text/html\r\n" + "".join(f"X-{i}: a\r\n" for i in range(n)) + "X: a", "<a href=x>")]),
    "HTTP chunks in a WARC": warc(lambda n: [record("http://h.test/", "text/html\r\nTransfer-Encoding: chunked", "a\r\n<a href=x>\r\n" * n + "0\r\n\r\n")]),
    "gzip": packed("p.html.gz", lambda n: DOCTYPE + "".join(f"<a href={zlib.crc32(str(i).encode())}>" for i in range(n)), lambda it: gzip.compress(it, 6, mtime=0)),
    "gzip members": Construct(lambda n: {"site/p.html.gz": gzip.compress(b"<a href=x>", mtime=0) * n, OTHER: OTHER_PAGE.encode()}, extra=("--compressed",)),
    "gzip of zeros": Construct(lambda n: {"site/p.html.gz": gzip.compress(b"\0" * n * 100, mtime=0), OTHER: OTHER_PAGE.encode()}, extra=("--compressed",)),
    # Where the program is installed.
    **({
        "zstd": packed("p.html.zst", lambda n: DOCTYPE + "".join(f"<a href={zlib.crc32(str(i).encode())}>" for i in range(n)), zstd),
        "zstd of zeros": Construct(lambda n: {"site/p.html.zst": zstd(b"\0" * n * 100), OTHER: OTHER_PAGE.encode()}, extra=("--compressed",)),
    } if shutil.which("zstd") else {}),
    # Rules of servers, and other inputs.
    "_redirects": file("_redirects", repeat("/docs/x#N /docs/other.html 301\n")),
    "_redirects of one path": file("_redirects", repeat("/a /b\n")),
    "_redirects in chains": file("_redirects", repeat("/docs/x#N /docs/x#M 301\n")),
    "_redirects in a loop": file("_redirects", repeat("/docs/x#N /docs/x#M 301\n", "", "/docs/x0 /docs/x1 301\n")),
    "_redirects with *": file("_redirects", repeat("/docs/x#N/* /docs/y#N/:splat 301\n")),
    "_redirects with placeholders": file("_redirects", repeat("/docs/x#N/:a/:b /docs/y#N/:b 301\n")),
    "_redirects with *, and links": Construct(lambda n: {
        "site/_redirects": repeat("/docs/x#N/* /docs/other.html 301\n")(n).encode(),
        "site/p.html": repeat("<a href=/docs/z#N/a>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "_redirects with names, and links": Construct(lambda n: {
        "site/_redirects": repeat("/docs/:a/x#N /docs/other.html 301\n")(n).encode(),
        "site/p.html": repeat("<a href=/docs/z#N/x#N>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    ".htaccess": file(".htaccess", repeat("Redirect 301 /docs/x#N /docs/other.html\n")),
    ".htaccess with RedirectMatch": file(".htaccess", repeat("RedirectMatch 301 ^/docs/x#N/(.*)$ /docs/other.html\n")),
    ".htaccess with RedirectMatch, and links": Construct(lambda n: {
        "site/.htaccess": repeat("RedirectMatch 301 z#N(.*)y$ /docs/other.html\n")(n).encode(),
        "site/p.html": repeat("<a href=/docs/z#N/a>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "_redirects that grow, and links": Construct(lambda n: {
        "site/_redirects": b"/docs/x/* /docs/x/:splat/:splat/:splat/:splat\n",
        "site/p.html": repeat("<a href=x/#N>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "_redirects that grow slowly, and links": Construct(lambda n: {
        "site/_redirects": b"/docs/x/* /docs/x/" + b"a" * 360 + b"/:splat\n",
        "site/p.html": repeat("<a href=x/#N>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "rules of folders, and a long link": Construct(lambda n: {
        "site/.htaccess": repeat("Redirect /docs/x#N /docs/other.html\n")(n // 20).encode(),
        "site/p.html": repeat("a/", f"{DOCTYPE}<a href=", ">")(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "_redirects of many names": file("_redirects", lambda n: repeat("/:a#N", "/docs")(n) + repeat("/:a#N", " /docs")(n) + repeat("/:a#N", "\n/docs/x")(n) + repeat("/:a", " /docs")(n)),
    "_redirects to one folder that grows": file("_redirects", repeat("/docs/x#N /docs/y/#N 301\n", "", "/docs/y/* /docs/y/:splat/:splat\n")),
    ".htaccess with RedirectMatch that grows, and links": Construct(lambda n: {
        "site/.htaccess": b"RedirectMatch ^/docs/x/(.*)$ /docs/x/$1/$1/$1\n",
        "site/p.html": repeat("<a href=x/#N>", DOCTYPE)(n).encode(), OTHER: OTHER_PAGE.encode()}),
    "--redirects nginx": beside("r.conf", repeat("rewrite ^/docs/x#N$ /docs/other.html permanent;\n"), ("audit", "links"), ("--redirects",)),
    "--redirects JSON": beside("r.json", repeat('{"source":"/docs/x#N","destination":"/docs/other.html","permanent":true}', '{"redirects":[', "]}", ","), ("audit", "links"), ("--redirects",)),
    "refresh chains": tree("x#N.html", extra_files=lambda n: {f"site/x{i}.html": f"<meta http-equiv=refresh content='0;url=x{i + 1}.html'><a href=x{i + 2}.html#a>".encode() for i in range(n)}),
    "moves in a map": Construct(lambda n: {"moves.map": repeat("x#N.html\ty/x#N.html\n")(n).encode(), OTHER: OTHER_PAGE.encode(),
        **{f"site/x{i}.html": f"<a href=x{i + 1}.html>".encode() for i in range(n)}}, of_command={"move": ("--map", "moves.map")}, only=("move",)),
    "moves in a chain": Construct(lambda n: {"moves.map": repeat("x#N.html\tx#M.html\n")(n).encode(), OTHER: OTHER_PAGE.encode(),
        **{f"site/x{i}.html": f"<a href=x{i + 1}.html>".encode() for i in range(n)}}, of_command={"move": ("--map", "moves.map")}, only=("move",)),
    "globs in rehref.toml": Construct(lambda n: {"rehref.toml": repeat('"x#N*.html"', "exclude = [", "]\n", ",")(min(n, MOST_GLOBS)).encode(), **tree("a#N.html").make(n // 20)}, only=("audit",), of_command={"audit": ("--config", "rehref.toml")}),
    "stars of a glob": Construct(lambda n: {"rehref.toml": ('exclude = ["' + "a*" * n + '"]\n').encode(), **tree("a" * 200 + "#N.html").make(50)}, only=("audit",), of_command={"audit": ("--config", "rehref.toml")}),
    "ignore rules": Construct(lambda n: {"rehref.toml": repeat('"broken-target path:x#N*"', "[audit]\nignore = [", "]\n", ",")(min(n // 10, MOST_GLOBS)).encode(), "site/p.html": repeat(LINK)(n).encode(), OTHER: OTHER_PAGE.encode()}, only=("audit",), of_command={"audit": ("--config", "rehref.toml")}),
    "baseline": Construct(lambda n: {"base.json": baseline(n).encode(), "site/p.html": repeat(LINK)(n).encode(), OTHER: OTHER_PAGE.encode()}, only=("audit",), of_command={"audit": ("--baseline", "base.json")}),
    # Markdown.
    "Markdown links": markdown("[a](x#N.md)\n"),
    "Markdown links to anchors": markdown("# a#N\n[a](#a#N)\n"),
    "Markdown images": markdown("![a](x#N.png) "),
    "Markdown images in images": markdown("![", "", "](x)" * 1000),
    "Markdown nested images": file("p.md", lambda n: "![" * n + "](x)" * n, extra=("--markdown", "github")),
    "Markdown nested links": file("p.md", lambda n: "[" * n + "](x)" * n, extra=("--markdown", "github")),
    "Markdown images around links": file("p.md", lambda n: "![a " * n + "[b](y)" * n + "](x)" * n, extra=("--markdown", "github")),
    "Markdown references": markdown("[a#N][b#N]\n\n[b#N]: x#N.md\n\n"),
    "Markdown references that are not defined": markdown("[a][b#N] "),
    "Markdown references to one definition": markdown("[a][b] ", "", "\n\n[b]: x.md\n"),
    "Markdown definitions of one label": markdown("[a]: x#N.md\n", "[a]\n\n"),
    "Markdown definitions that are not used": markdown("[a#N]: x#N.md\n"),
    "Markdown ends of labels": markdown("x]:", "[a]: b\n\n["),
    "Markdown long labels that end": markdown("x]:" * 1000 + "[" + "y" * 1000, "[a]: b\n\n["),
    "Markdown definitions of titles": markdown("[a#N]:\n x#N.md\n 'title'\n"),
    "Markdown templates in definitions": markdown("[a#N]: {{ x }}\n"),
    "Markdown open brackets": markdown("["),
    "Markdown closed brackets": markdown("]"),
    "Markdown open parentheses": markdown("[a]("),
    "Markdown parentheses": markdown("(", "[a](", ")"),
    "Markdown escapes in a destination": markdown("\\(", "[a](", ")"),
    "Markdown entities in a destination": markdown("&amp;", "[a](", ")"),
    "Markdown long destination": markdown("a/", "[a](", ".md)"),
    "Markdown destinations in angles": markdown("[a](<b c#N.md>) "),
    "Markdown open angles": markdown("[a](<b "),
    "Markdown titles": markdown("[a](b 'c') "),
    "Markdown open titles": markdown("[a](b 'c"),
    "Markdown autolinks": markdown("<https://a.b/#N> "),
    "Markdown open autolinks": markdown("<https://a.b/"),
    "Markdown bare URLs": markdown("https://a.b/#N "),
    "Markdown bare URLs after letters": markdown("xhttp://a.b/"),
    "Markdown bare URLs after parentheses": markdown("(http://a.b"),
    "Markdown bare URL with parentheses": markdown(")", "https://a.b/"),
    "Markdown bare URL with marks": markdown(").", "https://a.b/"),
    "Markdown bare URL with entities": markdown("&a;", "https://a.b/"),
    "Markdown bare URL with half entities": markdown(";)", "https://a.b/&"),
    "Markdown schemes": markdown("http://"),
    "Markdown emphasis": markdown("*a **b "),
    "Markdown open emphasis": markdown("*"),
    "Markdown mixed emphasis": markdown("*_"),
    "Markdown code": markdown("`a` "),
    "Markdown open code": file("p.md", lambda n: "".join("`" * i + "x" for i in range(1, int((2 * n) ** 0.5))), extra=("--markdown", "github")),
    "Markdown fences": markdown("```\n[a](b)\n```\n"),
    "Markdown lists": markdown("- [a](x#N.md)\n"),
    "Markdown nested lists": markdown("- "),
    "Markdown nested quotes": markdown("> "),
    "Markdown quotes": markdown("> [a](x#N.md)\n"),
    "Markdown tables": markdown("| [a](x#N.md) | b |\n", "| a | b |\n|---|---|\n"),
    "Markdown columns of a table": file("p.md", lambda n: "|a" * (n // 3) + "\n" + "|-" * (n // 3) + "\n" + "|b" * (n // 3), extra=("--markdown", "github")),
    "Markdown rows of a wide table": file("p.md", lambda n: "|a" * int(n ** 0.5) + "\n" + "|-" * int(n ** 0.5) + "\n" + "|b\n" * int(n ** 0.5), extra=("--markdown", "github")),
    "Markdown footnotes": markdown("[^a#N] \n\n[^a#N]: [b](c.md)\n\n"),
    "Markdown HTML": markdown("<a href=x#N.md>b</a>\n\n"),
    "Markdown inline HTML": markdown("a <a href=x#N.md>b</a> "),
    "Markdown HTML in HTML": markdown("<div>\n\n"),
    "Markdown comments": markdown("<!-- a -->\n\n[b](c.md)\n\n"),
    "Markdown open comments": markdown("<!--\n\n"),
    "Markdown open inline tags": markdown("a <b c"),
    "Markdown ignore marks": markdown("<!-- rehref-ignore -->\n"),
    "Markdown ignore marks before links": markdown("<!-- rehref-ignore broken-target -->\n[a](x#N.md)\n\n"),
    "Markdown ignore marks in one block": markdown("<!-- rehref-ignore other -->[a](x#N.md)\n"),
    "Markdown ignore marks of many checks": markdown("<!-- rehref-ignore a#N -->[a](x#N.md)\n"),
    "Markdown ends of comments": markdown("<!-- ", "", "-->"),
    # Anchors of headings.
    **{f"headings, {dialect}": markdown("# a#N\n", dialect=dialect) for dialect in DIALECTS},
    **{f"equal headings, {dialect}": markdown("# a\n", dialect=dialect) for dialect in DIALECTS},
    **{f"numbered headings, {dialect}": file("p.md", lambda n: repeat("# a_#N\n")(n // 2) + repeat("# a_#N\n")(n // 2), extra=("--markdown", dialect)) for dialect in DIALECTS},
    **{f"numbers of headings, {dialect}": file("p.md", lambda n: repeat("# a-#N\n")(n // 2) + "# a\n" * (n // 2), extra=("--markdown", dialect)) for dialect in DIALECTS},
    **{f"marks in a heading, {dialect}": markdown(":a{:a{#b `c`{d} [^e :f: }`g` {:h", "# ", dialect=dialect) for dialect in DIALECTS},
    **{f"lines of a heading, {dialect}": markdown("(a)=\n{#b .c}\n{: #d}\n", "", "x\n---\n", dialect) for dialect in DIALECTS},
    "lists after code in a heading": markdown("{a}", "# `x`", dialect="vitepress"),
    "directives in a heading": markdown(":a{", "# ", dialect="docusaurus"),
    "open footnotes in a heading": markdown("[^", "# ", dialect="sphinx"),
    "roles in a heading": markdown("}`x` ", "# ", dialect="sphinx"),
    "labels before a heading": markdown("(a)=\n", "", "# x\n", "sphinx"),
    "labels in a heading": markdown("(a#N)=\n", "", "x\n===\n", "sphinx"),
    "labels": markdown("(a#N)=\n\n# b\n", dialect="sphinx"),
    "URLs in a heading": markdown("http://a.b/ a@b.c ", "# ", dialect="hugo"),
    "addresses in a heading": markdown("a@b-", "# ", dialect="hugo"),
    "icons in a heading": markdown(":a:", "# ", dialect="mkdocs"),
    "attribute lists in a heading": markdown(" {#a", "# x", "}", "mkdocs"),
    "attribute lists in a heading of Hugo": markdown("{a=[{", "# x", "}", "hugo"),
    "attribute lines": markdown("{: #a}\n", "# x\n", "# y\n", "jekyll"),
    "terms": markdown("a#N\n: b\n\n", dialect="hugo"),
    "equal terms": markdown("a\n: b\n\n", dialect="hugo"),
    # Directives, roles, shortcodes, includes.
    "directives": markdown(":::{a}\n[b](c.md)\n:::\n", dialect="sphinx"),
    "open directives": markdown(":::{a}\n", dialect="sphinx"),
    "open long directives": file("p.md", lambda n: "::::{a}\n" * n + ":::\n" * n, extra=("--markdown", "sphinx")),
    "directives of two kinds": markdown("```{a}\n:::{b}\n", dialect="sphinx"),
    "options of directives": markdown(":a: b\n", ":::{figure} x.png\n", ":::\n", "sphinx"),
    "entries of a toctree": markdown("a <x#N>\n", "```{toctree}\n", "```\n", "sphinx"),
    "reStructuredText": markdown(".. figure:: x#N.png\n", "```{eval-rst}\n", "```\n", "sphinx"),
    "MyST roles": markdown("{doc}`a <x#N>` ", dialect="sphinx"),
    "MyST half roles": markdown("}`x` ", dialect="sphinx"),
    "MyST includes": markdown("```{include} x#N.md\n```\n", dialect="sphinx"),
    "Hugo shortcodes": markdown('[a]({{< ref "x#N.md" >}}) ', dialect="hugo"),
    "Hugo open shortcodes": markdown('{{< ref "x" ', dialect="hugo"),
    "Jekyll links": markdown("[a]({% link x#N.md %}) ", dialect="jekyll"),
    "Jekyll filters": markdown("[a]({{ '/x#N' | relative_url }}) ", dialect="jekyll"),
    "Jekyll open tags": markdown("{% link ", dialect="jekyll"),
    "mdBook includes": markdown("{{#include x#N.md}} ", dialect="mdbook"),
    "VitePress includes": markdown("<!-- @include: ./x#N.md --> ", dialect="vitepress"),
    "VitePress open includes": markdown("<!-- @include: ", dialect="vitepress"),
    "MkDocs snippets": markdown('--8<-- "x#N.md"\n', dialect="mkdocs"),
    "MkDocs admonitions": markdown("!!! note\n    [a](x#N.md)\n", dialect="mkdocs"),
    "MkDocs nested admonitions": file("p.md", lambda n: "".join("    " * i + "!!! note\n" for i in range(int(n ** 0.5))), extra=("--markdown", "mkdocs")),
    "MkDocs tags": markdown("<div markdown>\n", dialect="mkdocs"),
    "JSX tags": markdown("<A>\n[b](x#N.md)\n</A>\n", dialect="docusaurus"),
    "JSX tags in a line": markdown("<A>", dialect="docusaurus"),
    "MDX imports": markdown("import A from './x#N'\n\n", dialect="docusaurus"),
    # Front matter, settings.
    "YAML keys": front_matter("a#N: x#N.md\n"),
    "YAML links": front_matter("- image: x#N.png\n", "a:\n"),
    "YAML flow lists": front_matter("x#N.png", "images: [", "]", between=", "),
    "YAML flow mappings": front_matter("{image: x#N.png}", "a: [", "]", between=", "),
    "YAML nested flow lists": front_matter("["),
    "YAML nested flow mappings": front_matter("{a: "),
    "YAML nested lists": front_matter("- "),
    "YAML nested keys": front_matter("? "),
    "YAML long key": file("p.md", lambda n: f"---\n? {'k' * 9 * n}\n:\n" + "- image: x.png\n" * n + "---\n", extra=("--markdown", "hugo")),
    "YAML key that grows": file("p.md", lambda n: "---\n? " + "k" * (4 * n) + "\n:\n" + "- b\n" * n + "---\n", extra=("--markdown", "hugo")),
    "YAML long names in names": file("p.md", lambda n: "---\n{" + "".join(f"{'k' * (n // 40)}{i}: {{" for i in range(20)) + "a: [" + "b," * n + "]" + "}" * 21 + "\n---\n", extra=("--markdown", "hugo")),
    "YAML unindented brackets": front_matter("a#N: [\n  x.png,\n]\n", "b:\n"),
    "YAML unindented brackets in a list": front_matter("- [\nx.png\n  ]\n", "images:\n"),
    "YAML anchors": front_matter("a#N: &b#N x.png\n"),
    "YAML aliases": front_matter("- *b\n", "a: &b [x.png]\nc:\n"),
    "YAML tags": front_matter("- !a!b x\n", "a:\n"),
    "YAML comments": front_matter("# a\n"),
    "YAML long comment": front_matter("# ", "a: b "),
    "YAML blocks": front_matter("a#N: |\n  [b](x.md)\n"),
    "YAML long block": front_matter("  [b](x#N.md)\n", "substitutions:\n a: |\n", dialect="sphinx"),
    "YAML long scalar": front_matter("a/", "image: "),
    "YAML lines of a scalar": front_matter("  a\n", "image: "),
    "YAML quotes": front_matter("''", "image: '", "'"),
    "YAML escapes": front_matter("\\x41", 'image: "', '"'),
    "YAML open quotes": front_matter("- '\n", "a:\n"),
    "YAML colons": front_matter(": "),
    "YAML documents": settings("mkdocs.yml", "---\n", "mkdocs"),
    "YAML navigation": settings("mkdocs.yml", "  - a#N: x#N.md\n", "mkdocs", "nav:\n"),
    "YAML nested navigation": settings("mkdocs.yml", "{a: [", "mkdocs", "nav: ["),
    "YAML redirects": settings("mkdocs.yml", "        x#N.md: x#M.md\n", "mkdocs", "plugins:\n  - redirects:\n      redirect_maps:\n"),
    "YAML defaults of Jekyll": settings("_config.yml", "  - scope: {path: a#N}\n    values: {permalink: /b#N/}\n", "jekyll", "defaults:\n"),
    "YAML collections of Jekyll": settings("_config.yml", "  a#N: {output: true, permalink: /b#N/}\n", "jekyll", "collections:\n"),
    "TOML keys": front_matter("a#N = 'x#N.md'\n", mark="+++"),
    "TOML tables": front_matter("[a#N]\nimage = 'x#N.png'\n", mark="+++"),
    "TOML arrays of tables": front_matter("[[a]]\nimage = 'x#N.png'\n", mark="+++"),
    "TOML deep key": front_matter("a", "", " = 'x'", between=".", mark="+++"),
    "TOML deep table": front_matter("a", "[", "]\nimage = 'x'", between=".", mark="+++"),
    "TOML deep table of keys": file("p.md", lambda n: "+++\n[" + "a." * n + "a]\n" + "".join(f"b{i} = 1\n" for i in range(n)) + "+++\n", extra=("--markdown", "hugo")),
    "TOML long key": file("p.md", lambda n: "+++\n[" + "k" * (4 * n) + "]\n" + "".join(f"b{i} = 1\n" for i in range(n)) + "+++\n", extra=("--markdown", "hugo")),
    "TOML arrays": front_matter("'x#N.png'", "images = [", "]", between=",", mark="+++"),
    "TOML nested arrays": front_matter("[", "a = ", mark="+++"),
    "TOML nested inline tables": front_matter("{a = ", "a = ", mark="+++"),
    "TOML inline tables": front_matter("{image = 'x#N.png'}", "a = [", "]", between=",", mark="+++"),
    "TOML escapes": front_matter("\\u0041", 'image = "', '"', mark="+++"),
    "TOML menus of Hugo": settings("hugo.toml", "[[menu.main]]\npageRef = '/x#N'\n", "hugo"),
    "TOML mounts of Hugo": settings("hugo.toml", "[[module.mounts]]\nsource = 'x#N'\ntarget = 'y#N'\n", "hugo"),
    "TOML permalinks of Hugo": settings("hugo.toml", "a#N = '/:slug/'\n", "hugo", "[permalinks]\n"),
    "TOML redirects of mdBook": settings("book.toml", "'/x#N.html' = 'x#M.html'\n", "mdbook", "[output.html.redirect]\n"),
    "JSON settings": settings("hugo.json", '"a#N": "x"', "hugo", "{", "}", ","),
    "summary of mdBook": Construct(lambda n: {"site/book.toml": b"[book]\n", "site/src/SUMMARY.md": repeat("- [a](x#N.md)\n")(n).encode(), OTHER: OTHER_PAGE.encode()}, extra=("--markdown", "mdbook")),
    "names of anchors in links": Construct(lambda n: {"site/p.md": repeat("[a](q.md#a-#N)\n")(n).encode(), "site/q.md": repeat("# a #N\n")(n).encode(), OTHER: OTHER_PAGE.encode()}, extra=("--markdown", "github")),
    # Sources of a site.
    "sources that name one page": sources(lambda n: {f"docs/s{i}.md": b"See [the other page](gone.md) first.\n" for i in range(n)}, lambda n: "<p>See <a href=gone.html>the other page</a> first."),
    "links of one key in sources": sources(lambda n: {"docs/p.md": b"See [it](gone.md) here.\n\n" * n}, repeat("<p>See <a href=gone.html>it</a> here.")),
    "one line of a source": sources(lambda n: {"docs/p.md": b"See [it](gone.md) here. " * n}, repeat("See <a href=gone.html>it</a> here. ")),
    "links in a source": sources(lambda n: {"docs/p.md": repeat("See [page #N](x#N.md).\n\n")(n).encode()}, repeat("<p>See <a href=x#N.html>page #N</a>.")),
    "links without a source": sources(lambda n: {"docs/p.md": b"Nothing.\n"}, repeat("<p>See <a href=x#N.html>page #N</a>.")),
    "front matter": sources(lambda n: {"docs/p.md": b"---\n" + b"a: [x](gone.md)\n" * n + b"---\n"}, lambda n: "<a href=gone.html>x</a>"),
    "open brackets in a source": sources(lambda n: {"docs/p.md": b"[" * n + b"x](gone.md)"}, lambda n: "<a href=gone.html>x</a>"),
    "definitions in a source": sources(lambda n: {"docs/p.md": repeat("[a#N]: gone.md\n")(n).encode() + b"\n[a0]"}, lambda n: "<a href=gone.html>a0</a>"),
    "marks of a source": sources(lambda n: {"docs/p.md": b"[x](gone.md)"}, lambda n: "<!-- source: docs/p.md -->" * n + "<a href=gone.html>x</a>"),
    # Trees.
    "deep folders": Construct(deep),
    "files in one folder": tree("x#N.html"),
    "folders": tree("d#N/index.html", DOCTYPE + "<a href=../d1/x>"),
    "names that are similar": tree("a" * 60 + "#N.html", extra_files=lambda n: {"site/p.html": repeat("<a href=" + "a" * 60 + "#Nx.html>")(n).encode()}),
    "names in two cases": tree(lambda i: f"{bin(i)[2:].replace('0', 'a').replace('1', 'A')}.html", extra_files=lambda n: {"site/p.html": repeat("<a href=AaAaAaAaAa#N.html>")(n).encode()}),
    "chain of symbolic links": Construct(links_chain),
}
CONSTRUCTS.update({f"{name} (authority)": by_authority(it) for name, it in CONSTRUCTS.items() if it.is_page})
