import { AccountError } from "@tranche/shared/accounts/account";
import {
  FREQUENCIES,
  type Follow,
  type Followed,
  hasEnded,
  MAX_COMPANIES,
  MAX_FOLLOWS,
  MAX_ID,
} from "@tranche/webhooks/follow";
import type { FollowStore } from "@tranche/webhooks/follow-store";
import { WebhookError } from "@tranche/webhooks/webhook";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { searchName } from "../explore/saved-search.ts";
import { NO_MAILS } from "../mail/mailer.ts";
import { assertMayDo, notOwn } from "../sessions/rights.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import { followOf, followView, queryOf } from "./follow-view.ts";
import type { DashboardParts } from "./parts.ts";
import { type Asked, request } from "./requests.ts";

const every = z.enum(FREQUENCIES, "Choose how often.");
const id = z.string("Send an id.").min(1, "Send an id.").max(MAX_ID, `An id has at most ${MAX_ID} characters.`);
const of = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("search"), id }),
    z.object({ kind: z.literal("investor"), id, name: searchName }),
    z.object({
      kind: z.literal("companies"),
      ids: z
        .array(id)
        .min(1, "Choose a company.")
        .max(
          MAX_COMPANIES,
          `One follow holds at most ${MAX_COMPANIES} companies. For more, save a search that finds them, such as one by country or category, and follow it.`,
        ),
      name: searchName,
    }),
  ],
  "Choose a saved search, an investor or companies.",
);
const created = z.object({ of, every });
const createdInSlack = created.extend({ url: z.string("Give the address.").trim().min(1, "Give the address.") });
const changed = z.object({ every: every.optional(), resume: z.literal(true).optional() });

/** Members start and change follows for themselves alone. */
const OWN = { ownSession: true, needsActive: true } as const;

const NO_SLACK = "This service keeps no addresses of Slack. Its operators have to set TRANCHE_WEBHOOK_KEY.";

