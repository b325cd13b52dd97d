import type { TestProject } from "vitest/node";
import { findOrStartEngines } from "../../tools/local-engines/engines.ts";
import { findDataFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { buildPages } from "../../web/building.ts";
import { offerSharedServices } from "./shared-services.ts";

/** Addresses of engines that are there for one run of the integration tests: `inject("elasticsearchUrl")`, `inject("redisUrl")`. */
declare module "vitest" {
  interface ProvidedContext {
    elasticsearchUrl: string;
    redisUrl: string;
  }
}

/** To the standard error: the standard output of `npm run drills -- --json` has its own lines. */
const log = (line: string): void => console.error(`engines: ${line}`);

/** Elasticsearch lives for minutes here: what Java's second compiler takes to make it faster, a fifth of all processor time, would not pay. */
const JAVA_OPTIONS = "-XX:TieredStopAtLevel=1";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  // Test files inherit it, for nodes of their own.
  env["ES_JAVA_OPTS"] ??= JAVA_OPTIONS;
  // Once, before several test files start services that need them.
  await buildPages(log);
  try {
    const engines = await findOrStartEngines({
      home: findDataFolder(env, projectFolder(), log),
      env,
      log,
      purpose: "test",
    });
    log(`ready: ${engines.description}`);
    project.provide("elasticsearchUrl", engines.elasticsearchUrl);
    project.provide("redisUrl", engines.redisUrl);
    const shared = await offerSharedServices(engines);
    project.provide("sharedServices", shared.provided);
    return async () => {
      await shared.close();
      await engines.stop();
    };
  } catch (error) {
    // The text says it all; vitest would put "No test files found" and a stack around it.
    console.error((error as Error).message);
    process.exit(1);
  }
}
