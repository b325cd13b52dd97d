import { readStatus } from "@tranche/operations/status/status";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import { type OperatorRouteParts, request } from "./parts.ts";

/** Several open pages share a reading. */
const STATUS_FOR_MS = 1000;

/** The state of the installation, as `ops status` shows it, and the plans in force. */
export function statusRequests({ installation, version, plans }: OperatorRouteParts) {
  // Reading waits while Elasticsearch is away. One reading at a time does not pile up.
  const read = memoizeFor(STATUS_FOR_MS, async () => {
    const status = await readStatus(installation, version);
    return { ...status, read_at: new Date().toISOString() };
  });
  return {
    "GET /status": request({}, read),
    "GET /plans": request({}, async () => Object.entries(plans()).map(([id, plan]) => ({ id, ...plan }))),
  };
}
