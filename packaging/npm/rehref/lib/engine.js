"use strict";
// The functions for one document: the JavaScript around rehref.wasm, whose lib.rs describes the slots. It uses nothing
// of Node.js; packaging/npm/build makes the module `rehref/wasm` of it, for browsers and workers.

class RehrefError extends Error {
  constructor(message, { status = null, stdout = "", stderr = "", cause } = {}) {
    super(message, { cause });
    this.name = "RehrefError";
    this.status = status;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

const [DOCUMENT, REQUEST, RESULT, NUMBERS] = [0, 1, 2, 3];
const [UNCHANGED, CHANGED, VALUE, LINKS] = [0, 1, 2, 3];

const OF_DOCUMENT = ["kind", "charset", "standard", "attributes", "jsonLd", "rdfa"];

const encoder = new TextEncoder();
// Whatever is not UTF-8 would be a mistake of the engine, and U+FEFF is a part of the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The functions, by a `WebAssembly.Module`. */
function engine(module) {
  let instance;
  /** Answers for the links of the document that `rewrite` has; links without one stay. */
  let choose;

  function start() {
    const { exports } = new WebAssembly.Instance(module, {
      rehref: { choose: () => write(exports, REQUEST, choose(linksOf(exports)).join("\0")) },
    });
    return exports;
  }

  function write({ memory, reserve }, slot, source) {
    if (typeof source !== "string") {
      const address = reserve(slot, source.length);
      new Uint8Array(memory.buffer, address, source.length).set(source);
      return;
    }
    // Most text is ASCII.
    const likely = Math.ceil(source.length * 1.1);
    const address = reserve(slot, likely);
    let { read, written } = encoder.encodeInto(source, new Uint8Array(memory.buffer, address, likely));
    if (read < source.length) {
      const rest = source.slice(read);
      const address = reserve(slot, written + rest.length * 3);
      written += encoder.encodeInto(rest, new Uint8Array(memory.buffer, address + written)).written;
    }
    reserve(slot, written);
  }

  /** The value, the changed document, or undefined for an unchanged one. Bytes are overwritten by the next call. */
  function call(request, document = "") {
    instance ??= start();
    const exports = instance;
    let outcome;
    try {
      write(exports, DOCUMENT, document);
      write(exports, REQUEST, JSON.stringify(request));
      outcome = exports.call();
    } catch (cause) {
      // Its memory may be in any state.
      instance = undefined;
      throw new RehrefError(`rehref failed on this document; please report it: ${cause.message}`, { cause });
    }
    if (outcome === UNCHANGED) return undefined;
    if (outcome === CHANGED) return bytes(exports);
    if (outcome === VALUE) return JSON.parse(text(exports));
    if (outcome === LINKS) return linksOf(exports);
    throw new RehrefError(text(exports));
  }

  /** What `name` makes of a document. */
  function ofDocument(name, document, url, options, others = {}) {
    const isText = typeof document === "string";
    if (!isText && !(document instanceof Uint8Array)) {
      throw new TypeError(`a document is a string, a Buffer or a Uint8Array, not ${typeName(document)}`);
    }
    const given = checked(name, options, [...OF_DOCUMENT, ...Object.keys(others)]);
    if (isText && given.charset !== undefined) {
      throw new TypeError("charset: a string is decoded already; give bytes, or omit charset");
    }
    // It would be written as U+FFFD, and nothing but links may change.
    if (isText && !document.isWellFormed()) {
      throw new TypeError("the text has a lone surrogate, which UTF-8 cannot express; give bytes");
    }
    const request = { ...others, ...given, function: name, url: urlText("url", url) };
    if (isText) request.charset = "utf-8";
    if (request.site !== undefined) request.site = urlText("site", request.site);
    const result = call(request, document);
    if (!(result instanceof Uint8Array)) return result === undefined ? document : result;
    if (isText) return decoder.decode(result);
    return globalThis.Buffer?.isBuffer(document) ? globalThis.Buffer.from(result) : result.slice();
  }

  function absolute(document, url, options) {
    return ofDocument("absolute", document, url, options);
  }

  function relative(document, url, options) {
    // Without a site, the document's own host.
    const site = options?.site ?? resolve("/", url);
    return ofDocument("relative", document, url, { ...options, site }, { site, form: undefined });
  }

  function rewrite(document, url, replacement, options) {
    if (typeof replacement !== "function") {
      throw new TypeError(`rewrite: the third argument is a function, not ${typeName(replacement)}`);
    }
    const outer = choose;
    let thrown;
    choose = (found) => {
      try {
        return found.map((link) => answerOf(link, replacement(link)));
      } catch (error) {
        // Through the module, it would leave memory in use.
        thrown = { error };
        return [];
      }
    };
    try {
      const rewritten = ofDocument("rewrite", document, url, options);
      if (thrown) throw thrown.error;
      return rewritten;
    } finally {
      choose = outer;
    }
  }

  function links(document, url, options) {
    return ofDocument("links", document, url, options);
  }

  function anchors(document, options) {
    return ofDocument("anchors", document, "https://localhost/", { kind: "html", ...options });
  }

  function baseUrl(document, url, options) {
    return ofDocument("baseUrl", document, url, options);
  }

  function resolve(reference, base, options) {
    const given = checked("resolve", options, ["standard"]);
    return call({ ...given, function: "resolve", url: urlText("base", base), reference: String(reference) });
  }

  function relativize(target, base, options) {
    const given = checked("relativize", options, ["form"]);
    return call({ ...given, function: "relativize", url: urlText("base", base), reference: urlText("target", target) });
  }

  return { absolute, anchors, baseUrl, links, relative, relativize, resolve, rewrite };
}

function bytes({ memory, address, length }, slot = RESULT) {
  return new Uint8Array(memory.buffer, address(slot), length(slot));
}

const text = (exports) => decoder.decode(bytes(exports));

/** Links as objects; lib.rs describes what they are made of. */
function linksOf(exports) {
  const { buffer, byteOffset, byteLength } = bytes(exports, NUMBERS);
  const numbers = new DataView(buffer, byteOffset, byteLength);
  let at = 0;
  const next = () => numbers.getUint32((at += 4) - 4, true);
  const all = text(exports);
  let end = 0;
  const nextText = () => all.slice(end, (end += next()));
  const names = ["", "", ""];
  const nextName = (field) => (next() ? (names[field] = nextText()) : names[field]);
  const links = [];
  while (at < byteLength) {
    links.push({
      line: next(),
      column: next(),
      element: nextName(0),
      attribute: nextName(1),
      reference: nextText(),
      target: nextText() || null,
      reason: nextName(2) || null,
      span: [next(), next()],
    });
  }
  return links;
}

function answerOf(link, replacement) {
  if (replacement === undefined || replacement === null) return "";
  const isText = typeof replacement === "string";
  const isWritable = isText && replacement.isWellFormed() && !replacement.includes("\0");
  if (isWritable || replacement instanceof URL) return `=${replacement}`;
  const place = `line ${link.line}, column ${link.column}, ${link.reference}`;
  const problem = isText ? "a text with U+0000 or a lone surrogate" : `${typeName(replacement)}, not a string`;
  throw new TypeError(`${place}: the function returned ${problem}; null keeps the link`);
}

function typeName(value) {
  if (value === null) return "null";
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : typeof value;
}

function urlText(name, url) {
  if (typeof url === "string" || url instanceof URL) return String(url);
  throw new TypeError(`${name}: give a string or a URL, not ${typeName(url)}`);
}

function checked(name, options = {}, known) {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${name}: options are an object, not ${typeName(options)}`);
  }
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    throw new TypeError(
      `${name} has no option ${option}; it has ${known.join(", ")}. The command has more, for a whole site: use run`,
    );
  }
  return options;
}

/** The functions, by the module: a Response (or a promise of one), bytes, or a `WebAssembly.Module`. */
async function load(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return engine(given);
  if (typeof Response === "function" && given instanceof Response) {
    if (!given.ok) throw new RehrefError(`${given.url}: status ${given.status}`);
    return engine(await WebAssembly.compile(await given.arrayBuffer()));
  }
  return engine(await WebAssembly.compile(given));
}

module.exports = { RehrefError, engine, load };
