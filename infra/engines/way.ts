import type { Guardian } from "./guard.ts";

/** Which engines are still to be found. */
export type Need = { elasticsearch: boolean; redis: boolean };

export type Found = {
  elasticsearchUrl?: string;
  redisUrl?: string;
  /** One line about how, for people. */
  description: string;
  /** Resolves, with a text for people, when an engine ends though nobody asked it to. */
  failed?: Promise<string>;
};

/** Why a way cannot be gone here: lines for people, each what is missing and what was found instead. */
export type Lacking = { lacking: string[] };

export type Surroundings = {
  /** Folder for downloads, which may be shared by several runs. */
  downloads: string;
  /** Folder for the data and logs of these engines. */
  data: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  guardian: Guardian;
};

/** Finds the engines in one way, or says what it lacks here. Rejects when it should have worked and did not. */
export type Way = (need: Need, here: Surroundings) => Promise<Found | Lacking>;
