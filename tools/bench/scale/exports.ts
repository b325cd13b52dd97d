import { Client } from "undici";
import type { Api } from "../environment/api.ts";
import type { Figures } from "./figures.ts";

const FORMATS = ["ndjson", "csv"];
/** Rows that are read of an export: enough for its pace, which stays the same to its end. */
const ROWS = 100_000;
const LINE_END = "\n".charCodeAt(0);

/** How many rows an export of all rounds gives per second. */
export async function exportFigures(api: Api): Promise<Figures> {
  const figures: Figures = {};
  for (const format of FORMATS)
    figures[`/funding/export, ${format}`] = {
      value: await rowsPerSecond(api, format),
      unit: "rows/s",
      bound: { least: 0.9 },
    };
  return figures;
}

async function rowsPerSecond({ origin, key }: Api, format: string): Promise<number> {
  const client = new Client(origin, { bodyTimeout: 60_000 });
  try {
    const begun = performance.now();
    const path = `/api/v1/funding/export?format=${format}`;
    const reply = await client.request({ method: "GET", path, headers: { authorization: `Bearer ${key}` } });
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${await reply.body.text()}`);
    let rows = 0;
    for await (const chunk of reply.body) {
      for (const byte of chunk as Buffer) if (byte === LINE_END) rows++;
      if (rows >= ROWS) break;
    }
    return rows / ((performance.now() - begun) / 1000);
  } finally {
    await client.destroy();
  }
}
