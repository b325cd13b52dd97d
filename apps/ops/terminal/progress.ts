import { MultiBar, type SingleBar } from "cli-progress";
import { shownDuration, shownNumber } from "@tranche/shared/domain/text/numbers";
import { rateOf, type Sample, secondsLeft, withSample } from "./pace.ts";
import { plain, plainLine } from "./plain.ts";
import type { Terminal } from "./terminal.ts";

const EVERY_MS = 5000;

export type Progress = {
  /**
   * Begins a step of work; `total` in the unit of `at`, undefined when it is unknown. With the name of a unit (`documents`), count
   * and rate are shown in it.
   */
  begin: (what: string, total: number | undefined, unit?: string) => void;
  /** How far it is; `detail` is shown in place of the count. */
  at: (value: number, detail?: string) => void;
  /** Prints a line without breaking the bar. */
  tell: (line: string) => void;
  /** Prints a warning without breaking the bar. */
  warn: (line: string) => void;
  stop: () => void;
};

/** A bar on a terminal, otherwise a plain line every few seconds. On standard error: standard output is for results. */
export function createProgress(terminal: Terminal): Progress {
  return terminal.stderr.isTTY ? drawn(terminal) : written(terminal);
}

/** A step of work: its name, and its recent progress. */
type Step = { what: string; total: number | undefined; unit: string | undefined; samples: Sample[] };

/** `16,358 of 50,113 documents, 1,204/s, 28 s left` */
function stateText({ total, unit, samples }: Step, detail: string | undefined): string {
  const value = samples.at(-1)!.value;
  const rate = rateOf(samples);
  const left = total === undefined ? undefined : secondsLeft(samples, total);
  const count = unit && `${shownNumber(value)}${total === undefined ? "" : ` of ${shownNumber(total)}`} ${unit}`;
  const parts = [
    detail ?? count,
    detail === undefined && unit && rate && `${shownNumber(rate)}/s`,
    left !== undefined && left >= 1 && `${shownDuration(left)} left`,
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(", ");
}

function drawn(terminal: Terminal): Progress {
  const bars = new MultiBar({
    stream: terminal.stderr,
    clearOnComplete: true,
    // Without this, an unchanged bar would not be drawn again below a printed line.
    forceRedraw: true,
    // The command itself handles Ctrl-C.
    gracefulExit: false,
    fps: 5,
    format: "{what} [{bar}] {percentage}% {state}",
  });
  let bar: SingleBar | undefined;
  let step: Step | undefined;
  return {
    begin(what, total, unit) {
      if (bar) bars.remove(bar);
      step = { what: plainLine(what), total, unit, samples: [] };
      const format = total === undefined ? { format: "{what} {state}" } : {};
      bar = bars.create(total ?? 0, 0, { what: step.what, state: "" }, format);
    },
    at(value, detail) {
      if (!step) return;
      step.samples = withSample(step.samples, { at: Date.now(), value });
      bar?.update(value, { state: stateText(step, detail) });
    },
    tell: (line) => bars.log(`${plain(line)}\n`),
    warn: (line) => bars.log(`${terminal.warning(line)}\n`),
    stop: () => bars.stop(),
  };
}

function written(terminal: Terminal): Progress {
  let step: Step | undefined;
  let last = Date.now();
  let printed = "";
  return {
    begin(what, total, unit) {
      step = { what, total, unit, samples: [] };
    },
    at(value, detail) {
      if (!step) return;
      step.samples = withSample(step.samples, { at: Date.now(), value });
      const seen = `${step.what} ${value} ${detail}`;
      if (Date.now() - last < EVERY_MS || seen === printed) return;
      [last, printed] = [Date.now(), seen];
      const percent = step.total ? ` ${shownNumber((100 * value) / step.total)}%` : "";
      terminal.tell(`${step.what}${percent} ${stateText(step, detail)}`);
    },
    tell: terminal.tell,
    warn: terminal.warn,
    stop: () => {},
  };
}
