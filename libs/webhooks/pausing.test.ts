import { expect, test } from "vitest";
import type { Start } from "./starts.ts";
import type { Webhook } from "./webhook.ts";
import { noWebhook } from "./webhook-store.ts";
import { createPausing } from "./pausing.ts";

type Parts = Parameters<typeof createPausing>[0];

test("a webhook that is deleted while it is to begin at the start takes none of its account's starts", async () => {
  let noted: Start[] = [{ webhook_id: "other", at: "2026-11-20T12:00:00.000Z" }];
  const before = noted;
  let isThere = true;
  const webhook = { webhook_id: "w1", account: "a1", list: "funding", status: "pending", reason: null } as Webhook;
  const starts: Pick<Parts["starts"], "change" | "withdraw"> = {
    async change(_account, next) {
      noted = next(noted);
      isThere = false;
    },
    async withdraw(_account, id) {
      noted = noted.filter(({ webhook_id }) => webhook_id !== id);
    },
  };
  const pausing = createPausing({
    receiversOf: async () => [],
    store: {
      find: async () => (isThere ? webhook : undefined),
      change: () => Promise.reject(noWebhook("w1")),
    },
    progress: { read: async () => undefined },
    starts,
    allowance: { assertMayBegin() {}, assertMayStart() {}, assertRoom() {} },
    found: async () => webhook,
  } as unknown as Parts);
  await expect(pausing.resume("w1", "scale", "start")).rejects.toThrow("There is no webhook 'w1'.");
  expect(noted).toEqual(before);
});
