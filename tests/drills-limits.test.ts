import { expect, inject, test } from "vitest";
import { EnginesNotFound } from "../infra/engines/engines.ts";
import { DRILLS } from "./drills/all.ts";
import { runDrill } from "./drills/drill.ts";
import type { Breakable } from "./drills/breakable.ts";
import { createRandom } from "./drills/random.ts";

/** Those that leave the engines whole, and so can share them with the other tests. The rest is run by `npm run -s chaos`. */
const SHORT_FORMS = [
  "burst-exact",
  "quota-exact",
  "rolling-restart",
  "strangers",
  "greedy",
  "ingest-broken",
  "reshard",
  "redis-cluster",
];
const SEED = 1;
const LIMIT_MS = 300_000;

function shared(url: string): Breakable {
  const refuse = () => Promise.reject(new Error("these engines are shared: this drill needs its own"));
  return { url, kill: refuse, lose: refuse, stop: refuse, start: refuse };
}

test.for(SHORT_FORMS)("%s", { timeout: LIMIT_MS }, async (name, { skip, onTestFailed }) => {
  const said: string[] = [];
  // A drill that takes too long has no verdict.
  onTestFailed(() => console.log(`${name} said:\n${said.join("\n")}`));
  const drill = DRILLS.find((each) => each.name === name)!;
  const running = runDrill(drill, {
    engines: {
      elasticsearch: shared(inject("elasticsearchUrl")),
      redis: shared(inject("redisUrl")),
      close: () => Promise.resolve(),
    },
    size: "short",
    random: createRandom(SEED),
    say: (line) => void said.push(line),
  });
  const verdict = await running.catch((error: Error) => {
    if (!(error instanceof EnginesNotFound)) throw error;
    console.log(`${name} left out: ${error.message}`);
    return skip(error.message);
  });
  expect(verdict.failed ?? [], `${said.join("\n")}\n${JSON.stringify(verdict)}`).toEqual([]);
});
