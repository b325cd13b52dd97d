/** A step of a start, in the order of `Plan`. */
export type Step = "pages" | "engines" | "services" | "sample" | "account";

/** The seconds that each step is expected to take; a step that is not in it is not taken. */
export type Plan = readonly { step: Step; seconds: number }[];

/** The parts that are already there before a start. */
export type Prepared = { pages: boolean; engines: "given" | "downloaded" | "missing"; sample: boolean };

/** As measured on two cores; the machine's own pace corrects them while it starts. */
const ENGINES = { given: 1, downloaded: 20, missing: 60 };

/** How long a start should take with what is there. */
export const planOf = ({ pages, engines, sample }: Prepared): Plan => [
  { step: "pages", seconds: pages ? 0 : 8 },
  { step: "engines", seconds: ENGINES[engines] },
  { step: "services", seconds: 8 },
  { step: "sample", seconds: sample ? 1 : 110 },
  { step: "account", seconds: 3 },
];

/**
 * Where a start is: the step under way, when the start and the step began, and, where it is known, the done part (0 to 1) of the step and
 * when it grew to that.
 */
export type Place = { step: Step; began: number; stepBegan: number; done?: { part: number; at: number } };

/** Before this much of a step is done, its own pace says little. */
const LEAST_PART = 0.03;
/** Shorter stretches say little about the machine. */
const LEAST_SECONDS = 5;
const [SLOWEST, FASTEST] = [4, 0.4];

/** The expected seconds until the end, and the done part of the whole (0 to 1). Times are in ms. */
export function expectedEnd(plan: Plan, place: Place, now: number): { secondsLeft: number; part: number } {
  const index = plan.findIndex(({ step }) => step === place.step);
  const sum = (steps: Plan) => steps.reduce((total, { seconds }) => total + seconds, 0);
  const before = sum(plan.slice(0, index));
  const taken = (place.stepBegan - place.began) / 1000;
  const pace = before < LEAST_SECONDS ? 1 : Math.min(SLOWEST, Math.max(FASTEST, taken / before));
  const inStep = (now - place.stepBegan) / 1000;
  const { done } = place;
  const expected =
    done === undefined || done.part < LEAST_PART
      ? plan[index]!.seconds * pace
      : (done.at - place.stepBegan) / 1000 / done.part;
  // A step that takes longer than expected is taken to be nearly done.
  const ofStep = Math.max(expected - inStep, 0.1 * inStep);
  const secondsLeft = ofStep + sum(plan.slice(index + 1)) * pace;
  const elapsed = (now - place.began) / 1000;
  return { secondsLeft, part: elapsed / Math.max(elapsed + secondsLeft, 0.001) };
}

/** `about 2 min 20 s left`, `about 40 s left`, `a moment left` */
export function leftText(seconds: number): string {
  const rounded = Math.ceil(seconds / 5) * 5;
  if (rounded <= 5) return "a moment left";
  const [minutes, rest] = [Math.floor(rounded / 60), rounded % 60];
  return `about ${[minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`].filter(Boolean).join(" ")} left`;
}
