import { PageError } from "@tranche/http/errors/page-error";
import { givenEmail } from "@tranche/operations/accounts/given";
import { wayOf } from "@tranche/webhooks/follow";
import type { FollowOfAccount } from "@tranche/webhooks/follow-store";
import { z } from "zod";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

const ended = z.object({ email: givenEmail, id: z.string("Send an id.").max(100).optional() });

/** Admins see who follows how much in Slack and by mail, and end it. */
export function memberFollowRequests({ followsAs }: DashboardParts) {
  return {
    /**
     * The follows of each other member. Those in Slack are read by everybody in a channel. Those by mail are their member's own business, so they
     * are only counted.
     */
    "GET /members/follows": request({ role: "admin" }, async ({ account, session }) => {
      const all = await followsAs("dashboard").ofAccount(account.account);
      const byMember = Map.groupBy(all, ({ member }) => member);
      byMember.delete(session.member);
      return [...byMember].map(([email, follows]) => {
        const inSlack = follows.filter((follow) => wayOf(follow) === "slack");
        return { email, by_mail: follows.length - inSlack.length, in_slack: inSlack.map(inSlackView) };
      });
    }),

    /** Ends one in Slack by its id, and without one everything that comes by mail. */
    "POST /members/follows/end": request(
      { role: "admin", body: ended },
      async ({ account: { account }, actor, body: { email, id } }) => {
        const store = followsAs(actor);
        if (id === undefined) return store.removeOfMember(account, email, "mail");
        const follow = await store.find(id);
        const isMeant = follow?.account === account && follow.member === email && wayOf(follow) === "slack";
        if (!isMeant) throw new PageError("not_found", `${email} does not follow this in Slack any more.`);
        return store.remove(follow);
      },
    ),
  };
}

const inSlackView = ({ follow_id, name, every, status, reason, created_at }: FollowOfAccount) => ({
  id: follow_id,
  name,
  every,
  status,
  reason,
  created_at,
});
