import { BUILD } from "@tranche/shared/process/build";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** A registry of the installation, whose every metric carries its namespace. */
function createRegistry(namespace: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ tranche_namespace: namespace });
  return registry;
}

/** A registry of one process: with the metrics of Node under their usual names, and with the version that runs. */
export function createProcessRegistry(namespace: string): Registry {
  const registry = createRegistry(namespace);
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: "tranche_build_info",
    help: "1 for the version that runs",
    labelNames: ["version", "revision"],
    // Several API processes are one target.
    aggregator: "max",
    registers: [registry],
  });
  build.set({ version: BUILD.version, revision: BUILD.revision ?? "" }, 1);
  return registry;
}
