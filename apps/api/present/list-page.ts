import type { Plan } from "@tranche/shared/accounts/plans";
import { pageOf } from "@tranche/read-models/parameters/page";
import type { Values } from "@tranche/read-models/parameters/parameter";
import type { Warning } from "@tranche/read-models/parameters/warning";
import type { Page } from "@tranche/read-models/query/list-query";
import type { Format } from "./formats.ts";

/** A page of a list on the caller's plan: plain data, and all that an answer depends on beside the documents. */
export type ListPage = {
  format: Format;
  /** Normalised, without `limit`, `offset` and `cursor`. */
  values: Values;
  sort: string;
  page: Page;
  /** Whether the caller sent `limit`: the links repeat it then. */
  withLimit: boolean;
  /** About the page. */
  warnings: readonly Warning[];
};

/** `sorts`: the first is the default. */
export function listPage(
  { format, values }: { format: Format; values: Values },
  plan: Plan,
  sorts: readonly string[],
): ListPage {
  const { limit, offset: _, cursor: __, ...rest } = values;
  const { page, warnings } = pageOf(values, plan);
  const sort = values.sort ?? sorts[0]!;
  return { format, values: rest, sort, page, withLimit: limit !== undefined, warnings };
}
