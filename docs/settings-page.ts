import { fileVariable } from "@tranche/shared/process/secret-files";
import { type Row, SETTINGS } from "@tranche/shared/process/setting-rows";

/** The sections of the page. A setting is in the first one whose expression its name fits. */
const SECTIONS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Engines", /^(?:ELASTICSEARCH_|REDIS_|TRANCHE_(?:NAMESPACE|SHARDS|REPLICAS|REDIS_))/],
  ["Mail and webhooks", /^TRANCHE_(?:SMTP|MAIL|WEBHOOK)_/],
  ["Addresses and ports", /^(?:PORT|HOST)$|_(?:PORT|HOSTS?|URL|TOKEN|PROXIES|CONNECTIONS)$/],
  ["Processes", /_(?:PROCESSES|SECONDS|CONCURRENCY|LEADER|PAUSES|CACHE|HOURS)$/],
  ["Everything else", /./],
];

function settingRow([name, row]: [string, Row]): string {
  const { fallback, description } = row;
  const shown = row.shown ?? (fallback === undefined ? "–" : `\`${fallback}\``);
  return `| \`${name}\`${row.secret ? ` or \`${fileVariable(name)}\`` : ""} | ${shown} | ${description} |`;
}

/** The tables of all settings, as `docs/settings.md` shows them. */
export function settingsMarkdown(): string {
  const settings: [string, Row][] = Object.entries(SETTINGS);
  const sectionOf = (name: string) => SECTIONS.find(([, names]) => names.test(name))![0];
  const sections = SECTIONS.map(([title]) => {
    const rows = settings.filter(([name]) => sectionOf(name) === title).map(settingRow);
    return `## ${title}\n\n| name | default | effect |\n| --- | --- | --- |\n${rows.join("\n")}`;
  });
  return `# Settings

All come from the environment; those shown as "–" are not set by default. Generated from \`libs/shared/process/setting-rows.ts\` by \`npm run docs\`.
\`npm start\` has three more: \`TRANCHE_HOME\`, the folder where engines and data are kept (\`.tranche\` in the project), by which \`ops\` finds a
running \`npm start\`; \`TRANCHE_ENGINES\` (\`docker\` or \`local\`), where engines are looked for when no address is given; and \`ES_JAVA_OPTS\`,
options for the Java of an Elasticsearch that runs as a local process.

Local engines note their version beside their data in \`TRANCHE_HOME\`. An engine of a lower major version than the one noted does not start: Redis 6
would ignore the files of Redis 7 and start empty. The error says which version to install.

A setting with a second name that ends in \`_FILE\` may hold a secret. Give it directly, or name a file that has its value on one line, as
Docker and Kubernetes mount secrets: \`REDIS_URL_FILE=/run/secrets/redis_url\`. A newline at the end of the file is cut. A process does not
start when both are given, or when the file is missing or empty. It reads the file once: restart it after a change.

${sections.join("\n\n")}

## Trust

The engines that \`npm start\` runs have no password. They listen on loopback only, so every local user of the machine can read what they
hold (hashes of API keys, never the keys) and change it, usage counters included. On a machine with other users, run engines of your own with
credentials, and give their URLs with \`ELASTICSEARCH_URL\` and \`REDIS_URL\`.
`;
}
