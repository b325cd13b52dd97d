import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { AMOUNT_COLUMNS } from "./amount-columns.ts";
import { DATE_PART_COLUMNS } from "./date-columns.ts";
import { factColumns } from "./fact-columns.ts";
import { labelColumns } from "./label-columns.ts";
import { nameColumns } from "./name-columns.ts";
import { PLACE_COLUMNS } from "./place-columns.ts";
import type { Recogniser } from "./recogniser.ts";
import type { Column, Role } from "./roles.ts";

/** How the column of each role is recognised. `columns`: all of the file. */
export const recognisers = (
  dealTypes: DealTypes,
  columns: readonly Column[],
): Record<Exclude<Role, "date">, Recogniser> => ({
  ...nameColumns(columns),
  ...DATE_PART_COLUMNS,
  ...AMOUNT_COLUMNS,
  ...PLACE_COLUMNS,
  ...labelColumns(dealTypes),
  ...factColumns(columns),
});
