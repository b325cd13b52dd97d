import { givenName } from "@tranche/operations/accounts/given";
import type { Kinds } from "@tranche/operations/accounts/operation";
import { emailOf } from "@tranche/shared/accounts/member";
import { readPlans } from "@tranche/shared/accounts/plans-file";
import { type Role, ROLES } from "@tranche/shared/accounts/role";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { planNamed } from "./plan.ts";
import { expiry, overlapSeconds } from "./times.ts";

/** Reads what options give. Throws WrongUsage. */
export const GIVEN: { [K in keyof Kinds]: (text: string, ops: Ops) => Kinds[K] | Promise<Kinds[K]> } = {
  name: nameOf,
  plan: async (text, ops) => planNamed(text, readPlans((await ops.settings()).TRANCHE_PLANS_FILE)),
  reason: (text) => text,
  email(text) {
    const email = emailOf(text);
    if (email === undefined) throw new WrongUsage(`'${text}' is not an e-mail address, such as ada@example.com.`);
    return email;
  },
  role: roleOf,
  expires: (text) => expiry(text, Date.now()),
  overlap: overlapSeconds,
};

function nameOf(text: string): string {
  const { success, data, error } = givenName.safeParse(text);
  if (success) return data;
  throw new WrongUsage(`--name: ${error.issues[0]!.message}`);
}

function roleOf(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase());
  if (!role) throw new WrongUsage(`--role: '${text}' is not a role. The roles are ${ROLES.join(", ")}.`);
  return role;
}
