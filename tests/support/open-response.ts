import { get, type IncomingMessage } from "node:http";

/** Sends a request over a connection of its own. The response comes with its headers, before anything of its body is read. */
export async function openResponse(
  url: string,
  options: { method?: string; headers: Record<string, string> },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false, ...options }, resolve).on("error", reject);
  return promise;
}
