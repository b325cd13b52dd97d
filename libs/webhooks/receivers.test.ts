import { expect, test } from "vitest";
import { createReceiversOf } from "./receivers.ts";

type Parts = Parameters<typeof createReceiversOf>;

test("what members who are gone follow in Slack counts no more, also when they were added again", async () => {
  const follow = (follow_id: string, member: string, slack?: string) => ({
    follow_id,
    member,
    slack,
    status: "active",
    created_at: "2026-11-10T00:00:00Z",
  });
  const receiversOf = createReceiversOf(
    { ofAccount: async () => [{ webhook_id: "w", status: "paused" }] } as unknown as Parts[0],
    {
      ofAccount: async () => [
        follow("stays", "ada@x", "sealed"),
        follow("by-mail", "ada@x"),
        follow("gone", "bob@x", "sealed"),
        follow("before", "eve@x", "sealed"),
      ],
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
