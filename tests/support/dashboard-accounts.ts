import { randomInt, randomUUID } from "node:crypto";
import { keyDocumentId, type KeyRecord } from "@tranche/shared/accounts/account";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import type { Role } from "@tranche/shared/accounts/role";
import { assertNoneFailed } from "@tranche/shared/engines/search/bulk-results";
import { Redis } from "ioredis";
import { afterAll } from "vitest";
import { type DashboardClient, openDashboard } from "./dashboard-client.ts";
import type { Fixture } from "./with-service.ts";

const MINUTE_MS = 60_000;

/** Accounts of a service, and people signed in to them. Start the API first, because it creates the indices. */
export function dashboardAccounts({ service, client, names, engines }: Fixture) {
  const redis = new Redis(engines.redisUrl, { lazyConnect: true });
  afterAll(() => redis.disconnect());
  const copies = createHotCopies(redis, service.namespace);
  const accounts = createAccountStore(client, names, { actor: "ops:test", copies });
  const members = createMemberStore(client, names, { actor: "ops:test" });
  // Nobody else's, because accounts of other test files may be limited in the same installation.
  const network = `2001:db8:${randomInt(1, 65_536).toString(16)}`;
  let addresses = 0;

  const newAccount = async (name = "Acme", plan = "scale") => (await accounts.createAccount({ name, plan })).account;
  /** A browser with an IP address of its own, so that the limits of one test do not reach another. */
  const browser = (headers: Record<string, string> = {}): DashboardClient =>
    openDashboard(service.dashboard, { "X-Forwarded-For": `${network}:${(++addresses).toString(16)}::1`, ...headers });
  /** The secret of a new link; somebody becomes a member by it. `minutesAgo`: when it was made. */
  const link = async (account: string, email: string, minutesAgo = 0, role: Role = "admin"): Promise<string> => {
    await members.add({ account, email, role });
    const now = () => Date.now() - minutesAgo * MINUTE_MS;
    return createLinkStore(client, names, { now }).create({ account, email });
  };
  const signedIn = async (account: string, email = "ada@example.com", headers?: Record<string, string>) => {
    const opened = browser(headers);
    await opened.signIn(await link(account, email));
    return opened;
  };
  /** A member with a role, signed in. */
  const signedInAs = async (role: Role, account: string, email = `${role}@example.com`) => {
    const opened = browser();
    await opened.signIn(await link(account, email, 0, role));
    return opened;
  };
  /** Stores copies of a key, a session or a feed link at once: each that is made as usual waits for a refresh. */
  const storeCopies = async (record: Pick<KeyRecord, "key_hash">, length: number): Promise<void> => {
    const operations = Array.from({ length }, (_, n) => {
      const copy = { ...record, key_hash: `${record.key_hash}-${n}`, key_id: randomUUID() };
      return [{ create: { _id: keyDocumentId(copy.key_hash) } }, copy];
    });
    assertNoneFailed(await client.bulk({ index: names.accounts, operations: operations.flat(), refresh: true }));
  };
  return { accounts, members, newAccount, browser, link, signedIn, signedInAs, storeCopies };
}
