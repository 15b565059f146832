import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { before } from "node:test";
import { pathToFileURL } from "node:url";
import { directory, execute, installed, root, sampleSite } from "./support/index.mjs";

const url = "https://example.org/docs/guide.html";
const SITE = "https://example.org/docs/";
let rehref;
let project;
before(async () => {
  project = await installed();
  rehref = createRequire(path.join(project, "x.js"))("rehref");
});

test("import and require give the same functions", async () => {
  const script = `
    import * as all from "rehref";
    import rehref, { absolute, RehrefError } from "rehref";
    import { createRequire } from "node:module";
    const required = createRequire(import.meta.url)("rehref");
    console.log(rehref === required && absolute === required.absolute && RehrefError === required.RehrefError);
    console.log(Object.keys(all).filter((it) => it !== "module.exports").sort().join(" "));`;
  fs.writeFileSync(path.join(project, "x.mjs"), script);
  const { stdout, stderr } = await execute("node", ["x.mjs"], { cwd: project });
  const names = "RehrefError absolute audit binaryPath default links move relative run";
  assert.equal(stdout, `true\n${names}\n`, stderr);
});

test("documents become absolute and relative, as the type that they were", async () => {
  const source = "<!doctype html><a href='intro.html'>é</a> <a href=//example.org/b?c&amp;d>";
  const expected = "<!doctype html><a href='https://example.org/docs/intro.html'>é</a> <a href=https://example.org/b?c&amp;d>";
  assert.equal(await rehref.absolute(source, { url }), expected);
  const bytes = await rehref.absolute(Buffer.from(source), { url: new URL(url) });
  assert.ok(Buffer.isBuffer(bytes));
  assert.equal(bytes.toString(), expected);
  const array = await rehref.absolute(new TextEncoder().encode(source), { url });
  assert.ok(array instanceof Uint8Array);
  assert.equal(Buffer.from(array).toString(), expected);
  const back = await rehref.relative(expected, { url });
  assert.equal(back, "<!doctype html><a href='intro.html'>é</a> <a href=../b?c&amp;d>");
  assert.equal(await rehref.relative(expected, { url, form: "root" }), expected.replaceAll("https://example.org", ""));
});

test("a part of a larger buffer is only that part", async () => {
  const whole = Buffer.from("xx<a href=b>yy");
  assert.equal(String(await rehref.absolute(whole.subarray(2, 12), { url })), "<a href=https://example.org/docs/b>");
});

test("text is UTF-8, whatever it declares; bytes are decoded as a browser does", async () => {
  const text = '\uFEFF<meta charset=iso-8859-1><base href=/e/><a href="ü?ü">';
  const expected = '\uFEFF<meta charset=iso-8859-1><base href=https://example.org/e/><a href="https://example.org/e/ü?ü">';
  assert.equal(await rehref.absolute(text, { url }), expected);
  const latin = Buffer.from('<meta charset=iso-8859-1><a href="\u00fc">', "latin1");
  const [link] = (await rehref.links(latin, { url })).filter((it) => it.element === "a");
  assert.equal(link.reference, "ü");
  await assert.rejects(rehref.absolute("<a>", { url, charset: "latin1" }), TypeError);
  await assert.rejects(rehref.absolute("<a href='\ud800'>", { url }), /lone surrogate/);
});

test("wrong types are errors of JavaScript", async () => {
  for (const wrong of [undefined, null, 5, {}]) await assert.rejects(rehref.absolute(wrong, { url }), TypeError);
});

test("the links of a document", async () => {
  const found = await rehref.links('<img srcset="a.png, b.png 2x"><a href="#x"><a href="mailto:a@b">', { url });
  assert.deepEqual(
    found.map((it) => [it.element, it.attribute, it.target, it.fragment, it.kind]),
    [
      ["img", "srcset", "https://example.org/docs/a.png", null, "internal"],
      ["img", "srcset", "https://example.org/docs/b.png", null, "internal"],
      ["a", "href", `${url}#x`, "x", "internal"],
      ["a", "href", "mailto:a@b", null, "other"],
    ],
  );
  assert.deepEqual(await rehref.links("", { url }), []);
  const css = await rehref.links("a{background:url(x.png)}", { url: "https://example.org/s.css" });
  assert.deepEqual(css.map((it) => it.target), ["https://example.org/x.png"]);
});

