import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenName } from "@tranche/operations/accounts/given-name";
import { type KeyView, keyView } from "@tranche/operations/accounts/key-view";
import { type Overview, overviews } from "@tranche/operations/accounts/overview";
import type { Account } from "@tranche/shared/accounts/account-store";
import { createDailyUsage, type UsageLine } from "@tranche/shared/accounts/daily-usage";
import type { Role } from "@tranche/shared/accounts/role";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

export type AccountRow = {
  id: string;
  name: string;
  plan: string;
  status: Account["status"];
  created_at: string;
  working_keys: number;
  requests_this_month: number;
  /** Requests that the plan allows in a month; null when the plan is no longer in force. */
  quota: number | null;
  last_used_at: string | null;
};
export type AccountView = AccountRow & {
  keys: KeyView[];
  members: { email: string; role: Role; added_at: string }[];
  /** Requests by day, the oldest first; days without any are left out. */
  usage: UsageLine[];
};
/** A new account, with its first key, which is shown only here. */
export type NewAccount = { id: string; name: string; plan: string; key: string };

/** Accounts: what `ops accounts` does. */
export function addAccounts(router: Router, { installation, accountsAs, plans }: OperatorRouteParts): void {
  const usage = createDailyUsage(installation.redis, installation.settings.TRANCHE_NAMESPACE);
  const membership = createMemberStore(installation.client, installation.names);
  const plan = z.string("Choose a plan.").refine((id) => Object.hasOwn(plans(), id), "There is no such plan.");
  const reading = accountsAs("operators");

  const rowOf = ({ account: id, name: called, plan: on, status, created_at, ...rest }: Overview): AccountRow => ({
    id,
    name: called,
    plan: on,
    status,
    created_at,
    working_keys: rest.working_keys,
    requests_this_month: rest.requests_this_month,
    quota: plans()[on]?.quota ?? null,
    last_used_at: rest.last_used_at,
  });
  const found = async (id: string): Promise<Account> => {
    const account = await reading.account(id);
    if (!account) throw new PageError("not_found", "There is no such account.");
    return account;
  };
  const shown = ({ account: id, name: called, plan: on, status }: Account) => ({ id, name: called, plan: on, status });

  router.get("/accounts", async (ctx) => {
    const rows = await overviews(installation, reading, await reading.accounts());
    ctx.body = { data: rows.map(rowOf).toReversed() };
  });

  router.get("/accounts/:id", async (ctx) => {
    const account = await found(ctx.params["id"]!);
    const [[overview], keys, days, members] = await Promise.all([
      overviews(installation, reading, [account]),
      reading.keys(account.account),
      usage.read(account.account, Date.now()),
      membership.ofAccount(account.account),
    ]);
    const view: AccountView = {
      ...rowOf(overview!),
      keys: keys.map((key) => keyView(key, Date.now())).toReversed(),
      members: members.map(({ email, role, added_at }) => ({ email, role, added_at })),
      usage: days,
    };
    ctx.body = { data: view };
  });

  router.post("/accounts", async (ctx) => {
    const wanted = bodyOf(ctx, z.object({ name: givenName, plan }));
    const accounts = accountsAs(actorOf(ctx));
    const account = await accounts.createAccount(wanted);
    const { key } = await accounts.createKey({ account: account.account, name: "first key" });
    const made: NewAccount = { id: account.account, name: account.name, plan: account.plan, key };
    ctx.status = 201;
    ctx.body = { data: made };
  });

  router.put("/accounts/:id/plan", async (ctx) => {
    const { plan: wanted } = bodyOf(ctx, z.object({ plan }));
    const { account } = await found(ctx.params["id"]!);
    ctx.body = { data: shown(await accountsAs(actorOf(ctx)).setPlan(account, wanted)) };
  });

  router.post("/accounts/:id/suspend", async (ctx) => {
    const { reason } = bodyOf(
      ctx,
      z.object({ reason: z.string().trim().max(500, "At most 500 characters.").optional() }),
    );
    const { account } = await found(ctx.params["id"]!);
    ctx.body = { data: shown(await accountsAs(actorOf(ctx)).suspend(account, reason || undefined)) };
  });

  router.post("/accounts/:id/resume", async (ctx) => {
    const { account } = await found(ctx.params["id"]!);
    ctx.body = { data: shown(await accountsAs(actorOf(ctx)).resume(account)) };
  });

  router.post("/accounts/:id/delete", async (ctx) => {
    const { confirm } = bodyOf(ctx, z.object({ confirm: z.string("Confirm with the account's id.") }));
    const { account } = await found(ctx.params["id"]!);
    if (confirm !== account) {
      throw new PageError("invalid_request", "Confirm with the account's id.", { parameter: "confirm" });
    }
    ctx.body = { data: shown(await accountsAs(actorOf(ctx)).remove(account)) };
  });
}
