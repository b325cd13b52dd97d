import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { boot } from "./boot.ts";
import {
  ELASTICSEARCH_ARTIFACT,
  ELASTICSEARCH_VERSION,
  elasticsearchProcess,
  prepareElasticsearch,
  SINGLE_NODE,
  singleNode,
} from "./elasticsearch-server.ts";
import { assertReadable, type EngineData, noteVersion } from "./engine-data.ts";
import { openDataFolder, ownFolder, privateFolder } from "./data-folder.ts";
import { findJava, type Java, LEAST_JAVA } from "./java.ts";
import { fetchArtifact, hasMaven } from "./maven.ts";
import { freePorts } from "./ports.ts";
import { elasticsearchProbe, redisProbe } from "./probe.ts";
import {
  embeddedRedis,
  embeddedRedisName,
  LEAST_REDIS,
  REDIS_ARTIFACT,
  redisFolder,
  redisIsNewEnough,
  redisProcess,
  redisServer,
  type RedisServer,
} from "./redis-server.ts";
import type { FoundEngines, Unavailable, Need, SourceContext } from "./source.ts";

type LocalElasticsearch = { java: Java; distribution: string };

type Parts = { elasticsearch?: LocalElasticsearch | undefined; redis?: RedisServer | undefined };

/** The program that runs nodes of Elasticsearch here, once `localEngines` has fetched it; undefined before, or without Java. */
export async function fetchedElasticsearch(context: SourceContext): Promise<LocalElasticsearch | undefined> {
  const distribution = distributionIn(context);
  const { java } = await findJava(context.env);
  return java && existsSync(distribution) ? { java, distribution } : undefined;
}

/** The program that runs servers of Redis here: one on PATH, or one that `localEngines` fetches, now if need be. Undefined without both. */
export async function findLocalRedis(context: SourceContext): Promise<RedisServer | undefined> {
  const installed = await redisServer("redis-server", context.env);
  if (installed && redisIsNewEnough(installed.version)) return installed;
  const name = embeddedRedisName(process.platform, process.arch);
  if (!name) return undefined;
  const archive = redisArchiveIn(context);
  if (!existsSync(archive)) {
    if (!(await hasMaven(context.env))) return undefined;
    await fetchArtifact(REDIS_ARTIFACT, archive, context);
  }
  return embeddedRedis(archive, name, context.env);
}

const redisArchiveIn = ({ downloads }: SourceContext) =>
  join(downloads, REDIS_ARTIFACT.split(":").slice(1, 3).join("-"));
const unpackedIn = ({ downloads }: SourceContext) => join(downloads, `elasticsearch-${ELASTICSEARCH_VERSION}`);
const distributionIn = (context: SourceContext) => join(unpackedIn(context), `elasticsearch-${ELASTICSEARCH_VERSION}`);

/** Runs both engines as processes of this machine; missing ones are fetched through Maven, once. */
export async function localEngines(need: Need, context: SourceContext): Promise<FoundEngines | Unavailable> {
  if (process.platform === "win32") return { missing: ["they are for Linux and macOS"] };
  const unpacked = unpackedIn(context);
  const archive = redisArchiveIn(context);

  const missing: string[] = [];
  const closed = openDataFolder(dirname(context.downloads));
  if (closed) missing.push(closed);
  const { java, tried } = need.elasticsearch ? await findJava(context.env) : { tried: [] };
  if (need.elasticsearch && !java) missing.push(javaMissing(tried));
  let redis = need.redis ? await redisServer("redis-server", context.env) : undefined;
  if (redis && !redisIsNewEnough(redis.version)) redis = undefined;
  const embedded = embeddedRedisName(process.platform, process.arch);
  if (need.redis && !redis && !embedded)
    missing.push(redisMissing(`there is no ready-made one for ${process.platform} ${process.arch}`));
  const toFetch = [
    ...(need.elasticsearch && !existsSync(unpacked) ? ["Elasticsearch"] : []),
    ...(need.redis && !redis && !existsSync(archive) ? ["Redis"] : []),
  ];
  if (toFetch.length > 0 && !(await hasMaven(context.env))) {
    missing.push(`Maven (mvn), to fetch ${toFetch.join(" and ")} with: not on PATH, or it does not run`);
  }
  if (missing.length > 0) return { missing };

  if (toFetch.length > 0)
    context.log(`fetching ${toFetch.join(" and ")} through Maven into ${context.downloads} (once)`);
  if (need.elasticsearch) await fetchArtifact(ELASTICSEARCH_ARTIFACT, unpacked, context);
  if (need.redis && !redis) {
    await fetchArtifact(REDIS_ARTIFACT, archive, context);
    redis = await embeddedRedis(archive, embedded!, context.env);
    if (!redis) return { missing: [redisMissing("the ready-made one does not run here")] };
  }
  return start({ elasticsearch: java && { java, distribution: distributionIn(context) }, redis }, context);
}

