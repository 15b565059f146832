/// <reference types="node" />

/** Values of an option: once, repeated, on (`true`) or not given. */
export type OptionValue = string | number | boolean | URL | null | undefined | readonly (string | number)[];

/**
 * Options of the command, in camel case: `{ jsonLd: true, also: ["http://example.org/"] }` is `--json-ld
 * --also=http://example.org/`. `rehref COMMAND --help` describes all options; the types name those that are used most.
 */
export interface CommandOptions {
  /** Other URLs of the site, such as its `http:` URL. */
  also?: string | readonly string[];
  /** A settings file (`rehref.toml`). Without it, no settings file is read. */
  config?: string;
  /** Ends the program, and rejects the promise. */
  signal?: AbortSignal;
  [option: string]: OptionValue | AbortSignal;
}

export type Kind = "html" | "xhtml" | "xml" | "css" | "message" | "manifest" | "robots" | "markdown";
export type Standard = "whatwg" | "rfc3986" | "rfc1808" | "url-draft-1996" | "rfc1630";
export type Form = "path" | "root" | "scheme";
export type Level = "error" | "warning" | "note";

export interface DocumentOptions extends CommandOptions {
  /** The URL of the document. */
  url: string | URL;
  /** The kind of the document; otherwise, the file name in `url` decides, and then the first bytes. */
  kind?: Kind;
  /** The charset of bytes, whatever they declare. */
  charset?: string;
  /** How links resolve; `whatwg` is what browsers do. */
  standard?: Standard;
}

export interface RelativeOptions extends DocumentOptions {
  /** `path` (the default): `../a.html`; `root`: `/docs/a.html`; `scheme`: `//example.org/docs/a.html`. */
  form?: Form | "shortest";
}

/**
 * Makes the links of a document absolute; changes nothing else. A base element counts. The result has the type of
 * `document`; a Uint8Array gives a Buffer.
 *
 * @throws {RehrefError} if the URL is not absolute, an option is wrong or the document is malformed XML.
 */
export function absolute(document: string, options: DocumentOptions): Promise<string>;
export function absolute(document: Uint8Array, options: DocumentOptions): Promise<Buffer>;

/** Makes the links of a document to its own host relative, and removes the `href` of a base element. As `absolute`. */
export function relative(document: string, options: RelativeOptions): Promise<string>;
export function relative(document: Uint8Array, options: RelativeOptions): Promise<Buffer>;

/** Lists the links of a document, in its order. */
export function links(document: string | Uint8Array, options: DocumentOptions): Promise<Link[]>;

export interface Link {
  /** The place of the link in the document, from 1, in characters. */
  line: number;
  column: number;
  /** `iframe srcdoc > img` for markup in an attribute. */
  element: string;
  attribute: string;
  /** The syntax of the text that contains the link. */
  carrier: "html" | "css" | "json" | "xml" | "markdown" | "yaml" | "toml" | "header" | "redirect" | "text";
  /** The link as the author wrote it, decoded: `&` for `&amp;`. */
  reference: string;
  /** The URL that the link resolves against. */
  base: string | null;
  /** The absolute URL, or null if `kind` says why there is none. */
  target: string | null;
  /** The fragment of the target, without `#`. */
  fragment: string | null;
  kind:
    | "internal"
    | "external"
    | "part"
    | "other"
    | "invalid"
    | "unknown-base"
    | "template-markup"
    | "empty"
    | "same-document"
    | "relative-only";
}

export interface SiteOptions extends CommandOptions {
  /** The URL that the directory is published at. */
  url?: string | URL;
  /** The directory that paths of options are relative to. */
  cwd?: string;
  include?: string | readonly string[];
  exclude?: string | readonly string[];
}

export interface AuditOptions extends SiteOptions {
  /** Only these checks. */
  only?: string | readonly string[];
  /** `CHECK=error`, `CHECK=warning`, `CHECK=note` or `CHECK=off`. */
  level?: string | readonly string[];
  /** Rules like `broken-target path:blog/**`. */
  ignore?: string | readonly string[];
  minLevel?: Level;
  failOn?: Level | "never" | "stale" | readonly (Level | "stale")[];
  /** A file with accepted findings. */
  baseline?: string;
  /** The directory of the sources that the site was built from. */
  sources?: string;
  /** More reports, in files: `sarif=audit.sarif`. */
  format?: string | readonly string[];
}

