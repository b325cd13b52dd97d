import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { createLogger } from "@tranche/shared/process/logger";
import { expect, test } from "vitest";
import { createExport } from "./export.ts";
import { EXPORT_LIMITS } from "./limits.ts";
import type { ExportPages } from "./pages.ts";

const NO_PAGES: ExportPages = { count: 0, pages: (async function* () {})() };

test("an export whose reader left before its first byte does not begin: it is refused, so its charge is given back as a whole", async () => {
  const response = Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
  const begun: string[] = [];
  const parts = {
    openPointInTime: () => Promise.reject(new Error("not used")),
    metrics: {
      exportBegins(route: string) {
        begun.push(route);
        return () => {};
      },
    },
    log: createLogger("test", "silent"),
    limits: EXPORT_LIMITS,
  };
  const left = createExport(parts, { account: "a", route: "/export", requestId: "r", response }, async () => {});
  response.emit("close");
  await left.ended;
  expect(() => left.stream(NO_PAGES, "", async () => {})).toThrow(
    expect.objectContaining({ code: "request_timeout" }) as Error,
  );
  // Nor is it counted as under way, where nothing would end it.
  expect(begun).toEqual([]);
});
