import { z } from "zod";
import { parseRedisAddress } from "./redis-address.ts";

export const port = z.coerce.number("expected a port").int().min(0).max(65_535);
export const count = (least: number) => z.coerce.number("expected a number").int().min(least);

/** A Host header without scheme or path; a port limits it to that port. */
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/, "expected names or addresses such as metrics.internal or [fd00::7]");
export const hostNames = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(hostName));

export const publicUrl = z
  .url({ protocol: /^https?$/, error: "expected an address such as https://api.example.com" })
  .refine((text) => !/[?#]|\/$/.test(text), "expected an address without '?', '#' and a slash at its end");

/** Origins as browsers send them. */
export const origins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine((all) => all.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    error: "expected origins such as https://app.example.com, separated by commas, without a slash at their ends",
  });

/** Addresses of nodes of one cluster, separated by commas and without blanks. */
export const searchEngineUrls = z
  .string()
  .transform((text) => text.split(",").map((url) => url.trim()))
  .refine((urls) => urls.every((url) => /^https?:\/\/./.test(url) && URL.canParse(url)), {
    error: "expected addresses such as http://127.0.0.1:9200, separated by commas",
  })
  .refine((urls) => new Set(urls.map((url) => url.split(":")[0])).size === 1, {
    error: "expected either http:// or https:// in all addresses",
  })
  .transform((urls) => urls.join(","));

export const webhookKey = z
  .base64("expected base64")
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length === 32, "expected 32 bytes as base64, such as `openssl rand -base64 32` prints");

export const redisUrl = z.string().superRefine((text, context) => {
  try {
    parseRedisAddress(text);
  } catch (error) {
    context.addIssue((error as Error).message);
  }
});
