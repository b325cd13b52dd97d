import type { Digest } from "@tranche/webhooks/digest-store";
import type { Follow } from "@tranche/webhooks/follow";
import { digestText, WHEN } from "./digest-text.ts";
import { letter } from "./letter.ts";
import type { Mail } from "./mailer.ts";

/** Addresses that a digest leads to. */
export type DigestUrls = { dashboard: string; unsubscribe: { page: string; oneClick: string } };

/** The mail that tells a member what has changed in what they follow, why they get it, and how to end it. */
export function digestMail(
  follow: Pick<Follow, "name" | "of" | "member" | "every">,
  digest: Pick<Digest, "rows" | "more" | "removed">,
  { dashboard, unsubscribe }: DigestUrls,
): Mail {
  const { followed, subject, came, items, rest } = digestText(follow, digest, dashboard);
  const mail = letter(follow.member, subject, [
    came,
    ...(items.length > 0 ? [{ items }] : []),
    ...rest,
    { title: "What you follow", link: "See what you follow", url: `${dashboard}/follows` },
    `You get this because you follow “${followed}” by mail, ${WHEN[follow.every]}.`,
    { title: "Stop following", link: "Stop following", url: unsubscribe.page },
  ]);
  return {
    ...mail,
    headers: {
      "List-Unsubscribe": `<${unsubscribe.oneClick}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}
