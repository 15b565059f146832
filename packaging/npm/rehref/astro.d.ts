import type { AstroIntegration } from "astro";
import type { PluginOptions } from "./index.js";

/** Audits the built site, after its links were made relative if `relative` is given. */
declare function rehref(options?: PluginOptions): AstroIntegration;
export = rehref;
