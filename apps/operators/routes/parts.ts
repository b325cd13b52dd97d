import type { Installation } from "@tranche/operations/installation/installation";
import type { Doing } from "@tranche/operations/accounts/operation";
import type { AuditLog } from "@tranche/shared/accounts/audit-log";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Logger } from "@tranche/shared/process/logger";
import type { Context } from "koa";
import { z } from "zod";
import type { AskedBy, PageRequest } from "@tranche/http/pages/requests";
import type { OperatorSessions } from "../access/sessions.ts";
import type { CountWrongToken } from "../access/wrong-tokens.ts";

/** The dependencies of the routes of the operators' pages. */
export type OperatorRouteParts = {
  installation: Installation;
  /** The stores of accounts, changed in the name of `actor`. */
  doingAs: (actor: string) => Doing;
  plans: () => Plans;
  sessions: OperatorSessions;
  token: string;
  countWrongToken: CountWrongToken;
  /** Of this program. */
  version: string;
  dealTypes: DealTypes;
  log: Logger;
};

/** A request of the operators' pages. */
export const request = <D, S extends z.ZodType = z.ZodUndefined>(
  facts: Pick<PageRequest<object, S>, "body" | "status">,
  answer: (asked: AskedBy<object, z.output<S>>) => Promise<D>,
): PageRequest<object, S, D> => ({ ...facts, answer });

/** A body that its handler reads by itself. */
export const BYTES = z.unknown() as z.ZodType<unknown, Blob>;

/** The actor of a request, as the audit log names it. */
export const actorOf = (ctx: Context): string => `operators:${ctx.ip.replace(/^::ffff:/, "")}`;

/** The audit log, under the name of the sender of a request. */
export const auditLogOf = (ctx: Context, { client, names }: Installation): AuditLog => ({
  client,
  index: names.accounts,
  actor: actorOf(ctx),
});
