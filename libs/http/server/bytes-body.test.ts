import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { bytesOf } from "./bytes-body.ts";

const SILENT_FOR_MS = 200;

/** A request whose body has these pauses before its pieces; the last one may never come. */
function slowly(pauses: readonly number[]) {
  const pieces = (async function* () {
    for (const ms of pauses) {
      await pause(ms);
      yield Buffer.from("ab");
    }
  })();
  return { headers: {}, req: Readable.from(pieces, { objectMode: false }) as IncomingMessage };
}

test("a body that keeps coming is read, however long it takes", async () => {
  const bytes = await bytesOf(slowly(Array.from({ length: 6 }, () => SILENT_FOR_MS / 3)), 100, SILENT_FOR_MS);
  expect(bytes.toString()).toBe("ab".repeat(6));
});

test("one that stops coming is refused, with what came", async () => {
  await expect(bytesOf(slowly([0, 20 * SILENT_FOR_MS]), 100, SILENT_FOR_MS)).rejects.toMatchObject({
    status: 408,
    code: "request_timeout",
    message: "No byte came for 0.2 s after the first 1 KiB. Send it again.",
  });
});

test("one that is too long is not read to its end", async () => {
  await expect(bytesOf(slowly([0, 0, 20 * SILENT_FOR_MS]), 3, SILENT_FOR_MS)).rejects.toMatchObject({ status: 413 });
});
