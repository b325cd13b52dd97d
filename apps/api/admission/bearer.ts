import { unauthorized } from "../errors/api-error.ts";

/** The key of an Authorization header; throws `unauthorized` when there is none. The scheme may be in any case. */
export function bearerKey(authorization: string | undefined): string {
  const text = authorization?.trim() ?? "";
  if (text === "") throw unauthorized("No API key. Send the header `Authorization: Bearer <API_KEY>`.");
  const key = /^bearer(?: +([^ ].*))?$/i.exec(text);
  if (!key)
    throw unauthorized(
      "The Authorization header does not use the Bearer scheme. Send `Authorization: Bearer <API_KEY>`.",
    );
  if (!key[1]) throw unauthorized("The Authorization header has no key after `Bearer`.");
  return key[1];
}
