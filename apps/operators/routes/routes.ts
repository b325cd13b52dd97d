import { Router } from "@koa/router";
import { NoDeadLetter } from "@tranche/operations/dead-letters/retry-or-discard";
import { NothingRolledBack } from "@tranche/operations/rebuild/rollback";
import { AccountError } from "@tranche/shared/accounts/account";
import { PageError } from "@tranche/http/errors/page-error";
import { translated } from "@tranche/http/errors/translated";
import { PAGES_API } from "../access/guard.ts";
import { accountPages } from "./accounts.ts";
import { addAudit } from "./audit.ts";
import { addDeadLetters } from "./dead-letters.ts";
import { addFiles } from "./files.ts";
import { addMappings } from "./mappings.ts";
import { addOperations } from "./operations.ts";
import type { OperatorRouteParts } from "./parts.ts";
import { addQueues } from "./queues.ts";
import { addRebuilds } from "./rebuilds.ts";
import { addSession } from "./session.ts";
import { addSets } from "./sets.ts";
import { addStatus } from "./status.ts";
import { answeredInTime } from "./time-limit.ts";

/** The requests of the operators' pages. Apart from signing in, every caller here is an operator. */
export function createRouter(parts: OperatorRouteParts): Router {
  const router = new Router({ prefix: PAGES_API });
  const inTime = answeredInTime(parts.installation);
  router.use(translated(refusal));
  // The time in which the beginning of a file arrives is not ours.
  addFiles(router, parts, inTime);
  router.use(inTime);
  addSession(router, parts);
  addStatus(router, parts);
  addOperations(router, parts, accountPages(parts));
  addMappings(router, parts);
  addSets(router, parts);
  addQueues(router, parts);
  addDeadLetters(router, parts);
  addRebuilds(router, parts);
  addAudit(router, parts);
  return router;
}

/** The refusal of an action, in words for operators. Undefined for any other error. */
function refusal(error: Error): PageError | undefined {
  if (error instanceof NoDeadLetter) return new PageError("not_found", error.message);
  if (error instanceof AccountError || error instanceof NothingRolledBack) {
    return new PageError("conflict", error.message);
  }
  return undefined;
}
