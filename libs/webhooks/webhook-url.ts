import { isIP } from "node:net";
import type { Settings } from "@tranche/shared/process/settings";
import { assertPublic } from "./forbidden-address.ts";

/** `public`: HTTPS to public addresses. `any`: HTTP and every address, for development. */
export type AllowedTargets = "public" | "any";

/** Where webhooks may be sent. `own`: addresses under which the service is called. */
export type UrlRules = { targets: AllowedTargets; own: readonly string[] };

export type UrlSettings = Pick<Settings, "TRANCHE_WEBHOOK_TARGETS" | "TRANCHE_PUBLIC_URL" | "TRANCHE_DASHBOARD_URL">;

export const urlRules = (settings: UrlSettings): UrlRules => ({
  targets: settings.TRANCHE_WEBHOOK_TARGETS,
  own: [settings.TRANCHE_PUBLIC_URL, settings.TRANCHE_DASHBOARD_URL].filter((url) => url !== undefined),
});

const MAX_LENGTH = 2000;
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
const PORTS = ["", "443", "8443"];

/**
 * Why nothing is sent to a URL, for people; undefined when it may be. What its name resolves to is checked later, whenever something is
 * sent.
 */
export function problemOfUrl(text: string, { targets, own }: UrlRules): string | undefined {
  if (text.length > MAX_LENGTH) return `The URL is longer than ${MAX_LENGTH} characters.`;
  if (!URL.canParse(text)) return `'${text}' is not a URL. Expected one such as https://example.com/webhooks.`;
  const url = new URL(text);
  if (url.username || url.password)
    return "The URL has credentials. Leave them out: deliveries are signed with the webhook's secret.";
  if (url.hash) return "The URL has a part after '#', which is never sent. Leave it out.";
  if (targets === "any")
    return /^https?:$/.test(url.protocol) ? undefined : `The URL begins with ${url.protocol}// instead of https://.`;
  if (url.protocol !== "https:") {
    const remedy = LOOPBACK.test(url.hostname) ? " To try it on one machine, set TRANCHE_WEBHOOK_TARGETS=any." : "";
    return `The URL begins with ${url.protocol}// instead of https://.${remedy}`;
  }
  if (!PORTS.includes(url.port)) return `The URL has port ${url.port}. Webhooks go to ports 443 and 8443 only.`;
  if (own.some((address) => URL.canParse(address) && hostOf(new URL(address)) === hostOf(url))) {
    return `The URL leads to ${url.hostname}, which is the service itself.`;
  }
  return problemOfHost(url.hostname.replace(/^\[|\]$/g, ""));
}

/** Without a final dot, which leads to the same host. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, "");

function problemOfHost(host: string): string | undefined {
  if (isIP(host) === 0) return undefined;
  try {
    assertPublic(host);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
