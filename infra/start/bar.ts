import { MultiBar } from "cli-progress";
import { expectedEnd, leftText, type Place, type Plan, type Step } from "./expected-time.ts";

const DRAW_EVERY_MS = 500;
const LINE_EVERY_MS = 20_000;

/** One bar for the whole start, with the time that is left. What is said appears above it. */
export type Bar = {
  /** Begins a step, and ends the one before. */
  begin: (step: Step) => void;
  /** How much of the step is done, 0 to 1. */
  at: (part: number) => void;
  say: (line: string) => void;
  /** Takes the bar away. */
  stop: () => void;
};

/** Draws a bar on a terminal; elsewhere a line now and then says how far the start is. */
export function createBar(stream: NodeJS.WriteStream, plan: Plan): Bar {
  const began = Date.now();
  let place: Place = { step: plan[0]!.step, began, stepBegan: began };
  let furthest = 0;
  const drawn = stream.isTTY
    ? new MultiBar({
        stream,
        clearOnComplete: true,
        forceRedraw: true,
        gracefulExit: false,
        format: "[{bar}] {percentage}%  {left}",
      })
    : undefined;
  const bar = drawn?.create(100, 0, { left: "" });
  const say = (line: string): void => {
    if (drawn?.isActive) drawn.log(`${line}\n`);
    else stream.write(`${line}\n`);
  };
  const draw = (): void => {
    const { secondsLeft, part } = expectedEnd(plan, place, Date.now());
    furthest = Math.max(furthest, Math.floor(100 * part));
    if (bar) bar.update(furthest, { left: leftText(secondsLeft) });
    else say(`${furthest}%, ${leftText(secondsLeft)}`);
  };
  if (bar) draw();
  const timer = setInterval(draw, bar ? DRAW_EVERY_MS : LINE_EVERY_MS);
  return {
    begin: (step) => void (place = { step, began, stepBegan: Date.now() }),
    at: (part) => {
      if (part > (place.done?.part ?? 0)) place = { ...place, done: { part, at: Date.now() } };
    },
    say,
    stop: () => {
      clearInterval(timer);
      drawn?.stop();
    },
  };
}
