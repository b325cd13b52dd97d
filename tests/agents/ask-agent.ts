import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { ToolCall } from "./questions.ts";

/** What an agent sees: the question, and what clients get of `/mcp`. */
export type Sheet = { question: string; instructions: string; tools: readonly object[] };

/**
 * Gives a sheet as JSON to a program and reads the call that it writes, as JSON: `{"name": …, "arguments": {…}}`. Text before and after it is
 * allowed, because models like to explain. Rejects with a text for people when the program fails or writes none. `folder`: where it runs.
 */
export async function askAgent(
  [program, ...args]: readonly [string, ...string[]],
  sheet: Sheet,
  { folder, withinMs }: { folder: string; withinMs: number },
): Promise<ToolCall> {
  // It has to answer from the sheet alone.
  const env = { ...process.env, TRANCHE_KEY: undefined };
  const child = spawn(program, args, { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"], timeout: withinMs });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  // A program that does not read its sheet still answers.
  child.stdin.on("error", () => {}).end(JSON.stringify(sheet));
  const [code, written] = await Promise.all([ended, text(child.stdout)]);
  if (code !== 0)
    throw new Error(code === null ? `it was ended after ${withinMs / 1000} s` : `it ended with exit code ${code}`);
  const call = callIn(written);
  if (!call) throw new Error(`it wrote no call, expected {"name": …, "arguments": {…}}: ${written.slice(0, 200)}`);
  return call;
}

/** The call in a text: from its first brace to its last one. */
export function callIn(written: string): ToolCall | undefined {
  try {
    const { name, arguments: given } = JSON.parse(
      written.slice(written.indexOf("{"), written.lastIndexOf("}") + 1),
    ) as Partial<ToolCall>;
    return typeof name === "string" ? { name, arguments: given ?? {} } : undefined;
  } catch {
    return undefined;
  }
}
