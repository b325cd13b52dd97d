import { setTimeout as pause } from "node:timers/promises";
import type { Digest, ReadDigest } from "@tranche/webhooks/digest-store";
import { type Follow, type Way, wayOf } from "@tranche/webhooks/follow";
import { expect, test, vi } from "vitest";
import { CLAIMED_MS, startTellingDigests, type TellDigestsParts, type Told } from "./tell-digests.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;

/** One follow of each way, with a digest; and what was told of which. */
function world(slackTells: () => Promise<Told> = async () => "told") {
  const state = { now: NOW, isMember: true, told: [] as Way[] };
  const follow = (follow_id: Way, more: Partial<Follow>) => ({
    follow_id,
    account: "acme",
    member: "ada@example.com",
    name: "Seed",
    of: { kind: "search", id: "s" },
    every: "daily",
    status: "active",
    reason: null,
    unsubscribe: "x",
    created_at: "2026-11-01T00:00:00Z",
    ...more,
  });
  const follows = new Map(
    [follow("mail", {}), follow("slack", { slack: "sealed" })].map((f) => [f.follow_id, f as Follow]),
  );
  const digests = new Map(
    [...follows.values()].map((each): [string, Digest] => [
      each.follow_id,
      {
        kind: "digest",
        webhook: each.follow_id,
        way: wayOf(each),
        at: new Date(NOW).toISOString(),
        rows: [],
        more: 1,
        removed: 0,
        claimed_at: null,
      } as unknown as Digest,
    ]),
  );
  const write = ({ id }: ReadDigest, next: Partial<Digest>) => void digests.set(id, { ...digests.get(id)!, ...next });
  const parts = {
    follows: {
      find: async (id: string) => follows.get(id),
      change: async (id: string, next: Partial<Follow>) => void follows.set(id, { ...follows.get(id)!, ...next }),
      remove: async ({ follow_id }: Follow) => void follows.delete(follow_id),
    },
    digests: {
      unsent: async ({ claimedBefore, way }: { claimedBefore: Date; way: Way }) =>
        [...digests].flatMap(([id, digest]) => {
          const isFree = digest.claimed_at === null || digest.claimed_at <= claimedBefore.toISOString();
          return digest.kind === "digest" && digest.way === way && isFree ? [{ id, digest }] : [];
        }),
      claim: async (read: ReadDigest, at: Date) => {
        write(read, { claimed_at: at.toISOString() });
        return read;
      },
      sent: async (read: ReadDigest) => write(read, { kind: "sent-digest" }),
      forget: async () => 0,
    },
    accounts: { account: async () => ({ status: "active" }) },
    members: { one: async () => (state.isMember ? { added_at: "2026-10-01T00:00:00Z" } : undefined) },
    signIns: { among: async (members: string[]) => new Set(members) },
    mailer: { send: async () => void state.told.push("mail") },
    slack: {
      async tell() {
        const told = await slackTells();
        if (told === "told") state.told.push("slack");
        return told;
      },
    },
    urlsOf: () => ({ dashboard: "https://app.example.com/dashboard", unsubscribe: { page: "x", oneClick: "x" } }),
    log: { warn() {}, error() {} },
    timing: { followsLook: 1 },
    now: () => state.now,
  } as unknown as TellDigestsParts;
  return { state, follows, digests, start: () => startTellingDigests(parts) };
}

test("a slow answer of Slack holds up no mail", async () => {
  const answer = Promise.withResolvers<Told>();
  const { state, digests, start } = world(() => answer.promise);
  digests.set("later", { ...digests.get("mail")! });
  const stop = start();
  await vi.waitFor(() => expect(state.told).toEqual(["mail", "mail"]));
  digests.set("latest", { ...digests.get("later")!, kind: "digest", claimed_at: null });
  await vi.waitFor(() => expect(state.told).toEqual(["mail", "mail", "mail"]));
  answer.resolve("told");
  await stop();
  expect(state.told).toEqual(["mail", "mail", "mail", "slack"]);
});

test("a refused digest pauses its follow, and is sent once when the follow is resumed", async () => {
  let answer: Told = { refused: "Slack answered 410." };
  let asked = 0;
  const { state, follows, digests, start } = world(async () => {
    asked++;
    return answer;
  });
  const stop = start();
  const claimed = async () => {
    state.now += CLAIMED_MS;
    await vi.waitFor(() => expect(digests.get("slack")!.claimed_at).toBe(new Date(state.now).toISOString()));
  };
  await claimed();
  await vi.waitFor(() =>
    expect(follows.get("slack")).toMatchObject({ status: "paused", reason: "Slack answered 410." }),
  );
  for (let looks = 0; looks < 3; looks++) await claimed();
  expect([asked, digests.get("slack")!.kind]).toEqual([1, "digest"]);
  answer = "told";
  follows.set("slack", { ...follows.get("slack")!, status: "active" });
  await claimed();
  await vi.waitFor(() => expect(digests.get("slack")!.kind).toBe("sent-digest"));
  state.now += CLAIMED_MS;
  await pause(20);
  await stop();
  expect([asked, state.told]).toEqual([2, ["mail", "slack"]]);
});

test("a digest that was refused a week ago is dropped", async () => {
  const { state, follows, digests, start } = world(async () => ({ refused: "Slack answered 410." }));
  const stop = start();
  await vi.waitFor(() => expect(follows.get("slack")!.status).toBe("paused"));
  state.now += 7 * DAY_MS + 1;
  follows.set("slack", { ...follows.get("slack")!, status: "active" });
  await vi.waitFor(() => expect(digests.get("slack")!.kind).toBe("sent-digest"));
  await stop();
  expect(follows.get("slack")!.status).toBe("active");
});

test("a follow ends with its member, also while it is paused", async () => {
  const { state, follows, digests, start } = world();
  follows.set("slack", { ...follows.get("slack")!, status: "paused" });
  state.isMember = false;
  const stop = start();
  await vi.waitFor(() => expect([...digests.values()].map(({ kind }) => kind)).toEqual(["sent-digest", "sent-digest"]));
  await stop();
  expect([follows.size, state.told]).toEqual([0, []]);
});
