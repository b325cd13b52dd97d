import type { Client, DiagnosticResult } from "@elastic/elasticsearch";
import { wholeAnswer } from "@tranche/shared/search/retry-forever";
import { closedIndexText } from "../terminal/closed-index.ts";

/** Only a request that is repeated fails again after this time: any other failure ends the command. */
const TELL_AFTER_MS = 1500;

/**
 * Prints what a command waits for while a request to Elasticsearch is repeated, and when that ends. It listens to the client, so no
 * command that repeats a request waits silently.
 */
export function tellWaits(client: Client, tell: (line: string) => void, tellAfterMs = TELL_AFTER_MS): void {
  const failing = new Map<string, { since: number; told: boolean }>();
  client.diagnostic.on("response", (error, result) => {
    if (!result) return;
    const { method, path } = result.meta.request.params;
    const request = `${method} ${path}`;
    const known = failing.get(request);
    const reason = error ? error.message : putOff(path, result);
    if (reason === undefined) {
      failing.delete(request);
      if (known?.told) tell("Elasticsearch takes the request now.");
    } else if (!known) failing.set(request, { since: Date.now(), told: false });
    else if (!known.told && Date.now() - known.since >= tellAfterMs) {
      known.told = true;
      tell(waitText(reason.replaceAll(/\s+/g, " ")));
    }
  });
}

function waitText(reason: string): string {
  const closed = closedIndexText(reason);
  return closed ? `${closed} Waiting …` : `Elasticsearch refused or failed a request (${reason}); waiting …`;
}

type Answer = Parameters<typeof wholeAnswer>[0];
type BulkItems = { items?: Record<string, { status: number; error?: { reason: string } }>[] };

/** Why an answer with status 200 is asked for again; undefined if it is not. */
function putOff(path: string, { body }: DiagnosticResult): string | undefined {
  if (path.endsWith("/_bulk")) {
    const outcomes = ((body as BulkItems).items ?? []).map((item) => Object.values(item)[0]!);
    const again = outcomes.find(({ status }) => status === 429 || status >= 500);
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
