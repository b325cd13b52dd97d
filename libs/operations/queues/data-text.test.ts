import { expect, test } from "vitest";
import { dataText } from "./data-text.ts";

test("short data is shown as it is", () => {
  expect(dataText({ webhook: "8kQ2mZ0a" })).toBe('{\n  "webhook": "8kQ2mZ0a"\n}');
  expect([dataText(null), dataText(undefined)]).toEqual(["null", ""]);
});

test("long lists and texts are cut off", () => {
  const records = Array.from({ length: 500 }, (_, n) => ({ id: `rnd-${n}` }));
  expect(JSON.parse(dataText({ records }))).toEqual({ records: [...records.slice(0, 20), "… and 480 more"] });
  expect(dataText("x".repeat(10_000))).toHaveLength(4002);
});

test("keys and tokens of feed links are removed", () => {
  const data = { url: "https://example.com/feed/trf_AbCdEf", records: [{ note: "trn_8kQ2mZ0a_AbCdEf" }] };
  expect(dataText(data)).not.toMatch(/AbCdEf/);
});
