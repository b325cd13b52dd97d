import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { gzipSync } from "node:zlib";
import type { RunView } from "@tranche/intake/http/run-view";
import type { IngestSummary } from "@tranche/intake/reading/summary";
import { createIngestTokenStore, type NewIngestToken } from "@tranche/shared/accounts/ingest-token-store";
import { createMappingStore } from "@tranche/shared/accounts/mapping-store";
import type { Refusal } from "@tranche/shared/protocol/runs/ingest-runs";
import { beforeAll, describe, expect, test } from "vitest";
import { withSharedService } from "./support/with-service.ts";

const { service, client, names } = withSharedService();
const tokens = () => createIngestTokenStore(client, names.accounts, { actor: "test" });
const mine = randomBytes(4).toString("hex");

type Document = IngestSummary & {
  refusals: Refusal[];
  error?: { code: string; message: string; parameter?: string };
};
type Answer = { status: number; headers: IncomingMessage["headers"]; text: string; document: Document };
type Sent = { token?: string; headers?: Record<string, string> };

let token: string;
beforeAll(async () => {
  await service.startOperators();
  token = await newToken();
});

const newToken = async (rights: Partial<NewIngestToken> = {}) =>
  (await tokens().create({ name: "test", set: null, types: null, deletes: true, ...rights })).token;

/** Begins an upload; its body is written by the caller. */
function begin(query = "", { token: bearer = token, headers = {} }: Sent = {}): ClientRequest {
  const url = `${service.operator}/ingest${query}`;
  return request(url, { method: "POST", agent: false, headers: { authorization: `Bearer ${bearer}`, ...headers } });
}

async function answered(sent: ClientRequest): Promise<Answer> {
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode!, headers: answer.headers, text, document: JSON.parse(text) as Document };
}

async function post(body: string | Buffer, query = "", sent: Sent = {}): Promise<Answer> {
  const upload = begin(query, sent);
  const answer = answered(upload);
  upload.end(body);
  return answer;
}

