import { Command } from "commander";
import type { Ops } from "../ops.ts";
import { accountStore } from "./accounts.ts";

const NAME = "Demo";

/** What `npm start` calls at each start: one account of this name, and only its newest key holds. */
export function demoAccountCommand(ops: Ops): Command {
  return new Command("demo-account")
    .description(
      "Makes the demo account (plan scale) unless it is there, and a fresh key; its earlier keys are revoked.",
    )
    .action(async () => {
      const store = await accountStore(ops);
      const account =
        (await store.accounts()).find(({ name, status }) => name === NAME && status === "active") ??
        (await store.createAccount({ name: NAME, plan: "scale" }));
      const earlier = await store.keys(account.account);
      for (const { key_id, revoked_at } of earlier) if (revoked_at === null) await store.revokeKey(key_id);
      const { key } = await store.createKey({ account: account.account, name: "demo" });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key },
        `Account ${account.account} (${account.name}) on plan ${account.plan}.\nKey, shown only now: ${key}`,
      );
    });
}
