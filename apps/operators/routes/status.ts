import { readStatus } from "@tranche/operations/status/status";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import { type OperatorRouteParts, request } from "./parts.ts";

/** The state of the installation, as `ops status` shows it, and the plans in force. */
export function statusRequests({ installation, version, plans }: OperatorRouteParts) {
  // Several open pages share a reading. Reading waits while Elasticsearch is away. One reading at a time does not pile up.
  const read = memoizeFor(installation.timing.operatorReadings, async () => {
    const status = await readStatus(installation, version);
    return { ...status, read_at: new Date().toISOString() };
  });
  return {
    "GET /status": request({}, read),
    "GET /plans": request({}, async () => Object.entries(plans()).map(([id, plan]) => ({ id, ...plan }))),
  };
}
