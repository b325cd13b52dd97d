import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { expect, test } from "vitest";
import { createWriter } from "./write.ts";

function collect() {
  const written: RecordWrite[] = [];
  const taken: number[] = [];
  let next = 1000;
  const writer = createWriter({
    enqueuer: {
      add: async (write) => void written.push(write),
      flush: async () => {},
      jobIds: () => [],
      waiting: () => 0,
    },
    takeVersions: async (count) => {
      taken.push(count);
      next += count + 7;
      return next - count - 7;
    },
    updatedAt: () => "2025-06-15T12:00:00.000Z",
  });
  return { writer, written, taken };
}

const record = (id: number, version?: number) =>
  ({ type: "investor", id: `i${id}`, version, body: null, notes: [] }) as ParsedRecord;

test("records without version take consecutive ones in blocks, in their order", async () => {
  const { writer, written, taken } = collect();
  for (let i = 0; i < 1200; i++) await writer.add(record(i));
  await writer.flush();
  expect(taken).toEqual([500, 500, 200]);
  expect(written.map((write) => write.id)).toEqual(Array.from({ length: 1200 }, (_, i) => `i${i}`));
  const versions = written.map((write) => write.version);
  expect(versions.toSorted((a, b) => a - b)).toEqual(versions);
  expect(versions[499]! - versions[0]!).toBe(499);
});

test("a given version stays, and takes none", async () => {
  const { writer, written, taken } = collect();
  await writer.add(record(1, 10));
  await writer.add(record(2));
  await writer.add(record(3, 5));
  await writer.flush();
  expect(written.map((write) => write.version)).toEqual([10, 1000, 5]);
  expect(taken).toEqual([1]);
});

test("a record that comes again takes the place of the one that still waits, and is written again after it", async () => {
  const { writer, written } = collect();
  await writer.add(record(1));
  await writer.add(record(2));
  await writer.add(record(1), true);
  await writer.flush();
  await writer.add(record(1), true);
  await writer.flush();
  expect(written.map((write) => write.id)).toEqual(["i1", "i2", "i1"]);
  expect(written[2]!.version).toBeGreaterThan(written[0]!.version);
});

test("what could not be enqueued stays, in its order, and is counted as not enqueued", async () => {
  const written: string[] = [];
  let broken = true;
  const writer = createWriter({
    enqueuer: {
      async add(write) {
        if (broken && written.length === 3) throw new Error("Redis is full");
        written.push(write.id);
      },
      flush: async () => {},
      jobIds: () => [],
      waiting: () => 0,
    },
    takeVersions: async () => 1000,
    updatedAt: () => "2025-06-15T12:00:00.000Z",
  });
  for (let i = 0; i < 5; i++) await writer.add(record(i));
  await expect(writer.flush()).rejects.toThrow("Redis is full");
  expect(writer.counts()).toEqual({ added: 5, enqueued: 3 });
  broken = false;
  await writer.flush();
  expect(written).toEqual(["i0", "i1", "i2", "i3", "i4"]);
  expect(writer.counts()).toEqual({ added: 5, enqueued: 5 });
});
