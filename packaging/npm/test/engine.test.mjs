// The functions for one document: WebAssembly, in Node.js and in a browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import test, { before } from "node:test";
import { directory, execute, hasEngine, installed, root } from "./support/index.mjs";

const url = "https://example.org/docs/guide.html";
const SITE = "https://example.org/docs/";
const skip = hasEngine ? false : "rehref.wasm was not built";
const programPath = (name) => (process.env.PATH ?? "").split(path.delimiter).map((it) => path.join(it, name)).find((it) => fs.existsSync(it));
let rehref;
let project;
before(async () => {
  project = await installed();
  rehref = createRequire(path.join(project, "x.js"))("rehref");
});

test("documents become absolute and relative, as the type that they were", { skip }, () => {
  const source = "<!doctype html><a href='intro.html'>é</a> <a href=//example.org/b?c&amp;d>";
  const expected = "<!doctype html><a href='https://example.org/docs/intro.html'>é</a> <a href=https://example.org/b?c&amp;d>";
  assert.equal(rehref.absolute(source, url), expected);
  const bytes = rehref.absolute(Buffer.from(source), new URL(url));
  assert.ok(Buffer.isBuffer(bytes));
  assert.equal(bytes.toString(), expected);
  const array = rehref.absolute(new TextEncoder().encode(source), url);
  assert.equal(array.constructor, Uint8Array);
  assert.equal(Buffer.from(array).toString(), expected);
  assert.equal(rehref.relative(expected, url), "<!doctype html><a href='intro.html'>é</a> <a href=../b?c&amp;d>");
  assert.equal(rehref.relative(expected, url, { form: "root" }), expected.replaceAll("https://example.org", ""));
  assert.equal(rehref.relative(expected, url, { site: SITE }), source.replace("//", "https://"));
});

test("a document without changes is returned itself", { skip }, () => {
  const page = Buffer.from("<p>none");
  assert.equal(rehref.absolute(page, url), page);
  assert.equal(rehref.absolute("", url), "");
});

test("a part of a larger buffer is only that part", { skip }, () => {
  const whole = Buffer.from("xx<a href=b>yy");
  assert.equal(String(rehref.absolute(whole.subarray(2, 12), url)), "<a href=https://example.org/docs/b>");
});

test("text is UTF-8, whatever it declares; bytes are decoded as a browser does", { skip }, () => {
  const source = '\uFEFF<meta charset=iso-8859-1><base href=/e/><a href="ü?ü">';
  const expected = '\uFEFF<meta charset=iso-8859-1><base href=https://example.org/e/><a href="https://example.org/e/ü?ü">';
  assert.equal(rehref.absolute(source, url), expected);
  const latin = Buffer.from('<meta charset=iso-8859-1><a href="\u00fc">', "latin1");
  const [link] = rehref.links(latin, url).filter((it) => it.element === "a");
  assert.equal(link.reference, "ü");
});

test("the links of a document, with the reason if there is no target", { skip }, () => {
  const page = '<img srcset="a.png, b.png 2x"><a href="#x"><a href="mailto:a@b"><a href="{{ x }}"><a href="http://[">';
  const found = rehref.links(page, url);
  assert.deepEqual(
    found.map((it) => [it.element, it.attribute, it.target, it.reason]),
    [
      ["img", "srcset", "https://example.org/docs/a.png", null],
      ["img", "srcset", "https://example.org/docs/b.png", null],
      ["a", "href", `${url}#x`, null],
      ["a", "href", "mailto:a@b", null],
      ["a", "href", null, "template-markup"],
      ["a", "href", null, "invalid"],
    ],
  );
  assert.equal(page.slice(...found[1].span), "b.png");
  assert.deepEqual([found[1].line, found[1].column], [1, 21]);
  assert.deepEqual(rehref.links("", url), []);
  assert.deepEqual(rehref.links("a{background:url(x.png)}", "https://example.org/s.css").map((it) => it.target), ["https://example.org/x.png"]);
  assert.deepEqual(rehref.links("[a](b)", url, { kind: "markdown" }).map((it) => it.target), [`${SITE}b`]);
});

test("members of a link are those that the types have", { skip }, () => {
  const [link] = rehref.links("<a href=b>", url);
  const types = fs.readFileSync(path.join(project, "node_modules/rehref/lib/engine.d.ts"), "utf8");
  const members = types.match(/interface Link \{([^]*?)\n\}/)[1].matchAll(/^  (\w+):/gm);
  assert.deepEqual(Object.keys(link).sort(), [...members].map(([, name]) => name).sort());
});

