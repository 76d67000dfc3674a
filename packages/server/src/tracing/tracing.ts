import type { PlatformConfig } from '../domain/platform.ts';
import type { Sampling, TracingConfig } from '../domain/tracing.ts';
import type { Ids } from '../lib/id.ts';
import type { Exporter, ExporterParts } from './exporter.ts';
import { formatSpanReference } from './ids.ts';
import { platformAddresses } from './model-spans.ts';
import { createRecordedTrace, type RecordingParts } from './recorded-trace.ts';
import type { RequestTrace } from './request-trace.ts';
import {
  readTraceParent,
  type TraceHeaders,
  type TraceParent,
  traceHeaders,
} from './traceparent.ts';

export interface Tracing {
  /** `startedMs` is monotonic; undefined without a trace. */
  begin(headers: TraceHeaders, startedMs: number): RequestTrace | undefined;
  counts(): { readonly exported: number; readonly dropped: number };
  stop(): Promise<void>;
}

export interface TracingParts extends ExporterParts {
  readonly ids: Ids;
  readonly platforms: readonly PlatformConfig[];
  readonly findSpanReference: RecordingParts['findSpanReference'];
}

export async function startTracing(
  config: TracingConfig | undefined,
  parts: TracingParts,
): Promise<Tracing> {
  if (config === undefined) return { ...readOnly, stop: () => Promise.resolve() };
  const { openExporter } = await import('./exporter.ts');
  return createRecordingTracing(config, parts, openExporter(config, parts));
}

const readOnly: Omit<Tracing, 'stop'> = {
  begin(headers) {
    const parent = readTraceParent(headers);
    return parent && createUnrecordedTrace(parent);
  },
  counts: () => ({ exported: 0, dropped: 0 }),
};

function createRecordingTracing(
  config: TracingConfig,
  parts: TracingParts,
  sink: Exporter,
): Tracing {
  const { clock, ids, findSpanReference } = parts;
  const isRecorded = createSampler(config.sampling, ids);
  const platforms = platformAddresses(parts.platforms);
  const recordingParts = { clock, ids, sink, platforms, findSpanReference };
  return {
    begin(headers, startedMs) {
      const parent = readTraceParent(headers);
      const isSampled = isRecorded(parent);
      if (isSampled || config.keepFailures) {
        const { path = '' } = headers;
        return createRecordedTrace(recordingParts, { parent, path, startedMs, isSampled });
      }
      return parent && createUnrecordedTrace(parent);
    },
    counts: sink.counts,
    stop: sink.stop,
  };
}

/** Called before any span exists. */
type Sampler = (parent: TraceParent | undefined) => boolean;

/**
 * Uses the caller's decision if configured; otherwise random by trace id, so all services agree.
 */
export function createSampler(
  { ratio, isParentBased }: Sampling,
  { random }: Pick<Ids, 'random'>,
): Sampler {
  return (parent) => {
    if (parent === undefined) return random() < ratio;
    if (isParentBased) return parent.isSampled;
    return Number.parseInt(parent.traceId.slice(-8), 16) / 2 ** 32 < ratio;
  };
}

function createUnrecordedTrace(parent: TraceParent): RequestTrace {
  return {
    isSampled: false,
    spanReference: formatSpanReference(parent.traceId, parent.spanId),
    headers: () => traceHeaders(parent),
    reserved: () => undefined,
    settled: () => undefined,
    joined: () => undefined,
    answered: () => undefined,
  };
}
