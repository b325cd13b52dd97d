import type { Settings } from "@tranche/shared/process/settings";
import { freePorts, portIsFree } from "../../tools/local-engines/ports.ts";

export type Ports = { api: number; operator: number; dashboard: number };

/** Ports 0 are replaced by free ones, for the address has to be known. */
export async function choosePorts(settings: Settings): Promise<Ports> {
  const [first, second, third] = await freePorts(3);
  const api = settings.PORT || first!;
  const operator = settings.TRANCHE_OPERATOR_PORT || second!;
  const dashboard = settings.TRANCHE_DASHBOARD_PORT || third!;
  const chosen = [
    ["PORT", api, settings.HOST],
    ["TRANCHE_OPERATOR_PORT", operator, settings.TRANCHE_OPERATOR_HOST],
    ["TRANCHE_DASHBOARD_PORT", dashboard, settings.HOST],
  ] as const;
  for (const [variable, port, host] of chosen) {
    const same = chosen.find(([other, its]) => other !== variable && its === port);
    if (same) throw new Error(`${variable} and ${same[0]} are both ${port}. Give one of them another port.`);
    if (!(await portIsFree(port, host))) {
      throw new Error(
        `Port ${port} is taken, or ${host} is not an address of this machine. Free it, or set ${variable} to another port.`,
      );
    }
  }
  return { api, operator, dashboard };
}

/** The host by which this machine reaches an interface. */
export function callable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
