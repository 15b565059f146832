import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { before } from "node:test";
import { pathToFileURL } from "node:url";
import { directory, execute, installed, sampleSite } from "./support/index.mjs";

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
  const names = "RehrefError absolute anchors audit baseUrl binaryPath default links move relative relativize resolve rewrite run";
  assert.equal(stdout, `true\n${names}\n`, stderr);
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

test("a signal stops a run", async () => {
  await assert.rejects(rehref.run(["links", "-"], { signal: AbortSignal.abort() }), { name: "AbortError" });
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
  assert.equal(typeof report.references.alreadyCorrect, "number");
  assert.doesNotMatch(JSON.stringify(Object.keys(report)) + JSON.stringify(Object.keys(report.references)), /_/);
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
