import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { type ListItem, readList, writeList } from "./list-text.ts";
import { type Params, valueOf, withParams } from "./params.ts";

/** The contents of a form: items of lists, and texts. */
export type Draft = Readonly<Record<string, readonly ListItem[] | string>>;

/** The draft of a request: every field has a value, if only an empty one. */
export const draftOf = (fields: readonly Field[], params: Params): Draft =>
  Object.fromEntries(
    fields.map(({ name, kind }) => {
      const text = valueOf(params, name) ?? "";
      return [name, kind === "list" ? readList(text) : text];
    }),
  );

/** The parameters of a draft. Parameters that have no field stay, so that the API can say what is wrong with them. */
export function paramsOf(fields: readonly Field[], draft: Draft, params: Params): Params {
  const written = fields.map(({ name }): [string, string | undefined] => {
    const value = draft[name] ?? "";
    const text = typeof value === "string" ? value.trim() : writeList(value);
    return [name, text === "" ? undefined : text];
  });
  const unrepeated = params.filter(([name], at) => params.findIndex(([other]) => other === name) === at);
  return withParams(unrepeated, Object.fromEntries(written));
}

/**
 * A form after its request changed by other means, such as another order. Fields that the change touches show it; what was entered
 * elsewhere and not sent yet stays.
 */
export const rebased = (draft: Draft, before: Draft, after: Draft): Draft =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      JSON.stringify(before[name]) === JSON.stringify(value) ? (draft[name] ?? value) : value,
    ]),
  );

/** How many fields have a value. */
export const filled = (names: readonly string[], draft: Draft): number =>
  names.filter((name) => (draft[name]?.length ?? 0) > 0).length;
