import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import type { Figures } from "./summary.ts";

/** The details of the companies of a group beside its tally. */
export type SignalsDetails = {
  /** The sum of their signal scores. */
  scores: number;
};

const field = (name: keyof CompanyDocument) => ({ field: name });

/** The figures of companies with signals. Their amounts are the totals raised. */
export const SIGNALS_FIGURES: Figures<SignalsDetails> = {
  tally: { amounts: { stats: field("total_raised_cents") } },
  details: { scores: { sum: field("signal_score") } },
  detailsOf: ({ scores }) => ({ scores: (scores as { value: number }).value }),
};
