import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findDataFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { temporaryFolder } from "../../tools/local-engines/engines.ts";
import { startReaper } from "../../tools/local-engines/reaper.ts";
import type { SourceContext } from "../../tools/local-engines/source.ts";

/**
 * Prepares engines of a test's own, besides those that all tests share: a folder for their data and logs, which is removed when the
 * reaper has ended them, and an environment without the addresses of the shared ones.
 */
export function prepareOwnEngines(log: (line: string) => void): SourceContext {
  const { ELASTICSEARCH_URL: _, REDIS_URL: __, ...env } = process.env;
  const home = findDataFolder(env, projectFolder(), log);
  const reaper = startReaper();
  const data = temporaryFolder(home, reaper);
  mkdirSync(join(data, "logs"));
  return { downloads: join(home, "downloads"), data, env, log, reaper };
}
