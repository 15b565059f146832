"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { fileURLToPath } = require("node:url");
const { RehrefError, engine } = require("./lib/engine.js");
const { binaryPath, failure, run, words } = require("./lib/run.js");

const MODULE = path.join(__dirname, "rehref.wasm");

let engineOfModule;
/** The functions for one document. Their module is compiled when the first is called, which takes a quarter of a second. */
function documents() {
  engineOfModule ??= engine(new WebAssembly.Module(fs.readFileSync(MODULE)));
  return engineOfModule;
}

const absolute = (...args) => documents().absolute(...args);
const anchors = (...args) => documents().anchors(...args);
const baseUrl = (...args) => documents().baseUrl(...args);
const links = (...args) => documents().links(...args);
const relative = (...args) => documents().relative(...args);
const relativize = (...args) => documents().relativize(...args);
const resolve = (...args) => documents().resolve(...args);
const rewrite = (...args) => documents().rewrite(...args);

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
  return JSON.parse(result.stdout, inCamelCase);
}

/** For JSON.parse: the members of an object as JavaScript spells names. */
function inCamelCase(_, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, it]) => [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), it]));
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

module.exports = {
  RehrefError,
  absolute,
  anchors,
  audit,
  baseUrl,
  binaryPath,
  links,
  move,
  relative,
  relativize,
  resolve,
  rewrite,
  run,
};
