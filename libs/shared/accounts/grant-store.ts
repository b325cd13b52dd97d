import type { Client } from "@elastic/elasticsearch";
import { deleteWhere } from "../engines/search/delete-where.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import { readAll } from "../engines/search/search-all.ts";
import { type AccessToken, type Account, AccountError, keyDocumentId } from "./account.ts";
import {
  familyOf,
  grantOfCode,
  grantOfRefreshToken,
  hashOfKey,
  newAccessToken,
  newCode,
  newHandle,
  newRefreshToken,
  prefixOfKey,
} from "./api-key.ts";
import { assertStays } from "./assert-stays.ts";
import { createAuditedDocuments } from "./documents.ts";
import {
  accessTokenEnd,
  type CodeUse,
  exchanged,
  type Grant,
  GrantRefused,
  grantDocumentId,
  isOpen,
  judgeCode,
  judgeRefresh,
  newGrant,
  type RefreshUse,
  takesPlace,
  type Verdict,
} from "./grant.ts";
import type { HotCopies } from "./hot-copies.ts";
import { membershipsOf, readMemberships } from "./membership.ts";
import { createWriteWithSignOut } from "./sign-out-writes.ts";

/** How many applications of an account work at once, with those whose codes can still be used. */
export const MAX_APPLICATIONS = 100;

/** Tokens for a client, this once. `expiresIn`: seconds that the access token lasts. */
export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number };

/** The applications that members have connected. Rejects with an AccountError for people and with a GrantRefused for clients. */
export type GrantStore = {
  /** Notes what a member allows; returns the code for the application. */
  allow(
    input: Pick<Grant, "account" | "email" | "stamp" | "by" | "client" | "redirect_uri" | "challenge" | "resource">,
  ): Promise<string>;
  /** Exchanges a code for tokens, once. One that comes again ends the grant. */
  redeem(use: CodeUse): Promise<Tokens>;
  /** Exchanges a refresh token. An old one ends the grant, unless it comes within the grace period. */
  refresh(use: RefreshUse): Promise<Tokens>;
  /** The grants of an account that let somebody in, the newest first. */
  ofAccount(handle: string): Promise<Grant[]>;
  /** All grants of an account that are stored, also those that are over. */
  everyOf(handle: string): Promise<Grant[]>;
  /** ISO time of the last use of each grant of an account, by its id, to the minute. Only of those with an access token. */
  lastUses(handle: string): Promise<ReadonlyMap<string, string>>;
  /** Ends a grant of an account: within a second no process admits its tokens. False when there is none that works. */
  end(handle: string, id: string): Promise<boolean>;
  /** Deletes codes and access tokens that are over, and grants that were over before a time; returns how many. */
  forgetEnded(before: Date): Promise<number>;
};

/**
 * Grants are kept in the dashboard's index, each with its code and its refresh tokens in one document, so that using one is a comparison and
 * a change of that document. Access tokens are kept with the keys. `actor` is for the audit log; `now` is real time in ms.
 */
