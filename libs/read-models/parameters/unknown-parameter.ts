import { closest } from "@tranche/shared/domain/text/closest";
import type { Problem } from "./problem.ts";
import { suggested } from "./kinds/suggested.ts";
import type { ParameterTable } from "./parameter.ts";
import { listsWith, type Pointer, USUAL_NAMES } from "./usual-names.ts";

/** The problem of an unknown parameter name, with a suggestion of what the caller probably wants. */
export function unknownParameter(table: ParameterTable, name: string): Problem {
  const allowed = Object.keys(table);
  const { say, ...suggestion } = adviceFor(name, allowed);
  const message = `There is no parameter '${name}' here.${say === undefined ? "" : ` ${say}`}`;
  return { parameter: name, code: "unknown_parameter", message, ...suggestion, allowed };
}

/** A sentence of the message, or a suggestion, or both. */
type Advice = Pick<Problem, "suggestion" | "hint"> & { say?: string | undefined };

function adviceFor(name: string, allowed: readonly string[]): Advice {
  const word = name.toLowerCase();
  const list = /^(\w+)\[\w*\]$/.exec(word)?.[1];
  if (list !== undefined && allowed.includes(list)) return { say: `Write a list as ${list}=a,b.`, suggestion: list };

  const { use = [], how, otherwise }: Pointer = USUAL_NAMES.get(word) ?? {};
  const same = use.find((parameter) => allowed.includes(parameter));
  if (same !== undefined) return { say: (same === use[0] && how) || `Use '${same}'.`, suggestion: same };
  const near = closest(word, allowed);
  if (near !== undefined) return suggested(near);

  if (otherwise !== undefined) return { say: otherwise };
  if (allowed.length === 0) return { say: "This endpoint takes no parameters." };
  const elsewhere = [word, ...use].find((parameter) => listsWith(parameter).length > 0);
  return elsewhere === undefined ? {} : { say: `Use '${elsewhere}' with ${listsWith(elsewhere).join(" or ")}.` };
}
