import { type Row, SETTINGS } from "@tranche/shared/settings/settings";

/** The table of all settings, as `docs/settings.md` shows it. */
export function settingsMarkdown(): string {
  const rows = Object.entries(SETTINGS).map(([name, row]: [string, Row]) => {
    const { fallback, description } = row;
    const shown = row.shown ?? (fallback === undefined ? "–" : `\`${fallback}\``);
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  return `# Settings

All come from the environment; those shown as "–" are not set by default. Generated from \`libs/shared/settings/settings.ts\` by \`npm run docs\`.
\`npm start\` has two more: \`TRANCHE_HOME\`, the folder where engines and data are kept (\`.tranche\` in the project), by which \`ops\` finds a
running \`npm start\`; and \`TRANCHE_ENGINES\` (\`docker\` or \`local\`), where engines are looked for when no address is given.

| name | default | what it decides |
| --- | --- | --- |
${rows.join("\n")}

The engines that \`npm start\` runs have no password. They listen on loopback only, so every local user of the machine can read what they
hold (hashes of API keys, never the keys) and change it, usage counters included. On a machine with other users, run engines of your own with
credentials, and give their URLs with \`ELASTICSEARCH_URL\` and \`REDIS_URL\`.
`;
}
