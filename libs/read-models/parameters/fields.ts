import { closest } from "@tranche/shared/domain/text/closest";
import { z } from "zod";
import { plainList } from "./kinds/list.ts";
import { suggested } from "./kinds/suggested.ts";
import { parameter } from "./parameter.ts";
import { shortened } from "./query-string.ts";

/** The parameter that chooses members of rows. `id`: the name of their schema in the OpenAPI document. */
export function fieldsParameter(id: string, fields: readonly string[], example: string) {
  return Object.freeze({
    fields: parameter({
      kind: plainList({
        item: z.string().regex(oneOf(fields)).meta({ id, description: "A member of the rows or a column of CSV." }),
        read(text) {
          if (fields.includes(text)) return { key: text, value: text };
          const value = shortened(text);
          const suggestion = suggested(closest(text.toLowerCase(), fields));
          return { code: "unknown_value", message: `Unknown field '${value}'.`, value, ...suggestion, allowed: fields };
        },
      }),
      description:
        "Members of the rows, or columns of CSV; nested members with a dot. Rows then have only these, and CSV has them as columns in this order.",
      example,
      items: fields,
      unfiltered: true,
    }),
  });
}

/** A pattern, not an enum: generators give `company.id` and `company_id` the same name in an enum. */
const oneOf = (fields: readonly string[]) =>
  new RegExp(`^(?:${fields.map((field) => field.replaceAll(".", "\\.")).join("|")})$`);
