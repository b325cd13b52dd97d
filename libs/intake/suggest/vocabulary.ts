import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Vocabulary } from "../mapping/rows.ts";

/** What a file is judged by while somebody maps it. The day is theirs, also where the service's clock is set to that of its data. */
export const vocabularyToday = (dealTypes: DealTypes): Vocabulary => ({
  dealTypes,
  today: isoDay(dayOfTime(Date.now())),
});
