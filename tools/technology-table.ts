/**
 * Makes `libs/shared/domain/technologies/table.json` from the name lists of Simple Icons and Devicon and our own aliases:
 * `node tools/technology-table.ts <simple-icons.json> <devicon.json>`, each a JSON array of
 * `{name, aliases?}`. Run it again after a change of `aliases.ts`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { makeTable, type Listed } from "@tranche/shared/domain/technologies/table";

const [simpleIcons, devicon] = process.argv.slice(2);
if (simpleIcons === undefined || devicon === undefined) {
  console.error("Usage: node tools/technology-table.ts <simple-icons.json> <devicon.json>");
  process.exit(2);
}
const read = async (path: string): Promise<Listed[]> => JSON.parse(await readFile(path, "utf8")) as Listed[];
const table = makeTable(await read(simpleIcons), await read(devicon));
await writeFile(
  new URL("../libs/shared/domain/technologies/table.json", import.meta.url),
  `${JSON.stringify(table, null, 2)}\n`,
);
console.log(`${Object.keys(table.names).length} technologies, ${Object.keys(table.aliases).length} aliases`);
