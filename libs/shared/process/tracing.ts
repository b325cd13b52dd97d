import type { Tracing } from "./send-traces.ts";
import type { Settings } from "./settings.ts";

export type { Tracing };

/**
 * Starts tracing where OTEL_EXPORTER_OTLP_ENDPOINT is set, before clients are made; otherwise nothing of it is loaded. `service` names the
 * process. `warn` hears, once a minute at most, why spans can't be sent: a receiver that is away costs no more.
 */
export async function startTracing(
  service: string,
  settings: Pick<Settings, "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_TRACES_SAMPLER_ARG">,
  warn: (reason: string) => void,
): Promise<Tracing | undefined> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_TRACES_SAMPLER_ARG: part,
  } = settings;
  if (endpoint === undefined) return undefined;
  const { sendTraces } = await import("./send-traces.ts");
  return sendTraces({ service, endpoint, headers, part, warn });
}
