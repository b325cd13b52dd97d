import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { deleteNamespace } from "./support/namespace.ts";
import { callOps, spawnOps } from "./support/ops.ts";
import { PAUSES } from "./support/pauses.ts";

const project = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "ops-"));
const namespace = `ops_${process.pid}_${Date.now().toString(36)}`.slice(0, 30);
const env = {
  ...process.env,
  ELASTICSEARCH_URL: ENGINES.elasticsearchUrl,
  REDIS_URL: ENGINES.redisUrl,
  TRANCHE_NAMESPACE: namespace,
  TRANCHE_NOW: "2025-06-15T12:00:00Z",
  TRANCHE_PAUSES: PAUSES,
};
const redis = new Redis(ENGINES.redisUrl, { maxRetriesPerRequest: null });
const at = { connection: redis, prefix: `{${namespace}}` };
const ingest = new Queue("ingest", at);

type Options = { input?: string; over?: Record<string, string>; interruptAt?: string; keepInput?: boolean };

/** Runs the command; `input` is its standard input. With `interruptAt` it is a process, and Ctrl-C comes once it has printed that. */
async function ops(args: string[], { input, over, interruptAt, keepInput }: Options = {}) {
  const environment = { ...env, ...over };
  let interrupted = false;
  const { code, stdout, stderr } =
    interruptAt === undefined
      ? await callOps(args, { environment, input })
      : await spawnOps(args, {
          environment,
          input,
          cwd: folder,
          keepInput,
          onError(printed, child) {
            if (!interrupted && printed.includes(interruptAt)) interrupted = child.kill("SIGINT");
          },
        });
  return { code, out: stdout, err: stderr };
}

const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return name;
};
const company = (id: string, over: object = {}) =>
  JSON.stringify({ type: "company", id, name: `Company ${id}`, ...over });
const writes = async (): Promise<RecordWrite[]> =>
  (await ingest.getJobs(["waiting"], 0, -1, true)).flatMap((job) => (job.data as { records: RecordWrite[] }).records);

// Files are named as a person in their folder names them.
beforeAll(() => process.chdir(folder));
afterAll(async () => {
  process.chdir(project);
  await ingest.close();
  redis.disconnect();
  await deleteNamespace(ENGINES, namespace);
  rmSync(folder, { recursive: true });
});

