import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { familyOf, newCode, newHandle, newRefreshToken } from "./api-key.ts";
import {
  accessTokenEnd,
  exchanged,
  type Grant,
  isOpen,
  judgeCode,
  judgeRefresh,
  newGrant,
  takesPlace,
} from "./grant.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const DAY = 86_400_000;
const RESOURCE = "https://api.example/mcp";
const CLIENT = "https://assistant.example/client.json";
const VERIFIER = "v".repeat(43);
const id = newHandle();
const code = newCode(id);
const use = {
  code,
  clientId: CLIENT,
  redirectUri: "https://assistant.example/back",
  resource: RESOURCE,
  verifier: VERIFIER,
};

const fresh = (): Grant =>
  newGrant(
    {
      key_id: id,
      account: newHandle(),
      email: "ada@example.com",
      stamp: "s",
      client: { id: CLIENT, name: "Assistant", host: "assistant.example" },
      redirect_uri: use.redirectUri,
      challenge: hash("sha256", VERIFIER, "base64url"),
      resource: RESOURCE,
    },
    code,
    NOW,
  );
const first = newRefreshToken(id);
const redeemed = (now = NOW) => exchanged(fresh(), { used: code, refreshToken: first }, now);
const next = () => newRefreshToken(id, familyOf(first));
const judged = (grant: Grant, refreshToken: string, now: number, clientId = CLIENT) =>
  judgeRefresh(grant, { refreshToken, clientId, resource: RESOURCE }, now);

test("what is stored gives neither code nor refresh token away", () => {
  const stored = JSON.stringify([fresh(), redeemed()]);
  for (const secret of [code, first, familyOf(first), code.slice(13)]) expect(stored).not.toContain(secret);
});

test("a code is good for 60 s, for its client, redirect, resource and verifier, and does not let anybody in by itself", () => {
  const grant = fresh();
  expect(judgeCode(grant, use, NOW + 59_999)).toBe("good");
  expect(isOpen(grant, NOW)).toBe(false);
  for (const wrong of [
    { code: newCode(id) },
    { clientId: "https://other.example/client.json" },
    { redirectUri: "https://assistant.example/back?x" },
    { resource: "https://api.example" },
    { verifier: "w".repeat(43) },
  ]) {
    expect(judgeCode(grant, { ...use, ...wrong }, NOW)).toHaveProperty("refused");
  }
  expect(judgeCode(grant, use, NOW + 60_000)).toHaveProperty("refused");
});

test("a code that was used is a stolen one, whoever sends it and whenever", () => {
  expect(judgeCode(redeemed(), { ...use, verifier: "w".repeat(43) }, NOW + DAY)).toHaveProperty("stolen");
});

test("a refresh token works again within 10 s of its replacement, and both that replaced it do", () => {
  const grant = redeemed();
  const [second, twin] = [next(), next()];
  const once = exchanged(grant, { used: first, refreshToken: second }, NOW + 1_000);
  expect(judged(once, first, NOW + 10_999)).toBe("good");
  const twice = exchanged(once, { used: first, refreshToken: twin }, NOW + 5_000);
  expect([judged(twice, second, NOW + DAY), judged(twice, twin, NOW + DAY)]).toEqual(["good", "good"]);
  expect(judged(twice, first, NOW + 11_000)).toHaveProperty("stolen");

  const after = exchanged(twice, { used: twin, refreshToken: next() }, NOW + DAY);
  expect(judged(after, second, NOW + DAY + 9_999)).toBe("good");
  expect(judged(after, second, NOW + DAY + 10_000)).toHaveProperty("stolen");
  expect(after.refresh_tokens).toHaveLength(3);
});

test("a refresh token however old is known by its family, and one of another family does nothing", () => {
  let [grant, token] = [redeemed(), first];
  for (let n = 1; n <= 50; n++) {
    const replacement = next();
    grant = exchanged(grant, { used: token, refreshToken: replacement }, NOW + n * 60_000);
    token = replacement;
  }
  expect(grant.refresh_tokens.length).toBeLessThan(3);
  expect(judged(grant, first, NOW + DAY)).toHaveProperty("stolen");
  expect(judged(grant, newRefreshToken(id), NOW + DAY)).toHaveProperty("refused");
  expect(judged(grant, first, NOW + DAY, "https://other.example/client.json")).toHaveProperty("refused");
});

test("a client that sends one token in a loop does not grow the document", () => {
  let grant = redeemed();
  for (let n = 0; n < 100; n++) grant = exchanged(grant, { used: first, refreshToken: next() }, NOW + 1);
  expect(grant.refresh_tokens).toHaveLength(20);
});

test("a grant is over after 30 days without a refresh, and after 180 days at most", () => {
  let grant = redeemed();
  expect([isOpen(grant, NOW + 30 * DAY - 1), isOpen(grant, NOW + 30 * DAY)]).toEqual([true, false]);
  expect(judged(grant, first, NOW + 30 * DAY)).toHaveProperty("refused");
  let token = first;
  for (let day = 29; day < 180; day += 29) {
    const replacement = next();
    grant = exchanged(grant, { used: token, refreshToken: replacement }, NOW + day * DAY);
    token = replacement;
  }
  expect([isOpen(grant, NOW + 180 * DAY - 1), isOpen(grant, NOW + 180 * DAY)]).toEqual([true, false]);
  expect(Date.parse(accessTokenEnd(grant, NOW + DAY))).toBe(NOW + DAY + 3_600_000);
  expect(Date.parse(accessTokenEnd(grant, NOW + 180 * DAY - 1_000))).toBe(NOW + 180 * DAY);
});

test("a code takes a place until it ends, and a grant while it lets in", () => {
  expect(takesPlace(fresh(), NOW + 59_999)).toBe(true);
  expect(takesPlace(fresh(), NOW + 60_000)).toBe(false);
  expect(takesPlace(redeemed(), NOW + 60_000)).toBe(true);
  expect(takesPlace({ ...redeemed(), ended_at: "2026-01-01T00:00:00Z" }, NOW)).toBe(false);
});
