import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import {
  givenEmail,
  givenExpiry,
  givenLength,
  givenLimit,
  givenName,
  givenReason,
  givenRole,
} from "@tranche/operations/accounts/given";
import type { Doing, Field, Kinds, OneOf, Operation } from "@tranche/operations/accounts/operation";
import { ALL_OPERATIONS, type OperationName } from "@tranche/operations/accounts/operations";
import type { Account } from "@tranche/shared/accounts/account-store";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { Context } from "koa";
import { z } from "zod";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

/** A request whose answer is made for a page: its `data`. */
export type PageHandler = (doing: Doing, account: Account | undefined) => Promise<unknown>;

/** The operations on accounts: what `ops accounts` and `ops keys` do, by the same rows. `handlers`: of those that have no view in the table. */
export function addOperations(
  router: Router,
  { doingAs, plans }: OperatorRouteParts,
  handlers: { [N in OperationName]?: PageHandler },
): void {
  const schemas = schemasOf(plans);
  for (const [name, row] of ALL_OPERATIONS) {
    if (!("operators" in row) || !row.operators) continue;
    const { operators } = row;
    const { route, status = 200, input = row.input } = operators;
    const body = bodySchema(schemas, input, row.oneOf);
    const [method, path] = route.split(" ") as [string, string];
    router.register(path, [method], async (ctx: Context) => {
      const doing = doingAs(actorOf(ctx));
      const given = input.length > 0 ? bodyOf(ctx, body) : {};
      const on = row.on === "account" ? await accountFor(doing, row, ctx) : ctx["params"].id;
      const data = handlers[name]
        ? await handlers[name](doing, on)
        : operators.view?.(await row.does(doing, on as never, given as never));
      ctx.status = status;
      ctx.body = { data };
    });
  }
}

/** The account of a request, when the operation may be done to it. */
async function accountFor({ accounts }: Doing, row: Operation, ctx: Context): Promise<Account> {
  const confirmed = row.confirm ? bodyOf(ctx, CONFIRMED).confirm : undefined;
  const account = await accounts.account(ctx["params"].id);
  if (!account) throw new PageError("not_found", "There is no such account.");
  if (row.notDeleted && account.status === "deleted") throw new PageError("conflict", "The account is deleted.");
  if (row.confirm && confirmed !== account.account) {
    throw new PageError("invalid_request", CONFIRM, { parameter: "confirm" });
  }
  return account;
}

const CONFIRM = "Confirm with the account's id.";
const CONFIRMED = z.object({ confirm: z.string(CONFIRM) });

type Schemas = { [K in keyof Kinds]: z.ZodType<Kinds[K] | undefined> };

export const schemasOf = (plans: () => Plans): Schemas => ({
  name: givenName,
  plan: z.string("Choose a plan.").refine((id) => Object.hasOwn(plans(), id), "There is no such plan."),
  reason: givenReason,
  email: givenEmail,
  role: givenRole,
  // A page from before an upgrade gives null for a key that always works.
  expires: givenExpiry.nullable().transform((given) => given ?? undefined),
  overlap: z.int("Give whole seconds.").min(0, "Give whole seconds."),
  burst: givenLimit,
  quota: givenLimit,
  lasts: givenLength,
});

/** The schema of the body of a request. Anything but a fitting value, or no member at all, is refused: null must not stand for a default. */
export const bodySchema = (schemas: Schemas, fields: readonly Field[], oneOf?: OneOf) =>
  z
    .object(
      Object.fromEntries(
        fields.map((field) => {
          const kind = field.replace("?", "") as keyof Kinds;
          return [kind, kind === field ? schemas[kind] : schemas[kind].optional()];
        }),
      ),
    )
    .refine((given) => !oneOf || oneOf.kinds.some((kind) => given[kind] !== undefined), {
      error: oneOf?.refusal,
      path: oneOf?.kinds.slice(0, 1),
    });
