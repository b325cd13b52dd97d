import { manyDue } from "./zz-time.ts";
import { startDrillEngines } from "./engines.ts";
import { createRandom } from "./random.ts";
import { withInstallation } from "./installation.ts";
const start = Date.now();
const say = (line: string) => console.error(`${Math.round((Date.now() - start) / 1000)} s: ${line}`);
const engines = await startDrillEngines(say);
try {
  const context = { engines, size: "full" as const, random: createRandom(1), say };
  console.log(JSON.stringify(await withInstallation(context, {}, (i) => manyDue(context, i)), null, 1));
} finally { await engines.close(); }
