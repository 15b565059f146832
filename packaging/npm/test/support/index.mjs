import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "./registry.mjs";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));
export const npmRoot = path.join(root, "packaging/npm");
export const packages = path.join(process.env.REHREF_TEST_WORK, "packages");
export const version = fs.readFileSync(path.join(root, "Cargo.toml"), "utf8").match(/^version = "(.*)"$/m)[1];

/** Whether the package has the functions for documents. */
export const hasEngine = fs.existsSync(path.join(process.env.REHREF_TEST_WORK, "programs/wasm32-unknown-unknown/rehref.wasm"));

/** A new directory, which `test/run` removes. */
export function directory(name) {
  return fs.realpathSync(fs.mkdtempSync(path.join(process.env.REHREF_TEST_WORK, `${name}-`)));
}

/** A copy of sample-site. */
export function sampleSite() {
  const site = path.join(directory("site"), "sample-site");
  fs.cpSync(path.join(root, "sample-site"), site, { recursive: true });
  return site;
}

const promised = promisify(execFile);

/** The status and outputs of a program. */
export async function execute(program, args, options = {}) {
  const { input, ...others } = options;
  const running = promised(program, args, { maxBuffer: 1 << 26, ...others });
  running.child.stdin.on("error", () => {});
  running.child.stdin.end(input ?? "");
  try {
    return { status: 0, ...(await running) };
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return { status: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/** Runs npm with a registry of this process that holds our packages and no others. */
export async function withRegistry(use) {
  const registry = await serve(packages);
  const cache = directory("cache");
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: cache, npm_config_yes: "true" };
  try {
    return await use(env, registry);
  } finally {
    await registry.close();
  }
}

/** A directory in which the packages are installed, as a user installs them. */
export async function installed() {
  const project = directory("project");
  fs.writeFileSync(path.join(project, "package.json"), '{ "private": true }\n');
  await withRegistry(async (env) => {
    const { status, stderr } = await execute("npm", ["install", "--silent", "rehref"], { cwd: project, env });
    if (status !== 0) throw new Error(stderr);
  });
  return project;
}

const NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;

/** Installs the locked dependencies of a project; false if they are not in npm's cache and the registry cannot be reached. */
export async function installLocked(project) {
  const args = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=30000"];
  const { status, stderr } = await execute("npm", args, { cwd: project });
  if (status === 0) return true;
  if (NETWORK.test(stderr)) return false;
  throw new Error(stderr);
}

/** Puts our packages into the node_modules of a project. */
export async function addPackages(project) {
  const scope = path.join(project, "node_modules");
  const host = `${process.platform}-${process.arch}`;
  for (const [name, file] of [["rehref", "rehref"], [`@rehref/${host}`, `rehref-${host}`]]) {
    const place = path.join(scope, name);
    fs.mkdirSync(place, { recursive: true });
    const archive = path.join(packages, `${file}-${version}.tgz`);
    await promised("tar", ["xzf", archive, "--strip-components=1", "-C", place]);
  }
}
