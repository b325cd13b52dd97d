import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Drill, Outcome } from "./drill.ts";
import { type Installation, judge, withInstallation } from "./installation.ts";
import { type Keys, makeKeys, statusWith } from "./keys.ts";
import { ops, timed } from "./operators.ts";
import { historyOf } from "./workload.ts";

const SHARDS = { before: 1, after: 3 };
const ACCOUNTS = 3;

/** Every row of every list, some pages of them, and statistics. */
const QUESTIONS = [
  ...["funding", "signals", "companies", "investors"].map((list) => `/${list}/export?format=ndjson`),
  "/funding?limit=50",
  "/funding?country=DE,IN&deal_types=seed&limit=50",
  "/funding?sort=amount_desc&limit=50&offset=500",
  "/signals?limit=50",
  "/companies?country=US&limit=50",
  "/investors?limit=50&offset=100",
  "/search?q=company+co-17",
  "/funding/stats?group_by=country",
  "/funding/stats?group_by=investor",
  "/funding/stats?group_by=month",
  "/signals/stats?group_by=city",
];

export const reshard: Drill = {
  name: "reshard",
  about: "an installation moves to another number of shards: a backup, a new namespace and a restore",
  run: (context) =>
    withInstallation(context, layout(SHARDS.before), async (before) => {
      const records = context.size === "full" ? 100_000 : 4000;
      const writes = historyOf(context.random, records);
      await before.queues.send(writes.slice(0, records));
      await before.queues.settled(600_000);
      await before.queues.send(writes.slice(records));
      const accounts: Keys[] = [];
      while (accounts.length < ACCOUNTS) accounts.push(await makeKeys(before));
      await before.queues.investorsSettled(600_000);
      await before.service.startApi();
      const position = await positionOf(before, accounts[0]!.works);

      // The steps of "Another number of shards" in docs/operations.md.
      await before.stopIndexer();
      const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
      const file = join(folder, "backup.ndjson.gz");
      try {
        const backup_seconds = await timed(() => ops(before, "backup", file));
        context.say(`backed up: ${(await stat(file)).size} bytes`);
        return await withInstallation(context, layout(SHARDS.after), async (after) => {
          const restore_seconds = await timed(() => ops(after, "restore", file));
          await after.service.startApi();
          context.say("restored; comparing the two");
          const { checks, figures } = await judge(context, after, writes, { withinMs: 600_000 });
          const compared = await compare(before, after, accounts, position);
          return {
            checks: { ...checks, ...compared.checks },
            figures: {
              records,
              backup_bytes: (await stat(file)).size,
              backup_seconds,
              restore_seconds,
              ...compared.figures,
              ...figures,
            },
          };
        });
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
};

const layout = (shards: number) => ({ env: { TRANCHE_SHARDS: String(shards) } });

/** Asks both installations the same, with the keys that were made in the first one. */
async function compare(
  before: Installation,
  after: Installation,
  accounts: readonly Keys[],
  position: string,
): Promise<Outcome> {
  const key = accounts[0]!.works;
  const differing: string[] = [];
  let rows = 0;
  for (const question of QUESTIONS) {
    const [first, second] = await Promise.all([answerOf(before, question, key), answerOf(after, question, key)]);
    if (!isDeepStrictEqual(first, second)) differing.push(question);
    if (Array.isArray(second)) rows += second.length;
  }
  const keys = await Promise.all(
    accounts.map(async ({ works, revoked }) => [
      await statusWith(after.service.base, works),
      await statusWith(after.service.base, revoked),
    ]),
  );
  const shards = [await shardsOf(before), await shardsOf(after)];
  const followed = await fetch(`${after.service.base}/funding/changes?since=${position}`, bearer(key));
  return {
    checks: {
      "lists and statistics are the same": differing.length === 0,
      "keys work, and revoked ones do not": keys.every((statuses) => isDeepStrictEqual(statuses, [200, 401])),
      "records and read models have the new number of shards": isDeepStrictEqual(shards, [
        [SHARDS.before],
        [SHARDS.after],
      ]),
      "positions in the feed of changes have expired": followed.status === 410,
    },
    figures: { questions: QUESTIONS.length, rows_compared: rows, differing_answers: differing, keys: 2 * ACCOUNTS },
  };
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

/** The content of an answer; the rows of an export. Throws when it is none. */
async function answerOf({ service }: Installation, question: string, key: string): Promise<unknown> {
  const answer = await fetch(service.base + question, bearer(key));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${question}: ${answer.status} ${text.slice(0, 500)}`);
  return question.includes("/export") ? text.trimEnd().split("\n") : JSON.parse(text);
}

/** The end of the feed of changes. */
async function positionOf({ service }: Installation, key: string): Promise<string> {
  const answer = await fetch(`${service.base}/funding/changes`, bearer(key));
  return ((await answer.json()) as { next: string }).next;
}

/** The numbers of shards among the indices that have several. */
async function shardsOf({ client, names }: Installation): Promise<number[]> {
  const index = [
    names.record("round"),
    names.record("snapshot"),
    names.edges,
    names.stakes,
    names.role("funding", "live"),
  ];
  const found = await client.indices.getSettings({ index, name: "index.number_of_shards" });
  return [...new Set(Object.values(found).map(({ settings }) => Number(settings!.index!.number_of_shards)))];
}
