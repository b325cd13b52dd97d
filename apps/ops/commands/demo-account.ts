import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

const NAME = "Demo";
const MEMBER = "demo@example.com";

/** `npm start` calls this at each start: there is one account of this name, and only its newest key works. */
export function demoAccountCommand(ops: Ops): Command {
  return new Command("demo-account")
    .description(
      "Create the demo account (plan scale) unless it exists, a new key for it, and a link that signs in to its dashboard. Its earlier keys are revoked.",
    )
    .action(async () => {
      const store = await ops.accounts();
      const account =
        (await store.accounts()).find(({ name, status }) => name === NAME && status === "active") ??
        (await store.createAccount({ name: NAME, plan: "scale" }));
      const earlier = await store.keys(account.account);
      for (const { key_id, revoked_at } of earlier) if (revoked_at === null) await store.revokeKey(key_id);
      const { key } = await store.createKey({ account: account.account, name: "demo" });
      const { signInLink } = await import("../accounts/sign-in-link.ts");
      const url = await signInLink(await ops.engines(), { account: account.account, email: MEMBER });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key, sign_in_url: url },
        `Account ${account.account} (${account.name}) on plan ${account.plan}.\nKey (shown only once): ${key}\nSign in: ${url}`,
      );
    });
}