describe("ingest", () => {
  beforeEach(() => ingest.obliterate({ force: true }));

  test("good lines go in, in their order, with rising versions; bad ones are named; exit code 1", async () => {
    const lines = [
      company("a", { country: "Freedonia" }),
      "{oops",
      company("b", { version: 7 }),
      '{"type":"compny"}',
      company("c"),
      company("a"),
    ];
    const ran = await ops(["ingest", file("mixed.ndjson", lines.join("\n")), "--json", "--rejects", "refused.ndjson"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("mixed.ndjson:2: is not JSON");
    expect(ran.err).toContain('mixed.ndjson:4: type: "compny" is not a valid record type');
    expect(JSON.parse(ran.out)).toMatchObject({
      rows: { read: 6, with_records: 4, refused: 2, skipped: 0 },
      enqueued: { company: 4 },
      refused: 2,
      unknown_countries: { count: 1, examples: { Freedonia: 1 } },
      versions: { given: 1, taken: 3 },
      interrupted: false,
    });
    const [a, b, c, again] = await writes();
    expect([a!.id, b!.id, c!.id, again!.id]).toEqual(["a", "b", "c", "a"]);
    expect([a!.version + 1, b!.version, a!.version + 2]).toEqual([c!.version, 7, again!.version]);
    expect(a!.updated_at).toBe("2025-06-15T12:00:00.000Z");
    const refused = readFileSync(join(folder, "refused.ndjson"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(refused).toMatchObject([
      { file: "mixed.ndjson", line: 2, raw: "{oops" },
      { line: 4, problems: [{ field: "type" }] },
    ]);
  });

  test("unknown fields and duplicate keys are counted, and refused with --strict", async () => {
    const twice = '{"type":"company","id":"b","name":"A","name":"B"}';
    const misspelt = file("misspelt.ndjson", [company("a", { cuntry: "US" }), twice, company("c")].join("\n"));
    const ran = await ops(["ingest", misspelt, "--json"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(ran.out)).toMatchObject({
      enqueued: { company: 3 },
      unknown_fields: [{ type: "company", field: "cuntry", count: 1, suggestion: "country" }],
      duplicate_keys: { name: 1 },
    });
    const strict = await ops(["ingest", misspelt, "--strict"]);
    expect(strict.code).toBe(1);
    expect(strict.err).toContain("misspelt.ndjson:1: cuntry: is not a known field, did you mean 'country'?");
    expect(strict.err).toContain("misspelt.ndjson:2: name: is given more than once: keep one of them");
    expect((await writes()).map((write) => write.id)).toEqual(["a", "b", "c", "c"]);
  });

  test("files, gzip whatever its name, an array and standard input give the same", async () => {
    const lines = [company("a"), company("b")];
    const names = [
      file("plain.ndjson", lines.join("\n")),
      file("packed.ndjson", gzipSync(lines.join("\n"))),
      file("array.txt", `[${lines.join(",\n")}]`),
      "-",
    ];
    const ran = await ops(["ingest", ...names], { input: lines.join("\n") });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain("Enqueued: 8 (8 companies)");
    expect((await writes()).map((write) => write.id)).toEqual(["a", "b", "a", "b", "a", "b", "a", "b"]);
  });

  test("a missing file, a folder, an empty and a cut-off file are each reported; the rest goes in", async () => {
    const packed = gzipSync(
      Array.from({ length: 500 }, (_, i) => company(`c${i}`, { city: String(Math.sin(i)) })).join("\n"),
    );
    const names = [
      "nowhere.ndjson",
      ".",
      file("empty.ndjson", ""),
      file("cut.gz", packed.subarray(0, packed.length / 2)),
    ];
    const ran = await ops(["ingest", ...names]);
    expect(ran.code).toBe(1);
    for (const told of [
      "nowhere.ndjson: no such file",
      ".: is a folder, expected a file",
      "empty.ndjson: has no records",
      "the gzip file is cut off here",
    ]) {
      expect(ran.err).toContain(told);
    }
    const found = await writes();
    expect(found.length).toBeGreaterThan(100);
    expect(found.map((write) => write.id)).toEqual(found.map((_, i) => `c${i}`));
  });

  test("what goes wrong in a file costs neither what was read before it nor the files after it", async () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const names = [
      file("before.ndjson", company("before")),
      file("deep.json", `[${company("first")},${deep},${company("last")}]`),
      file("deep.ndjson", [company("first-line"), deep, company("last-line")].join("\n")),
      file("names.csv", "name,amount\nAcme,5\n"),
      file("garbage.gz", Buffer.concat([gzipSync(company("packed")), Buffer.from("garbage")])),
      file("after.ndjson", company("after")),
    ];
    const ran = await ops(["ingest", ...names, "--json"]);
    expect(ran.code).toBe(1);
    expect(ran.err.trim().split("\n")).toEqual([
      "deep.json: element 2: is nested deeper than 100 levels",
      "deep.ndjson:2: is nested deeper than 100 levels",
      "names.csv: looks like CSV: give a mapping, which says what its columns mean, with --map FILE; --suggest-map writes a first one",
      "warning: garbage.gz has bytes after the end of the gzip data, which were not read. All data before them was read.",
    ]);
    expect(JSON.parse(ran.out)).toMatchObject({ refused: 3, enqueued: { company: 7 }, unfinished: [] });
    expect((await writes()).map((write) => write.id)).toEqual([
      "before",
      "first",
      "last",
      "first-line",
      "last-line",
      "packed",
      "after",
    ]);
  });

  test("escape sequences of input are shown, not sent to the terminal", async () => {
    const escape = "\u001b]0;pwned\u0007\u001b[2J\u009b";
    const names = [
      file("esc\u001b[2J.ndjson", `${company("a")}\n${escape}{x\n${JSON.stringify({ type: `\u202e${escape}` })}`),
      `missing${escape}`,
    ];
    for (const args of [[], ["--json"]]) {
      const ran = await ops(["ingest", ...names, ...args]);
      expect(ran.err).toContain(String.raw`esc\u001b[2J.ndjson:2: is not JSON`);
      expect(ran.err).toContain(String.raw`missing\u001b]0;pwned\u0007`);
      expect(`${ran.out}${ran.err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  test("Ctrl-C while standard input has nothing to read: read records are enqueued, the rest is named", async () => {
    const names = [file("first.ndjson", `${company("a")}\n{oops`), "-", file("last.ndjson", company("z"))];
    const ran = await ops(["ingest", ...names, "--json"], { interruptAt: "first.ndjson:2", keepInput: true });
    expect(ran.code).toBe(130);
    const summary = JSON.parse(ran.out) as { interrupted: boolean; unfinished: object[] };
    expect(summary.interrupted).toBe(true);
    expect(summary.unfinished.slice(-2)).toEqual([{ file: "standard input" }, { file: "last.ndjson" }]);
    expect((await writes()).map((write) => write.id)).toEqual(["a"]);
  });

  test("Ctrl-C while the queue is full: read records are enqueued, and where to continue is named", async () => {
    await ingest.addBulk(Array.from({ length: 400 }, () => ({ name: "records", data: { records: [] } })));
    const lines = ["{oops", ...Array.from({ length: 2000 }, (_, i) => company(`c${i}`))];
    const ran = await ops(["ingest", file("long.ndjson", lines.join("\n")), "--json"], {
      interruptAt: "long.ndjson:1",
    });
    expect(ran.code).toBe(130);
    const summary = JSON.parse(ran.out) as { enqueued: { company: number }; unfinished: object[] };
    const count = summary.enqueued.company;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(2000);
    expect(summary.unfinished).toEqual([{ file: "long.ndjson", after: { line: 1 + count } }]);
    expect((await writes()).map((write) => write.id)).toEqual(Array.from({ length: count }, (_, i) => `c${i}`));
  });

  test("CSV goes in by its mapping", async () => {
    const map = {
      values: { name: { column: "Name" } },
      records: [{ type: "company", fields: { id: "co-{name:key}", name: "{name}" } }],
    };
    const ran = await ops([
      "ingest",
      file("a.csv", "Name\nAcme Inc.\n"),
      "--map",
      file("a.map.json", JSON.stringify(map)),
    ]);
    expect(ran.code).toBe(0);
    expect(await writes()).toMatchObject([{ type: "company", id: "co-acme-inc", body: { slug: "acme-inc" } }]);
  });

  test("--suggest-map prints a mapping that reads the file, and enqueues nothing", async () => {
    const csv = file("deals.csv", "Company,Date,Amount\nAcme,2020-01-02,$5m\nBeta,2020-01-03,\n");
    const suggested = await ops(["ingest", "--suggest-map", csv]);
    expect(suggested.code).toBe(0);
    expect(suggested.err).toContain("2 of the first 2 rows give records.");
    expect(await writes()).toEqual([]);
    const ran = await ops(["ingest", csv, "--map", file("suggested.map.json", suggested.out), "--json"]);
    expect(JSON.parse(ran.out)).toMatchObject({
      rows: { read: 2, with_records: 2 },
      enqueued: { company: 2, round: 2 },
    });
    const open = await ops([
      "ingest",
      "--suggest-map",
      file("eur.csv", "Company,Date,Amount (EUR)\nAcme,2020-01-02,500000\n"),
    ]);
    expect(open.err).toContain("rates (column 'Amount (EUR)'): How many US dollars is one unit of EUR?");
    const refused = await ops(["ingest", csv, "--map", file("open.map.json", open.out)]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("a question is open");
    const answered = await ops(["ingest", "--suggest-map", join(folder, "eur.csv"), "--answer", "rates=EUR=1.5"]);
    expect(JSON.parse(answered.out)).toMatchObject({ values: { amount: { currency: { rates: { EUR: 1.5 } } } } });
    const failed = await ops(["ingest", "--suggest-map", file("other.csv", "a,b\n1,2\n")]);
    expect(failed).toMatchObject({ code: 1, out: "" });
    expect(failed.err).toContain("none of the columns ('a', 'b') can hold the names of companies");
  });

  test("--wait ends when every job is done, and says so when one failed", async () => {
    const good = file("good.ndjson", company("a"));
    const worker = new Worker(
      "ingest",
      async (job) => {
        if ((job.data as { records: RecordWrite[] }).records.some((write) => write.id === "bad"))
          throw new Error("a drill");
      },
      at,
    );
    try {
      const ran = await ops(["ingest", good, "--wait", "--json"]);
      expect(ran.code).toBe(0);
      expect(JSON.parse(ran.out)).toMatchObject({ searchable: true, failed_jobs: 0, dead_letters: 0 });
      const failed = await ops(["ingest", file("bad.ndjson", company("bad")), "--wait", "--json"]);
      expect(failed.code).toBe(1);
      expect(failed.err).toContain("failed: a drill");
      expect(JSON.parse(failed.out)).toMatchObject({ searchable: false, failed_jobs: 1 });
    } finally {
      await worker.close();
    }
  });
});

test("status shows the last ingest, lag and the health of the engines", async () => {
  await ingest.obliterate({ force: true });
  const name = file("last.ndjson", `${company("a")}\n{oops`);
  await ops(["ingest", name]);
  const ran = await ops(["status", "--json"]);
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const status = JSON.parse(ran.out);
  expect(status).toMatchObject({
    versions: {
      tranche: expect.stringMatching(/^\d+\.\d+\.\d+/),
      elasticsearch: expect.stringMatching(/^9\./),
      redis: expect.stringMatching(/^\d+\./),
    },
    health: {
      elasticsearch: {
        status: expect.stringMatching(/^(green|yellow|red)$/),
        disk: { available_bytes: expect.any(Number) },
        heap: { used_bytes: expect.any(Number) },
      },
      redis: { used_memory_bytes: expect.any(Number), persistence: { ok: true } },
    },
    last_ingest: { files: [name], enqueued: 1, refused: 1, read_nothing: null, done: false },
    dead_letters: { count: 0, failed_jobs: expect.any(Number) },
    rolled_back: false,
  });
  expect(Date.now() - Date.parse(status.last_ingest.started_at)).toBeLessThan(60_000);
  expect(status.lag.oldest_job_seconds).toBeLessThan(60);
  const worker = new Worker("ingest", async () => {}, at);
  try {
    while ((await ingest.getWaitingCount()) + (await ingest.getActiveCount()) > 0) await pause(100);
  } finally {
    await worker.close();
  }
  expect(JSON.parse((await ops(["status", "--json"])).out).lag).toMatchObject({
    oldest_job_seconds: null,
    searchable_after: { jobs: expect.any(Number), median_seconds: expect.any(Number) },
  });
  const { out } = await ops(["status"]);
  expect(out).toContain("1 record enqueued, 1 refused");
  expect(out).toContain("No indexer is connected.");
  expect(out).toMatch(/^Elasticsearch 9\S* at http\S+: (green|yellow|red), 1 node/m);

  await ops(["ingest", file("empty.ndjson", "")]);
  expect((await ops(["status"])).out).toMatch(/^Last ingest: .*empty\.ndjson, .*: nothing was read: has no records$/m);
});

/** Each waits for ten seconds, with queues and indices that no other one uses. */
describe.concurrent("a command that makes no progress for ten seconds", () => {
  test("ingest --wait without an indexer says what it waits for; Ctrl-C leaves what is enqueued and ends with 130", async () => {
    await ingest.obliterate({ force: true });
    const ran = await ops(["ingest", file("good.ndjson", company("a")), "--wait", "--json"], {
      interruptAt: "Start one with `npm run indexer`",
    });
    expect(ran.code).toBe(130);
    expect(ran.err).toContain("warning: No progress for 10 s: no indexer is connected.");
    expect(JSON.parse(ran.out)).toMatchObject({ interrupted: true, searchable: false });
    expect(await writes()).toHaveLength(1);
  });

  test("reindex --wait does not ask for an indexer while one works; Ctrl-C ends only the waiting", async () => {
    const working = Promise.withResolvers<void>();
    const worker = new Worker("rebuild", () => working.promise, at);
    try {
      const ran = await ops(["reindex", "--wait", "--json"], { interruptAt: "rebuilding" });
      expect(ran.err).not.toContain("npm run indexer");
      expect(ran.err).toContain("The rebuild continues");
      expect(ran.code).toBe(130);
      expect(JSON.parse(ran.out)).toMatchObject({ state: "planned" });
      expect(await ops(["reindex", "cancel"])).toMatchObject({ code: 0 });
    } finally {
      working.resolve();
      await worker.close();
    }
  });

  test("names the missing part of an installation that another process is creating", async () => {
    const { index, over } = await begunInstallation("named");
    const told = `Elasticsearch has no shard of ${index}; commands that need it wait or fail`;
    const [waiting, unneeded] = await Promise.all([
      ops(["accounts", "list"], { over, interruptAt: told }),
      ops(["reindex", "status"], { over }),
    ]);
    expect(waiting.err).toContain(told);
    expect(unneeded).toMatchObject({ code: 0, err: expect.stringContaining(told) });
  });

  test("serves once that installation is there", async () => {
    const { over, complete } = await begunInstallation("later");
    const listed = ops(["accounts", "list"], { over });
    await pause(2000);
    await complete();
    expect(await listed).toMatchObject({ code: 0, err: "" });
  });

  const begun: string[] = [];
  afterAll(async () => {
    for (const name of begun) await deleteNamespace(ENGINES, name);
  });

  /** An installation that another process is creating: its accounts have no shard yet. */
  async function begunInstallation(name: string) {
    const over = { TRANCHE_NAMESPACE: `${namespace}_${name}` };
    const index = `${over.TRANCHE_NAMESPACE}-accounts`;
    begun.push(over.TRANCHE_NAMESPACE);
    const put = (path: string, body: object) =>
      fetch(`${ENGINES.elasticsearchUrl}/${index}${path}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    /** A node that has to hold the index: one that is not there leaves it without a shard. */
    const holdTo = (node: string | null) => ({ "index.routing.allocation.require._name": node });
    const properties = { kind: { type: "keyword" }, account: { type: "keyword" } };
    const settings = { ...holdTo("nobody"), number_of_replicas: 0 };
    await put("?wait_for_active_shards=0", { settings, mappings: { properties } });
    return { index, over, complete: () => put("/_settings", holdTo(null)) };
  }
});

describe("wrong usage ends with 2", () => {
  test.each([
    [["ingst"], "Did you mean ingest?"],
    [["ingest", "x", "--wiat"], "Did you mean --wait?"],
    [["ingest"], "missing required argument 'file'"],
    [["ingest", "x", "--format", "csv"], "--format csv needs --map FILE"],
    [["accounts", "create", "--name", "A", "--plan", "grwth"], "Did you mean 'growth'?"],
    [["failed", "retry"], "Give ids"],
  ])("%j", async (args, told) => {
    const ran = await ops(args);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain(told);
  });

  test("a setting that is wrong is named, and --json gives one document", async () => {
    const ran = await ops(["status", "--json"], { over: { TRANCHE_NOW: "yesterday" } });
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.out).error.message).toContain("TRANCHE_NOW is 'yesterday'");
  });
});
