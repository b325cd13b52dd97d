import { expect, test } from "vitest";
import { troubleOf } from "./trouble.ts";

test.each([
  [
    "All sentinels are unreachable. Retrying from scratch after 200ms. Last error: ERR No such master with that name",
    /^the Sentinels know no master/,
  ],
  [
    "connected to sentinel 10.0.0.1:26379 successfully, but got an invalid reply: null",
    /^Sentinel 10\.0\.0\.1:26379 knows no master/,
  ],
  [
    "failed to connect to sentinel s:26379 because WRONGPASS invalid username-password pair",
    /refuses sentinel_user or sentinel_password/,
  ],
  [
    "All sentinels are unreachable. Retrying from scratch after 200ms. Last error: NOAUTH Authentication required.",
    /refuse sentinel_user or sentinel_password/,
  ],
  [
    "All sentinels are unreachable. Retrying from scratch after 200ms. Last error: Connection is closed.",
    /^no Sentinel answers/,
  ],
  [
    "WRONGPASS invalid username-password pair or user is disabled.",
    /^Redis refuses the user or the password of REDIS_URL/,
  ],
  ["ERR This instance has cluster support disabled", /use redis:\/\/ for it/],
  ["connect ECONNREFUSED 127.0.0.1:6379", /^connect ECONNREFUSED/],
])("%s", (message, text) => {
  expect(troubleOf(new Error(message))).toMatch(text);
});
