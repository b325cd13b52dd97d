import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpacked } from "../sources/input.ts";
import { beginningOf } from "./beginning.ts";

async function* pieces(bytes: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const rows = (count: number) => Buffer.from(`name,note\n${'acme,"a\nb"\n'.repeat(count)}`);

test("a small file is read whole", async () => {
  const bytes = rows(3);
  expect(await beginningOf(pieces(bytes))).toEqual({ bytes, isWhole: true });
});

test("of a large one the beginning is read, up to the end of a row", async () => {
  let taken = 0;
  const counted = (async function* () {
    for await (const piece of pieces(rows(1_000_000))) {
      taken += piece.length;
      yield piece;
    }
  })();
  const { bytes, isWhole } = await beginningOf(counted);
  expect(isWhole).toBe(false);
  expect(taken).toBeLessThan(300_000);
  expect(bytes.toString().endsWith('acme,"a\nb"\n')).toBe(true);
});

test("a cut-off gzip file is read as far as it goes, and a whole one that is cut off is not", async () => {
  const noise = Buffer.from(
    Array.from({ length: 50_000 }, (_, row) => `acme-${(row * 7919) % 10007},${row}`).join("\n"),
  );
  const packed = gzipSync(noise).subarray(0, 100_000);
  const { bytes } = await beginningOf(unpacked(pieces(packed)), { isCut: true });
  expect(bytes.length).toBeGreaterThan(100_000);
  await expect(beginningOf(unpacked(pieces(packed.subarray(0, 50_000))))).rejects.toThrow("cut off");
});

test("one JSON object is read whole, up to a limit", async () => {
  const object = Buffer.from(JSON.stringify({ rounds: Array.from({ length: 20_000 }, () => "acme, inc.") }, null, 1));
  expect((await beginningOf(pieces(object))).isWhole).toBe(true);
  await expect(beginningOf(pieces(object), { most: 300 * 1024 })).rejects.toThrow(
    "one JSON object of more than 300 KiB",
  );
  await expect(beginningOf(pieces(object.subarray(0, 200_000)), { isCut: true })).rejects.toThrow("one JSON object");
});
