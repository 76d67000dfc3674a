import { Counter, Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createHistogram } from '../../src/lib/histogram.ts';
import { mergeMetrics, sameOnAll } from '../../src/observe/merge-metrics.ts';
import { openMetricsText } from '../../src/observe/open-metrics.ts';

/** A thread's counts: this number of requests of an app, one with this duration. */
async function threadWith(parts: {
  readonly requests: number;
  readonly tookSeconds: number;
  readonly traceId?: string;
  readonly lag: number;
}) {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    ...{ name: 'requests_total', help: 'r', labelNames: ['app'] as const, registers },
  });
  counter.inc({ app: 'search' }, parts.requests);
  const histogram = createHistogram({
    ...{ name: 'stage_seconds', help: 's', labelNames: ['stage'] as const, registers },
    buckets: [0.1, 1],
  });
  histogram.series({ stage: 'total' })(parts.tookSeconds, parts.traceId);
  new Gauge({ name: 'in_flight', help: 'i', registers }).set(parts.requests);
  new Gauge({ name: 'budget_usd', help: 'b', ...{ registers, ...sameOnAll } }).set(5);
  const circuit = new Gauge({ name: 'circuit', help: 'c', registers, aggregator: 'max' });
  circuit.set(parts.lag > 1 ? 2 : 0);
  new Gauge({ name: 'process_open_fds', help: 'f', registers }).set(40);
  new Gauge({ name: 'nodejs_eventloop_lag_seconds', help: 'l', registers }).set(parts.lag);
  return registry.getMetricsAsJSON();
}

test('counts of threads are added up; counts of all, or of the process, are not', async () => {
  const merged = await mergeMetrics([
    await threadWith({ requests: 3, tookSeconds: 0.05, lag: 0.01 }),
    await threadWith({ requests: 4, tookSeconds: 5, lag: 2 }),
  ]);
  const text = await merged.metrics();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual([
    'requests_total{app="search"} 7',
    'stage_seconds_bucket{le="0.1",stage="total"} 1',
    'stage_seconds_bucket{le="1",stage="total"} 1',
    'stage_seconds_bucket{le="+Inf",stage="total"} 2',
    'stage_seconds_sum{stage="total"} 5.05',
    'stage_seconds_count{stage="total"} 2',
    ...['in_flight 7', 'budget_usd 5', 'circuit 2', 'process_open_fds 40'],
    'nodejs_eventloop_lag_seconds 2',
  ]);
});

test('a bucket keeps the trace of any thread', async () => {
  const merged = await mergeMetrics([
    await threadWith({ requests: 1, tookSeconds: 0.05, lag: 0 }),
    await threadWith({ requests: 1, tookSeconds: 0.5, lag: 0, traceId: 'abc' }),
  ]);
  const text = await openMetricsText(merged);
  expect(text).toContain('stage_seconds_bucket{le="1",stage="total"} 2 # {trace_id="abc"} 0.5');
  expect(text).toContain('stage_seconds_bucket{le="0.1",stage="total"} 1\n');
});
