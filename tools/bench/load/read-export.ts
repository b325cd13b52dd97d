import { setTimeout as pause } from "node:timers/promises";
import { Client } from "undici";
import type { Api } from "../environment/api.ts";

/** Reads an export, drops the bytes, and fails if it is cut off. `silentMs`: takes nothing for this long after the first byte. */
export async function readExport(
  { origin, key }: Api,
  query: string,
  encoding = "identity",
  silentMs = 0,
): Promise<number> {
  const client = new Client(origin, { bodyTimeout: 60_000 });
  try {
    const headers = { authorization: `Bearer ${key}`, "accept-encoding": encoding };
    const reply = await client.request({ method: "GET", path: `/api/v1/funding/export?${query}`, headers });
    if (reply.statusCode !== 200) throw new Error(`an export: ${reply.statusCode} ${await reply.body.text()}`);
    if (silentMs > 0) await pause(silentMs);
    for await (const _ of reply.body);
    return Number(reply.headers["x-total-count"]);
  } finally {
    await client.close();
  }
}
