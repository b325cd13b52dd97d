import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Drill, type DrillContext, type Outcome, seconds } from "./drill.ts";
import { type Installation, judge, until, withInstallation } from "./installation.ts";
import { type Keys, makeKeys, statusWith } from "./keys.ts";
import { ops, timed } from "./operators.ts";
import { historyOf } from "./workload.ts";

const REPOSITORY = "drill";

export const restore: Drill = {
  name: "restore",
  about: "both engines lose their data, and come back from a file and from a snapshot",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const records = context.size === "full" ? 100_000 : 3000;
      const writes = historyOf(context.random, records);
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
  const { checks, figures } = await judge(context, installation, writes, { withinMs: 600_000 });
  return {
    checks: {
      ...checks,
      "keys work": (await statusWith(service.base, keys.works)) === 200,
      "revoked keys stay revoked": (await statusWith(service.base, keys.revoked)) === 401,
    },
    figures: { derived_again_seconds: seconds(derived), ...figures },
  };
}

const named = <T>(way: string, all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [`${way}: ${name}`, value]));
