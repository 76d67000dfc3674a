import { Counter, Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createHistogram } from '../../src/lib/histogram.ts';
import { openMetricsText, takesOpenMetrics } from '../../src/observe/open-metrics.ts';

test('OpenMetrics has exemplars, names of counters without their end, and an end', async () => {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    ...{ name: 'made_total', help: 'A "help"\nof two lines', labelNames: ['app'], registers },
  });
  counter.inc({ app: 'a"b\\c\nd' }, 2);
  new Gauge({ name: 'age_seconds', help: 'Age', registers }).set(Number.NaN);
  const seconds = createHistogram({
    ...{ name: 'took_seconds', help: 'Time', labelNames: ['route'] as const, registers },
    buckets: [0.1, 1],
  }).series({ route: 'chat' });
  seconds(0.05);
  seconds(0.5, 'first');
  seconds(0.6, 'second');
  seconds(7, 'third');
  const plain = await registry.metrics();
  expect(await openMetricsText(registry)).toBe(
    [
      '# HELP made A \\"help\\"\\nof two lines',
      '# TYPE made counter',
      'made_total{app="a\\"b\\\\c\\nd"} 2',
      '# HELP age_seconds Age',
      '# TYPE age_seconds gauge',
      'age_seconds NaN',
      '# HELP took_seconds Time',
      '# TYPE took_seconds histogram',
      'took_seconds_bucket{le="0.1",route="chat"} 1',
      'took_seconds_bucket{le="1",route="chat"} 3 # {trace_id="second"} 0.6',
      'took_seconds_bucket{le="+Inf",route="chat"} 4 # {trace_id="third"} 7',
      'took_seconds_sum{route="chat"} 8.15',
      'took_seconds_count{route="chat"} 4',
      '# EOF',
      '',
    ].join('\n'),
  );
  // A reader of the older format gets it as before.
  expect(await registry.metrics()).toBe(plain);
  expect(plain).not.toContain('trace_id');
});

test.each([
  ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', true],
  ['text/plain;version=0.0.4', false],
  ['*/*', false],
  [undefined, false],
])('a reader that accepts %s gets it: %s', (accept, expected) => {
  expect(takesOpenMetrics(accept)).toBe(expected);
});
