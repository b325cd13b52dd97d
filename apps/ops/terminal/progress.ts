import { MultiBar, type SingleBar } from "cli-progress";
import { shownNumber } from "./numbers.ts";
import type { Terminal } from "./terminal.ts";

const EVERY_MS = 5000;

export type Progress = {
  /** A new stretch of work; `total` in the unit of `at`, undefined when nobody knows. */
  begin: (what: string, total: number | undefined) => void;
  /** How far it is; `detail` is shown beside it. */
  at: (value: number, detail: string) => void;
  /** A line for people, without breaking the bar. */
  tell: (line: string) => void;
  stop: () => void;
};

/** A bar on a terminal, else a plain line every few seconds. On standard error: standard output is for results. */
export function createProgress(terminal: Terminal): Progress {
  return terminal.stderr.isTTY ? drawn(terminal) : written(terminal);
}

function drawn(terminal: Terminal): Progress {
  const bars = new MultiBar({
    stream: terminal.stderr,
    hideCursor: true,
    clearOnComplete: true,
    fps: 5,
    format: "{what} [{bar}] {percentage}% {detail}",
  });
  let bar: SingleBar | undefined;
  return {
    begin(what, total) {
      if (bar) bars.remove(bar);
      bar = bars.create(total ?? 0, 0, { what, detail: "" }, total === undefined ? { format: "{what} {detail}" } : {});
    },
    at: (value, detail) => bar?.update(value, { detail }),
    tell: (line) => bars.log(`${line}\n`),
    stop: () => bars.stop(),
  };
}

function written(terminal: Terminal): Progress {
  let what = "";
  let total: number | undefined;
  let last = Date.now();
  let told = "";
  return {
    begin(next, size) {
      [what, total] = [next, size];
    },
    at(value, detail) {
      if (Date.now() - last < EVERY_MS || detail === told) return;
      [last, told] = [Date.now(), detail];
      const percent = total ? ` ${shownNumber((100 * value) / total)}%` : "";
      terminal.tell(`${what}${percent} ${detail}`);
    },
    tell: terminal.tell,
    stop: () => {},
  };
}
