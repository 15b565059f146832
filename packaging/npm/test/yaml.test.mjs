// The files that GitHub, GitLab and pre-commit read, by a parser of YAML; the script of GitLab's job is run.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { before } from "node:test";
import { inputs, steps } from "./support/action.mjs";
import { directory, execute, installLocked, npmRoot, root, sampleSite, version, withRegistry } from "./support/index.mjs";

let yaml;
before(async () => {
  const project = path.join(directory("yaml"), "tools");
  fs.cpSync(path.join(npmRoot, "test/tools"), project, { recursive: true });
  if (await installLocked(project)) yaml = createRequire(path.join(project, "x.js"))("yaml");
});

/** A test of a file, which is skipped without the parser. */
function fileTest(name, file, check) {
  test(name, (t) => {
    if (!yaml) return t.skip(`npm's registry cannot be reached: ${file} was not parsed`);
    return check(fs.readFileSync(path.join(root, file), "utf8"));
  });
}

fileTest("the action is what its tests ran", "packaging/github-action/action.yml", (text) => {
  const action = yaml.parse(text);
  assert.equal(action.runs.using, "composite");
  assert.deepEqual(Object.entries(action.inputs).map(([name, it]) => [name, it.default]), [...inputs]);
  const scripts = action.runs.steps.filter((it) => it.run);
  assert.deepEqual(scripts.map((it) => it.run), steps.map((it) => it.run));
  for (const step of scripts) assert.equal(step.shell, "bash");
  for (const it of [...Object.values(action.inputs), ...Object.values(action.outputs)]) assert.ok(it.description);
});

fileTest("the hooks are hooks", ".pre-commit-hooks.yaml", (text) => {
  for (const hook of yaml.parse(text)) {
    assert.ok(hook.id && hook.name && hook.description && hook.entry.startsWith("rehref audit"));
    assert.deepEqual(hook.additional_dependencies, [`rehref@${version}`]);
  }
});

fileTest("GitLab's job writes its report", "packaging/gitlab/rehref.gitlab-ci.yml", async (text) => {
  const [header, template] = yaml.parseAllDocuments(text).map((it) => it.toJS());
  assert.equal(header.spec.inputs.version.default, version);
  const given = { site: "public", url: "https://example.org/docs/", args: "--only broken-target --no-config" };
  const valueOf = (name) => {
    assert.ok(header.spec.inputs[name], name);
    return given[name] ?? header.spec.inputs[name].default;
  };
  const filled = (value) => value.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name) => valueOf(name));
  const used = [...text.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
  assert.deepEqual(used.sort(), Object.keys(header.spec.inputs).sort());
  const job = template.rehref;
  const project = directory("gitlab");
  fs.cpSync(sampleSite(), path.join(project, "public"), { recursive: true });
  const variables = Object.entries(job.variables).map(([name, value]) => [name, filled(value)]);
  await withRegistry(async (env) => {
    const options = { cwd: project, env: { ...env, ...Object.fromEntries(variables) } };
    const { status, stdout, stderr } = await execute("sh", ["-ec", job.script.map(filled).join("\n")], options);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /broken-target/);
    const [issue, ...others] = JSON.parse(fs.readFileSync(path.join(project, job.artifacts.reports.codequality), "utf8"));
    assert.equal(issue.check_name, "broken-target");
    assert.equal(issue.location.path, "public/index.html");
    assert.deepEqual(others, []);
    // Without a URL, and with a site that is not there.
    const bare = { ...options, env: { ...options.env, REHREF_URL: "", REHREF_ARGS: "", REHREF_SITE: "dist" } };
    assert.equal((await execute("sh", ["-ec", job.script.map(filled).join("\n")], bare)).status, 2);
    assert.ok(!fs.existsSync(path.join(project, "rehref-quality.json")));
  });
});
