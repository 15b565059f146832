"use strict";

const { optionalDependencies } = require("../package.json");

/** The path of the program, from REHREF_BINARY or from the package for this platform. */
function binaryPath() {
  if (process.env.REHREF_BINARY) return process.env.REHREF_BINARY;
  const name = `@rehref/${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "rehref.exe" : "rehref";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(advice(name));
  }
}

function advice(name) {
  if (Object.hasOwn(optionalDependencies, name)) {
    return (
      `the package ${name} is not installed; install rehref without --omit=optional, and on this machine: ` +
      "node_modules of another platform do not work"
    );
  }
  return (
    `there is no package for ${process.platform} on ${process.arch}; build rehref with cargo, and set REHREF_BINARY to ` +
    "the path of the program"
  );
}

module.exports = { binaryPath };
