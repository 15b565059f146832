import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

/** The manifest in a package, and its digest. */
function read(file) {
  const manifest = JSON.parse(execFileSync("tar", ["xzOf", file, "package/package.json"]));
  const integrity = `sha512-${createHash("sha512").update(fs.readFileSync(file)).digest("base64")}`;
  return { file, manifest, integrity };
}

/** A registry of npm with the packages (.tgz) in a directory; `requests` has the paths that were asked for. */
export async function serve(directory) {
  const files = fs.readdirSync(directory).map((name) => path.join(directory, name));
  const packages = new Map(files.map(read).map((it) => [it.manifest.name, it]));
  const requests = [];
  const server = http.createServer((request, response) => {
    const where = decodeURIComponent(request.url.split("?")[0].slice(1));
    requests.push(where);
    const isArchive = where.endsWith(".tgz");
    const found = packages.get(isArchive ? where.replace(/\/-\/.*/, "") : where);
    if (!found) response.writeHead(404).end("{}");
    else if (isArchive) fs.createReadStream(found.file).pipe(response);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(packument(found, request)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  return { url, requests, close };
}

function packument({ manifest, integrity }, { headers }) {
  const { name, version } = manifest;
  const dist = { integrity, tarball: `http://${headers.host}/${name}/-/${version}.tgz` };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
