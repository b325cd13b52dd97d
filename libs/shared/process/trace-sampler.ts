import { type Attributes, type Context, SpanKind, trace, TraceFlags } from "@opentelemetry/api";
import {
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";

/** The attribute of the root span of a command. */
export const COMMAND = "tranche.command";

/**
 * Traces begin with a request or a command, and `part` of them is kept. Requests of callers are not kept because the caller says so: the
 * flag in `traceparent` is anybody's. Jobs follow the process that enqueued them. Work of a process on its own account, such as looking for
 * jobs, is not traced.
 */
export function createSampler(part: number): Sampler {
  const ofPart = new TraceIdRatioBasedSampler(part);
  const as = (sampled: boolean): SamplingResult => ({
    decision: sampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  });
  return {
    shouldSample(context: Context, traceId: string, _name: string, kind: SpanKind, attributes: Attributes) {
      const parent = trace.getSpanContext(context);
      if (parent && !(parent.isRemote && kind === SpanKind.SERVER))
        return as((parent.traceFlags & TraceFlags.SAMPLED) !== 0);
      return kind === SpanKind.SERVER || COMMAND in attributes ? ofPart.shouldSample(context, traceId) : as(false);
    },
    toString: () => `requests and commands, ${part}`,
  };
}
