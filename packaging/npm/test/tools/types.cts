// Not run: the types with require.
import rehref = require("rehref");
import plugin = require("rehref/eleventy");

const text: string = rehref.absolute("<a>", "https://example.org/");
plugin({});
export { text };
