import type { Digest } from "@tranche/webhooks/digest-store";
import type { Follow } from "@tranche/webhooks/follow";
import { type DigestText, digestText, WHEN } from "../mail/digest-text.ts";
import { cut, oneLine, withoutAddresses } from "../mail/letter.ts";

/** A message of an incoming webhook. `text` is what notifications show. */
export type SlackMessage = { text: string; blocks: object[] };

/** Characters that Slack takes in a section and in a header. */
const SECTION = 3000;
const HEADER = 150;
/** Characters of one line. */
const LINE = 250;

/** The message that tells a channel what has changed in what a member follows, and why it comes. */
export function digestMessage(
  follow: Pick<Follow, "name" | "of" | "member" | "every">,
  digest: Pick<Digest, "rows" | "more" | "removed">,
  dashboard: string,
): SlackMessage {
  const { followed, subject, came, items, rest } = digestText(follow, digest, dashboard);
  const why = `${follow.member} follows “${followed}” here, ${WHEN[follow.every]}.`;
  return {
    text: escaped(subject),
    blocks: [
      { type: "header", text: { type: "plain_text", emoji: false, text: cut(subject, HEADER) } },
      section(escaped(came)),
      ...items.map((item) => section(itemOf(item))),
      ...rest.map((line) => section(escaped(line))),
      context(`${escaped(why)} ${linked("End it", `${dashboard}/follows`)}`),
    ],
  };
}

/** The first message, which shows that the address works and who has it. */
export function greeting(follow: Pick<Follow, "name" | "member" | "every">, dashboard: string): SlackMessage {
  const text = `${follow.member} follows “${withoutAddresses(follow.name)}” here, ${WHEN[follow.every]}.`;
  return { text: escaped(text), blocks: [section(`${escaped(text)} ${linked("Look at it", `${dashboard}/follows`)}`)] };
}

/** Where its address and its escaped characters are too long together, the first line is left. */
function itemOf({ title, url, lines }: DigestText["items"][number]): string {
  const whole = [linked(title, url), ...lines.map(escaped)].join("\n");
  return whole.length <= SECTION ? whole : escaped(title);
}

// Verbatim: otherwise Slack makes links and mentions of what looks like some.
const mrkdwn = (text: string) => ({ type: "mrkdwn", verbatim: true, text });
const section = (text: string) => ({ type: "section", text: mrkdwn(text) });
const context = (text: string) => ({ type: "context", elements: [mrkdwn(text)] });
const linked = (text: string, url: string) => `<${url}|${escaped(text)}>`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** A line that stays a text. */
const escaped = (text: string): string =>
  cut(oneLine(text), LINE).replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);
