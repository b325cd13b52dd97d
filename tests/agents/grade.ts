import type { ToolResult } from "../support/mcp-client.ts";
import { isRight, needsFurther, type Outcome, outcomeOf } from "./outcome.ts";
import type { Question, ToolCall } from "./questions.ts";

/** Calls a tool. Rejects for a call that the protocol refuses. */
export type CallTool = (name: string, given: object) => Promise<ToolResult>;

/** Outcomes of results that were looked at, which may have a thousand groups. */
const outcomes = new WeakMap<ToolResult, Outcome | undefined>();

/** The outcome of a call; undefined for one that fails. */
export async function outcomeOfCall(
  call: CallTool,
  { name, arguments: given }: ToolCall,
): Promise<Outcome | undefined> {
  const result = await call(name, given).catch(() => undefined);
  if (result === undefined || result.isError) return undefined;
  // Rows of chosen members can lack what names them.
  const { fields, ...others } = given as { fields?: unknown };
  const named = fields === undefined ? result : await call(name, others);
  if (!outcomes.has(named)) outcomes.set(named, outcomeOf({ name, arguments: others }, named));
  return outcomes.get(named);
}

/** Whether a call is as good as the right one of a question. Rejects where the right one fails. */
export async function isCallRight(call: CallTool, given: ToolCall, question: Question): Promise<boolean> {
  const right = await outcomeOfCall(call, question.call);
  if (!right)
    throw new Error(
      `The call that answers it fails here: ${JSON.stringify(question.call)}. Does the service have the showcase?`,
    );
  const found = await outcomeOfCall(call, given);
  if (!found) return false;
  const further: string[] = [];
  let next = right.further;
  while (next && needsFurther(found, right, question.grade, further)) {
    const page = await outcomeOfCall(call, next);
    const known = new Set([...right.rows, ...further]);
    further.push(...(page?.rows.filter((row) => !known.has(row)) ?? []));
    next = page?.further;
  }
  return isRight(found, right, question.grade, further);
}
