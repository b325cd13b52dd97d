import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { openApiDocument } from "./document.ts";
import { EXAMPLES, FLAT_ROWS } from "./examples.ts";

type Operation = { parameters: { name: string; in: string; example?: unknown }[]; responses: Record<string, unknown> };
type Document = { paths: Record<string, { get: Operation }>; components: Record<string, Record<string, unknown>> };

const endpoints = createEndpoints(dealTypes());
const document = openApiDocument(endpoints, "http://127.0.0.1:3000") as unknown as Document;

/** The named schemas of objects: only answers have some. */
const objects = ({ components }: Document) =>
  Object.values(components["schemas"]!).filter((schema) => (schema as { type?: string }).type === "object");

test("the committed document is the one that the code makes (`node apps/api/openapi/write.ts` writes it afresh)", () => {
  const committed = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
});

describe("the document", () => {
  test("has every endpoint with every parameter", () => {
    for (const { path, parameters } of Object.values(endpoints)) {
      const documented = document.paths[path]!.get.parameters.filter((parameter) => parameter.in === "query");
      expect(documented.map((parameter) => parameter.name)).toEqual(Object.keys(parameters));
    }
  });

  test("refers to nothing that it does not have, and has no schema twice", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, kind, name] of references) expect(document.components[kind!], name).toHaveProperty([name!]);
    expect(JSON.stringify(document)).not.toContain("#/$defs/");
  });

  test("says of every schema what it is, not only what it is called", () => {
    for (const [name, schema] of Object.entries(document.components["schemas"]!)) {
      const { type, properties, enum: words, "x-extensible-enum": known, pattern } = schema as Record<string, unknown>;
      expect(type === "object" ? properties : (words ?? known ?? pattern), name).toBeDefined();
    }
  });

  test("lets answers have more members and other words, and parameters none", () => {
    const answers = JSON.stringify([Object.values(document.paths).map(({ get }) => get.responses), objects(document)]);
    expect(answers).not.toContain('"enum"');
    expect(answers).not.toContain('"additionalProperties":false');
    const { DealType: answered, DealTypeParameter: sent } = document.components["schemas"]!;
    const of = { type: "string", description: "The type of a funding round." };
    expect(sent).toEqual({ ...of, enum: dealTypes().words });
    expect(answered).toEqual({ ...of, "x-extensible-enum": dealTypes().words });
  });

  test("has an answer for every status that a look-up can have", () => {
    const statuses = Object.keys(document.paths["/api/v1/companies/{id}"]!.get.responses);
    expect(statuses).toEqual(["200", "304", "400", "401", "404", "406", "408", "414", "429", "431", "500", "503"]);
  });
});

test.each(Object.entries(endpoints))("the example of %s is an answer that its schema takes", (name, { response }) => {
  expect(response.safeParse(EXAMPLES[name as keyof typeof EXAMPLES])).toMatchObject({ success: true });
});

test.each(["signals", "companies"] as const)("the flat example of %s is one that its schema takes", (name) => {
  const answer = { ...(EXAMPLES[name] as object), data: [FLAT_ROWS[name]] };
  expect(endpoints[name].response.safeParse(answer)).toMatchObject({ success: true });
});
