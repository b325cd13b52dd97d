import type { IncomingMessage } from "node:http";
import { unauthorized } from "../errors/api-error.ts";

/** The Authorization header of a request, "" without one; throws `unauthorized` when there are several: Node shows the first alone. */
export function authorizationOf({ headers, rawHeaders }: IncomingMessage): string {
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length === 13 && name.toLowerCase() === "authorization") count++;
  }
  if (count > 1) throw unauthorized("The request has more than one Authorization header. Send one.");
  return headers.authorization ?? "";
}

/**
 * The key of an Authorization header; throws `unauthorized` when there is none. The scheme may be in any case. Blanks around the
 * value are gone when it comes here; nothing else around it is forgiven.
 */
export function bearerKey(text: string): string {
  if (text === "") throw unauthorized("No API key. Send the header `Authorization: Bearer <API_KEY>`.");
  const key = /^bearer(?: +([^ ].*))?$/i.exec(text);
  if (!key)
    throw unauthorized(
      "The Authorization header does not use the Bearer scheme. Send `Authorization: Bearer <API_KEY>`.",
    );
  if (!key[1]) throw unauthorized("The Authorization header has no key after `Bearer`.");
  return key[1];
}
