import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { afterAll, describe, expect, test } from "vitest";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

describe("the image", () => {
  test("gets the package.json of every workspace before it installs", () => {
    const workspaces = globSync("{apps/*,libs/*,web}/package.json", { cwd: new URL("../../", import.meta.url) });
    const copied = [...read("Dockerfile").matchAll(/^COPY (\S+\/package\.json) /gm)].map((line) => line[1]);
    expect(copied).toEqual(workspaces.toSorted());
  });

  test("starts the programs with the flags that npm run gives them", () => {
    expect(read("infra/image/run")).toContain(` ${NODE_FLAGS.join(" ")} `);
  });

  test("has every program end at a signal that comes while it loads", () => {
    const started = [...read("infra/image/run").matchAll(/exec node (.*?)\/apps\//g)].map(([, flags]) => flags);
    expect(started).toHaveLength(2);
    for (const flags of started) expect(flags).toMatch(/^--require "\$version" --import "\$signals" /);
  });

  test.each([
    { signal: "SIGTERM", own: "", exits: 143 },
    { signal: "SIGINT", own: "", exits: 130 },
    { signal: "SIGTERM", own: "process.on('SIGTERM', () => process.exit(7));", exits: 7 },
  ] as const)("exits with $exits at $signal when its own handler is '$own'", async ({ signal, own, exits }) => {
    const first = fileURLToPath(new URL("exit-on-signal.ts", import.meta.url));
    const source = `${own} console.log("up"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--import", first, "--eval", source]);
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([exits, null]);
  });
});

describe("the health check", () => {
  const app = mkdtempSync(join(tmpdir(), "tranche-image-"));
  afterAll(() => rmSync(app, { recursive: true }));
  cpSync(import.meta.dirname, join(app, "infra/image"), { recursive: true });
  mkdirSync(join(app, "apps/indexer"), { recursive: true });
  const main = join(app, "apps/indexer/main.ts");
  writeFileSync(
    main,
    `const server = require("node:http").createServer((request, response) => {
       response.writeHead(request.url === "/health/live" ? 200 : 404).end();
     }).listen(0, "127.0.0.1", () => console.log(server.address().port));`,
  );
  const health = (port: string) =>
    spawnSync(join(app, "infra/image/run"), ["health"], {
      encoding: "utf8",
      env: { ...process.env, TRANCHE_INDEXER_PORT: port },
    });

  test("finds the program that is not process 1, and fails where there is none", { timeout: 30_000 }, async () => {
    expect(health("1")).toMatchObject({ status: 1, stderr: "No program of Tranche runs here.\n" });
    const child = spawn(process.execPath, [main]);
    const port = String((await once(child.stdout, "data"))[0]).trim();
    expect(health(port)).toMatchObject({ status: 0 });
    expect(health("1").stderr).toContain("http://127.0.0.1:1/health/live");
    child.kill();
    await once(child, "exit");
    expect(health(port).status).toBe(1);
  });
});
