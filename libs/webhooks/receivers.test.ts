import { expect, test } from "vitest";
import { createReceiversOf } from "./receivers.ts";

type Parts = Parameters<typeof createReceiversOf>;

test("what members who are gone follow in Slack counts no more, also when they were added again", async () => {
  const follow = (follow_id: string, member: string) => ({
    follow_id,
    member,
    status: "active",
    created_at: "2026-11-10T00:00:00Z",
  });
  const receiversOf = createReceiversOf(
    { ofAccount: async () => [{ webhook_id: "w", status: "paused" }] } as unknown as Parts[0],
    {
      inSlack: async () => [follow("stays", "ada@x"), follow("gone", "bob@x"), follow("before", "eve@x")],
    } as unknown as Parts[1],
    {
      ofAccount: async () => [
        { email: "ada@x", added_at: "2026-11-01T00:00:00Z" },
        { email: "eve@x", added_at: "2026-11-20T00:00:00Z" },
      ],
    } as unknown as Parts[2],
  );
  expect(await receiversOf("acme")).toEqual([
    { id: "w", isActive: false },
    { id: "stays", isActive: true },
  ]);
});
