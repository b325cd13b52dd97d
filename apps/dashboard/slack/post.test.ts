import { expect, test } from "vitest";
import { createPostToSlack, postedBy } from "./post.ts";

const answered = (status: number | null, answer = "", reason: string | null = "No answer.") =>
  postedBy({ delivered: status === 200, status, reason, answer });

test.each([
  [200, "ok", "posted"],
  [410, "channel_is_archived", { refused: "Slack answered 410 channel_is_archived: the channel is archived." }],
  [404, "no_service\n", { refused: "Slack answered 404 no_service: its incoming webhook was removed or is off." }],
  [400, "invalid_blocks", { refused: "Slack answered 400 invalid_blocks." }],
  [403, "<html>ask eve@example.com", { refused: "Slack answered 403." }],
  [302, "", { refused: "The address redirects, and redirects are not followed." }],
  [429, "", { later: "Slack answered 429.", isAway: false }],
  [500, "rollup_error", { later: "Slack answered 500.", isAway: false }],
  [null, "", { later: "No answer.", isAway: true }],
])("%s %s", (status, answer, posted) => {
  expect(answered(status, answer)).toEqual(posted);
});

test("only an incoming webhook of Slack gets anything, and no text repeats its address", async () => {
  const asked: string[] = [];
  const post = async (url: string) => {
    asked.push(url);
    return { delivered: true, status: 200, reason: null, answer: "ok", took_ms: 1 };
  };
  const message = { text: "x", blocks: [] };
  const strict = createPostToSlack(post, { targets: "public", own: [] });
  const right = "https://hooks.slack.com/services/T0/B0/secret";
  expect(await strict(right, message)).toBe("posted");
  for (const wrong of [
    "http://hooks.slack.com/services/T0/B0/secret",
    "https://hooks.slack.com:444/services/T0/B0/secret",
    "https://u:p@hooks.slack.com/services/T0/B0/secret",
    "https://hooks.slack.com.evil.example/services/T0/B0/secret",
    "https://hooks.slack.com/services/T0/B0/../../secret",
    "https://hooks.slack.com/services/T0/B0/secret?x",
    "https://hooks.slack.com/triggers/T0/B0/secret",
    "https://169.254.169.254/services/T0/B0/secret",
    "secret",
  ]) {
    const { refused } = (await strict(wrong, message)) as { refused: string };
    expect(refused).toContain("Expected https://hooks.slack.com/services/…");
    expect(refused).not.toContain("secret");
  }
  expect(asked).toEqual([right]);
  const any = createPostToSlack(post, { targets: "any", own: [] });
  expect(await any("http://127.0.0.1:1/hooks/x", message)).toBe("posted");
  expect(await any("secret", message)).toEqual({ refused: expect.not.stringContaining("secret") });
});
