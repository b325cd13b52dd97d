import { readFileSync } from "node:fs";
import { Cluster, type ClusterNode, Redis, type RedisOptions } from "ioredis";
import { parseRedisAddress, type RedisAddress } from "../../process/redis-address.ts";
import { endWhenGivenUp } from "./given-up-nodes.ts";
import { noteRefusal, refusesWrites } from "./refused-writes.ts";

/** A connection to one Redis (also one behind Sentinels), or to a Cluster. Both have the same commands; `nodes.ts` has what differs. */
export type RedisClient = Redis | Cluster;

/** The behaviour of a connection while Redis is away. */
type ConnectionPolicy = Pick<
  RedisOptions,
  | "connectionName"
  | "maxRetriesPerRequest"
  | "autoResendUnfulfilledCommands"
  | "enableOfflineQueue"
  | "commandTimeout"
  | "connectTimeout"
  | "socketTimeout"
  | "lazyConnect"
> & {
  /** The pause before attempt n to connect, in ms. */
  retryStrategy: (attempt: number) => number;
  /** How often the nodes of a Cluster are asked who serves which slots, in ms. A failover is noticed at most this late. */
  slotsEveryMs: number;
};

/** Sentinels that one connection listens to for a new master. One is enough; the second is for when it ends. */
const SENTINELS_HEARD = 2;
const SLOTS_WITHIN_MS = 2000;
const NOSCRIPT_PAUSE_MS = 20;
const REFUSED_PAUSE_MS = 500;
/** `CLIENT SETINFO` would need a right that cannot be named on every supported Redis: 7.0 does not load an ACL file that names it. */
const NO_CLIENT_INFO = { disableClientInfo: true };

/** A replica answers so after a failover, until its clients ask for the new master. The command was not executed. */
const isDemoted = (error: Error) => error.message.includes("READONLY");

/**
 * Connects to the Redis of REDIS_URL. Throws when the address cannot be used.
 * `caFile`: PEM file of the authority that signed the certificate of Redis, where the system does not know it.
 */
export function connectRedis(url: string, caFile: string | undefined, policy: ConnectionPolicy): RedisClient {
  const address = parseRedisAddress(url);
  const ca = caFile === undefined ? {} : { ca: readFileSync(caFile) };
  const { slotsEveryMs: _, ...behaviour } = policy;
  const options = { ...behaviour, ...NO_CLIENT_INFO };
  const Client = waits(policy) ? WaitingRedis : Redis;
  if (address.kind === "single") {
    return new Client(address.url, {
      ...options,
      ...(caFile !== undefined && { tls: ca }),
      reconnectOnError: isDemoted,
    });
  }
  const tls = address.tls || caFile !== undefined ? { tls: ca } : {};
  const credentials = { ...definedOf(address, "username"), ...definedOf(address, "password") };
  if (address.kind === "sentinel") {
    const { sentinelCredentials: theirs } = address;
    return new Client({
      ...options,
      ...credentials,
      ...tls,
      ...(tls.tls && { sentinelTLS: tls.tls, enableTLSForSentinelMode: true }),
      ...(theirs.username !== undefined && { sentinelUsername: theirs.username }),
      ...(theirs.password !== undefined && { sentinelPassword: theirs.password }),
      sentinels: address.sentinels,
      name: address.master,
      db: address.db,
      // A master that hangs keeps its connections open, so only Sentinels know that it was replaced.
      failoverDetector: true,
      sentinelMaxConnections: SENTINELS_HEARD,
      reconnectOnError: isDemoted,
    });
  }
  return connectCluster(address.nodes, { ...credentials, ...tls }, policy);
}

/** Whether commands wait until Redis is back, however long that takes. */
const waits = ({ maxRetriesPerRequest }: Pick<RedisOptions, "maxRetriesPerRequest"> = {}) =>
  maxRetriesPerRequest === null;

/** Sends a write that Redis refuses again until it is taken. */
class WaitingRedis extends Redis {
  override handleReconnection(...[error, item]: Parameters<Redis["handleReconnection"]>): void {
    if (!refusesWrites(error)) return super.handleReconnection(error, item);
    afterRefusal(this, error, () => resend(this, item));
    // Another one may be the master now.
    if (isDemoted(error) && this.status === "ready") this.disconnect(true);
  }
}

/** Notes a refusal, and sends after a pause. */
function afterRefusal(redis: RedisClient, error: Error, send: () => void): void {
  noteRefusal(redis, error);
  setTimeout(send, REFUSED_PAUSE_MS);
}