test("members of a link are those that the types and the schema have", async () => {
  const schema = JSON.parse(fs.readFileSync(path.join(root, "docs/reference/schemas/link.json"), "utf8"));
  const [link] = await rehref.links("<a href=b>", { url });
  const expected = schema.required.filter((it) => !["document", "file", "found"].includes(it));
  assert.deepEqual(Object.keys(link).sort(), expected.sort());
  const types = fs.readFileSync(path.join(project, "node_modules/rehref/index.d.ts"), "utf8");
  for (const member of expected) assert.match(types, new RegExp(`^  ${member}:`, "m"));
});

test("options are those of the command", async () => {
  const page = '<script type="application/ld+json">{"@context":"https://schema.org","url":"b"}</script><img data-src=c data-x=d>';
  const rewritten = await rehref.absolute(page, { url, jsonLd: true, attr: ["img@data-src", "img@data-x"], rdfa: false });
  assert.equal(rewritten, page.replace('"b"', '"https://example.org/docs/b"').replace("=c", `=${SITE}c`).replace("=d", `=${SITE}d`));
  await assert.rejects(rehref.absolute(page, { url, jsonLdd: true }), (error) => {
    assert.ok(error instanceof rehref.RehrefError && error instanceof Error);
    assert.equal(error.status, 2);
    assert.match(error.message, /^unexpected argument '--json-ldd' found/);
    return true;
  });
});

test("errors have the status and the message of the program", async () => {
  const { RehrefError } = rehref;
  const rejects = (promise, status, message) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof RehrefError, String(error));
      assert.equal(error.name, "RehrefError");
      assert.deepEqual([error.status, message.test(error.message)], [status, true], error.message);
      return true;
    });
  await rejects(rehref.absolute("<a>", { url: "docs/a.html" }), 2, /^--url: `docs\/a.html` is not an absolute URL/);
  await rejects(rehref.absolute("<a>", {}), 2, /--url is required/);
  await rejects(rehref.absolute("<a>", undefined), 2, /--url is required/);
  await rejects(rehref.absolute("<a href='b'>", { url: "https://example.org/a.xhtml" }), 1, /not well-formed XML/);
  await rejects(rehref.links("<a href='b'>", { url: "https://example.org/a.xhtml" }), 1, /not well-formed XML/);
  await rejects(rehref.run(["bogus"]), 2, /unrecognized subcommand/);
  await rejects(rehref.audit("/no/such/site"), 2, /\/no\/such\/site/);
});

