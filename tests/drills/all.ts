import { burstExact } from "./burst-exact.ts";
import type { Drill } from "./drill.ts";
import { engineOutage } from "./engine-outage.ts";
import { feed } from "./feed.ts";
import { follow } from "./follow.ts";
import { greedy } from "./greedy.ts";
import { ingestBroken } from "./ingest-broken.ts";
import { limiterAway } from "./limiter-away.ts";
import { lostUpdate } from "./lost-update.ts";
import { nodeLoss } from "./node-loss.ts";
import { poison } from "./poison.ts";
import { quotaExact } from "./quota-exact.ts";
import { redisClusterFailover } from "./redis-cluster-failover.ts";
import { redisCluster } from "./redis-cluster.ts";
import { redisFailover } from "./redis-failover.ts";
import { redisKill } from "./redis-kill.ts";
import { redisLost } from "./redis-lost.ts";
import { redisOutage } from "./redis-outage.ts";
import { redisWentBack } from "./redis-went-back.ts";
import { reindexKill } from "./reindex-kill.ts";
import { reindexRace } from "./reindex-race.ts";
import { reindexWrites } from "./reindex-writes.ts";
import { reshard } from "./reshard.ts";
import { restart } from "./restart.ts";
import { restore } from "./restore.ts";
import { revocation } from "./revocation.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { secrets } from "./secrets.ts";
import { sets } from "./sets.ts";
import { slowClients } from "./slow-clients.ts";
import { soak } from "./soak.ts";
import { strangers } from "./strangers.ts";
import { time } from "./time.ts";
import { twoIndexers } from "./two-indexers.ts";
import { upgrade } from "./upgrade.ts";
import { webhooks } from "./webhooks.ts";
import { workerKill } from "./worker-kill.ts";

export const DRILLS: readonly Drill[] = [
  workerKill,
  feed,
  webhooks,
  follow,
  restart,
  redisOutage,
  redisKill,
  redisCluster,
  redisClusterFailover,
  engineOutage,
  poison,
  ingestBroken,
  lostUpdate,
  redisLost,
  redisWentBack,
  redisFailover,
  reindexWrites,
  reindexKill,
  reindexRace,
  nodeLoss,
  twoIndexers,
  upgrade,
  restore,
  sets,
  reshard,
  time,
  soak,
  burstExact,
  quotaExact,
  revocation,
  limiterAway,
  slowClients,
  strangers,
  greedy,
  rollingRestart,
  secrets,
];