const resend = (redis: Redis, { command }: Parameters<Redis["handleReconnection"]>[1]) =>
  void redis.sendCommand(command as Parameters<Redis["sendCommand"]>[0]);

/**
 * Has a node of a Cluster send its refused writes again. The Cluster itself repeats a pipeline only if all of it was refused. A replica is
 * left to the Cluster, which knows the master.
 */
function waitOnNode(node: Redis, cluster: Cluster): void {
  const handle = node.handleReconnection.bind(node);
  node.handleReconnection = (error, item) => {
    if (!refusesWrites(error) || isDemoted(error)) return handle(error, item);
    afterRefusal(cluster, error, () => resend(node, item));
  };
}

function connectCluster(
  nodes: { host: string; port: number }[],
  access: Pick<RedisOptions, "username" | "password" | "tls">,
  { slotsEveryMs, retryStrategy, enableOfflineQueue = true, lazyConnect = false, ...options }: ConnectionPolicy,
): Cluster {
  return openCluster(nodes, {
    redisOptions: { ...options, ...NO_CLIENT_INFO, ...access },
    enableOfflineQueue,
    lazyConnect,
    // A master that was just restarted fails the check for 2 s. BullMQ's workers, which wait for the first check of their connection,
    // would then wait for ever. Without it commands meet CLUSTERDOWN, and are repeated.
    enableReadyCheck: false,
    clusterRetryStrategy: retryStrategy,
    // Each node is treated as a single Redis would be: it stays, and keeps or refuses its commands until it is back.
    clusterNodeRetryStrategy: retryStrategy,
    slotsRefreshInterval: slotsEveryMs,
    slotsRefreshTimeout: SLOTS_WITHIN_MS,
    ...(enableOfflineQueue
      ? { maxRedirections: Number.POSITIVE_INFINITY }
      : // A command that may have been executed is not sent again.
        { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 }),
    // Names are resolved by each node. Certificates are issued for names; and a Cluster that waits for a name when it connects again would
    // be closed by the end of an old node.
    dnsLookup: (address, callback) => callback(null, address),
  });
}

type Options = NonNullable<ConstructorParameters<typeof RetryingCluster>[1]>;

/** Opens a Cluster, and mends in it and in its duplicates what ioredis does wrong. */
function openCluster(nodes: ClusterNode[], options: Options): Cluster {
  const cluster: Cluster = new RetryingCluster(nodes, options);
  cluster.on("+node", (node: Redis) => {
    endWhenGivenUp(node);
    if (waits(options.redisOptions)) waitOnNode(node, cluster);
    // MOVED can still arrive while the Cluster disconnects. A node that is opened then would keep it from ending.
    if (cluster.status === "disconnecting") node.disconnect();
  });
  // Connects masters at once: they would otherwise connect with their first command and refuse others until then. This waits for "ready",
  // because ioredis never finishes giving up unreachable nodes while one of them is connecting again.
  const connectMaster = (node: Redis) => {
    if (!node.options.readOnly && node.status === "wait") node.connect().catch(() => {});
  };
  cluster.on("ready", () => cluster.nodes("master").forEach(connectMaster));
  cluster.on("+node", (node: Redis) => cluster.status === "ready" && connectMaster(node));
  // BullMQ's workers wait for jobs on a duplicate, which needs the same.
  const duplicate = (others: ClusterNode[] = [], changes: Options = {}) =>
    openCluster(others.length > 0 ? others : nodes, {
      ...options,
      ...changes,
      redisOptions: { ...options.redisOptions, ...changes.redisOptions },
    });
  cluster.duplicate = duplicate as typeof cluster.duplicate;
  return cluster;
}

/**
 * ioredis takes a script for loaded once it was sent, but a master that answers CLUSTERDOWN has not loaded it. Its next use gets
 * NOSCRIPT, so it was not executed, and is sent again as a whole. So is a write that a replica refuses, on a connection that waits.
 */
class RetryingCluster extends Cluster {
  override handleError(...[error, ttl, handlers]: Parameters<Cluster["handleError"]>): void {
    if (error.message.startsWith("NOSCRIPT")) setTimeout(() => handlers.tryagain(), NOSCRIPT_PAUSE_MS);
    else if (isDemoted(error) && waits(this.options.redisOptions)) afterRefusal(this, error, () => handlers.tryagain());
    else super.handleError(error, ttl, handlers);
  }
}

type Credential = "username" | "password";

function definedOf(
  address: Exclude<RedisAddress, { kind: "single" }>,
  name: Credential,
): { [K in Credential]?: string } {
  return address[name] === undefined ? {} : { [name]: address[name] };
}
