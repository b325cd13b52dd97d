import { quoted } from "@tranche/shared/domain/text/quoted";
import { countryIn } from "../mapping/country.ts";
import type { Question } from "../mapping/schema.ts";
import { samplesOf } from "./column-texts.ts";
import type { Recognised } from "./columns.ts";
import { garbledIn } from "./encoding.ts";
import { kindNote } from "./kind.ts";
import type { Sample } from "./sample.ts";
import type { Table } from "./table.ts";

/** Texts that show whether the encoding is right. */
const foreignTexts = ({ rows, columns }: Sample): string[] =>
  rows.flatMap((row) => columns.map((column) => row[column]!)).filter((text) => /[^\0-\x7f]/.test(text));

/** Asks for the encoding where several are as likely. */
export function encodingQuestion(sample: Sample): Question[] {
  const { encoding } = sample;
  if (encoding.others.length === 0) return [];
  return [
    {
      id: "encoding",
      question: `In which encoding is the file? It is not Unicode. In ${encoding.name} it has texts such as ${samplesOf(foreignTexts(sample))}.`,
      answers: Object.fromEntries(
        [encoding.name, ...encoding.others].map((name) => [name, `read the file as ${name}`]),
      ),
      free: "the name of an encoding",
      place: "encoding",
    },
  ];
}

/** A name that rows with different countries have. */
function namesakeIn({ rows }: Sample, { company, country }: Recognised["chosen"]): string | undefined {
  if (!company || !country) return undefined;
  const countries = new Map<string, string>();
  return rows
    .map((row) => [row[company.column.name]!.trim(), countryIn(row[country.column.name]!)] as const)
    .find(([name, found]) => {
      const before = countries.get(name);
      if (found !== undefined && before === undefined) countries.set(name, found);
      return found !== undefined && before !== undefined && before !== found;
    })?.[0];
}

/** Sentences about the file as a whole. */
export function notesOf({ sample, chosen, kind, others }: Table, totals: readonly string[]): string[] {
  const { encoding } = sample;
  const garbled = garbledIn(foreignTexts(sample));
  const namesake = chosen.company_slug ? undefined : namesakeIn(sample, chosen);
  return [
    sample.path !== undefined && `Each item of '${sample.path}' is a row.`,
    encoding.isGuess &&
      `The encoding ${encoding.name} is a guess: check texts such as ${samplesOf(foreignTexts(sample))}.`,
    namesake !== undefined &&
      `Rows of '${namesake}' have different countries: rows with one name are one company, and its first country counts.`,
    garbled !== undefined &&
      `Texts such as '${garbled[0]}' were already garbled when the file was written (probably '${garbled[1]}'). Export the file again as UTF-8.`,
    others && `Rows whose '${others.column}' is ${quoted(others.texts)} are not rounds. They give only companies.`,
    totals.length > 0 && `Rows named ${quoted(totals)} are totals, and are left out.`,
    kindNote(kind, chosen.date !== undefined),
  ].filter((note) => typeof note === "string");
}
