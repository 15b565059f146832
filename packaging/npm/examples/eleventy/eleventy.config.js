import { HtmlBasePlugin } from "@11ty/eleventy";
import rehref from "rehref/eleventy";

export default function (config) {
  config.addPlugin(HtmlBasePlugin);
  config.addPlugin(rehref, { url: "https://example.org/docs/", relative: true });
  config.addPassthroughCopy("lamp.svg");
}

export const config = { pathPrefix: "/docs/" };
