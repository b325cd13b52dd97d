import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { Drill } from "./drill.ts";
import { judge, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

const BAD = 10;

export const poison: Drill = {
  name: "poison",
  about: "bad records among good ones: each becomes a dead letter with its reason, and nothing else does",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, size } = context;
      const { records, job } = size === "full" ? { records: 200_000, job: 500 } : { records: 4000, job: 200 };
      const good = firstRecords(random, records - BAD);
      const mixed: unknown[] = [...good];
      for (const bad of badWrites(good)) mixed.splice(random.below(mixed.length), 0, bad);
      await installation.queues.send(mixed as RecordWrite[], job);
      const { checks, figures } = await judge(context, installation, good, { withinMs: 900_000, deadLetters: BAD });
      const reasons = (await installation.queues.letters()).map(({ reason }) => reason);
      return {
        checks: { ...checks, "a reason for each": reasons.every((reason) => reason !== "") },
        figures: { ...figures, bad: BAD, reasons: reasons.map((reason) => reason.slice(0, 60)).toSorted() },
      };
    }),
};

/** What a program that writes to the queue by itself may get wrong. */
function badWrites(good: readonly RecordWrite[]): unknown[] {
  const round = good.find((write) => write.type === "round")!;
  const other = (id: string, body: object) => ({ ...round, id, body: { ...round.body, ...body } });
  return [
    other("bad-amount", { amount_usd: -1 }),
    other("bad-date", { announced_date: "2024-02-30" }),
    other("bad-company", { company_id: null }),
    other("bad-investors", { investors: "Sequoia" }),
    { ...round, id: "x".repeat(600) },
    { ...round, id: "bad-version", version: "seven" },
    { ...round, id: "bad-type", type: "dragon" },
    { ...round, id: "bad-body", body: 7 },
    {
      type: "signal",
      id: "bad-key",
      version: 1,
      updated_at: round.updated_at,
      body: { company_id: "co-1", key: "luck", detected_at: "2025-01-01" },
    },
    null,
  ];
}
