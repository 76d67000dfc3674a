import { Counter, type Registry } from 'prom-client';
import { keyRejectionReasons } from '../domain/key-rejection.ts';
import { createHistogram, type LabelledHistogram } from '../lib/histogram.ts';
import type { Observer } from '../lib/observer.ts';

/** Seconds, from a reservation on an idle disk to the gateway's time limit. */
const stageBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30,
];
/** Seconds of this process's work, from a usual turn of the event loop to a far too long one. */
const gapBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** An event costs one look-up and an addition. Every label has few values. */
export function createRequestMetrics(registry: Registry): Observer {
  const metrics = metricsIn(registry);
  const rejectedKeys = rejectedKeysIn(registry);
  const limited = limitedIn(registry);
  const stages = createStages(metrics.stages);
  return {
    requestAnswered({ route, status, tookMs, facts, refusal }) {
      const { app = noApp, reserveMs, code = 'OK' } = facts;
      metrics.requests.inc({ app, route, status, code: refusal ?? code });
      const reason = facts.keyRejection?.reason;
      if (reason !== undefined) rejectedKeys.inc({ reason });
      if (facts.limitedBy !== undefined) limited.inc({ app, reason: facts.limitedBy });
      const { total, reserve } = stages(route);
      total(tookMs / 1_000, facts.recordedTraceId);
      if (reserveMs !== undefined) reserve(reserveMs / 1_000);
    },
    attemptEnded({ model, platform, outcome, account }) {
      metrics.attempts.inc({ model, outcome });
      if (account !== undefined) metrics.accounts.inc({ platform, reason: account });
    },
    callSettled({
      app,
      route,
      modelLabel,
      code,
      basis,
      isDetached,
      isUnpriced,
      modelMs,
      settleMs,
    }) {
      const { model, settle } = stages(route);
      model(modelMs / 1_000);
      settle(settleMs / 1_000);
      metrics.calls.inc({ model: modelLabel, code });
      if (isUnpriced) metrics.unpriced.inc({ app, model: modelLabel });
      if (isDetached) metrics.lateCalls.inc({ basis });
    },
    priceMismatched({ platform, field }) {
      metrics.mismatches.inc({ platform, field });
    },
    batchCommitted({ operations, waitMs, tookMs }) {
      metrics.batches(operations);
      metrics.waits(waitMs / 1_000);
      metrics.commits(tookMs / 1_000);
    },
    ...countStreams(registry),
  };
}

function countStreams(registry: Registry): Observer {
  const { firstContent, gaps, ends, paused } = streamMetricsIn(registry);
  const first = createSeries((route) => firstContent.series({ route }));
  const gap = createSeries((route) => gaps.series({ route }));
  return {
    streamBegan({ route, tookMs }) {
      first(route)(tookMs / 1_000);
    },
    streamWritten({ route, delayMs }) {
      gap(route)(delayMs / 1_000);
    },
    streamEnded({ end, pausedMs }) {
      ends.inc({ end });
      paused.inc(pausedMs / 1_000);
    },
  };
}

function streamMetricsIn(registry: Registry) {
  const registers = [registry];
  return {
    firstContent: createHistogram({
      name: 'model_gateway_first_content_seconds',
      help: 'Time from the request to the first content of the stream at its socket. The label route is the operation',
      labelNames: ['route'] as const,
      buckets: stageBuckets,
      registers,
    }),
    gaps: createHistogram({
      name: 'model_gateway_stream_gap_seconds',
      help: 'Time that this process adds to the gap between two deltas of a stream',
      labelNames: ['route'] as const,
      buckets: gapBuckets,
      registers,
    }),
    ends: new Counter({
      name: 'model_gateway_stream_ends_total',
      help: 'Number of ended streams, by end: last event finish or error; caller disconnected (left) or read nothing (stalled); platform silent (idle); time limit (total)',
      labelNames: ['end'] as const,
      registers,
    }),
    paused: new Counter({
      name: 'model_gateway_stream_paused_seconds_total',
      help: 'Total time that platform streams were paused because callers read slowly',
      registers,
    }),
  };
}

