// What the plugins do with a built site, whatever the generator; examples.test.mjs builds with the generators.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { before } from "node:test";
import { pathToFileURL } from "node:url";
import { directory, execute, installed } from "./support/index.mjs";

let require;
before(async () => {
  require = createRequire(path.join(await installed(), "x.js"));
});

const GOOD = { "index.html": '<a href="/docs/a/#x">', "a/index.html": '<p id="x"><a href="/docs/">' };
const BAD = { ...GOOD, "index.html": '<a href="/docs/b/">' };

/** A directory with these files. */
function built(files) {
  const site = directory("built");
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
    fs.writeFileSync(path.join(site, name), text);
  }
  return site;
}

const read = (site, name = "index.html") => fs.readFileSync(path.join(site, name), "utf8");

/** Runs the plugin for Eleventy on a directory; returns what it printed. */
async function eleventy(output, options, runMode = "build") {
  let handler;
  require("rehref/eleventy")({ on: (name, function_) => (handler = function_) }, options);
  const log = console.log;
  const printed = [];
  console.log = (text) => printed.push(text);
  try {
    await handler({ dir: { output }, runMode });
  } finally {
    console.log = log;
  }
  return printed.join("\n");
}

/** Runs the plugin for Vite on a directory. */
async function vite(outDir, options, config = {}, isWritten = true) {
  const printed = [];
  const plugin = require("rehref/vite")(options);
  const { build, ...others } = config;
  const logger = { info: (text) => printed.push(text) };
  plugin.configResolved({ root: "/", base: "/", logger, ...others, build: { outDir, ssr: false, watch: null, ...build } });
  if (isWritten) plugin.writeBundle();
  await plugin.closeBundle.handler();
  return printed.join("\n");
}

const url = "https://example.org/docs/";

test("without options, the site is audited and not changed", async () => {
  const site = built(GOOD);
  assert.match(await eleventy(site, { url }), /^No findings in 2 documents/m);
  assert.equal(read(site), GOOD["index.html"]);
});

test("a broken link is an error with the report", async () => {
  const { RehrefError } = require("rehref");
  await assert.rejects(eleventy(built(BAD), { url }), (error) => {
    assert.ok(error instanceof RehrefError);
    assert.equal(error.status, 1);
    assert.match(error.message, /^rehref audit\n[^]*index\.html:1:10: error: broken link: [^]*1 error/);
    return true;
  });
  await eleventy(built(BAD), { url, audit: false });
  await eleventy(built(BAD), { url, audit: { failOn: "never" } });
  await assert.rejects(eleventy(directory("empty"), { url }), /no document in the site/);
});

test("relative links, with options of the command, also in a work tree with changes", async () => {
  const site = built(GOOD);
  await execute("git", ["init", "--quiet"], { cwd: site });
  await execute("git", ["add", "--all"], { cwd: site });
  assert.match(await eleventy(site, { url, relative: true }), /2 of 2 documents rewritten/);
  assert.equal(read(site), '<a href="a/#x">');
  assert.equal(read(site, "a/index.html"), '<p id="x"><a href="..">');
  const offline = built(GOOD);
  await eleventy(offline, { url, relative: { offline: true } });
  assert.equal(read(offline), '<a href="a/index.html#x">');
});

test("a server that builds again is left alone", async () => {
  assert.equal(await eleventy(built(BAD), { url }, "serve"), "");
  assert.equal(await vite(built(BAD), {}, { build: { watch: {} } }), "");
  assert.equal(await vite(built(BAD), {}, { build: { ssr: true } }), "");
});

test("after an error of Vite, nothing is audited", async () => {
  assert.equal(await vite(built(BAD), {}, {}, false), "");
});

test("Vite's base is the path of the site", async () => {
  for (const base of ["/docs/", "/docs", "https://cdn.example.org/docs/"]) {
    assert.match(await vite(built(GOOD), {}, { base }), /No findings/, base);
  }
  const root = { "index.html": '<a href="a/#x">', "a/index.html": '<p id="x"><a href="/">' };
  for (const base of ["/", "./", ""]) assert.match(await vite(built(root), {}, { base }), /No findings/, base);
  await assert.rejects(vite(built(GOOD), {}, { base: "/" }), /broken-target/);
  await vite(built(GOOD), { url }, { base: "/" });
});

test("Astro's site and base are the URL of the site", async () => {
  const astro = async (config) => {
    const printed = [];
    const { hooks } = require("rehref/astro")();
    hooks["astro:config:done"]({ config });
    const logger = { info: (text) => printed.push(text) };
    await hooks["astro:build:done"]({ dir: pathToFileURL(`${built({ ...GOOD, "index.html": `<a href="${url}a/#y">` })}/`), logger });
    return printed.join("\n");
  };
  await assert.rejects(astro({ site: "https://example.org", base: "/docs" }), /broken-fragment/);
  // Of an unknown host, links with a host are external.
  assert.match(await astro({ base: "/docs" }), /1 external, not fetched/);
});
