import type { FundingRow } from "@tranche/read-models/documents/funding";
import { expect, test } from "vitest";
import { fundingRow as row } from "../../../tests/support/funding-row.ts";
import { digestMessage, greeting } from "./message.ts";

const DASHBOARD = "https://app.example.com/dashboard";
const follow = { name: "Seed", of: { kind: "search", id: "s1" }, member: "ada@example.com", every: "daily" } as const;
const message = (rows: FundingRow[], more: object = {}) =>
  digestMessage({ ...follow, ...more }, { rows, more: 0, removed: 0 }, DASHBOARD);
type Block = { type: string; text?: { text: string; verbatim?: boolean }; elements?: { text: string }[] };
const texts = (blocks: object[]) =>
  (blocks as Block[]).flatMap(({ text, elements = [] }) => [text?.text ?? "", ...elements.map((each) => each.text)]);

test("a digest says what came, for whom it comes and where it is ended", () => {
  const { text, blocks } = digestMessage(follow, { rows: [row()], more: 3, removed: 1 }, DASHBOARD);
  expect(text).toBe("Seed: 4 rounds");
  expect(texts(blocks).filter((each) => each !== "")).toEqual([
    "Seed: 4 rounds",
    "4 new or changed rounds in “Seed”.",
    `<${DASHBOARD}/companies/co%2F1|Acme: Series A, $12.5M>\n12 Mar 2026\nSequoia (lead)`,
    "See 3 more rounds in the dashboard.",
    "Removed: 1 round, deleted or no longer matching what you follow.",
    `ada@example.com follows “Seed” here, every day. <${DASHBOARD}/follows|End it>`,
  ]);
});

test("names can mention nobody, link nowhere and begin no line", () => {
  const name = "<!channel> & <https://evil.example|Acme>\n*Series Z*";
  const { text, blocks } = message([row({ company: { ...row().company, name } })], { name });
  for (const each of [text, ...texts(blocks).slice(1)]) expect(each).not.toMatch(/<(?!https:\/\/app\.example\.com\/)/);
  expect(texts(blocks)[2]).toContain("|&lt;!channel&gt; &amp; &lt;https://evil.example|Acme&gt; *Series Z*: Series A");
  for (const { text: shown } of (blocks as Block[]).slice(1, 3)) expect(shown!.verbatim).toBe(true);
  expect(greeting({ ...follow, name }, DASHBOARD).text).not.toContain("evil");
});

test("the longest digest is within what Slack takes", () => {
  const long = "&".repeat(300);
  const investors = Array.from({ length: 9 }, (_, n) => ({ id: `i${n}`, name: long, slug: "i", is_lead: true }));
  const rows = Array.from({ length: 30 }, () =>
    row({ company: { ...row().company, id: "ü".repeat(200), name: long }, investors }),
  );
  const { blocks } = digestMessage({ ...follow, name: "😀".repeat(120) }, { rows, more: 5, removed: 5 }, DASHBOARD);
  expect(blocks.length).toBeLessThanOrEqual(50);
  expect(texts(blocks)[0]!.length).toBeLessThanOrEqual(150);
  for (const text of texts(blocks)) {
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(text.isWellFormed()).toBe(true);
  }
});
