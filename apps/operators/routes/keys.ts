import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenExpiry } from "@tranche/operations/accounts/given-expiry";
import { givenName } from "@tranche/operations/accounts/given-name";
import { type KeyView, keyView } from "@tranche/operations/accounts/key-view";
import { z } from "zod";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

/** A new key, which is shown only here. */
export type NewKey = KeyView & { key: string };

const wanted = z.object({
  name: givenName,
  expires: givenExpiry.nullish(),
});

/** The keys of an account: what `ops keys` does. */
export function addKeys(router: Router, { accountsAs }: OperatorRouteParts): void {
  router.post("/accounts/:id/keys", async (ctx) => {
    const { name, expires } = bodyOf(ctx, wanted);
    const { key, record } = await accountsAs(actorOf(ctx)).createKey({
      account: ctx.params["id"]!,
      name,
      ...(expires ? { expiresAt: expires } : {}),
    });
    const made: NewKey = { ...keyView(record, Date.now()), key };
    ctx.status = 201;
    ctx.body = { data: made };
  });

  router.post("/keys/:id/revoke", async (ctx) => {
    ctx.body = { data: keyView(await accountsAs(actorOf(ctx)).revokeKey(ctx.params["id"]!), Date.now()) };
  });
}
