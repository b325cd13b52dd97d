import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { setTimeout as pause } from "node:timers/promises";
import type { IngestSummary } from "@tranche/intake/reading/summary";
import type { RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import { createSets } from "@tranche/shared/protocol/runs/sets";
import { compareDocuments, expectedDocuments, searchableDocuments } from "../support/expected.ts";
import { write } from "../support/writes.ts";
import type { Drill, DrillContext } from "./drill.ts";
import { type Installation, judge, NOW, withInstallation } from "./installation.ts";
import type { Random } from "./random.ts";

/** A line of a dump. */
type Line = { type: RecordType; id: string; version: number } & Record<string, unknown>;
type Dump = { set: string; lines: Line[]; kind: "good" | "truncated" | "half-empty"; kill: Kill };
type Kill = "none" | "while it stores" | "while it deletes";

const DAILY = { removed: 0.03, changed: 0.05 };

export const sets: Drill = {
  name: "sets",
  about:
    "daily dumps of two sets that share records, good ones, a truncated and a half-empty one; the indexer is killed at work",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { size, say } = context;
      const dumps = size === "full" ? month(context, 4000) : fewDays(context, 400);
      const folder = mkdtempSync(join(tmpdir(), "sets-"));
      const model = createModel();
      const wrong: string[] = [];
      const kills = { storing: 0, deleting: 0 };
      let differing = 0;
      try {
        for (const [day, dump] of dumps.entries()) {
          const { code, summary } = await send(installation, join(folder, `day-${day + 1}.ndjson.gz`), dump, kills);
          model.take(dump, summary.rows.read - summary.rows.refused);
          const ended = `${code} ${summary.set?.deletions}`;
          const expected = { good: /^0 (?:done|none)$/, truncated: /^1 not whole$/, "half-empty": /^1 refused$/ }[
            dump.kind
          ];
          if (!expected.test(ended)) wrong.push(`dump ${day + 1} (${dump.kind}): ${ended}`);
          await installation.queues.investorsSettled(300_000);
          const found = await searchableDocuments(installation.client, installation.names);
          const { missing, extra, stale } = compareDocuments(expectedDocuments(model.served(), Date.parse(NOW)), found);
          const faults = [...missing, ...extra, ...stale];
          differing += faults.length;
          say(
            `dump ${day + 1} of ${dumps.length}: '${dump.set}', ${dump.lines.length} records, ${dump.kind}, ${summary.set?.deleted} deleted, ${faults.length} differ ${faults.slice(0, 3).join(", ")}`,
          );
        }
        for (const line of wrong) say(line);
        const { checks, figures } = await judge(context, installation, model.served(), { withinMs: 300_000 });
        return {
          checks: {
            ...checks,
            "what is served equals the dictionary, after each dump": differing === 0,
            "it has the records of the last good dumps": model.hasLastDumps(),
            "each dump ends as it must": wrong.length === 0,
            "killed at work": kills.storing + kills.deleting > 0,
          },
          figures: {
            dumps: dumps.length,
            killed_while_storing: kills.storing,
            killed_while_deleting: kills.deleting,
            differing_by_day: differing,
            ...figures,
          },
        };
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
};

/** Writes a dump and ingests it as its set; kills the indexer meanwhile and starts it again. */
async function send(
  installation: Installation,
  file: string,
  { set, lines, kind, kill }: Dump,
  kills: { storing: number; deleting: number },
): Promise<{ code: number | null; summary: IngestSummary }> {
  const packed = gzipSync(lines.map((line) => JSON.stringify(line)).join("\n"));
  writeFileSync(file, kind === "truncated" ? packed.subarray(0, Math.floor(packed.length * 0.7)) : packed);
  let ended = false;
  const ingest = installation.service
    .ops(["ingest", file, "--set", set, "--wait", "--json"])
    .finally(() => (ended = true));
  const { client, names, queues } = installation;
  const state = createSets(client, names, async () => true);
  const isTime = async () =>
    kill === "while it stores" ? (await queues.open()) > 0 : (await state.state(set))?.phase === "deleting";
  while (kill !== "none" && !ended && !(await isTime())) await pause(5);
  if (kill !== "none" && !ended) {
    await installation.killIndexer();
    if (kill === "while it stores") kills.storing++;
    else kills.deleting++;
    await installation.startIndexer();
  }
  const { code, stdout, stderr } = await ingest;
  if (stdout === "") throw new Error(`ops ingest ended with ${code}: ${stderr}`);
  return { code, summary: JSON.parse(stdout) as IngestSummary };
}

/** A dictionary of what the dumps have to give. */
function createModel() {
  const records = new Map<string, Line>();
  const members = new Map<string, Set<string>>();
  const last = new Map<string, Line[]>();
  const keyOf = ({ type, id }: Line) => `${type} ${id}`;
  const isElsewhere = (set: string, key: string) =>
    [...members].some(([other, keys]) => other !== set && keys.has(key));
  // The clock of the installation stands at NOW.
  const writesOf = (lines: Iterable<Line>): RecordWrite[] =>
    [...lines].map((line) => ({ ...write(line.version, line), updated_at: new Date(NOW).toISOString() }));
  return {
    /** `read`: how many lines were read before the dump broke off. */
    take({ set, lines, kind }: Dump, read: number): void {
      const had = members.get(set) ?? new Set();
      members.set(set, had);
      for (const line of lines.slice(0, read)) {
        const key = keyOf(line);
        if ((records.get(key)?.version ?? 0) <= line.version) records.set(key, line);
        had.add(key);
      }
      if (kind !== "good") return;
      last.set(set, lines);
      const now = new Set(lines.map(keyOf));
      for (const key of had) {
        if (now.has(key)) continue;
        had.delete(key);
        if (!isElsewhere(set, key)) records.delete(key);
      }
    },
    served: () => writesOf(records.values()),
    /** Whether it has exactly the records of the last good dump of each set. Of a shared one it has the newest content. */
    hasLastDumps(): boolean {
      const wanted = new Set([...last.values()].flat().map(keyOf));
      return wanted.size === records.size && [...wanted].every((key) => records.has(key));
    },
  };
}

/** 30 dumps, the last one of each set is good. Some of a set's records are the other's, too. */
function month({ random }: DrillContext, count: number): Dump[] {
  const source = createSource(random, count);
  const kills = new Map<number, Kill>([
    [4, "while it stores"],
    [9, "while it deletes"],
    [14, "while it stores"],
    [19, "while it deletes"],
    [24, "while it stores"],
  ]);
  return Array.from({ length: 30 }, (_, day) => {
    const kind = day === 11 ? "truncated" : day === 17 ? "half-empty" : "good";
    return source.dump(day % 3 === 2 && kind === "good" ? "vendor" : "crm", kind, kills.get(day) ?? "none");
  });
}

function fewDays({ random }: DrillContext, count: number): Dump[] {
  const source = createSource(random, count);
  return [
    source.dump("crm", "good", "none"),
    source.dump("vendor", "good", "none"),
    source.dump("crm", random.pick(["truncated", "half-empty"]), "none"),
    source.dump("crm", "good", "while it deletes"),
  ];
}

/** A world that changes from dump to dump. */
function createSource(random: Random, count: number) {
  const own = new Map<string, Map<string, Line>>();
  let version = 0;
  let made = 0;

  const changed = (line: Line): Line =>
    line.type === "round"
      ? { ...line, version, amount_usd: version * 1000 }
      : { ...line, version, name: `${line.id} of version ${version}` };
  const created = (set: string): Line => {
    const id = `${set}-${++made}`;
    const companies = Math.max(1, Math.floor(count / 4));
    const kind = random.below(4);
    if (kind === 0)
      return {
        type: "company",
        id: `co-${made % companies}`,
        version,
        name: id,
        country: "DE",
        observed_at: NOW.slice(0, 10),
      };
    if (kind === 1) return { type: "investor", id: `inv-${id}`, version, name: id };
    return {
      type: "round",
      id: `rnd-${id}`,
      version,
      company_id: `co-${random.below(companies)}`,
      announced_date: "2025-05-01",
      deal_type: "seed",
      amount_usd: version,
    };
  };

  return {
    /** The next dump of a set. */
    dump(set: string, kind: Dump["kind"], kill: Kill): Dump {
      version++;
      const lines = own.get(set) ?? new Map<string, Line>();
      own.set(set, lines);
      const put = (line: Line) => void lines.set(`${line.type} ${line.id}`, line);
      for (const [key, line] of lines) {
        if (random.chance(DAILY.removed)) lines.delete(key);
        else if (random.chance(DAILY.changed)) put(changed(line));
      }
      // Records of the other set join, with content of their own.
      for (const [other, theirs] of own)
        if (other !== set) for (const line of theirs.values()) if (random.chance(0.02)) put(changed(line));
      while (lines.size < count) put(created(set));
      const whole = random.shuffled([...lines.values()]);
      return { set, kind, kill, lines: kind === "half-empty" ? whole.slice(0, whole.length / 2) : whole };
    },
  };
}
