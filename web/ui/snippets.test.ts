import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Snippet, snippetsOf } from "./snippets.ts";

const AWKWARD = [
  "plain",
  `'; touch broken; echo '`,
  `"; import os; os.abort() #`,
  "$HOME $(id) `id` ${KEY} !! %s {a,b} [1-3] \\n \\",
  "a\nb\r\nc\td",
  "<script>|&;*?~^#%",
  "Šiauliai 😀 \u2028",
];

const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const { searchParams } = new URL(request.url!, "http://here");
  response.end(JSON.stringify({ name: searchParams.get("name"), key: request.headers.authorization }));
});
const folder = mkdtempSync(join(tmpdir(), "tranche-snippets-"));
let base: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/funding`;
});
afterAll(() => void server.close());

const COMMANDS: Record<Snippet["name"], { file: string; run: string[] }> = {
  curl: { file: "request.sh", run: ["sh"] },
  TypeScript: { file: "request.mts", run: [process.execPath] },
  Python: { file: "request.py", run: ["python3"] },
};

/** The request of a snippet that was copied into a file and run. */
async function run({ name, code }: Snippet): Promise<unknown> {
  const { file, run: command } = COMMANDS[name];
  const path = join(folder, file);
  writeFileSync(path, code);
  const env = { PATH: process.env["PATH"], KEY: "trn_key", PYTHONIOENCODING: "utf-8" };
  const { stdout } = await promisify(execFile)(command[0]!, [...command.slice(1), path], { cwd: folder, env });
  if (name === "curl") return JSON.parse(stdout);
  // Both print a value in their own notation; the members are enough.
  return stdout;
}

const missing = ["sh", "curl", "python3"].filter((command) => spawnSync(command, ["--version"]).error !== undefined);
if (missing.length > 0) console.log(`skipped: running snippets: there is no ${missing.join(", ")}`);

describe.skipIf(missing.length > 0)("a snippet", () => {
  test.each(AWKWARD)("with %j can't be broken out of", async (name) => {
    // Escaped as our pages do it, and with no more escapes than a URL needs.
    for (const query of [encodeURIComponent(name), name.replaceAll(/[%#&+]/g, encodeURIComponent)]) {
      const [curl, typescript, python] = await Promise.all(snippetsOf(`${base}?name=${query}`).map(run));
      expect(curl).toEqual({ name, key: "Bearer trn_key" });
      for (const printed of [typescript, python]) expect(printed).toContain("Bearer trn_key");
    }
  });

  test("sends the same in each language", async () => {
    const name = AWKWARD.join(" ");
    const asked: (string | null)[] = [];
    server.prependListener("request", (request: { url?: string }) => {
      asked.push(new URL(request.url!, "http://here").searchParams.get("name"));
    });
    for (const snippet of snippetsOf(`${base}?name=${encodeURIComponent(name)}`)) await run(snippet);
    expect(asked).toEqual([name, name, name]);
  });
});
