import { randomUUID } from "node:crypto";
import { lastLine } from "./command.ts";
import { dockerMissing, images, imagesMissing } from "./docker.ts";
import { hasSpareMemory } from "./memory-folder.ts";
import { REDIS_OPTIONS } from "./redis-server.ts";
import type { FoundEngines, Unavailable, Need, SourceContext } from "./source.ts";

const BOOT_LIMIT_MS = 180_000;
/** The image runs Elasticsearch as this user. */
const USER = 1000;
const DATA_FOLDER = "/usr/share/elasticsearch/data";

/** Runs both engines as containers that are thrown away, through testcontainers. */
export async function containerEngines(need: Need, context: SourceContext): Promise<FoundEngines | Unavailable> {
  const lacks = (await dockerMissing(context.env)) ?? (await imagesMissing(need, context));
  if (lacks) return lacks;
  // The reaper removes the containers, also after a crash. Without this, testcontainers pulls an image of its own to do so.
  // oxlint-disable-next-line node/no-process-env -- testcontainers reads it nowhere else
  process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  const { GenericContainer, Wait } = await import("testcontainers");
  const run = randomUUID();
  context.reaper.onTeardown({ kind: "containers", label: `tranche.run=${run}` });

  const image = images(context.env);
  const found: FoundEngines = { description: "Docker containers (testcontainers), removed at the end" };
  context.log("starting containers");
  const elasticsearch = async (): Promise<void> => {
    const container = await new GenericContainer(image.elasticsearch)
      .withLabels({ "tranche.run": run })
      .withExposedPorts(9200)
      .withTmpFs(hasSpareMemory() ? { [DATA_FOLDER]: `rw,uid=${USER}` } : {})
      .withEnvironment({
        "discovery.type": "single-node",
        "xpack.security.enabled": "false",
        "cluster.routing.allocation.disk.threshold_enabled": "false",
        ES_JAVA_OPTS: `-Xms1g -Xmx1g ${context.env["ES_JAVA_OPTS"] ?? ""}`,
      })
      .withWaitStrategy(Wait.forHttp("/_cluster/health", 9200).forStatusCode(200))
      .withStartupTimeout(BOOT_LIMIT_MS)
      .start();
    found.elasticsearchUrl = `http://${container.getHost()}:${container.getMappedPort(9200)}`;
  };
  const redis = async (): Promise<void> => {
    const container = await new GenericContainer(image.redis)
      .withLabels({ "tranche.run": run })
      .withExposedPorts(6379)
      .withCommand(["redis-server", ...REDIS_OPTIONS])
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(BOOT_LIMIT_MS)
      .start();
    found.redisUrl = `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
  };
  try {
    await Promise.all([...(need.elasticsearch ? [elasticsearch()] : []), ...(need.redis ? [redis()] : [])]);
  } catch (error) {
    return { missing: [`a Docker engine answers, but the containers did not start: ${lastLine(String(error))}`] };
  }
  return found;
}
