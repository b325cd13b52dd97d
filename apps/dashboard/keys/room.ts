import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { KeyRecord } from "@tranche/shared/accounts/account";
import { PageError } from "@tranche/http/errors/page-error";
import { isWorking } from "@tranche/operations/accounts/key-view";

/** The most working keys of an account, and the most that it creates in 24 hours. */
export const MAX_WORKING = 100;
const MAX_A_DAY = 200;
const DAY_MS = 86_400_000;

type Store = Pick<AccountStore, "keys" | "createKey">;

/** Creates a key if the account has room for it, also when others create some at the same time. */
export async function createKeyInRoom(store: Store, input: Parameters<Store["createKey"]>[0]) {
  assertRoom(await store.keys(input.account), Date.now(), { working: 1, made: 1 });
  const mayStay = async () => {
    await lookAgain(store, input.account);
    await input.mayStay?.();
  };
  return store.createKey({ ...input, mayStay });
}

/** Throws when the account has more keys than it may have. `leaving`: how many of its working keys stop working next. */
export async function lookAgain(store: Pick<Store, "keys">, account: string, leaving = 0): Promise<void> {
  assertRoom(await store.keys(account), Date.now(), { working: -leaving, made: 0 });
}

/** Throws when the account has no room for further keys: so many that will work, of so many that will be made. */
export function assertRoom(keys: readonly KeyRecord[], now: number, more: { working: number; made: number }): void {
  const working = keys.filter((key) => isWorking(key, now)).length;
  if (working + more.working > MAX_WORKING) {
    throw new PageError(
      "conflict",
      `This account has ${working} keys that work, and ${MAX_WORKING} is the most. Revoke one that is not needed.`,
    );
  }
  if (keys.filter(({ created_at }) => Date.parse(created_at) > now - DAY_MS).length + more.made > MAX_A_DAY) {
    throw new PageError("too_many_requests", `This account created ${MAX_A_DAY} keys within a day. Wait a day.`);
  }
}
