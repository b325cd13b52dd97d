import { expect, test } from "vitest";
import { createFindClient, UnusableClient } from "./client.ts";

const described = { id: "https://a.example/client.json", name: "A", host: "a.example", redirect_uris: [] };
const readDocument = async (clientId: string) => {
  if (clientId === described.id) return described;
  throw new UnusableClient("no document");
};
const client = {
  kind: "client",
  key_id: "registered",
  name: "B",
  redirect_uris: ["https://b.example/back"],
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-02T00:00:00Z",
} as const;
const registered = { find: async (id: string) => (id === client.key_id ? client : undefined) };

test("a client is found by its document or its registration", async () => {
  const find = createFindClient(readDocument, registered);
  expect(await find(described.id)).toBe(described);
  expect(await find("registered")).toEqual({
    id: "registered",
    name: "B",
    host: null,
    redirect_uris: ["https://b.example/back"],
  });
  await expect(find("other")).rejects.toThrow(/not registered here/);
});

test("where clients can't register, one that did before is not found", async () => {
  await expect(createFindClient(readDocument, undefined)("registered")).rejects.toThrow("no document");
});
