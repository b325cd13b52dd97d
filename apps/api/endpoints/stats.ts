import { FUNDING_DIMENSIONS, SIGNALS_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { statsParameters } from "@tranche/read-models/parameters/stats";
import { JSON_ONLY } from "../present/formats.ts";
import * as stats from "../responses/stats.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ListTables } from "./lists.ts";

export function statsEndpoints({ funding, signals }: ListTables) {
  const fundingStats = statsParameters(funding, FUNDING_DIMENSIONS, "FundingDimension");
  const signalsStats = statsParameters(signals, SIGNALS_DIMENSIONS, "SignalsDimension");
  return {
    fundingStats: {
      operationId: "summariseFundingRounds",
      path: "/api/v1/funding/stats",
      summary: "Summarise funding rounds",
      description:
        "Counts, sums and medians of the rounds that `/funding` lists for the same filters, for all of them and by group. Costs one request of the quota; with `group_by` one for each 250,000 documents begun of its index, which has all rounds, whatever the filters.",
      parameters: fundingStats,
      formats: JSON_ONLY,
      response: stats.fundingStats(fundingStats),
    },
    signalsStats: {
      operationId: "summariseSignals",
      path: "/api/v1/signals/stats",
      summary: "Summarise companies by signal",
      description:
        "Counts, scores and sums raised of the companies that `/signals` lists for the same filters, for all of them and by group. Costs one request of the quota; with `group_by` one for each 250,000 documents begun of its index, which has all companies, also those without live signals, whatever the filters.",
      parameters: signalsStats,
      formats: JSON_ONLY,
      response: stats.signalsStats(signalsStats),
    },
  } satisfies Record<string, Endpoint>;
}
