import { CATALOGUE, type SignalDefinition } from "@tranche/shared/domain/signals/catalogue";

const BEGIN = "<!-- Made from libs/shared/domain/signals/catalogue.ts by `npm run docs`. -->";
const END = "<!-- The end of the generated part. -->";

/** A page with the table of all signals between its two marks, as the catalogue has it now. */
export function withCatalogueTable(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined)
    throw new Error(`The page lacks one of the marks that the table goes between: ${BEGIN} ${END}`);
  return `${head}${BEGIN}\n\n${table()}\n\n${END}${tail}`;
}

function table(): string {
  return [
    "| key | true when | weight | half-life | life | source | rule |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...CATALOGUE.map(row),
  ].join("\n");
}

function row({
  key,
  definition,
  polarity,
  weight,
  halfLifeDays,
  lifeDays,
  source,
  ruleVersion,
}: SignalDefinition): string {
  const cells = [
    `[\`${key}\`](#${key})`,
    definition,
    polarity === "negative" ? `−${weight}` : String(weight),
    halfLifeDays === null ? "–" : `${halfLifeDays} days`,
    lifeDays === null ? "while true" : `${lifeDays} days`,
    source,
    `v${ruleVersion}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
