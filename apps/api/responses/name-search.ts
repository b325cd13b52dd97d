import { z } from "zod";
import { MATCHES } from "@tranche/read-models/query/name-match";
import { NAME_TYPES } from "@tranche/read-models/parameters/name-search";
import { count, text } from "../present/scalars.ts";

const foundName = z
  .strictObject({
    type: z.enum(NAME_TYPES),
    id: text.meta({ description: "Of a company or an investor; null for all others." }),
    key: z.string().meta({ description: "The value to send in a filter." }),
    name: z.string(),
    matched: z.enum(MATCHES).meta({
      description:
        "`exact`: the key, an alias or the domain. `prefix`: the name begins with `q`. `words`: each word of `q` begins another word of the name or of an alias. `similar`: it does so, tolerating typing errors.",
    }),
    country: text.meta({ description: "ISO 3166-1 alpha-2; for a city, that of most of its companies." }),
    rounds: count.meta({
      description:
        "Of an investor, all rounds that name it, as on `/funding`. Of a company, its rounds announced up to today; of any other name, those of its companies.",
    }),
    companies: count.nullable().meta({ description: "Number of companies; null for a company." }),
  })
  .meta({ id: "FoundName" });

export const foundNames = z
  .strictObject({
    data: z.array(foundName).meta({
      description: "The best matches first; within one kind of match by number of rounds, then name, then id.",
    }),
  })
  .meta({ id: "NameSearchAnswer" });
