import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { guideExamples } from "../support/guide-examples.ts";
import { keptRows } from "../support/kept-rows.ts";
import { hasPython } from "../support/python.ts";
import type { Fixture } from "../support/with-service.ts";
import { company, deletion, round } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

export function testMirror({ service, queues }: Fixture): void {
  const folder = mkdtempSync(join(tmpdir(), "tranche-mirror-"));
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  const isPythonThere = hasPython("the mirror in Python");
  const mirrors = guideExamples().filter(
    ({ guide, language }) => guide.endsWith("mirror.md") && (language !== "python" || isPythonThere),
  );

  test("the mirrors of the guide equal the list after writes, deletions, moves and a rebuild", async () => {
    expect(mirrors).toHaveLength(isPythonThere ? 2 : 1);
    const key = await service.key();
    let version = 10;
    const write = async (...writes: Parameters<typeof queues.send>[0]) => {
      await queues.send(writes, 1);
      await queues.settled();
    };
    await write(...["c0", "c1", "c2"].map((id) => company(version++, id, { country: "US" })));
    const databases = mirrors.map(({ language, code }) => {
      const database = join(folder, `${language}.db`);
      const file = join(folder, language === "python" ? "mirror.py" : "mirror.mts");
      writeFileSync(file, code.replaceAll("http://127.0.0.1:3000/api/v1", service.base));
      const command = language === "python" ? "python3" : process.execPath;
      const env = { ...process.env, KEY: key, MIRROR: database, FOLLOW: "1" };
      const child = spawn(command, [file], { env, stdio: ["ignore", "ignore", "inherit"] });
      running.push(child);
      return { child, database };
    });

    for (let n = 0; n < 36; n++) {
      const [id, owner] = [`r${n % 15}`, `c${n % 3}`];
      if (n % 7 === 3) await write(deletion(version++, "round", id));
      else if (n % 11 === 5) await write(company(version++, owner, { country: "DE" }));
      else await write(round(version++, id, owner, { amount_usd: 1000 + n }));
      if (n === 20) {
        const { code, stderr } = await service.ops(["reindex", "--wait"]);
        expect(code, stderr).toBe(0);
      }
    }

    await write(company(version++, "c2", { country: "US" }));
    const response = await fetchUnlessBusy(`${service.base}/funding?country=US&limit=50`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.length).toBeGreaterThan(3);
    const listed = Object.fromEntries(data.map((row) => [row.id, row]));
    for (const { child, database } of databases) {
      const rows = () => Object.fromEntries(keptRows(database, "rounds"));
      await expect.poll(rows, { timeout: 60_000 }).toEqual(listed);
      expect(child.exitCode).toBe(null);
    }
  });
}
