const HEAD = `# Made from infra/prometheus/alerts.yaml by \`npm run docs\`, for the Prometheus Operator.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: tranche }
spec:
`;

/** The alerts of Prometheus as an object of the Prometheus Operator. */
export function prometheusRule(alerts: string): string {
  const groups = alerts.slice(alerts.indexOf("groups:"));
  return HEAD + groups.replace(/^(?=.)/gm, "  ");
}
