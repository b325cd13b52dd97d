import type { DrillEngines } from "./engines.ts";
import type { Random } from "./random.ts";

export type Size = "short" | "full";

export type DrillContext = {
  engines: DrillEngines;
  size: Size;
  random: Random;
  /** Settings of the processes, for all drills of a run. */
  env?: Readonly<Record<string, string>>;
  /** Reports the progress to people. */
  say: (line: string) => void;
};

export type Outcome = {
  /** What must hold, each with whether it did. */
  checks: Record<string, boolean>;
  /** What was seen; none is named as the verdict's own members are. */
  figures: Record<string, unknown> & { name?: never; ok?: never; failed?: never };
};

/** Something is broken on purpose, with real processes and real engines, and what must hold is measured afterwards. */
export type Drill = { name: string; about: string; run(context: DrillContext): Promise<Outcome> };

/** The one line at the end: `failed` names the checks that did not hold. */
export type Verdict = { name: string; ok: boolean; failed?: string[]; [figure: string]: unknown };

export async function runDrill(drill: Drill, context: DrillContext): Promise<Verdict> {
  const start = Date.now();
  const { checks, figures } = await drill.run(context);
  const failed = Object.entries(checks).flatMap(([check, held]) => (held ? [] : [check]));
  return {
    name: drill.name,
    ok: failed.length === 0,
    ...(failed.length > 0 ? { failed } : {}),
    size: context.size,
    seconds: seconds(Date.now() - start),
    ...figures,
  };
}

/** Milliseconds as seconds, to the tenth. */
export const seconds = (ms: number): number => Math.round(ms / 100) / 10;
