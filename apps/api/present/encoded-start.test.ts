import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodedStart } from "./encoded-start.ts";

const START = Buffer.from("the beginning of many replies, naïve ".repeat(5000));

test.each([1, 2, 60, 255, 256, 65_535])("an end of %d bytes after a compressed start is one stream", async (length) => {
  const end = Buffer.alloc(length, "end ");
  const encoded = encodedStart(START)(end);
  const whole = Buffer.concat([START, end]);
  for (const [encoding, decode] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const stream = await encoded(encoding);
    expect(decode(stream).equals(whole), encoding).toBe(true);
    expect(stream.length - length).toBeLessThan(START.length / 50);
  }
});

test("each end is in its own stream only", async () => {
  const encodedWith = encodedStart(START);
  const ends = ["one", "another", "one"].map((text) => encodedWith(Buffer.from(text)));
  const streams = await Promise.all(ends.map((encoded) => encoded("gzip")));
  expect(streams.map((stream) => gunzipSync(stream).subarray(START.length).toString())).toEqual([
    "one",
    "another",
    "one",
  ]);
});

test.each([0, 65_536])("an end of %d bytes does not fit", async (length) => {
  await expect(encodedStart(START)(Buffer.alloc(length))("br")).rejects.toThrow(RangeError);
});