test("run returns status and outputs", async () => {
  const site = sampleSite();
  const audit = await rehref.run(["audit", "sample-site", "--url", SITE, "--format", "jsonl"], { cwd: path.dirname(site) });
  assert.equal(audit.status, 1);
  assert.match(audit.stdout, /^\{"check":"broken-target",/m);
  const text = await rehref.run(["absolute", "-", "--url", url], { input: "<a href=b>" });
  assert.deepEqual(text, { status: 0, stdout: "<a href=https://example.org/docs/b>", stderr: "" });
  const bytes = await rehref.run(["absolute", "-", "--url", url], { input: Buffer.from("<a href=b>") });
  assert.ok(Buffer.isBuffer(bytes.stdout));
});

test("large documents, many at once, and a program that does not read its input", async () => {
  const large = '<a href="b">link</a>\n'.repeat(200_000);
  assert.equal((await rehref.absolute(large, { url })).length, large.length + 200_000 * SITE.length);
  const many = await Promise.all([..."abcdefgh"].map((it) => rehref.absolute(`<a href=${it}>`, { url })));
  assert.deepEqual(many, [..."abcdefgh"].map((it) => `<a href=${SITE}${it}>`));
  await assert.rejects(rehref.absolute(large, { url: "nowhere" }), /is not an absolute URL/);
});

test("a signal stops a run", async () => {
  const aborted = AbortSignal.abort();
  await assert.rejects(rehref.absolute("<a>", { url, signal: aborted }), { name: "AbortError" });
  const controller = new AbortController();
  const running = rehref.audit(sampleSite(), { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(running, /enough/);
});

test("an audit is the report, and tells whether it failed", async () => {
  const site = sampleSite();
  const report = await rehref.audit(site, { url: SITE });
  assert.equal(report.failed, true);
  assert.equal(report.format, "rehref-audit");
  assert.equal(report.summary.errors, report.findings.filter((it) => it.level === "error").length);
  const sure = await rehref.audit(pathToFileURL(site), { url: SITE, only: ["broken-target"], failOn: "never" });
  assert.equal(sure.failed, false);
  assert.deepEqual(sure.findings.map((it) => it.check), ["broken-target"]);
  const sarif = path.join(directory("reports"), "audit.sarif");
  await rehref.audit(site, { url: SITE, format: `sarif=${sarif}` });
  assert.equal(JSON.parse(fs.readFileSync(sarif, "utf8")).version, "2.1.0");
});

test("a settings file counts only if it is named", async () => {
  const site = sampleSite();
  const cwd = path.dirname(site);
  const url = "https://settings.example/";
  fs.writeFileSync(path.join(cwd, "rehref.toml"), `url = "${url}"\n`);
  // The site states its URL itself.
  assert.equal((await rehref.audit("sample-site", { cwd })).summary.url, SITE);
  assert.equal((await rehref.audit("sample-site", { cwd, config: "rehref.toml" })).summary.url, url);
});

test("a move updates the links, and names with odd characters are only names", async () => {
  const site = sampleSite();
  const out = path.join(directory("out"), "renamed");
  const report = await rehref.move(site, { news: "blog" }, { url: SITE, out, writeRedirects: "netlify" });
  assert.deepEqual(report.moved?.length > 0, true);
  assert.ok(fs.existsSync(path.join(out, "blog/index.html")));
  assert.match(fs.readFileSync(path.join(out, "_redirects"), "utf8"), /blog/);
  assert.ok(fs.existsSync(path.join(site, "news/index.html")), "the old tree stays");

  const odd = directory("odd");
  fs.writeFileSync(path.join(odd, "#a=b.html"), "<a href=index.html>");
  fs.writeFileSync(path.join(odd, "index.html"), "<a href='%23a=b.html'>");
  const moves = new Map([["#a=b.html", "c#d=.html"]]);
  await rehref.move(odd, moves, { url: SITE, inPlace: true });
  assert.deepEqual(fs.readdirSync(odd).sort(), ["c#d=.html", "index.html"]);
  assert.equal(fs.readFileSync(path.join(odd, "index.html"), "utf8"), "<a href='c%23d=.html'>");
});

test("an impossible move is an error before anything is written", async () => {
  const site = sampleSite();
  const out = path.join(directory("out"), "renamed");
  await assert.rejects(rehref.move(site, { nowhere: "blog" }, { url: SITE, out }), (error) => {
    assert.equal(error.status, 2);
    assert.match(error.message, /nowhere/);
    return true;
  });
  assert.ok(!fs.existsSync(out));
  await assert.rejects(rehref.move(site, { "a\tb": "c" }, { url: SITE, out }), TypeError);
  const dry = await rehref.move(site, { news: "blog" }, { url: SITE, dryRun: true });
  assert.ok(dry.changed.length > 0);
});

test("a site whose name begins with a hyphen is a site", async () => {
  const cwd = directory("odd");
  fs.mkdirSync(path.join(cwd, "-site"));
  fs.writeFileSync(path.join(cwd, "-site/index.html"), "<a href=x>");
  assert.equal((await rehref.audit("-site", { cwd })).findings.length, 1);
});
