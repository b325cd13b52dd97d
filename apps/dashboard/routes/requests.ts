import type Router from "@koa/router";
import { addRequests, type AskedBy, type PageRequest } from "@tranche/http/pages/requests";
import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import type { Role } from "@tranche/shared/accounts/role";
import type { z } from "zod";
import { assertActive } from "../sessions/rights.ts";
import type { RequireSession, SignedIn } from "../sessions/signed-in.ts";

/** The needs of a member's request. That of an operation has all but its body from its row. */
type Needs = {
  /** Missing: the row of the operation has it. */
  role?: Role;
  /** Only in an account that is not suspended. */
  needsActive?: true;
  ownSession?: true;
};
type Facts<S extends z.ZodType> = Pick<PageRequest<never, S>, "body" | "status" | "answersItself">;

/** A member's request, as its handler gets it. */
export type Asked<B = unknown> = AskedBy<SignedIn, B>;

/** A request of the pages. `role` is null where it needs no session. */
type DashboardRequest<By = never, S extends z.ZodType = z.ZodType, D = unknown> = Omit<Needs, "role"> & {
  role?: Role | null;
} & PageRequest<By, S, D>;

/** A request of a member. */
export const request = <D, S extends z.ZodType = z.ZodUndefined>(
  facts: Facts<S> & Needs,
  answer: (asked: Asked<z.output<S>>) => Promise<D>,
): DashboardRequest<SignedIn, S, D> => ({ ...facts, answer });

/** A request that needs no session. */
export const openRequest = <D, S extends z.ZodType = z.ZodUndefined>(
  facts: Facts<S>,
  answer: (asked: AskedBy<object, z.output<S>>) => Promise<D>,
): DashboardRequest<object, S, D> => ({ ...facts, role: null, answer });

const ROWS = new Map(ALL_OPERATIONS.flatMap(([, { members }]) => (members ? [[members.route, members]] : [])));

/** The requests of a table, each with what it needs. Throws for one without a role. */
export const withNeeds = <T extends Readonly<Record<string, DashboardRequest>>>(requests: T) =>
  Object.fromEntries(
    Object.entries(requests).map(([route, one]) => {
      const { role, ...rest }: DashboardRequest = { ...one, ...ROWS.get(route) };
      if (role === undefined) throw new Error(`There is no role for ${route}.`);
      return [route, { ...rest, role }];
    }),
  );

/** Adds the requests of a table. Session, role, state of the account and body are looked at before a handler is called. */
export function addDashboardRequests(
  router: Router,
  requests: Readonly<Record<string, DashboardRequest>>,
  requireSession: RequireSession,
): void {
  addRequests(router, withNeeds(requests), async (ctx, { role, ownSession, needsActive }) => {
    if (role === null) return {} as SignedIn;
    const signedIn = await requireSession(ctx, { role, ownSession });
    if (needsActive) assertActive(signedIn.account);
    return signedIn;
  });
}
