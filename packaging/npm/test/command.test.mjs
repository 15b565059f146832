// The command of the package: node_modules/.bin/rehref.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import { execute, installed, sampleSite } from "./support/index.mjs";

let command;
before(async () => {
  command = path.join(await installed(), "node_modules/.bin/rehref");
});

test("arguments, stdin, outputs and statuses are those of the program", async () => {
  const args = ["absolute", "-", "--url", "https://example.org/docs/a b.html"];
  const rewritten = await execute(command, args, { input: "<a href='b'>é" });
  assert.deepEqual(rewritten, { status: 0, stdout: "<a href='https://example.org/docs/b'>é", stderr: "" });
  const site = sampleSite();
  const direct = await execute(process.env.REHREF_TEST_PROGRAM, ["audit", site, "--format", "jsonl"]);
  assert.equal(direct.status, 1);
  assert.deepEqual(await execute(command, ["audit", site, "--format", "jsonl"]), direct);
  assert.equal((await execute(command, ["audit", site, "--bogus"])).status, 2);
});

test("a reader that ends early ends the program", async () => {
  const { status } = await execute("bash", ["-o", "pipefail", "-c", '"$0" links "$1" | head -n 1', command, sampleSite()]);
  assert.equal(status, 0);
});

test("a signal lets the program finish in order, and gives its status", { skip: process.platform === "win32" }, async () => {
  const site = sampleSite();
  for (let n = 0; n < 1500; n += 1) fs.writeFileSync(path.join(site, `${n}.html`), "<a href=../x.html>x</a>\n");
  for (const [signal, isGroup] of [["SIGTERM", false], ["SIGINT", true]]) {
    const args = ["absolute", site, "--diff", "--url", "https://example.org/"];
    const child = spawn(command, args, { detached: true });
    let stderr = "";
    child.stderr.on("data", (data) => (stderr += data));
    // The pipe is full and is not read, so the run waits for the signal.
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdout.pause();
    // As a terminal does it: to the process group.
    process.kill(isGroup ? -child.pid : child.pid, signal);
    const ended = new Promise((resolve) => child.on("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdout.resume();
    const status = await ended;
    assert.equal(status, 130, stderr);
    assert.match(stderr, /interrupted after .*nothing was written/);
  }
});
