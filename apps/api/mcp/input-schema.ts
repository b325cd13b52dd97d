import { SENT } from "@tranche/read-models/parameters/kinds/kind";
import type { Parameter, ParameterTable } from "@tranche/read-models/parameters/parameter";
import { z } from "zod";
import { valueSchema } from "../responses/envelopes.ts";
import { oncePerSchema } from "../responses/once-per-schema.ts";
import type { ToolEndpoints } from "./tool-endpoints.ts";
import type { Tool } from "./tools.ts";

/** The part of JSON Schema that the arguments of tools need. */
type Property = { type: string; enum?: string[]; items?: Property; description?: string };
type InputSchema = { type: "object"; properties: Record<string, Property>; required?: string[] };

/** More words than this are left to `describe`. */
const MAX_WORDS = 40;

/**
 * The arguments of a tool: its own, and the parameters of its endpoints. Of orders and dimensions it has those of all of them. `explained`:
 * the vocabularies whose words an earlier tool names, to which this one adds its own.
 */
export function inputSchema(tool: Tool, endpoints: ToolEndpoints, explained: Set<string>): InputSchema {
  const tables = tool.targets.map(({ endpoint }): ParameterTable => endpoints[endpoint].parameters);
  const properties: Record<string, Property> = {};
  for (const [name, row] of [tool.own, ...tables].flatMap((table) => Object.entries(table))) {
    // Filters of brief tools are those of the lists.
    const isBrief = tool.brief === true && row.unfiltered === undefined && !Object.hasOwn(tool.own, name);
    const { words, ...property } = propertyOf(SENT.get(row.kind) ?? valueSchema(row.kind));
    const description = isBrief ? {} : { description: descriptionOf(row, words, explained) };
    const next = { ...property, ...description };
    properties[name] = properties[name] ? joined(properties[name], next) : next;
  }
  const required = Object.keys(properties).filter(
    (name) => tool.own[name]?.required ?? (tables.length > 0 && tables.every((table) => table[name]?.required)),
  );
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/** A vocabulary of a list: its name in OpenAPI, and its words. */
type Words = { id: string; words: readonly string[] };
type Schema = { $ref?: string; type?: string; enum?: string[]; items?: Schema; anyOf?: Schema[] };

/** The type of an argument, and the words of its items, which may have a `!` before them. Without bounds and patterns: the API tells those in words. */
const propertyOf = oncePerSchema((sent): Property & { words?: Words } => {
  const { $defs = {}, ...schema } = z.toJSONSchema(sent, { io: "output" }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const idOf = ({ $ref }: Schema) => $ref?.replace("#/$defs/", "");
  const resolved = (part: Schema): Schema => $defs[idOf(part) ?? ""] ?? part;
  const plain = (part: Schema): Property => {
    const { type = "string", enum: words, items } = resolved(part);
    return items ? { type, items: plain(items) } : { type, ...(words ? { enum: words } : {}) };
  };
  const [first] = schema.items?.anyOf ?? [];
  const words = first && resolved(first).enum;
  return { ...plain(schema), ...(words ? { words: { id: idOf(first) ?? "", words } } : {}) };
});

/** The first sentence of a parameter's description, its default, and the words of its vocabulary unless they were named before. */
function descriptionOf({ description, fallback }: Parameter, words: Words | undefined, explained: Set<string>): string {
  const [first = ""] = description.split(/(?<=[.;]) /);
  const sentences = [`${first.replace(/[.;]$/, "")}.`];
  if (fallback !== undefined) sentences.push(`Default: ${fallback}.`);
  if (words && !explained.has(words.id) && words.words.length <= MAX_WORDS) {
    explained.add(words.id);
    sentences.push(`${words.words.join(", ")}.`);
  }
  return sentences.join(" ");
}

/** One argument that two endpoints have: the words of both. */
function joined(one: Property, other: Property): Property {
  const words = (a: string[] | undefined, b: string[] | undefined) =>
    a && b ? { enum: [...new Set([...a, ...b])] } : {};
  const items = one.items && other.items && { ...one.items, ...words(one.items.enum, other.items.enum) };
  return { ...one, ...words(one.enum, other.enum), ...(items ? { items } : {}) };
}
