import { signInUrl } from "@tranche/shared/process/dashboard-url";
import type { Engines } from "../context/connect.ts";
import { memberStores } from "./member-stores.ts";

/** Makes somebody a member of an account, and returns the address that signs them in once. */
export async function signInLink(engines: Engines, member: { account: string; email: string }): Promise<string> {
  const { members, links } = memberStores(engines);
  await members.add(member);
  return signInUrl(engines.settings, await links.create(member, { noted: true }));
}
