import { hash, randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { Membership } from "./account.ts";
import type { AuditAction } from "./audit.ts";
import { createAuditedDocuments } from "./documents.ts";
import { memberDocumentId, membershipsOf, readMemberships } from "./membership.ts";
import { deleteWhere } from "../engines/search/delete-where.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { INVITATION_DAYS, LINK_MINUTES, type LinkKind, type Member, type MemberLink } from "./member.ts";

/** The state of a link. `ended`: its member or its maker was removed or signed out everywhere. */
export type LinkState = "open" | "used" | "expired" | "ended";

/** Links of one kind. */
export type LinkStore = {
  /**
   * A new link of a member; returns the secret of its address. `by`: the membership of the member who makes it, as it was when they asked.
   * `audited`: it goes to the audit log.
   */
  create(
    input: { account: string; email: string },
    options?: { by?: Membership | undefined; audited?: boolean },
  ): Promise<string>;
  /** A link, used or not, and what has become of it; undefined when there is none. */
  find(secret: string): Promise<{ link: MemberLink; state: LinkState } | undefined>;
  /** A link that can still be used; it is not consumed. */
  look(secret: string): Promise<MemberLink | undefined>;
  /** Consumes a link. One of several concurrent calls succeeds. The others, and calls for a link that is not open, get undefined. */
  take(secret: string): Promise<MemberLink | undefined>;
  /** The links of an account's members that nobody has used, expired or not. */
  unusedOf(account: string): Promise<MemberLink[]>;
  /** Deletes the links of a member. */
  forget(account: string, email: string): Promise<void>;
  /** Deletes links that expired before a time; returns how many. */
  forgetExpired(before: Date): Promise<number>;
};

const KINDS: Readonly<Record<LinkKind, { livesMs: number; action: AuditAction }>> = {
  link: { livesMs: LINK_MINUTES * 60_000, action: "member.link" },
  invitation: { livesMs: INVITATION_DAYS * 86_400_000, action: "member.invite" },
};

/** More than an account has members. */
const MOST_SHOWN = 1000;

/** Kept in the dashboard's own index, by the hash of the secret. `actor` is for the audit log; `now` is real time in ms. */
export function createLinkStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  { kind = "link", actor = "unknown", now = Date.now }: { kind?: LinkKind; actor?: string; now?: () => number } = {},
): LinkStore {
  const index = names.dashboard;
  const { livesMs, action } = KINDS[kind];
  const linkId = (secret: string) => `${kind}:${hash("sha256", secret)}`;
  const { entry } = createAuditedDocuments(client, names.accounts, { actor, now });
  const at = (ms: number) => new Date(ms).toISOString();
  const read = (secret: string) => client.get<MemberLink>({ index, id: linkId(secret) }, { ignore: [404] });
  const stateOf = async (link: MemberLink): Promise<LinkState> => {
    if (link.used_at !== null) return "used";
    const needed = membershipsOf(link);
    const emails = needed.map(({ email }) => email);
    if (!(await readMemberships(client, index, { account: link.account, emails })).hold(needed)) return "ended";
    return Date.parse(link.expires_at) > now() ? "open" : "expired";
  };
  const find: LinkStore["find"] = async (secret) => {
    const { _source: link } = await read(secret);
    return link && { link, state: await stateOf(link) };
  };
  const ofKind = (...conditions: object[]) => ({ bool: { filter: [{ term: { kind } }, ...conditions] } });

  return {
    async create({ account, email }, { by, audited = false } = {}) {
      const secret = randomBytes(24).toString("base64url");
      const { _source: member } = await client.get<Member>(
        { index, id: memberDocumentId(account, email) },
        { ignore: [404] },
      );
      const link: MemberLink = {
        kind,
        account,
        email,
        // Only a member can use a link.
        stamp: member?.stamp ?? "",
        by,
        created_at: at(now()),
        expires_at: at(now() + livesMs),
        used_at: null,
      };
      if (audited) {
        const document = entry(action, account, { details: { email } });
        await client.index({ index: names.accounts, id: `audit:${document.audit_id}`, document, refresh: true });
      }
      await client.index({ index, id: linkId(secret), document: link, op_type: "create", refresh: true });
      return secret;
    },
    find,
    async look(secret) {
      const found = await find(secret);
      return found?.state === "open" ? found.link : undefined;
    },
    async take(secret) {
      const found = await read(secret);
      if (!found.found || (await stateOf(found._source!)) !== "open") return undefined;
      const document = { ...found._source!, used_at: at(now()) };
      const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
      const answer = await client.index(
        { index, id: linkId(secret), document, refresh: true, ...guard },
        { ignore: [404, 409], meta: true },
      );
      return answer.statusCode < 400 ? document : undefined;
    },
    async unusedOf(account) {
      const { hits } = await client.search<MemberLink>({
        index,
        size: MOST_SHOWN,
        query: ofKind({ term: { account } }),
      });
      const links = hits.hits.map(({ _source }) => _source!);
      const emails = [...new Set(links.flatMap(membershipsOf).map(({ email }) => email))];
      const { hold } = await readMemberships(client, index, { account, emails });
      return links.filter((link) => link.used_at === null && hold(membershipsOf(link)));
    },
    forget: async (account, email) => {
      await deleteWhere(client, index, ofKind({ term: { account } }, { term: { email } }));
    },
    forgetExpired: (before) =>
      deleteWhere(client, index, ofKind({ range: { expires_at: { lt: before.toISOString() } } })),
  };
}
