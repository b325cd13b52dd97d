import type { Client, DiagnosticResult } from "@elastic/elasticsearch";
import { type BulkAnswer, isSentAgain } from "@tranche/shared/engines/search/bulk";
import { isRepeated, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { closedIndexText } from "../terminal/closed-index.ts";

/** A request that still fails after this time is being repeated: any other failure ends the command. */
const REPORT_AFTER_MS = 1500;

/**
 * Reports what a command waits for while it repeats a request to Elasticsearch, and when that ends. It listens to the client, so it covers
 * every command.
 */
export function reportWaits(client: Client, tell: (line: string) => void, reportAfterMs = REPORT_AFTER_MS): void {
  const failing = new Map<string, { since: number; reported: boolean }>();
  client.diagnostic.on("response", (error, result) => {
    if (!result || (error && !isRepeated(error))) return;
    const { method, path } = result.meta.request.params;
    const request = `${method} ${path}`;
    const known = failing.get(request);
    const reason = error ? error.message : retryReason(path, result);
    if (reason === undefined) {
      failing.delete(request);
      if (known?.reported) tell("Elasticsearch accepts the request again.");
    } else if (!known) failing.set(request, { since: Date.now(), reported: false });
    else if (!known.reported && Date.now() - known.since >= reportAfterMs) {
      known.reported = true;
      tell(waitText(reason.replaceAll(/\s+/g, " ")));
    }
  });
}

function waitText(reason: string): string {
  const closed = closedIndexText(reason);
  return closed ? `${closed} Waiting …` : `Elasticsearch refused or failed a request (${reason}); waiting …`;
}

type Answer = Parameters<typeof wholeAnswer>[0];

/** Why an answer with status 200 makes the client repeat the request; undefined if it does not. */
function retryReason(path: string, { body }: DiagnosticResult): string | undefined {
  if (path.endsWith("/_bulk")) {
    const { items = [] } = body as Partial<BulkAnswer>;
    const again = items.map((item) => Object.values(item)[0]!).find(isSentAgain);
    return again && (again.error?.reason ?? `status ${again.status}`);
  }
  if (!/\/_(?:search|count)$/.test(path)) return undefined;
  try {
    wholeAnswer(body as Answer);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
