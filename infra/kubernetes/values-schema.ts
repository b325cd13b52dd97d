import { fileVariable } from "@tranche/shared/process/secret-files";
import { type Row, SETTINGS } from "@tranche/shared/process/setting-rows";

/** The manifests decide these, because probes, Services and policies name the same ports. */
const DECIDED = /PORT$|^TRANCHE_OPERATOR_/;

/** values.schema.json with the settings that may be given: those of docs/settings.md, a secret only as the name of its file. */
export function withSettings(schema: string): string {
  const parsed = JSON.parse(schema) as { properties: { settings: { properties: object } } };
  const rows = Object.entries(SETTINGS).filter(([name]) => !DECIDED.test(name));
  parsed.properties.settings.properties = Object.fromEntries(
    rows.map(([name, { secret }]: [string, Row]) => [secret ? fileVariable(name) : name, { type: "string" }]),
  );
  return `${JSON.stringify(parsed, null, 2)}\n`;
}
