import { expect, inject, test } from "vitest";
import { DRILLS } from "./drills/all.ts";
import { runDrill } from "./drills/drill.ts";
import type { Breakable } from "./drills/breakable.ts";
import { createRandom } from "./drills/random.ts";

/** Those that leave the engines whole, and so can share them with the other tests. The rest is run by `npm run -s chaos`. */
const TOLD = ["burst-exact", "quota-exact", "rolling-restart", "strangers", "ingest-broken"];
const SEED = 1;
const LIMIT_MS = 120_000;

function shared(url: string): Breakable {
  const refuse = () => Promise.reject(new Error("these engines are shared: this drill needs its own"));
  return { url, kill: refuse, lose: refuse, stop: refuse, start: refuse };
}

test.each(TOLD)(
  "%s",
  async (name) => {
    const said: string[] = [];
    const drill = DRILLS.find((each) => each.name === name)!;
    const verdict = await runDrill(drill, {
      engines: {
        elasticsearch: shared(inject("elasticsearchUrl")),
        redis: shared(inject("redisUrl")),
        close: () => Promise.resolve(),
      },
      size: "short",
      random: createRandom(SEED),
      say: (line) => void said.push(line),
    });
    expect(verdict.failed ?? [], `${said.join("\n")}\n${JSON.stringify(verdict)}`).toEqual([]);
  },
  LIMIT_MS,
);
