import { describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { DRILLS } from "./drills/all.ts";
import { runDrill } from "./drills/drill.ts";
import { startDrillEngines } from "./drills/engines.ts";
import { createRandom } from "./drills/random.ts";
import { EnginesNotFound } from "../tools/local-engines/engines.ts";

/** One kill for each promise, in short form: of an indexer, of Redis, and of both. `npm run drills` has the others. */
const KILLS = [
  ["redis-went-back", "worker-kill"],
  ["restart", "lost-update"],
];
const SEED = 1;
/** Twice what the longest takes on a slow machine. A drill that exceeds its time cannot be stopped, and disturbs the next. */
const LIMIT_MS = 600_000;

/** Two go on at once, each with a Redis of its own: most of their time is waiting, until leases and locks run out. */
describe.concurrent.for(KILLS)("%s, then %s", (kills) => {
  test.for(kills)("%s", { timeout: LIMIT_MS, concurrent: false }, async (name, { skip, onTestFailed }) => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    // A drill that takes too long has no verdict.
    onTestFailed(() => console.log(`${name} said:\n${said.join("\n")}`));
    const engines = await startDrillEngines(say, ENGINES.elasticsearchUrl).catch((error: unknown) => {
      if (error instanceof EnginesNotFound) return skip(`no Redis as a process of this machine: ${error.message}`);
      throw error;
    });
    try {
      const drill = DRILLS.find((each) => each.name === name)!;
      const env = { TRANCHE_PAUSES: "0.1" };
      const verdict = await runDrill(drill, { engines, size: "short", random: createRandom(SEED), env, say });
      expect(verdict.failed ?? [], `${said.join("\n")}\n${JSON.stringify(verdict)}`).toEqual([]);
    } finally {
      await engines.close();
    }
  });
});
