import { expect, test } from "vitest";
import { connectionErrorText } from "./connection-errors.ts";

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
  ["OOM command not allowed when used memory > 'maxmemory'.", /^Redis takes no writes: its memory is full/],
  [
    "ERR Error running script (call to f_1): @user_script:7: @user_script: 7: -OOM command not allowed when used memory > 'maxmemory'.",
    /^Redis takes no writes: its memory is full/,
  ],
  ["NOREPLICAS Not enough good replicas to write.", /fewer replicas than min-replicas-to-write$/],
  [
    "MISCONF Errors writing to the AOF file: No space left on device",
    /can't save its data \(MISCONF .* left on device\)$/,
  ],
  ["BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", /SCRIPT KILL ends it$/],
  ["READONLY You can't write against a read only replica.", /it is a replica$/],
  ["connect ECONNREFUSED 127.0.0.1:6379", /^connect ECONNREFUSED/],
])("%s", (message, text) => {
  expect(connectionErrorText(new Error(message))).toMatch(text);
});
