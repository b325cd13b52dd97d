import { afterAll, beforeAll, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { DRILLS } from "./drills/all.ts";
import { runDrill } from "./drills/drill.ts";
import { type DrillEngines, startDrillEngines } from "./drills/engines.ts";
import { createRandom } from "./drills/random.ts";
import { EnginesNotFound } from "../tools/local-engines/engines.ts";

/** One kill for each promise, in short form: of an indexer, of Redis, and of both. `npm run drills` has the others. */
const KILLS = ["worker-kill", "lost-update", "redis-went-back", "restart"];
const SEED = 1;
/** Twice what the longest takes on a slow machine. A drill that exceeds its time cannot be stopped, and disturbs the next. */
const LIMIT_MS = 600_000;

let engines: DrillEngines | undefined;
/** Why the drills can't run here: they kill Redis, so they need it as a process of this machine. */
let lacking: string | undefined;
const said: string[] = [];
const say = (line: string) => void said.push(line);

beforeAll(async () => {
  try {
    engines = await startDrillEngines(say, ENGINES.elasticsearchUrl);
  } catch (error) {
    if (!(error instanceof EnginesNotFound)) throw error;
    lacking = error.message;
    console.log(`drills left out:\n${lacking}`);
  }
}, LIMIT_MS);
afterAll(() => engines?.close(), LIMIT_MS);

test.for(KILLS)("%s", { timeout: LIMIT_MS }, async (name, { skip, onTestFailed }) => {
  if (!engines) return skip(lacking);
  said.length = 0;
  // A drill that takes too long has no verdict.
  onTestFailed(() => console.log(`${name} said:\n${said.join("\n")}`));
  const drill = DRILLS.find((each) => each.name === name)!;
  const env = { TRANCHE_PAUSES: "0.1" };
  const verdict = await runDrill(drill, { engines, size: "short", random: createRandom(SEED), env, say });
  expect(verdict.failed ?? [], `${said.join("\n")}\n${JSON.stringify(verdict)}`).toEqual([]);
});
