import { beforeAll, expect, test } from "vitest";
import type { Fixture } from "../support/with-service.ts";
import { company, investor, round, signal } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

export function testFields({ service, queues }: Fixture): void {
  let key: string;
  beforeAll(async () => {
    await queues.send([
      company(1, "co-fields", { name: "=Sum, Inc.", country: "DE" }),
      investor(1, "inv-fields", { name: "Accel" }),
      round(1, "rnd-f1", "co-fields", { investors: [{ investor_id: "inv-fields", is_lead: true }], amount_usd: 5.5 }),
      round(1, "rnd-f2", "co-fields", { announced_date: "2025-04-01", amount_usd: null }),
      signal(1, "co-fields", "hiring", { detected_at: "2025-06-10" }),
    ]);
    await queues.settled();
    key = await service.key();
  });

  async function ask(path: string, accept = "application/json") {
    const headers = { authorization: `Bearer ${key}`, accept };
    const response = await fetchUnlessBusy(`${service.base}/${path}`, { headers });
    return { response, text: await response.text() };
  }
  const json = async (path: string) =>
    JSON.parse((await ask(path)).text) as { data: unknown[]; filters_applied: object; error: { message: string } };

  test("rows have the chosen fields only, in every format, list and export", async () => {
    const choice = "fields=id,company.name,amount_usd";
    const { data, filters_applied } = await json(`funding?${choice}`);
    expect(JSON.stringify(data)).toBe(
      '[{"id":"rnd-f1","company":{"name":"=Sum, Inc."},"amount_usd":5.5},{"id":"rnd-f2","company":{"name":"=Sum, Inc."},"amount_usd":null}]',
    );
    expect(filters_applied).toEqual({ sort: "announced_date_desc" });
    const table = 'id,company.name,amount_usd\r\nrnd-f1,"\'=Sum, Inc.",5.5\r\nrnd-f2,"\'=Sum, Inc.",\r\n';
    expect((await ask(`funding?${choice}`, "text/csv")).text).toBe(table);
    expect((await ask(`funding/export?${choice}&format=csv`)).text).toBe(table);
    const lines = data.map((row) => `${JSON.stringify(row)}\n`).join("");
    expect((await ask(`funding?${choice}`, "application/x-ndjson")).text).toBe(lines);
    expect((await ask(`funding/export?${choice}`, "application/x-ndjson")).text).toBe(lines);
  });

  test("flat rows have the chosen columns, and the parameter may be repeated", async () => {
    const { data } = await json(
      "signals?format=flat&fields=top_signal,signal_score&fields=company.country,round_count",
    );
    expect(data).toEqual([
      {
        top_signal: "fast_follow_on",
        signal_score: expect.any(Number) as number,
        "company.country": "DE",
        round_count: 2,
      },
    ]);
  });

  test("the links keep the choice", async () => {
    const { response } = await ask("funding?fields=id,company.name&limit=1");
    expect(response.headers.get("link")).toContain("fields=id,company.name");
  });

  test.each([
    ["funding?fields=id,company.nmae", "Unknown field 'company.nmae'. Did you mean 'company.name'?"],
    ["funding?fields=id,,amount_usd", "The list has an empty item."],
    ["signals?fields=!company", "Unknown field '!company'"],
    ["funding/export?fields=top_signal", "Unknown field 'top_signal'"],
  ])("%s is refused with a text", async (path, message) => {
    const { error } = await json(path);
    expect(error).toMatchObject({ code: "invalid_parameter", parameter: "fields" });
    expect(error.message).toContain(message);
  });
}
