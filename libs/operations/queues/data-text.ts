import { withoutKeys } from "@tranche/shared/accounts/without-keys";

const MAX_ITEMS = 20;
const MAX_CHARACTERS = 4000;

/** The data of a job for people. A job can hold 500 records: lists and the text are cut off. Keys that other programs put there are removed. */
export function dataText(data: unknown): string {
  const text = JSON.stringify(data, (_name, value: unknown) => shown(value), 2) ?? "";
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return withoutKeys(value);
  if (!Array.isArray(value) || value.length <= MAX_ITEMS) return value;
  return [...(value as unknown[]).slice(0, MAX_ITEMS), `… and ${value.length - MAX_ITEMS} more`];
}
