import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodedOnce } from "./encoded.ts";

test("bytes are compressed once for each encoding, and come out as they were", async () => {
  const bytes = Buffer.from("a page of rows ".repeat(500));
  const encoded = encodedOnce(bytes);
  const [first, second] = await Promise.all([encoded("br"), encoded("br")]);
  expect(second).toBe(first);
  expect(brotliDecompressSync(first)).toEqual(bytes);
  expect(gunzipSync(await encoded("gzip"))).toEqual(bytes);
  expect(first.length).toBeLessThan(bytes.length / 10);
});

test("bytes that could not be compressed are compressed at the next request", async () => {
  let tries = 0;
  const encoded = encodedOnce(Buffer.from("rows"), async () => {
    if (++tries === 1) throw new Error("no memory");
    return Buffer.from("small");
  });
  await expect(encoded("gzip")).rejects.toThrow("no memory");
  expect(String(await encoded("gzip"))).toBe("small");
  await encoded("gzip");
  expect(tries).toBe(2);
});
