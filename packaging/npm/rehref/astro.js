"use strict";

const { fileURLToPath } = require("node:url");
const { afterBuild, siteUrl } = require("./lib/after-build.js");

module.exports = function rehref(options = {}) {
  let url;
  return {
    name: "rehref",
    hooks: {
      "astro:config:done": ({ config }) => {
        url = siteUrl(config.base, config.site);
      },
      "astro:build:done": ({ dir, logger }) =>
        afterBuild(fileURLToPath(dir), { url, ...options }, (text) => logger.info(text)),
    },
  };
};
