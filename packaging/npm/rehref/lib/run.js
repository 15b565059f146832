"use strict";

const { spawn } = require("node:child_process");
const binary = require("./binary.js");
const { RehrefError } = require("./engine.js");

/** The error of a run that ended with this result. */
function failure(result) {
  const { status, stdout, stderr } = result;
  const start = stderr.search(/^error: /m);
  const message = (start < 0 ? stderr : stderr.slice(start)).trim().replace(/^error: /, "");
  return new RehrefError(message || `rehref ended with status ${status}`, { status, stdout: String(stdout), stderr });
}

function bytesOf(input) {
  if (typeof input !== "string") return input;
  // Node would write U+FFFD instead, and the program promises to change nothing but links.
  if (!input.isWellFormed()) throw new TypeError("the text has a lone surrogate, which UTF-8 cannot express; give bytes");
  return Buffer.from(input, "utf8");
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function run(args, { input, cwd, signal } = {}) {
  const bytes = bytesOf(input);
  const path = binaryPath();
  const child = spawn(path, args, { cwd, signal, stdio: [bytes ? "pipe" : "ignore", "pipe", "pipe"], windowsHide: true });
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, name) => resolve({ status, name }));
  });
  if (bytes) {
    // The program may end before it has read everything: its status and message say why.
    child.stdin.on("error", () => {});
    child.stdin.end(bytes);
  }
  let outputs;
  try {
    outputs = await Promise.all([ended, collect(child.stdout), collect(child.stderr)]);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new RehrefError(`${path} cannot be started: ${cause.message}`, { cause });
  }
  const [{ status, name }, stdout, stderr] = outputs;
  const isText = input === undefined || typeof input === "string";
  const result = { status, stdout: isText ? stdout.toString("utf8") : stdout, stderr: stderr.toString("utf8") };
  if (name !== null) {
    throw new RehrefError(`rehref was ended by ${name}`, { stdout: String(stdout), stderr: result.stderr });
  }
  if (status > 1) throw failure(result);
  return result;
}

function binaryPath() {
  try {
    return binary.binaryPath();
  } catch (cause) {
    throw new RehrefError(cause.message, { cause });
  }
}

/** Words of the command line: `{ url: "x", include: ["a", "b"], jsonLd: true }` is --url=x --include=a --include=b --json-ld. */
function words(options) {
  return Object.entries(options).flatMap(([name, values]) => {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const given = [values].flat().filter((value) => value !== undefined && value !== null && value !== false);
    return given.map((value) => (value === true ? option : `${option}=${value}`));
  });
}

module.exports = { RehrefError, binaryPath, failure, run, words };
