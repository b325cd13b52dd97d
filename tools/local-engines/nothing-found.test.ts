import { expect, test } from "vitest";
import { nothingFound } from "./nothing-found.ts";

const tried = [
  { source: "Docker" as const, missing: ["no Docker engine answers: the docker command is not on PATH"] },
  {
    source: "Local processes" as const,
    missing: ["Java 21 or later, for Elasticsearch: found: 17 in /usr/lib/jvm/17", "Maven (mvn): not on PATH"],
  },
];

test("it says what was looked for, what was found, and three ways forward", () => {
  expect(nothingFound({ elasticsearch: true, redis: true }, tried)).toBe(
    `Elasticsearch and Redis are needed, and nothing here leads to them.

Looked for, in this order:
  Addresses: ELASTICSEARCH_URL and REDIS_URL not set
  Docker: no Docker engine answers: the docker command is not on PATH
  Local processes: Java 21 or later, for Elasticsearch: found: 17 in /usr/lib/jvm/17
  Local processes: Maven (mvn): not on PATH

Any one of these is enough:
  1. Give addresses: ELASTICSEARCH_URL=http://127.0.0.1:9200 REDIS_URL=redis://127.0.0.1:6379
  2. Start Docker (with its compose plugin, for npm start). Images other than the official ones:
     TRANCHE_ELASTICSEARCH_IMAGE, TRANCHE_REDIS_IMAGE
  3. Install a JDK of version 21 or later, Maven, redis-server 6.2 or later (unless a ready-made one runs here).
     Everything else is fetched.`,
  );
});

test("it asks only for what is missing when one address is given", () => {
  const text = nothingFound({ elasticsearch: false, redis: true }, [{ source: "Docker", missing: ["none"] }]);
  expect(text).toContain("Redis is needed, and nothing here leads to it.");
  expect(text).toContain("1. Give an address: REDIS_URL=redis://127.0.0.1:6379\n");
  expect(text).not.toMatch(/Elasticsearch|JDK/);
});