export function createGrantStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  {
    copies,
    accountOf,
    actor = "unknown",
    now = Date.now,
  }: {
    copies: Pick<HotCopies, "keepSignOuts">;
    /** The account of a handle, in real time. */
    accountOf: (handle: string) => Promise<Account | undefined>;
    actor?: string;
    now?: () => number;
  },
): GrantStore {
  const index = names.dashboard;
  const { entry } = createAuditedDocuments(client, names.accounts, { actor, now });
  const writeWithSignOut = createWriteWithSignOut(client, names, copies);
  const read = (id: string) => client.get<Grant>({ index, id: grantDocumentId(id) }, { ignore: [404] });
  type Read = Awaited<ReturnType<typeof read>>;
  const guardOf = ({ _seq_no, _primary_term }: Read) => ({ if_seq_no: _seq_no!, if_primary_term: _primary_term! });

  /** Ends a grant as it was read; false when it was changed since. */
  const endRead = async (found: Read, details: Record<string, string>): Promise<boolean> => {
    const grant = found._source!;
    const at = new Date(now()).toISOString();
    const change = { index: { _index: index, _id: grantDocumentId(grant.key_id), ...guardOf(found) } };
    const ended: Grant = { ...grant, ended_at: at, expires_at: at, refresh_tokens: [] };
    const auditEntry = entry("application.end", grant.account, { key_id: grant.key_id, details });
    return (await writeWithSignOut([change, ended], auditEntry)) !== 409;
  };

  /** Throws unless the account and the memberships that a grant rests on hold. */
  const assertHolds = async (grant: Grant): Promise<void> => {
    const account = await accountOf(grant.account);
    if (account?.status !== "active")
      throw new GrantRefused(`The account of this application is ${account?.status ?? "deleted"}.`);
    const needed = membershipsOf(grant);
    const emails = needed.map(({ email }) => email);
    const { hold } = await readMemberships(client, index, { account: grant.account, emails });
    if (!hold(needed)) throw new GrantRefused("The member who connected this application is no member any more.");
  };

  /** A new access token that is stored. It opens nothing before the grant says so, so it may be made before. */
  const newAccess = async (grant: Grant): Promise<Pick<Tokens, "accessToken" | "expiresIn">> => {
    const accessToken = newAccessToken(grant.account);
    const at = now();
    const document: AccessToken = {
      kind: "oauth",
      key_id: grant.key_id,
      account: grant.account,
      member: grant.email,
      stamp: grant.stamp,
      by: grant.by,
      key_hash: hashOfKey(accessToken),
      prefix: prefixOfKey(accessToken),
      name: grant.client.name,
      created_at: new Date(at).toISOString(),
      expires_at: accessTokenEnd(grant, at),
      revoked_at: null,
    };
    const id = keyDocumentId(document.key_hash);
    await client.index({ index: names.accounts, id, document, op_type: "create" });
    return { accessToken, expiresIn: Math.floor((Date.parse(document.expires_at) - at) / 1000) };
  };

  /** Exchanges what a client has `sent` by one compare-and-set on its grant. */
  const exchange = async (
    id: string,
    sent: string,
    judge: (grant: Grant) => Verdict,
    nextToken: () => string,
  ): Promise<Tokens> => {
    const done = await retryConflicts(async () => {
      const found = await read(id);
      const verdict = found.found ? judge(found._source!) : { refused: "It is not known here." };
      if (verdict !== "good") {
        if ("refused" in verdict) throw new GrantRefused(verdict.refused);
        if (found._source!.ended_at === null && !(await endRead(found, { reason: verdict.stolen }))) return undefined;
        throw new GrantRefused(
          `It was used before: ${verdict.stolen}, so the application was disconnected. Connect it again.`,
        );
      }
      const grant = found._source!;
      await assertHolds(grant);
      const refreshToken = nextToken();
      const access = await newAccess(grant);
      const document = exchanged(grant, { used: sent, refreshToken }, now());
      const answer = await client.index(
        { index, id: grantDocumentId(id), document, ...guardOf(found), refresh: true },
        { ignore: [404, 409], meta: true },
      );
      return answer.statusCode < 400 ? { ...access, refreshToken } : undefined;
    });
    if (done) return done;
    throw new AccountError("Others are using the same code or refresh token at this moment. Try again.");
  };

  /** The grants and codes of an account, also those that are over, the newest first. */
  const stored = async (handle: string, kinds: readonly Grant["kind"][]): Promise<Grant[]> => {
    const filter = [{ terms: { kind: [...kinds] } }, { term: { account: handle } }];
    const request = { index, query: { bool: { filter } }, sort: ["key_id"], source: true };
    const grants = await readAll<Grant>(client, request);
    return grants.toSorted((a, b) => (a.created_at > b.created_at ? -1 : 1));
  };

  /** Those that are not over, and whose members are members still. */
  const holding = async (handle: string, kinds: readonly Grant["kind"][]): Promise<Grant[]> => {
    const open = (await stored(handle, kinds)).filter((grant) => takesPlace(grant, now()));
    const emails = [...new Set(open.flatMap(membershipsOf).map(({ email }) => email))];
    const { hold } = await readMemberships(client, index, { account: handle, emails });
    return open.filter((grant) => hold(membershipsOf(grant)));
  };

  return {
    async allow(input) {
      const assertRoom = async (more: number) => {
        if ((await holding(input.account, ["code", "grant"])).length + more <= MAX_APPLICATIONS) return;
        throw new AccountError(
          `An account has at most ${MAX_APPLICATIONS} connected applications. Disconnect one first.`,
        );
      };
      await assertRoom(1);
      const id = newHandle();
      const code = newCode(id);
      const { client: application, redirect_uri } = input;
      const details = { client: application.id, name: application.name, redirect: redirect_uri };
      const auditEntry = entry("application.allow", input.account, { key_id: id, details });
      await client.index({
        index: names.accounts,
        id: `audit:${auditEntry.audit_id}`,
        document: auditEntry,
        refresh: true,
      });
      const document = newGrant({ key_id: id, ...input }, code, now());
      await client.index({ index, id: grantDocumentId(id), document, op_type: "create", refresh: true });
      const takeBack = () => client.delete({ index, id: grantDocumentId(id), refresh: true }, { ignore: [404] });
      await assertStays(() => assertRoom(0), takeBack);
      return code;
    },
    async redeem(use) {
      const id = grantOfCode(use.code);
      if (id === undefined) throw new GrantRefused("The code is cut off or mistyped.");
      return exchange(
        id,
        use.code,
        (grant) => judgeCode(grant, use, now()),
        () => newRefreshToken(id),
      );
    },
    async refresh(use) {
      const id = grantOfRefreshToken(use.refreshToken);
      if (id === undefined) throw new GrantRefused("The refresh token is cut off or mistyped.");
      return exchange(
        id,
        use.refreshToken,
        (grant) => judgeRefresh(grant, use, now()),
        () => newRefreshToken(id, familyOf(use.refreshToken)),
      );
    },
    ofAccount: (handle) => holding(handle, ["grant"]),
    everyOf: (handle) => stored(handle, ["grant"]),
    async lastUses(handle) {
      const filter = [{ term: { kind: "oauth" } }, { term: { account: handle } }];
      const request = { index: names.accounts, query: { bool: { filter } }, sort: ["key_hash"], source: true };
      const uses = new Map<string, string>();
      for (const { key_id, last_used_at = "" } of await readAll<AccessToken>(client, request)) {
        if (last_used_at > (uses.get(key_id) ?? "")) uses.set(key_id, last_used_at);
      }
      return uses;
    },
    async end(handle, id) {
      const ended = await retryConflicts(async () => {
        const found = await read(id);
        const grant = found._source;
        if (!found.found || grant!.account !== handle || !isOpen(grant!, now())) return "gone";
        return (await endRead(found, { client: grant!.client.id, name: grant!.client.name })) ? "ended" : undefined;
      });
      if (!ended) throw new AccountError("Others are changing the same application at this moment. Try again.");
      return ended === "ended";
    },
    async forgetEnded(before) {
      const past = (date: Date) => ({ range: { expires_at: { lt: date.toISOString() } } });
      const over = (kind: string, date: Date) => ({ bool: { filter: [{ term: { kind } }, past(date)] } });
      const at = new Date(now());
      return (
        (await deleteWhere(client, index, over("code", at))) +
        (await deleteWhere(client, names.accounts, over("oauth", at))) +
        (await deleteWhere(client, index, over("grant", before)))
      );
    },
  };
}
