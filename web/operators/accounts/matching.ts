import type { AccountRow } from "../data.ts";

/** Accounts whose name or id contains a text, in any case. An id that matches whole is found even when deleted ones are left out. */
export function accountsThatMatch(all: readonly AccountRow[], text: string, withDeleted: boolean): AccountRow[] {
  const wanted = text.trim().toLowerCase();
  return all.filter(
    ({ id, name, status }) =>
      id.toLowerCase() === wanted ||
      ((withDeleted || status !== "deleted") && `${name} ${id}`.toLowerCase().includes(wanted)),
  );
}
