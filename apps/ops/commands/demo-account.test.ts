import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@tranche/shared/accounts/account";
import { expect, test } from "vitest";
import type { Ops } from "../context/ops.ts";
import { demoAccountCommand } from "./demo-account.ts";

test("a start that is killed as soon as the demo account is made leads to no second one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tranche-demo-"));
  const made: string[] = [];
  const keysOf: string[] = [];
  const killed = () => Promise.reject(new Error("killed"));
  const store = {
    account: async (handle: string) =>
      made.includes(handle) ? ({ account: handle, status: "active" } as Account) : undefined,
    caller: async () => undefined,
    createAccount({ handle }: { handle: string }) {
      made.push(handle);
      return killed();
    },
    createKey({ account }: { account: string }) {
      keysOf.push(account);
      return killed();
    },
  };
  const ops = { doing: async () => ({ accounts: store }) } as unknown as Ops;
  const start = () => demoAccountCommand(ops).parseAsync(["--key-file", join(folder, "demo.key")], { from: "user" });
  await expect(start()).rejects.toThrow("killed");
  await expect(start()).rejects.toThrow("killed");
  expect(made).toHaveLength(1);
  expect(keysOf).toEqual(made);
  rmSync(folder, { recursive: true });
});
