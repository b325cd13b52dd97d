import { LISTS } from "@tranche/shared/accounts/saved-search";
import { z } from "zod";

const MAX_NAME = 120;
const MAX_QUERY = 6000;
/** Parameters that say which rows of the result are shown. */
const POSITION = /(?:^|&)(?:limit|offset|cursor|fields|format)=/;

export const searchName = z
  .string("Give the search a name.")
  .max(MAX_NAME * 8, `A name has at most ${MAX_NAME} characters.`)
  .trim()
  .min(1, "Give the search a name.")
  .refine((name) => Array.from(name).length <= MAX_NAME, `A name has at most ${MAX_NAME} characters.`)
  .refine((name) => !/\p{Cc}/u.test(name) && name.isWellFormed(), "A name has no control characters.");

export const searchQuery = z
  .string("Send the query string of the search.")
  .max(MAX_QUERY, `A search has at most ${MAX_QUERY} characters.`)
  .refine((query) => /^[!-~]*$/.test(query) && !query.includes("#"), "The query string is not escaped.")
  .refine((query) => !POSITION.test(query), "A saved search has filters and an order, but no position.");

export const searchList = z.enum(LISTS, "There is no such list.");
