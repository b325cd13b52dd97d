import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import { parseMapping } from "../mapping/mapping.ts";
import { createRowMapper } from "../mapping/rows.ts";
import type { Ops } from "../context/ops.ts";
import { SourceError } from "../sources/item.ts";
import { Failure } from "../terminal/failure.ts";
import { counted, shownNumber } from "../terminal/numbers.ts";
import { readSample } from "./sample.ts";
import { suggestMapping } from "./suggest.ts";

/** Shows a first mapping for a CSV file, and says what it was made from. */
export async function suggestMap(ops: Ops, file: string): Promise<void> {
  const { terminal } = ops;
  const dealTypes = readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE);
  const sample = await readSample(file, terminal.stdin).catch((error: unknown) => {
    throw error instanceof SourceError ? new Failure(`${file}: ${error.message}`) : error;
  });
  const suggestion = suggestMapping(sample, dealTypes);
  if (!suggestion) {
    const columns = sample.columns.map((column) => `'${column}'`).join(", ");
    throw new Failure(
      `${file}: none of the columns (${columns}) could be recognised as the names of companies. docs/ingest.md says how to write a mapping.`,
    );
  }
  const mapping = parseMapping(suggestion.mapping, "the suggested mapping");
  const mapRow = createRowMapper(mapping, { dealTypes, today: new Date().toISOString().slice(0, 10) });
  const kinds = sample.rows.map((row) => mapRow(row).kind);
  const good = kinds.filter((kind) => kind === "records").length;
  for (const [role, column] of Object.entries(suggestion.recognised)) terminal.tell(`${role}: column '${column}'`);
  if (suggestion.unused.length > 0)
    terminal.tell(`not used: ${suggestion.unused.map((column) => `'${column}'`).join(", ")}`);
  terminal.tell(`${shownNumber(good)} of the first ${counted(sample.rows.length, "row")} give records.`);
  terminal.show(suggestion.mapping, JSON.stringify(suggestion.mapping, null, 2));
}
