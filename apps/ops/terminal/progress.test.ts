import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";
import { createTerminal } from "./terminal.ts";

function screen(isTTY: boolean) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 120 });
  let text = "";
  stderr.on("data", (part: Buffer) => (text += part.toString()));
  return { terminal: createTerminal({ stdin, stdout, stderr }, false), text: () => text };
}

test("a bar shows count, rate and remaining time, and comes back below a printed line", async () => {
  const { terminal, text } = screen(true);
  const progress = createProgress(terminal);
  try {
    progress.begin("rebuilding", 1000, "documents");
    progress.at(0);
    await pause(1100);
    progress.at(110);
    await pause(300);
    progress.tell("a line");
    await pause(500);
  } finally {
    progress.stop();
  }
  const [before, after] = text().split("a line\n") as [string, string];
  expect(before).toMatch(/rebuilding \[.*\] 11% 110 of 1,000 documents, \d+\/s, \d+(\.\d)? s left/);
  expect(after).toMatch(/rebuilding \[.*\] 11% 110 of 1,000 documents/);
});

test("in a pipe there is a plain line every five seconds", () => {
  vi.useFakeTimers();
  try {
    const { terminal } = screen(false);
    const told: string[] = [];
    const progress = createProgress({ ...terminal, tell: (line) => void told.push(line) });
    progress.begin("rebuilding", 1000, "documents");
    for (let second = 0; second <= 11; second++) {
      progress.at(second * 10);
      vi.advanceTimersByTime(1000);
    }
    expect(told).toEqual([
      "rebuilding 5% 50 of 1,000 documents, 10/s, 1 min 35 s left",
      "rebuilding 10% 100 of 1,000 documents, 10/s, 1 min 30 s left",
    ]);
  } finally {
    vi.useRealTimers();
  }
});
