// The types of the package, as TypeScript sees them in a module and in CommonJS.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { addPackages, directory, execute, installLocked, npmRoot } from "./support/index.mjs";

test("the types accept what the functions accept", async (t) => {
  const project = path.join(directory("types"), "tools");
  fs.cpSync(path.join(npmRoot, "test/tools"), project, { recursive: true });
  if (!(await installLocked(project))) {
    t.skip("npm's registry cannot be reached: TypeScript did not check the types");
    return;
  }
  await addPackages(project);
  const { status, stdout } = await execute(path.join(project, "node_modules/.bin/tsc"), [], { cwd: project });
  assert.equal(status, 0, stdout);
});
