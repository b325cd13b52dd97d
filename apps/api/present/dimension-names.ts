import { AMOUNT_BANDS, type AmountBand } from "@tranche/read-models/documents/bands";
import { isSignalKey, signalDefinition } from "@tranche/shared/domain/signals/catalogue";
import { technologyName } from "@tranche/shared/domain/technologies/technology";
import { countryName } from "@tranche/shared/domain/vocabulary/countries";
import type { Naming, Spelled } from "@tranche/read-models/parameters/dimensions";
import { dealTypeName } from "./vocabulary.ts";

/** How the key of a group becomes a name for people. Names that only a search can find are not among them. */
export const NAME_OF: Readonly<Record<Exclude<Naming, Spelled>, (key: string) => string>> = Object.freeze({
  country: countryName,
  deal_type: dealTypeName,
  signal: (key) => (isSignalKey(key) ? signalDefinition(key).label : key),
  technology: (key) => technologyName(key) ?? key,
  amounts: amountsName,
  scores: (tens) => `${tens} to ${tens === "90" ? 100 : Number(tens) + 9}`,
  period: (key) => key,
});

/** `1m_5m` as `$1M to $5M`. */
function amountsName(band: string): string {
  const bands = Object.entries(AMOUNT_BANDS);
  const at = bands.findIndex(([name]) => name === (band as AmountBand));
  const [least, most] = [bands[at]?.[1], bands[at + 1]?.[1]];
  if (least === undefined) return band;
  if (most === undefined) return `${shortDollars(least)} or more`;
  return least === 0 ? `Under ${shortDollars(most)}` : `${shortDollars(least)} to ${shortDollars(most)}`;
}

const shortDollars = (dollars: number): string =>
  dollars < 1_000_000 ? `$${dollars / 1000}K` : `$${dollars / 1_000_000}M`;
