import { SCOPE } from "@tranche/shared/accounts/oauth-addresses";
import type { RegisteredClient } from "@tranche/shared/accounts/client-store";
import { z } from "zod";
import { shownName } from "./client.ts";
import { OAuthError } from "./oauth-error.ts";
import { mayRedirectTo } from "./redirects.ts";

const MOST_REDIRECTS = 10;
const UNNAMED = "Unnamed application";

const metadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
});

/** The facts that a client gives about itself at its registration (RFC 7591), as far as they matter here. Throws an OAuthError. */
export function readRegistration(body: unknown): Pick<RegisteredClient, "name" | "redirect_uris"> {
  const { success, data, error } = metadata.safeParse(body);
  if (!success) {
    const { path, message } = error.issues[0]!;
    const [member] = path;
    const code = member === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new OAuthError(code, `${path.join(".") || "The body"}: ${message}`);
  }
  const wrong = data.redirect_uris.find((uri) => !mayRedirectTo(uri));
  if (wrong !== undefined) {
    const expected = "Expected https, http at loopback, or the scheme of a program.";
    throw new OAuthError("invalid_redirect_uri", `Codes are not sent to '${wrong.slice(0, 100)}'. ${expected}`);
  }
  return { name: shownName(data.client_name ?? "") ?? UNNAMED, redirect_uris: data.redirect_uris };
}

/** The answer to a registration. What the client asked for and is off here is replaced (RFC 7591, 3.2.1). */
export const registrationView = ({ key_id, name, redirect_uris, created_at }: RegisteredClient) => ({
  client_id: key_id,
  client_id_issued_at: Math.floor(Date.parse(created_at) / 1000),
  client_name: name,
  redirect_uris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  scope: SCOPE,
});
