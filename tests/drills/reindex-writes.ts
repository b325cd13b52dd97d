import { setTimeout as pause } from "node:timers/promises";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, judge, withInstallation } from "./installation.ts";
import { keepReading, keepWriting, knownRounds } from "./steady-writes.ts";
import { firstRecords } from "./workload.ts";

export const reindexWrites: Drill = {
  name: "reindex-writes",
  about: "a rebuild while records are written and deleted and readers look",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, say, size } = context;
      const { records, writesASecond } =
        size === "full" ? { records: 320_000, writesASecond: 200 } : { records: 6000, writesASecond: 60 };
      const { queues, service } = installation;
      const writes = firstRecords(random, records);
      await queues.send(writes);
      await queues.settled(900_000);
      const known = knownRounds(writes);
      const rounds = [...known.keys()];
      const running = { yes: true };
      say(`${rounds.length} rounds are there; writers and readers begin`);
      const writing = keepWriting(context, installation, known, running, { writesASecond, records });
      const reading = keepReading(amountIn(installation), known, running, () => random.pick(rounds));
      await pause(500);
      const begun = Date.now();
      const result = await service.spawnOps(["reindex", "--wait", "--json"]);
      const rebuild = JSON.parse(result.stdout) as Rebuild;
      say(`the rebuild is ${rebuild.state}`);
      const rebuildSeconds = seconds(Date.now() - begun);
      running.yes = false;
      const [reads, written] = await Promise.all([reading, writing]);
      const { checks, figures } = await judge(context, installation, [...writes, ...written], { withinMs: 600_000 });
      for (const each of [...reads.wrong, ...reads.failed].slice(0, 5)) say(each);
      return {
        checks: {
          ...checks,
          rebuilt: rebuild.state === "swapped",
          "no failed read": reads.failed.length === 0,
          "no empty or older answer": reads.wrong.length === 0,
        },
        figures: {
          rebuild_seconds: rebuildSeconds,
          reads: reads.count,
          failed_reads: reads.failed.length,
          wrong_reads: reads.wrong.length,
          written: written.length,
          ...figures,
        },
      };
    }),
};

/** The amount of a round in the live index. */
const amountIn =
  ({ client, names }: Installation) =>
  async (id: string): Promise<number | undefined> => {
    const answer = await client.search<FundingDocument>({
      index: names.role("funding", "live"),
      query: { bool: { filter: { term: { id } }, must_not: { term: { gone: true } } } },
    });
    if (answer._shards.failed > 0) throw new Error("a shard did not answer");
    return answer.hits.hits[0]?._source?.amount_usd ?? undefined;
  };
