import type { TestProject } from "vitest/node";
import { findOrStartEngines } from "../../tools/local-engines/engines.ts";
import { findDataFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { buildPages } from "../../web/building.ts";
import type { Engines } from "../support/namespace.ts";
import { offer } from "./offer.ts";
import { offerSharedServices } from "./shared-services.ts";

/** Where test files learn the addresses of the engines of a run: `ENGINES` in tests/support/engines.ts. */
declare module "vitest" {
  interface ProvidedContext {
    engines: string;
  }
}

/** To the standard error: the standard output of `npm run drills -- --json` has its own lines. */
const log = (line: string): void => console.error(`engines: ${line}`);

/**
 * Elasticsearch lives for minutes here: what Java's second compiler takes to make it faster, a fifth of all processor time, would not pay. A
 * collector of garbage that works beside it takes a tenth of its processor time more.
 */
const JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC";

const startEngines = async () => {
  const { env } = process;
  return findOrStartEngines({ home: findDataFolder(env, projectFolder(), log), env, log, purpose: "test" });
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Test files inherit it, for nodes of their own.
  process.env["ES_JAVA_OPTS"] ??= JAVA_OPTIONS;
  // Unit tests run meanwhile.
  const starting = startEngines();
  starting.then(
    ({ description }) => log(`ready: ${description}`),
    (error: Error) => {
      // The text says it all; vitest would put a stack around it.
      console.error(error.message);
      process.exit(1);
    },
  );
  // Once, before several test files start services that need them.
  await buildPages(log);
  const engines = await offer(async () => {
    const { elasticsearchUrl, redisUrl } = await starting;
    return { elasticsearchUrl, redisUrl } satisfies Engines;
  });
  project.provide("engines", engines.address);
  const shared = await offerSharedServices(starting);
  project.provide("sharedServices", shared.provided);
  return async () => {
    await shared.close();
    engines.close();
    await (await starting).stop();
  };
}
