import { Router } from "@koa/router";
import { NoDeadLetter } from "@tranche/operations/dead-letters/retry-or-discard";
import { NothingRolledBack } from "@tranche/operations/rebuild/rollback";
import { AccountError } from "@tranche/shared/accounts/account";
import { PageError } from "@tranche/http/errors/page-error";
import { translated } from "@tranche/http/errors/translated";
import { addRequests, type Sent } from "@tranche/http/pages/requests";
import type { OperatorsRequests } from "@tranche/operations/accounts/operations";
import { PAGES_API } from "../access/guard.ts";
import { accountPages } from "./accounts.ts";
import { auditRequests } from "./audit.ts";
import { deadLetterRequests } from "./dead-letters.ts";
import { addFiles, type FileView } from "./files.ts";
import { mappingRequests } from "./mappings.ts";
import { addOperations } from "./operations.ts";
import type { OperatorRouteParts } from "./parts.ts";
import { queueRequests } from "./queues.ts";
import { rebuildRequests } from "./rebuilds.ts";
import { sessionRequests } from "./session.ts";
import { setRequests } from "./sets.ts";
import { statusRequests } from "./status.ts";
import { answeredInTime } from "./time-limit.ts";

/** The requests of the operators' pages that are no operations of the table, by method and path. */
const operatorRequests = (parts: OperatorRouteParts) => ({
  ...sessionRequests(parts),
  ...statusRequests(parts),
  ...mappingRequests(parts),
  ...setRequests(parts),
  ...queueRequests(parts),
  ...deadLetterRequests(parts),
  ...rebuildRequests(parts),
  ...auditRequests(parts),
});

/** The types of bodies and data of the operators' pages, made of the requests and of the table of operations. */
export type OperatorRequests = OperatorsRequests<ReturnType<typeof accountPages>> &
  Sent<ReturnType<typeof operatorRequests>> & { "POST /files/look": { body: Blob; data: FileView } };

/** The requests of the operators' pages. Apart from signing in, every caller here is an operator. */
export function createRouter(parts: OperatorRouteParts): Router {
  const router = new Router({ prefix: PAGES_API });
  const inTime = answeredInTime(parts.installation);
  router.use(translated(refusal));
  // The time in which the beginning of a file arrives is not ours.
  addFiles(router, parts, inTime);
  router.use(inTime);
  addOperations(router, parts, accountPages(parts));
  addRequests(router, operatorRequests(parts), async () => ({}));
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
