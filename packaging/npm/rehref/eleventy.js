"use strict";

const { afterBuild } = require("./lib/after-build.js");

module.exports = function rehref(eleventyConfig, options = {}) {
  eleventyConfig.on("eleventy.after", async ({ directories, runMode }) => {
    if (runMode === "build") await afterBuild(directories.output, options, console.log);
  });
};
