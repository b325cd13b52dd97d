import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { z } from "zod";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

export type KeyView = {
  id: string;
  prefix: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
};
/** A new key, which is shown only here. */
export type NewKey = KeyView & { key: string };

/** A key as the pages show it. */
export const keyView = ({
  key_id,
  prefix,
  name,
  created_at,
  last_used_at,
  expires_at,
  revoked_at,
}: KeyRecord): KeyView => ({
  id: key_id,
  prefix,
  name,
  created_at,
  last_used_at: last_used_at ?? null,
  expires_at,
  revoked_at,
});

const wanted = z.object({
  name: z.string("Enter a name.").trim().min(1, "Enter a name.").max(200, "At most 200 characters."),
  /** The first day on which it no longer works, UTC. */
  expires: z.iso
    .date("Enter a day as YYYY-MM-DD.")
    .refine((day) => Date.parse(day) > Date.now(), "Choose a day in the future.")
    .nullish(),
});

/** The keys of an account: what `ops keys` does. */
export function addKeys(router: Router, { accountsAs }: OperatorRouteParts): void {
  router.post("/accounts/:id/keys", async (ctx) => {
    const { name, expires } = bodyOf(ctx, wanted);
    const { key, record } = await accountsAs(actorOf(ctx)).createKey({
      account: ctx.params["id"]!,
      name,
      ...(expires ? { expiresAt: new Date(expires).toISOString() } : {}),
    });
    const made: NewKey = { ...keyView(record), key };
    ctx.status = 201;
    ctx.body = { data: made };
  });

  router.post("/keys/:id/revoke", async (ctx) => {
    ctx.body = { data: keyView(await accountsAs(actorOf(ctx)).revokeKey(ctx.params["id"]!)) };
  });
}
