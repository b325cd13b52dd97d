import { newApiKey } from "@tranche/shared/accounts/api-key";
import { hashOfKey } from "@tranche/shared/accounts/api-key";
import type { SessionStore } from "@tranche/shared/accounts/session-store";
import { expect, test } from "vitest";
import { createFindSession, type KnownSessions } from "./find-session.ts";

const THERE = {} as NonNullable<Awaited<ReturnType<SessionStore["find"]>>>;
const REFUSED = { code: "too_many_requests", headers: { "Retry-After": expect.stringMatching(/^\d+$/) } };

function dashboard() {
  const lookUps: string[] = [];
  const there = new Set<string>();
  const known = new Set<string>();
  const notes: KnownSessions = {
    note: async (hash) => void known.add(hash),
    forget: async (hash) => void known.delete(hash),
    has: async (hash) => known.has(hash),
  };
  const find = createFindSession(
    {
      async find(token) {
        lookUps.push(token);
        return there.has(token) ? THERE : undefined;
      },
    },
    notes,
  );
  const forge = async (count: number, address: string) => {
    for (let n = 0; n < count; n++) await find(newApiKey("00000000"), address).catch(() => {});
  };
  const start = () => {
    const token = newApiKey("00000000");
    there.add(token);
    known.add(hashOfKey(token));
    return token;
  };
  return { find, forge, start, there, lookUps };
}

test("an address's wrong cookies are looked up 60 times a minute", async () => {
  const { find, forge, lookUps } = dashboard();
  await forge(500, "203.0.113.1");
  expect(lookUps).toHaveLength(60);
  await expect(find(newApiKey("00000000"), "203.0.113.1")).rejects.toMatchObject(REFUSED);
  expect(await find(newApiKey("00000000"), "203.0.113.2")).toBeUndefined();
  await forge(500, "2001:db8::1");
  await expect(find(newApiKey("00000000"), "2001:db8::2")).rejects.toMatchObject(REFUSED);
});

test("a right cookie is admitted whatever others send from its address, until its session is over", async () => {
  const { find, forge, start, there, lookUps } = dashboard();
  await forge(100, "203.0.113.1");
  const token = start();
  for (let n = 0; n < 100; n++) expect(await find(token, "203.0.113.1")).toBe(THERE);
  there.delete(token);
  expect(await find(token, "203.0.113.1")).toBeUndefined();
  const before = lookUps.length;
  await expect(find(token, "203.0.113.1")).rejects.toMatchObject(REFUSED);
  expect(lookUps).toHaveLength(before);
});
