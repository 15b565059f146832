import type { PluginOptions } from "./index.js";

/** For `eleventyConfig.addPlugin`: audits the built site, after its links were made relative if `relative` is given. */
declare function rehref(eleventyConfig: object, options?: PluginOptions): void;
export = rehref;