async function runOf(id: string, bearer = token): Promise<RunView> {
  const answer = await fetch(`${service.operator}/ingest/${id}`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as RunView;
}

/** The runs of a token, the newest first. */
async function runs(bearer = token): Promise<RunView[]> {
  const answer = await fetch(`${service.operator}/ingest`, { headers: { authorization: `Bearer ${bearer}` } });
  return ((await answer.json()) as { data: RunView[] }).data;
}

const company = (id: string, over: object = {}) =>
  JSON.stringify({ type: "company", id: `${mine}-${id}`, name: `Company ${mine} ${id}`, ...over });
const lines = (...ids: string[]) => ids.map((id) => `${company(id)}\n`).join("");
const stored = async (id: string) =>
  (await client.get({ index: names.record("company"), id: `${mine}-${id}` }, { ignore: [404] })).found;

describe("an upload", () => {
  test.each([
    ["NDJSON", (text: string) => text, {}],
    ["a JSON array", (text: string) => `[${text.trim().split("\n").join(",")}]`, {}],
    ["gzip with its header", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
    ["gzip without it", (text: string) => gzipSync(text), {}],
  ] as const)("of %s is in the queue, with the document of `ops ingest --json`", async (kind, bodyOf, headers) => {
    const id = `a-${kind.length}`;
    const { status, document } = await post(bodyOf(lines(id, `${id}-2`)), "?file=C:%5Cdata%5Crows.ndjson", { headers });
    expect(status).toBe(202);
    expect(document).toMatchObject({
      run: expect.stringMatching(/^run-/),
      files: 1,
      rows: { read: 2, with_records: 2, refused: 0, skipped: 0 },
      enqueued: { company: 2 },
      refusals: [],
    });
    await expect.poll(() => stored(`${id}-2`)).toBe(true);
    expect(await runOf(document.run!)).toMatchObject({
      // It is done when maintenance has seen the queue empty.
      state: expect.stringMatching(/^(queued|done)$/),
      by: expect.stringMatching(/^ingest-token:/),
      files: ["rows.ndjson"],
      rows: { read: 2 },
      enqueued: 2,
      last: { file: "rows.ndjson" },
    });
  });

  test("with wait=true is answered when its rows are searchable", async () => {
    const { status, document } = await post(lines("w"), "?wait=true");
    expect([status, document.searchable]).toEqual([200, true]);
    const found = await fetch(`${service.base}/companies/${mine}-w`, {
      headers: { authorization: `Bearer ${await service.key()}` },
    });
    expect(found.status).toBe(200);
  });

  test("with refused rows is 422, names them, and has its good rows in", async () => {
    const body = `${company("r1")}\n{oops\n${company("r2", { op: "upsert", headcount: -1 })}\n${company("r3")}\n`;
    const { status, document } = await post(body, "?wait=true");
    expect(status).toBe(422);
    expect(document).toMatchObject({
      rows: { read: 4, with_records: 2, refused: 2 },
      searchable: true,
      error: { code: "rows_refused", message: expect.stringContaining("2 rows were refused") },
    });
    expect(document.refusals.map(({ line }) => line)).toEqual([2, 3]);
    expect([await stored("r1"), await stored("r2"), await stored("r3")]).toEqual([true, false, true]);
    expect((await runOf(document.run!)).refusals).toEqual(document.refusals);
  });

  test.each([
    ["", {}, "has no records"],
    ["[]", {}, "has no records"],
    ["a,b\n1,2\n", {}, "looks like CSV: give a mapping"],
    [Buffer.from(company("never"), "utf16le"), { "content-type": "text/plain; charset=utf-8" }, "is UTF-16"],
    [Buffer.from("PK\u0003\u0004xlsx"), {}, "is an Excel workbook"],
    [
      "no gzip at all",
      { "content-encoding": "gzip" },
      "is not packed with gzip, although its Content-Encoding says so",
    ],
    [gzipSync(gzipSync("x")), {}, "is packed with gzip twice"],
  ])("with nothing to read is 400: %j", async (body, headers, why) => {
    const { status, document } = await post(body, "", { headers });
    expect([status, document.error!.code]).toEqual([400, "invalid_request"]);
    expect(document.error!.message).toContain(why);
  });

  test("that is cut off within its gzip is 422, and what came before is in", async () => {
    const packed = gzipSync(`${lines("g1", "g2")}${randomBytes(50_000).toString("hex")}`);
    const { status, document } = await post(packed.subarray(0, packed.length - 5000));
    expect(status).toBe(422);
    expect(document.refusals.at(-1)!.problems[0]!.reason).toContain("the gzip file is cut off here");
    await expect.poll(() => stored("g2")).toBe(true);
  });

  test("is read with a stored mapping, in the newest or a given version", async () => {
    const mapping = (city: string) => ({
      values: { name: { column: "Firma" } },
      records: [{ type: "company", fields: { id: `${mine}-{name:key}`, name: "{name}", city } }],
    });
    const mappings = createMappingStore(client, names.accounts, { actor: "test" });
    await mappings.put(`m-${mine}`, mapping("Aachen"));
    await mappings.put(`m-${mine}`, mapping("Bonn"));
    const csv = "Firma;Ort\nBlau;x\n".replaceAll(";", ",");
    const { status, document } = await post(csv, `?map=m-${mine}&wait=true`);
    expect([status, document.enqueued.company]).toEqual([200, 1]);
    expect(await runOf(document.run!)).toMatchObject({ map: `m-${mine}@2` });
    const city = async () =>
      (await client.get<{ body: { city: string } }>({ index: names.record("company"), id: `${mine}-blau` }))._source!
        .body.city;
    expect(await city()).toBe("Bonn");
    expect((await post(csv, `?map=m-${mine}@1&wait=true`)).status).toBe(200);
    expect(await city()).toBe("Aachen");
    const byOps = await service.ops(["ingest", "-", "--map", `m-${mine}@1`, "--json"], csv);
    expect(byOps.code, byOps.stderr).toBe(0);
    const { run } = JSON.parse(byOps.stdout) as { run: string };
    expect((await client.get({ index: names.control, id: run }))._source).toMatchObject({ mapping: `m-${mine}@1` });
    const noMap = await service.ops(["ingest", "-", "--map", `none-${mine}`], csv);
    expect([noMap.code, noMap.stderr]).toEqual([2, expect.stringContaining("no such file, and no stored mapping")]);
    const missing = await post(csv, `?map=m-${mine}@7`);
    expect([missing.status, missing.document.error]).toMatchObject([400, { parameter: "map" }]);
  });

  test.each([
    ["?mapp=x", "mapp"],
    ["?wait=true&wait=true", "wait"],
    ["?wait=yes", "wait"],
    ["?format=xml", "format"],
    ["?format=csv", "format"],
    ["?map=a@0", "map"],
  ])("with the wrong parameter %s is refused", async (query, parameter) => {
    const { status, document } = await post(lines("never"), query);
    expect([status, document.error]).toMatchObject([400, { parameter }]);
    expect(await stored("never")).toBe(false);
  });

  test.each([
    [{ "content-encoding": "br" }, "Content-Encoding"],
    [{ "content-type": "multipart/form-data; boundary=x" }, "Content-Type"],
    [{ "idempotency-key": "a b" }, "Idempotency-Key"],
  ])("with the wrong header %j is refused", async (headers, parameter) => {
    const { status, document } = await post(lines("never"), "", { headers });
    expect([status, document.error]).toMatchObject([400, { parameter }]);
  });

  test("of one line of 70 MiB ends with 413, and does not fill the memory", async () => {
    const upload = begin();
    const answer = answered(upload);
    upload.write(lines("long"));
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 70; sent++) if (!upload.write(piece)) await once(upload, "drain");
    upload.end();
    const { status, document } = await answer;
    expect([status, document.error!.code]).toEqual([413, "payload_too_large"]);
    await expect.poll(() => stored("long")).toBe(true);
  });
});

describe("an ingest token", () => {
  test("sends only its types, and deletes nothing where it may not", async () => {
    const limited = await newToken({ types: ["company"], deletes: false });
    const rows = [company("t1"), `{"type":"investor","id":"${mine}-i","name":"I"}`, company("t2", { op: "delete" })];
    const { status, document } = await post(rows.join("\n"), "", { token: limited });
    expect([status, document.rows]).toMatchObject([422, { with_records: 1, refused: 2 }]);
    expect(document.refusals.map(({ problems }) => problems[0]!.field)).toEqual(["type", "op"]);
  });

  test("opens /ingest alone, and shows only its own runs", async () => {
    const other = await newToken();
    const { document } = await post(lines("own"));
    const get = (path: string, bearer: string) =>
      fetch(`${service.operator}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await get(`/ingest/${document.run}`, other)).status).toBe(404);
    expect(await runs(other)).toEqual([]);
    expect((await runs())[0]).toMatchObject({ run: document.run });
    expect((await get("/operators/api/status", token)).status).toBe(403);
  });

  test("that is mistyped or revoked is refused", async () => {
    const revoked = await newToken();
    await tokens().revoke(revoked.slice(4, 12));
    const wrong = await Promise.all([
      post(lines("never"), "", { token: revoked }),
      post(lines("never"), "", { token: `${token.slice(0, -1)}!` }),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("that is revoked ends its upload: what came before is in, and the run is broken", async () => {
    const bearer = await newToken();
    const upload = begin("", { token: bearer });
    const answer = answered(upload);
    upload.write(lines("v1", "v2"));
    await expect.poll(async () => (await runs(bearer)).length).toBe(1);
    await tokens().revoke(bearer.slice(4, 12));
    const { status, document } = await answer;
    upload.destroy();
    expect([status, document.error!.message]).toEqual([401, "The token was revoked during the upload."]);
    await expect.poll(() => stored("v2")).toBe(true);
  });
});

describe("an Idempotency-Key", () => {
  const key = (name: string) => ({ headers: { "idempotency-key": `${mine}-${name}` } });
  test("sent again with the same bytes gets the first answer, packed or not; with others 409", async () => {
    const body = `${lines("k1")}{oops\n`;
    const first = await post(body, "", key("same"));
    expect(first.status).toBe(422);
    const again = await post(gzipSync(body), "", { headers: { ...key("same").headers, "content-encoding": "gzip" } });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    for (const other of [post(`${body} `, "", key("same")), post(body, "?strict=true", key("same"))]) {
      const { status, document } = await other;
      expect([status, document.error]).toMatchObject([409, { code: "conflict", parameter: "Idempotency-Key" }]);
    }
    const anothers = await post(lines("k2"), "", { ...key("same"), token: await newToken() });
    expect(anothers.status).toBe(202);
  });

  test("at once from two connections is read once; the other gets 409 with Retry-After, whatever it sends", async () => {
    const uploads = [1, 2].map(() => begin("", key("twice")));
    const answers = uploads.map(answered);
    for (const [n, upload] of uploads.entries()) upload.write(lines(`k3-${n}`));
    const early = await Promise.race(answers);
    expect([early.status, early.headers["retry-after"]]).toEqual([409, "5"]);
    for (const upload of uploads) upload.end();
    const statuses = (await Promise.allSettled(answers)).map((end) =>
      end.status === "fulfilled" ? end.value.status : 0,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409]);
    const [read, other] = statuses[0] === 202 ? ["k3-0", "k3-1"] : ["k3-1", "k3-0"];
    await expect.poll(() => stored(read)).toBe(true);
    expect(await stored(other)).toBe(false);
    const again = [await post(lines(read), "", key("twice")), await post(lines(other), "", key("twice"))];
    expect(again.map(({ status }) => status)).toEqual([202, 409]);
  });

  test("of an upload of which nothing could be read can be used for the corrected one", async () => {
    expect((await post("a,b\n1,2\n", "", key("again"))).status).toBe(400);
    expect((await post(lines("k4"), "", key("again"))).status).toBe(202);
  });

  test("of a process that died is free again, or has what was in the queue by then", async () => {
    const first = await post(lines("k5"), "", key("dead"));
    const index = names.control;
    const [found] = (
      await client.search<{ run: string }>({
        index,
        query: { term: { kind: "ingest-claim" } },
        size: 1000,
      })
    ).hits.hits.filter(({ _source }) => _source!.run === first.document.run);
    const long = new Date(Date.now() - 60_000).toISOString();
    // As a process leaves it that waits for the records to be searchable.
    await client.update({ index, id: found!._id!, refresh: true, doc: { ended: false, alive_at: long } });
    expect((await post(lines("k5"), "", key("dead"))).document.run).toBe(first.document.run);
    // And as one that still read.
    const { outcome: _, ...reading } = found!._source as { outcome?: object };
    await client.index({
      index,
      id: found!._id!,
      refresh: true,
      document: { ...reading, ended: false, alive_at: new Date().toISOString() },
    });
    const underWay = await post(lines("k5"), "", key("dead"));
    expect([underWay.status, underWay.document.error!.message]).toEqual([
      409,
      expect.stringContaining(first.document.run!),
    ]);
    await client.update({ index, id: found!._id!, refresh: true, doc: { alive_at: long } });
    const after = await post(lines("k5"), "", key("dead"));
    expect([after.status, after.document.run === first.document.run]).toEqual([202, false]);
  });

  test("of a connection that breaks is free again; what was read before is in, and the run is broken", async () => {
    const [before] = await runs();
    const upload = begin("", key("broken"));
    upload.on("error", () => {});
    upload.write(`${lines("b1", "b2")}${company("b3").slice(0, 30)}`);
    const rowsRead = async () => {
      const [newest] = await runs();
      return newest?.run === before?.run ? 0 : newest!.rows?.read;
    };
    await expect.poll(rowsRead).toBe(2);
    upload.destroy();
    await expect.poll(() => stored("b2")).toBe(true);
    await expect
      .poll(async () => (await runs())[0])
      .toMatchObject({
        state: "broken",
        reason: "the sender closed it before the end of the body",
        rows: { with_records: 2 },
        enqueued: 2,
        last: { line: 3 },
      });
    expect(await stored("b3")).toBe(false);
    // The key is free a moment after the run has ended.
    await expect.poll(async () => (await post(lines("b1", "b2", "b3"), "", key("broken"))).status).toBe(202);
  });
});
