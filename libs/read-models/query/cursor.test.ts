import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor, MAX_CURSOR_LENGTH } from "./cursor.ts";
import { listDigest } from "./sealed.ts";

const digest = listDigest("/api/v1/funding", { country: ["US"], sort: "amount_desc" });
const text = (maxLength: number) => fc.string({ unit: "binary", minLength: 1, maxLength }).map(withoutNul);
const withoutNul = (value: string) => value.replaceAll("\0", "-").toWellFormed();
const value = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: "binary", maxLength: 250 }).map(withoutNul),
);
const positions = fc.record({ value, id: text(80) });
const cursors = positions.map((position) => encodeCursor({ digest, position }));

test("any position is read as it was written", () =>
  fc.assert(
    fc.property(positions, (position) => {
      expect(decodeCursor(encodeCursor({ digest, position }))).toEqual({ digest, position });
    }),
  ));

test("a value that is too long is cut between two characters, and the cursor stays short", () => {
  const id = "i".repeat(400);
  for (const long of ["名".repeat(500), `x${"𠀀".repeat(500)}`, "a".repeat(9000)]) {
    const cursor = encodeCursor({ digest, position: { value: long, id } });
    expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
    const position = decodeCursor(cursor)!.position;
    expect(position).toMatchObject({ id, cut: true });
    expect(long.startsWith(position.value as string)).toBe(true);
    expect(Buffer.byteLength(position.value as string)).toBeGreaterThan(990);
    expect(decodeCursor(encodeCursor({ digest, position }))).toEqual({ digest, position });
  }
});

test("nothing else is a cursor, and nothing makes it throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (any) => {
      expect(decodeCursor(any)).toBe(undefined);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1600 }), (bytes) => {
      expect(decodeCursor(Buffer.from(bytes).toString("base64url"))).toBe(undefined);
      expect(decodeCursor(Buffer.from([1, ...bytes]).toString("base64url"))).toBe(undefined);
    }),
  );
});

test("a cursor with one character changed, lost or added is damaged", () =>
  fc.assert(
    fc.property(cursors, fc.nat(), fc.constantFrom(...Array.from("AZaz09-_=+ %")), (cursor, n, character) => {
      const at = n % cursor.length;
      const [head, tail] = [cursor.slice(0, at), cursor.slice(at + 1)];
      if (cursor[at] !== character) expect(decodeCursor(head + character + tail)).toBe(undefined);
      expect(decodeCursor(head + tail)).toBe(undefined);
      expect(decodeCursor(head + character + cursor.slice(at))).toBe(undefined);
    }),
  ));

test("a list is its path, its filters and its order", () => {
  const other = [
    listDigest("/api/v1/signals", { country: ["US"], sort: "amount_desc" }),
    listDigest("/api/v1/funding", { country: ["DE"], sort: "amount_desc" }),
    listDigest("/api/v1/funding", { country: ["US"], sort: "amount_asc" }),
  ];
  expect(new Set([digest, ...other]).size).toBe(4);
});
