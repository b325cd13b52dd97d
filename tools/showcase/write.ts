import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dayOfTime } from "@tranche/shared/domain/time/day";
import { SAMPLE_NOW, SHOWCASE_FILE } from "../../infra/start/sample.ts";
import { showcase } from "./showcase.ts";

/** Writes the fictional part of the sample: `node tools/showcase/write.ts`. */
const records = showcase(dayOfTime(Date.parse(SAMPLE_NOW)));
const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
writeFileSync(new URL(`../../${SHOWCASE_FILE}`, import.meta.url), gzipSync(lines, { level: 9 }));
console.log(`wrote ${records.length} records to ${SHOWCASE_FILE}`);
