"use strict";

const { RehrefError, run, words } = require("./run.js");

/**
 * What the plugins do with the built site in `directory`: make its links relative if wanted, then audit the site.
 * `relative` and `audit` are true, false, or options of the command. Errors of the site fail the build.
 */
async function afterBuild(directory, { url, relative = false, audit = true }, log) {
  if (relative) {
    // The generator has just written the directory, so there is nothing of the author's to lose.
    const options = words({ url, inPlace: true, allowDirty: true, ...relative });
    const { status, stderr } = await run(["relative", ...options, "--color=never", "--no-progress", "--", directory]);
    if (status !== 0) throw new RehrefError(`rehref relative: ${stderr.trim()}`, { status, stderr });
    log(stderr.trim());
  }
  if (audit) {
    const { status, stdout, stderr } = await run(["audit", ...words({ url, ...audit }), "--color=never", "--", directory]);
    if (status !== 0) throw new RehrefError(`rehref audit\n${stdout.trim()}`, { status, stdout, stderr });
    log(stdout.trim());
  }
}

/** The URL of the directory `base` of a site, whose host may be unknown: then any host does for a built site. */
function siteUrl(base, site) {
  const url = new URL(base, site ?? "http://localhost/").href;
  return url.endsWith("/") ? url : `${url}/`;
}

module.exports = { afterBuild, siteUrl };
