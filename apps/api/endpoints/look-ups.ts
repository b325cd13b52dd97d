import { NAME_SEARCH_PARAMETERS } from "@tranche/read-models/parameters/name-search";
import { paging } from "@tranche/read-models/parameters/paging";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { JSON_ONLY } from "../present/formats.ts";
import * as lookUps from "../responses/look-ups.ts";
import { foundNames } from "../responses/name-search.ts";
import type { Rows } from "../responses/rows.ts";
import { freshness } from "../responses/freshness.ts";
import { usage } from "../responses/usage.ts";
import type { Endpoint } from "./endpoint.ts";

const NO_PARAMETERS: ParameterTable = Object.freeze({});

/** The parameters that select a page of a record's rounds. `path`: of the record in the example. */
const roundsOf = (path: string) =>
  paging({ path, sort: "announced_date_desc", position: { value: "2011-01-21", id: "rnd-cb-facebook-2011-01-21-1" } });

/** The search by name, single records, vocabularies and the usage. */
export function lookUpEndpoints(rows: Rows) {
  const records = lookUps.createLookUps(rows);
  const lookUp = { parameters: NO_PARAMETERS, formats: JSON_ONLY };
  return {
    search: {
      operationId: "searchNames",
      path: "/api/v1/search",
      summary: "Search by name",
      description:
        "Finds companies, investors, categories, cities, technologies and countries by their names as people type them: exact names first, then names that begin with `q`, then names of which each word of `q` begins a word, then those that match despite typing errors. Costs quota like a page.",
      parameters: NAME_SEARCH_PARAMETERS,
      formats: JSON_ONLY,
      response: foundNames,
    },
    fundingRound: {
      operationId: "getFundingRound",
      path: "/api/v1/funding/{id}",
      summary: "Get a funding round",
      description: "One round, in the same form as in the list.",
      id: { description: "The round's id.", example: "rnd-cb-facebook-2011-01-21-1" },
      ...lookUp,
      response: records.fundingRound,
    },
    company: {
      operationId: "getCompany",
      path: "/api/v1/companies/{id}",
      summary: "Get a company",
      description:
        "One company: its profile, its live signals with the points that each adds to the score, and its rounds, newest first, in pages.",
      id: {
        description:
          "The company's id, slug or domain, in this order; if several match, the lowest id wins. Slugs are compared by key, so their case does not matter; of an escaped URL only the domain counts.",
        example: "facebook",
      },
      parameters: roundsOf("/api/v1/companies/facebook"),
      formats: JSON_ONLY,
      response: records.company,
    },
    investor: {
      operationId: "getInvestor",
      path: "/api/v1/investors/{id}",
      summary: "Get an investor",
      description: "One investor and the rounds it took part in, newest first, in pages.",
      id: {
        description: "The investor's id or slug. Ids take precedence over slugs; if several match, the lowest id wins.",
        example: "accel-partners",
      },
      parameters: roundsOf("/api/v1/investors/accel-partners"),
      formats: JSON_ONLY,
      response: records.investor,
    },
    categories: {
      operationId: "listCategories",
      path: "/api/v1/categories",
      summary: "List categories",
      description: "Every category of a company, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    dealTypes: {
      operationId: "listDealTypes",
      path: "/api/v1/deal-types",
      summary: "List deal types",
      description: "The vocabulary of deal types, with counts. Companies are counted under their latest round's type.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    countries: {
      operationId: "listCountries",
      path: "/api/v1/countries",
      summary: "List countries",
      description: "Every country that a company is in, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    technologies: {
      operationId: "listTechnologies",
      path: "/api/v1/technologies",
      summary: "List technologies",
      description: "Every technology that a company uses, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.technologies,
    },
    signalCatalog: {
      operationId: "getSignalCatalog",
      path: "/api/v1/signal-catalog",
      summary: "List signals",
      description: "What each signal means and how it affects the score.",
      ...lookUp,
      response: lookUps.signalCatalog,
    },
    usage: {
      operationId: "getUsage",
      path: "/api/v1/usage",
      summary: "Get your usage",
      description: "Your plan and how much of both limits you have used. Costs no quota.",
      ...lookUp,
      response: usage,
    },
    freshness: {
      operationId: "getFreshness",
      path: "/api/v1/freshness",
      summary: "Get how new the data is",
      description:
        "The day from which signals are counted, the size of each list and when it last changed, and how far the lists lag behind what was written. It is made at most once a second, and costs no quota.",
      ...lookUp,
      response: freshness,
    },
  } satisfies Record<string, Endpoint>;
}
