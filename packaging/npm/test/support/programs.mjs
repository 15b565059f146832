// programs.mjs DIR: fills DIR as `packaging/build` does. The program of this platform is the one under test; those of
// the others are texts, which nothing may start.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PLATFORMS = JSON.parse(fs.readFileSync(new URL("../../platforms.json", import.meta.url), "utf8"));

export function fill(directory, program) {
  for (const { platform, arch, target, file } of PLATFORMS) {
    const isHost = platform === process.platform && arch === process.arch;
    if (platform === "darwin" && !isHost) continue;
    const place = path.join(directory, target, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    if (isHost && program) {
      fs.copyFileSync(program, place);
      // Most of a debug build is symbols; without `strip`, the tests only take longer.
      spawnSync("strip", [place]);
    } else fs.writeFileSync(place, `no program, but bytes for ${target}\n`);
  }
}

if (process.argv[2]) fill(process.argv[2], process.env.REHREF_TEST_PROGRAM);
