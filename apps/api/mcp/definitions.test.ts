import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { toolDefinitions } from "./definitions.ts";
import { toolEndpoints } from "./tool-endpoints.ts";

const ENDPOINTS = createEndpoints(dealTypes());
const DEFINITIONS = toolDefinitions(toolEndpoints(ENDPOINTS));
const argumentsOf = (tool: string) =>
  DEFINITIONS.find(({ name }) => name === tool)!.inputSchema.properties as Record<string, { description?: string }>;

describe("the definitions of the tools", () => {
  test("have at most 16,000 bytes together", () => {
    const sizes = DEFINITIONS.map((tool) => ({ tool: tool.name, bytes: Buffer.byteLength(JSON.stringify(tool)) }));
    console.table(sizes);
    expect(Buffer.byteLength(JSON.stringify(DEFINITIONS))).toBeLessThanOrEqual(16_000);
  });

  test("are valid JSON Schema", () => {
    const ajv = new Ajv({ strict: true });
    for (const { inputSchema } of DEFINITIONS) expect(() => ajv.compile(inputSchema)).not.toThrow();
  });

  test.each([
    ["find", ["search"], []],
    ["list_rounds", ["funding"], []],
    ["list_companies", ["companies", "signals"], ["live_signals_only"]],
    ["list_investors", ["investors"], []],
    ["get", ["company", "investor"], ["type", "id"]],
    ["stats", ["fundingStats", "signalsStats"], ["of"]],
    ["changes", ["fundingChanges", "signalsChanges"], ["of"]],
    ["describe", [], ["topic"]],
    ["usage", [], []],
  ] as const)("%s has every parameter of %j, but those of HTTP alone", (tool, endpoints, own) => {
    const parameters = endpoints.flatMap((name) => Object.keys(ENDPOINTS[name].parameters));
    const ofTools = parameters.filter((name) => !["format", "text", "wait"].includes(name));
    expect(new Set(Object.keys(argumentsOf(tool)))).toEqual(new Set([...own, ...ofTools]));
  });

  test("name the words of each vocabulary once", () => {
    const told = DEFINITIONS.filter((tool) => JSON.stringify(tool).includes("just_raised")).map(({ name }) => name);
    expect(told).toEqual(["list_companies"]);
    expect(argumentsOf("list_rounds")["deal_types"]!.description).toContain("pre_seed, seed, angel");
  });
});
