// The GitHub Action, run as the runner does, with npm's registry and release archives of our own.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test, { before } from "node:test";
import { inputs, runAction, steps } from "./support/action.mjs";
import { directory, sampleSite, version, withRegistry } from "./support/index.mjs";

const URL_OF_SITE = "https://example.org/docs/";
let archive;
let sha256;
before(() => {
  const release = directory("release");
  const name = `rehref-${version}-x86_64-unknown-linux-musl`;
  fs.mkdirSync(path.join(release, name));
  fs.copyFileSync(process.env.REHREF_TEST_PROGRAM, path.join(release, name, "rehref"));
  archive = path.join(release, `${name}.tar.gz`);
  // Quickly: the program of the tests is large.
  execFileSync("tar", ["-C", release, "-I", "gzip -1", "-cf", archive, name]);
  sha256 = createHash("sha256").update(fs.readFileSync(archive)).digest("hex");
});

/** A checkout with the built site in `public`. */
function checkout() {
  const place = directory("checkout");
  fs.cpSync(sampleSite(), path.join(place, "public"), { recursive: true });
  return place;
}

test("every input reaches a step, and each step uses only inputs", () => {
  const used = steps.flatMap(({ env }) => env.map(([, input]) => input));
  assert.deepEqual(used.sort(), [...inputs.keys()].filter((it) => it !== "upload-sarif").sort());
  assert.equal(steps.length, 2);
});

test("from npm, in the version of the action", async () => {
  await withRegistry(async (env, registry) => {
    const { status, printed, outputs } = await runAction({ site: "public", url: URL_OF_SITE }, checkout(), env);
    assert.equal(status, 1, printed);
    assert.match(printed, /^::error file=public\/index\.html,line=65,col=16,title=broken-target::/m);
    assert.ok(registry.requests.includes(`rehref/-/${version}.tgz`));
    assert.equal(outputs.status, "1");
    const none = await runAction({ site: "public", version: "99.0.0" }, checkout(), env);
    assert.equal(none.status, 1);
    assert.match(none.printed, /^::error title=rehref::rehref@99\.0\.0 cannot be installed from npm$/m);
  });
});

test("from an archive: annotations, summary, reports and outputs", async () => {
  const { status, printed, outputs, summary } = await runAction({ site: "public", url: URL_OF_SITE, archive, sha256 }, checkout());
  assert.equal(status, 1, printed);
  const report = JSON.parse(fs.readFileSync(outputs.report, "utf8"));
  assert.equal(outputs.errors, String(report.summary.errors));
  assert.equal(outputs.warnings, String(report.summary.warnings));
  assert.equal(JSON.parse(fs.readFileSync(outputs.sarif, "utf8")).version, "2.1.0");
  assert.match(summary, /broken-target/);
});

test("what was published is compared, of one site or of those of rehref.toml", async () => {
  const place = checkout();
  fs.writeFileSync(path.join(place, "published.txt"), `${URL_OF_SITE}\n${URL_OF_SITE}gone.html\n`);
  const given = { url: URL_OF_SITE, archive, sha256, "fail-on": "never", compare: "published.txt" };
  const one = await runAction({ ...given, site: "public" }, place);
  assert.equal(one.status, 0, one.printed);
  assert.equal(one.outputs.lost, "1");
  assert.match(one.printed, /^::error file=published\.txt,line=2,.*title=lost-page::`gone\.html` does not exist/m);
  assert.match(one.summary, /broken-target[^]*lost-page/);
  fs.writeFileSync(path.join(place, "rehref.toml"), `[[site]]\npath = "public"\nurl = "${URL_OF_SITE}"\n`);
  const all = await runAction({ ...given, url: "", "fail-on": "" }, place);
  assert.equal(all.status, 1, all.printed);
  assert.equal(all.outputs.lost, "1");
  assert.match(all.printed, /^::error file=public\/index\.html,line=65,/m);
});

test("an archive is downloaded, and its checksum decides", async () => {
  const server = http.createServer((_, response) => fs.createReadStream(archive).pipe(response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const from = `http://127.0.0.1:${server.address().port}/rehref.tar.gz`;
  try {
    const good = await runAction({ site: "public", url: URL_OF_SITE, archive: from, sha256, "fail-on": "never" }, checkout());
    assert.equal(good.status, 0, good.printed);
    assert.equal(good.outputs.status, "0");
    const bad = await runAction({ site: "public", archive: from, sha256: "0".repeat(64) }, checkout());
    assert.equal(bad.status, 1);
    assert.match(bad.printed, /^::error title=rehref::the checksum of http:.* is [0-9a-f]{64}, not 0+; it was not unpacked$/m);
    assert.deepEqual(bad.outputs, {});
    const without = await runAction({ site: "public", archive: from }, checkout());
    assert.match(without.printed, /archive needs sha256/);
  } finally {
    server.close();
  }
});

test("args are split as in a shell, and nothing in them runs", async () => {
  const place = checkout();
  const args = `--ignore 'broken-fragment path:**' --only broken-target,broken-fragment\n  --level "broken-target=warning"`;
  const split = await runAction({ site: "public", url: URL_OF_SITE, archive, sha256, args }, place);
  assert.equal(split.status, 0, split.printed);
  assert.deepEqual([split.outputs.errors, split.outputs.warnings], ["0", "1"]);
  const evil = await runAction({ site: "public", archive, sha256, args: "$(touch x) `touch x` ; touch x" }, place);
  assert.equal(evil.status, 2);
  assert.ok(!fs.existsSync(path.join(place, "x")));
  const open = await runAction({ site: "public", archive, sha256, args: "--only 'x" }, place);
  assert.equal(open.status, 2);
  assert.match(open.printed, /^::error title=rehref::args: a quote is not closed$/m);
});

test("without a site, the status is 2 and there is no report", async () => {
  const { status, outputs } = await runAction({ site: "dist", archive, sha256 }, checkout());
  assert.equal(status, 2);
  assert.deepEqual(outputs, { status: "2" });
});

test("settings of the repository count", async () => {
  const place = checkout();
  fs.writeFileSync(path.join(place, "rehref.toml"), `url = "${URL_OF_SITE}"\n[audit]\nfail-on = ["never"]\n`);
  const { status, outputs, printed } = await runAction({ site: "public", archive, sha256 }, place);
  assert.equal(status, 0, printed);
  assert.equal(JSON.parse(fs.readFileSync(outputs.report, "utf8")).summary.url, URL_OF_SITE);
});
