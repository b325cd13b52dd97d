import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appsScript } from "./support/apps-script.ts";
import { type GuideExample, guideExamples } from "./support/guide-examples.ts";
import { containing } from "./support/page-examples.ts";
import { hasPython } from "./support/python.ts";
import { withShowcase } from "./support/with-service.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const EXAMPLE_SERVICE = "http://127.0.0.1:3000";
const run = promisify(execFile);

describe("the examples of the guides, run as a reader runs them", () => {
  const { service } = withShowcase();
  const folder = mkdtempSync(join(tmpdir(), "tranche-guides-"));
  let key: string;

  beforeAll(async () => {
    key = await service.key();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The command that runs a file of code, by language. */
  const commands: Record<GuideExample["language"], (code: string) => [command: string, ...args: string[]]> = {
    sh: (code) => ["bash", "-euo", "pipefail", "-c", code],
    ts: (code) => [process.execPath, file("example.mts", code)],
    python: (code) => ["python3", file("example.py", code)],
    js: (code) => [
      process.execPath,
      file("example.mjs", appsScript(code, "/signals?country=DE&signal=just_raised&limit=50")),
    ],
  };

  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  async function output({ language, code }: GuideExample): Promise<string> {
    const address = service.base.replace(/\/api\/v1$/, "");
    const [command, ...args] = commands[language](code.replaceAll(EXAMPLE_SERVICE, address));
    const { stdout } = await run(command, args, { cwd: folder, env: { ...process.env, KEY: key }, timeout: 30_000 });
    return stdout.trim();
  }

  const isPythonThere = hasPython("the guides' examples in Python");
  // The receiver of webhooks never ends: tests/webhooks.test.ts runs it.
  const examples = guideExamples().filter(
    ({ guide, language }) =>
      !(guide === "webhooks.md" && language === "ts") && (language !== "python" || isPythonThere),
  );

  test.each(examples)("$guide, line $line ($language)", async (example) => {
    const text = await output(example);
    const { prints } = example;
    if (prints === undefined) expect(rowsIn(text), text).not.toBe(0);
    else if ("lines" in prints) expect(text.split(/\r?\n/)).toEqual(expect.arrayContaining(prints.lines.split("\n")));
    else expect(JSON.parse(text)).toEqual(containing(prints.json));
  });

  const tasks = tableRequests(readFileSync(join(import.meta.dirname, "../docs/guides/tasks.md"), "utf8"));
  test.each(tasks)("tasks.md: %s finds something", async (request) => {
    const response = await fetchUnlessBusy(service.base + request, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    // A CSV has one line for its columns.
    if (response.headers.get("content-type")!.startsWith("text/csv")) {
      expect(text.trim().split("\n").length, text).toBeGreaterThan(1);
      return;
    }
    expect(rowsIn(text), text).toBeGreaterThan(0);
    expect(JSON.parse(text), "nothing that the request names is unknown").not.toHaveProperty("warnings");
  });

  test("tasks.md has requests in its tables", () => {
    expect(tasks.length).toBeGreaterThan(25);
  });

  test("most guides have examples, and many say what they print", () => {
    expect(new Set(examples.map(({ guide }) => guide)).size).toBeGreaterThan(7);
    expect(examples.filter(({ prints }) => prints !== undefined).length).toBeGreaterThan(5);
  });
});

/** The requests in the tables of a guide: code that begins with a slash. */
function tableRequests(page: string): string[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  return rows.flatMap((row) => [...row.matchAll(/`(\/[^`]*)`/g)].map(([, request]) => request!));
}

/** How many rows a JSON answer has; an error has none. Other texts are not counted. */
function rowsIn(text: string): number | undefined {
  if (!text.startsWith('{"data"') && !text.startsWith('{"error"')) return undefined;
  const { data } = JSON.parse(text) as { data?: unknown[] | object };
  if (data === undefined) return 0;
  return Array.isArray(data) ? data.length : 1;
}
