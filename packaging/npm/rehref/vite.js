"use strict";

const { resolve } = require("node:path");
const { afterBuild, siteUrl } = require("./lib/after-build.js");

module.exports = function rehref(options = {}) {
  let config;
  let isWritten = false;
  return {
    name: "rehref",
    apply: "build",
    enforce: "post",
    configResolved(resolved) {
      config = resolved;
    },
    // Vite closes the bundle after an error, too.
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        if (!isWritten || config.build.ssr || config.build.watch) return;
        const directory = resolve(config.root, config.build.outDir);
        await afterBuild(directory, { url: siteUrl(config.base), ...options }, (text) => config.logger.info(text));
      },
    },
  };
};
