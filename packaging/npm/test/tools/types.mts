// Not run: what the types accept, and what they do not.
import rehref, { absolute, audit, links, move, relative, RehrefError, rewrite, run, type Link } from "rehref";
import eleventy from "rehref/eleventy";
import { load } from "rehref/wasm";

const url = "https://example.org/";
const text: string = absolute("<a>", url, { jsonLd: true, attributes: ["img@data-src"] });
const bytes: Uint8Array = relative(Buffer.from("<a>"), new URL(url), { form: "root", site: new URL(url) });
const list: Link[] = links(new Uint8Array(), url);
const target: string | null = list[0].target;
const replaced: string = rewrite(text, url, (link) => (link.target ? new URL(link.target) : null), { kind: "html" });
const other: string = (await load(new Uint8Array())).absolute("<a>", url);
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
export { bytes, count, other, replaced, failed, line, moved, raw, same, status, target, text };

// @ts-expect-error a document needs its URL
absolute("<a>");
// @ts-expect-error bytes give bytes
const wrong: string = absolute(Buffer.from("<a>"), url);
// @ts-expect-error a move goes somewhere
await move("dist", { a: "b" }, { url });
// @ts-expect-error no such form
relative("<a>", url, { form: "short" });
export { wrong };
