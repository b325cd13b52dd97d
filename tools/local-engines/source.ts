import type { Reaper } from "./reaper.ts";

/** Which engines are still to be found. */
export type Need = { elasticsearch: boolean; redis: boolean };

export type FoundEngines = {
  elasticsearchUrl?: string;
  redisUrl?: string;
  /** One line about how, for people. */
  description: string;
  /** Resolves, with a text for people, when an engine ends though nobody asked it to. */
  failed?: Promise<string>;
};

/**
 * Why a source cannot be used: one line for each thing that is missing, with what was found instead. `isUsual`: it is told only when no
 * other source can be used either.
 */
export type Unavailable = { missing: string[]; isUsual?: true };

export type SourceContext = {
  /** Folder for downloads, which may be shared by several runs. */
  downloads: string;
  /** Folder for the data and logs of these engines. */
  data: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  reaper: Reaper;
};

/** Finds or starts the engines, or says what it lacks. Rejects when it should have worked and did not. */
export type EngineSource = (need: Need, context: SourceContext) => Promise<FoundEngines | Unavailable>;
