// Runs the steps of packaging/github-action/action.yml as the runner of GitHub does.
import fs from "node:fs";
import path from "node:path";
import { directory, execute, root } from "./index.mjs";

const ACTION = path.join(root, "packaging/github-action");
const text = fs.readFileSync(path.join(ACTION, "action.yml"), "utf8");
const part = (from, to) => `${text.slice(text.indexOf(`\n${from}:`), to ? text.indexOf(`\n${to}:`) : undefined)}\n`;

/** The inputs with their defaults; undefined for a required one. */
export const inputs = new Map(
  [...part("inputs", "outputs").matchAll(/^  ([\w-]+):\n((?:    .*\n)+)/gm)].map(([, name, lines]) => [
    name,
    lines.match(/^    default: "(.*)"$/m)?.[1],
  ]),
);

/** The steps that run a script: the script, and its variables with the input that each has. */
export const steps = [...part("runs").matchAll(/^      run: (.*)\n      env:\n((?:        .*\n)+)/gm)].map(([, run, lines]) => ({
  run,
  env: [...lines.matchAll(/^        (\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)].map(([, name, input]) => [name, input]),
}));

/** A value that a step wrote to a file of the runner, by name. */
const values = (file) => Object.fromEntries(fs.readFileSync(file, "utf8").split("\n").filter(Boolean).map((it) => it.split(/=(.*)/s).slice(0, 2)));

/** Runs the steps in a checkout until one fails, which is the status. */
export async function runAction(given, checkout, others = {}) {
  const temp = directory("runner");
  const file = (name) => path.join(temp, name);
  for (const name of ["path", "output", "summary"]) fs.writeFileSync(file(name), "");
  let printed = "";
  for (const { run, env } of steps) {
    const variables = env.map(([name, input]) => [name, given[input] ?? inputs.get(input) ?? ""]);
    // A step sees what earlier steps added to the path, the last one first.
    const added = fs.readFileSync(file("path"), "utf8").split("\n").filter(Boolean).reverse();
    const { status, stdout, stderr } = await execute("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: checkout,
      env: {
        ...process.env,
        ...others,
        ...Object.fromEntries(variables),
        PATH: [...added, process.env.PATH].join(path.delimiter),
        GITHUB_ACTIONS: "true",
        GITHUB_ACTION_PATH: ACTION,
        GITHUB_PATH: file("path"),
        GITHUB_OUTPUT: file("output"),
        GITHUB_STEP_SUMMARY: file("summary"),
        RUNNER_TEMP: temp,
      },
    });
    printed += stdout + stderr;
    if (status !== 0) return result(status);
  }
  return result(0);

  function result(status) {
    return { status, printed, outputs: values(file("output")), summary: fs.readFileSync(file("summary"), "utf8"), temp };
  }
}
