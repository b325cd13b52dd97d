import { LINK_MINUTES } from "@tranche/shared/members/member";
import { createMemberStore } from "@tranche/shared/members/member-store";
import { signInUrl } from "@tranche/shared/settings/dashboard-url";
import { operator } from "../audit/operator.ts";
import type { Engines } from "../engines/connect.ts";

export { LINK_MINUTES };

/** Makes somebody a member of an account, and returns the address that signs them in once. */
export async function signInLink(
  { client, names, settings }: Engines,
  member: { account: string; email: string },
): Promise<string> {
  const members = createMemberStore(client, names.dashboard, { actor: operator() });
  await members.add(member);
  return signInUrl(settings, await members.createLink(member));
}
