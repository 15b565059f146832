#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { binaryPath } = require("../lib/binary.js");

function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 2;
}

function start(path) {
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  // A terminal sends these to both processes: the program finishes its files, and this process waits. A second signal
  // would end the program at once.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => fail(`${path} cannot be started: ${error.message}`));
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal];
  });
}

try {
  start(binaryPath());
} catch (error) {
  fail(error.message);
}
