import { technologyName } from "@tranche/shared/domain/technologies/technology";
import type { Random } from "./random.ts";

/** What the made-up records are written with. */

/** 26 countries, the most frequent first. */
export const COUNTRIES: readonly string[] =
  "US GB IN DE FR CA CN IL SE SG NL AU BR ES JP CH KR IE FI DK IT NO BE PL AE MX".split(" ");

export const CATEGORIES: readonly string[] = [
  ..."Software,FinTech,Health Care,Artificial Intelligence,E-Commerce,Biotechnology,SaaS,Education,Cyber Security,Analytics".split(
    ",",
  ),
  ..."Real Estate,Logistics,Food and Beverage,Gaming,Travel,Energy,Hardware,Robotics,Insurance,Media".split(","),
  ..."Marketing,Human Resources,Manufacturing,Agriculture,Automotive,Space,Semiconductors,Legal,Fashion,Sports".split(
    ",",
  ),
  ..."Music,Construction,Telecommunications,Water,Materials,Mobility,Government,Pets,Dating,Events".split(","),
];

/** The most frequent first: old and new technologies, some of them tagged AI. */
export const TECHNOLOGIES: readonly string[] = [
  ..."javascript react python nodejs typescript postgresql docker java mysql kubernetes redis go php nginx ruby".split(
    " ",
  ),
  ..."vue angular django mongodb terraform graphql csharp kafka elasticsearch rails spring-boot pytorch rust swift".split(
    " ",
  ),
  ..."kotlin tensorflow flutter snowflake airflow next-js svelte fastapi scala grafana prometheus datadog laravel".split(
    " ",
  ),
  ..."openai langchain cplusplus dart spark clickhouse bigquery jquery perl cobol elixir r oracle huggingface".split(
    " ",
  ),
].map((key) => technologyName(key) ?? key);

const HEADS = "b c d f g h j k l m n p r s t v w z br cl dr fl gr kr pl qu sh sk st th tr vi".split(" ");
const MIDDLES = "a e i o u ai ea io ou y".split(" ");
const TAILS = "n l r s t x m nd rt ck ly va do ra lo ma ni to".split(" ");

/** A word that nobody has used, such as `Treadova`. */
export function madeUpWord(random: Random): string {
  const syllable = () => random.pick(HEADS) + random.pick(MIDDLES);
  const word = syllable() + (random.chance(0.5) ? syllable() : "") + random.pick(TAILS);
  return word.charAt(0).toUpperCase() + word.slice(1);
}
