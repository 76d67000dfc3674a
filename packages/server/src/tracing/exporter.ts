import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  type Attributes,
  type DiagLogger,
  DiagLogLevel,
  diag,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { buildConnector } from 'undici';
import type { TracingConfig } from '../domain/tracing.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import { createRoutes } from '../lib/proxy-route.ts';
import { createRareWarning } from '../lib/rare-warning.ts';
import { connectThrough } from '../lib/tunnel.ts';
import type { SpanRecord, SpanSink } from './span.ts';

export interface Exporter extends SpanSink {
  counts(): { readonly exported: number; readonly dropped: number };
  /** Sends the rest, within 1 s. */
  stop(): Promise<void>;
}

export interface ExporterWaits {
  readonly batchMs: number;
  readonly exportMs: number;
  readonly stopMs: number;
}

export interface ExporterParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly instanceId: string;
  readonly exporterWaits?: ExporterWaits | undefined;
}

// Limits the memory that an unavailable collector costs to some megabytes.
const waitingMax = 2_048;
const batchMax = 512;
const defaultWaits: ExporterWaits = { batchMs: 1_000, exportMs: 5_000, stopMs: 1_000 };

/**
 * Loaded, with OpenTelemetry's library, only if tracing is on. Spans beyond the queue, and rejected
 * spans, are dropped and counted. Logs once a minute at most.
 */
export function openExporter(config: TracingConfig, parts: ExporterParts): Exporter {
  const { clock, log, exporterWaits: waits = defaultWaits } = parts;
  const { batchMs, exportMs, stopMs } = waits;
  const counts = { taken: 0, exported: 0, dropped: 0 };
  const warn = createDropWarnings(parts);
  diag.setLogger(diagLogger(warn), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const agent = agentFor(config, { clock, timeoutMs: exportMs });
  const otlp = new OTLPTraceExporter({
    ...{ url: config.url, headers: { ...config.headers } },
    ...{ timeoutMillis: exportMs, concurrencyLimit: 2 },
    ...(agent !== undefined && { httpAgentOptions: agent }),
  });
  const processor = new BatchSpanProcessor({
    exporter: countingExporter(otlp, counts, warn),
    ...{ maxQueueSize: waitingMax, maxExportBatchSize: batchMax },
    ...{ scheduledDelayMillis: batchMs, exportTimeoutMillis: exportMs + 1_000 },
  });
  const toReadable = createReadableSpans(config, parts);
  return {
    add(span) {
      if (counts.taken >= waitingMax) {
        counts.dropped += 1;
        warn('spans arrive faster than the collector accepts them');
        return;
      }
      counts.taken += 1;
      processor.onEnd(toReadable(span));
    },
    counts: () => ({ exported: counts.exported, dropped: counts.dropped }),
    async stop() {
      const flushed = await within(
        clock,
        stopMs,
        processor.shutdown().catch(() => undefined),
      );
      if (!flushed) log.warn({ dropped: counts.taken }, 'spans were not exported before shutdown');
      diag.disable();
    },
  };
}

function countingExporter(
  exporter: SpanExporter,
  counts: { taken: number; exported: number; dropped: number },
  warn: (what: string) => void,
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        counts.taken -= spans.length;
        // The code only distinguishes success, 0, from failure.
        if (result.code === 0) counts.exported += spans.length;
        else {
          counts.dropped += spans.length;
          warn(result.error?.message ?? 'the collector rejected spans');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function createDropWarnings(parts: ExporterParts) {
  const warn = createRareWarning(parts, 'spans dropped; calls are not affected');
  return (cause: string) => warn({ cause: cause.slice(0, 200) });
}

function diagLogger(warn: (what: string) => void): DiagLogger {
  const silent = () => undefined;
  return { error: warn, warn, info: silent, debug: silent, verbose: silent };
}

const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';

function createReadableSpans(config: TracingConfig, { version, instanceId }: ExporterParts) {
  const resource = resourceFromAttributes({
    ...config.attributes,
    'service.name': config.serviceName,
    'service.version': version,
    'service.instance.id': instanceId,
  });
  const instrumentationScope = { name: 'model-gateway', version, schemaUrl };
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    internal: SpanKind.INTERNAL,
  } as const;
  const nothing = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 };
  return (span: SpanRecord): ReadableSpan => {
    const { name, kind, traceId, spanId, parentId, startedAt, endedAt, link } = span;
    const context = contextOf(traceId, spanId);
    return {
      ...{ name, kind: kinds[kind], resource, instrumentationScope, ended: true, events: [] },
      spanContext: () => context,
      ...(parentId === undefined ? {} : { parentSpanContext: contextOf(traceId, parentId) }),
      ...{ startTime: timeOf(startedAt), endTime: timeOf(endedAt) },
      duration: timeOf(Math.max(0, endedAt - startedAt)),
      status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: attributesOf(span),
      links: link === undefined ? [] : [{ context: contextIn(link) }],
      ...nothing,
    };
  };
}

function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

function contextIn(spanReference: string): SpanContext {
  const [traceId = '', spanId = ''] = spanReference.split('-');
  return contextOf(traceId, spanId);
}

function attributesOf({ attributes }: SpanRecord): Attributes {
  const result: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    result[name] = typeof value === 'object' ? [...value] : value;
  }
  return result;
}

/** Seconds and nanoseconds. */
function timeOf(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1_000_000)];
}

type CreateAgent = () => Promise<HttpAgent | HttpsAgent>;

function agentFor(
  config: Pick<TracingConfig, 'url' | 'proxies'>,
  parts: { readonly clock: Pick<Clock, 'after'>; readonly timeoutMs: number },
): CreateAgent | undefined {
  const url = new URL(config.url);
  const proxy = createRoutes(config)(url);
  if (proxy === undefined) return undefined;
  const { protocol, hostname, port, host } = url;
  const secure = buildConnector({ timeout: 0, allowH2: false });
  const connect = connectThrough<buildConnector.Options>({ ...parts, proxy, secure });
  const createConnection = (
    _options: unknown,
    onConnect?: (error: Error | null, socket: Duplex) => void,
  ) => {
    connect({ protocol, hostname, port, host }, (error, socket) => {
      // Node checks the error first.
      if (socket !== null) onConnect?.(null, socket);
      else Reflect.apply(onConnect ?? ignore, undefined, [error]);
    });
    return undefined;
  };
  return async () => {
    // The exporter requires a late import: Node's client must not be loaded before instruments are.
    const { Agent } =
      protocol === 'https:' ? await import('node:https') : await import('node:http');
    return Object.assign(new Agent({ keepAlive: true }), { createConnection });
  };
}

function ignore() {
  // Node always passes a callback.
}
