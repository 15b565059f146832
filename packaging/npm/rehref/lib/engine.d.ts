/** The functions for one document, in Node.js and elsewhere. */

/** How links resolve; `whatwg` is what browsers do. */
export type Standard = "whatwg" | "rfc3986" | "rfc1808" | "url-draft-1996" | "rfc1630";
export type Form = "path" | "root" | "scheme" | "shortest";
export type Kind = "html" | "xhtml" | "xml" | "css" | "message" | "manifest" | "robots" | "markdown";

export interface DocumentOptions {
  /** The kind of the document; by default, that of the file name in its URL, or else HTML. */
  kind?: Kind;
  /** The charset of bytes, whatever they declare. */
  charset?: string;
  standard?: Standard;
  /** More attributes with links: `img@data-src`, `*@data-href`, `img@data-srcset=srcset`. */
  attributes?: readonly string[];
  /** Whether JSON-LD in `script` elements holds links. */
  jsonLd?: boolean;
  /** Whether the RDFa attributes `about` and `resource` hold links. */
  rdfa?: boolean;
}

export interface RelativeOptions extends DocumentOptions {
  /** The URL of the directory that the site is published at; by default, the root of the document's host. */
  site?: string | URL;
  /**
   * `path` (the default): `../a.html`; `root`: `/docs/a.html`; `scheme`: `//example.org/docs/a.html`; the `shortest` of
   * these. */
  form?: Form;
}

export interface Link {
  /** The place of the link in the document, from 1, in characters. */
  line: number;
  column: number;
  /** With what is around it: `iframe srcdoc > img` for markup in an attribute, `script > url` in JSON-LD. */
  element: string;
  attribute: string;
  /** The link as the author wrote it, decoded: `&` for `&amp;`. */
  reference: string;
  /** The absolute URL, or null if there is none. */
  target: string | null;
  /** Why there is no target; null if there is one. */
  reason: "invalid" | "unknown-base" | "template-markup" | "empty" | "same-document" | "relative-only" | null;
  /** The place of the link in the bytes of the document: its first byte, and the byte after its last. */
  span: [start: number, end: number];
}

/** The functions for one document, and for URLs. `url` is the URL of the document; a base element in it counts. */
export interface DocumentFunctions {
  /**
   * Makes the links of a document absolute; changes nothing else. The result has the type of `document`.
   *
   * @throws {RehrefError} if a URL is not absolute, or the document cannot be rewritten, as malformed XML.
   * @throws {TypeError} if an argument is of a wrong type, or there is no such option.
   */
  absolute<T extends string | Uint8Array>(document: T, url: string | URL, options?: DocumentOptions): Same<T>;

  /** Makes the links of a document to its own site relative, and removes the `href` of a base element. */
  relative<T extends string | Uint8Array>(document: T, url: string | URL, options?: RelativeOptions): Same<T>;

  /**
   * Replaces each link of a document with what `replacement` returns for it; null keeps the link. The new link is escaped
   * for its place.
   *
   * @throws {RehrefError} if a place cannot have its new link, such as a space in a `srcset`.
   * @throws {TypeError} if `replacement` returns another type, or a text with U+0000 or a lone surrogate.
   * @throws whatever `replacement` throws.
   */
  rewrite<T extends string | Uint8Array>(
    document: T,
    url: string | URL,
    replacement: (link: Link) => string | URL | null | undefined,
    options?: DocumentOptions,
  ): Same<T>;

  /** Lists the links of a document, in its order. */
  links(document: string | Uint8Array, url: string | URL, options?: DocumentOptions): Link[];

  /** Lists the ids and names of a document that fragments of links can indicate, sorted. */
  anchors(document: string | Uint8Array, options?: DocumentOptions): string[];

  /** The URL that the links of a document resolve against; null if its base element has template markup. */
  baseUrl(document: string | Uint8Array, url: string | URL, options?: DocumentOptions): string | null;

  /** The absolute URL of a reference at `base`. */
  resolve(reference: string, base: string | URL, options?: { standard?: Standard }): string;

  /** The shortest reference of this form to `target` at `base`; null if there is none, as between two hosts. */
  relativize(target: string | URL, base: string | URL, options?: { form?: Form }): string | null;
}

type Same<T> = T extends string ? string : T;

/**
 * The functions, by the file `rehref/rehref.wasm`: a response with it (`fetch(url)`), its bytes, or a module that a
 * bundler or a worker has compiled.
 */
export function load(source: WebAssemblySource | Promise<WebAssemblySource>): Promise<DocumentFunctions>;

/** A Response, bytes, or a WebAssembly.Module, whose types not every program has. */
export type WebAssemblySource = Uint8Array | ArrayBuffer | { arrayBuffer(): Promise<ArrayBuffer> } | object;

/** The engine or the program reported an error. */
export class RehrefError extends Error {
  constructor(message: string);
  /** The exit status of the program; null for the functions for one document, or if the program did not end. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
