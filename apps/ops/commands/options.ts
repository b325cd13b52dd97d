import type { Account } from "@tranche/shared/accounts/account-store";
import { STORED_NAME, STORED_NAME_RULE } from "@tranche/shared/domain/text/stored-name";
import { InvalidArgumentError } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";

/** The option that names an account. */
export const ACCOUNT = ["--account <account>", "the account's id, or its name if no other account has it"] as const;

/** The account that an option names. */
export async function accountFor(ops: Ops, text: string): Promise<Account> {
  const { findAccount } = await import("../accounts/find.ts");
  return findAccount((await ops.doing()).accounts, text);
}

/** The ids of a command that takes either some or `--all`. `list`: the command that shows them. */
export function idsOrAll(ids: string[], all: boolean | undefined, list: string): string[] | "all" {
  if (Boolean(all) === ids.length > 0) throw new WrongUsage(`Give ids, as \`${list}\` shows them, or --all.`);
  return all ? "all" : ids;
}

/** The name of a set or a mapping. */
export function storedName(text: string): string {
  if (STORED_NAME.test(text)) return text;
  throw new InvalidArgumentError(`Expected ${STORED_NAME_RULE}.`);
}

/** Reads the number of an option: whole, at least 1, and at most `most`. */
export const wholeNumber =
  (most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    const end = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
    throw new InvalidArgumentError(`expected a whole number from 1${end}`);
  };
