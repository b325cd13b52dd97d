import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { fromFolder, fromImage } from "../support/launch.ts";
import { createService, type Service } from "../support/service.ts";
import { type Drill, type DrillContext, type Outcome, seconds } from "./drill.ts";
import { install, type Installation, judge, NOW, until } from "./installation.ts";
import { type Answer, percentile, served, steady, tally } from "./load.ts";
import { ADDED_FIELD, createNextVersion } from "./next-version.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

const READS_A_SECOND = 5;
const PATHS = ["/funding?limit=5", "/signals?limit=5", "/investors?limit=5", "/funding?limit=5&offset=40"];
const BATCH = 10;
const WITHIN_MS = 600_000;

export const upgrade: Drill = {
  name: "upgrade",
  about: "the next version beside this one, forward and back, while records are written and readers look",
  async run(context) {
    // Where one is named, both versions are containers; the next one's image has this one's layers and what differs.
    const image = process.env["TRANCHE_IMAGE"];
    if (image !== undefined) context.say(`this version is the image ${image}`);
    const next = await createNextVersion(image);
    const installation = install(context, { launch: image === undefined ? fromFolder() : fromImage(image) });
    const { elasticsearch, redis } = context.engines;
    let log = "";
    const later = createService(
      { elasticsearchUrl: elasticsearch.url, redisUrl: redis.url },
      {
        now: NOW,
        env: { TRANCHE_NAMESPACE: installation.service.namespace },
        launch: next.launch,
        onOutput: (text) => (log = (log + text).slice(-200_000)),
      },
    );
    try {
      return await thereAndBack(context, installation, later);
    } catch (error) {
      context.say(
        `this version's log:\n${installation.log().slice(-5000)}\nthe next version's log:\n${log.slice(-5000)}`,
      );
      throw error;
    } finally {
      await later.stop();
      await installation.close();
      await next.remove();
    }
  },
};

async function thereAndBack(context: DrillContext, installation: Installation, later: Service): Promise<Outcome> {
  const { random, say, size } = context;
  const { records, sideBySideMs } =
    size === "full" ? { records: 40_000, sideBySideMs: 15_000 } : { records: 1500, sideBySideMs: 1500 };
  const { service, queues, client, names } = installation;
  const live = names.role("funding", "live");
  const checks: Record<string, boolean> = {};
  const withField = async () => (await client.count({ index: live, query: { exists: { field: ADDED_FIELD } } })).count;
  const rounds = async () => (await client.count({ index: live, query: { term: { listed: true } } })).count;

  let indexer = await service.startIndexer();
  const writes = firstRecords(random, records);
  await queues.send(writes);
  await service.startApi();
  await queues.investorsSettled(WITHIN_MS);
  const writer = keepWriting(context, installation, writes, among(records));
  const readers = [await readersOf(service)];

  say("the next version starts beside this one");
  const begun = Date.now();
  await later.startApi();
  readers.push(await readersOf(later));
  const laterIndexer = await later.startIndexer();
  await until("the next version writes to the index of this one", 120_000, async () => (await withField()) > 0);
  await pause(sideBySideMs);
  const due = await reasonsOf(later);
  checks["a rebuild is due, with its reasons"] = due === "derivation mapping";
  const statistics = await askerOf(later, "/funding/stats");
  await until("the next version's statistics wait for the rebuild", 60_000, async () => (await statistics()) === 503);

  say("a rebuild by the next version");
  const reindexed = await later.spawnOps(["reindex", "--wait", "--json"]);
  const rebuild = JSON.parse(reindexed.stdout) as Rebuild;
  say(`it is ${rebuild.state}${rebuild.reason === null ? "" : `: ${rebuild.reason}`}`);
  await until("this version steps aside", 60_000, async () => installation.log().includes("takes no jobs"));
  await pause(sideBySideMs);
  await stop(indexer);
  await writer.rest();
  await queues.investorsSettled(WITHIN_MS);
  const forward = await differing(later);
  const forwardSeconds = seconds(Date.now() - begun);
  const complete = (await withField()) === (await rounds());
  await until("the next version has statistics", 60_000, async () => (await statistics()) === 200);
  const kept = (await readIndexRoles(client, names)).funding.previous !== undefined;

  say("back to this version");
  const backBegun = Date.now();
  writer.goOn();
  const rolledBack = (await later.spawnOps(["rollback"])).code === 0;
  const takenBefore = await newest(installation);
  indexer = await service.startIndexer();
  await pause(sideBySideMs);
  await stop(laterIndexer);
  await until("this version writes again", 60_000, async () => (await newest(installation)) > takenBefore);
  await pause(sideBySideMs);
  const mixed = await reasonsOf(service);
  await writer.rest();
  await queues.investorsSettled(WITHIN_MS);
  const back = await differing(service);
  const gone = (await readIndexRoles(client, names)).funding.previous === undefined;
  const backSeconds = seconds(Date.now() - backBegun);

  say("a rebuild by this version");
  const last = JSON.parse((await service.spawnOps(["reindex", "--wait", "--json"])).stdout) as Rebuild;
  const answers = (await Promise.all(readers.map((each) => each.stop()))).flat() satisfies Answer[];
  await writer.end();
  const fresh = (await reasonsOf(service)) === "";
  const judged = await judge(context, installation, writes, { withinMs: WITHIN_MS });
  return {
    checks: {
      ...checks,
      ...judged.checks,
      "rebuilt by the next version": rebuild.state === "swapped",
      "every document has the new field after the rebuild": complete,
      "no difference after the upgrade": forward === 0,
      "the previous indices are kept for a rollback": kept,
      "rolled back": rolledBack,
      "no difference after going back": back === 0,
      "a rebuild is due for what the next version wrote": mixed === "mixed",
      "nothing may go forward to indices that this version can't write to": gone,
      "rebuilt by this version, and none is due": last.state === "swapped" && fresh,
      "no read failed": served(answers).length === answers.length,
    },
    figures: {
      forward_seconds: forwardSeconds,
      back_seconds: backSeconds,
      differing_after_upgrade: forward,
      differing_after_going_back: back,
      reads: answers.length,
      failed_reads: answers.length - served(answers).length,
      answers: tally(answers),
      p99_ms: percentile(answers, 0.99),
      ...judged.figures,
    },
  };
}