/** Follows of members. Everybody sees and changes their own alone. */
export function followRequests(parts: DashboardParts) {
  const { membersAs, searchesAs, followsAs, followFilters, followsFrom, signIns, signInLinks } = parts;
  const { slack, limits } = parts;

  /** Why a member can't be sent mails; undefined when they can. */
  const obstacle = async (account: string, member: string): Promise<string | undefined> => {
    if (!signInLinks) return NO_MAILS;
    if ((await signIns.among([member], account)).has(member)) return undefined;
    return "Sign in once by a link that was mailed to you, so that it is known that the address is yours.";
  };
  /** The follows of the member of a session. Ends those left from a membership before. */
  const followsOf = async ({ account, session, actor }: SignedIn): Promise<Follow[]> => {
    const store = followsAs(actor);
    const [all, member] = await Promise.all([
      store.ofMember(account.account, session.member),
      membersAs("dashboard").one(account.account, session.member),
    ]);
    const ended = all.filter((follow) => member && hasEnded(follow, member));
    for (const follow of ended) await store.remove(follow);
    return all.filter((follow) => !ended.includes(follow));
  };
  const ownOf = async ({ account, session, actor, id: asked }: Asked) => {
    const store = followsAs(actor);
    const follow = await store.find(asked);
    const isOwn = follow?.account === account.account && follow.member === session.member;
    if (!isOwn) throw new PageError("not_found", "You do not follow this any more.");
    return { store, follow };
  };

  const countBegun = ({ account, session }: SignedIn) =>
    limits.spend("follows_of", `${account.account}:${session.member}`);

  /** The follow that the member of a session wants. */
  async function inputOf({ account, session }: SignedIn, { of: wanted, every: often }: z.output<typeof created>) {
    const { name, query, followed } = await filtersOf(account.account, wanted);
    const list = "funding" as const;
    const canonical = await forPeople(async () => followFilters.canonical(list, query));
    return {
      account: account.account,
      member: session.member,
      name,
      of: followed,
      list,
      query: canonical,
      every: often,
    };
  }

  async function create(
    { actor }: SignedIn,
    input: Parameters<FollowStore["create"]>[0],
    mayStay: (id: string) => Promise<void>,
  ) {
    const from = await followsFrom(input.list);
    return followView(await forPeople(() => followsAs(actor).create(input, { from, mayStay })));
  }

  /** The name and the filters of what is to be followed. */
  async function filtersOf(
    account: string,
    wanted: z.output<typeof of>,
  ): Promise<Pick<Follow, "name" | "query"> & { followed: Followed }> {
    if (wanted.kind === "search") {
      const search = await searchesAs("dashboard").one({ account, id: wanted.id });
      if (search.list !== "funding") {
        throw new PageError("conflict", "Only searches of funding rounds can be followed by mail.");
      }
      return { ...followOf(search), followed: { kind: "search", id: search.id } };
    }
    const { name, ...followed } = wanted;
    return { name, query: queryOf(followed), followed };
  }

  return {
    /** The follows of a member, the oldest first. `by_mail` and `in_slack`: why that is not possible; null when it is. */
    "GET /follows": request({ role: "viewer" }, async (asked) => {
      const { account, session } = asked;
      const reason = notOwn(session);
      // What a member follows is nobody else's business.
      if (reason !== undefined) return { follows: [], max: MAX_FOLLOWS, by_mail: reason, in_slack: reason };
      const [follows, by_mail] = await Promise.all([followsOf(asked), obstacle(account.account, session.member)]);
      return {
        follows: follows.map(followView),
        max: MAX_FOLLOWS,
        by_mail: by_mail ?? null,
        in_slack: slack ? null : NO_SLACK,
      };
    }),

    "POST /follows": request({ ...OWN, role: "viewer", status: 201, body: created }, async (asked) => {
      const { account, session, assertStill, body } = asked;
      const reason = await obstacle(account.account, session.member);
      if (reason) throw new PageError("conflict", reason);
      const input = await inputOf(asked, body);
      const same = JSON.stringify(input.of);
      const before = await followsOf(asked);
      if (before.some((follow) => follow.slack === undefined && JSON.stringify(follow.of) === same)) {
        throw new PageError("conflict", `You follow “${input.name}” by mail already.`);
      }
      await countBegun(asked);
      return create(asked, input, assertStill);
    }),

    "POST /follows/slack": request({ ...OWN, role: "developer", status: 201, body: createdInSlack }, async (asked) => {
      const { account, actor, assertStill } = asked;
      const { url, ...wanted } = asked.body;
      if (!slack) throw new PageError("conflict", NO_SLACK);
      await forPeople(() => slack.assertRoom(account));
      const input = await inputOf(asked, wanted);
      // Before the first message, which says that they follow.
      await forPeople(() => followsAs(actor).assertRoom(input));
      await limits.spend("messages_of_account", account.account);
      await countBegun(asked);
      const refusal = await slack.greet(url, input);
      if (refusal !== undefined) throw new PageError("invalid_request", refusal, { parameter: "url" });
      return create(asked, { ...input, slack: { url, key: slack.key } }, async (own) => {
        await slack.assertRoom(account, own);
        await assertStill();
      });
    }),

    "PUT /follows/:id": request({ ...OWN, role: "viewer", body: changed }, async (asked) => {
      const { store, follow } = await ownOf(asked);
      const { account, rights } = asked;
      const { every: often, resume } = asked.body;
      if (resume && follow.slack !== undefined) {
        // Its member may have a lower role by now, and the account a smaller plan.
        assertMayDo(rights, "developer");
        if (!slack) throw new PageError("conflict", NO_SLACK);
        await forPeople(() => slack.assertRoom(account, follow.follow_id));
      }
      const next = {
        ...(often === undefined ? {} : { every: often }),
        ...(resume ? { status: "active" as const, reason: null } : {}),
      };
      return followView(await forPeople(() => store.change(follow.follow_id, next)));
    }),

    "DELETE /follows/:id": request({ role: "viewer", ownSession: true }, async (asked) => {
      const { store, follow } = await ownOf(asked);
      await store.remove(follow);
    }),
  };
}

async function forPeople<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebhookError || error instanceof AccountError) throw new PageError("conflict", error.message);
    throw error;
  }
}
