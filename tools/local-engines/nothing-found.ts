import { LEAST_JAVA } from "./java.ts";
import { LEAST_REDIS } from "./redis-server.ts";
import type { Need } from "./source.ts";

export type Tried = { source: "Docker" | "Local processes"; missing: string[] };

/** The text for a machine on which no way leads to the engines: what was tried, what was found, what to do. */
export function nothingFound(need: Need, tried: Tried[]): string {
  const engines = [...(need.elasticsearch ? ["Elasticsearch"] : []), ...(need.redis ? ["Redis"] : [])].join(" and ");
  const variables = [...(need.elasticsearch ? ["ELASTICSEARCH_URL"] : []), ...(need.redis ? ["REDIS_URL"] : [])];
  const example = [
    ...(need.elasticsearch ? ["ELASTICSEARCH_URL=http://127.0.0.1:9200"] : []),
    ...(need.redis ? ["REDIS_URL=redis://127.0.0.1:6379"] : []),
  ];
  const install = [
    ...(need.elasticsearch ? [`a JDK of version ${LEAST_JAVA} or later`] : []),
    "Maven",
    ...(need.redis ? [`redis-server ${LEAST_REDIS} or later (unless a ready-made one runs here)`] : []),
  ];
  const [are, them] = need.elasticsearch && need.redis ? ["are", "them"] : ["is", "it"];
  return [
    `${engines} ${are} needed, and nothing here leads to ${them}.`,
    "",
    "Looked for, in this order:",
    `  Addresses: ${variables.join(" and ")} not set`,
    ...tried.flatMap(({ source, missing }) => missing.map((line) => `  ${source}: ${line}`)),
    "",
    "Any one of these is enough:",
    `  1. Give ${variables.length > 1 ? "addresses" : "an address"}: ${example.join(" ")}`,
    "  2. Start Docker (with its compose plugin, for npm start). Images other than the official ones:",
    "     TRANCHE_ELASTICSEARCH_IMAGE, TRANCHE_REDIS_IMAGE",
    `  3. Install ${install.join(", ")}.`,
    "     Everything else is fetched.",
  ].join("\n");
}
