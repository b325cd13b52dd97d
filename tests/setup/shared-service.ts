import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { deleteNamespace, newNamespace } from "../support/namespace.ts";
import { PAUSES } from "../support/pauses.ts";
import { plansFile } from "../support/plans-file.ts";
import type { Engines } from "../support/namespace.ts";
import type { Service } from "../support/service.ts";

/** Where test files find the installation that they share: `inject("sharedService")`. */
declare module "vitest" {
  interface ProvidedContext {
    sharedService: { namespace: string; address: string };
  }
}

/** The usual plans, and some with limits that a test reaches in a moment or never. */
const PLANS = {
  ...DEFAULT_PLANS,
  roomy: { name: "Roomy", max_limit: 50, burst: 10_000, quota: 1_000_000 },
  brief: { name: "Brief", max_limit: 10, burst: 8, quota: 1_000 },
  small: { name: "Small", max_limit: 10, burst: 1_000, quota: 3 },
};

/** What a test file gets from the address. */
export type SharedService = Pick<Service, "base" | "apiMetrics" | "dashboard" | "env">;

/**
 * Offers an installation for all test files of a run: one API, one indexer and one dashboard. They are started when the first file asks,
 * because many runs need none of them.
 */
export async function offerSharedService(engines: Engines) {
  const namespace = newNamespace();
  let starting: Promise<Service> | undefined;
  const server = createServer((_, response) => {
    starting ??= startService(engines, namespace);
    starting.then(
      ({ base, apiMetrics, dashboard, env }) =>
        response.end(JSON.stringify({ base, apiMetrics, dashboard, env } satisfies SharedService)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    provided: { namespace, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async close() {
      server.close();
      const service = await starting?.catch(() => {});
      if (!service) return;
      await service.stop();
      await deleteNamespace(engines, namespace);
    },
  };
}

async function startService(engines: Engines, namespace: string): Promise<Service> {
  // Not before somebody asks: it imports all of `ops`.
  const { createService } = await import("../support/service.ts");
  const service = createService(engines, {
    namespace,
    env: {
      TRANCHE_PAUSES: PAUSES,
      // Each browser of a test has an IP address of its own.
      TRANCHE_TRUSTED_PROXIES: "1",
      TRANCHE_PLANS_FILE: plansFile(PLANS),
    },
  });
  await Promise.all([service.startIndexer(), service.startApi()]);
  await service.startDashboard();
  return service;
}
