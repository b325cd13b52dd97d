/** Metrics as Prometheus reads them, without the label of the installation that each of them has. */
export const withoutNamespace = (text: string): string =>
  text
    .replaceAll(/tranche_namespace="[^"]*",?/g, "")
    .replaceAll(/,\}/g, "}")
    .replaceAll(/^(\w+)\{\} /gm, "$1 ");

/** The metrics of a port, without that label. `base`: the address of the port. */
export const metricsOf = async (base: string): Promise<string> =>
  withoutNamespace(await (await fetch(`${base}/metrics`)).text());
