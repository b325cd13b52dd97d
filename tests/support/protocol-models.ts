import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MODELS = fileURLToPath(new URL("../protocol", import.meta.url));

/** What the models of the protocols print, with these options: a line per scenario, and their sum at the end. */
export async function runModels(...options: string[]): Promise<string> {
  const child = spawn("python3", [MODELS, "--quiet", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
  return printed;
}
