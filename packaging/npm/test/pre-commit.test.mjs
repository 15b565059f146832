// The hooks in .pre-commit-hooks.yaml, by pre-commit itself, from the repository and a registry of our own.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { directory, execute, root, sampleSite, version, withRegistry } from "./support/index.mjs";

const program = process.env.REHREF_TEST_PRE_COMMIT ?? "pre-commit";
const isInstalled = await execute(program, ["--version"]).then(() => true, () => false);
const skip = isInstalled ? false : "pre-commit is not installed: the hooks were not run";

async function git(cwd, ...args) {
  const identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"];
  const { status, stderr } = await execute("git", [...identity, ...args], { cwd });
  assert.equal(status, 0, stderr);
}

test("the hooks install the version of Cargo.toml", () => {
  const hooks = fs.readFileSync(path.join(root, ".pre-commit-hooks.yaml"), "utf8");
  const versions = [...hooks.matchAll(/additional_dependencies: \["rehref@(.*)"\]/g)].map(([, it]) => it);
  assert.deepEqual(versions, [version, version]);
});

test("pre-commit installs rehref without a compiler, and its hooks find broken links", { skip }, async () => {
  const project = directory("repository");
  fs.cpSync(sampleSite(), path.join(project, "public"), { recursive: true });
  fs.mkdirSync(path.join(project, "docs"));
  fs.writeFileSync(path.join(project, "docs/index.md"), "# Start\n\n[The guide](guide.md#first)\n");
  fs.writeFileSync(path.join(project, "docs/guide.md"), "# First\n");
  const config = `repos:
  - repo: ${root}
    rev: HEAD
    hooks:
      - id: rehref-audit
        args: [public, --url, "https://example.org/docs/", --only, broken-target, --ignore, "broken-target path:index.html"]
      - id: rehref-audit-markdown
        args: [docs]
`;
  fs.writeFileSync(path.join(project, ".pre-commit-config.yaml"), config);
  await git(project, "init", "--quiet");
  await git(project, "add", "--all");
  await withRegistry(async (npm) => {
    const env = { ...npm, PRE_COMMIT_HOME: directory("pre-commit"), PRE_COMMIT_COLOR: "never" };
    const run = (...args) => execute(program, ["run", ...args], { cwd: project, env });
    const good = await run("--all-files");
    assert.equal(good.status, 0, good.stdout + good.stderr);
    assert.match(good.stdout, /^rehref audit\.+Passed\nrehref audit \(Markdown\)\.+Passed$/m);

    // A commit without a Markdown file breaks a link in one.
    await git(project, "commit", "--quiet", "--message", "x");
    await git(project, "rm", "--quiet", "docs/guide.md");
    const bad = await run();
    assert.equal(bad.status, 1, bad.stdout + bad.stderr);
    assert.match(bad.stdout, /^rehref audit \(Markdown\)\.+Failed$/m);
    assert.match(bad.stdout, /docs\/index\.md:3:\d+: error: broken link: /);

    // As the documents say: without a configuration.
    const args = ["try-repo", root, "rehref-audit-markdown", "--all-files", "--verbose"];
    const tried = await execute(program, args, { cwd: project, env });
    assert.match(tried.stdout, /rehref audit \(Markdown\)/, tried.stderr);
  });
});
