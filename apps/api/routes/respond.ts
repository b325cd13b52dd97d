import type { Context } from "koa";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import { contentOf, send } from "./content.ts";
import type { Answer } from "./answer.ts";

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
