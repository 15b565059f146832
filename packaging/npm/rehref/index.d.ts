/// <reference types="node" />
import type { DocumentFunctions, Form } from "./lib/engine.js";
export { RehrefError, type DocumentOptions, type Form, type Kind, type Link, type RelativeOptions, type Standard } from "./lib/engine.js";

export const absolute: DocumentFunctions["absolute"];
export const anchors: DocumentFunctions["anchors"];
export const baseUrl: DocumentFunctions["baseUrl"];
export const links: DocumentFunctions["links"];
export const relative: DocumentFunctions["relative"];
export const relativize: DocumentFunctions["relativize"];
export const resolve: DocumentFunctions["resolve"];
export const rewrite: DocumentFunctions["rewrite"];

/** Values of an option: once, repeated, on (`true`) or not given. */
export type OptionValue = string | number | boolean | URL | null | undefined | readonly (string | number)[];

/**
 * Options of the command, in camel case: `{ minLevel: "warning", also: ["http://example.org/"] }` is
 * `--min-level=warning --also=http://example.org/`. `rehref COMMAND --help` describes all options; the types name those that are used most.
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

export type Level = "error" | "warning" | "note";

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

/** The report of `rehref move --format json`, with names in camel case. */
export interface RewriteReport {
  format: "rehref-rewrite";
  version: number;
  tool: { name: string; version: string };
  documents: { seen: number; rewritten: number; unchanged: number; skipped: number; malformed: number };
  references: { seen: number; rewritten: number; alreadyCorrect: number; skipped: Record<string, number> };
  copied: { files: number; symlinks: number; directories: number; leftoversRemoved: number };
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

/** Options of the plugins for Vite, Astro and Eleventy. */
export interface PluginOptions {
  /** The URL that the site is published at; Vite and Astro know its path, and Astro its host. */
  url?: string | URL;
  /** Make the links of the built pages relative: true, or options of `rehref relative`. Default: false. */
  relative?: boolean | CommandOptions;
  /** Audit the built site, and fail the build on errors: false, or options of `rehref audit`. Default: true. */
  audit?: boolean | AuditOptions;
}
