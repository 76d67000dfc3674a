import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createHistogram } from '../../src/lib/histogram.ts';

// The histogram must print like the library's.

const buckets = [0.5, 1, 2.5, 10];
const labelNames = ['route', 'stage'] as const;
const describes = { name: 'a_metric', help: 'A "help"\nof two lines', labelNames } as const;
const route = fc.constantFrom('chat', 'objects', 'a "quoted" one');
const stage = fc.constantFrom('total', 'model');
const value = fc.oneof(fc.constantFrom(0, ...buckets), fc.double({ min: 0, max: 20, noNaN: true }));

test('a histogram prints like the library’s', async () => {
  const observation = fc.record({ route, stage, value });
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 60 }), async (observations) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const counted = createHistogram({ ...describes, buckets, registers: [ours] });
      const histogram = new Histogram({ ...describes, buckets, registers: [theirs] });
      const known = new Map<string, (value: number) => void>();
      for (const { value: seen, ...labels } of observations) {
        const key = `${labels.route} ${labels.stage}`;
        const add = known.get(key) ?? counted.series(labels);
        known.set(key, add);
        add(seen);
        histogram.observe(labels, seen);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

test('only a histogram without labels exists before its first value', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const bare = { name: 'bare', help: 'Bare', buckets };
  createHistogram({ ...bare, registers: [ours] }).series({});
  createHistogram({ ...describes, buckets, registers: [ours] }).series({
    route: 'chat',
    stage: 'x',
  });
  new Histogram({ ...bare, registers: [theirs] });
  new Histogram({ ...describes, buckets, registers: [theirs] });
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
