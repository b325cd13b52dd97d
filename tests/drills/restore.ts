import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/records/record";
import { deletion, merging } from "../support/writes.ts";
import { type Drill, type DrillContext, type Outcome, seconds } from "./drill.ts";
import { type Installation, judge, until, withInstallation } from "./installation.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

const REPOSITORY = "drill";

type Keys = { works: string; revoked: string };

export const restore: Drill = {
  name: "restore",
  about: "both engines lose their data, and come back from a file and from a snapshot",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const records = context.size === "full" ? 100_000 : 3000;
      const writes = history(context, records);
      const { queues, service } = installation;
      await queues.send(writes.slice(0, records));
      await queues.settled(600_000);
      await queues.send(writes.slice(records));
      const keys = await makeKeys(installation);
      await queues.investorsSettled(600_000);
      const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
      const file = join(folder, "backup.ndjson.gz");
      try {
        const export_seconds = await timed(() => ops(installation, "backup", file));
        await register(installation);
        const snapshot_seconds = await timed(() => ops(installation, "backup", "--repository", REPOSITORY));
        const snapshot = await newestSnapshot(installation);
        context.say(`backed up: ${(await stat(file)).size} bytes, snapshot ${snapshot}`);

        await loseBoth(context, installation);
        const brokenOff = await breakOff(context, installation, file);
        const again = await service.ops(["restore", file]);
        const fromFile = await back(context, installation, writes, keys);

        await loseBoth(context, installation);
        await register(installation);
        const restore_snapshot_seconds = await timed(() => ops(installation, "restore", "--snapshot", snapshot));
        const fromSnapshot = await back(context, installation, writes, keys);

        return {
          checks: {
            ...named("file", fromFile.checks),
            ...named("snapshot", fromSnapshot.checks),
            "a restore that was killed says so and can be run again":
              brokenOff && again.code === 0 && again.stderr.includes("was interrupted"),
          },
          figures: {
            records,
            backup_bytes: (await stat(file)).size,
            export_seconds,
            snapshot_seconds,
            restore_snapshot_seconds,
            ...named("file", fromFile.figures),
            ...named("snapshot", fromSnapshot.figures),
          },
        };
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
};

/** First versions of all records, then rounds that move, deletes and merges. */
function history({ random }: DrillContext, records: number): RecordWrite[] {
  const some = records / 20;
  const isRound = (write: RecordWrite) => write.type === "round";
  const first = firstRecords(random, records);
  const rounds = first.filter(isRound).map(({ id }) => id);
  return [
    ...first,
    ...rounds.slice(0, some).map((id) => randomRound(random, 2, id, among(records))),
    ...rounds.slice(some, 2 * some).map((id) => deletion(3, "round", id)),
    ...Array.from({ length: some }, (_, n) => merging(4, "company", `co-${n}`, { city: "Oslo", headcount: n })),
  ];
}

async function makeKeys(installation: Installation): Promise<Keys> {
  const { id, key } = await ops<{ id: string; key: string }>(
    installation,
    "accounts",
    "create",
    "--name",
    "Drill",
    "--plan",
    "scale",
  );
  const other = await ops<{ key_id: string; key: string }>(installation, "keys", "create", "--account", id);
  await ops(installation, "keys", "revoke", other.key_id);
  return { works: key, revoked: other.key };
}

const register = ({ client }: Installation) =>
  client.snapshot.createRepository({
    name: REPOSITORY,
    repository: { type: "fs", settings: { location: REPOSITORY } },
  });

async function newestSnapshot({ client }: Installation): Promise<string> {
  const { snapshots } = await client.snapshot.get({ repository: REPOSITORY, snapshot: "*", sort: "start_time" });
  return snapshots!.at(-1)!.snapshot;
}

async function loseBoth({ engines, say }: DrillContext, { service }: Installation): Promise<void> {
  await service.stop();
  say("both engines lose their data");
  await Promise.all([engines.elasticsearch.lose(), engines.redis.lose()]);
  await Promise.all([engines.elasticsearch.start(), engines.redis.start()]);
}

/** Kills a restore while it writes; returns whether it had begun and had not ended. */
async function breakOff({ size }: DrillContext, installation: Installation, file: string): Promise<boolean> {
  const { service, client, names } = installation;
  const child = spawn(process.execPath, ["apps/ops/main.ts", "restore", file], { env: service.env, stdio: "ignore" });
  const ended = once(child, "exit");
  await until("a restore begins", 120_000, async () => {
    // The index may not be there yet, or not have its shard.
    const found = await client.get({ index: names.control, id: "restore" }, { ignore: [404] }).catch(() => undefined);
    return found?.found === true;
  });
  if (size === "full") await pause(2000);
  const wasRunning = child.exitCode === null && child.signalCode === null;
  child.kill("SIGKILL");
  await ended;
  return wasRunning;
}

/** Starts everything again, and compares what is there with what the writes have to give. */
async function back(
  context: DrillContext,
  installation: Installation,
  writes: readonly RecordWrite[],
  keys: Keys,
): Promise<Outcome> {
  const { service } = installation;
  await Promise.all([installation.startIndexer(), service.startApi()]);
  const derived = await until("everything is derived again", 600_000, async () => {
    const { state } = await ops<{ state: string }>(installation, "reindex", "status");
    return state === "swapped" || state === "retired";
  });
  const ask = async (key: string) =>
    (await fetch(`${service.base}/funding?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status;
  const { checks, figures } = await judge(context, installation, writes, { withinMs: 600_000 });
  return {
    checks: {
      ...checks,
      "keys work": (await ask(keys.works)) === 200,
      "revoked keys stay revoked": (await ask(keys.revoked)) === 401,
    },
    figures: { derived_again_seconds: seconds(derived), ...figures },
  };
}

async function ops<T>({ service }: Installation, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await service.ops([...args, "--json"]);
  if (code !== 0) throw new Error(`ops ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as T;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = Date.now();
  await work();
  return seconds(Date.now() - start);
}

const named = <T>(way: string, all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [`${way}: ${name}`, value]));
