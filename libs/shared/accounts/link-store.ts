import { hash, randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { Membership } from "./account.ts";
import { createAuditedDocuments } from "./documents.ts";
import { memberDocumentId, membershipsOf, readMemberships } from "./membership.ts";
import { deleteWhere } from "../engines/search/delete-where.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { LINK_MINUTES, type Member, type SignInLink } from "./member.ts";

/** Links by which members sign in. */
export type LinkStore = {
  /**
   * A new link of a member; returns the secret of its address. `by`: the membership of the member who makes it, as it was when they asked.
   * `noted`: it goes to the audit log.
   */
  create(
    input: { account: string; email: string },
    options?: { by?: Membership | undefined; noted?: boolean },
  ): Promise<string>;
  /** A link that can still be used; it is not consumed. Otherwise undefined, also when the member was removed or signed out everywhere. */
  look(secret: string): Promise<SignInLink | undefined>;
  /** Consumes a link. One of several concurrent calls succeeds. The others, and calls for a used or expired link, get undefined. */
  take(secret: string): Promise<SignInLink | undefined>;
  /** Deletes links that expired before a time; returns how many. */
  forgetExpired(before: Date): Promise<number>;
};

const linkId = (secret: string) => `link:${hash("sha256", secret)}`;

/** Kept in the dashboard's own index, by the hash of the secret. `actor` is for the audit log; `now` is real time in ms. */
export function createLinkStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  { actor = "unknown", now = Date.now }: { actor?: string; now?: () => number } = {},
): LinkStore {
  const index = names.dashboard;
  const { entry } = createAuditedDocuments(client, names.accounts, { actor, now });
  const at = (ms: number) => new Date(ms).toISOString();
  const read = (secret: string) => client.get<SignInLink>({ index, id: linkId(secret) }, { ignore: [404] });
  const usable = async (link: SignInLink): Promise<boolean> => {
    if (link.used_at !== null || Date.parse(link.expires_at) <= now()) return false;
    const needed = membershipsOf(link);
    const emails = needed.map(({ email }) => email);
    return (await readMemberships(client, index, { account: link.account, emails })).hold(needed);
  };

  return {
    async create({ account, email }, { by, noted = false } = {}) {
      const secret = randomBytes(24).toString("base64url");
      const { _source: member } = await client.get<Member>(
        { index, id: memberDocumentId(account, email) },
        { ignore: [404] },
      );
      const link: SignInLink = {
        kind: "link",
        account,
        email,
        // Only a member can use a link.
        stamp: member?.stamp ?? "",
        by,
        created_at: at(now()),
        expires_at: at(now() + LINK_MINUTES * 60_000),
        used_at: null,
      };
      if (noted) {
        const document = entry("member.link", account, { details: { email } });
        await client.index({ index: names.accounts, id: `audit:${document.audit_id}`, document, refresh: true });
      }
      await client.index({ index, id: linkId(secret), document: link, op_type: "create", refresh: true });
      return secret;
    },
    async look(secret) {
      const found = await read(secret);
      return found.found && (await usable(found._source!)) ? found._source : undefined;
    },
    async take(secret) {
      const found = await read(secret);
      if (!found.found || !(await usable(found._source!))) return undefined;
      const document = { ...found._source!, used_at: at(now()) };
      const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
      const answer = await client.index(
        { index, id: linkId(secret), document, ...guard },
        { ignore: [404, 409], meta: true },
      );
      return answer.statusCode < 400 ? document : undefined;
    },
    forgetExpired(before) {
      const expired = { range: { expires_at: { lt: before.toISOString() } } };
      return deleteWhere(client, index, { bool: { filter: [{ term: { kind: "link" } }, expired] } });
    },
  };
}