function createStages(histogram: LabelledHistogram<'route' | 'stage'>) {
  const make = (route: string) => ({
    total: histogram.series({ route, stage: 'total' }),
    reserve: histogram.series({ route, stage: 'reserve' }),
    model: histogram.series({ route, stage: 'model' }),
    settle: histogram.series({ route, stage: 'settle' }),
  });
  return createSeries(make);
}

/** Calls `make` once for each route. */
function createSeries<Series>(make: (route: string) => Series): (route: string) => Series {
  const seriesByRoute = new Map<string, Series>();
  return (route) => {
    const series = seriesByRoute.get(route) ?? make(route);
    seriesByRoute.set(route, series);
    return series;
  };
}

function rejectedKeysIn(registry: Registry) {
  const counter = new Counter({
    name: 'model_gateway_keys_rejected_total',
    help: 'Number of requests whose key was rejected, by reason, such as no-header, unknown or disabled',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  // `rate()` counts the first rejection only if the series was 0 before it.
  for (const reason of keyRejectionReasons) counter.inc({ reason }, 0);
  return counter;
}

function limitedIn(registry: Registry) {
  return new Counter({
    name: 'model_gateway_requests_limited_total',
    help: 'Number of responses with status 429, except for the rate limit (plan) of a key, by the reason of the log line. app-rate is ratePerSecond; in-flight and body-bytes are limits.inFlight and limits.bodyBytesInFlight. slow-bodies are slow bodies of one key, streams are open streams, and processor is an app above its share',
    labelNames: ['app', 'reason'] as const,
    registers: [registry],
  });
}

function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'model_gateway_requests_total',
      help: 'Number of answered requests',
      labelNames: ['app', 'route', 'status', 'code'] as const,
      registers,
    }),
    stages: createHistogram({
      name: 'model_gateway_stage_seconds',
      help: 'Time of each stage: reserve, model (the platform, without waits and checks), settle, and total from request to response',
      labelNames: ['route', 'stage'] as const,
      buckets: stageBuckets,
      registers,
    }),
    calls: new Counter({
      name: 'model_gateway_calls_total',
      help: 'Number of settled calls, by the code sent to the caller',
      labelNames: ['model', 'code'] as const,
      registers,
    }),
    attempts: new Counter({
      name: 'model_gateway_attempts_total',
      help: 'Number of attempts at platforms, by outcome: answered, or the error code',
      labelNames: ['model', 'outcome'] as const,
      registers,
    }),
    accounts: new Counter({
      name: 'model_gateway_platform_account_errors_total',
      help: "Number of attempts that a platform rejected because of the gateway's account, by reason: credit, quota, unauthorized (401) or forbidden (403)",
      labelNames: ['platform', 'reason'] as const,
      registers,
    }),
    unpriced: new Counter({
      name: 'model_gateway_unpriced_calls_total',
      help: 'Number of calls without a price that used tokens or cost money. The label model is other for a model without a catalog row',
      labelNames: ['app', 'model'] as const,
      registers,
    }),
    mismatches: new Counter({
      name: 'model_gateway_price_mismatch_total',
      help: 'Number of response fields that the price of the model does not cover, such as another tier or a higher cost. Beyond 20 fields of a platform, the label field is other',
      labelNames: ['platform', 'field'] as const,
      registers,
    }),
    lateCalls: new Counter({
      name: 'model_gateway_detached_calls_total',
      help: 'Number of settled calls whose caller had disconnected, by cost basis: exact, estimated, mixed or free',
      labelNames: ['basis'] as const,
      registers,
    }),
    batches: createHistogram({
      name: 'model_gateway_commit_operations',
      help: 'Number of ledger operations in one transaction',
      buckets: batchBuckets,
      registers,
    }).series({}),
    waits: createHistogram({
      name: 'model_gateway_commit_wait_seconds',
      help: 'Wait time of the first operation of a transaction until the transaction begins',
      buckets: commitBuckets,
      registers,
    }).series({}),
    commits: createHistogram({
      name: 'model_gateway_commit_seconds',
      help: 'Duration of a ledger transaction',
      buckets: commitBuckets,
      registers,
    }).series({}),
  };
}

/** The label of requests without an app; no app can have this name. */
export const noApp = '-';
