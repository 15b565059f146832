"use strict";

const { afterBuild } = require("./lib/after-build.js");

module.exports = function rehref(eleventyConfig, options = {}) {
  eleventyConfig.on("eleventy.after", async ({ dir, runMode }) => {
    if (runMode === "build") await afterBuild(dir.output, options, console.log);
  });
};
