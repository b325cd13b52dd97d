import type { Context } from "koa";
import { expect, test } from "vitest";
import { createChanges } from "./changes.ts";

const member = (account: string, name = "ada@example.com") => ({ account, member: name });
const requestOf = (method: string, path: string) => ({ method, path }) as Context;

function changes() {
  const spent: string[] = [];
  const limited = createChanges({ spend: async (limit, by) => void spent.push(`${limit} ${by}`) });
  /** Begins a change that ends when `end` is called. */
  const change = async (by: ReturnType<typeof member>, method = "POST", path = "/dashboard/api/keys") => {
    const ctx = requestOf(method, path);
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const done = limited.ended(ctx, async () => {
      await limited.begin(ctx, by).then(begun.resolve, begun.reject);
      await promise;
    });
    await begun.promise;
    return async () => {
      resolve();
      await done;
    };
  };
  return { spent, change };
}

test("an account makes 5 changes at once, and others are not held up", async () => {
  const { change } = changes();
  const ends = await Promise.all(Array.from({ length: 5 }, () => change(member("acme"))));
  const refusal = { code: "too_many_requests", headers: { "Retry-After": "1" } };
  await expect(change(member("acme", "bob@example.com"))).rejects.toMatchObject(refusal);
  await change(member("other"));
  await ends[0]!();
  await change(member("acme"));
  await expect(change(member("acme"))).rejects.toMatchObject(refusal);
});

test("whoever changes things all the time can still be removed by the others", async () => {
  const { spent, change } = changes();
  for (let n = 0; n < 5; n++) await change(member("acme", "mallory@example.com"));
  await change(member("acme"), "POST", "/dashboard/api/members/remove");
  await change(member("acme"), "DELETE", "/dashboard/api/sessions/1");
  await change(member("acme"), "POST", "/dashboard/api/keys/1/revoke");
  await change(member("acme"), "POST", "/dashboard/api/members/follows/end");
  expect(new Set(spent)).toEqual(new Set(["changes_of acme", "changes_of acme:ada@example.com"]));
});
