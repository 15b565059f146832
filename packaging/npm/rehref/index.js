"use strict";

const { fileURLToPath } = require("node:url");
const { RehrefError, binaryPath, failure, run, words } = require("./lib/run.js");

function absolute(document, options) {
  return output("absolute", document, options);
}

function relative(document, options) {
  return output("relative", document, options);
}

async function links(document, options) {
  const lines = String(await output("links", document, { ...options, format: "jsonl" })).split("\n");
  return lines.filter(Boolean).map((line) => {
    // Of a tree; one document knows of no files.
    const { document, file, found, ...link } = JSON.parse(line);
    return link;
  });
}

async function audit(site, options = {}) {
  const { cwd, signal, ...others } = options;
  const args = ["audit", ...words(others), "--format=json", ...settings(others), "--", pathOf(site)];
  const { status, stdout } = await run(args, { cwd, signal });
  return { ...JSON.parse(stdout), failed: status === 1 };
}

async function move(site, moves, options) {
  const { cwd, signal, ...others } = options;
  const pairs = Symbol.iterator in moves ? [...moves] : Object.entries(moves);
  const map = pairs.map(([from, to]) => `${column(from)}\t${column(to)}\n`).join("");
  const list = pairs.length > 0 ? ["--map=-"] : [];
  const args = ["move", ...list, ...words(others), "--format=json", ...settings(others), "--", pathOf(site)];
  const result = await run(args, { cwd, signal, input: map });
  if (result.status !== 0 && !others.check) throw failure(result);
  return JSON.parse(result.stdout);
}

/** What the command writes for the document on stdin, as the same type. */
async function output(command, document, options = {}) {
  const { signal, ...others } = options;
  const isText = typeof document === "string";
  if (!isText && !(document instanceof Uint8Array)) {
    throw new TypeError(`a document is a string, a Buffer or a Uint8Array, not ${document === null ? "null" : typeof document}`);
  }
  if (isText && others.charset !== undefined) {
    throw new TypeError("charset: a string is decoded already; give bytes, or omit charset");
  }
  // Text is UTF-8 here, whatever it declares.
  const charset = isText ? { charset: "utf-8" } : {};
  const args = [command, ...words({ ...others, ...charset }), ...settings(others), "-"];
  const result = await run(args, { signal, input: document });
  if (result.status !== 0) throw failure(result);
  return result.stdout;
}

/** A result must not depend on the directory that a program was started in. */
function settings({ config }) {
  return ["--quiet", "--color=never", ...(config ? [] : ["--no-config"])];
}

function pathOf(site) {
  return site instanceof URL ? fileURLToPath(site) : site;
}

/** A path in a list of moves, in which a line that begins with `#` is a comment. */
function column(path) {
  if (/[\t\r\n]/.test(path)) throw new TypeError(`${JSON.stringify(path)}: a path with a tab or a line end cannot be moved`);
  return path.startsWith("#") ? `./${path}` : path;
}

module.exports = { RehrefError, absolute, audit, binaryPath, links, move, relative, run };
