import { randomBytes } from "node:crypto";
import type { ProvidedContext } from "vitest";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { SAMPLE_NOW, SHOWCASE_FILE } from "../../infra/start/sample.ts";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { deleteNamespace, newNamespace } from "../support/namespace.ts";
import { PAUSES } from "../support/pauses.ts";
import { plansFile } from "../support/plans-file.ts";
import type { Engines } from "../support/namespace.ts";
import type { Service } from "../support/service.ts";
import { offer } from "./offer.ts";

type Kind = { now?: string; env?: NodeJS.ProcessEnv; files?: readonly string[] };

/** Installations that test files share. */
const KINDS = {
  /** Empty at first: each file adds records of its own. */
  live: {},
  /** The showcase on its day. Nobody adds or deletes a record. */
  showcase: {
    now: SAMPLE_NOW,
    env: {
      TRANCHE_WEBHOOK_KEY: randomBytes(32).toString("base64"),
      TRANCHE_WEBHOOK_TARGETS: "any",
      TRANCHE_OAUTH_REGISTRATION: "on",
    },
    files: [SHOWCASE_FILE],
  },
} satisfies Record<string, Kind>;

export type SharedName = keyof typeof KINDS;

/** Where test files find the installations that they share: `inject("sharedServices")`. */
declare module "vitest" {
  interface ProvidedContext {
    sharedServices: Record<SharedName, { namespace: string; address: string }>;
  }
}

/** The usual plans, and some with limits that a test reaches in a moment or never. */
const PLANS = {
  ...DEFAULT_PLANS,
  roomy: { name: "Roomy", max_limit: 50, burst: 10_000, quota: 1_000_000, webhooks: 20 },
  brief: { name: "Brief", max_limit: 10, burst: 8, quota: 1_000 },
  traced: { ...DEFAULT_PLANS["scale"]!, name: "Traced", provenance: true },
  small: { name: "Small", max_limit: 10, burst: 1_000, quota: 3 },
  scant: { name: "Scant", max_limit: 50, burst: 1_000, quota: 1 },
};

/** What a test file gets from the address. */
export type SharedService = Pick<Service, "base" | "apiMetrics" | "dashboard" | "env">;

/**
 * Offers installations to all test files of a run: each one API, one indexer and one dashboard. They are started when the first file asks,
 * because many runs need none of them.
 */
export async function offerSharedServices(engines: Promise<Engines>) {
  const offers = await Promise.all(
    Object.entries(KINDS).map(async ([name, kind]) => [name, await offerService(engines, kind)] as const),
  );
  return {
    provided: Object.fromEntries(
      offers.map(([name, { provided }]) => [name, provided]),
    ) as ProvidedContext["sharedServices"],
    close: async () => void (await Promise.all(offers.map(([, each]) => each.close()))),
  };
}

async function offerService(engines: Promise<Engines>, kind: Kind) {
  const namespace = newNamespace();
  let starting: Promise<Service> | undefined;
  const { address, close } = await offer(async () => {
    starting ??= engines.then((found) => startService(found, namespace, kind));
    const { base, apiMetrics, dashboard, env } = await starting;
    return { base, apiMetrics, dashboard, env } satisfies SharedService;
  });
  return {
    provided: { namespace, address },
    async close() {
      close();
      const service = await starting?.catch(() => {});
      if (!service) return;
      await service.stop();
      await deleteNamespace(await engines, namespace);
    },
  };
}

async function startService(engines: Engines, namespace: string, { now, env, files = [] }: Kind): Promise<Service> {
  // Not before somebody asks: it imports all of `ops`.
  const { createService } = await import("../support/service.ts");
  // Known before, because API and dashboard name each other to applications.
  const [api, dashboard] = (await freePorts(2)) as [number, number];
  const service = createService(engines, {
    namespace,
    ...(now && { now }),
    env: {
      TRANCHE_PAUSES: PAUSES,
      // Each browser of a test has an IP address of its own.
      TRANCHE_TRUSTED_PROXIES: "1",
      TRANCHE_PLANS_FILE: plansFile(PLANS),
      TRANCHE_API_URL: `http://127.0.0.1:${api}`,
      TRANCHE_DASHBOARD_PORT: String(dashboard),
      ...env,
    },
  });
  await Promise.all([service.startIndexer(), service.startApi({ PORT: String(api) })]);
  await service.startDashboard({ TRANCHE_DASHBOARD_PORT: String(dashboard) });
  if (files.length > 0) {
    const { code, stdout, stderr } = await service.ops(["ingest", ...files, "--wait"]);
    if (code !== 0) throw new Error(stdout + stderr);
  }
  return service;
}