/**
 * Finds broken links and other mistakes in a directory, a document or an archive. Findings are not an error: `failed`
 * tells whether there is one of the level `failOn` or above.
 *
 * @throws {RehrefError} if the audit is incomplete: a file cannot be read, or there is no document.
 */
export function audit(site: string | URL, options?: AuditOptions): Promise<AuditReport>;

/** The report of `rehref audit --format json`, and whether the command ended with status 1. */
export interface AuditReport {
  format: "rehref-audit";
  version: number;
  tool: { name: string; version: string };
  summary: AuditSummary;
  findings: Finding[];
  failed: boolean;
}

export interface AuditSummary {
  site: string;
  url: string | null;
  documents: number;
  references: number;
  external: number;
  findings: number;
  errors: number;
  warnings: number;
  notes: number;
  baselined: number;
  ignored: number;
  stale: number;
  hiddenFailures: number;
  unread: { path: string; message: string }[];
  checks: { check: string; level: Level; findings: number }[];
}

export interface Finding {
  check: string;
  level: Level;
  /** The path below the root of the site. */
  document: string;
  line: number | null;
  column: number | null;
  element: string | null;
  attribute: string | null;
  reference: string | null;
  target: string | null;
  message: string;
  suggestion: string | null;
  source: { path: string; line: number | null; column: number | null } | null;
}

interface MoveBase extends SiteOptions {
  /** The form of updated links; the form that they had by default. */
  form?: Form | "keep";
  /** The URL of the directory afterwards. */
  newUrl?: string | URL;
  /** A format with a file, or a format that has a file of its own: `netlify`, `nginx=redirects.conf`. */
  writeRedirects?: string | readonly string[];
}

/** Where the moved site goes: to the directory `out`, to the place of the old one, or nowhere. */
export type MoveOptions = MoveBase & ({ out: string } | { inPlace: true } | { dryRun: true } | { check: true });

/**
 * Moves files and directories, and updates every link from and to them. `moves` has a new path for each old path, both
 * below the root of the site, with `/` between names.
 *
 * @throws {RehrefError} if a move is impossible; nothing is written then.
 */
export function move(
  site: string | URL,
  moves: Readonly<Record<string, string>> | Iterable<readonly [string, string]>,
  options: MoveOptions,
): Promise<RewriteReport>;

/** The report of `rehref move --format json`. */
export interface RewriteReport {
  format: "rehref-rewrite";
  version: number;
  tool: { name: string; version: string };
  documents: { seen: number; rewritten: number; unchanged: number; skipped: number; malformed: number };
  references: { seen: number; rewritten: number; already_correct: number; skipped: Record<string, number> };
  copied: { files: number; symlinks: number; directories: number; leftovers_removed: number };
  /** Rewritten documents, with the number of their changed links. */
  changed: { path: string; references: number }[];
  moved?: { from: string; to: string }[];
  diagnostics: Diagnostic[];
  errors: { path: string; message: string }[];
  /** Other members of the report, which the reference of report formats describes. */
  [member: string]: unknown;
}

export interface Diagnostic {
  path: string;
  id: string;
  message: string;
  line?: number;
  column?: number;
  place?: string;
  reference?: string;
  help?: string;
}

export interface RunOptions {
  cwd?: string;
  signal?: AbortSignal;
}

export interface RunResult<Output> {
  /** 0, or 1 for findings and differences; see the exit statuses of the command. */
  status: 0 | 1;
  stdout: Output;
  stderr: string;
}

/**
 * Runs the program with these arguments. `stdout` has the type of `input`, and is text without input.
 *
 * @throws {RehrefError} if the status is 2 or above, or the program cannot be started.
 */
export function run(args: readonly string[], options?: RunOptions & { input?: string }): Promise<RunResult<string>>;
export function run(args: readonly string[], options: RunOptions & { input: Uint8Array }): Promise<RunResult<Buffer>>;

/** The path of the program, to run it in other ways. */
export function binaryPath(): string;

/** The program reported an error; `message` is the program's. */
export class RehrefError extends Error {
  /** The exit status; null if the program did not start, or was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of the plugins for Vite, Astro and Eleventy. */
export interface PluginOptions {
  /** The URL that the site is published at; Vite and Astro know its path, and Astro its host. */
  url?: string | URL;
  /** Make the links of the built pages relative: true, or options of `rehref relative`. Default: false. */
  relative?: boolean | CommandOptions;
  /** Audit the built site, and fail the build on errors: false, or options of `rehref audit`. Default: true. */
  audit?: boolean | AuditOptions;
}
