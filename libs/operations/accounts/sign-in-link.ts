import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import type { Role } from "@tranche/shared/accounts/role";
import { signInUrl } from "@tranche/shared/process/dashboard-url";
import type { Installation } from "../installation/installation.ts";

/** Makes somebody a member of an account with a role, unless they are one, in the name of `actor`. Returns the address that signs them in once. */
export async function signInLink(
  { client, names, settings }: Pick<Installation, "client" | "names" | "settings">,
  actor: string,
  member: { account: string; email: string; role: Role },
): Promise<string> {
  await createMemberStore(client, names, { actor }).add(member);
  return signInUrl(settings, await createLinkStore(client, names, { actor }).create(member, { audited: true }));
}
