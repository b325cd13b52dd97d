import { shareByKey } from "@tranche/shared/process/share-by-key";
import { problemOfUrl, type UrlRules } from "@tranche/webhooks/webhook-url";
import { LRUCache } from "lru-cache";
import { type Dispatcher, request } from "undici";
import { z } from "zod";
import { type Client, type FindClient, shownName, UnusableClient } from "./client.ts";
import { mayRedirectTo } from "./redirects.ts";

const ANSWER_WITHIN_MS = 5000;
const MAX_BYTES = 16 * 1024;
/** A document is read again after this time. */
const KEEP_MS = 5 * 60_000;
const MAX_KEPT = 500;

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.string().optional(),
});

/**
 * Finds clients whose client_id is the address of a document that describes them. A stranger names the address, so it is read by the rules
 * of webhooks: public addresses, no redirect, little time and few bytes. `failed` gets what members are not told: whether a name leads to
 * an address inside is nobody's business.
 */
export function createReadClientDocument(
  dispatcher: Dispatcher,
  rules: UrlRules,
  failed: (clientId: string, error: Error) => void,
): FindClient {
  const kept = new LRUCache<string, Client>({ max: MAX_KEPT, ttl: KEEP_MS });
  const share = shareByKey<Client>();
  const read = async (clientId: string): Promise<Client> => {
    let text: string;
    try {
      text = await textAt(clientId, dispatcher);
    } catch (error) {
      if (error instanceof UnusableClient) throw error;
      failed(clientId, error as Error);
      const reason = `The document at ${clientId} can't be read: nothing answers there within 5 s, or its address is not a public one.`;
      throw new UnusableClient(reason, { cause: error });
    }
    const client = clientOf(clientId, text);
    kept.set(clientId, client);
    return client;
  };
  return async (clientId) => {
    if (problemOfUrl(clientId, rules) !== undefined || !namesDocument(clientId)) {
      throw new UnusableClient(
        "client_id is not the address of a document about the application. Expected one such as https://assistant.example/client.json.",
      );
    }
    return kept.get(clientId) ?? share(clientId, () => read(clientId));
  };
}

/** A path is needed, and no part of it may lead elsewhere than it says: the address is compared letter by letter. */
function namesDocument(clientId: string): boolean {
  const { pathname, href } = new URL(clientId);
  return pathname !== "/" && href === clientId;
}

async function textAt(url: string, dispatcher: Dispatcher): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    signal,
    headers: { accept: "application/json" },
  });
  // Without a listener, an answer that is not read to its end would end the process.
  body.on("error", () => {});
  const refuse = (problem: string) => {
    body.destroy();
    return new UnusableClient(`The document at ${url} ${problem}.`);
  };
  if (statusCode !== 200) throw refuse(`is not there: the answer is ${statusCode}`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers["content-type"]))) throw refuse("is not JSON");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw refuse(`is larger than ${MAX_BYTES / 1024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The client that a document describes. Throws UnusableClient. */
export function clientOf(clientId: string, text: string): Client {
  const refuse = (problem: string) => new UnusableClient(`The document at ${clientId} ${problem}.`);
  let json: unknown;
  try {
    json = JSON.parse(text) as unknown;
  } catch {
    throw refuse("is not JSON");
  }
  const { success, data, error } = documentSchema.safeParse(json);
  if (!success) {
    const { path, message } = error.issues[0]!;
    throw refuse(`is not one about an application: ${path.join(".") || "it"}: ${message}`);
  }
  if (data.client_id !== clientId) throw refuse("is about another client_id");
  const method = data.token_endpoint_auth_method ?? "none";
  if (method !== "none") {
    throw refuse('asks for another token_endpoint_auth_method than "none", the only one here');
  }
  const redirect_uris = data.redirect_uris.filter(mayRedirectTo);
  if (redirect_uris.length === 0) throw refuse("has no redirect_uris that codes may be sent to");
  const { host } = new URL(clientId);
  return { id: clientId, name: shownName(data.client_name ?? "") ?? host, host, redirect_uris };
}
