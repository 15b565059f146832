// The programs of docs/guide/programs.md do what the page says, in fewer than thirty lines.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import { execute, hasEngine, installed, root } from "./support/index.mjs";

const skip = hasEngine ? false : "rehref.wasm was not built";
const guide = fs.readFileSync(path.join(root, "docs/guide/programs.md"), "utf8");
const programs = Object.fromEntries([...guide.matchAll(/^```js\n\/\/ (\w+\.mjs)\n([^]*?)^```$/gm)].map(([, name, code]) => [name, code]));
let project;
before(async () => {
  project = await installed();
});

async function run(name, args, { files = {}, input } = {}) {
  for (const [file, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    fs.writeFileSync(path.join(project, file), content);
  }
  fs.writeFileSync(path.join(project, name), programs[name]);
  const { status, stdout, stderr } = await execute("node", [name, ...args], { cwd: project, input });
  assert.equal(status, 0, stderr);
  return stdout;
}

test("they are short", () => {
  assert.deepEqual(Object.keys(programs), ["feed.mjs", "cdn.mjs", "errors.mjs", "host.mjs"]);
  for (const code of Object.values(programs)) assert.ok(code.split("\n").length <= 30);
});

test("feed", { skip }, async () => {
  const files = { "posts/b.html": "<a href=a.html>A &amp; B</a>", "posts/a.html": "<img src=/x.png>" };
  const feed = await run("feed.mjs", [], { files });
  assert.ok(feed.includes("&lt;img src=https://example.org/x.png></content>"), feed);
  assert.ok(feed.includes("&lt;a href=https://example.org/posts/a.html>A &amp;amp; B&lt;/a></content>"));
  assert.ok(feed.indexOf("posts/a.html</id>") < feed.indexOf("posts/b.html</id>"));
});

test("images of a CDN, and tagged links", { skip }, async () => {
  const page =
    "<img src=x.gif data-src='/a.png' data-srcset='/a.png 1x, /b.png 2x'><a href=https://shop.example/?id=1#top>" +
    "<a href=b.html><img src=https://other.example/c.png>";
  assert.equal(
    await run("cdn.mjs", ["docs/a.html"], { input: page }),
    "<img src=https://cdn.example.net/docs/x.gif data-src='https://cdn.example.net/a.png' " +
      "data-srcset='https://cdn.example.net/a.png 1x, https://cdn.example.net/b.png 2x'>" +
      "<a href=https://shop.example/?id=1&amp;utm_source=site#top><a href=b.html><img src=https://other.example/c.png>",
  );
});

test("audit by file", async () => {
  const files = { "dist/a.html": "<a href=x>\n<a href=y>", "dist/b.html": "<a href=a.html><a href=z>" };
  const lines = (await run("errors.mjs", ["dist"], { files })).split("\n");
  assert.deepEqual(lines.filter((it) => it && !it.startsWith(" ")), ["a.html: 2", "b.html: 1"]);
  assert.ok(lines[1].startsWith("  line 1: x: ") && lines[2].startsWith("  line 2: y: "), lines);
});

test("a folder on another host", { skip }, async () => {
  const [old, moved] = ["https://example.org/docs/", "https://docs.example.net/"];
  const page =
    `<meta property=og:url content='${old}a.html'><meta property=og:image content=a.png><link rel=canonical href=${old}a.html>` +
    `<link rel=stylesheet href=a.css><script type=application/ld+json>{"@context":"https://schema.org","url":"${old}a.html"}` +
    `</script><a href=${old}>`;
  await run("host.mjs", ["docs", old, moved], { files: { "docs/x/a.html": page } });
  const expected = page.replaceAll(old, moved).replace(`<a href=${moved}>`, `<a href=${old}>`);
  assert.equal(fs.readFileSync(path.join(project, "docs/x/a.html"), "utf8"), expected);
});
