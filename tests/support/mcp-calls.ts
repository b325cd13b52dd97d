import type { Tool } from "@modelcontextprotocol/client";
import type { Random } from "../drills/random.ts";

/** Arguments of tools at random: most of them right, some wrong in the ways that a model gets them wrong. */

type Property = { type?: string; enum?: string[]; items?: Property };
type Given = Record<string, unknown>;

/** Texts that mean something for an argument of this name. */
export type Pools = Readonly<Record<string, readonly string[]>>;

const JUNK: readonly unknown[] = [
  "",
  "  ",
  "-US",
  "!",
  "a\u0007b",
  "\ud800",
  "x".repeat(600),
  {},
  [[]],
  "null",
  1e21,
  -1,
  '{"eq":1}',
];
const NUMBERS = [0, 1, 2, 5, 10, 50, 1000, 1_000_000, 2.5];

/** How many of a thousand values are junk. */
const JUNK_CHANCE = 0.02;
const ARGUMENT_CHANCE = 0.12;

export function randomCall(random: Random, tools: readonly Tool[], pools: Pools): { name: string; given: Given } {
  const { name, inputSchema } = random.pick(tools);
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const given: Given = {};
  for (const [argument, property] of Object.entries(properties)) {
    if (required.includes(argument) ? !random.chance(0.98) : !random.chance(ARGUMENT_CHANCE)) continue;
    given[argument] = random.chance(JUNK_CHANCE) ? random.pick(JUNK) : valueOf(random, property, pools[argument]);
  }
  if (given["offset"] !== undefined && random.chance(0.9)) delete given["cursor"];
  if (random.chance(0.01)) given["no_such_argument"] = 1;
  return { name, given };
}

function valueOf(random: Random, { type, enum: words, items }: Property, pool: readonly string[] = ["x"]): unknown {
  if (words) return random.pick(words);
  if (type === "boolean") return random.chance(0.5);
  if (type === "integer" || type === "number") return random.pick(NUMBERS);
  if (!items) return random.pick(pool);
  const count = random.chance(0.7) ? 1 : 1 + random.below(3);
  const values = Array.from({ length: count }, () => valueOf(random, items, pool) as string);
  if (random.chance(0.1)) values[0] = `!${values[0]}`;
  return values.length === 1 && random.chance(0.3) ? values[0] : values;
}
