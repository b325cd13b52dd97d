import { about, type Told } from "@tranche/operations/accounts/operation";
import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import type { AuditAction, AuditEntry } from "@tranche/shared/accounts/audit";
import { browserName } from "../sessions/browser-name.ts";

/** Names of an account's keys and webhooks by their ids. */
export type Names = ReadonlyMap<string, string>;

const webhook = (done: string) => about("webhook", done);

const TEXTS: Partial<Record<AuditAction, (told: Told) => string>> = {
  ...Object.fromEntries(ALL_OPERATIONS.flatMap(([, { audit }]) => (audit ? [[audit.action, audit.told]] : []))),
  "session.start": ({ details }) => `signed in with ${browserName(details["name"] ?? "")}`,
  "session.end": () => "ended a session",
  "session.end_all": () => "signed out everywhere",
  "feed.create": ({ details }) => `created a feed link of “${details["name"]}”`,
  "feed.revoke": () => "revoked a feed link",
  "application.allow": () => "connected an application",
  "application.end": () => "disconnected an application",
  "follow.create": () => "followed something",
  "follow.change": () => "changed what they follow",
  "follow.pause": () => "paused a follow, which could not be told",
  "follow.delete": ({ details, isOwn }) =>
    isOwn ? "ended what they followed" : `ended what ${details["member"] ?? "somebody"} followed`,
  "webhook.create": webhook("created"),
  "webhook.activate": webhook("activated"),
  "webhook.refuse": webhook("refused to activate"),
  "webhook.pause": webhook("paused"),
  "webhook.resume": webhook("resumed"),
  "webhook.start": webhook("sent everything to"),
  "webhook.rotate": webhook("rotated the secret of"),
  "webhook.delete": webhook("deleted"),
};

/** An entry in words, with its actor and time. What operators note for themselves, such as a reason, is not for customers; neither are their names. */
export function logEntryView({ audit_id, at, actor, action, key_id, details = {} }: AuditEntry, names: Names) {
  const of = names.get(details["webhook_id"] ?? key_id ?? "") ?? details["name"] ?? "";
  const email = details["email"] ?? details["member"];
  const told = TEXTS[action]?.({ details, of, isOwn: actor === `member:${email}` }) ?? action;
  const { outcome } = details;
  return { id: audit_id, at, who: whoOf(actor), what: outcome === undefined ? told : `${told} (${outcome})` };
}

function whoOf(actor: string): string {
  if (actor.startsWith("member:")) return actor.slice("member:".length);
  return /^ops:|^operators:/.test(actor) ? "the operators" : "the service";
}