/** The highest version of a round that readers find: it grows while indexers work. */
async function newest({ client, names }: Installation): Promise<number> {
  const answer = await client.search({
    index: names.role("funding", "live"),
    size: 0,
    aggs: { newest: { max: { field: "amount_usd" } } },
  });
  return (answer.aggregations!["newest"] as { value: number | null }).value ?? 0;
}

async function readersOf(service: Service) {
  const key = await service.key();
  let n = 0;
  const path = () => PATHS[n++ % PATHS.length]!;
  return steady({ origin: new URL(service.base).origin, path, key }, { perSecond: READS_A_SECOND, connections: 4 });
}

/** Asks a version's API for a path. Returns the status. */
async function askerOf(service: Service, path: string): Promise<() => Promise<number>> {
  const headers = { authorization: `Bearer ${await service.key()}` };
  return async () => {
    const answer = await fetch(service.base + path, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
}

/** Why a version says that a rebuild is due, of all live indices. */
async function reasonsOf(service: Service): Promise<string> {
  const { outdated_indices: outdated } = JSON.parse((await service.spawnOps(["status", "--json"])).stdout) as {
    outdated_indices: { why: string[] }[];
  };
  return [...new Set(outdated.flatMap(({ why }) => why))].toSorted().join(" ");
}

async function differing(service: Service): Promise<number> {
  return (JSON.parse((await service.spawnOps(["verify", "--json"])).stdout) as { differing: number }).differing;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Writes new versions of rounds until it rests, and adds them to `writes`. */
function keepWriting(
  { random }: DrillContext,
  { queues }: Installation,
  writes: RecordWrite[],
  of: { companies: number; investors: number },
) {
  const rounds = writes.flatMap((write) => (write.type === "round" ? [write.id] : []));
  let version = 1;
  let running = true;
  const write = async () => {
    while (running) {
      version++;
      const ids = new Set(Array.from({ length: BATCH }, () => random.pick(rounds)));
      const batch = [...ids].map((id) => randomRound(random, version, id, of));
      writes.push(...batch);
      await queues.send(batch);
      await pause(300);
    }
  };
  let writing = write();
  const rest = async () => {
    running = false;
    await writing;
  };
  return {
    rest,
    goOn() {
      running = true;
      writing = write();
    },
    end: rest,
  };
}
