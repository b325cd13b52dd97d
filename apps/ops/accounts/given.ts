import { givenLength, givenLimit, givenName, givenReason } from "@tranche/operations/accounts/given";
import type { Kinds } from "@tranche/operations/accounts/operation";
import { emailOf } from "@tranche/shared/accounts/member";
import { readPlans } from "@tranche/shared/accounts/plans-file";
import { type Role, ROLES } from "@tranche/shared/accounts/role";
import type { z } from "zod";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { planNamed } from "./plan.ts";
import { expiry, seconds } from "./times.ts";

/** Reads what options give. Throws WrongUsage. */
export const GIVEN: { [K in keyof Kinds]: (text: string, ops: Ops) => Kinds[K] | Promise<Kinds[K]> } = {
  name: (text) => checked("--name", givenName, text),
  plan: async (text, ops) => planNamed(text, readPlans((await ops.settings()).TRANCHE_PLANS_FILE)),
  reason: (text) => checked("--reason", givenReason, text),
  email(text) {
    const email = emailOf(text);
    if (email === undefined) throw new WrongUsage(`'${text}' is not an e-mail address, such as ada@example.com.`);
    return email;
  },
  role: roleOf,
  expires: (text) => expiry(text, Date.now()),
  overlap: (text) => seconds("--overlap", text),
  burst: (text) => checked("--burst", givenLimit, numberOf(text)),
  quota: (text) => checked("--quota", givenLimit, numberOf(text)),
  lasts: (text) => checked("--for", givenLength, seconds("--for", text)),
};

/** What an option gives, by the rule that the operators' pages have as well. */
function checked<T>(option: string, rule: z.ZodType<T>, given: unknown): T {
  const { success, data, error } = rule.safeParse(given);
  if (success) return data;
  throw new WrongUsage(`${option}: ${error.issues[0]!.message}`);
}

/** The number that a text of digits is; NaN for any other text. */
const numberOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

function roleOf(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase());
  if (!role) throw new WrongUsage(`--role: '${text}' is not a role. The roles are ${ROLES.join(", ")}.`);
  return role;
}
