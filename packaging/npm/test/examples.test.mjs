// Builds the projects in examples/ with the real generators, which need npm's registry or a full cache.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { addPackages, directory, execute, installLocked, npmRoot } from "./support/index.mjs";

/** A page that links into the site, a link on it that can be broken, and what the built pages must contain. */
const EXAMPLES = {
  vite: {
    out: "dist",
    source: "index.html",
    good: "/docs/guide/#stairs",
    bad: "/docs/guide/#stars",
    pages: { "index.html": ['href="guide/#stairs"', 'href="lamp.svg"', 'src="assets/'], "guide/index.html": ['href=".."', 'src="../assets/'] },
  },
  astro: {
    out: "dist",
    source: "src/pages/index.astro",
    good: "/docs/guide/stairs/#the-stairs",
    bad: "/docs/guide/stairs/#the-stars",
    pages: { "index.html": ['href="guide/stairs/#the-stairs"', 'href="lamp.svg"'], "guide/stairs/index.html": ['href="../.."'] },
  },
  eleventy: {
    out: "_site",
    source: "index.md",
    good: "/posts/stairs/#the-stairs",
    bad: "/posts/stairs/#the-stars",
    pages: { "index.html": ['href="posts/stairs/#the-stairs"', 'href="lamp.svg"'], "posts/stairs/index.html": ['href="../.."'] },
  },
};

const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1", NO_UPDATE_NOTIFIER: "1" };
const build = (cwd) => execute("npm", ["run", "--silent", "build"], { cwd, env, timeout: 120_000 });

for (const [name, { out, source, good, bad, pages }] of Object.entries(EXAMPLES)) {
  test(`${name}: the built pages are relative, and a broken link fails the build`, async (t) => {
    const project = path.join(directory("example"), name);
    fs.cpSync(path.join(npmRoot, "examples", name), project, {
      recursive: true,
      filter: (file) => !["node_modules", out, ".astro"].includes(path.basename(file)),
    });
    if (!(await installLocked(project))) {
      t.skip(`npm's registry cannot be reached: the example for ${name} was not built`);
      return;
    }
    await addPackages(project);
    const built = await build(project);
    assert.equal(built.status, 0, built.stdout + built.stderr);
    assert.match(built.stdout + built.stderr, /No findings|0 errors/);
    for (const [page, parts] of Object.entries(pages)) {
      const text = fs.readFileSync(path.join(project, out, page), "utf8");
      for (const part of parts) assert.ok(text.includes(part), `${page} lacks ${part}:\n${text}`);
      assert.doesNotMatch(text, /(href|src)="\/|example\.org/);
    }

    const file = path.join(project, source);
    const text = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, text.replace(good, bad));
    const broken = await build(project);
    const printed = broken.stdout + broken.stderr;
    assert.notEqual(broken.status, 0, printed);
    assert.match(printed, /broken-fragment/);
    assert.match(printed, /#the-stars|#stars/);
  });
}
