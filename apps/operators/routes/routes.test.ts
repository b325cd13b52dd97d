import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import { expect, test } from "vitest";
import { PAGES_API } from "../access/guard.ts";
import { bodySchema, schemasOf } from "./operations.ts";
import type { OperatorRouteParts } from "./parts.ts";
import { createRouter } from "./routes.ts";

/** Routes only call their parts while they are added. */
const parts: OperatorRouteParts = new Proxy({} as OperatorRouteParts, {
  get: (_, name): unknown =>
    name === "installation" ? parts : name === "settings" || name === "names" ? {} : () => ({}),
});

test("every operation of the table is answered, and accounts and keys have no other requests", () => {
  const there = createRouter(parts).stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== "HEAD").map((method) => `${method} ${String(path).replace(PAGES_API, "")}`),
  );
  const inTable = ALL_OPERATIONS.flatMap(([, row]) => ("operators" in row && row.operators ? row.operators.route : []));
  const groups = new Set(inTable.map((route) => route.split("/")[1]));
  expect(there.filter((route) => groups.has(route.split("/")[1])).toSorted()).toEqual(inTable.toSorted());
});

test("an operation without a view of its own has a handler of the pages", async () => {
  const { accountPages } = await import("./accounts.ts");
  const without = ALL_OPERATIONS.flatMap(([name, row]) =>
    "operators" in row && row.operators && !row.operators.view ? name : [],
  );
  expect(Object.keys(accountPages(parts)).toSorted()).toEqual(without.toSorted());
});

test("null is no role or email that may be left out, but no expiry", () => {
  const read = (fields: Parameters<typeof bodySchema>[1], body: object) =>
    bodySchema(
      schemasOf(() => ({})),
      fields,
    ).safeParse(body);
  const link = { email: "ada@example.com" };
  expect(read(["email", "role?"], link).data).toEqual(link);
  expect(read(["email", "role?"], { ...link, role: null }).error?.issues[0]).toMatchObject({
    path: ["role"],
    message: expect.stringContaining("Choose a role"),
  });
  expect(read(["name", "email?"], { name: "Acme", email: null }).success).toBe(false);
  expect(read(["reason?"], { reason: null }).success).toBe(false);
  for (const none of [{}, { expires: null }]) {
    expect(read(["name", "expires?"], { name: "Key", ...none }).data).toEqual({ name: "Key" });
  }
});
