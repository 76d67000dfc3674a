import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';

export type MetricsOfThread = readonly MetricObjectWithValues<MetricValueWithName<string>>[];

/** For a metric with the same value in every thread. */
export const sameOnAll = { aggregator: 'first' } as const;

const ofProcess = /^process_|^nodejs_version_info$/;
/** A lagging thread must not be hidden by the others. */
const ofWorst = /^nodejs_eventloop_/;

/**
 * Sums, unless the metric names another way; for those of the process, the first thread's value.
 */
export async function mergeMetrics(all: readonly MetricsOfThread[]): Promise<Registry> {
  const parts = all.map((metrics) => metrics.map(howAdded));
  const merged = AggregatorRegistry.aggregate<Registry['contentType']>(parts);
  // The library adds values up and forgets by which trace they can be looked at.
  const exemplars = exemplarsOf(all);
  for (const { values } of await merged.getMetricsAsJSON())
    for (const value of values) {
      const exemplar = exemplars.get(seriesOf(value));
      if (exemplar !== undefined) Object.assign(value, { exemplar });
    }
  return merged;
}

function howAdded(metric: MetricsOfThread[number]) {
  if (ofProcess.test(metric.name)) return { ...metric, ...sameOnAll };
  return ofWorst.test(metric.name) ? { ...metric, aggregator: 'max' } : metric;
}

/** One thread's for each series: any is as good. */
function exemplarsOf(all: readonly MetricsOfThread[]): ReadonlyMap<string, unknown> {
  const values = all.flat().flatMap((metric) => metric.values);
  return new Map(
    values.flatMap((value): readonly (readonly [string, unknown])[] =>
      'exemplar' in value ? [[seriesOf(value), value.exemplar]] : [],
    ),
  );
}

function seriesOf(value: Partial<MetricValueWithName<string>>): string {
  return `${value.metricName} ${JSON.stringify(Object.entries(value.labels ?? {}).toSorted())}`;
}
