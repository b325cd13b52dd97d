import type Router from "@koa/router";
import { AccountError } from "@tranche/shared/accounts/account";
import {
  FREQUENCIES,
  type Follow,
  type Followed,
  isFromBefore,
  MAX_COMPANIES,
  MAX_FOLLOWS,
  MAX_ID,
} from "@tranche/webhooks/follow";
import { WebhookError } from "@tranche/webhooks/webhook";
import type { Context } from "koa";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { searchName } from "../searches/saved-search.ts";
import { assertActive } from "../sessions/active-account.ts";
import { notOwn } from "../sessions/needed-roles.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import { type FollowedView, followOf, followView, queryOf } from "./follow-view.ts";
import type { DashboardParts } from "./parts.ts";

/** What a member follows by mail, the oldest first. `by_mail`: why that is not possible; null when it is. */
export type FollowsView = { follows: FollowedView[]; max: number; by_mail: string | null };

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
        .max(MAX_COMPANIES, `One follow holds at most ${MAX_COMPANIES} companies.`),
      name: searchName,
    }),
  ],
  "Choose a saved search, an investor or companies.",
);
const created = z.object({ of, every });
const changed = z.object({ every: every.optional(), resume: z.literal(true).optional() });

/** What members follow by mail. Everybody sees and changes their own alone. */
export function addFollows(router: Router, parts: DashboardParts): void {
  const { requireSession, membersAs, searchesAs, followsAs, followFilters, followsFrom, signIns, signInLinks } = parts;

  /** Why a member can't be sent mails; undefined when they can. */
  const obstacle = async (account: string, member: string): Promise<string | undefined> => {
    if (!signInLinks) return "This service sends no mails.";
    if ((await signIns.among([member], account)).has(member)) return undefined;
    return "Sign in once by a link that was mailed to you, so that it is known that the address is yours.";
  };
  /** What the member of a session follows. Ends what is left from a membership before. */
  const followsOf = async ({ account, session, actor }: SignedIn): Promise<Follow[]> => {
    const store = followsAs(actor);
    const [all, member] = await Promise.all([
      store.ofMember(account.account, session.member),
      membersAs("dashboard").one(account.account, session.member),
    ]);
    const ended = all.filter((follow) => member && isFromBefore(follow, member));
    for (const follow of ended) await store.remove(follow);
    return all.filter((follow) => !ended.includes(follow));
  };
  const ownOf = async (ctx: Context) => {
    const signedIn = await requireSession(ctx);
    const store = followsAs(signedIn.actor);
    const follow = await store.find(String(ctx["params"].id));
    const isOwn = follow?.account === signedIn.account.account && follow.member === signedIn.session.member;
    if (!isOwn) throw new PageError("not_found", "You do not follow this any more.");
    return { ...signedIn, store, follow };
  };

  router.get("/follows", async (ctx) => {
    const signedIn = await requireSession(ctx);
    const { account, session } = signedIn;
    const reason = notOwn(session);
    if (reason !== undefined) {
      // What a member follows is nobody else's business.
      ctx.body = { data: { follows: [], max: MAX_FOLLOWS, by_mail: reason } satisfies FollowsView };
      return;
    }
    const [follows, by_mail] = await Promise.all([followsOf(signedIn), obstacle(account.account, session.member)]);
    const data: FollowsView = { follows: follows.map(followView), max: MAX_FOLLOWS, by_mail: by_mail ?? null };
    ctx.body = { data };
  });

  router.post("/follows", async (ctx) => {
    const signedIn = await requireSession(ctx);
    const { account, session, actor, assertStill } = signedIn;
    assertActive(account);
    const wanted = bodyOf(ctx, created);
    const reason = await obstacle(account.account, session.member);
    if (reason) throw new PageError("conflict", reason);
    const { name, query, followed } = await filtersOf(account.account, wanted.of);
    const store = followsAs(actor);
    const same = JSON.stringify(followed);
    const before = await followsOf(signedIn);
    if (before.some((follow) => JSON.stringify(follow.of) === same)) {
      throw new PageError("conflict", `You follow “${name}” by mail already.`);
    }
    const input = { account: account.account, member: session.member, name, of: followed, list: "funding" as const };
    const follow = await forPeople(async () =>
      store.create(
        { ...input, query: followFilters.canonical("funding", query), every: wanted.every },
        { from: await followsFrom("funding"), mayStay: assertStill },
      ),
    );
    ctx.status = 201;
    ctx.body = { data: followView(follow) };
  });

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

  router.put("/follows/:id", async (ctx) => {
    const { account, store, follow } = await ownOf(ctx);
    assertActive(account);
    const { every: often, resume } = bodyOf(ctx, changed);
    const next = {
      ...(often === undefined ? {} : { every: often }),
      ...(resume ? { status: "active" as const, reason: null } : {}),
    };
    ctx.body = { data: followView(await forPeople(() => store.change(follow.follow_id, next))) };
  });

  router.delete("/follows/:id", async (ctx) => {
    const { store, follow } = await ownOf(ctx);
    await store.remove(follow);
    ctx.status = 204;
  });
}

async function forPeople<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebhookError || error instanceof AccountError) throw new PageError("conflict", error.message);
    throw error;
  }
}