test("a function replaces links", { skip }, () => {
  const page = "<a href='b'></a><a href='c'></a>";
  const seen = [];
  const changed = rehref.rewrite(page, url, (link) => {
    seen.push(link.target);
    return link.reference === "b" ? "x\"&'" : null;
  });
  assert.equal(changed, "<a href='x\"&amp;&#39;'></a><a href='c'></a>");
  assert.deepEqual(seen, [`${SITE}b`, `${SITE}c`]);
  assert.equal(rehref.rewrite(page, url, (link) => new URL(link.target)), rehref.absolute(page, url));
  // A call in a call.
  assert.equal(rehref.rewrite(page, url, (link) => rehref.rewrite(`<a href=${link.reference}>`, url, () => "d").length + "x"), page.replace("'b'", "'10x'").replace("'c'", "'10x'"));
});

test("links in any script, with and without targets, keep their texts apart", { skip }, () => {
  const references = ["{{ x }}", "é/\u{1F600}?q", "", "漢字#\u{1F600}", "http://[", "\u{1F600}"];
  const page = `<p>${"漢".repeat(9999)}</p>` + references.map((it) => `<img src="${it}">`).join("\n");
  const found = rehref.links(page, url);
  assert.deepEqual(found.map((it) => it.reference), references);
  assert.deepEqual(
    found.map((it) => it.target ?? it.reason),
    ["template-markup", `${SITE}%C3%A9/%F0%9F%98%80?q`, "empty", `${SITE}%E6%BC%A2%E5%AD%97#%F0%9F%98%80`, "invalid", `${SITE}%F0%9F%98%80`],
  );
  const seen = [];
  const changed = rehref.rewrite(page, url, (link) => {
    seen.push(link);
    return link.reason ? null : `${link.reference}\u{1F600}`;
  });
  assert.deepEqual(seen, found);
  assert.equal(changed, page.replace('q"', 'q\u{1F600}"').replace('#\u{1F600}"', '#\u{1F600}\u{1F600}"').replace('src="\u{1F600}"', 'src="\u{1F600}\u{1F600}"'));
});

test("what a function throws or returns wrongly is an error with the link", { skip }, () => {
  const page = "<p>\n<a href=b><img srcset='c 2x'>";
  const thrown = new Error("enough");
  assert.throws(() => rehref.rewrite(page, url, () => { throw thrown; }), thrown);
  assert.throws(() => rehref.rewrite(page, url, () => 5), /^TypeError: line 2, column 9, b: the function returned number, not a string; null keeps the link$/);
  for (const text of ["\ud83d", "a\0b"]) {
    assert.throws(() => rehref.rewrite(page, url, () => text), /^TypeError: line 2, column 9, b: the function returned a text with U\+0000 or a lone surrogate; null keeps the link$/);
  }
  assert.throws(() => rehref.rewrite(page, url, (it) => (it.element === "img" ? "a b" : null)), /^RehrefError: line 2, column 24: a b cannot be written in this place$/);
  assert.throws(() => rehref.rewrite(page, url, "x"), TypeError);
  // In a call in a call, and afterwards.
  const inner = () => rehref.rewrite("<a href=d>", url, () => { throw thrown; });
  assert.throws(() => rehref.rewrite(page, url, inner), thrown);
  assert.equal(rehref.rewrite("<a href=b>", url, () => { assert.throws(inner, thrown); return "c"; }), "<a href=c>");
  assert.equal(rehref.absolute("<a href=b>", url), `<a href=${SITE}b>`);
});

test("other attributes, JSON-LD and RDFa", { skip }, () => {
  const page = '<script type="application/ld+json">{"@context":"https://schema.org","url":"b"}</script><img data-src=c data-x=d>';
  const rewritten = rehref.absolute(page, url, { jsonLd: true, attributes: ["img@data-src", "img@data-x"], rdfa: false });
  assert.equal(rewritten, page.replace('"b"', '"https://example.org/docs/b"').replace("=c", `=${SITE}c`).replace("=d", `=${SITE}d`));
});

test("URLs, anchors and the base URL", { skip }, () => {
  assert.equal(rehref.resolve("../a b", "https://example.org/docs/guide/"), "https://example.org/docs/a%20b");
  assert.equal(rehref.resolve("../../c", "https://example.org/a/b", { standard: "rfc1808" }), "https://example.org/../c");
  assert.equal(rehref.relativize("https://example.org/a", new URL("https://example.org/docs/b")), "../a");
  assert.equal(rehref.relativize("https://example.com/a", url), null);
  assert.deepEqual(rehref.anchors("<p id=b><a name=a>"), ["a", "b"]);
  assert.equal(rehref.baseUrl("<base href=/x/>", url), "https://example.org/x/");
});

