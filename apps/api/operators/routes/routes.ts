import { Router } from "@koa/router";
import { NoDeadLetter } from "@tranche/operations/dead-letters/retry-or-discard";
import { NothingRolledBack } from "@tranche/operations/rebuild/rollback";
import { AccountError } from "@tranche/shared/accounts/account";
import { isEngineError } from "@tranche/shared/search/client";
import type { Middleware } from "koa";
import { OperatorError } from "../access/errors.ts";
import { PAGES_API } from "../access/guard.ts";
import { addAccounts } from "./accounts.ts";
import { addAudit } from "./audit.ts";
import { addDeadLetters } from "./dead-letters.ts";
import { addIngests } from "./ingests.ts";
import { addKeys } from "./keys.ts";
import { addMembers } from "./members.ts";
import type { Parts } from "./parts.ts";
import { addRebuilds } from "./rebuilds.ts";
import { addSession } from "./session.ts";
import { addStatus } from "./status.ts";

const ANSWER_WITHIN_MS = 15_000;

/** What the operators' pages request. Whoever gets here is an operator, but for signing in. */
export function createRouter(parts: Parts): Router {
  const router = new Router({ prefix: PAGES_API });
  router.use(answeredInTime(ANSWER_WITHIN_MS), errorsForPeople());
  addSession(router, parts);
  addStatus(router, parts);
  addAccounts(router, parts);
  addKeys(router, parts);
  addMembers(router, parts);
  addIngests(router, parts);
  addDeadLetters(router, parts);
  addRebuilds(router, parts);
  addAudit(router, parts);
  return router;
}

/** What operators do waits for engines that are away, without a limit. A page gets an answer. */
function answeredInTime(ms: number): Middleware {
  return async (_ctx, next) => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(
          new OperatorError(
            "unavailable",
            "Elasticsearch or Redis does not answer. A change may still be made: the audit log says.",
          ),
        ),
      ms,
    );
    await Promise.race([next(), late.promise]).finally(() => clearTimeout(timer));
  };
}

function errorsForPeople(): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown as Error;
      if (error instanceof NoDeadLetter) throw new OperatorError("not_found", error.message);
      if (error instanceof AccountError || error instanceof NothingRolledBack) {
        throw new OperatorError("conflict", error.message);
      }
      if (isEngineError(error)) {
        throw new OperatorError("unavailable", "Elasticsearch could not answer.", { cause: error });
      }
      throw error;
    }
  };
}
