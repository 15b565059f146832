// The examples of the README and of docs/guide/install.md print what they show.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { execute, hasEngine, installed, npmRoot, root } from "./support/index.mjs";

const BLOCK = /^```js\n([^]*?)^```$/gm;
/** An expression with its value in a comment below. */
const SHOWN = /^(?!const |import )(.+);\n\/\/ (.+)$/gm;

for (const file of ["packaging/npm/rehref/README.md", "docs/guide/install.md"]) {
  test(`${file}: values are those of the functions`, { skip: !hasEngine && "rehref.wasm was not built" }, async () => {
    const project = await installed();
    fs.mkdirSync(path.join(project, "dist/news"), { recursive: true });
    fs.writeFileSync(path.join(project, "dist/index.html"), '<a href="news/">');
    fs.writeFileSync(path.join(project, "dist/news/index.html"), '<a href="..">');
    const blocks = [...fs.readFileSync(path.join(root, file), "utf8").matchAll(BLOCK)].map(([, code]) => code);
    // The others are settings of generators, as in examples/. A later block has what the first one imports.
    const code = blocks.filter((it) => !it.includes("export default")).join("\n").replace(SHOWN, (_, expression, value) => `equal(${expression}, ${value});`);
    assert.ok(code.includes("equal("));
    const script = `import { deepStrictEqual as equal } from "node:assert";\n${code}`;
    fs.writeFileSync(path.join(project, "example.mjs"), script);
    const { status, stderr } = await execute("node", ["example.mjs"], { cwd: project });
    assert.equal(status, 0, stderr + script);
  });
}

test("the manifest names files that exist", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(npmRoot, "rehref/package.json"), "utf8"));
  const targets = Object.values(manifest.exports).flatMap((it) => (typeof it === "string" ? [it] : Object.values(it)));
  // The build makes these.
  const made = ["./wasm.mjs", "./rehref.wasm"];
  for (const file of [manifest.main, manifest.types, ...Object.values(manifest.bin), ...targets]) {
    assert.ok(made.includes(file) || fs.existsSync(path.join(npmRoot, "rehref", file)), file);
  }
});
