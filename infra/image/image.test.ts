import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { describe, expect, test } from "vitest";

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