function javaMissing(tried: Java[]): string {
  const found = tried.map(({ home, major }) => `${major} in ${home}`).join(", ") || "none";
  return `Java ${LEAST_JAVA} or later, for Elasticsearch: looked in ES_JAVA_HOME, JAVA_HOME, PATH and the usual folders; found: ${found}`;
}

function redisMissing(embedded: string): string {
  return `redis-server ${LEAST_REDIS} or later: not on PATH, and ${embedded}`;
}

/** Makes the folders of the engines' data, and throws before any is opened when a later version wrote one. */
function openEngineData({ elasticsearch, redis }: Parts, { data }: SourceContext): void {
  const opened: EngineData[] = [];
  if (redis) {
    const remedy = (major: number) => `Install redis-server ${major} or later`;
    opened.push({ engine: "Redis", folder: redisFolder(data), version: redis.version, remedy });
  }
  if (elasticsearch) {
    const folder = join(data, SINGLE_NODE);
    opened.push({ engine: "Elasticsearch", folder, version: ELASTICSEARCH_VERSION, remedy: () => "Update Tranche" });
  }
  for (const { folder } of opened) {
    mkdirSync(folder, { recursive: true });
    ownFolder(folder);
  }
  for (const each of opened) assertReadable(each);
  for (const each of opened) noteVersion(each);
}

async function start({ elasticsearch, redis }: Parts, context: SourceContext): Promise<FoundEngines> {
  openEngineData({ elasticsearch, redis }, context);
  const [http, transport, redisPort] = (await freePorts(3)) as [number, number, number];
  privateFolder(join(context.data, "logs"));
  const found: FoundEngines = { description: "" };
  const words: string[] = [];
  const boots: (() => ReturnType<typeof boot>)[] = [];
  if (redis) {
    found.redisUrl = `redis://127.0.0.1:${redisPort}`;
    words.push(`Redis ${redis.version}`);
    const probe = redisProbe(found.redisUrl);
    boots.push(() => boot("Redis", redisProcess(redis, redisPort, context), probe, context));
  }
  if (elasticsearch) {
    const { java, distribution } = elasticsearch;
    const node = singleNode({ http, transport });
    prepareElasticsearch(distribution, node, context);
    found.elasticsearchUrl = `http://127.0.0.1:${http}`;
    words.push(`Elasticsearch ${ELASTICSEARCH_VERSION} on Java ${java.major}`);
    const probe = elasticsearchProbe(found.elasticsearchUrl);
    boots.push(() => boot("Elasticsearch", elasticsearchProcess(distribution, java, node, context), probe, context));
  }
  context.log(`starting ${words.join(" and ")}`);
  const booted = await Promise.all(boots.map((begin) => begin()));
  return {
    ...found,
    description: `local processes (${words.join(", ")})`,
    failed: Promise.race(booted.map(({ failed }) => failed)),
  };
}
