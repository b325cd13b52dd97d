import type { Client } from "@elastic/elasticsearch";
import { atHorizon } from "@tranche/read-models/feed/position";
import { decodePosition, encodePosition } from "@tranche/read-models/feed/position-text";
import { expect, test } from "vitest";
import { createGivenPositions } from "./given-positions.ts";

const NAMES = { control: "t-control" };
const POSITION = { digest: "AAAAAAAAAAAA", position: atHorizon("epoch", 1000) };

/** An index of one document, which counts how often it is read. */
function storeOf(stored?: { key: string }) {
  const store = { stored, reads: 0 };
  const client = {
    get: async () => ({ found: (store.reads++, store.stored !== undefined), _source: store.stored }),
    index: async ({ document }: { document: { key: string } }) => void (store.stored ??= document),
  } as unknown as Client;
  return { store, client };
}

test("what one process gave, another one takes", async () => {
  const { client } = storeOf();
  const [one, other] = [createGivenPositions(client, NAMES), createGivenPositions(client, NAMES)];
  const text = await one.write(POSITION);
  expect(decodePosition(text)).toMatchObject(POSITION);
  expect(await other.gave(decodePosition(text)!)).toBe(true);
});

test("a position that was changed, or has no proof, was not given", async () => {
  const positions = createGivenPositions(storeOf().client, NAMES);
  const { proof } = decodePosition(await positions.write(POSITION))!;
  const earlier = { ...POSITION.position, asof: 1, changed: 1, known: 0, id: "" };
  expect(await positions.gave({ ...POSITION, position: earlier, proof })).toBe(false);
  expect(await positions.gave({ ...POSITION, digest: "BBBBBBBBBBBB", proof })).toBe(false);
  expect(await positions.gave({ ...POSITION, proof: "x" })).toBe(false);
  expect(await positions.gave(decodePosition(encodePosition(POSITION))!)).toBe(false);
});

test("the key is read once in an epoch, because a restore may bring another one", async () => {
  const { client, store } = storeOf({ key: "a" });
  const positions = createGivenPositions(client, NAMES);
  const before = await positions.write(POSITION);
  expect(await positions.write(POSITION)).toBe(before);
  expect(store.reads).toBe(1);
  store.stored = { key: "b" };
  const next = { ...POSITION, position: atHorizon("next", 1000) };
  expect(await createGivenPositions(client, NAMES).gave(decodePosition(await positions.write(next))!)).toBe(true);
});
