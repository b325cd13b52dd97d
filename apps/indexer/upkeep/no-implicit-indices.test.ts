import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { storeTemplate } from "./no-implicit-indices.ts";

test("the template that an administrator puts is the one that an indexer with more rights puts", () => {
  const file = new URL("../../../infra/roles/elasticsearch/store-template.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(storeTemplate(indexNames("tranche")));
});
