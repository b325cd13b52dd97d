import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PYTHON = spawnSync("python3", ["--version"]).status === 0;
if (!PYTHON) console.log("skipped: the models of the protocols need python3, which this machine does not have");

test.skipIf(!PYTHON)(
  "the models of the write protocol and of the feed hold, and break wherever a rule is left out",
  { timeout: 600_000 },
  async () => {
    const model = fileURLToPath(new URL("./protocol", import.meta.url));
    // Safe scenarios are searched breadth first up to this number of states; `python3 tests/protocol` searches them whole.
    const child = spawn("python3", [model, "--quiet", "--limit", "15000"], { stdio: ["ignore", "pipe", "inherit"] });
    const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(printed).toMatch(/^1\d\d passed, 0 failed$/m);
  },
);
