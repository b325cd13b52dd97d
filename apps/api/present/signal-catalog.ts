import { CATALOGUE } from "@tranche/shared/domain/signals/catalogue";

/** The catalogue of signals as callers see it. */
export function signalCatalog() {
  return CATALOGUE.map(({ key, label, definition, polarity, weight, halfLifeDays, lifeDays, source, ruleVersion }) => ({
    key,
    label,
    definition,
    polarity,
    weight,
    half_life_days: halfLifeDays,
    life_days: lifeDays,
    source,
    rule_version: ruleVersion,
  }));
}
