import { type Row, SETTINGS } from "./settings.ts";

/** The table of all settings, as `docs/settings.md` shows it. */
export function settingsMarkdown(): string {
  const rows = Object.entries(SETTINGS).map(([name, row]: [string, Row]) => {
    const { fallback, description } = row;
    const shown = row.shown ?? (fallback === undefined ? "–" : `\`${fallback}\``);
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  return `# Settings

All come from the environment; each has a default. Made from \`libs/shared/settings/settings.ts\` by \`npm run docs\`.
\`npm start\` has two more: \`TRANCHE_HOME\`, the folder where engines and data are kept (\`.tranche\` in the project), by which \`ops\` finds a
running \`npm start\`; and \`TRANCHE_ENGINES\` (\`docker\` or \`local\`), where engines are looked for when no address is given.

| name | default | what it decides |
| --- | --- | --- |
${rows.join("\n")}
`;
}
