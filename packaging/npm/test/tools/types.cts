// Not run: the types with require.
import rehref = require("rehref");
import plugin = require("rehref/eleventy");

const text: Promise<string> = rehref.absolute("<a>", { url: "https://example.org/" });
plugin({});
export { text };
