// Not run: what the types accept, and what they do not.
import rehref, { absolute, audit, links, move, relative, RehrefError, run, type Link } from "rehref";
import eleventy from "rehref/eleventy";

const url = "https://example.org/";
const text: string = await absolute("<a>", { url, jsonLd: true, attr: ["img@data-src"] });
const bytes: Buffer = await relative(Buffer.from("<a>"), { url: new URL(url), form: "root" });
const list: Link[] = await links(new Uint8Array(), { url });
const target: string | null = list[0].target;
const { failed, summary } = await audit("dist", { url, failOn: ["error", "stale"], signal: AbortSignal.timeout(1000) });
const count: number = summary.errors;
await move(new URL("file:///tmp/x"), new Map([["a", "b"]]), { url, out: "renamed" });
const report = await move("dist", { a: "b" }, { inPlace: true, git: true });
const moved: { from: string; to: string }[] | undefined = report.moved;
const { stdout } = await run(["links", "dist"]);
const line: string = stdout.split("\n")[0];
const raw: Buffer = (await run(["absolute", "-"], { input: Buffer.of() })).stdout;
const status: number | null = new RehrefError("x").status;
eleventy({}, { relative: { offline: true }, audit: false });
const same: typeof absolute = rehref.absolute;
export { bytes, count, failed, line, moved, raw, same, status, target, text };

// @ts-expect-error a document needs its URL
await absolute("<a>", {});
// @ts-expect-error bytes give bytes
const wrong: string = await absolute(Buffer.from("<a>"), { url });
// @ts-expect-error a move goes somewhere
await move("dist", { a: "b" }, { url });
// @ts-expect-error no such form
await relative("<a>", { url, form: "short" });
export { wrong };
