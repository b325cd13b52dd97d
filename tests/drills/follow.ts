import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { createSignIns } from "@tranche/shared/accounts/sign-ins";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { createDigestStore } from "@tranche/webhooks/digest-store";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import { createProgressStore, fromNow } from "@tranche/webhooks/progress";
import { CLAIMED_MS } from "../../apps/dashboard/mail/tell-digests.ts";
import { ageDigests } from "../support/aged-digests.ts";
import { type ReceivedMail, startMailServer } from "../support/mail-server.ts";
import { company, round } from "../support/writes.ts";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, newAccount, until, withInstallation } from "./installation.ts";

const MEMBER = "ada@example.com";
/** Digests are made and mailed all the time, so that kills meet them. */
const QUICK = { TRANCHE_PAUSES: "0.1" };

export const follow: Drill = {
  name: "follow",
  about: "kill -9 of the indexer that makes digests and of the dashboard that mails them",
  async run(context) {
    const { random, say, size } = context;
    const { follows, kills, roundsEach } =
      size === "full" ? { follows: 20, kills: 16, roundsEach: 6 } : { follows: 3, kills: 4, roundsEach: 2 };
    const server = await startMailServer();
    try {
      return await withInstallation(context, { env: QUICK }, async (installation) => {
        const { queues, service } = installation;
        await service.startApi();
        let dashboard = await startDashboard(installation, server.url);
        const ids = await createFollows(installation, await newAccount(service), follows);
        const hurrying = hurry(installation, ids);
        const written = new Set<string>();
        let version = 1000;
        for (let kill = 0; kill < kills; kill++) {
          for (const n of ids.keys()) {
            const rounds = Array.from({ length: roundsEach }, (_, r) => dayOf(kill * roundsEach + r));
            for (const day of rounds) written.add(`co-${n} ${day}`);
            await queues.send(
              rounds.map((announced_date) =>
                round(version++, `co-${n}-${announced_date}`, `co-${n}`, { announced_date }),
              ),
            );
          }
          // Digests are made and mailed within two seconds from then on.
          await queues.settled(60_000);
          await pause(random.below(2000));
          if (kill % 2 === 0) {
            await installation.killIndexer();
            await installation.startIndexer();
          } else {
            await kill9(dashboard);
            dashboard = await startDashboard(installation, server.url);
          }
          say(`killed the ${kill % 2 === 0 ? "indexer" : "dashboard"}, kill ${kill + 1} of ${kills}`);
        }
        await queues.settled(120_000);
        const told = () => toldIn(newest(server.mails));
        const ms = await until("every round is told", CLAIMED_MS + 120_000, async () => {
          return new Set(told()).size >= written.size;
        }).catch(() => -1);
        await hurrying.end();
        const copies = [...Map.groupBy(server.mails, ({ head }) => messageId(head)).values()];
        const again = copies.reduce((sum, { length }) => sum + length - 1, 0);
        const times = [...Map.groupBy(told(), (one) => one).values()].map(({ length }) => length);
        return {
          checks: {
            "every change is told": told().every((one) => written.has(one)) && new Set(told()).size === written.size,
            "a change is told at most once more after a kill": Math.max(...times) <= 2,
            "a digest is mailed at most once more after a kill": again <= kills,
          },
          figures: {
            follows,
            kills,
            rounds: written.size,
            mails: server.mails.length,
            digests: copies.length,
            told_again: times.filter((count) => count > 1).length,
            mailed_again: again,
            all_told_after_seconds: seconds(ms),
          },
        };
      });
    } finally {
      await server.close();
    }
  },
};

/** A day of its own for each round of a company, by which mails show which one it is. */
const dayOf = (n: number): string => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, "YYYY-MM-DD".length);

const startDashboard = ({ service }: Installation, smtp: string): Promise<ChildProcess> =>
  service.startDashboard({ TRANCHE_SMTP_URL: smtp, TRANCHE_MAIL_FROM: "Tranche <tranche@example.com>" });

async function kill9(process: ChildProcess): Promise<void> {
  process.kill("SIGKILL");
  await once(process, "exit");
}

/** Follows of one company each, of a member who has signed in. Returns their ids. */
async function createFollows(installation: Installation, account: string, count: number): Promise<string[]> {
  const { client, names, queues, service } = installation;
  await createMemberStore(client, names, { actor: "drill" }).add({ account, email: MEMBER, role: "viewer" });
  await createSignIns(client, names).note({ account, email: MEMBER });
  await queues.send(Array.from({ length: count }, (_, n) => company(n + 1, `co-${n}`, { name: `co-${n}` })));
  await queues.settled(60_000);
  const store = createFollowStore(client, names, { actor: "drill" });
  const from = fromNow(await readFeedState(queues.redis, service.namespace, "funding"));
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const of = { kind: "companies" as const, ids: [`co-${n}`] };
    const input = { account, member: MEMBER, name: `Follow ${n}`, of, list: "funding" as const };
    const made = await store.create({ ...input, query: `companies=co-${n}`, every: "daily" }, { from });
    ids.push(made.follow_id);
  }
  return ids;
}

/** Makes every follow due all the time, its mails old, and claims of killed dashboards old, so that nobody waits for a day or for two minutes. */
function hurry({ client, names }: Installation, ids: readonly string[]): { end: () => Promise<void> } {
  const progress = createProgressStore(client, names.deliveries);
  const digests = createDigestStore(client, names.deliveries);
  const ending = new AbortController();
  const work = async () => {
    while (!ending.signal.aborted) {
      // Others change the same documents. What does not succeed is tried again.
      await ageDigests(client, names.deliveries, ids).catch(() => {});
      for (const id of ids) await progress.change(id, { next_attempt_at: null }).catch(() => {});
      for (const read of await digests.unsent()) {
        const { claimed_at } = read.digest;
        if (claimed_at === null || Date.now() - Date.parse(claimed_at) < 5000) continue;
        await digests.claim(read, new Date(Date.now() - CLAIMED_MS));
      }
      await pause(300, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const done = work();
  return {
    async end() {
      ending.abort();
      await done;
    },
  };
}

const messageId = (head: string): string => /^Message-ID:\s*(\S+)/im.exec(head)?.[1] ?? "none";

/** One mail of each digest. */
const newest = (mails: readonly ReceivedMail[]): ReceivedMail[] => [
  ...new Map(mails.map((mail) => [messageId(mail.head), mail])).values(),
];

/** The rounds that mails tell, as company and day. */
const toldIn = (mails: readonly ReceivedMail[]): string[] =>
  mails.flatMap(({ plain }) =>
    [...plain.matchAll(/^\* (co-\d+): .*\n {2}(\d+ \w+ \d+)$/gm)].map(
      ([, name, day]) => `${name} ${new Date(`${day} UTC`).toISOString().slice(0, "YYYY-MM-DD".length)}`,
    ),
  );
