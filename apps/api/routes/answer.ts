import type { Plan } from "@tranche/shared/accounts/plans";
import type { Asking } from "../admission/charge.ts";
import type { Generation } from "../cache/history.ts";
import type { Content } from "./content.ts";

/** A finished answer: its content, and the headers that belong to it. */
export type Answer = Content & {
  headers: Readonly<Record<string, string>>;
  /** How it went out before, to some of those who asked for it. */
  replays: Map<Asked, Replay>;
};

/** How many ways an answer went out are kept with it, and what their headers take at most. */
export const MAX_REPLAYS = 4;
const REPLAYS_BYTES = 4096;

/** What an answer takes in memory. Its compressed forms, which may come later, together take less than the same again. */
export const bytesOf = (answer: Answer): number => 2 * answer.body.length + REPLAYS_BYTES;

/** A request that was answered before, letter for letter: how its list goes about it. */
export type Asked = {
  /** As metrics name it. */
  route: string;
  /** Lets it in, and finds out what is there to be seen. Throws what refuses it. */
  begin(asking: Asking): Promise<Begun>;
  /** The answer, if it is made already. */
  finished(begun: Begun): Answer | undefined;
};
export type Begun = { plan: Plan; generation: Generation | undefined };

/** An answer as it went out: bytes, and name and value in turn of all headers that are not those of a single request. */
export type Replay = { headers: readonly string[]; body: Buffer };
