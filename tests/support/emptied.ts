import type { RecordType } from "@tranche/shared/domain/records/record";
import { afterAll, expect } from "vitest";
import type { Fixture } from "./with-service.ts";
import { deletion } from "./writes.ts";

/** The highest that a record may have. */
const LAST_VERSION = Date.UTC(2100, 0) * 1000;

/** Deletes all records after the tests of a part of a file. The next part needs other ids: what was deleted so stays deleted. */
export function emptyAfterwards({ service, queues }: Fixture): void {
  afterAll(async () => {
    const { code, stdout, stderr } = await service.ops(["export"]);
    expect(code, stderr).toBe(0);
    const lines = stdout.split("\n").filter((line) => line !== "");
    const records = lines.map((line) => JSON.parse(line) as { type: RecordType; id: string });
    await queues.send(records.map(({ type, id }) => ({ ...deletion(1, type, id), version: LAST_VERSION })));
    await queues.investorsSettled();
    expect(await queues.letters()).toEqual([]);
  });
}
