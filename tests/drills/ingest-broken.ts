import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { write } from "../support/writes.ts";
import { type BrokenFile, type Good, KINDS, MAPPING, type Row, soundCsv, soundNdjson } from "./broken-files.ts";
import type { Drill } from "./drill.ts";
import { type Installation, judge, NOW, withInstallation } from "./installation.ts";
import type { Random } from "./random.ts";

const PROJECT = join(import.meta.dirname, "../..");
const ROWS = 40;
/** The command shows this many refusals, so a kill at one of them comes while it reads. */
const SHOWN = 20;

type Named = BrokenFile & { name: string; kind: string };
/** How the command is ended: Ctrl-C once or twice, or kill -9; `none` lets it end by itself. */
type End = "none" | "ctrl-c" | "ctrl-c twice" | "kill -9";
type Ran = { refused: string[]; unfinished: string[]; killed: boolean };

export const ingestBroken: Drill = {
  name: "ingest-broken",
  about:
    "files broken in 60 ways among good ones, and kills of the command: every good record gets in, every bad one is named",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, say, size } = context;
      const each = size === "full" ? 5 : 1;
      const folder = mkdtempSync(join(tmpdir(), "ingest-broken-"));
      try {
        const json = random.shuffled(filesOf("json", each, random));
        const csv = random.shuffled(filesOf("csv", each, random));
        for (const { name, content } of [...json, ...csv]) if (content) writeFileSync(join(folder, name), content);
        writeFileSync(join(folder, "map.json"), JSON.stringify(MAPPING));
        const third = Math.ceil(json.length / 3);
        const calls: [Named[], End, string[]][] = [
          [json.slice(0, third), "kill -9", []],
          [json.slice(third, 2 * third), "ctrl-c", []],
          [json.slice(2 * third), "ctrl-c twice", []],
          [csv, "none", ["--map", "map.json"]],
        ];

        const wrong: string[] = [];
        let kills = 0;
        let rerun = 0;
        for (const [files, end, options] of calls) {
          const first = await ingest(installation, folder, files, end, options, random);
          say(
            `${files.length} files, ${end}: ${first.refused.length} refusals, ${first.unfinished.length} files to do again`,
          );
          if (first.killed) kills++;
          const again = files.filter(({ name }) => first.unfinished.includes(name));
          rerun += again.length;
          const done = files.filter((file) => !again.includes(file));
          wrong.push(...misnamed(first, done, again));
          if (again.length > 0)
            wrong.push(...misnamed(await ingest(installation, folder, again, "none", options, random), again, []));
        }

        for (const place of wrong.slice(0, 10)) say(place);
        const files = [...json, ...csv];
        const broken = files.filter(({ kind }) => kind !== "sound");
        const good = files.flatMap((file) => file.good).map(writeOf);
        const { checks, figures } = await judge(context, installation, good, { withinMs: 300_000 });
        return {
          checks: {
            ...checks,
            "every bad record named once": wrong.length === 0,
            "killed three times at work": kills === 3 && rerun > 0,
          },
          figures: {
            files: files.length,
            broken: broken.length,
            kinds: new Set(broken.map(({ kind }) => kind)).size,
            bad: broken.reduce((sum, { refused }) => sum + refused.length, 0),
            wrongly_named: wrong.length,
            kills,
            files_again: rerun,
            ...figures,
          },
        };
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
};

/** `each` files of every kind, and half as many that are sound. */
function filesOf(format: "json" | "csv", each: number, random: Random): Named[] {
  const kinds = Object.entries(KINDS[format]);
  const sound = format === "csv" ? soundCsv : soundNdjson;
  const all = [...kinds, ...Array.from({ length: Math.ceil(kinds.length / 2) }, () => ["sound", sound] as const)];
  return all.flatMap(([kind, make], kindNumber) =>
    Array.from({ length: each }, (_, number) => {
      const name = `${format}-${kindNumber}-${number}`;
      return { ...make(rowsOf(name, random), random), name, kind };
    }),
  );
}

function rowsOf(file: string, random: Random): Row[] {
  return Array.from({ length: 2 + random.below(ROWS) }, (_, number) => ({
    id: `${file}-${number}`,
    name: `Company ${file} ${number}`,
    date: `202${random.below(5)}-0${1 + random.below(9)}-1${random.below(10)}`,
    amount: 1 + random.below(1e9),
  }));
}

const writeOf = (good: Good): RecordWrite => ({ ...write(1, good), updated_at: new Date(NOW).toISOString() });

/** Runs `ops ingest` on files, and ends it at a refusal that it shows. */
async function ingest(
  installation: Installation,
  folder: string,
  files: readonly Named[],
  end: End,
  options: readonly string[],
  random: Random,
): Promise<Ran> {
  const rejects = join(folder, "rejects.ndjson");
  rmSync(rejects, { force: true });
  const names = files.map(({ name }) => name);
  const args = ["ingest", ...names, ...options, "--rejects", rejects, "--json"];
  const child = spawn(process.execPath, [join(PROJECT, "apps/ops/main.ts"), ...args], {
    cwd: folder,
    env: installation.service.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const at = 1 + random.below(SHOWN / 2);
  let [out, err, ended] = ["", "", false];
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => {
    err += part.toString();
    if (end === "none" || ended || err.split("\n").length <= at) return;
    ended = true;
    child.kill(end === "kill -9" ? "SIGKILL" : "SIGINT");
    if (end === "ctrl-c twice") setTimeout(() => child.kill("SIGINT"), 1);
  });
  await once(child, "close");
  const lines = existsSync(rejects) ? readFileSync(rejects, "utf8").split("\n") : [];
  // A kill may leave half a line.
  const refused = lines
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { file: string; line?: number; element?: number });
  const killed = child.signalCode !== null || child.exitCode === 130;
  const summary = out === "" ? undefined : (JSON.parse(out) as { unfinished: { file: string }[] });
  return {
    refused: refused.map(({ file, line, element }) => `${file}:${line ?? element ?? ""}`),
    // A command that is killed with -9 can name nothing.
    unfinished: summary ? summary.unfinished.map(({ file }) => file) : names,
    killed,
  };
}

/** Places that were not named, though their file was read to its end (`done`); that were named twice; or that are good. */
function misnamed({ refused }: Ran, done: readonly Named[], again: readonly Named[]): string[] {
  const count = Map.groupBy(refused, (place) => place);
  const places = (files: readonly Named[]) =>
    files.flatMap((file) => file.refused.map((place) => `${file.name}:${place}`));
  const allowed = new Set(places([...done, ...again]));
  return [
    ...places(done).flatMap((place) => (count.has(place) ? [] : [`not named: ${place}`])),
    ...[...count].flatMap(([place, { length }]) => (length > 1 ? [`named ${length} times: ${place}`] : [])),
    ...[...count.keys()].flatMap((place) => (allowed.has(place) ? [] : [`named, but good: ${place}`])),
  ];
}
