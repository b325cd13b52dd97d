import type { MemberStore } from "@tranche/shared/accounts/member-store";
import { hasEnded, wayOf } from "./follow.ts";
import type { FollowStore } from "./follow-store.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** A webhook or a follow in Slack: the plan of an account limits both together. */
type Receiver = { id: string; isActive: boolean };

/** Those of an account, without the follows of members who are gone. */
export type ReceiversOf = (account: string) => Promise<Receiver[]>;

export const createReceiversOf =
  (
    webhooks: Pick<WebhookStore, "ofAccount">,
    follows: Pick<FollowStore, "ofAccount">,
    members: Pick<MemberStore, "ofAccount">,
  ): ReceiversOf =>
  async (account) => {
    const [called, followed, present] = await Promise.all([
      webhooks.ofAccount(account),
      follows.ofAccount(account),
      members.ofAccount(account),
    ]);
    const byEmail = new Map(present.map((member) => [member.email, member]));
    const going = followed.filter(
      (follow) => wayOf(follow) === "slack" && !hasEnded(follow, byEmail.get(follow.member)),
    );
    return [
      ...called.map(({ webhook_id: id, status }) => ({ id, isActive: status === "active" })),
      ...going.map(({ follow_id: id, status }) => ({ id, isActive: status === "active" })),
    ];
  };
