import { readFileSync } from "node:fs";

/** The last lines of a log file that say something, indented; for messages. */
export function logTail(file: string, lines: number): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return `  (cannot read ${file})`;
  }
  const last = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lines);
  return last.map((line) => `  ${line}`).join("\n") || "  (it is empty)";
}
