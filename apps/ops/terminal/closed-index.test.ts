import { expect, test } from "vitest";
import { closedIndexText } from "./closed-index.ts";
import { reportOf } from "./report.ts";

const refusal = (block: string) => `cluster_block_exception: index [t-accounts] blocked by: [${block}];`;
const DISK = "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block";

test("a refused write to an index that a full disk has closed is reported with what to do", () => {
  const text = closedIndexText(refusal(DISK));
  expect(text).toMatch(/^t-accounts takes no writes: .*a disk is nearly full.* Free disk space\./);
  expect(reportOf(new Error(refusal(DISK)))).toEqual({ message: text, wrongUsage: false });
});

test("other refusals are reported as they are", () => {
  expect(closedIndexText(refusal("FORBIDDEN/8/index write (api)"))).toBeUndefined();
  expect(closedIndexText("version conflict")).toBeUndefined();
});
