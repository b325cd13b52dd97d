import { Router } from "@koa/router";
import { NoDeadLetter } from "@tranche/operations/dead-letters/retry-or-discard";
import { NothingRolledBack } from "@tranche/operations/rebuild/rollback";
import { AccountError } from "@tranche/shared/accounts/account";
import type { Middleware } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { PAGES_API } from "../access/guard.ts";
import { addAccounts } from "./accounts.ts";
import { addAudit } from "./audit.ts";
import { addDeadLetters } from "./dead-letters.ts";
import { addIngests } from "./ingests.ts";
import { addKeys } from "./keys.ts";
import { addMembers } from "./members.ts";
import type { OperatorRouteParts } from "./parts.ts";
import { addQueues } from "./queues.ts";
import { addRebuilds } from "./rebuilds.ts";
import { addSession } from "./session.ts";
import { addStatus } from "./status.ts";
import { answeredInTime } from "./time-limit.ts";

/** The requests of the operators' pages. Apart from signing in, every caller here is an operator. */
export function createRouter(parts: OperatorRouteParts): Router {
  const router = new Router({ prefix: PAGES_API });
  router.use(answeredInTime(parts.installation), errorsForPeople());
  addSession(router, parts);
  addStatus(router, parts);
  addAccounts(router, parts);
  addKeys(router, parts);
  addMembers(router, parts);
  addIngests(router, parts);
  addQueues(router, parts);
  addDeadLetters(router, parts);
  addRebuilds(router, parts);
  addAudit(router, parts);
  return router;
}

function errorsForPeople(): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown as Error;
      if (error instanceof NoDeadLetter) throw new PageError("not_found", error.message);
      if (error instanceof AccountError || error instanceof NothingRolledBack) {
        throw new PageError("conflict", error.message);
      }
      throw error;
    }
  };
}
