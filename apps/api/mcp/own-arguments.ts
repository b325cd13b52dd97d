import { choice } from "@tranche/read-models/parameters/kinds/choice";
import { flag } from "@tranche/read-models/parameters/kinds/flag";
import { scalar } from "@tranche/read-models/parameters/kinds/kind";
import { parameter } from "@tranche/read-models/parameters/parameter";
import { z } from "zod";

/** The arguments that choose the endpoint of a tool, and the id of a record. Everything else comes from the tables of the endpoints. */

export const OF = Object.freeze({
  of: parameter({
    kind: choice(["rounds", "companies"]),
    description: "`companies`: those with a live signal.",
    example: "rounds",
    required: true,
  }),
});

export const RECORD = Object.freeze({
  type: parameter({
    kind: choice(["round", "company", "investor"]),
    description: "What it is.",
    example: "company",
    required: true,
  }),
  id: parameter({
    kind: scalar({ schema: z.string(), read: (text) => ({ value: text }) }),
    description: "Its id or slug, or the domain of a company.",
    example: "facebook",
    required: true,
  }),
});

export const LIVE_SIGNALS_ONLY = Object.freeze({
  live_signals_only: parameter({
    kind: flag(),
    description: "Only companies with a live signal, best score first.",
    example: "true",
    fallback: "false",
  }),
});

const TOPICS = ["rounds", "companies", "investors", "signals", "deal_types", "categories", "countries"] as const;

export type Topic = (typeof TOPICS)[number];

/** The argument of `describe`. */
export const TOPIC = Object.freeze({
  topic: parameter({
    kind: choice(TOPICS),
    description: "Without it: an overview.",
    example: "rounds",
  }),
});
