import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import { closest } from "@tranche/shared/domain/text/closest";
import { Failure, WrongUsage } from "../terminal/failure.ts";

/** The account with this id, or the only one with this name (in any case). Rejects with an error that says what there is instead. */
export async function findAccount(store: Pick<AccountStore, "account" | "accounts">, text: string): Promise<Account> {
  return (await store.account(text)) ?? accountNamed(text, await store.accounts());
}

/** Deleted accounts count only where no other has the name. */
export function accountNamed(text: string, all: readonly Account[]): Account {
  const wanted = text.trim().toLowerCase();
  const named = all.filter(({ name }) => name.toLowerCase() === wanted);
  const alive = named.filter(({ status }) => status !== "deleted");
  const [first, ...others] = alive.length > 0 ? alive : named;
  if (!first) {
    const near = closest(
      wanted,
      all.map(({ name }) => name.toLowerCase()),
    );
    const meant = all.find(({ name }) => name.toLowerCase() === near);
    const hint = meant ? ` Did you mean '${meant.name}' (${meant.account})?` : "";
    throw new Failure(`There is no account '${text}'.${hint} \`ops accounts list\` shows them.`);
  }
  if (others.length > 0) {
    const ids = [first, ...others].map(({ account, status }) => `${account} (${status})`);
    throw new WrongUsage(`Several accounts are named '${text}': give the id of one. They are ${ids.join(", ")}.`);
  }
  return first;
}