const ERRORS = [
  [(it) => it.absolute("<a>", "nope"), 'RehrefError: "nope": not an absolute URL'],
  [(it) => it.absolute("<a>"), "TypeError: url: give a string or a URL, not undefined"],
  [(it) => it.absolute("<a>", { url }), "TypeError: url: give a string or a URL, not Object"],
  [(it) => it.absolute(undefined, url), "TypeError: a document is a string, a Buffer or a Uint8Array, not undefined"],
  [(it) => it.absolute(null, url), "TypeError: a document is a string, a Buffer or a Uint8Array, not null"],
  [(it) => it.absolute("<a>", url, { charset: "latin1" }), "TypeError: charset: a string is decoded already; give bytes, or omit charset"],
  [(it) => it.absolute("<a href='\ud800'>", url), "TypeError: the text has a lone surrogate, which UTF-8 cannot express; give bytes"],
  [
    (it) => it.absolute("<a>", url, { jsonLdd: true }),
    "TypeError: absolute has no option jsonLdd; it has kind, charset, standard, attributes, jsonLd, rdfa. The command has more, for a whole site: use run",
  ],
  [(it) => it.absolute("<a>", url, { attributes: ["data-src"] }), /^RehrefError: attributes: /],
  [(it) => it.relative("<a>", url, { form: "short" }), 'RehrefError: form "short": give one of path, root, scheme, shortest'],
  [(it) => it.links("<a>", url, { kind: "HTML" }), /^RehrefError: "HTML" is not a kind of document; pass one of html, xhtml, /],
  [(it) => it.absolute("<a href='b'>", "https://example.org/a.xhtml"), /^RehrefError: .*not well-formed XML/],
  [(it) => it.resolve("http://[", url), /^RehrefError: "http:\/\/\[": /],
];

test("errors say what is wrong, without words of the command line", { skip }, () => {
  for (const [call, expected] of ERRORS) {
    assert.throws(
      () => call(rehref),
      (error) => {
        if (expected instanceof RegExp) assert.match(String(error), expected);
        else assert.equal(String(error), expected);
        assert.doesNotMatch(error.message, /--/);
        return true;
      },
    );
  }
});

test("large documents", { skip }, () => {
  const large = '<a href="b">link</a>\n'.repeat(200_000);
  assert.equal(rehref.absolute(large, url).length, large.length + 200_000 * SITE.length);
});

test("without the module, the functions say so", { skip: !skip && "rehref.wasm was built" }, () => {
  assert.throws(() => rehref.absolute("", url), /rehref\.wasm/);
});

test("the page of docs/guide/browser.md makes links absolute in Chromium", { skip }, async (t) => {
  const chromium = ["chromium", "chromium-browser", "google-chrome"].map((it) => programPath(it)).find(Boolean);
  if (!chromium) return t.skip("no Chromium");
  const guide = fs.readFileSync(path.join(root, "docs/guide/browser.md"), "utf8");
  const [, page] = guide.match(/^```html\n([^]*?)^```$/m);
  const types = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };
  // Chromium has loaded a page before its module has run.
  const tell = `<script>setInterval(() => {
    const { textContent } = document.getElementById("result");
    if (textContent) fetch("/result", { method: "POST", body: textContent });
  }, 50)</script>`;
  const end = new AbortController();
  let tellResult;
  const told = new Promise((resolve) => (tellResult = resolve));
  const server = createServer(async (request, response) => {
    const name = path.basename(request.url);
    const file = path.join(project, "node_modules/rehref", name);
    const isThere = name === "page.html" || (request.url.startsWith("/rehref/") && fs.existsSync(file));
    response.writeHead(isThere ? 200 : 404, { "Content-Type": types[path.extname(name)] ?? "text/plain" });
    response.end(name === "page.html" ? page + tell : isThere ? fs.readFileSync(file) : "");
    if (request.method === "POST") tellResult(await text(request));
  }).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.on("listening", resolve));
    const address = `http://127.0.0.1:${server.address().port}/page.html`;
    const args = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${directory("chromium")}`, "--remote-debugging-port=0", address];
    execute(chromium, args, { signal: end.signal }).catch(() => tellResult("Chromium ended"));
    assert.equal(await told, '<a href="https://example.org/docs/intro.html">Introduction</a>');
  } finally {
    end.abort();
    server.close();
    server.closeAllConnections();
  }
});

test("rehref/wasm takes bytes, a module and a response", { skip }, async () => {
  const script = `
    import fs from "node:fs";
    import { load, RehrefError } from "rehref/wasm";
    const bytes = fs.readFileSync(new URL(import.meta.resolve("rehref/rehref.wasm")));
    const response = new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
    for (const source of [bytes, new WebAssembly.Module(bytes), Promise.resolve(response)]) {
      console.log((await load(source)).absolute("<a href=b>", "${url}"));
    }
    await load(new Response("", { status: 404 })).catch((error) => console.log(error instanceof RehrefError));`;
  fs.writeFileSync(path.join(project, "wasm.mjs"), script);
  const { stdout, stderr } = await execute("node", ["wasm.mjs"], { cwd: project });
  assert.equal(stdout, `<a href=${SITE}b>\n`.repeat(3) + "true\n", stderr);
});
