import type { Context } from "koa";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import { type Content, contentOf, send } from "./content.ts";
import type { Asked, Replay } from "./replayed.ts";

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

export function answerOf(format: Format, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const content = contentOf(format, Buffer.from(text), `${MEDIA_TYPES[format]}; charset=utf-8`);
  return { ...content, headers, replays: new Map() };
}

/** Sends an answer, or 304 when the caller has it already. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  ctx.set({
    ...answer.headers,
    "Cache-Control": "private, no-cache",
    Vary: "Accept, Accept-Encoding, Authorization, Prefer",
  });
  await send(ctx, answer);
}
