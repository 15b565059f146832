import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { directory, execute, npmRoot, packages, version, withRegistry } from "./support/index.mjs";
import { fill } from "./support/programs.mjs";

const HOST = `${process.platform}-${process.arch}`;
const build = path.join(npmRoot, "build");
const manifestOf = (file) => JSON.parse(execFileSync("tar", ["xzOf", file, "package/package.json"]));
const digests = (out) =>
  Object.fromEntries(
    fs.readdirSync(out).map((it) => [it, createHash("sha256").update(fs.readFileSync(path.join(out, it))).digest("hex")]),
  );

test("two builds write the same bytes, whatever the umask and the directory", async () => {
  const programs = directory("programs");
  fill(programs);
  // The version of the host's program would be asked for.
  const { target } = JSON.parse(fs.readFileSync(path.join(npmRoot, "platforms.json"))).find(
    (it) => `${it.platform}-${it.arch}` === HOST,
  );
  fs.rmSync(path.join(programs, target), { recursive: true });
  const outs = [directory("out"), directory("out")];
  for (const [index, umask] of ["022", "077"].entries()) {
    const { status, stderr } = await execute("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, build, programs, outs[index]]);
    assert.equal(status, 0, stderr);
  }
  assert.deepEqual(digests(outs[0]), digests(outs[1]));
  assert.ok(Object.keys(digests(outs[0])).length >= 2);
});

test("the packages have the version of Cargo.toml, and only each other as dependencies", () => {
  const main = manifestOf(path.join(packages, `rehref-${version}.tgz`));
  assert.equal(main.version, version);
  assert.equal(main.dependencies, undefined);
  assert.equal(main.scripts, undefined, "nothing runs when the package is installed");
  assert.ok(Object.keys(main.optionalDependencies).includes(`@rehref/${HOST}`));
  for (const [name, wanted] of Object.entries(main.optionalDependencies)) {
    const manifest = manifestOf(path.join(packages, `${name.slice(1).replace("/", "-")}-${version}.tgz`));
    assert.equal(manifest.version, wanted);
    assert.equal(name, `@rehref/${manifest.os}-${manifest.cpu}`);
    assert.equal(manifest.scripts, undefined);
  }
});

test("a program of another version, and a directory without programs, are errors", async () => {
  const empty = await execute(build, [directory("empty"), directory("out")]);
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /^error: no program in /);
  const programs = directory("programs");
  fill(programs);
  const { target, file } = JSON.parse(fs.readFileSync(path.join(npmRoot, "platforms.json"))).find(
    (it) => `${it.platform}-${it.arch}` === HOST,
  );
  fs.writeFileSync(path.join(programs, target, file), "#!/bin/sh\necho rehref 0.0.1\n");
  const other = await execute(build, [programs, directory("out")]);
  assert.equal(other.status, 1);
  assert.match(other.stderr, /rehref 0\.0\.1, but Cargo\.toml has /);
});

test("npm installs the package of this platform and no other, and npx runs it", async () => {
  const project = directory("project");
  fs.writeFileSync(path.join(project, "package.json"), '{ "private": true }\n');
  await withRegistry(async (env, registry) => {
    const install = await execute("npm", ["install", "--save-dev", "rehref"], { cwd: project, env });
    assert.equal(install.status, 0, install.stderr);
    const archives = registry.requests.filter((it) => it.endsWith(".tgz")).map((it) => it.split("/-/")[0]);
    assert.deepEqual(archives.sort(), [`@rehref/${HOST}`, "rehref"]);
    const npx = await execute("npx", ["rehref", "--version"], { cwd: project, env });
    assert.equal(npx.stdout.trim().split(" ")[1], version, npx.stderr);

    // A lock file of this platform installs on all.
    const lock = fs.readFileSync(path.join(project, "package-lock.json"), "utf8");
    for (const name of ["linux-x64", "linux-arm64", "win32-x64"]) assert.ok(lock.includes(`@rehref/${name}`), name);
    fs.rmSync(path.join(project, "node_modules"), { recursive: true });
    const ci = await execute("npm", ["ci"], { cwd: project, env });
    assert.equal(ci.status, 0, ci.stderr);

    const uninstall = await execute("npm", ["uninstall", "rehref"], { cwd: project, env });
    assert.equal(uninstall.status, 0, uninstall.stderr);
    const left = fs.readdirSync(project, { recursive: true, withFileTypes: true });
    const files = left.filter((it) => it.isFile()).map((it) => it.name);
    assert.deepEqual(files.sort(), [".package-lock.json", "package-lock.json", "package.json"]);
  });
});

test("without the package of the platform, the program and the functions say what to do", async () => {
  const project = directory("project");
  fs.writeFileSync(path.join(project, "package.json"), '{ "private": true }\n');
  await withRegistry(async (env) => {
    const install = await execute("npm", ["install", "--omit=optional", "rehref"], { cwd: project, env });
    assert.equal(install.status, 0, install.stderr);
    const clean = { ...env, REHREF_BINARY: "" };
    const shim = await execute("npx", ["rehref", "--version"], { cwd: project, env: clean });
    assert.equal(shim.status, 2);
    assert.match(shim.stderr, /^error: the package @rehref\/\S+ is not installed; install rehref without --omit=optional/);
    const script = 'require("rehref").audit("dist").catch((e) => console.log(e.name, e.message))';
    const api = await execute("node", ["-e", script], { cwd: project, env: clean });
    assert.match(api.stdout, /^RehrefError the package @rehref/);
    const given = { ...env, REHREF_BINARY: process.env.REHREF_TEST_PROGRAM };
    const other = await execute("npx", ["rehref", "--version"], { cwd: project, env: given });
    assert.equal(other.status, 0, other.stderr);
    const missing = await execute("npx", ["rehref", "--version"], { cwd: project, env: { ...env, REHREF_BINARY: "/no/rehref" } });
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /^error: \/no\/rehref cannot be started: /);
  });
});
